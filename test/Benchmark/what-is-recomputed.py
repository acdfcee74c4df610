#!/usr/bin/env python3
"""What schedules recompute: counts by kind of operation and by depth.

  what-is-recomputed.py [--solver=BINARY] [--time-limit-ms=N] [--budget-percent=70,50,30] GRAPH.json...

The graphs are training steps in networkx node-link JSON (`name`, `cost_cpu`,
`cost_ram`, `backward`). Counted are the values of the forward pass that the
backward pass reads: a value is recomputed if its node runs again, and kept
otherwise. Kinds come from names; depth is the place among the nodes of the
forward pass, in quarters of them.
"""

import argparse
import collections
import json
import os
import re

import pebble_solve

KINDS = [  # the first that matches; names as Keras gives them
    ("normalisation", r"(^|_)bn(_|$)|batch_normalization"),
    ("activation", r"relu|activation|_out$|softmax"),
    ("pooling", r"pool"),
    ("padding", r"pad"),
    ("convolution", r"conv"),
    ("addition", r"add"),
    ("concatenation", r"concat|merge"),
    ("upsampling", r"up_?sampling"),
]


def kind(name):
    return next((k for k, pattern in KINDS if re.search(pattern, name)), "other")


class Tally:
    """Of values: how many, how many recomputed; the same in bytes."""

    def __init__(self):
        self.values = self.again = self.bytes = self.bytes_again = 0

    def add(self, size, again):
        self.values += 1
        self.bytes += size
        if again:
            self.again += 1
            self.bytes_again += size

    def __str__(self):
        if not self.values:
            return "-"
        return f"{self.again}/{self.values} ({100 * self.bytes_again // self.bytes}%)"


def solve(args, path, percent):
    return pebble_solve.ask(args.solver, path, "--print-schedule", f"--budget-percent={percent}",
                            f"--time-limit-ms={args.time_limit_ms}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solver", default=pebble_solve.DEFAULT)
    parser.add_argument("--time-limit-ms", type=int, default=20000, help="for each budget")
    parser.add_argument("--budget-percent", default="70,50,30", help="of the peak of keep-all")
    parser.add_argument("graphs", nargs="+")
    args = parser.parse_args()
    print("Values of the forward pass that the backward pass reads: recomputed/all (share of their bytes)")
    for path in args.graphs:
        with open(path) as file:
            data = json.load(file)
        nodes = {n["id"]: n for n in data["nodes"]}
        forward = [i for i, n in nodes.items() if not n["backward"]]
        saved = sorted({l["source"] for l in data["links"]
                        if l["source"] in set(forward) and nodes[l["target"]]["backward"]})
        once = sum(n["cost_cpu"] for n in nodes.values())
        for percent in args.budget_percent.split(","):
            answer = solve(args, path, percent)
            name = f"{os.path.basename(path).removesuffix('_train.json')} {percent}%"
            if answer["status"] not in ("optimal", "feasible"):
                print(f"{name}: {answer['status']}")
                continue
            runs = collections.Counter(subject for move, subject, *_ in answer["schedule"] if move == "compute")
            if set(runs) != {str(i) for i in nodes}:
                raise SystemExit(f"{path}: the schedule names other steps than the graph")
            kinds, quarters = collections.defaultdict(Tally), [Tally() for _ in range(4)]
            for i in saved:
                again = runs[str(i)] > 1
                kinds[kind(nodes[i]["name"])].add(nodes[i]["cost_ram"], again)
                quarters[4 * forward.index(i) // len(forward)].add(nodes[i]["cost_ram"], again)
            print(f"{name}: overhead +{100 * (answer['cost'] - once) / once:.2f}%")
            print("  quarters of the forward pass  " + "  ".join(map(str, quarters)))
            for k in sorted(kinds, key=lambda k: -kinds[k].bytes):
                print(f"  {k:28}  {kinds[k]}", flush=True)


if __name__ == "__main__":
    main()
