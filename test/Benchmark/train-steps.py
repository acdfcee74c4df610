#!/usr/bin/python3
"""Trains for many steps with a slower tier, and compares the weights bit by bit.

Compiles the sparse-parity step as written, and with its large weights and its
hidden layer in a slower tier (sparse-parity/offload.py), ahead of time; runs
them with memory alone, with memory as the slower tier, and with files in
--slow-dir, with transfers beside the program and without. All must end with the
same weights; bytes moved must not depend on what stands behind the tier.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARITY = os.path.join(ROOT, "test", "Integration", "sparse-parity")
STEP = os.path.join(ROOT, "test", "Integration", "sparse-parity.mlir")


def run(command):
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--slow-dir", help="where the files go (default: a new folder)")
    args = parser.parse_args()

    weights, moved = set(), set()
    with tempfile.TemporaryDirectory() as folder:
        slow_dir = args.slow_dir or folder
        offloaded = os.path.join(folder, "offloaded.mlir")
        with open(offloaded, "w") as f:
            f.write(run([os.path.join(PARITY, "offload.py"), STEP])[0])
        programs = {}
        for name, source, options in (
            ("written", STEP, []),
            ("offloaded", offloaded, ["--pebble-target=red-blue"]),
        ):
            programs[name] = os.path.join(folder, name)
            run([os.path.join(PARITY, "build.sh"), args.build, programs[name], source,
                 os.path.join(PARITY, "steps.cpp"), *options])  # fmt: skip
        files = ["--slow-weights", "--slow-dir=" + slow_dir]
        print(f"{args.steps} steps            seconds  transfers  stalls  weights")
        for title, program, options in (
            ("memory alone", "written", []),
            ("slow tier in memory", "offloaded", ["--slow-weights"]),
            ("no overlap", "offloaded", ["--slow-weights", "--no-overlap"]),
            ("slow tier in files", "offloaded", files),
            ("no overlap", "offloaded", files + ["--no-overlap"]),
        ):
            out, err, seconds = run([programs[program], str(args.steps), *options])
            times = re.search(r"transfer_seconds (\S+) stall_seconds (\S+)", err)
            found = re.search(r"weights (\w+)", out)[1]
            weights.add(found)
            if program == "offloaded":
                moved.add(re.search(r"moved.*", out)[0])
            print(f"{title:20} {seconds:10.2f} {float(times[1]):10.2f} {float(times[2]):7.2f}"
                  f"  {found}")  # fmt: skip
        left = os.listdir(slow_dir) if args.slow_dir else []
    print("\n".join(sorted(moved)))
    if len(weights) != 1 or len(moved) != 1:
        sys.exit("error: weights or traffic differ")
    if any(name.startswith("pebble-") for name in left):
        sys.exit("error: files are left")
    print("all equal")


if __name__ == "__main__":
    main()
