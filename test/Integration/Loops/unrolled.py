"""Writes the gradient of a recurrent network as code without loops.

  PATH=$PWD/build/bin:$PATH sh -c "python3 test/Integration/Loops/unrolled.py | pebble-opt --pebble-raise-loops=unrolled=10 --pebble-checkpoint-loops=slots=10 | pebble-run - --json=/dev/stdout"
  unrolled.py [--steps=50] [--units=32] [--inputs=16] [--batch=4] [--sum=into|add]
  unrolled.py --two-states [--steps=50] [--units=32]

With x[i] the inputs of step i, a slice of one tensor,

    h[i+1] = tanh(x[i] W + h[i] U),    loss = half the square of h[n]

each step written out, and after them the steps of the adjoint from the last one
to the first, which read what the forward steps made. Results are the loss and its
gradients by W, U and h[0]. With --sum=into each step of the adjoint adds to the
gradients in place; with --sum=add it makes its own and adds them, and the last
step, which comes first, has nothing to add to.

With --two-states the step is one of pointwise operations on two states that begin
as the same value, and what goes backward reads the final state in every step. It
is no gradient of anything.
"""

import argparse

AXES = "affine_map<(i, j, k) -> ({})>"
PLAIN = f"[{AXES.format('i, k')}, {AXES.format('k, j')}, {AXES.format('i, j')}]"
LEFT = f"[{AXES.format('k, i')}, {AXES.format('k, j')}, {AXES.format('i, j')}]"
RIGHT = f"[{AXES.format('i, k')}, {AXES.format('j, k')}, {AXES.format('i, j')}]"


def matmul(result, left, right, out, maps):
    (a, at), (b, bt), (o, ot) = left, right, out
    return f"  {result} = linalg.matmul indexing_maps = {maps} ins({a}, {b} : {at}, {bt}) outs({o} : {ot}) -> {ot}"


def write(steps, units, inputs, batch, sum_kind):
    XS, X = f"tensor<{steps}x{batch}x{inputs}xf32>", f"tensor<{batch}x{inputs}xf32>"
    W, U, H = (f"tensor<{a}x{b}xf32>" for a, b in ((inputs, units), (units, units), (batch, units)))
    yield f"func.func @main(%xs: {XS}, %w: {W} {{pebble.range = [-0.3, 0.3]}}, %u: {U} {{pebble.range = [-0.3, 0.3]}}, %h0: {H}) -> (tensor<f32>, {W}, {U}, {H}) {{"
    yield "  %zero = arith.constant 0.0 : f32"
    yield "  %half = arith.constant 0.5 : f32"
    for name, type in (("w", W), ("u", U), ("h", H)):
        yield f"  %e{name} = tensor.empty() : {type}"
        yield f"  %z{name} = linalg.fill ins(%zero : f32) outs(%e{name} : {type}) -> {type}"
    for i in range(steps):
        yield f"  %x{i} = tensor.extract_slice %xs[{i}, 0, 0] [1, {batch}, {inputs}] [1, 1, 1] : {XS} to {X}"
        yield matmul(f"%p{i}", (f"%x{i}", X), ("%w", W), ("%zh", H), PLAIN)
        yield matmul(f"%q{i}", (f"%h{i}", H), ("%u", U), (f"%p{i}", H), PLAIN)
        yield f"  %h{i + 1} = math.tanh %q{i} : {H}"
    last = f"%h{steps}"
    yield f"  %square = arith.mulf {last}, {last} : {H}"
    yield "  %el = tensor.empty() : tensor<f32>"
    yield "  %zl = linalg.fill ins(%zero : f32) outs(%el : tensor<f32>) -> tensor<f32>"
    yield f"  %twice = linalg.reduce {{arith.addf}} ins(%square : {H}) outs(%zl : tensor<f32>) dimensions = [0, 1]"
    yield "  %hl = linalg.fill ins(%half : f32) outs(%el : tensor<f32>) -> tensor<f32>"
    yield "  %loss = arith.mulf %twice, %hl : tensor<f32>"
    yield f"  %one = arith.constant dense<1.0> : {H}"
    adjoint = last
    gw, gu = "%zw", "%zu"
    for i in reversed(range(steps)):
        yield f"  %s{i} = arith.mulf %h{i + 1}, %h{i + 1} : {H}"
        yield f"  %t{i} = arith.subf %one, %s{i} : {H}"
        yield f"  %d{i} = arith.mulf {adjoint}, %t{i} : {H}"
        into = sum_kind == "into"
        yield matmul(f"%vw{i}", (f"%x{i}", X), (f"%d{i}", H), (gw if into else "%zw", W), LEFT)
        yield matmul(f"%vu{i}", (f"%h{i}", H), (f"%d{i}", H), (gu if into else "%zu", U), LEFT)
        if into or i == steps - 1:
            gw, gu = f"%vw{i}", f"%vu{i}"
        else:
            yield f"  %gw{i} = arith.addf {gw}, %vw{i} : {W}"
            yield f"  %gu{i} = arith.addf {gu}, %vu{i} : {U}"
            gw, gu = f"%gw{i}", f"%gu{i}"
        yield matmul(f"%a{i}", (f"%d{i}", H), ("%u", U), ("%zh", H), RIGHT)
        adjoint = f"%a{i}"
    yield f"  return %loss, {gw}, {gu}, {adjoint} : tensor<f32>, {W}, {U}, {H}"
    yield "}"


def write_two_states(steps, units):
    T = f"tensor<{units}xf32>"
    yield f"func.func @main(%x: {T}, %w: {T}) -> ({T}, {T}, {T}, {T}) {{"
    heads, cells = ["%x"], ["%x"]
    for i in range(steps):
        yield f"  %p{i} = arith.mulf {heads[i]}, %w : {T}"
        yield f"  %q{i} = arith.addf %p{i}, {cells[i]} : {T}"
        yield f"  %c{i} = math.tanh %q{i} : {T}"
        yield f"  %h{i} = arith.mulf %c{i}, {heads[i]} : {T}"
        heads.append(f"%h{i}")
        cells.append(f"%c{i}")
    yield f"  %end = math.exp {heads[-1]} : {T}"
    head, cell, total = heads[-1], "%w", None
    for i in reversed(range(steps)):
        yield f"  %r{i} = arith.mulf {head}, {heads[i]} : {T}"
        yield f"  %s{i} = arith.addf %r{i}, {cell} : {T}"
        yield f"  %t{i} = arith.mulf %s{i}, {cells[i + 1]} : {T}"
        yield f"  %ac{i} = arith.addf %t{i}, {cells[i]} : {T}"
        yield f"  %ah{i} = arith.mulf %ac{i}, %end : {T}"
        if total:
            yield f"  %g{i} = arith.addf {total}, %q{i} : {T}"
        total = f"%g{i}" if total else f"%ah{i}"
        head, cell = f"%ah{i}", f"%ac{i}"
    yield f"  return {heads[-1]}, {head}, {cell}, {total} : {T}, {T}, {T}, {T}"
    yield "}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name, value in (("steps", 50), ("units", 32), ("inputs", 16), ("batch", 4)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--sum", choices=("into", "add"), default="into")
    parser.add_argument("--two-states", action="store_true")
    arguments = parser.parse_args()
    if arguments.two_states:
        lines = write_two_states(arguments.steps, arguments.units)
    else:
        lines = write(arguments.steps, arguments.units, arguments.inputs, arguments.batch, arguments.sum)
    print("\n".join(lines))


main()
