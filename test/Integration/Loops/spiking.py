"""Writes the gradient of a spiking recurrent network as a loop and its adjoint.

  PATH=$PWD/build/bin:$PATH test/Integration/Loops/reverse.py test/Integration/Loops/spiking.py --options="slots=3 slow-slots=6 slow-compress=none,bits"
  spiking.py [--steps=200] [--neurons=256] [--inputs=64] [--batch=1] [--smooth]
             [--stream]

Leaky integrate-and-fire neurons. With x[t] the inputs of step t, and potentials
v and spikes s as the state,

    v[t+1] = LEAK v[t] (1 - s[t]) + x[t] W + s[t] R
    s[t+1] = 1 where v[t+1] > THRESHOLD, else 0

The derivative of a spike by its potential is a surrogate, that of the fast
sigmoid: 1 / (1 + SLOPE |u|)^2 with u = v - THRESHOLD. The loss is half the square
of the potentials and TARGET times the spikes, of all steps: gradients of a loss of
the last step alone would fade away, and the arithmetic on what is left of them is
many times slower than on other numbers. Results are the loss, its gradients by W, R
and the inputs, and how many spikes there are at the end.

With --smooth the spikes are the function whose derivative the surrogate is,
1/2 + u / (1 + SLOPE |u|), so that differences tell the gradient; they are then
neither 0 nor 1. With --stream the inputs and their gradients are in a tier of
their own, "data", and each step fetches its inputs from there.
"""

import argparse

import step_inputs

LEAK, THRESHOLD, SLOPE, TARGET = 0.9, 1.0, 2.0, 0.25

PROGRAM = """// {steps} steps of {neurons} spiking neurons; written by spiking.py.
#device = #pebble.hierarchy<[
  <"hbm", kind = explicit, read = 160000, write = 160000>,
  <"host", kind = explicit, read = 640000, write = 640000, bandwidth = 16000>{tiers}
], name = "device">
#id = affine_map<(i, j) -> (i, j)>
module attributes {{pebble.hierarchy = #device}} {{
  func.func @main(%xs: {Xs}, %w: {W} {{pebble.range = [-0.08, 0.09]}}, %r: {R} {{pebble.range = [-0.1, 0.1]}})
      -> ({F}, {W}, {R}, {Xs}, {F}) {{
    %n = arith.constant {steps} : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %leak = arith.constant {LEAK} : f32
    %threshold = arith.constant {THRESHOLD} : f32
    %slope = arith.constant {SLOPE} : f32
    %target = arith.constant {TARGET} : f32
    %e = tensor.empty() : {S}
    %ew = tensor.empty() : {W}
    %er = tensor.empty() : {R}
    %v0 = linalg.fill ins(%zero : f32) outs(%e : {S}) -> {S}
    %s0 = linalg.fill ins(%zero : f32) outs(%e : {S}) -> {S}
    %av0 = linalg.fill ins(%zero : f32) outs(%e : {S}) -> {S}
    %as0 = linalg.fill ins(%zero : f32) outs(%e : {S}) -> {S}
    %gw0 = linalg.fill ins(%zero : f32) outs(%ew : {W}) -> {W}
    %gr0 = linalg.fill ins(%zero : f32) outs(%er : {R}) -> {R}
    {gradients_of_inputs}
    %el = tensor.empty() : {F}
    %l0 = linalg.fill ins(%zero : f32) outs(%el : {F}) -> {F}
    %out:8 = pebble.adjoint_loop %n states(%v0, %s0 : {S}, {S})
        adjoints(%av0, %as0 : {S}, {S}) gradients(%gw0, %gr0, %gx0, %l0 : {W}, {R}, {Xs}, {F})
    primal {{
    ^bb0(%t: index, %v: {S}, %s: {S}):
{potential}
      %spikes = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
          ins(%next : {S}) outs(%e : {S}) {{
      ^bb0(%a: f32, %o: f32):
{spike}
      }} -> {S}
      pebble.yield %next, %spikes : {S}, {S}
    }} turn {{
    ^bb0(%v: {S}, %s: {S}, %av: {S}, %as: {S}, %gw: {W}, %gr: {R}, %gx: {Xs}, %l: {F}):
      %seed = linalg.fill ins(%target : f32) outs(%e : {S}) -> {S}
{loss}
      pebble.yield %v, %seed, %gw, %gr, %gx, %l1 : {S}, {S}, {W}, {R}, {Xs}, {F}
    }} adjoint {{
    ^bb0(%t: index, %v: {S}, %s: {S}, %av: {S}, %as: {S}, %gw: {W}, %gr: {R}, %gx: {Xs}, %l: {F}):
{potential}
      // By the potential after the step, through the spike that it may make; and
      // by potential and spike before, through leak and reset and in the loss.
      %d:3 = linalg.generic {{indexing_maps = [#id, #id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}}
          ins(%next, %v, %s, %av, %as : {S}, {S}, {S}, {S}, {S}) outs(%e, %e, %e : {S}, {S}, {S}) {{
      ^bb0(%a: f32, %b: f32, %c: f32, %da: f32, %dc: f32, %o0: f32, %o1: f32, %o2: f32):
        %u = arith.subf %a, %threshold : f32
        %abs = math.absf %u : f32
        %scaled = arith.mulf %abs, %slope : f32
        %wide = arith.addf %scaled, %one : f32
        %square = arith.mulf %wide, %wide : f32
        %through = arith.divf %dc, %square : f32
        %by = arith.addf %da, %through : f32
        %rests = arith.subf %one, %c : f32
        %leaks = arith.mulf %by, %leak : f32
        %carried = arith.mulf %leaks, %rests : f32
        %before = arith.addf %carried, %b : f32
        %resets = arith.mulf %leaks, %b : f32
        %less = arith.subf %target, %resets : f32
        linalg.yield %by, %before, %less : f32, f32, f32
      }} -> ({S}, {S}, {S})
      %das = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
          ins(%d#0, %r : {S}, {R}) outs(%d#2 : {S}) -> {S}
      %gw1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
          ins(%x, %d#0 : {X}, {S}) outs(%gw : {W}) -> {W}
      %gr1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
          ins(%s, %d#0 : {S}, {S}) outs(%gr : {R}) -> {R}
      %e1 = tensor.empty() : {X}
      %dx0 = linalg.fill ins(%zero : f32) outs(%e1 : {X}) -> {X}
      %dx = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
          ins(%d#0, %w : {S}, {W}) outs(%dx0 : {X}) -> {X}
      {gradient_of_step}
{loss}
      pebble.yield %d#1, %das, %gw1, %gr1, %gx1, %l1 : {S}, {S}, {W}, {R}, {Xs}, {F}
    }}
    %ec = tensor.empty() : {F}
    %c0 = linalg.fill ins(%zero : f32) outs(%ec : {F}) -> {F}
    %count = linalg.reduce {{arith.addf}} ins(%out#1 : {S}) outs(%c0 : {F}) dimensions = [0, 1]
    return %out#7, %out#4, %out#5, %out#6, %count : {F}, {W}, {R}, {Xs}, {F}
  }}
}}"""

POTENTIAL = """      {inputs_of_step}
      %kept = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}}
          ins(%v, %s : {S}, {S}) outs(%e : {S}) {{
      ^bb0(%a: f32, %b: f32, %o: f32):
        %not = arith.subf %one, %b : f32
        %1 = arith.mulf %a, %leak : f32
        %2 = arith.mulf %1, %not : f32
        linalg.yield %2 : f32
      }} -> {S}
      %fed = linalg.matmul ins(%x, %w : {X}, {W}) outs(%kept : {S}) -> {S}
      %next = linalg.matmul ins(%s, %r : {S}, {R}) outs(%fed : {S}) -> {S}"""

LOSS = """      %l1 = linalg.generic {{indexing_maps = [#id, #id, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}}
          ins(%v, %s : {S}, {S}) outs(%l : {F}) {{
      ^bb0(%a: f32, %b: f32, %sum: f32):
        %1 = arith.mulf %a, %a : f32
        %2 = arith.mulf %1, %half : f32
        %3 = arith.mulf %b, %target : f32
        %4 = arith.addf %2, %3 : f32
        %5 = arith.addf %sum, %4 : f32
        linalg.yield %5 : f32
      }} -> {F}"""

SPIKE = """        %is = arith.cmpf ogt, %a, %threshold : f32
        %1 = arith.select %is, %one, %zero : f32
        linalg.yield %1 : f32"""

SMOOTH = """        %u = arith.subf %a, %threshold : f32
        %abs = math.absf %u : f32
        %scaled = arith.mulf %abs, %slope : f32
        %wide = arith.addf %scaled, %one : f32
        %1 = arith.divf %u, %wide : f32
        %2 = arith.addf %1, %half : f32
        linalg.yield %2 : f32"""


def write(steps=200, neurons=256, inputs=64, batch=1, smooth=False, stream=False):
    """The program as text."""
    words = {
        "steps": steps, "neurons": neurons,
        "LEAK": LEAK, "THRESHOLD": THRESHOLD, "SLOPE": SLOPE, "TARGET": TARGET,
        "S": f"tensor<{batch}x{neurons}xf32>", "W": f"tensor<{inputs}x{neurons}xf32>",
        "R": f"tensor<{neurons}x{neurons}xf32>", "F": "tensor<f32>",
        **step_inputs.write(steps, batch, inputs, stream),
    }
    return PROGRAM.format(potential=POTENTIAL.format(**words), loss=LOSS.format(**words), spike=SMOOTH if smooth else SPIKE, **words)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name, number in (("steps", 200), ("neurons", 256), ("inputs", 64), ("batch", 1)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--smooth", action="store_true")
    parser.add_argument("--stream", action="store_true")
    print(write(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
