"""Random programs and files within budgets, with each of the means alone and both.

  mixes.py [--seed=1] [--first=0] [--count=8]
  mixes.py FILE.mlir --budget-percent=P --time-limit-ms=N [--target=PRESET]

Fails where recomputation or transfers alone find a schedule and both together find
none, or a dearer one. Random programs are searched by effort, so that the answers
are the same everywhere. A file may be searched with a time limit, which each of the
three searches has for itself; both together give each of the means a part of it, so
with few milliseconds or on a busy host they may be dearer.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from random_program import RandomProgram  # noqa: E402

# What is moved is paid for by the byte, so that prices decide which of the means
# a program needs.
MACHINE = (
    'attributes {{pebble.hierarchy = #pebble.hierarchy<['
    '<"fast", kind = explicit, read = 20, write = 30, bandwidth = 9000, latency = 5>, '
    '<"slow", kind = explicit, read = {read}, write = 90, bandwidth = {bandwidth}, latency = 50>]>}}'
)
PRICES = ((60, 4000), (400, 500))
MEANS = ("recompute", "offload", "both")


def cost(path, *options, target=None):
    """The cost of what is planned; None if the budget cannot be kept."""
    command = ["pebble-opt", path, *([f"--pebble-target={target}"] if target else []),
               "--pebble-schedule=" + " ".join(options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"pebble.result = \{.*?\bcost = (\d+)", done.stdout)
    if found:
        return int(found.group(1))
    if done.returncode == 1 and "smallest" in done.stderr:
        return None
    sys.exit(f"{' '.join(command)}: {done.stderr[:600]}")


def compare(name, path, options, target=None):
    """True unless both means are dearer than one."""
    costs = [cost(path, f"means={means}", *options, target=target) for means in MEANS]
    alone = [c for c in costs[:2] if c is not None]
    if alone and (costs[2] is None or costs[2] > min(alone)):
        print(f"{name} {' '.join(options)}: {dict(zip(MEANS, costs))}", flush=True)
        return False
    if costs[2] is not None:
        compare.gains += not alone or costs[2] < min(alone)
        compare.same += bool(alone) and costs[2] == min(alone)
    return True


compare.gains = compare.same = 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--budget-percent", type=int, default=75)
    parser.add_argument("--time-limit-ms", type=int, default=0)
    parser.add_argument("--target")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    failed = 0
    limits = [f"budget-percent={args.budget_percent}"]
    if args.time_limit_ms:
        limits.append(f"time-limit-ms={args.time_limit_ms}")
    for path in args.files:
        failed += not compare(os.path.basename(path), path, [*limits, "objective=energy"], args.target)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.first, args.first + (0 if args.files else args.count)):
            text = RandomProgram(f"{args.seed}-{number}").text()
            objective = "energy" if number % 2 else "time"
            read, bandwidth = PRICES[number // 2 % 2]
            machine = MACHINE.format(read=read, bandwidth=bandwidth)
            path = os.path.join(folder, f"{number}.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace("module {", f"module {machine} {{", 1))
            failed += not compare(f"program {number}", path, [*limits, f"objective={objective}"])
    print(f"{failed} dearer, {compare.same} the same, {compare.gains} cheaper than either alone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
