#!/usr/bin/env python3
"""What each attempt of the planner is good for.

  attempts.py [--bin=build/bin] [--time-limit-ms=10000] [--seed=0]
              [--means=recompute] [--rate=1] GRAPH.json:BUDGET[%],...

Each problem is solved with all attempts, and once more without each of them,
under one limit. A row says how much dearer the answer and how much lower the
bound is without the attempt, in percent of what all of them find. An attempt
whose column is empty for all problems is none that this set needs. `lost` is an
answer that is not found at all.
"""

import os

import pebble_solve

USAGE = __doc__.split("\n\n")[1]
options = {"bin": "build/bin", "time-limit-ms": "10000", "seed": "0", "means": "recompute", "rate": "1"}


def names(solver):
    """Attempts, from the message about one that there is not."""
    said = pebble_solve.run(solver, "none.json", "--without=?").stderr
    return said.split("separated by commas:")[1].split()


def solve(solver, path, budget, *more):
    budget = f"--budget-percent={budget[:-1]}" if budget.endswith("%") else f"--budget={budget}"
    move = [] if options["means"] == "recompute" else [f"--offload-rate={options['rate']}"]
    return pebble_solve.ask(solver, path, budget, f"--time-limit-ms={options['time-limit-ms']}",
                            f"--seed={options['seed']}", f"--means={options['means']}", *move, *more)


def compare(whole, part):
    """What the answer loses: empty, or percent of cost and of bound."""
    words = []
    if whole["cost"] is not None and part["cost"] is None:
        words.append("lost")
    elif whole["cost"] and part["cost"] != whole["cost"]:
        words.append(f"{100 * (part['cost'] / whole['cost'] - 1):+.3f}%")
    if part["bound"] < whole["bound"]:
        words.append(f"bound {100 * (part['bound'] / whole['bound'] - 1):+.3f}%")
    return " ".join(words)


def main():
    problems = [problem.rpartition(":") for problem in pebble_solve.read_arguments(options, USAGE)]
    solver = os.path.join(options["bin"], "pebble-solve")
    for path, _, budgets in problems:
        for budget in budgets.split(","):
            whole = solve(solver, path, budget)
            name = f"{os.path.basename(path)} {budget}"
            print(f"{name}: cost {whole['cost']}, bound {whole['bound']}, by {whole['solver']}", flush=True)
            for attempt in names(solver):
                said = compare(whole, solve(solver, path, budget, f"--without={attempt}"))
                if said:
                    print(f"  without {attempt:16} {said}", flush=True)


main()
