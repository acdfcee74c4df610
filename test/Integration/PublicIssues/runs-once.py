#!/usr/bin/env python3
"""Plans the programs of others for the least memory, and looks for what must run once.

  runs-once.py FILE...

What communicates, draws random numbers, opens or closes something (a request, an allocation, a
token), launches, or calls what is not known, must stand in the planned program as often as
before and, within its function, in the same order. Fails unless that is so in all files.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

# By name; a name that ends in a dot stands for a whole dialect.
ONCE = ("mpi.", "gpu.alloc", "gpu.dealloc", "gpu.launch", "gpu.launch_func", "gpu.wait", "gpu.memcpy",
        "stablehlo.all_reduce", "stablehlo.all_gather", "stablehlo.reduce_scatter", "stablehlo.collective_permute",
        "stablehlo.all_to_all", "stablehlo.rng", "stablehlo.send", "stablehlo.recv", "stablehlo.custom_call",
        "memref.atomic_rmw", "hal.", "stream.", "ttnn.update_cache")


def isOnce(name):
    return name in ONCE or any(name.startswith(one) for one in ONCE if one.endswith("."))


def read(text):
    """By function: what of it must run once, in order. `text` is in generic form."""
    external = set(re.findall(r'"func\.func"\(\) <\{[^\n]*sym_name = "([^"]+)"[^\n]*\}> \(\{\s*\}\)', text))
    functions, name = collections.defaultdict(list), None
    for line in text.splitlines():
        found = re.search(r'"(\w+\.[\w.]+)"\(', line)
        if not found:
            continue
        op = found.group(1)
        if op == "func.func":
            name = re.search(r'sym_name = "([^"]+)"', line).group(1)
        elif op in ("func.call", "call"):
            callee = re.search(r'callee = @"?([^\s,>"}]+)', line)
            if callee and callee.group(1) in external:
                functions[name].append("call @" + callee.group(1))
        elif isOnce(op):
            functions[name].append(op)
    return functions


def run(*arguments):
    return subprocess.run(["pebble-opt", "--allow-unregistered-dialect", "--mlir-print-op-generic", *arguments],
                          capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    total = planned = again = 0
    for path in arguments.files:
        came = run(path)
        if came.returncode:
            sys.exit(f"{path}: {came.stderr}")
        before = read(came.stdout)
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out.mlir")
            done = run(path, "--pebble-schedule=budget=min dim-bound=64 time-limit-ms=2000", "-o", out)
            if done.returncode:
                # An error at its location, and no crash.
                if done.returncode != 1 or path + ":" not in done.stderr:
                    sys.exit(f"{path}: {done.stderr}")
                print(f"{os.path.basename(path)}: refused: {done.stderr.splitlines()[0].split('error: ')[-1][:90]}")
                continue
            with open(out, encoding="utf-8") as file:
                written = file.read()
        after = read(written)
        again += written.count('"pebble.opaque"')
        for name, ops in before.items():
            if after.get(name, []) != ops:
                sys.exit(f"{path}: @{name}: {ops} became {after.get(name)}")
        extra = [name for name in after if name not in before and after[name]]
        if extra:
            sys.exit(f"{path}: {extra} are new")
        count = sum(map(len, before.values()))
        print(f"{os.path.basename(path)}: {count} operations run once")
        total += count
        planned += 1
    print(f"all: {planned} files planned, {total} operations run once, beside {again} inputs of others that run again")


if __name__ == "__main__":
    main()
