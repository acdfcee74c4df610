#!/usr/bin/env python3
"""Plans random programs of several ranks within random budgets.

    fuzz-ranks.py simulate --count=N [--seed=S]
        plays what all ranks do together (pebble-verify-messages); programs in which
        ranks do two things in another order must be refused
    fuzz-ranks.py run MPIRUN --count=N [--seed=S]
        runs each on its ranks; results must be those of one process, and each rank
        must take and send what was predicted

MPIRUN is the command as one word. The number of a program is in every message.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from random_ranks import Program  # noqa: E402

# Those that every program has a plan for, and now and then one that few have.
BUDGETS = ("min", "100%", "1MiB", "1MiB", "85%")
OBJECTIVES = ("time", "time", "recompute", "energy")


def run(command, timeout=600):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout)


def plan(path, budget, objective, out):
    return run(["pebble-opt", "--quiet", path, "--split-input-file",
                f"--pebble-schedule=budget={budget} objective={objective} time-limit-ms=1000",
                "--pebble-verify-messages", "-o", out])


def simulate_batch(folder, programs, budget, objective, counts):
    """Plans and plays programs of one batch; those with too small a budget again."""
    path, out = os.path.join(folder, "in.mlir"), os.path.join(folder, "out.mlir")
    texts, starts, line = [], [], 1
    for number, program in programs:
        starts.append((line, number, program))
        texts.append(program.text() + "\n")
        line += texts[-1].count("\n") + 1
    with open(path, "w") as file:
        file.write("// -----\n".join(texts))
    done = plan(path, budget, objective, out)
    again = []
    for found in re.finditer(r":(\d+):\d+: error: (.*)", done.stderr):
        _, number, program = max(s for s in starts if s[0] <= int(found.group(1)))
        if budget == "min" or "budget" not in found.group(2):
            sys.exit(f"program {number}, budget={budget} objective={objective}: {found.group(2)}")
        if (number, program) not in again:
            again.append((number, program))
    if done.returncode and not again:
        sys.exit(f"programs {programs[0][0]} to {programs[-1][0]}: {done.stderr[-2000:]}")
    # Nothing is written of a batch in which one fails.
    if not again:
        with open(out) as file:
            text = file.read()
        counts["together"] += len(re.findall(r"pebble\.collective ", text))
        counts["started"] += text.count("pebble.collective_start")
        counts["sends"] += text.count("mpi.isend")
        counts["planned"] += len(programs)
        return
    counts["too small"] += len(again)
    simulate_batch(folder, again, "min", objective, counts)
    rest = [p for p in programs if p not in again]
    if rest:
        simulate_batch(folder, rest, budget, objective, counts)


def simulate(options):
    chance = random.Random(f"simulate-{options.seed}")
    counts = dict.fromkeys(("planned", "together", "started", "sends", "too small", "refused"), 0)
    with tempfile.TemporaryDirectory() as folder:
        numbers = list(range(options.seed, options.seed + options.count))
        for begin in range(0, len(numbers), options.batch):
            programs = [(n, Program(n)) for n in numbers[begin:begin + options.batch]]
            simulate_batch(folder, programs, chance.choice(BUDGETS), chance.choice(OBJECTIVES), counts)
        # One order on all ranks, or an error that says where they part.
        path = os.path.join(folder, "swapped.mlir")
        for number in numbers[::max(1, len(numbers) // options.swapped)][:options.swapped]:
            with open(path, "w") as file:
                file.write(Program(number, swapped=True).text())
            done = run(["pebble-opt", "--quiet", path, "--pebble-verify-messages", "-o", os.devnull])
            if done.returncode == 0 or "does something else" not in done.stderr:
                sys.exit(f"program {number}: what ranks do in another order is not refused: {done.stderr}")
            counts["refused"] += 1
    print(", ".join(f"{name} {count}" for name, count in counts.items()))


def execute(options, folder, number, chance, counts):
    import numpy
    program = Program(number)
    budget, objective = chance.choice(BUDGETS), chance.choice(OBJECTIVES)
    path, out = os.path.join(folder, "in.mlir"), os.path.join(folder, "out.mlir")
    with open(path, "w") as file:
        file.write(program.text())
    done = plan(path, budget, objective, out)
    if done.returncode and budget != "min" and "budget" in done.stderr:
        budget = "min"
        done = plan(path, budget, objective, out)
    what = f"program {number}, budget={budget} objective={objective}"
    if done.returncode:
        sys.exit(f"{what}: {done.stderr}")
    with open(out) as file:
        counts["started"] += file.read().count("pebble.collective_start")
    inputs = program.inputs(numpy, number)
    for i, parts in enumerate(inputs):
        for rank, part in enumerate(parts):
            numpy.save(os.path.join(folder, f"{i}.{rank}.npy"), part)
    try:
        done = run([*options.mpirun.split(), "-np", str(program.ranks), "pebble-run", "--opt-level=0", out,
                    *[f"--input={i}:{folder}/{i}.%r.npy" for i in range(len(inputs))],
                    f"--output-dir={folder}/rank%r", f"--summary={folder}/all.json"], timeout=120)
    except subprocess.TimeoutExpired:
        sys.exit(f"{what}: hangs")
    if done.returncode:
        sys.exit(f"{what}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    for i, parts in enumerate(program.results(numpy, inputs)):
        for rank, part in enumerate(parts):
            found = numpy.load(os.path.join(folder, f"rank{rank}", f"result{i}.npy"))
            if found.shape != part.shape or not numpy.array_equal(found, part):
                sys.exit(f"{what}: rank {rank} has another result {i} than one process")
    with open(os.path.join(folder, "all.json")) as file:
        summary = json.load(file)
    # Bytes in loops of unknown rounds are not predicted.
    if summary["as_predicted"] is not (None if program.has_unknown_rounds else True):
        sys.exit(f"{what}: not as predicted: {summary}")
    counts["right"] += 1
    counts["sent bytes"] += sum(summary["sent_bytes"])


def execute_all(options):
    chance = random.Random(f"run-{options.seed}")
    counts = dict.fromkeys(("right", "started", "sent bytes"), 0)
    for number in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as folder:
            execute(options, folder, number, chance, counts)
    print(", ".join(f"{name} {count}" for name, count in counts.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    kinds = parser.add_subparsers(dest="what", required=True)
    for name in ("simulate", "run"):
        kind = kinds.add_parser(name)
        if name == "run":
            kind.add_argument("mpirun")
        kind.add_argument("--count", type=int, default=20)
        kind.add_argument("--seed", type=int, default=1)
        kind.add_argument("--batch", type=int, default=100)
        kind.add_argument("--swapped", type=int, default=10)
    options = parser.parse_args()
    simulate(options) if options.what == "simulate" else execute_all(options)


main()
