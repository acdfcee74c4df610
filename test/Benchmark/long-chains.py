#!/usr/bin/env python3
"""How long is a schedule of a long chain, beside its time limit?

  long-chains.py [--bin=build/bin] [--sizes=10000,50000]
                 [--percents=100,90] [--limit-ms=5000]

Writes two programs of as many operations as each size says: a straight line
(each operation reads the one before), and a forward pass whose values a
backward pass reads in turn. Schedules each within the percents of its peak,
and prints processor and wall seconds of parsing and printing alone and of the
whole, and what found the answer. Judges nothing.
"""

import os
import re
import subprocess
import sys
import tempfile
import time

options = {"bin": "build/bin", "sizes": "10000,50000", "percents": "100,90",
           "limit-ms": "5000"}


def write(kind, size, folder):
    path = os.path.join(folder, f"{kind}{size}.mlir")
    forward = size if kind == "line" else size // 2
    type = "tensor<256xf32>"
    last = "%x"
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"func.func @main(%x: {type}) -> {type} {{\n")
        for i in range(forward):
            out.write(f"  %f{i} = math.tanh {last} : {type}\n")
            last = f"%f{i}"
        for i in reversed(range(size - forward)):
            out.write(f"  %b{i} = arith.mulf {last}, %f{i} : {type}\n")
            last = f"%b{i}"
        out.write(f"  return {last} : {type}\n}}\n")
    return path


def measure(*command):
    start = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    return (usage.ru_utime + usage.ru_stime, time.monotonic() - start,
            status == 0, errors)


def main():
    for argument in sys.argv[1:]:
        key, _, value = argument.lstrip("-").partition("=")
        if key not in options or not value:
            sys.exit(__doc__)
        options[key] = value
    opt = os.path.join(options["bin"], "pebble-opt")
    print(f"{'program':>10} {'ops':>7} {'budget':>7} {'parse s':>8}"
          f" {'all s':>7} {'wall s':>7}  solver, status")
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, options["sizes"].split(",")):
            for kind in ("line", "backward"):
                path = write(kind, size, folder)
                parse = measure(opt, path, "-o", os.devnull)[0]
                for percent in options["percents"].split(","):
                    planned = path + ".out"
                    spent, wall, good, errors = measure(
                        opt, path, f"--pebble-schedule=budget-percent={percent}"
                        f" time-limit-ms={options['limit-ms']}", "-o", planned)
                    answer = errors.splitlines()[0][-60:] if errors else ""
                    if good:
                        with open(planned, encoding="utf-8") as text:
                            result = re.search(
                                r'solver = "([^"]*)", status = "([^"]*)"',
                                text.read())
                        answer = ", ".join(result.groups())
                    print(f"{kind:>10} {size:>7} {percent:>6}% {parse:>8.2f}"
                          f" {spent:>7.2f} {wall:>7.2f}  {answer}", flush=True)


main()
