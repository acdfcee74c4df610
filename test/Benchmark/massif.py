#!/usr/bin/python3
"""A second witness for the peak: massif, which knows nothing of Pebble.

Compiles the sparse-parity step ahead of time, as written and in the order of
least energy, runs it under `valgrind --tool=massif`, and compares the peak of
the process's heap with the metered and the predicted one. What tiers hold must
agree to the byte. The rest of the heap is a constant: libstdc++'s emergency
pool for exceptions, and the meter's own tables; it must be the same for both
orders, give or take the table entries of the buffers that are live.
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
TABLE_ENTRIES = 1024


def run(command, **more):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )
    if done.returncode:
        sys.exit(f"error: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def read_peak(path):
    """Heap bytes of massif's peak, and those of them that tiers hold."""
    with open(path) as f:
        snapshots = f.read().split("#-----------\nsnapshot=")[1:]
    (peak,) = [s for s in snapshots if "heap_tree=peak" in s]
    heap = int(re.search(r"mem_heap_B=(\d+)", peak)[1])
    # The allocation sites; their callers are further indented.
    sites = re.findall(r"^ n\d+: (\d+) (?:0x\w+: )?(.*)$", peak, re.M)
    tiers = sum(int(n) for n, site in sites if "takeMemory" in site)
    return heap, tiers, [(int(n), site) for n, site in sites]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--sites", action="store_true",
                        help="list what massif found at the peak")  # fmt: skip
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)

    good, rests = True, []
    print("order    predicted  metered  massif: tiers    heap     rest")
    with tempfile.TemporaryDirectory() as folder:
        for name, options in (
            ("written", []),
            ("optimal", ["--pebble-order-operations=objective=energy"]),
        ):
            binary, out = os.path.join(folder, name), os.path.join(folder, name + ".out")
            run(
                [
                    os.path.join(PARITY, "sparse-parity", "build.sh"), args.build, binary,
                    os.path.join(PARITY, "sparse-parity.mlir"),
                    os.path.join(ROOT, "test", "Benchmark", "step-loop.cpp"),
                    "--pebble-target=sutro",
                ] + options,
                env=dict(os.environ, MARCH="x86-64-v2"),
            )  # fmt: skip
            report = run([os.path.join(args.build, "bin", "pebble-report"), binary + ".mlir", "--json"])
            predicted = json.loads(report)["train_step"]["peak_bytes"]["hbm"]
            metered = int(run(
                ["valgrind", "--tool=massif", "--peak-inaccuracy=0.0", "--threshold=0.0",
                 "--max-snapshots=1000", "--massif-out-file=" + out, binary, "2"]
            ))  # fmt: skip
            heap, tiers, sites = read_peak(out)
            rests.append(heap - tiers)
            good &= predicted == metered == tiers
            print(f"{name:8} {predicted:9} {metered:8} {tiers:14} {heap:8} {heap - tiers:8}")
            if args.sites:
                for size, site in sites:
                    print(f"    {size:8}  {site}")
    good &= abs(rests[0] - rests[1]) <= TABLE_ENTRIES
    print("the witnesses agree" if good else "the witnesses DISAGREE")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
