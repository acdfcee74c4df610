#!/usr/bin/env python3
"""Holds the forward steps that a driver runs against those that it announces.

  count_steps.py FILE BYTES N,N,... SLOTS,SLOTS,... [OPTIONS]

Each forward step of the program allocates one buffer of BYTES bytes; `N` stands
for the trip count in the file. OPTIONS are those of the pass beside the slots,
with a hierarchy of two tiers.
"""

import json
import re
import sys
import tempfile

import loop_runs


def count(program, bytes):
    with tempfile.TemporaryDirectory() as folder:
        loop_runs.call(["pebble-run", program, f"--trace={folder}/trace.json"])
        with open(f"{folder}/trace.json", encoding="utf-8") as trace:
            events = json.load(trace)
    live = {}
    for event in events:
        if event["ph"] == "C":
            live.setdefault(event["name"], [0]).append(event["args"]["bytes"])
    return sum(after - before == bytes for tier in live.values() for before, after in zip(tier, tier[1:]))


def main():
    path, bytes = sys.argv[1], int(sys.argv[2])
    more = sys.argv[5] if len(sys.argv) > 5 else ""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for steps in map(int, sys.argv[3].split(",")):
        for slots in map(int, sys.argv[4].split(",")):
            with tempfile.TemporaryDirectory() as folder:
                program = f"{folder}/program.mlir"
                with open(program, "w", encoding="utf-8") as out:
                    out.write(text.replace("constant N", f"constant {steps}"))
                loop_runs.checkpoint(program, f"slots={slots} {more}", program, "red-blue" if more else None)
                with open(program, encoding="utf-8") as file:
                    announced = int(re.search(r"forward_steps = (\d+)", file.read()).group(1))
                run = count(program, bytes)
            if run != announced:
                sys.exit(f"{steps} steps, {slots} slots: announced {announced} forward steps, ran {run}")
            print(f"{steps} steps, {slots} slots: {run} forward steps")


main()
