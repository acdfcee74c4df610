#!/usr/bin/env python3
"""The largest batch that trains within a fixed memory, and the least memory.

  largest-batch.py [--solver=BINARY] [--time-limit-ms=N] [--points=N] GRAPH.json...

The graphs are training steps in networkx node-link JSON (`cost_cpu`,
`cost_ram`, `backward`). Every size grows with the batch and costs grow with it
alike, so a schedule that fits budget B at the graph's own batch fits the memory
M at a batch M / B times as large: the ratio of the batches that two schedules
allow is the inverse ratio of their budgets. Checkmate's rule for the largest
batch: recomputation costs no more than one extra forward pass.

Budgets are found by bisection between the largest working set and the peak of
keep-all, to one part in `--points`; each schedule is the solver's, which
replays it. Weights are no part of these graphs, for keep-all and Pebble alike.
"""

import argparse
import json
import os
import re

import pebble_solve


class Graph:
    def __init__(self, path):
        with open(path) as file:
            data = json.load(file)
        self.path = path
        self.name = os.path.basename(path).removesuffix("_train.json")
        nodes = {n["id"]: n for n in data["nodes"]}
        if not all({"backward", "cost_cpu", "cost_ram"} <= n.keys() for n in nodes.values()):
            raise SystemExit(f"{path}: is no training step with costs")
        batch = re.search(r"_(\d+)_\(", data["graph"].get("name", ""))
        self.batch = int(batch.group(1)) if batch else None
        self.once = sum(n["cost_cpu"] for n in nodes.values())
        self.forward = sum(n["cost_cpu"] for n in nodes.values() if not n["backward"])
        work = {i: n["cost_ram"] for i, n in nodes.items()}
        for link in data["links"]:
            work[link["target"]] += nodes[link["source"]]["cost_ram"]
        self.floor = max(work.values())


class Solver:
    def __init__(self, args):
        self.args = args

    def ask(self, graph, *options):
        return pebble_solve.ask(self.args.solver, graph.path, *options)

    def keep_all(self, graph):
        """Peak of the step as it stands."""
        return self.ask(graph, "--solver=sweep", "--order=fixed", "--objective=peak", "--means=none")["peak"]

    def smallest(self, graph, peak, most):
        """The least budget found, and its cost, at a cost of `most` at most."""
        low, high, best = graph.floor, peak, (peak, graph.once)
        while high - low > peak // self.args.points:
            middle = (low + high) // 2
            answer = self.ask(graph, f"--budget={middle}", f"--time-limit-ms={self.args.time_limit_ms}")
            if answer["status"] in ("optimal", "feasible") and answer["cost"] <= most:
                high = answer["peak"]
                best = (answer["peak"], answer["cost"])
            else:
                low = middle
        return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solver", default=pebble_solve.DEFAULT)
    parser.add_argument("--time-limit-ms", type=int, default=5000, help="for each budget")
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("graphs", nargs="+")
    args = parser.parse_args()
    solver = Solver(args)
    print("Largest batch at no more than one extra forward pass, and least memory at 4% overhead; sizes in 10^9 bytes")
    print(f"{'graph':12} {'keep-all':>9} {'floor':>8} {'budget':>8} {'overhead':>9} {'forward':>8} {'batch':>7}"
          f" | {'budget at 4%':>12} {'of keep-all':>11} {'overhead':>9}")
    for path in args.graphs:
        graph = Graph(path)
        peak = solver.keep_all(graph)
        budget, cost = solver.smallest(graph, peak, graph.once + graph.forward)
        lean, lean_cost = solver.smallest(graph, peak, graph.once * 104 // 100)
        def percent(c):
            return f"+{100 * (c - graph.once) / graph.once:.2f}%"
        print(f"{graph.name:12} {peak / 1e9:9.2f} {graph.floor / 1e9:8.2f} {budget / 1e9:8.2f} {percent(cost):>9}"
              f" {percent(graph.once + graph.forward):>8} {peak / budget:6.2f}x"
              f" | {lean / 1e9:12.2f} {100 * lean / peak:10.1f}% {percent(lean_cost):>9}", flush=True)
        if graph.batch:
            print(f"{'':12} 16 * 10^9 bytes: batch {int(16e9 * graph.batch / peak):,} keeping all,"
                  f" {int(16e9 * graph.batch / budget):,} with Pebble", flush=True)


if __name__ == "__main__":
    main()
