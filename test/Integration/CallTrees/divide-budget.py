#!/usr/bin/env python3
"""Random small programs with calls, each within one budget, against exhaustive search.

  divide-budget.py [--count=N] [--seed=N] [--keep=DIR]

Functions call functions below them, several of them more than once. What each costs within
each budget is found here by trying everything: all orders, all runs that come again, and for
each run of a call all versions of its callee. pebble-schedule plans the same programs. Fails
unless

- it finds a plan where there is one, and none costs less than the search here;
- the peak is metered as predicted and keeps to the budget, and the results have the same bits;
- nearly all plans are optimal, and many programs have a function in two versions.
"""

import argparse
import heapq
import json
import os
import random
import re
import subprocess
import tempfile

ELEMENTS = 64
UNIT = 4 * ELEMENTS  # bytes of a value
TYPE = f"tensor<{ELEMENTS}xf32>"
COSTS = {"exp": 10, "mul": 1}  # of an element


class Function:
    """Steps in order: what is done, to which values. Value 0 is the argument; step i makes value i + 1."""

    def __init__(self, name, rng, count, callees):
        self.name, self.steps = name, []
        for number in range(count):
            known = list(range(number + 1))
            kind = rng.choice(["exp", "mul", "mul", "call"] if callees else ["exp", "mul"])
            if kind == "mul":
                self.steps.append(("mul", [known[-1], rng.choice(known)], None))
            elif kind == "exp":
                self.steps.append(("exp", [rng.choice(known[-2:])], None))
            else:
                self.steps.append(("call", [rng.choice(known[-2:])], rng.choice(callees)))
        self.drop_unused()

    def drop_unused(self):
        """Each step that is written runs at least once, so that nobody may be without readers."""
        needed = {len(self.steps)}
        for number in range(len(self.steps), 0, -1):
            if number in needed:
                needed.update(self.steps[number - 1][1])
        numbers = {old: new for new, old in enumerate(sorted(needed | {0}))}
        self.steps = [(kind, [numbers[value] for value in of], callee)
                      for number, (kind, of, callee) in enumerate(self.steps, 1) if number in needed]

    def calls(self):
        return [callee for kind, _, callee in self.steps if kind == "call"]

    def text(self):
        name = "public @main" if self.name == "main" else f"private @{self.name}"
        lines = [f"func.func {name}(%v0: {TYPE}) -> {TYPE} {{", f"  %e = tensor.empty() : {TYPE}"]
        for number, (kind, of, callee) in enumerate(self.steps):
            made = f"  %v{number + 1} ="
            names = ", ".join(f"%v{value}" for value in of)
            if kind == "call":
                lines.append(f"{made} call @{callee.name}({names}) : ({TYPE}) -> {TYPE}")
            else:
                types = ", ".join(TYPE for _ in of)
                lines.append(f"{made} linalg.{kind} ins({names} : {types}) outs(%e : {TYPE}) -> {TYPE}")
        return "\n".join([*lines, f"  return %v{len(self.steps)} : {TYPE}", "}"])

    def curve(self):
        """(units that it owns at its peak, cost): no other way to run it is better than all of these."""
        if not hasattr(self, "known"):
            self.known, budget, most = [], 1, self.least(1000)
            while not self.known or self.known[-1][1] > most:
                cost = self.least(budget)
                if cost is not None and (not self.known or cost < self.known[-1][1]):
                    self.known.append((budget, cost))
                budget += 1
        return self.known

    def least(self, budget):
        """The least cost to have the last value, with so many units of its own; None: there is no way."""
        goal = 1 << len(self.steps)
        best, heap = {0: 0}, [(0, 0)]
        while heap:
            cost, held = heapq.heappop(heap)
            if cost > best[held]:
                continue
            if held & goal:
                return cost
            moves = [(held & ~(1 << value), 0) for value in range(1, len(self.steps) + 1) if held >> value & 1]
            for number, (kind, of, callee) in enumerate(self.steps):
                result = 1 << (number + 1)
                if held & result or any(value and not held >> value & 1 for value in of):
                    continue
                ways = callee.curve() if kind == "call" else [(1, COSTS[kind] * ELEMENTS)]
                moves += [(held | result, more) for units, more in ways
                          if bin(held).count("1") + units <= budget]
            for after, more in moves:
                if cost + more < best.get(after, 1 << 60):
                    best[after] = cost + more
                    heapq.heappush(heap, (cost + more, after))
        return None


def make(rng):
    low = [Function(f"low{i}", rng, rng.randrange(4, 7), []) for i in range(rng.randrange(1, 3))]
    high = [Function("high", rng, rng.randrange(2, 5), low)] if rng.random() < 0.4 else []
    main = Function("main", rng, rng.randrange(5, 9), low + high)
    used, open_functions = [], [main]
    while open_functions:
        function = open_functions.pop()
        if function not in used:
            used.append(function)
            open_functions += function.calls()
    return main, used


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def meter(path, folder):
    report = os.path.join(folder, "run.json")
    done = run("pebble-run", path, "--opt-level=0", "--quiet", "--poison", "--json=" + report)
    if done.returncode:
        raise SystemExit(f"{path}: {done.stderr}")
    with open(report, encoding="utf-8") as file:
        return json.load(file)


class Counts:
    plans = optimal = refused = versions = 0
    sum = least = 0


def check_program(main, text, rng, folder, counts):
    path, planned = os.path.join(folder, "program.mlir"), os.path.join(folder, "planned.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    wanted = meter(path, folder)["results_sha256"]
    points = main.curve()
    # The argument belongs to the caller.
    budgets = [units for units, _ in points[:-1]] or [points[0][0]]
    for units in {rng.choice(budgets), rng.choice(budgets), budgets[0], points[0][0] - 1}:
        budget = (units + 1) * UNIT
        costs = [cost for at, cost in points if at <= units]
        done = run("pebble-opt", path, f"--pebble-schedule=budget-bytes={budget}", "-o", planned)
        if not costs:
            if done.returncode == 0:
                raise SystemExit(f"a plan within {budget} bytes, although there is none")
            counts.refused += 1
            continue
        if done.returncode:
            raise SystemExit(f"no plan within {budget} bytes: {done.stderr}")
        with open(planned, encoding="utf-8") as file:
            written = file.read()
        result = re.search(r"@main\(.*?pebble.result = \{(.*?)summary", written).group(1)
        cost = int(re.search(r"\bcost = (\d+)", result).group(1))
        if cost < costs[-1]:
            raise SystemExit(f"cost {cost} within {budget} bytes, although {costs[-1]} is the least")
        report = meter(planned, folder)
        peak = max(report["peak_bytes"].values())
        if report["peak_bytes"] != report["predicted_peak_bytes"] or peak > budget:
            raise SystemExit(f"peak {peak} within {budget} bytes: {report}")
        if report["results_sha256"] != wanted:
            raise SystemExit("other results")
        counts.plans += 1
        counts.optimal += cost == costs[-1]
        counts.sum += cost
        counts.least += costs[-1]
        counts.versions += bool(re.search(r"func private @\w+\.1\(", written))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    counts = Counts()
    number = tried = 0
    while number < arguments.count:
        rng = random.Random(arguments.seed * 100003 + tried)
        tried += 1
        top, functions = make(rng)
        if len(top.calls()) < 2 or len(top.curve()) < 3:
            continue
        number += 1
        text = "\n".join(function.text() for function in functions) + "\n"
        before = counts.optimal, counts.plans
        with tempfile.TemporaryDirectory() as folder:
            try:
                check_program(top, text, rng, folder, counts)
            except SystemExit as why:
                raise SystemExit(f"program {tried - 1} of seed {arguments.seed}: {why}\n{text}") from None
        if arguments.keep and counts.plans - before[1] > counts.optimal - before[0]:
            with open(os.path.join(arguments.keep, f"{tried - 1}.mlir"), "w", encoding="utf-8") as file:
                file.write(text)
    print(f"{counts.plans} plans: {counts.optimal} optimal, all together {counts.sum / counts.least - 1:.2%} above the "
          f"optimum; {counts.versions} with a function in several versions; {counts.refused} refusals")
    if counts.optimal < 0.9 * counts.plans or not counts.versions or counts.refused < arguments.count:
        raise SystemExit("too few plans, or too few of them optimal")


if __name__ == "__main__":
    main()
