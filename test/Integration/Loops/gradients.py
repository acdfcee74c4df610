#!/usr/bin/env python3
"""Holds gradients against finite differences.

  gradients.py FILE --of=RESULT:ARGUMENT,... [--options="slots=3"] [--trips=N]
               [--replace="OLD=>NEW"]...

The loss is the sum of the program's first result, and results RESULT are its
gradients by ARGUMENT. With --trips the first argument is the trip count. It is
run in double precision (every f32 of the file becomes f64); along a direction
of random numbers the difference of two losses must be the product of the
gradient and the direction, to six digits.
"""

import argparse
import os
import random
import re
import tempfile

import loop_runs

STEP = 1e-5
TOLERANCE = 1e-6


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file")
    parser.add_argument("--of", required=True)
    parser.add_argument("--options", default="")
    parser.add_argument("--trips", type=int)
    parser.add_argument("--replace", action="append", default=[])
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as file:
        text = re.sub(r"\bf32\b|(?<=x)f32\b", "f64", file.read())
    for pair in arguments.replace:
        old, new = pair.split("=>")
        assert old in text, f"'{old}' is not in the file"
        text = text.replace(old, new)
    random.seed(7)
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "double.mlir")
        with open(program, "w", encoding="utf-8") as out:
            out.write(text)
        if arguments.options:
            loop_runs.checkpoint(program, arguments.options, program)
        signature = re.search(r"func.func @main\((.*?)\)\s*->", text, re.S).group(1)
        inputs = {} if arguments.trips is None else {0: ("i8", (), [arguments.trips])}
        for number, argument in enumerate(re.split(r",\s*(?=%)", signature)):
            found = re.search(r"tensor<([\dx]*?)x?f64>", argument)
            if not found:
                continue
            shape = [int(n) for n in found.group(1).split("x") if n]
            low, high = map(float, re.search(r"\[(.*), (.*)\]", argument).groups()) if "range" in argument else (0, 1)
            count = 1
            for size in shape:
                count *= size
            inputs[number] = ("f8", shape, [random.uniform(low, high) for _ in range(count)])
        _, results = loop_runs.run(program, inputs=inputs, results=True)
        for pair in arguments.of.split(","):
            result, argument = map(int, pair.split(":"))
            gradient = results[result][2]
            kind, shape, numbers = inputs[argument]
            direction = [random.uniform(-1, 1) for _ in numbers]
            losses = []
            for sign in (1, -1):
                moved = dict(inputs)
                moved[argument] = (kind, shape, [x + sign * STEP * d for x, d in zip(numbers, direction)])
                losses.append(sum(loop_runs.run(program, inputs=moved, results=True)[1][0][2]))
            difference = (losses[0] - losses[1]) / (2 * STEP)
            product = sum(g * d for g, d in zip(gradient, direction))
            error = abs(difference - product) / max(abs(difference), abs(product))
            if not error < TOLERANCE:
                raise SystemExit(f"gradient by argument {argument}: {product}, by differences {difference}")
            print(f"gradient by argument {argument}: {product:.8g}, differences agree to {error:.0e}")


main()
