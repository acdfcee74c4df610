"""Makes mistakes in planned programs, and counts who finds them.

  seed-faults.py --tool=build/test/bin/seed-faults
                 [--seed=1] [--count=6] [--first=0] [--most=2]

Plans random programs (fuzz-programs.py) within their smallest feasible budget, every
second one with transfers to a slower tier, and Inputs/by-hand.mlir as it stands, and has seed-faults make up to `most` mistakes of
each kind in each. Prints, for each kind, how many were made and found, and fails
if one was not, or if a checker objects where there is no mistake.
"""

import argparse
import importlib
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE)
fuzz = importlib.import_module("fuzz-programs")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=2)
    options = parser.parse_args()
    by_kind, judges, missed = {}, {}, []

    def seed(name, before, planned):
        done = fuzz.call(options.tool, before, planned,
                         f"--most={options.most}")
        if " faults, " not in done.stdout:
            sys.exit(f"{name}: {done.stderr}")
        for place, kind, judge in re.findall(
                r"^(program|schedule), ([^:]*): ([^:\n]*)", done.stdout, re.M):
            key = f"{place}, {kind}"
            by_kind[key] = by_kind.get(key, 0) + 1
            judges[judge] = judges.get(judge, 0) + 1
            if judge == "NOT FOUND":
                missed.append(f"{name}: {key}")

    with tempfile.TemporaryDirectory() as folder:
        before, planned = (os.path.join(folder, n)
                           for n in ("before.mlir", "planned.mlir"))
        for index in range(options.first, options.first + options.count):
            source = os.path.join(folder, "source.mlir")
            text, means = fuzz.RandomProgram(f"{options.seed}-{index}").text(), ""
            if index % 2:
                text = fuzz.on_machine(text, ("fast", "slow"))
                means = " means=offload objective=time"
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            budget = fuzz.smallest_budget(source, folder, means)
            fuzz.opt(source, before, "--pebble-materialize-storage")
            fuzz.opt(source, planned, f"--pebble-schedule=budget-bytes={budget}"
                     + (means or " solver=remat-greedy"))
            seed(f"program {options.seed}-{index}", before, planned)
        by_hand = os.path.join(HERE, "Inputs/by-hand.mlir")
        seed("by-hand.mlir", by_hand, by_hand)
    for kind in sorted(by_kind):
        print(f"{kind}: {by_kind[kind]}")
    for name in missed:
        print(f"not found: {name}")
    found = sum(by_kind.values()) - len(missed)
    by = ", ".join(f"{count} by {judge}" for judge, count in
                   sorted(judges.items()) if judge != "NOT FOUND")
    print(f"{sum(by_kind.values())} faults of {len(by_kind)} kinds, {found}"
          f" found: {by}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
