#!/usr/bin/python3
"""Holds Pebble's account of cache tiers against cachegrind, on sparse parity.

For the order as written, the order of least energy and the legal order of most
energy: compiles the step ahead of time, calls it in a loop under
`valgrind --tool=cachegrind` with the caches of the preset cachegrind-64k-256k,
and prints misses and energy beside what `pebble-report --calls` predicts. The
exit status is 0 if every number of misses is within 15% of its prediction (or
within 16 lines, where next to none are predicted) and the orders rank alike by
energy. Where the rest comes from: docs/SparseParity.md.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARITY = os.path.join(ROOT, "test", "Integration")
PRESET = "cachegrind-64k-256k"
NOISE = 0.01  # what the place of one storage in the address space changes
LINE = 64
# Femtojoules per byte of the preset's tiers.
PRICES = {"d1": 5000, "ll": 25000, "memory": 160000}
CALLS = 8
TOLERANCE = 0.15
FEW_LINES = 16
# What the compiler made of the step; the rest of a call is the meter and malloc.
STEP = re.compile(r"train_step|_mlir_ciface_|pebble_kernel|__mem(cpy|set|move)")


def run(command, **more):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )
    if done.returncode:
        sys.exit(f"error: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


class Order:
    """One order of the step: built, predicted, measured."""

    def __init__(self, name, args, folder, options, order=None):
        self.name = name
        program = os.path.join(PARITY, args.program)
        if order:
            dictate = os.path.join(PARITY, "sparse-parity", "dictate.py")
            text = run([dictate, program, "--order=" + ",".join(order)])
            program = os.path.join(folder, name + ".dictated.mlir")
            with open(program, "w") as f:
                f.write(text)
        self.binary = os.path.join(folder, name)
        # valgrind 3.19 knows no AVX-512.
        run(
            [
                os.path.join(PARITY, "sparse-parity", "build.sh"), args.build,
                self.binary, program,
                os.path.join(ROOT, "test", "Benchmark", "step-loop.cpp"),
                "--pebble-target=" + PRESET,
            ] + options,
            env=dict(os.environ, MARCH="x86-64-v2"),
        )  # fmt: skip
        self.predict(args)
        self.measure()

    def predict(self, args):
        report = os.path.join(args.build, "bin", "pebble-report")
        options = [f"--target={PRESET}", f"--calls={CALLS}", "--json"]
        text = run([report, self.binary + ".mlir"] + options)
        loop = json.loads(text)["train_step"]["loop"]
        first, total = (
            {tier: n / LINE for tier, n in loop[key]["served_bytes"].items()}
            for key in ("first_call", "all_calls")
        )
        later = {tier: (total[tier] - first[tier]) / (CALLS - 1) for tier in total}
        self.lines = sum(first.values())
        self.predicted = {
            call: (served["ll"] + served["memory"], served["memory"])
            for call, served in (("first", first), ("later", later))
        }

    def count(self, calls):
        """Data misses of D1 and of LL in `calls` calls: the step's, and all."""
        out = f"{self.binary}.{calls}.cachegrind"
        run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=yes", f"--D1=65536,8,{LINE}",
             f"--LL=262144,16,{LINE}", "--cachegrind-out-file=" + out, self.binary, str(calls)],
            env=dict(os.environ, LD_BIND_NOW="1"),  # resolves symbols before the first call
        )  # fmt: skip
        everything, own = [0, 0], [0, 0]
        function = events = None
        with open(out) as f:
            for line in f:
                if line.startswith("events:"):
                    events = line.split()[1:]
                elif line.startswith("fn="):
                    function = line[3:].strip()
                elif line[0].isdigit():
                    fields = dict(zip(events, map(int, line.split()[1:])))
                    for i, names in enumerate((("D1mr", "D1mw"), ("DLmr", "DLmw"))):
                        misses = sum(fields.get(name, 0) for name in names)
                        everything[i] += misses
                        own[i] += misses if STEP.match(function) else 0
        return own + everything

    def measure(self):
        none, one, half, full = (self.count(n) for n in (0, 1, CALLS // 2, CALLS))
        first = [b - a for a, b in zip(none, one)]
        later = [(b - a) / (CALLS - CALLS // 2) for a, b in zip(half, full)]
        self.measured = {"first": first, "later": later}

    def energy(self, misses):
        """Picojoules, from misses of D1 and LL."""
        d1, ll = misses
        served = {"d1": self.lines - d1, "ll": d1 - ll, "memory": ll}
        return sum(PRICES[tier] * LINE * n for tier, n in served.items()) / 1000


def is_near(measured, predicted):
    return abs(measured - predicted) <= max(TOLERANCE * predicted, FEW_LINES)


def difference(measured, predicted):
    if predicted < FEW_LINES:
        return f"{measured - predicted:+.0f}"
    return f"{100 * (measured / predicted - 1):+.1f}%"


def rank_apart(ranked, energy):
    """`ranked` by energy; those that are within NOISE of each other stay as they are."""
    ranked = list(ranked)
    for end in range(len(ranked), 1, -1):
        for i in range(end - 1):
            if energy(ranked[i]) > energy(ranked[i + 1]) * (1 + NOISE):
                ranked[i], ranked[i + 1] = ranked[i + 1], ranked[i]
    return ranked


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--memrefs", action="store_true",
                        help="the form on memrefs; otherwise on tensors")  # fmt: skip
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    args.program = "sparse-parity-memref.mlir" if args.memrefs else "sparse-parity.mlir"

    energies = os.path.join(args.build, "test", "bin", "order-energies")
    printed = run([energies, os.path.join(PARITY, args.program),
                   "--target=" + PRESET, "--print-orders"])  # fmt: skip
    worst = re.search(r"most: .*\n +(.*)\n", printed)[1].split()

    with tempfile.TemporaryDirectory() as folder:
        reorder = ["--pebble-order-operations=objective=energy"]
        orders = [
            Order("written", args, folder, []),
            Order("optimal", args, folder, reorder),
            Order("worst", args, folder, reorder, worst),
        ]

    print(f"{args.program}: data misses of a call, in lines of {LINE} bytes; energy in pJ")
    print("                    D1                              LL                       energy")
    print("order    call       predicted measured            predicted measured        "
          "predicted    measured   whole call: D1    LL")  # fmt: skip
    good = True
    ranks = []
    for call in ("first", "later"):
        for order in orders:
            predicted, measured = order.predicted[call], order.measured[call][:2]
            everything = order.measured[call][2:]
            cells = ""
            for p, m in zip(predicted, measured):
                near = is_near(m, p)
                good &= near
                cells += f"{p:10.0f} {m:8.0f} {difference(m, p):>7}{' ' if near else '!'}  "
            both = order.energy(predicted), order.energy(measured)
            print(f"{order.name:8} {call:8} {cells} {both[0]:12,.0f} {both[1]:11,.0f}"
                  f"   {everything[0]:14.0f} {everything[1]:5.0f}")  # fmt: skip
        # Where all orders are predicted the same misses of LL, D1 tells them
        # apart; how many storages malloc gives a fresh address is its own choice.
        same = len({o.predicted[call][1] for o in orders}) == 1

        def energy(order, which):
            misses = getattr(order, which)[call]
            last = order.predicted[call][1] if same else misses[1]
            return order.energy((misses[0], last))

        ranked = sorted(orders, key=lambda o: energy(o, "predicted"))
        ranks.append([order.name for order in ranked])
        ranked = rank_apart(ranked, lambda o: energy(o, "measured"))
        ranks.append([order.name for order in ranked])
    good &= all(rank == ranks[0] for rank in ranks)
    print("by energy, least first: " + "; ".join(
        f"{call} call {which}: {' < '.join(rank)}"
        for (call, which), rank in zip(
            [(c, w) for c in ("first", "later") for w in ("predicted", "measured")], ranks
        )))  # fmt: skip
    print("as predicted" if good else "NOT as predicted")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
