"""Runs two networks with states kept in a slower tier: what sparse-checkpoints.py
measures.

Inputs and their gradients are arrays in a tier of their own ("data"), a place for
each step, as training data come from elsewhere; what a step fetches of them counts.
So the whole peak of the compute tier is compared: weights, their gradients, states
and what a step needs meanwhile.

Times are processor time, less that of the same program over two steps, which is what
it takes to compile it: the least of some runs. Every run must give the results of the run with all states,
bit for bit, and meter the peaks and moves that were predicted.
"""

import os
import re
import resource
import sys
import tempfile

LOOPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Integration", "Loops")
sys.path.insert(0, LOOPS)

# pylint: disable=wrong-import-position
import gru
import loop_runs
import spiking

TRANSFERS = (0, 1, 5, 10)
DENSITIES = (1, 2, 5, 10, 25, 50, 100)
INPUTS = 64


class Network:
    """One of them, and how large it is."""

    def __init__(self, name, size, batch):
        self.name, self.size, self.batch = name, size, batch

    def write(self, steps):
        if self.name == "GRU":
            return gru.write(steps, self.size, INPUTS, self.batch, stream=True)
        return spiking.write(steps, self.size, INPUTS, self.batch, stream=True)

    def state_bytes(self):
        arrays = {"GRU": 1, "spiking": 2}[self.name]
        return arrays * self.batch * self.size * 4

    def compression(self):
        """How its states can be kept compressed, if they can."""
        return {"GRU": "", "spiking": " slow-compress=none,bits"}[self.name]

    def describe(self):
        return f"{self.name} of {self.size} units, batch {self.batch}"


class Runs:
    """Runs of one network, in a folder of their own."""

    tries = 3

    def __init__(self, network, folder):
        self.network, self.folder = network, folder
        self.digests, self.compilations = {}, {}

    def program(self, steps, options):
        path = os.path.join(self.folder, "program.mlir")
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.network.write(steps))
        if options:
            loop_runs.checkpoint(path, options, path)
        return path

    def predicted_peak(self, steps, options):
        """Of the compute tier, as the driver says."""
        with open(self.program(steps, options), encoding="utf-8") as file:
            return int(re.search(r"peak_bytes = (\d+)", file.read()).group(1))

    def forward_steps(self, steps, options):
        if not options:
            return steps
        with open(self.program(steps, options), encoding="utf-8") as file:
            return int(re.search(r"forward_steps = (\d+)", file.read()).group(1))

    def time(self, steps, options, *more):
        """Processor seconds, compilation included, and the report."""
        path = self.program(steps, options)
        before = spent()
        report = loop_runs.run(path, *more)
        return spent() - before, report

    def measure(self, steps, options, *more, exact=True):
        """Processor seconds of the run alone, and its report, which is checked."""
        if options not in self.compilations:
            self.compilations[options] = min(self.time(2, options)[0] for _ in range(self.tries))
        seconds, report = self.time(steps, options, *more)
        what = f"{self.network.describe()}, {steps} steps, {options or 'all states'}"
        if self.digests.setdefault(steps, report["results_sha256"]) != report["results_sha256"]:
            sys.exit(f"{what}: the results differ")
        for key in ("peak_bytes", "moved_bytes"):
            if exact and report[key] != report["predicted_" + key]:
                sys.exit(f"{what}: {key} {report[key]}, predicted {report['predicted_' + key]}")
        return max(seconds - self.compilations[options], 1e-3), report

    def most_slots(self, steps, room, options):
        """The most slots with which the whole compute tier fits in `room` bytes."""
        low, high = 1, steps
        while high - low > 1:
            middle = (low + high) // 2
            fits = self.predicted_peak(steps, options(middle)) <= room
            low, high = (middle, high) if fits else (low, middle)
        if self.predicted_peak(steps, options(low)) > room:
            sys.exit(f"{self.network.describe()} does not fit in {room} bytes")
        return low


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def periodic(slots):
    # All states between two of the slower tier have a slot.
    return f"schedule=periodic period={slots + 1} slots={slots}"


def two_tier(slots):
    # The optimum where a transfer costs a tenth of a forward step.
    return f"schedule=two-tier slots={slots} forward-cost=10 store-cost=1 load-cost=1"


def state_moves(report):
    return sum(bytes for way, bytes in report["moved_bytes"].items() if "data" not in way)


def table(title, columns):
    print(f"\n{title}\n")
    print("| " + " | ".join(columns) + " |")
    print("|---" * len(columns) + "|", flush=True)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def step_seconds(runs, states):
    """Of a forward and of a backward step, from runs that differ in the first."""
    few = "slots=3"
    base, long = (seconds for seconds, _ in measure_in_turn(runs, states, ["", few]))
    again = runs.forward_steps(states, few) - states
    forward = (long - base) / again
    return forward, base / states - forward


def measure_in_turn(runs, steps, schedules):
    """The least seconds of some runs of each, and a report; one after the other, for
    the machine may be slower for a while."""
    tries = [[runs.measure(steps, options) for options in schedules] for _ in range(runs.tries)]
    return [min(each, key=lambda one: one[0]) for each in zip(*tries)]


def report_runs(runs, steps, room, schedules, forward, backward):
    """A row for each schedule; the first one keeps all states."""
    schedules = ["", *schedules]
    answers = measure_in_turn(runs, steps, schedules)
    base = answers[0][0]
    for options, (seconds, report) in zip(schedules, answers):
        peak = report["peak_bytes"]
        if options and room and peak["hbm"] > room:
            sys.exit(f"{options}: {peak['hbm']} bytes are more than {room}")
        moved = state_moves(report)
        # A save and a restore wait until they are over: what they take adds up.
        each = [(seconds + moved / runs.network.state_bytes() * cost * forward) / base - 1 for cost in TRANSFERS]
        times = runs.forward_steps(steps, options) / steps
        row(steps, options or "all states", peak["hbm"], peak.get("host", 0), moved, f"{times:.2f}",
            f"{100 * (times - 1) * forward / (forward + backward):.0f}%", f"{seconds:.1f}",
            *(f"{100 * over:.0f}%" for over in each))


COLUMNS = ["steps", "kept", "hbm peak", "host peak", "moved states, bytes", "forward steps per step", "so overhead", "seconds",
           *(f"transfer {cost}" for cost in TRANSFERS)]


def longer(networks, states, lengths):
    for network in networks:
        with tempfile.TemporaryDirectory() as folder:
            runs = Runs(network, folder)
            forward, backward = step_seconds(runs, 10 * states)
            room = runs.measure(states, "")[1]["peak_bytes"]["hbm"]
            table(f"Longer sequences: {network.describe()}, in the {room} bytes that all states of {states} steps take. "
                  f"A forward step takes {1000 * forward:.2f} ms, a backward one {1000 * backward:.2f}. Overhead with "
                  f"transfers of a dense state at {', '.join(map(str, TRANSFERS))} forward steps", COLUMNS)
            for length in lengths:
                steps = states * length
                slots = runs.most_slots(steps, room, periodic)
                fast = runs.most_slots(steps, room, lambda n: f"slots={n}")
                both = runs.most_slots(steps, room, two_tier)
                schedules = [periodic(slots)]
                if network.compression():
                    schedules.append(periodic(slots) + network.compression())
                schedules += [two_tier(both), f"slots={fast}"]
                report_runs(runs, steps, room, schedules, forward, backward)


def larger(networks, factor, states, steps):
    """Networks whose states are `factor` times larger, over as many steps."""
    for network in networks:
        with tempfile.TemporaryDirectory() as folder:
            large = Network(network.name, factor * network.size, network.batch)
            small, runs = Runs(network, folder), Runs(large, folder)
            forward, backward = step_seconds(runs, states)
            table(f"Larger networks, states alone: {large.describe()}, over {states} steps with as many bytes of states "
                  f"as {states} steps of {network.size} units have; weights come on top", COLUMNS)
            report_runs(runs, states, 0, [periodic(states // factor - 1) + large.compression()], forward, backward)
            room = small.measure(steps, "")[1]["peak_bytes"]["hbm"]
            slots = runs.most_slots(steps, room, periodic)
            table(f"Larger networks, the whole: {large.describe()}, over {steps} steps in the {room} bytes that "
                  f"{network.size} units take with all states; weights and their gradients included", COLUMNS)
            report_runs(runs, steps, room, [periodic(slots) + large.compression()], forward, backward)


def densities(network, steps, period):
    """Spikes as bit masks with room for some of them."""
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(network, folder)
        runs.measure(steps, "")
        spikes = -(-steps // period)
        elements = network.batch * network.size
        table(f"Spikes as bit masks: {network.describe()}, {steps} steps, a state every {period}; of the host's peak and "
              "moves the spikes alone", ["room for", "reserved", "peak", "moved", "dense slots", "of the spikes are 1"])
        dense = runs.measure(steps, f"schedule=periodic period={period} slots={period - 1}")[1]
        potentials = dense["peak_bytes"]["host"] // 2
        for density in DENSITIES:
            options = (f"schedule=periodic period={period} slots={period - 1} slow-compress=none,bitmask "
                       f"slow-density-percent={density}")
            _, report = runs.measure(steps, options, exact=False)
            fell = report["compressed"]["fallbacks"]
            moved = report["moved_bytes"]["hbm->host"] - potentials
            ones = (moved - spikes * elements / 8) / 4 / (spikes * elements)
            row(f"{density}%", report["predicted_peak_bytes"]["host"] - potentials,
                report["peak_bytes"]["host"] - potentials, moved, fell, f"{100 * ones:.1f}%" if not fell else "")


def measure(parts, states, lengths, larger_steps, tries):
    Runs.tries = tries
    networks = [Network("GRU", 128, 8), Network("spiking", 256, 8)]
    if "longer" in parts:
        longer(networks, states, lengths)
    if "larger" in parts:
        larger([Network("GRU", 128, 16), Network("spiking", 256, 8)], 4, states, larger_steps)
    if "densities" in parts:
        densities(Network("spiking", 256, 1), 10 * states, states)
