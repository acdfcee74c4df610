#!/usr/bin/env python3
"""The scale benchmark: is Pebble near-linear?

  scale.py [--bin=build/bin] [--sizes=1000,10000,100000] [--slices=1000,10000]
           [--runs=10000,100000]

Times analysis and fast ordering of a synthetic training step, and the way of a
chain of tensor.insert_slice from text to LLVM, and a chain of elementwise
operations from text to results. Parsing and printing are
measured apart (the same file through pebble-opt without passes) and taken off
the ordering's figures, so that what is compared is Pebble's own work. Prints
one row per size and the ratios that matter; judges nothing.
"""

import os
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.realpath(__file__))
options = {"bin": "build/bin", "sizes": "1000,10000,100000",
           "slices": "1000,10000", "runs": "10000,100000"}


def measure(size, *command):
    """CPU seconds, wall seconds and peak bytes of a command: medians over more
    runs the smaller the program is, for short runs vary most."""
    runs = sorted(measure_once(*command)
                  for _ in range(min(max(50000 // size, 3), 15)))
    return runs[len(runs) // 2]


def measure_once(*command):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"scale.py: {' '.join(command)} failed")
    return (usage.ru_utime + usage.ru_stime, time.monotonic() - start,
            usage.ru_maxrss * 1024)


def write(kind, size, folder):
    path = os.path.join(folder, f"{kind}{size}.mlir")
    with open(path, "w", encoding="utf-8") as out:
        subprocess.run([sys.executable, os.path.join(here, "synthetic.py"),
                        kind, str(size)], stdout=out, check=True)
    return path


def main():
    for argument in sys.argv[1:]:
        key, _, value = argument.lstrip("-").partition("=")
        if key not in options or not value:
            sys.exit(__doc__)
        options[key] = value
    opt = os.path.join(options["bin"], "pebble-opt")
    with tempfile.TemporaryDirectory() as folder:
        print("training step: analysis and fast ordering (parse and print apart)")
        print(f"{'ops':>8} {'parse s':>8} {'order s':>8} {'us/op':>8}"
              f" {'parse MB':>9} {'order MB':>9} {'bytes/op':>9}")
        first = None
        for size in map(int, options["sizes"].split(",")):
            path = write("step", size, folder)
            parse = measure(size, opt, path)
            order = measure(
                size, opt, path,
                "--pebble-order-operations=objective=peak time-limit-ms=1000")
            seconds = order[0] - parse[0]
            memory = max(order[2] - parse[2], 0)
            row = (seconds / size * 1e6, memory / size)
            first = first or row
            print(f"{size:8} {parse[0]:8.2f} {seconds:8.2f} {row[0]:8.1f}"
                  f" {parse[2] / 1e6:9.0f} {order[2] / 1e6:9.0f} {row[1]:9.0f}"
                  f"   x{row[0] / first[0]:.2f} time/op, "
                  f"x{row[1] / max(first[1], 1):.2f} memory/op")
        print("\nchain of insert_slice: text to LLVM dialect")
        first = None
        for size in map(int, options["slices"].split(",")):
            path = write("slices", size, folder)
            seconds, _, memory = measure(size, opt, path,
                                         "--pebble-to-llvm")
            first = first or seconds
            print(f"{size:8} {seconds:8.2f} s {memory / 1e6:7.0f} MB"
                  f"   x{seconds / first:.1f} time")
        print("\nchain of differences: pebble-run")
        run = os.path.join(options["bin"], "pebble-run")
        for size in map(int, options["runs"].split(",")):
            path = write("differences", size, folder)
            seconds, _, memory = measure(size, run, path)
            print(f"{size:8} {seconds:8.2f} s {memory / 1e6:7.0f} MB"
                  f"   {memory / size:7.0f} bytes/op")


if __name__ == "__main__":
    main()
