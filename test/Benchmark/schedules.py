#!/usr/bin/env python3
"""Schedules of real programs within budgets, planned, run and compared.

  schedules.py [--bin=build/bin] [--percent=70,50,30] [--objective=recompute] [--target=NAME] [--time-limit-ms=N]
               [--pure=NAME]... [--runs=N] [--plan-only] [--reuse-operands] FILE.mlir...

For each program and budget (in percent of the peak of the incoming order; where
that does not fit, the smallest budget that Pebble says does): the planned cost
against running everything once, the proven bound, the peak, and the time that
planning took. A program that pebble-run can run is then run as it came and as
planned, `--runs` times each in turn: results must be equal bit for bit and the
metered peak must be the predicted one and within the budget, or the benchmark
fails; the measured overhead (of the medians) stands beside the predicted one.
With --reuse-operands the pass pebble-reuse-operands runs first; budgets are still
parts of the peak of the order that came in.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Failed(Exception):
    """A tool refused; the message is its first line."""


class Tools:
    def __init__(self, args, scratch):
        self.args, self.scratch = args, scratch
        self.common = [f"--pebble-pure={p}" for p in args.pure]

    def call(self, tool, *arguments):
        done = subprocess.run([os.path.join(self.args.bin, tool), *arguments, *self.common],
                              capture_output=True, text=True)
        if done.returncode:
            error = next((line for line in done.stderr.splitlines() if "error:" in line), done.stderr)
            raise Failed(error.split("error:", 1)[-1].strip())
        return done

    def schedule(self, path, budget, means="recompute"):
        """Plans into a file; (its path, pebble.result, seconds)."""
        out = os.path.join(self.scratch, f"planned-{means}.mlir")
        options = f"{budget} objective={self.args.objective} means={means}"
        if self.args.time_limit_ms:
            options += f" time-limit-ms={self.args.time_limit_ms}"
        first = [f"--pebble-target={self.args.target}"] if self.args.target else []
        if self.args.reuse_operands and means != "none":
            first.append("--pebble-reuse-operands")
        began = time.monotonic()
        self.call("pebble-opt", path, "--allow-unregistered-dialect", *first,
                  f"--pebble-schedule={options}", "-o", out)
        seconds = time.monotonic() - began
        with open(out) as file:
            text = re.search(r"pebble\.result = \{(.*?)\}", file.read()).group(1)
        result = {k: int(v) for k, v in re.findall(r"(\w+) = (-?\d+)", text)}
        result |= dict(re.findall(r'(\w+) = "([\w-]+)"', text))
        return out, result, seconds

    def run(self, path):
        report = os.path.join(self.scratch, "run.json")
        self.call("pebble-run", path, "--seed=7", f"--json={report}")
        with open(report) as file:
            return json.load(file)


def smallest_budget(message):
    """The smallest feasible budget that an error names, in bytes."""
    found = re.search(r"smallest[^0-9]*([\d,]+)", message)
    return int(found.group(1).replace(",", "")) if found else None


def schedule_within(tools, path, budget):
    """The plan within `budget`, or the smallest budget that an error names;
    each function may name one of its own."""
    while True:
        try:
            return budget, tools.schedule(path, f"budget-bytes={budget}")
        except Failed as error:
            smallest = smallest_budget(str(error))
            if smallest is None or smallest <= budget:
                raise
            budget = smallest


def compare(tools, before, after, budget):
    """Runs both in turn; the measured overhead in percent."""
    times = {before: [], after: []}
    first = {}
    for _ in range(tools.args.runs):
        for path in (before, after):
            report = tools.run(path)
            times[path].append(report["seconds"])
            first.setdefault(path, report)
    if first[before]["results_sha256"] != first[after]["results_sha256"]:
        sys.exit(f"{before}: results differ")
    report = first[after]
    if report["peak_bytes"] != report["predicted_peak_bytes"]:
        sys.exit(f"{before}: metered {report['peak_bytes']}, predicted {report['predicted_peak_bytes']}")
    metered = max(report["peak_bytes"].values())
    if metered > budget:
        sys.exit(f"{before}: metered {metered}, more than the budget {budget}")
    base = statistics.median(times[before])
    return 100 * (statistics.median(times[after]) - base) / base, base


def study(tools, path):
    name = os.path.basename(path).removesuffix(".mlir")
    try:
        _, base, _ = tools.schedule(path, "budget-percent=100", "none")
    except Failed as error:
        print(f"{name}: {error}", flush=True)
        return
    try:
        if tools.args.plan_only:
            raise Failed("not asked for")
        tools.run(path)
        runs = "", True
    except Failed as error:
        runs = str(error), False
    for percent in tools.args.percent:
        budget = base["input_peak_bytes"] * percent // 100
        try:
            budget, (planned, result, seconds) = schedule_within(tools, path, budget)
        except Failed as error:
            print(f"{name:44} {percent:>11}% {error}", flush=True)
            continue
        at = f"{percent}%"
        if budget != base["input_peak_bytes"] * percent // 100:
            at += f": {100 * budget / base['input_peak_bytes']:.1f}%"
        extra = 100 * (result["cost"] - base["cost"]) / base["cost"]
        least = 100 * (result["bound"] - base["cost"]) / base["cost"]
        line = (f"{name:44} {at:>12} {budget / 1e6:9.2f} {result['peak_bytes'] / 1e6:9.2f}"
                f" {extra:+8.2f}% {least:+8.2f}% {result['status']:9} {seconds:7.1f}")
        if runs[1]:
            measured, once = compare(tools, path, planned, budget)
            line += f" {measured:+8.1f}% {once:8.2f}"
        print(line, flush=True)
    if not runs[1] and not tools.args.plan_only:
        print(f"{name:44} does not run: {runs[0]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/bin"))
    parser.add_argument("--percent", type=lambda text: [int(n) for n in text.split(",")], default=[70, 50, 30])
    parser.add_argument("--objective", default="recompute", choices=["time", "recompute", "energy"])
    parser.add_argument("--target")
    parser.add_argument("--time-limit-ms", type=int, default=0)
    parser.add_argument("--pure", action="append", default=[])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--plan-only", action="store_true")
    parser.add_argument("--reuse-operands", action="store_true")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    print(f"{'program':44} {'budget':>12} {'MB':>9} {'peak MB':>9} {'overhead':>9} {'bound':>9} {'status':9}"
          f" {'plan s':>7} {'measured':>9} {'once s':>8}")
    with tempfile.TemporaryDirectory() as scratch:
        for path in args.files:
            study(Tools(args, scratch), path)


if __name__ == "__main__":
    main()
