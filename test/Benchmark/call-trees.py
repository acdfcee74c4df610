#!/usr/bin/env python3
"""Split, joint and chosen calls on trees of calls, in one table.

    test/Benchmark/call-trees.py        (build/bin and LLVM's tools on the PATH)

For each tree: the peak of @main in KiB, and how many arithmetic operations more
run than in the program as it came. The last column schedules the blocks of the
tree of joint calls for the least peak.
"""

import json
import os
import subprocess
import sys
import tempfile

TREES = (
    ("balanced, depth 5", "balanced", 5),
    ("balanced, depth 7", "balanced", 7),
    ("20 calls, one in the other, and a leaf of 40 steps", "chain", 20),
    ("30 small leaves", "leaves", 30),
    ("a diamond of shared callees, depth 5", "diamond", 5),
)
PLANS = (
    ("all split", ["--pebble-checkpoint-calls=mode=split"]),
    ("all joint", ["--pebble-checkpoint-calls=mode=joint"]),
    ("within 50%", ["--pebble-checkpoint-calls=budget=50%"]),
    ("within 25%", ["--pebble-checkpoint-calls=budget=25%"]),
    ("least", ["--pebble-checkpoint-calls=budget=min"]),
    ("joint, then scheduled", ["--pebble-checkpoint-calls=mode=joint",
                               "--pebble-schedule=budget=min time-limit-ms=20000"]),
)
WRITER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Integration", "CallTrees", "call-trees.py")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def measure(file):
    report = json.loads(run("pebble-report", file, "--function=main", "--json").stdout)["main"]
    return report["peak_bytes"]["default"], report["cost"]


def main():
    print("| tree | as it came | " + " | ".join(name for name, _ in PLANS) + " |")
    print("|---" * (len(PLANS) + 2) + "|")
    with tempfile.TemporaryDirectory() as folder:
        tree, planned = os.path.join(folder, "tree.mlir"), os.path.join(folder, "planned.mlir")
        for name, kind, depth in TREES:
            with open(tree, "w") as f:
                f.write(run(sys.executable, WRITER, kind, f"--depth={depth}").stdout)
            peak, cost = measure(tree)
            row = [f"{peak / 1024:,.0f}"]
            for _, passes in PLANS:
                if run("pebble-opt", tree, *passes, "-o", planned).returncode:
                    row.append("none")
                    continue
                bytes_, all_ = measure(planned)
                row.append(f"{bytes_ / 1024:,.0f}, {100 * (all_ - cost) / cost:+.0f}%")
            print(f"| {name} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
