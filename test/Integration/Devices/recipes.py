#!/usr/bin/env python3
"""Compares plans of fully sharded steps with recipes written by hand, at equal memory.

    recipes.py [--cases=N]

Each recipe is the step of mlp.py, with its gathers where somebody puts them:

    all      every weight before the first layer, and kept
    once     each weight where its layer needs it first, and kept
    again    each weight for the forward pass of its layer, and once more for the backward
             pass, where that needs it

The budget of the plan is what the recipe takes (pebble-report). The plan must send no more
bytes than the recipe, and fewer in some case. Prints how often it was the same and fewer.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# layers, width, batch, ranks
CASES = ((4, 64, 8, 4), (3, 32, 16, 2), (5, 64, 16, 2), (2, 64, 64, 4), (6, 32, 8, 4))


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


GATHER = re.compile(r"\s*(%\w+) = pebble\.collective all_gather (%\w+) into (%\w+) ")


def write(recipe, lines):
    """The program of `recipe`, whose gathers stand somewhere in `lines`."""
    gathers = {found.group(1): found for line in lines if (found := GATHER.match(line))}
    empties = {found.group(3) for found in gathers.values()}
    texts = {found.group(1): line for line in lines if (found := GATHER.match(line))}
    made = {line.split(" = ")[0].strip(): line for line in lines if " = " in line}
    rest = [line for line in lines if not GATHER.match(line) and line.split(" = ")[0].strip() not in empties]
    result, current, seen = [], {}, {}

    def gather(weight):
        number = seen[weight] = seen.get(weight, 0) + 1
        name, place = f"%whole{weight[1:]}_{number}", f"%place{weight[1:]}_{number}"
        result.append(re.sub(r"^\s*%\w+", "    " + place, made[gathers[weight].group(3)]))
        line = re.sub(re.escape(gathers[weight].group(3)) + r"\b", place, texts[weight])
        result.append(re.sub(re.escape(weight) + r"\b", name, line, count=1))
        current[weight] = name

    for line in rest:
        used = [w for w in gathers if re.search(re.escape(w) + r"\b", line)]
        for weight in used:
            if weight not in current or recipe == "again":
                gather(weight)
            line = re.sub(re.escape(weight) + r"\b", current[weight], line)
        result.append(line)
        if recipe == "all" and "func.func" in line:
            for weight in gathers:
                gather(weight)
    return "\n".join(result) + "\n"


def measure(path, net):
    """Peak, and bytes that all ranks send."""
    report = json.loads(run(["pebble-report", path, f"--target={net}", "--json"]))["main"]
    return report["peak_bytes"]["ram"], sum(report["message_bytes"].values())


def compare(case, folder, counts):
    layers, width, batch, ranks = case
    step, whole, net = (os.path.join(folder, name) for name in ("step.mlir", "ranks.mlir", "net.txt"))
    with open(net, "w") as file:
        file.write('#pebble.hierarchy<[<"ram", kind = explicit, bandwidth = 20000>], speed = 100000000000, topology = '
                   f'<[<"host", size = {ranks}, bandwidth = 100, latency = 500>], ranks = {ranks}>>\n')
    with open(step, "w") as file:
        file.write(run([sys.executable, os.path.join(HERE, "mlp.py"), "sharded", f"--layers={layers}",
                        f"--width={width}", f"--batch={batch}", f"--ranks={ranks}"]))
    run(["pebble-opt", step, "--pebble-partition", "-o", whole])
    with open(whole) as file:
        lines = file.read().splitlines()
    for recipe in ("all", "once", "again"):
        path, planned = os.path.join(folder, recipe + ".mlir"), os.path.join(folder, "planned.mlir")
        with open(path, "w") as file:
            file.write(write(recipe, lines))
        count = len(re.findall("all_gather", open(path).read()))
        if count != (2 * layers - 1 if recipe == "again" else layers):
            sys.exit(f"{case}: recipe '{recipe}' gathers {count} times")
        budget, bytes_by_hand = measure(path, net)
        run(["pebble-opt", "--quiet", whole, f"--target={net}",
             f"--pebble-schedule=budget-bytes={budget} objective=time", "-o", planned])
        peak, sent = measure(planned, net)
        if peak > budget or sent > bytes_by_hand:
            sys.exit(f"{case}, recipe '{recipe}': {budget} bytes, {bytes_by_hand} sent; the plan: {peak}, {sent}")
        counts["fewer" if sent < bytes_by_hand else "the same"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=len(CASES))
    options = parser.parse_args()
    counts = {"fewer": 0, "the same": 0}
    for case in CASES[:options.cases]:
        with tempfile.TemporaryDirectory() as folder:
            compare(case, folder, counts)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))


main()
