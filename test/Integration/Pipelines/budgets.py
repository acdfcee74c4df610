#!/usr/bin/env python3
"""Plans a pipeline within rising budgets, and with more means: never slower.

    budgets.py STEP TARGET KIB ...
"""

import re
import subprocess
import sys


def plan(step, target, kib, means):
    """The makespan of the plan."""
    done = subprocess.run(["pebble-opt", step, f"--target={target}", "--pebble-pipeline-stages=micro-batches=6 "
                           f"objective=time budget={kib}KiB means={means} time-limit-ms=0"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return int(re.search(r"cost = (\d+)", done.stdout).group(1))


def main():
    step, target, budgets = sys.argv[1], sys.argv[2], sys.argv[3:]
    costs = [plan(step, target, kib, "recompute") for kib in budgets]
    print(*costs)
    if costs != sorted(costs, reverse=True):
        sys.exit("more bytes make a plan slower")
    away = plan(step, target, budgets[0], "offload")
    both = plan(step, target, budgets[0], "both")
    print("alone", costs[0], away, "both", both)
    if both > min(costs[0], away):
        sys.exit("more means make a plan slower")
    print(f"{len(budgets)} budgets, no slower")


main()
