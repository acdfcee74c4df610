#!/usr/bin/env python3
"""The ordering benchmark: least peak and least energy of published graphs.

  orders.py [--bin=build/bin] [--time-limit-ms=30000] [--seed=0]
            [--target=sutro] [--cache-model=lru] GRAPH.json...

For each graph (networkx node-link JSON or Pebble's own format): the peak and
the energy of the given order and of Pebble's, each with the proven bound and
the gap. Peaks in the file's units, energies in millions of pJ with sizes taken
as floats. Each answer was replayed by pebble-solve before it was printed.
"""

import os
import sys

import pebble_solve

options = {"bin": "build/bin", "time-limit-ms": "30000", "seed": "0",
           "target": "sutro", "cache-model": "lru"}


def solve(path, *arguments):
    return pebble_solve.ask(os.path.join(options["bin"], "pebble-solve"), path,
                            "--means=none", *arguments, answers=(0,))


def row(name, path, what, scale, key, *objective):
    given = solve(path, "--order=fixed", *objective)
    found = solve(path, f"--time-limit-ms={options['time-limit-ms']}",
                  f"--seed={options['seed']}", *objective)
    gap = 100 * (found[key] - found["bound"]) / max(found["bound"], 1)
    print(f"{name:24} {what:6} {given[key] / scale:16.2f}"
          f" {found[key] / scale:16.2f} {found['bound'] / scale:16.2f}"
          f" {gap:7.2f}% {found['status']:9} {found['seconds']:6.1f}",
          flush=True)


def main():
    graphs = pebble_solve.read_arguments(options, __doc__)
    print(f"{'graph':24} {'':6} {'given':>16} {'found':>16} {'bound':>16}"
          f" {'gap':>8} {'status':9} {'s':>6}")
    for path in graphs:
        name = os.path.basename(path).removesuffix(".json")
        row(name, path, "peak", 1, "peak", "--objective=peak")
        row(name, path, "energy", 1e9, "cost", "--objective=energy",
            f"--target={options['target']}",
            f"--cache-model={options['cache-model']}")


if __name__ == "__main__":
    main()
