#!/usr/bin/env python3
"""The recomputation benchmark: least cost of published graphs within a budget.

  remat.py [--bin=build/bin] [--time-limit-ms=60000] [--seed=0]
           [--solvers=NAME,...] GRAPH.json[:PERCENT,...]...

For each graph (any format that pebble-solve reads) and budget (percent of the
given order's peak; without one 70, 50 and 30): Pebble's own choice of solvers
("portfolio"), each baseline and Checkmate's formulation, all under the same
limit. Overhead is what is paid beyond running every step once. Gaps: of the
whole cost over the bound, and of the recomputed part alone. Every schedule is
written out and judged again by `pebble-solve --verify`.
"""

import json
import os
import re
import sys
import tempfile

import pebble_solve

options = {"bin": "build/bin", "time-limit-ms": "60000", "seed": "0",
           "solvers": "portfolio,keep-all,least-peak-first,sqrt-n,chen-greedy,"
                      "xla-greedy,checkmate"}


def tool(*arguments):
    return pebble_solve.run(os.path.join(options["bin"], "pebble-solve"),
                            *arguments)


def known_solvers():
    text = tool("--help").stdout
    return re.findall(r"^  ([a-z0-9-]+) {2,}\S", text.split("Solvers for")[-1],
                      re.MULTILINE)


def verified(path, percent, moves):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"moves": moves}, file)
        file.flush()
        return tool(path, f"--budget-percent={percent}",
                    f"--verify={file.name}").returncode == 0


def row(path, percent, solver, once):
    """One line, and whether everything about it is in order."""
    named = [] if solver == "portfolio" else [f"--solver={solver}"]
    done = tool(path, f"--budget-percent={percent}", "--json",
                "--print-schedule", f"--seed={options['seed']}",
                f"--time-limit-ms={options['time-limit-ms']}", *named)
    if done.returncode == 1:
        print(f"  {solver:17} {done.stderr.strip()}", flush=True)
        return not done.stderr.startswith("pebble-solve: internal error")
    answer = json.loads(done.stdout)
    if answer["cost"] is None:
        reached = answer.get("reached_peak")
        why = f", reached a peak of {reached:,}" if reached else ""
        print(f"  {solver:17} {answer['status']} in {answer['seconds']:.2f} s"
              f"{why}", flush=True)
        return True
    cost, bound = answer["cost"], answer["bound"]
    good = verified(path, percent, answer["schedule"])
    print(f"  {solver:17} {cost:>12,} {100 * (cost - once) / once:+9.3f}%"
          f" {answer['seconds']:8.2f} {100 * (cost - bound) / max(1, bound):8.3f}%"
          f" {100 * answer['recompute_gap']:8.1f}% {answer['status']:9}"
          f" {'yes' if good else 'NO'}", flush=True)
    return good


def main():
    graphs = pebble_solve.read_arguments(options, __doc__)
    known = known_solvers() + ["portfolio"]
    solvers = []
    for solver in options["solvers"].split(","):
        if solver in known:
            solvers.append(solver)
        else:
            print(f"remat.py: no solver '{solver}' in this build, left out")
    good = True
    for argument in graphs:
        path, _, percents = argument.partition(":")
        name = os.path.basename(path).removesuffix(".json")
        once = pebble_solve.ask(os.path.join(options["bin"], "pebble-solve"),
                                path, "--budget-percent=100", "--order=fixed",
                                answers=(0,))["cost"]
        for percent in (percents or "70,50,30").split(","):
            print(f"{name} at {percent}%, every step once costs {once:,}")
            print(f"  {'solver':17} {'cost':>12} {'overhead':>10} {'s':>8}"
                  f" {'gap':>9} {'of extra':>9} {'status':9} verified")
            for solver in solvers:
                good = row(path, percent, solver, once) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
