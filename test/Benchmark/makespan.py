#!/usr/bin/python3
"""Training steps planned by the clock, against the clock.

  makespan.py FILE.mlir... [--build=build] [--budgets=70,50,30]
              [--means=recompute,offload,both] [--bandwidths=0]
              [--slow-dir=DIR] [--runs=5] [--rounds=6] [--time-limit-ms=10000]
              [--costs=DIR]

For each program: costs are measured (pebble-run --profile), the step is planned
for the time within each budget (percent of the peak that came in) with each
means, and runs with transfers beside the operations and without. The slower tier
of the preset `host` is memory, or files in --slow-dir; a bandwidth (MB/s) other
than 0 holds it to that (--pace). The fastest run counts. A neighbour on the core
slows a program for many seconds, so there are --runs runs in each of up to
--rounds rounds over all plans, until two rounds of a plan agree within 3%. Fails
if results differ from those of the program as it came in, or if peaks or bytes
moved are not the predicted ones. --costs keeps the measured costs of operations.

A line says what was planned (its time over that of every operation once, and the
part of the transfers' time that is hidden), and for both kinds of run the
seconds, what was predicted of them, and stalls against predicted stalls.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Run:
    """A program and how to run it, with the reports of its rounds."""

    def __init__(self, program, *options, overlapped=None):
        self.program, self.options, self.found = program, options, []
        self.overlapped = overlapped

    def is_needed(self):
        """Without overlap only if something moves, as the run with it tells."""
        return not self.overlapped or self.overlapped.found[0]["moved_bytes"]

    def is_settled(self):
        times = sorted(report["seconds"] for report in self.found)
        return len(times) > 1 and times[1] <= 1.03 * times[0]

    def fastest(self):
        return min(self.found, key=lambda report: report["seconds"])


class Bench:
    def __init__(self, args, folder):
        self.args = args
        self.folder = folder
        self.tools = os.path.join(args.build, "bin")
        self.files = ["--slow-dir=" + args.slow_dir] if args.slow_dir else []

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, tool, *options, check=True):
        done = subprocess.run([os.path.join(self.tools, tool), *options],
                              capture_output=True, text=True)
        if check and done.returncode:
            sys.exit(f"error: {tool} {' '.join(options)}\n{done.stderr[:2000]}")
        return done

    def prepare(self, source, bandwidth):
        """The program on a host whose slower tier is as fast as asked."""
        target = self.path("program.mlir")
        self.call("pebble-opt", "--pebble-target=host", source, "-o", target)
        if bandwidth:
            with open(target, encoding="utf-8") as file:
                text = file.read()
            text, count = re.subn(r'<"disk", kind = explicit[^>]*>',
                                  f'<"disk", kind = explicit, bandwidth = {bandwidth}>', text)
            if count != 1:
                sys.exit("error: the preset host has no tier 'disk'")
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
        return target

    def run(self, program, *options):
        self.call("pebble-run", program, *self.files, *options,
                  f"--repeat={self.args.runs}", "--json=" + self.path("run.json"))
        with open(self.path("run.json"), encoding="utf-8") as file:
            found = json.load(file)
        for what in ("peak_bytes", "moved_bytes"):
            if found[what] != found["predicted_" + what]:
                sys.exit(f"error: {what} {found[what]}, predicted {found['predicted_' + what]}")
        return found

    def run_all(self, runs):
        for number in range(self.args.rounds):
            print(f"round {number + 1}", file=sys.stderr)
            for run in runs:
                if run.is_needed() and not run.is_settled():
                    run.found.append(self.run(run.program, *run.options))

    def measure(self, source, program, pace):
        """Operations are measured once per program, tiers each time."""
        name = os.path.splitext(os.path.basename(source))[0] + ".json"
        kept = os.path.join(self.args.costs or self.folder, name)
        known = ["--costs=" + kept] if os.path.exists(kept) else []
        costs = self.path("costs.json")
        self.call("pebble-run", program, *self.files, *pace, *known, "--profile=" + costs)
        if not known:
            with open(costs, "rb") as measured, open(kept, "wb") as file:
                file.write(measured.read())
        return costs

    def plan(self, program, budget, means, costs):
        planned = self.path(f"{budget}-{means}.mlir")
        done = self.call(
            "pebble-opt", program, "-o", planned, "--remarks-filter=pebble-schedule",
            f"--pebble-schedule=budget-percent={budget} means={means} objective=time "
            f"time-limit-ms={self.args.time_limit_ms} costs={costs}", check=False)
        if done.returncode:
            found = re.search(r"smallest feasible budget is (\d+)"
                              r"|budget found is (\d+)|known to do is (\d+)", done.stderr)
            least = next(filter(None, found.groups())) if found else "?"
            return None, f"needs {int(least) / 1e6:.1f} MB" if found else done.stderr[:200]
        with open(planned, encoding="utf-8") as file:
            result = re.search(r"pebble.result = {([^}]*)}", file.read()).group(1)
        plan = {key: int(value) for key, value in re.findall(r"(\w+) = (\d+) : i64", result)}
        clock = re.search(r"ComputingNs=(\d+).*MovingNs=(\d+).*StalledNs=(\d+)", done.stderr)
        plan["moving"] = int(clock.group(2)) if clock else 0
        return planned, plan

    def program(self, source):
        hashes = set()
        for bandwidth in self.args.bandwidths:
            pace = ["--pace"] if bandwidth else []
            program = self.prepare(source, bandwidth)
            costs = self.measure(source, program, pace)
            before = Run(program, "--costs=" + costs)
            lines = []
            for budget in self.args.budgets:
                for means in self.args.means:
                    planned, plan = self.plan(program, budget, means, costs)
                    line = f"  {budget:3}% {means:>9}"
                    line += self.describe(plan) if planned else "  " + plan
                    runs = []
                    if planned:
                        options = ["--costs=" + costs, *pace]
                        runs.append(Run(planned, *options))
                        runs.append(Run(planned, *options, "--no-overlap", overlapped=runs[0]))
                    lines.append((line, runs))
            runs = [before] + [run for _, some in lines for run in some]
            self.run_all(runs)
            hashes |= {found["results_sha256"] for run in runs for found in run.found}
            came = before.fastest()
            print(f"{os.path.basename(source)}: {came['seconds']:.3f} s, predicted "
                  f"{came['predicted_seconds']:.3f} s, slower tier "
                  f"{f'{bandwidth} MB/s' if bandwidth else 'as it is'}")
            for line, some in lines:
                print(line + "".join("  |" + self.compare(run.fastest())
                                     for run in some if run.found), flush=True)
        if len(hashes) != 1:
            sys.exit("error: results differ")

    @staticmethod
    def describe(plan):
        line = (f" {plan['peak_bytes'] / 1e6:8.1f} MB {plan['cost'] / 1e9:8.3f} s"
                f" (bound {plan['bound'] / 1e9:8.3f}), ")
        if not plan["moving"]:
            return line + "nothing moved"
        return line + f"{100 * (1 - plan.get('stall_ns', 0) / plan['moving']):5.1f}% hidden"

    @staticmethod
    def compare(found):
        off = 100 * (found["seconds"] / found["predicted_seconds"] - 1)
        line = f" {found['seconds']:7.3f} {found['predicted_seconds']:7.3f} {off:+6.1f}%"
        if not found["transfer_seconds"]:
            return line
        hidden = 100 * (1 - found["stall_seconds"] / found["transfer_seconds"])
        return (line + f" {found['stall_seconds']:7.3f} {found['predicted_stall_seconds']:7.3f}"
                f" {hidden:5.1f}%")


def main():
    def numbers(text):
        return [int(part) for part in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="FILE.mlir")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--budgets", type=numbers, default=[70, 50, 30])
    parser.add_argument("--means", type=lambda text: text.split(","),
                        default=["recompute", "offload", "both"])
    parser.add_argument("--bandwidths", type=numbers, default=[0])
    parser.add_argument("--slow-dir")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--time-limit-ms", type=int, default=10000)
    parser.add_argument("--costs", metavar="DIR")
    args = parser.parse_args()
    if args.runs < 1 or args.rounds < 1:
        parser.error("--runs and --rounds are at least 1")
    print("  budget means   planned: peak, time, hidden | with overlap: seconds, predicted, "
          "off, stalls, predicted, hidden | without")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args, folder)
        for source in args.programs:
            bench.program(source)


if __name__ == "__main__":
    main()
