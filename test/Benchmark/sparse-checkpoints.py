#!/usr/bin/env python3
"""What a slower tier costs in time by the density of what is stored there.

  sparse-checkpoints.py [--states=100] [--limit-percent=34] [--measure] [--steps=10000]

Plain backpropagation through time keeps the states of T steps (--states) in the
compute tier. With the same T states there, and a slower tier of any size, longer
sequences train, and larger networks, whose states leave room for fewer of them.
A backward step is twice as dear as a forward one; a store and a load of a dense
state each cost what the first column says, in forward steps, and a state of which
`density` is not zero is kept as a bitmask and values: density + 1/32 of that, and
never more. Time overhead is that over plain backpropagation with all states.

`optimal` is the best schedule of two tiers (pebble-solve --chain, rules revolve),
`double` is double checkpointing: a state every T steps in the slower tier, local
ones inside.

With --measure also runs a spiking network of 256 neurons over T and over --steps
steps, with all states kept and with compressed double checkpointing, and says what
was metered. Needs the tools on the path.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from fractions import Fraction

LOOPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Integration", "Loops")
DENSITIES = (1, 2, 5, 10, 25, 50, 100)
TRANSFERS = (0, 1, 5, 10)
LENGTHS = (2, 5, 10, 20, 50, 100)
SIZES = (2, 4, 8, 16, 32)
# Costs are integers: a forward step is this many units.
FORWARD = 3200


def transfer(cost, density):
    """Units that a store or a load takes."""
    size = min(Fraction(1), Fraction(density, 100) + Fraction(1, 32))
    return int(cost * FORWARD * size)


def solve(steps, slots, cost, *options):
    command = ["pebble-solve", "--chain", f"--steps={steps}", f"--fast-slots={slots}", "--rules=revolve",
               f"--forward-cost={FORWARD}", f"--backward-cost={2 * FORWARD}", f"--store-cost={cost}",
               f"--load-cost={cost}", "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    answer = json.loads(done.stdout)
    # All steps once each way; the last one forward is not needed.
    plain = (3 * steps - 1) * FORWARD
    return 100 * (answer["cost"] / plain - 1) if answer["status"] in ("optimal", "feasible") else None


def show(percent):
    return "-" if percent is None else f"{percent:.1f}%"


def table(title, columns, cell):
    print(f"\n{title}\n")
    print("| transfer | density | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 2) + "|")
    for cost in TRANSFERS:
        for density in DENSITIES if cost else (100,):
            cells = [cell(transfer(cost, density), column) for column in columns]
            print(f"| {cost} | {density}% | " + " | ".join(cells) + " |")


def both(steps, slots, cost):
    double = solve(steps, slots, cost, "--solver=periodic", f"--period={slots}")
    return f"{show(solve(steps, slots, cost))} / {show(double)}"


def curves(states, limit):
    table(f"Sequences that are longer, {states} states in the compute tier: overhead, optimal / double",
          [f"{n}x" for n in LENGTHS], lambda cost, column: both(states * int(column[:-1]), states, cost))
    table(f"Networks that are larger, over {states} steps: overhead, optimal / double",
          [f"{n}x" for n in SIZES], lambda cost, column: both(states, states // int(column[:-1]), cost))

    def largest(cost, column):
        """The largest factor for which the optimum keeps to the limit."""
        by_length = column == "length"
        within = lambda n: solve(states * n if by_length else states, states if by_length else states // n, cost) <= limit
        # Beyond a thousand times nobody asks.
        low, high = 1, 1001 if by_length else states + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if within(middle) else (low, middle)
        return (">= " if low == high - 1 and high in (1001, states + 1) else "") + f"{low}x"

    table(f"The largest factor at no more than {limit}% overhead, optimal", ["length", "size"], largest)


def run(loop_runs, program):
    """The report of a run, and the processor seconds that it took."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = spent()
    report = loop_runs.run(program)
    return spent() - before, report


def measure(states, steps):
    sys.path.insert(0, LOOPS)
    import loop_runs
    import spiking

    periodic = f"schedule=periodic period={states} slots={states - 1}"
    print("\nThe spiking network: 256 neurons, 64 inputs, batch 1; processor time, compilation included\n")
    print("| steps | kept | hbm peak | host peak | moved | seconds | overhead |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program.mlir")
        base, digest = {}, {}
        for count, options in ((states, None), (steps, None), (steps, periodic),
                               (steps, periodic + " slow-compress=none,bits"), (steps, f"slots={states}"),
                               (steps, f"slots={states} slow-slots={steps // states} slow-compress=none,bits")):
            with open(program, "w", encoding="utf-8") as out:
                out.write(spiking.write(count))
            if options:
                loop_runs.checkpoint(program, options, program)
            seconds, report = min((run(loop_runs, program) for _ in range(3)), key=lambda each: each[0])
            if digest.setdefault(count, report["results_sha256"]) != report["results_sha256"]:
                sys.exit(f"{options}: the results differ")
            for key in ("peak_bytes", "moved_bytes"):
                if report[key] != report["predicted_" + key]:
                    sys.exit(f"{options}: {key} {report[key]}, predicted {report['predicted_' + key]}")
            peak = report["peak_bytes"]
            over = 100 * (seconds / base.setdefault(count, seconds) - 1)
            print(f"| {count} | {options or 'all'} | {peak['hbm']} | {peak.get('host', 0)} | "
                  f"{sum(report['moved_bytes'].values())} | {seconds:.2f} | {over:.0f}% |", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--limit-percent", type=float, default=34)
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--measure", action="store_true")
    arguments = parser.parse_args()
    curves(arguments.states, arguments.limit_percent)
    if arguments.measure:
        measure(arguments.states, arguments.steps)


main()
