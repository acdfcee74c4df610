#!/usr/bin/env python3
"""Plans random trees of calls (call-trees.py), runs them, and compares.

    run-trees.py --first=0 --count=20

Each program is planned as all split, all joint, for several budgets and for the
least. Every plan gives the results of the program as it came, bit for bit, also
after -cse -canonicalize; its peak is as predicted and within its budget; a
larger budget never costs more; and a schedule of the blocks after it holds.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


class Failure(Exception):
    pass


def execute(file):
    out = file + ".json"
    done = run("pebble-run", file, "--opt-level=0", "--json=" + out)
    if done.returncode:
        raise Failure(f"{file}: {done.stderr}")
    with open(out) as f:
        told = json.load(f)
    if told["peak_bytes"] != told["predicted_peak_bytes"]:
        raise Failure(f"{file}: predicted {told['predicted_peak_bytes']}, met {told['peak_bytes']}")
    return told["results_sha256"], sum(told["peak_bytes"].values())


def get_result(file):
    with open(file) as f:
        found = re.search(r"@main\(.*pebble.result = \{([^}]*)\}", f.read())
    return {k: int(v) for k, v in re.findall(r"(\w+) = (\d+) : i64", found.group(1))} if found else {}


def check(kind, arguments, folder):
    """Returns how many plans were run, and how many were refused."""
    file = os.path.join(folder, "tree.mlir")
    with open(file, "w") as f:
        f.write(run(sys.executable, os.path.join(HERE, "call-trees.py"), kind, *arguments).stdout)
    expected, peak = execute(file)
    plans, refused, costs = 0, 0, []
    asked = [("mode=split", None), ("mode=joint", None), ("budget=min", None)]
    asked += [(f"budget={peak * percent // 100}", peak * percent // 100) for percent in (90, 70, 50, 30)]
    least = None
    for option, budget in asked:
        planned = os.path.join(folder, "planned.mlir")
        done = run("pebble-opt", file, f"--pebble-checkpoint-calls={option}", "-o", planned)
        if done.returncode:
            known = re.search(r"the smallest known to do is (\d+) bytes", done.stderr)
            if not known or budget is None or int(known.group(1)) <= budget:
                raise Failure(f"{option}: {done.stderr}")
            refused += 1
            continue
        plans += 1
        said = get_result(planned)
        cleaned = os.path.join(folder, "cleaned.mlir")
        if run("pebble-opt", planned, "-cse", "-canonicalize", "-o", cleaned).returncode:
            raise Failure(f"{option}: not cleaned")
        met = execute(planned)
        for name, (results, _) in (("planned", met), ("cleaned", execute(cleaned))):
            if results != expected:
                raise Failure(f"{option}: {name} gives other results")
        if said and said["peak_bytes"] != met[1]:
            raise Failure(f"{option}: said {said['peak_bytes']} and met {met[1]}")
        if budget is not None and met[1] > budget:
            raise Failure(f"{option}: met {met[1]}")
        if option == "budget=min":
            least = met[1]
        elif budget is not None:
            costs.append((budget, said.get("cost", 0)))
    for (more, cheap), (less, dear) in zip(costs, costs[1:]):
        if cheap > dear and dear:
            raise Failure(f"{more} bytes cost {cheap}, {less} bytes {dear}")
    scheduled = os.path.join(folder, "scheduled.mlir")
    done = run("pebble-opt", file, "--pebble-checkpoint-calls=mode=joint",
               f"--pebble-schedule=budget-bytes={least} time-limit-ms=2000", "-o", scheduled)
    if done.returncode == 0:
        results, met = execute(scheduled)
        if results != expected or met > least:
            raise Failure(f"scheduled for {least}: met {met}")
        plans += 1
    return plans, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    args = parser.parse_args()
    plans = refused = failed = 0
    for seed in range(args.first, args.first + args.count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                some, others = check("random", [f"--seed={seed}", "--size=64"], folder)
                plans, refused = plans + some, refused + others
            except Failure as failure:
                failed += 1
                print(f"seed {seed}: {failure}")
    print(f"{plans} plans of {args.count} programs ran, {refused} budgets were refused, {failed} programs failed")
    sys.exit(failed > 0 or plans < args.count * 3)


if __name__ == "__main__":
    main()
