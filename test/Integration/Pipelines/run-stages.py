#!/usr/bin/env python3
"""Runs random pipelines on several ranks, and compares with one device.

    run-stages.py --first=0 --count=5 --mpirun="mpirun ..."

Each step (write-stages.py) is planned for one or more numbers of ranks and
micro-batches, with all bytes and with fewer. The program of all ranks and those
of each rank, under MPI, give what the micro-batches give one after the other on
one device, bit for bit. Every rank meets its predicted peak and keeps to its
budget. So they do with tapes that move to a slower tier, alone and beside
recomputation; then every rank moves the bytes that were predicted. So they do
where gradients of weights are tasks of their own. Also after `pebble-schedule`,
and -cse -canonicalize.
"""

import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))


MACHINE = ("#pebble.hierarchy<[<\"ram\", kind = explicit, bandwidth = 20000>, "
           "<\"disk\", kind = explicit, bandwidth = 8000, latency = 20>], speed = 2000000000>")


class Failure(Exception):
    pass


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise Failure(f"{' '.join(command)}:\n{done.stderr}")
    return done


def get_main(file):
    """The names of the arguments of @main, and how many results it has."""
    with open(file) as f:
        text = f.read()
    head = re.search(r"func.func @main\((.*?)\)(?: -> (.*?))?(?: attributes .*)? \{\n", text)
    names = re.findall(r'pebble.name = "(\w+)"', head.group(1))
    return names, len(re.findall(r"tensor<", head.group(2) or ""))


def get_inputs(file, folder):
    names, _ = get_main(file)
    return [f"--input={i}:{folder}/{name}.npy" for i, name in enumerate(names)]


def write_inputs(file, folder):
    """One array for each argument of @main of the whole program."""
    rng = numpy.random.default_rng(1)
    with open(file) as f:
        head = re.search(r"func.func @main\(.*", f.read()).group()
    for shape, name in re.findall(r"tensor<([\dx]+)xf32> \{[^}]*?pebble.name = \"(\w+)\"", head):
        numpy.save(f"{folder}/{name}.npy", rng.random([int(n) for n in shape.split("x")], dtype=numpy.float32))


counts = {"moved": 0, "apart": 0}


def check_told(file, most=None):
    with open(file) as f:
        told = json.load(f)
    if told["peak_bytes"] != told["predicted_peak_bytes"]:
        raise Failure(f"{file}: predicted {told['predicted_peak_bytes']}, met {told['peak_bytes']}")
    if told["moved_bytes"] != told["predicted_moved_bytes"]:
        raise Failure(f"{file}: predicted to move {told['predicted_moved_bytes']}, moved {told['moved_bytes']}")
    counts["moved"] += sum(told["moved_bytes"].values())
    peaks = told["peak_bytes"]
    peak = peaks["ram"] if "ram" in peaks else sum(peaks.values())
    if most is not None and peak > most:
        raise Failure(f"{file}: takes {peak}, more than its budget of {most}")
    return peak


def load(folder):
    files = sorted(os.listdir(folder), key=lambda name: int(re.search(r"\d+", name).group()))
    return [numpy.load(os.path.join(folder, name)) for name in files]


def run_alone(file, folder, out):
    run("pebble-run", file, "--opt-level=0", *get_inputs(file, folder), f"--output-dir={folder}/{out}", f"--json={folder}/{out}.json")
    return load(f"{folder}/{out}"), check_told(f"{folder}/{out}.json")


def run_ranks(files, mpirun, folder, out, most):
    command = []
    for file in files:
        command += [":"] if command else []
        command += ["-np", "1", "pebble-run", file, "--opt-level=0", *get_inputs(file, folder),
                    f"--output-dir={folder}/{out}%r", f"--json={folder}/{out}.%r.json"]
    run(*mpirun, *command)
    results = []
    for rank in range(len(files)):
        check_told(f"{folder}/{out}.{rank}.json", most)
        # A rank need not have any result.
        results.append(load(f"{folder}/{out}{rank}") if os.path.isdir(f"{folder}/{out}{rank}") else [])
    return results


def same(some, others):
    return len(some) == len(others) and all(a.tobytes() == b.tobytes() for a, b in zip(some, others))


def is_among(expected, results):
    """Whether the results of all ranks are those expected, each rank's in their order."""
    place = [0] * len(results)
    for value in expected:
        for rank, of in enumerate(results):
            if place[rank] < len(of) and same([of[place[rank]]], [value]):
                place[rank] += 1
                break
        else:
            return False
    return place == [len(of) for of in results]


def plan(step, out, options, *passes):
    run("pebble-opt", step, f"--pebble-pipeline-stages={options}", *passes, "-o", out)
    return out


def plan_ranks(step, folder, name, ranks, options, *target):
    """One plan: the program of all ranks, and those of each."""
    whole = plan(step, f"{folder}/{name}.mlir", f"{options} rank-files={folder}/{name}%r.mlir", *target)
    return whole, [f"{folder}/{name}{rank}.mlir" for rank in range(ranks)]


def rewrite(files, *passes):
    for file in files:
        run("pebble-opt", file, *passes, "-o", f"{file}.next")
        os.replace(f"{file}.next", file)
    return files


def check_alone(step, folder, options, files):
    """A rank that plans for itself gets the program of the one plan."""
    for rank, file in enumerate(files):
        own = plan(step, f"{folder}/own.mlir", f"{options} rank={rank}")
        with open(own) as one, open(file) as other:
            if one.read() != other.read():
                raise Failure(f"rank {rank} alone gets another program")


def check(seed, mpirun, folder):
    rng = random.Random(seed)
    ranks = (2, 4, 1)[seed % 3]
    stages = rng.randint(max(2, ranks), 4)
    batches = rng.randint(2, 5)
    step = f"{folder}/step.mlir"
    text = run(sys.executable, os.path.join(HERE, "write-stages.py"), str(stages), str(seed)).stdout
    with open(step, "w") as f:
        f.write(text)
    base = f"ranks={ranks} micro-batches={batches} time-limit-ms=0"
    plain = plan(step, f"{folder}/plain.mlir", base + " solver=one-by-one means=none")
    write_inputs(plain, folder)
    expected, _ = run_alone(plain, folder, "plain")
    whole, files = plan_ranks(step, folder, "whole", ranks, base)
    check_alone(step, folder, base, files)
    if not same(expected, run_alone(whole, folder, "whole")[0]):
        raise Failure("the program of all ranks gives something else")
    if not is_among(expected, run_ranks(files, mpirun, folder, "free", None)):
        raise Failure("the ranks give something else")
    peaks = [check_told(f"{folder}/free.{rank}.json") for rank in range(ranks)]
    kept = 0
    for percent in (80, 60):
        most = max(peaks) * percent // 100
        options = f"{base} budget={most}"
        try:
            _, tight = plan_ranks(step, folder, "tight", ranks, f"{options} seed=1")
        except Failure as failure:
            if "of the pipeline" not in str(failure):
                raise
            break
        kept += 1
        if not is_among(expected, run_ranks(tight, mpirun, folder, f"tight{percent}", most)):
            raise Failure("the ranks within a budget give something else")
    kept += check_offload(step, base, ranks, max(peaks), mpirun, folder, expected)
    check_weights(step, base, ranks, max(peaks), mpirun, folder, expected)
    # The limit says which schedule it is, and all of them are right.
    last = rewrite(files, "--cse", "--canonicalize", "--pebble-schedule=budget=min means=recompute time-limit-ms=500",
                   "--cse", "--canonicalize")
    if not is_among(expected, run_ranks(last, mpirun, folder, "least", None)):
        raise Failure("the scheduled ranks give something else")
    return kept


def check_offload(step, base, ranks, peak, mpirun, folder, expected):
    """Within less memory, with tapes that move away."""
    machine = f"{folder}/machine.txt"
    with open(machine, "w") as f:
        f.write(MACHINE)
    kept = 0
    for means, percent in (("offload", 80), ("both", 65)):
        most = peak * percent // 100
        options = f"{base} budget={most} means={means} objective=time seed=1"
        target = f"--target={machine}"
        try:
            whole, files = plan_ranks(step, folder, "away", ranks, options, target)
        except Failure as failure:
            if "of the pipeline" not in str(failure):
                raise
            continue
        rewrite(files, target, "--cse", "--canonicalize", "--pebble-verify-schedule")
        kept += 1
        if not same(expected, run_alone(whole, folder, f"o{means}")[0]):
            raise Failure(f"the program of all ranks gives something else with means={means}")
        if not is_among(expected, run_ranks(files, mpirun, folder, f"away{means}", most)):
            raise Failure(f"the ranks give something else with means={means}")
    return kept


def get_cost(file):
    with open(file) as f:
        return int(re.search(r"cost = (\d+)", f.read()).group(1))


def check_weights(step, base, ranks, most, mpirun, folder, expected):
    """With gradients of weights that are computed later than others: no slower."""
    whole, _ = plan_ranks(step, folder, "together", ranks, f"{base} budget={most}")
    apart, files = plan_ranks(step, folder, "apart", ranks, f"{base} budget={most} split-weights")
    if get_cost(apart) > get_cost(whole):
        raise Failure("tasks for the weights make the pipeline slower")
    rewrite(files, "--cse", "--canonicalize")
    if not same(expected, run_alone(apart, folder, "apart")[0]):
        raise Failure("the program of all ranks gives something else with tasks for the weights")
    if not is_among(expected, run_ranks(files, mpirun, folder, "apart", most)):
        raise Failure("the ranks give something else with tasks for the weights")
    for file in files:
        with open(file) as f:
            counts["apart"] += len(re.findall(r"call @back\d+\.weights", f.read()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--mpirun", required=True)
    args = parser.parse_args()
    kept, failed = 0, 0
    for seed in range(args.first, args.first + args.count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                kept += check(seed, shlex.split(args.mpirun), folder)
            except Failure as failure:
                failed += 1
                print(f"seed {seed}: {failure}")
    print(f"{args.count} pipelines, {kept} plans within budgets, {counts['moved']} bytes moved, "
          f"{counts['apart']} tasks for weights, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
