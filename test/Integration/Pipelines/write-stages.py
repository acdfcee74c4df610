#!/usr/bin/env python3
"""Writes a training step with stages, for one micro-batch (docs/Pipelines.md).

    write-stages.py STAGES [SEED]

Stage k multiplies by a weight, and then takes sines; it hands out its tape. From
a seed the stages differ in their number of sines, in their sizes, in whether the
loss reads a number of each micro-batch, and in whether a stage reads what an
earlier one than the last has made. @main returns the result of the last stage
and a number for each micro-batch, and the gradients of the weights.
"""

import random
import sys

FLOAT = "f32"


def tensor(size):
    return f"tensor<{size}x{FLOAT}>"


def write(stages, seed):
    rng = random.Random(seed)
    size = rng.choice([256, 1000, 1024])
    T = tensor(size)
    sines = [rng.randint(1, 5) for _ in range(stages)]
    lines = []
    for count in sorted(set(sines)):
        tape = ", ".join([T] * (count + 1))
        lines += [f"func.func private @layer{count}(%x: {T}, %w: {T}) -> ({T}, {tape})",
                  f"    attributes {{pebble.adjoint = {{backward = @back{count}, results = 1 : i64}}}} {{",
                  f"  %z0 = arith.mulf %x, %w : {T}"]
        for i in range(count):
            lines += [f"  %c{i} = math.cos %z{i} : {T}", f"  %z{i + 1} = math.sin %z{i} : {T}"]
        cosines = [f"%c{i}" for i in range(count)]
        lines += [f"  return %z{count}, %x, {', '.join(cosines)} : {T}, {tape}", "}"]
        arguments = ", ".join(f"{name}: {T}" for name in ["%x"] + cosines + ["%w", f"%g{count}"])
        lines.append(f"func.func private @back{count}({arguments}) -> ({T}, {T}) {{")
        for i in reversed(range(count)):
            lines.append(f"  %g{i} = arith.mulf %g{i + 1}, %c{i} : {T}")
        lines += [f"  %dx = arith.mulf %g0, %w : {T}", f"  %dw = arith.mulf %g0, %x : {T}",
                  f"  return %dx, %dw : {T}, {T}", "}"]
    scale, skip = rng.random() < 0.5, stages > 2 and rng.random() < 0.5
    weights = "".join(f', %w{i}: {T} {{pebble.name = "w{i}"}}' for i in range(stages))
    own = f"%x: {T} {{pebble.micro_batch, pebble.name = \"x\"}}"
    if scale:
        own += f", %a: {FLOAT} {{pebble.micro_batch, pebble.name = \"a\"}}"
    results = f"{T} {{pebble.micro_batch}}, {FLOAT} {{pebble.micro_batch}}" + f", {T}" * stages
    lines.append(f"func.func @main({own}{weights}) -> ({results}) {{")
    lines += [f"  %one = arith.constant dense<1.0> : {T}", "  %zero = arith.constant 0 : index"]
    x = "%x"
    for i, count in enumerate(sines):
        if skip and i == stages - 1:
            lines.append(f"  %skipped = arith.addf {x}, %y0 : {T}")
            x = "%skipped"
        tape = ", ".join([T] * (count + 1))
        lines.append(f"  %y{i}, %t{i}:{count + 1} = call @layer{count}({x}, %w{i}) {{pebble.stage = {i} : i64}} "
                     f": ({T}, {T}) -> ({T}, {tape})")
        x = f"%y{i}"
    lines.append(f"  %g = arith.subf {x}, %one : {T}")
    g = "%g"
    if scale:
        lines += [f"  %s = tensor.splat %a : {T}", f"  %h = arith.mulf %g, %s : {T}"]
        g = "%h"
    lines.append(f"  %loss = tensor.extract {g}[%zero] : {T}")
    for i, count in reversed(list(enumerate(sines))):
        tape = ", ".join([T] * (count + 1))
        held = ", ".join(f"%t{i}#{k}" for k in range(count + 1))
        lines.append(f"  %d{i}, %dw{i} = call @back{count}({held}, %w{i}, {g}) : ({tape}, {T}, {T}) -> ({T}, {T})")
        g = f"%d{i}"
    gradients = "".join(f", %dw{i}" for i in range(stages))
    lines += [f"  return {x}, %loss{gradients} : {T}, {FLOAT}" + f", {T}" * stages, "}"]
    return "\n".join(lines)


if __name__ == "__main__":
    print(write(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
