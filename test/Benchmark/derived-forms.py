#!/usr/bin/python3
"""Plans training steps with derived forms and without.

  derived-forms.py [--budgets=50%,30%] [--time-limit-ms=15000] [--run] STEP.mlir...

For each step and budget: the overhead of both plans over every operation once, and
of the forms how many and how many bytes they stand for; or the least budget that is
known to do. `--run` runs both plans and compares peaks and results to the bit.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def call(tool, *arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)


def describe(text):
    found = re.search(r"pebble\.result = \{([^{}]*(?:\{[^{}]*\})?[^{}]*)\}", text)
    numbers = {key: int(value)
               for key, value in re.findall(r"(\w+) = (-?\d+) : i64", found.group(1))}
    extra = 100 * (numbers["cost"] - numbers["once_cost"]) / numbers["once_cost"]
    forms = numbers.get("derived_values", 0)
    note = f", {forms} forms of {numbers['derived_bytes']:,} bytes" if forms else ""
    return f"+{extra:.3f}% at {numbers['peak_bytes']:,} bytes{note}"


def run(tool, planned):
    report = planned + ".json"
    done = call(tool, planned, f"--json={report}")
    if done.returncode:
        sys.exit(f"{planned}: {done.stderr}")
    if "as predicted" not in done.stderr:
        sys.exit(f"{planned}: {done.stderr}")
    with open(report, encoding="utf-8") as file:
        return re.findall(r"[0-9a-f]{64}", file.read())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--budgets", default="50%,30%")
    parser.add_argument("--time-limit-ms", default="15000")
    parser.add_argument("--objective", default="recompute")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--run", action="store_true")
    parser.add_argument("steps", nargs="+")
    args = parser.parse_args()
    optimise, execute = (os.path.join(args.build, "bin", name)
                         for name in ("pebble-opt", "pebble-run"))
    with tempfile.TemporaryDirectory() as folder:
        for step in args.steps:
            for budget in args.budgets.split(","):
                results = []
                for forms in ("false", "true"):
                    planned = os.path.join(folder, f"{forms}.mlir")
                    done = call(optimise, "--quiet", step, "-o", planned,
                                f"--pebble-schedule=budget={budget} derived-forms={forms} "
                                f"objective={args.objective} time-limit-ms={args.time_limit_ms}")
                    what = "with" if forms == "true" else "without"
                    name = os.path.basename(step).replace(".mlir", "")
                    if done.returncode:
                        least = re.findall(r"(?:found is|to do is|budget is) (\d+) bytes", done.stderr)
                        known = f"{int(least[-1]):,} bytes are known to do" if least else done.stderr
                        print(f"{name}, {budget}, {what}: none; {known}", flush=True)
                        continue
                    with open(planned, encoding="utf-8") as file:
                        print(f"{name}, {budget}, {what}: {describe(file.read())}", flush=True)
                    if args.run:
                        results.append(run(execute, planned))
                if len(results) == 2:
                    if results[0] != results[1]:
                        sys.exit(f"{step}: results differ")
                    print("  results are equal to the bit", flush=True)


if __name__ == "__main__":
    main()
