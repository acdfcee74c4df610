#!/usr/bin/python3
"""Plans training steps with derived forms and without.

  derived-forms.py [--budgets=50%,30%] [--time-limit-ms=15000] [--run] [--target=NAME] STEP.mlir...

For each step and budget: the overhead of both plans over every operation once, and
of the forms how many and how many bytes they stand for; or the least budget that is
known to do. `--run` runs both plans and compares peaks and results to the bit.
With `--target` all else that saves memory is allowed as well: values may move to the
slower tier, where arguments and those results lie that replace one, and operands are
reused. Budgets stay shares of the peak of the order that came in, without all that.
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


def describe(text, priced):
    found = re.search(r"pebble\.result = \{([^{}]*(?:\{[^{}]*\})?[^{}]*)\}", text)
    numbers = {key: int(value)
               for key, value in re.findall(r"(\w+) = (-?\d+) : i64", found.group(1))}
    extra = f"+{100 * (numbers['cost'] - numbers['once_cost']) / numbers['once_cost']:.3f}%"
    if priced:
        extra = f"cost {numbers['cost']:,}, {numbers['moved_bytes']:,} bytes moved,"
    forms = numbers.get("derived_values", 0)
    note = f", {forms} forms of {numbers['derived_bytes']:,} bytes" if forms else ""
    return f"{extra} at {numbers['peak_bytes']:,} bytes{note}"


def run(tool, planned):
    report = planned + ".json"
    done = call(tool, planned, f"--json={report}")
    if done.returncode:
        sys.exit(f"{planned}: {done.stderr}")
    if "as predicted" not in done.stderr:
        sys.exit(f"{planned}: {done.stderr}")
    with open(report, encoding="utf-8") as file:
        return re.findall(r"[0-9a-f]{64}", file.read())


def get_peak(tool, step):
    done = call(tool, "--quiet", step, "--pebble-schedule=budget=100% time-limit-ms=5000")
    if done.returncode:
        sys.exit(f"{step}: {done.stderr}")
    return int(re.search(r"input_peak_bytes = (\d+)", done.stdout).group(1))


def give_away(tool, step, folder):
    """The step whose arguments are the program's own, and lie in the slower tier."""
    done = call(tool, step)
    if done.returncode:
        sys.exit(f"{step}: {done.stderr}")
    begin = done.stdout.index("func.func")
    end = done.stdout.index("\n", begin)
    head, results = done.stdout[begin:end].split(" -> ", 1)
    taken = re.findall(r"(tensor<[^>]*>)", head)
    head = re.sub(r"(%arg\d+: tensor<[^>]*>)(?! *\{)", r'\1 {pebble.donated, pebble.tier = "host"}', head)

    def place(match):
        if match[0] not in taken:
            return match[0]
        taken.remove(match[0])
        return match[0] + ' {pebble.tier = "host"}'

    results = re.sub(r"tensor<[^>]*>", place, results)
    path = os.path.join(folder, "given.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{done.stdout[:begin]}{head} -> {results}{done.stdout[end:]}")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--budgets", default="50%,30%")
    parser.add_argument("--time-limit-ms", default="15000")
    parser.add_argument("--objective", default="recompute")
    parser.add_argument("--target")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--run", action="store_true")
    parser.add_argument("steps", nargs="+")
    args = parser.parse_args()
    optimise, execute = (os.path.join(args.build, "bin", name)
                         for name in ("pebble-opt", "pebble-run"))
    with tempfile.TemporaryDirectory() as folder:
        for step in args.steps:
            program, peak, first = step, get_peak(optimise, step), []
            if args.target:
                program = give_away(optimise, step, folder)
                first = [f"--pebble-attach-target=preset={args.target}", "--pebble-reuse-operands"]
            for budget in args.budgets.split(","):
                results = []
                for forms in ("false", "true"):
                    planned = os.path.join(folder, f"{forms}.mlir")
                    size = int(peak * float(budget.rstrip("%")) / 100)
                    done = call(optimise, "--quiet", program, *first, "-o", planned,
                                f"--pebble-schedule=budget={size} derived-forms={forms} "
                                f"means={'both' if args.target else 'recompute'} "
                                f"objective={args.objective} time-limit-ms={args.time_limit_ms}")
                    what = "with" if forms == "true" else "without"
                    name = os.path.basename(step).replace(".mlir", "")
                    if done.returncode:
                        least = re.findall(r"(?:found is|to do is|budget is) (\d+) bytes", done.stderr)
                        known = f"{int(least[-1]):,} bytes are known to do" if least else done.stderr
                        print(f"{name}, {budget}, {what}: none; {known}", flush=True)
                        continue
                    with open(planned, encoding="utf-8") as file:
                        print(f"{name}, {budget}, {what}: {describe(file.read(), args.target)}", flush=True)
                    if args.run:
                        results.append(run(execute, planned))
                if len(results) == 2:
                    if results[0] != results[1]:
                        sys.exit(f"{step}: results differ")
                    print("  results are equal to the bit", flush=True)


if __name__ == "__main__":
    main()
