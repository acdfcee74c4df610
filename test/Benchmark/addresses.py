#!/usr/bin/env python3
"""Offsets for buffers with lifetimes: Pebble beside what allocators do.

  addresses.py [--bin=build/bin] [--seeds=4] [--count=200] [--time-limit-ms=N] [FILE.csv...]
  addresses.py [--bin=build/bin] --within=1048576 [--minimalloc=PATH] FILE.csv...
  addresses.py [--bin=build/bin] --programs=FOLDER [--passes="..."] [--time-limit-ms=N]

Each FILE is a table of buffers as google/minimalloc publishes them (id, lower,
upper, size; its rule: everything in 1,048,576). Without files, random tables are
made in that manner: buffers that fill 1,048,576 bytes at every time, so that
what dies makes room for others that need not fit where it lay. For each the
extent over the most bytes live at one time (no extent is less) of a first fit by
birth, as a plain allocator places them, of greedy by size, and of Pebble, with
its proven bound and its time. Every placement has been judged by pebble-solve.

With --within, whether Pebble and MiniMalloc find room for each FILE in so many
bytes, and the processor time that each of them takes. MiniMalloc is a binary
built from google/minimalloc, the one on PATH unless --minimalloc names one;
where there is none, its column says SKIPPED. What it writes is judged here.

With --programs, the buffers of every *.mlir under FOLDER whose addresses can be
planned, by function and tier, as it came in or after --passes (of pebble-opt, a
budget for instance); for the others, the reason.
"""

import argparse
import csv
import glob
import itertools
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import pebble_solve  # noqa: E402

CAPACITY = 1 << 20


def random_table(seed, count):
    """Some `count` buffers: many short ones, some that live long."""
    chance = random.Random(f"addresses-{seed}-{count}")
    rows, live, load, time = [], [], 0, 0
    while len(rows) < count:
        for row in [row for row in live if row[1] <= time]:
            live.remove(row)
            load -= row[2]
        while load < CAPACITY:
            size = min(1024 * chance.randint(1, 1 << chance.randint(2, 8)), CAPACITY - load)
            row = [time, time + int(chance.expovariate(0.12)) + 1, size]
            rows.append(row)
            live.append(row)
            load += size
        time += 1
    return "id,lower,upper,size\n" + "".join(f"{i},{a},{b},{size}\n" for i, (a, b, size) in enumerate(rows))


def study(args, name, path):
    tool = os.path.join(args.bin, "pebble-solve")
    answers = [pebble_solve.ask(tool, path, f"--solver={solver}") for solver in ("in-order", "greedy-by-size")]
    limit = [f"--time-limit-ms={args.time_limit_ms}"] if args.time_limit_ms else []
    ours = pebble_solve.ask(tool, path, *limit)
    peak = ours["peak"]
    over = "".join(f" {100 * (answer['extent'] - peak) / peak:+12.2f}%" for answer in [*answers, ours])
    bound = 100 * (ours["bound"] - peak) / peak
    print(f"{name:28} {peak:>10}{over} {bound:+8.2f}% {ours['status']:9} {ours['seconds']:8.2f}", flush=True)


def used_seconds(call):
    """What `call` answers, and the processor time of the processes that it ran."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = call()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return answer, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def fits(path, capacity):
    """Whether the table at `path` has offsets at which all fits and nothing overlaps."""
    with open(path, encoding="utf-8") as file:
        rows = [{key: int(row[key]) for key in ("lower", "upper", "size", "offset")} for row in csv.DictReader(file)]
    return bool(rows) and all(0 <= row["offset"] <= capacity - row["size"] for row in rows) and not any(
        a["lower"] < b["upper"] and b["lower"] < a["upper"]
        and a["offset"] < b["offset"] + b["size"] and b["offset"] < a["offset"] + a["size"]
        for a, b in itertools.combinations(rows, 2))


def compare(args, name, path):
    """Both within args.within bytes."""
    tool = os.path.join(args.bin, "pebble-solve")
    limit = [f"--time-limit-ms={args.time_limit_ms}"] if args.time_limit_ms else []
    ours, seconds = used_seconds(lambda: pebble_solve.ask(tool, path, f"--capacity={args.within}", *limit))
    line = f"{name:28} {ours['peak']:>10} {ours['status']:>10} {seconds:8.2f}"
    if not args.minimalloc:
        print(f"{line}    SKIPPED", flush=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out.csv")
        command = [args.minimalloc, f"--capacity={args.within}", f"--input={path}", f"--output={output}"]
        if args.time_limit_ms:
            command.append(f"--timeout={args.time_limit_ms}ms")
        done, seconds = used_seconds(lambda: subprocess.run(command, capture_output=True, text=True, check=False))
        verdict = "none" if done.returncode else "fits" if fits(output, args.within) else "WRONG"
    print(f"{line} {verdict:>10} {seconds:8.2f}", flush=True)


def study_program(args, path, folder):
    """The tables of one program, each tier by itself."""
    tables = os.path.join(folder, "tables")
    os.makedirs(tables)
    command = [os.path.join(args.bin, "pebble-opt"), path, *shlex.split(args.passes),
               f"--pebble-plan-addresses=tables={tables}",
               "--remarks-filter=pebble-plan-addresses", "--pebble-dim-bound=16", "-o", os.devnull]
    name = os.path.basename(path).removesuffix(".mlir")
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    except subprocess.TimeoutExpired:
        print(f"{name[:28]:28} took more than 600 s", flush=True)
        return
    for table in sorted(os.listdir(tables)):
        study(args, f"{name[:20]} {table.split('.')[-2]}"[:28], os.path.join(tables, table))
    reasons = re.findall(r"addresses are not planned: ([^\"]*)", done.stderr)
    if done.returncode:
        reasons = re.findall(r"error: (.*)", done.stderr)[:1]
    for reason in sorted(set(reasons)):
        print(f"{name[:28]:28} {reason[:90]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.dirname(pebble_solve.DEFAULT))
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--time-limit-ms", type=int, default=0)
    parser.add_argument("--within", type=int)
    parser.add_argument("--minimalloc", default=shutil.which("minimalloc"))
    parser.add_argument("--programs")
    parser.add_argument("--passes", default="")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    if args.within:
        print(f"{'buffers':28} {'peak':>10} {'Pebble':>10} {'seconds':>8} {'MiniMalloc':>10} {'seconds':>8}")
        for path in args.files:
            compare(args, os.path.basename(path).removesuffix(".csv"), path)
        return
    print(f"{'buffers':28} {'peak':>10} {'in-order':>13} {'by size':>13} {'Pebble':>13} {'bound':>9} {'status':9}"
          f" {'seconds':>8}")
    for path in args.files:
        study(args, os.path.basename(path).removesuffix(".csv"), path)
    if args.programs:
        for path in sorted(glob.glob(os.path.join(args.programs, "**", "*.mlir"), recursive=True)):
            with tempfile.TemporaryDirectory() as folder:
                study_program(args, path, folder)
    if args.files or args.programs:
        return
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seeds):
            path = os.path.join(folder, "buffers.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write(random_table(seed, args.count))
            study(args, f"random {args.count}, seed {seed}", path)


if __name__ == "__main__":
    main()
