"""Raises random programs whose steps were written out, and runs them.

  unrolled_random.py [--programs=N] [--first=SEED]

Each has a few steps of random operations on one to three states, and as many steps
that read of them, from the last to the first, what an adjoint may: what a step
made, the states before it, its inputs, and the final state. In some of them the
backward steps read in the wrong order or of the wrong step, or a value of a step is
returned. Half of them are simplified first. Fails unless what was raised gives the
same results, bit for bit, with all states kept and with two, and prints how many
were raised.
"""

import argparse
import os
import random
import subprocess
import tempfile

import loop_runs

T = "tensor<4xf32>"


class Program:
    """A program, written as its steps are drawn."""

    def __init__(self, draw):
        self.draw = draw
        self.steps = draw.randint(3, 7)
        self.states = draw.randint(1, 3)
        self.lines = []
        self.made = []  # by step
        self.before = [[draw.choice(["%w", "%v"]) for _ in range(self.states)]]

    def make_template(self, outputs, kinds, operations):
        """Operations and where their operands come from, and what is handed on."""
        length = self.draw.randint(outputs, 6)

        def operand(position):
            own = ["own"] * 4 if position else []
            kind = self.draw.choice(kinds + own)
            return kind, self.draw.randrange(position if kind == "own" else 1000)

        ops = [(self.draw.choice(operations), operand(i), operand(i)) for i in range(length)]
        return ops, [self.draw.randrange(length) for _ in range(outputs)]

    def write_step(self, name, template, sources):
        """Writes a step; `sources` has the values of each kind of operand."""
        ops, handed_on = template
        own = []
        for number, (op, *operands) in enumerate(ops):
            a, b = ((own if kind == "own" else sources[kind]) for kind, _ in operands)
            a, b = a[operands[0][1] % len(a)], b[operands[1][1] % len(b)]
            own.append(f"%{name}_{number}")
            self.lines.append(f"  {own[-1]} = {op} {a}, {b} : {T}")
        return own, [own[number] for number in handed_on]

    def write(self):
        draw, steps = self.draw, self.steps
        operations = ["arith.addf", "arith.mulf", "arith.subf"]
        template = self.make_template(self.states, ["state"] * 3 + ["weight", "input"], operations)
        for i in range(steps):
            self.lines.append(f"  %x{i} = tensor.extract_slice %xs[{i}, 0] [1, 4] [1, 1] : tensor<7x4xf32> to {T}")
            sources = {"state": self.before[i], "weight": ["%w", "%v"], "input": [f"%x{i}"]}
            made, state = self.write_step(f"f{i}", template, sources)
            self.made.append(made)
            self.before.append(state)
        self.lines.append(f"  %end = arith.addf {self.before[-1][0]}, %w : {T}")
        adjoints = [draw.choice(["%end", "%w", self.before[-1][0]]) for _ in range(draw.randint(1, 3))]
        kinds = ["adjoint"] * 3 + ["weight", "input"] + ["made", "state"] * 2
        template = self.make_template(len(adjoints), kinds, operations + ["arith.maximumf"])
        wrong = draw.choice([""] * 8 + ["order", "step"])
        for j in range(steps):
            i = j if wrong == "order" else min(steps - j, steps - 1) if wrong == "step" else steps - 1 - j
            sources = {
                "adjoint": adjoints, "weight": ["%w", "%v", "%end", self.before[-1][-1]],
                "input": [f"%x{i}"], "made": self.made[i], "state": self.before[i],
            }  # fmt: skip
            adjoints = self.write_step(f"b{j}", template, sources)[1]
        returned = set(adjoints) | {"%end"}
        if draw.random() < 0.15:
            returned.add(draw.choice(draw.choice(self.made)))
        types = ", ".join([T] * len(returned))
        head = f"func.func @main(%xs: tensor<7x4xf32>, %w: {T}, %v: {T}) -> ({types}) {{"
        return "\n".join([head, *self.lines, f"  return {', '.join(sorted(returned))} : {types}", "}", ""])


def optimize(source, out, *options):
    done = subprocess.run(["pebble-opt", source, *options, "-o", out], check=True, capture_output=True, text=True)
    return done.stderr


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--programs", type=int, default=30)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    raised = 0
    with tempfile.TemporaryDirectory() as folder:
        plain, loop, two = (os.path.join(folder, name) for name in ("plain.mlir", "loop.mlir", "two.mlir"))
        for seed in range(arguments.first, arguments.first + arguments.programs):
            draw = random.Random(seed)
            with open(plain, "w", encoding="utf-8") as file:
                file.write(Program(draw).write())
            optimize(plain, plain, *draw.choice([[], ["-cse", "-canonicalize"]]))
            remarks = optimize(plain, loop, "--pebble-raise-loops=unrolled=3", "--remarks-filter=pebble-raise-loops")
            if "[Passed]" not in remarks:
                continue
            raised += 1
            optimize(loop, two, "--pebble-checkpoint-loops=slots=2")
            results = {loop_runs.run(program, "--opt-level=0")["results_sha256"] for program in (plain, loop, two)}
            if len(results) != 1:
                raise SystemExit(f"program {seed}: the results differ")
    print(f"{raised} of {arguments.programs} were raised, with the same results")


main()
