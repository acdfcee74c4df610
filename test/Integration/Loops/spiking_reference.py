"""Holds the gradient of a spiking network against one that is worked out here.

  spiking_reference.py [--options="slots=3"]

A small network of spiking.py is run in double precision, and its loss and
gradients are worked out again by the equations that stand there, one sum after
the other. They must agree to twelve digits.
"""

import os
import random
import re
import sys
import tempfile

import loop_runs
import spiking

STEPS, NEURONS, INPUTS = 60, 24, 10


def product(vector, matrix):
    return [sum(x * row[j] for x, row in zip(vector, matrix)) for j in range(len(matrix[0]))]


def rows(numbers, width):
    return [numbers[i:i + width] for i in range(0, len(numbers), width)]


def reference(xs, w, r):
    """Loss, gradients by w, r and xs, spikes at the end, and spikes in all."""
    v, s = [0.0] * NEURONS, [0.0] * NEURONS
    states = []
    for x in xs:
        states.append((v, s))
        fed, fired = product(x, w), product(s, r)
        v = [spiking.LEAK * a * (1 - b) + c + d for a, b, c, d in zip(v, s, fed, fired)]
        s = [1.0 if a > spiking.THRESHOLD else 0.0 for a in v]
    loss = sum(a * a / 2 + spiking.TARGET * b for v1, s1 in [*states, (v, s)] for a, b in zip(v1, s1))
    after, last = v, sum(s)
    total = sum(sum(state[1]) for state in states)
    dv, ds = list(v), [spiking.TARGET] * NEURONS
    dw = [[0.0] * NEURONS for _ in w]
    dr = [[0.0] * NEURONS for _ in r]
    dxs = []
    for x, (v, s) in zip(reversed(xs), reversed(states)):
        by = [a + b / (1 + spiking.SLOPE * abs(u - spiking.THRESHOLD))**2 for a, b, u in zip(dv, ds, after)]
        dxs.append([sum(b * c for b, c in zip(by, row)) for row in w])
        ds = [sum(b * c for b, c in zip(by, row)) - spiking.LEAK * b1 * a + spiking.TARGET
              for row, b1, a in zip(r, by, v)]
        dv = [spiking.LEAK * b * (1 - c) + a for b, c, a in zip(by, s, v)]
        for given, gradient in ((x, dw), (s, dr)):
            for i, a in enumerate(given):
                gradient[i] = [g + a * b for g, b in zip(gradient[i], by)]
        after = v
    dxs.reverse()
    return loss, sum(dw, []), sum(dr, []), sum(dxs, []), last, total


def main():
    options = sys.argv[1].split("=", 1)[1]
    random.seed(5)
    xs = [random.uniform(0, 1) for _ in range(STEPS * INPUTS)]
    w = [random.uniform(-0.1, 0.3) for _ in range(INPUTS * NEURONS)]
    r = [random.uniform(-0.3, 0.3) for _ in range(NEURONS * NEURONS)]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "double.mlir")
        with open(program, "w", encoding="utf-8") as out:
            out.write(re.sub(r"\bf32\b|(?<=x)f32\b", "f64", spiking.write(STEPS, NEURONS, INPUTS)))
        loop_runs.checkpoint(program, options, program)
        inputs = {0: ("f8", (STEPS, 1, INPUTS), xs), 1: ("f8", (INPUTS, NEURONS), w),
                  2: ("f8", (NEURONS, NEURONS), r)}
        report, results = loop_runs.run(program, inputs=inputs, results=True)
    *expected, total = reference(rows(xs, INPUTS), rows(w, NEURONS), rows(r, NEURONS))
    assert 0 < total < STEPS * NEURONS, total
    if report["compressed"]["fallbacks"]:
        sys.exit("spikes did not fit into bits")
    for name, want, (_, _, got) in zip(("loss", "by w", "by r", "by inputs", "spikes"), expected, results):
        want = want if isinstance(want, list) else [want]
        scale = max(abs(x) for x in want)
        error = max(abs(a - b) for a, b in zip(want, got)) / scale
        if len(want) != len(got) or not error < 1e-12:
            sys.exit(f"{name}: off by {error}")
        print(f"{name}: agrees, largest {scale:.6g}")
    print(f"{100 * total / (STEPS * NEURONS):.0f}% of the spikes are 1")


main()
