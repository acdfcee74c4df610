#!/usr/bin/env python3
"""Writes synthetic programs of any size, for the scale benchmark.

  synthetic.py step OPS    a training step of a deep chain of layers: forward,
                           backward, and updates of donated weights in place,
                           about OPS steps in all
  synthetic.py slices N    a chain of N tensor.insert_slice
  synthetic.py differences N
                           a chain of N differences of the last two results:
                           x, 0, -x, -x, 0, x, and again
"""

import sys

WIDTH = 8
MAT = f"tensor<{WIDTH}x{WIDTH}xf32>"


def step(ops):
    """Eleven ops a layer: five forward, four backward, two to update."""
    layers = max(1, ops // 11)
    args = ", ".join(f"%w{i}: {MAT} {{pebble.donated}}" for i in range(layers))
    yield f"func.func @step(%x: {MAT}, {args}) -> ({', '.join([MAT] * layers)}) {{"
    yield "  %zero = arith.constant 0.0 : f32"
    yield f"  %e = tensor.empty() : {MAT}"

    def fill(name):
        return (f"  %{name}z = linalg.fill ins(%zero : f32) outs(%e : {MAT})"
                f" -> {MAT}")

    def matmul(name, a, b):
        return (f"  %{name} = linalg.matmul ins(%{a}, %{b} : {MAT}, {MAT})"
                f" outs(%{name}z : {MAT}) -> {MAT}")

    def unary(op, name, a):
        return (f"  %{name} = linalg.{op} ins(%{a} : {MAT}) outs(%e : {MAT})"
                f" -> {MAT}")

    def binary(op, name, a, b, out="e"):
        return (f"  %{name} = linalg.{op} ins(%{a}, %{b} : {MAT}, {MAT})"
                f" outs(%{out} : {MAT}) -> {MAT}")

    previous = "x"
    for i in range(layers):
        yield fill(f"p{i}")
        yield matmul(f"p{i}", previous, f"w{i}")
        yield unary("tanh", f"t{i}", f"p{i}")
        yield unary("exp", f"s{i}", f"t{i}")
        yield binary("add", f"h{i}", f"t{i}", f"s{i}")
        previous = f"h{i}"
    gradient = previous
    for i in reversed(range(layers)):
        below = "x" if i == 0 else f"h{i - 1}"
        yield binary("mul", f"d{i}", gradient, f"t{i}")
        yield fill(f"g{i}")
        yield matmul(f"g{i}", f"d{i}", f"w{i}")
        yield binary("mul", f"gw{i}", f"d{i}", below)
        yield binary("sub", f"u{i}", f"w{i}", f"gw{i}", out=f"w{i}")
        yield unary("abs", f"a{i}", f"g{i}")
        gradient = f"a{i}"
    results = ", ".join(f"%u{i}" for i in range(layers))
    yield f"  return {results} : {', '.join([MAT] * layers)}"
    yield "}"


def slices(count):
    row, all_rows = "tensor<1x4xf32>", f"tensor<{count}x4xf32>"
    yield f"func.func @main(%r: {row}) -> {all_rows} {{"
    yield f"  %t0 = tensor.empty() : {all_rows}"
    for i in range(count):
        yield (f"  %t{i + 1} = tensor.insert_slice %r into %t{i}[{i}, 0] [1, 4]"
               f" [1, 1] : {row} into {all_rows}")
    yield f"  return %t{count} : {all_rows}"
    yield "}"


def differences(count):
    kind = "tensor<16xf32>"
    yield f"func.func @main(%v0: {kind}) -> {kind} {{"
    yield f"  %e = tensor.empty() : {kind}"
    for i in range(count):
        yield (f"  %v{i + 1} = linalg.sub ins(%v{i}, %v{max(0, i - 1)} : {kind},"
               f" {kind}) outs(%e : {kind}) -> {kind}")
    yield f"  return %v{count} : {kind}"
    yield "}"


def main():
    makers = {"step": step, "slices": slices, "differences": differences}
    if len(sys.argv) != 3 or sys.argv[1] not in makers:
        sys.exit(__doc__)
    for line in makers[sys.argv[1]](int(sys.argv[2])):
        print(line)


if __name__ == "__main__":
    main()
