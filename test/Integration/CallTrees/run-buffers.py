#!/usr/bin/env python3
"""Random programs whose layers overwrite buffers, each run as it came and joint.

  run-buffers.py [--count=N] [--seed=N]

Layers read and write some buffers, as wholes and in parts, in loops and in branches, and hand
out a tape. Others overwrite buffers between a layer and its adjoint. Fails unless the joint
programs, with snapshots in either tier, have the same bits as the program that came, and peaks
and moves as predicted, and unless snapshots were taken and some layers ran again.
"""

import argparse
import json
import os
import random
import re
import subprocess
import tempfile

WHOLE = "memref<8xf32>"


class Writer:
    def __init__(self, rng):
        self.rng = rng
        self.count = 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def part(self, buffer, lines):
        view = self.name()
        at = self.rng.choice([0, 4])
        kind = f"memref<4xf32, strided<[1]{', offset: 4' if at else ''}>>"
        lines.append(f"{view} = memref.subview {buffer}[{at}] [4] [1] : {WHOLE} to {kind}")
        return view, kind

    def statement(self, buffers, lines, depth=0):
        source, target = self.rng.sample(buffers, 2)
        kind = self.rng.randrange(8 if depth == 0 else 6)
        if kind >= 6:
            inner = []
            for _ in range(2):
                self.statement(buffers, inner, 1)
            if kind == 6:
                i = self.name()
                lines += [f"scf.for {i} = %c0 to %c2 step %c1 {{", *inner, "}"]
            else:
                lines += ["scf.execute_region {", *inner, "scf.yield", "}"]
            return
        one, two = (source, WHOLE), (target, WHOLE)
        if self.rng.random() < 0.3:
            one, two = self.part(source, lines), self.part(target, lines)
        if kind < 2:
            lines.append(f"linalg.tanh ins({one[0]} : {one[1]}) outs({two[0]} : {two[1]})")
        elif kind < 4:
            lines.append(f"linalg.add ins({one[0]}, {two[0]} : {one[1]}, {two[1]}) outs({two[0]} : {two[1]})")
        else:
            lines.append(f"memref.copy {one[0]}, {two[0]} : {one[1]} to {two[1]}")

    CONSTANTS = ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index", "%c2 = arith.constant 2 : index"]

    def layer(self, number):
        arguments = [f"%a{i}" for i in range(3)]
        lines = list(self.CONSTANTS)
        tapes = []
        for _ in range(2):
            for _ in range(self.rng.randrange(1, 3)):
                self.statement(arguments, lines)
            tape = self.name()
            lines += [f"{tape} = memref.alloc() : {WHOLE}",
                      f"linalg.exp ins({self.rng.choice(arguments)} : {WHOLE}) outs({tape} : {WHOLE})"]
            tapes.append(tape)
        inputs = ", ".join(f"{a}: {WHOLE}" for a in arguments)
        return [f"func.func private @layer{number}({inputs}) -> ({WHOLE}, {WHOLE}) attributes "
                f"{{pebble.adjoint = {{backward = @back, results = 0 : i64}}}} {{", *lines,
                f"return {', '.join(tapes)} : {WHOLE}, {WHOLE}", "}"]

    def program(self):
        lines = ["module attributes {pebble.hierarchy = #pebble.hierarchy<[",
                 '<"hbm", kind = explicit, bandwidth = 100000>, <"host", kind = explicit, bandwidth = 10000>]>} {',
                 f"func.func private @back(%s: {WHOLE}, %t: {WHOLE}, %d: {WHOLE}) {{",
                 f"linalg.mul ins(%d, %s : {WHOLE}, {WHOLE}) outs(%d : {WHOLE})",
                 f"linalg.mul ins(%d, %t : {WHOLE}, {WHOLE}) outs(%d : {WHOLE})", "return", "}"]
        for number in range(2):
            lines += self.layer(number)
        buffers = [f"%b{i}" for i in range(4)]
        inputs = ", ".join(f"{b}: {WHOLE} {{llvm.noalias}}" for b in [*buffers, "%d"])
        lines += [f"func.func @main({inputs}) {{", *self.CONSTANTS]
        calls = []
        for _ in range(self.rng.randrange(1, 4)):
            made = self.name()
            given = self.rng.sample(buffers, 3)
            lines.append(f"{made}:2 = call @layer{self.rng.randrange(2)}({', '.join(given)}) : "
                         f"({WHOLE}, {WHOLE}, {WHOLE}) -> ({WHOLE}, {WHOLE})")
            calls.append(made)
            if self.rng.random() < 0.6:
                self.statement(buffers, lines)
        for made in reversed(calls):
            lines.append(f"call @back({made}#0, {made}#1, %d) : ({WHOLE}, {WHOLE}, {WHOLE}) -> ()")
            if self.rng.random() < 0.3:
                self.statement(buffers, lines)
        return "\n".join([*lines, "return", "}", "}"]) + "\n"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return done.stderr


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    joint = snapshots = 0
    with tempfile.TemporaryDirectory() as folder:
        def at(name):
            return os.path.join(folder, name)

        def meter(path):
            run("pebble-run", path, "--opt-level=0", "--quiet", "--poison", "--json=" + at("run.json"))
            with open(at("run.json"), encoding="utf-8") as file:
                report = json.load(file)
            for key in "peak_bytes", "moved_bytes":
                if report[key] != report["predicted_" + key]:
                    raise SystemExit(f"{path}: {key} {report[key]}, predicted {report['predicted_' + key]}")
            return report["results_sha256"]

        for number in range(arguments.count):
            text = Writer(random.Random(arguments.seed * 100003 + number)).program()
            with open(at("came.mlir"), "w", encoding="utf-8") as file:
                file.write(text)
            try:
                wanted = meter(at("came.mlir"))
                for options in "mode=joint", "mode=joint snapshot-tier=host":
                    said = run("pebble-opt", at("came.mlir"), f"--pebble-checkpoint-calls={options}", "-o",
                               at("joint.mlir"), "--remarks-filter-passed=pebble-checkpoint-calls")
                    joint += sum(map(int, re.findall(r"joint=(\d+)", said)))
                    snapshots += sum(map(int, re.findall(r"snapshots=(\d+)", said)))
                    if meter(at("joint.mlir")) != wanted:
                        raise SystemExit(f"{options}: other results")
            except SystemExit as why:
                raise SystemExit(f"program {number} of seed {arguments.seed}: {why}\n{text}") from None
    print(f"{arguments.count} programs: {joint} calls ran again, from {snapshots} snapshots")
    if joint < arguments.count or snapshots < arguments.count:
        raise SystemExit("too few of them to test anything")


if __name__ == "__main__":
    main()
