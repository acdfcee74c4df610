"""Writes the gradient of a gated recurrent unit as a loop and its adjoint.

  PATH=$PWD/build/bin:$PATH test/Integration/Loops/reverse.py test/Integration/Loops/gru.py --options=slots=10
  gru.py [--steps=1000] [--hidden=128] [--inputs=64] [--batch=8] [--stream]

With x[t] the inputs of step t, and h the state,

    a, b    = x[t] Wx + bx, h[t] Wh + bh
    r, z    = sigmoid(a_r + b_r), sigmoid(a_z + b_z)
    n       = tanh(a_n + r b_n)
    h[t+1]  = (1 - z) n + z h[t]

where a and b have three parts, one for each of r, z and n (Cho et al. 2014, with
the reset after the product, as cuDNN has it). The loss is half the square of the
states, of all steps: gradients of a loss of the last step alone would fade away, and
the arithmetic on what is left of them is many times slower than on other numbers.
Arguments are the inputs, Wx, Wh, bx, bh and h[0]; results are the loss
and its gradients by Wx, Wh, bx, bh, h[0] and the inputs. With --stream the inputs
and their gradients are in a tier of their own, "data", and each step fetches its
inputs from there.
"""

import argparse

import step_inputs

PROGRAM = """// {steps} steps of {hidden} gated recurrent units; written by gru.py.
#device = #pebble.hierarchy<[
  <"hbm", kind = explicit, read = 160000, write = 160000>,
  <"host", kind = explicit, read = 640000, write = 640000, bandwidth = 16000>{tiers}
], name = "device">
#id = affine_map<(i, j) -> (i, j)>
#left = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
#right = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module attributes {{pebble.hierarchy = #device}} {{
  func.func @main(%xs: {Xs}, %wx: {Wx} {{pebble.range = [-0.2, 0.2]}}, %wh: {Wh} {{pebble.range = [-0.2, 0.2]}},
                  %bx: {B} {{pebble.range = [-0.5, 0.5]}}, %bh: {B} {{pebble.range = [-0.5, 0.5]}}, %h0: {H})
      -> ({F}, {Wx}, {Wh}, {B}, {B}, {H}, {Xs}) {{
    %n = arith.constant {steps} : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %e = tensor.empty() : {H}
    %ez = tensor.empty() : {Z}
    %ewx = tensor.empty() : {Wx}
    %ewh = tensor.empty() : {Wh}
    %eb = tensor.empty() : {B}
    %ah0 = linalg.fill ins(%zero : f32) outs(%e : {H}) -> {H}
    %gwx0 = linalg.fill ins(%zero : f32) outs(%ewx : {Wx}) -> {Wx}
    %gwh0 = linalg.fill ins(%zero : f32) outs(%ewh : {Wh}) -> {Wh}
    %gbx0 = linalg.fill ins(%zero : f32) outs(%eb : {B}) -> {B}
    %gbh0 = linalg.fill ins(%zero : f32) outs(%eb : {B}) -> {B}
    {gradients_of_inputs}
    %el = tensor.empty() : {F}
    %l0 = linalg.fill ins(%zero : f32) outs(%el : {F}) -> {F}
    %out:8 = pebble.adjoint_loop %n states(%h0 : {H}) adjoints(%ah0 : {H})
        gradients(%gwx0, %gwh0, %gbx0, %gbh0, %gx0, %l0 : {Wx}, {Wh}, {B}, {B}, {Xs}, {F})
    primal {{
    ^bb0(%t: index, %h: {H}):
{products}
      %next = linalg.generic {{indexing_maps = [{maps8}], iterator_types = ["parallel", "parallel"]}}
          ins(%ar, %az, %an, %br, %bz, %bn, %h : {H7}) outs(%e : {H}) {{
      ^bb0(%var: f32, %vaz: f32, %van: f32, %vbr: f32, %vbz: f32, %vbn: f32, %vh: f32, %o: f32):
{gates}
        %fresh = arith.mulf %u, %c : f32
        %old = arith.mulf %z, %vh : f32
        %new = arith.addf %fresh, %old : f32
        linalg.yield %new : f32
      }} -> {H}
      pebble.yield %next : {H}
    }} turn {{
    ^bb0(%h: {H}, %ah: {H}, %gwx: {Wx}, %gwh: {Wh}, %gbx: {B}, %gbh: {B}, %gx: {Xs}, %l: {F}):
      // The derivative of half a square is the value itself.
{loss}
      pebble.yield %h, %gwx, %gwh, %gbx, %gbh, %gx, %l1 : {H}, {Wx}, {Wh}, {B}, {B}, {Xs}, {F}
    }} adjoint {{
    ^bb0(%t: index, %h: {H}, %ah: {H}, %gwx: {Wx}, %gwh: {Wh}, %gbx: {B}, %gbh: {B}, %gx: {Xs}, %l: {F}):
{products}
      // By the gates before their squashing, by the last part of b, and by the
      // state where it is carried on and in the loss.
      %d:5 = linalg.generic {{indexing_maps = [{maps13}], iterator_types = ["parallel", "parallel"]}}
          ins(%ar, %az, %an, %br, %bz, %bn, %h, %ah : {H7}, {H}) outs(%e, %e, %e, %e, %e : {H5}) {{
      ^bb0(%var: f32, %vaz: f32, %van: f32, %vbr: f32, %vbz: f32, %vbn: f32, %vh: f32, %va: f32,
           %o0: f32, %o1: f32, %o2: f32, %o3: f32, %o4: f32):
{gates}
        %dc = arith.mulf %va, %u : f32
        %c2 = arith.mulf %c, %c : f32
        %c3 = arith.subf %one, %c2 : f32
        %dan = arith.mulf %dc, %c3 : f32
        %dbn = arith.mulf %dan, %r : f32
        %dr = arith.mulf %dan, %vbn : f32
        %r1 = arith.subf %one, %r : f32
        %r2 = arith.mulf %r, %r1 : f32
        %dar = arith.mulf %dr, %r2 : f32
        %less = arith.subf %vh, %c : f32
        %dz = arith.mulf %va, %less : f32
        %z2 = arith.mulf %z, %u : f32
        %daz = arith.mulf %dz, %z2 : f32
        %dc1 = arith.mulf %va, %z : f32
        %dh = arith.addf %dc1, %vh : f32
        linalg.yield %dar, %daz, %dan, %dbn, %dh : f32, f32, f32, f32, f32
      }} -> ({H5})
      %da0 = tensor.insert_slice %d#0 into %ez[0, 0] [{batch}, {hidden}] [1, 1] : {H} into {Z}
      %da1 = tensor.insert_slice %d#1 into %da0[0, {hidden}] [{batch}, {hidden}] [1, 1] : {H} into {Z}
      %da = tensor.insert_slice %d#2 into %da1[0, {hidden2}] [{batch}, {hidden}] [1, 1] : {H} into {Z}
      %db0 = tensor.insert_slice %d#0 into %ez[0, 0] [{batch}, {hidden}] [1, 1] : {H} into {Z}
      %db1 = tensor.insert_slice %d#1 into %db0[0, {hidden}] [{batch}, {hidden}] [1, 1] : {H} into {Z}
      %db = tensor.insert_slice %d#3 into %db1[0, {hidden2}] [{batch}, {hidden}] [1, 1] : {H} into {Z}
      %gwx1 = linalg.matmul indexing_maps = #left ins(%x, %da : {X}, {Z}) outs(%gwx : {Wx}) -> {Wx}
      %gwh1 = linalg.matmul indexing_maps = #left ins(%h, %db : {H}, {Z}) outs(%gwh : {Wh}) -> {Wh}
      %gbx1 = linalg.reduce {{arith.addf}} ins(%da : {Z}) outs(%gbx : {B}) dimensions = [0]
      %gbh1 = linalg.reduce {{arith.addf}} ins(%db : {Z}) outs(%gbh : {B}) dimensions = [0]
      %e1 = tensor.empty() : {X}
      %dx0 = linalg.fill ins(%zero : f32) outs(%e1 : {X}) -> {X}
      %dx = linalg.matmul indexing_maps = #right ins(%da, %wx : {Z}, {Wx}) outs(%dx0 : {X}) -> {X}
      {gradient_of_step}
      %dh = linalg.matmul indexing_maps = #right ins(%db, %wh : {Z}, {Wh}) outs(%d#4 : {H}) -> {H}
{loss}
      pebble.yield %dh, %gwx1, %gwh1, %gbx1, %gbh1, %gx1, %l1 : {H}, {Wx}, {Wh}, {B}, {B}, {Xs}, {F}
    }}
    return %out#7, %out#2, %out#3, %out#4, %out#5, %out#1, %out#6 : {F}, {Wx}, {Wh}, {B}, {B}, {H}, {Xs}
  }}
}}"""

PRODUCTS = """      {inputs_of_step}
      %a0 = linalg.broadcast ins(%bx : {B}) outs(%ez : {Z}) dimensions = [0]
      %a = linalg.matmul ins(%x, %wx : {X}, {Wx}) outs(%a0 : {Z}) -> {Z}
      %b0 = linalg.broadcast ins(%bh : {B}) outs(%ez : {Z}) dimensions = [0]
      %b = linalg.matmul ins(%h, %wh : {H}, {Wh}) outs(%b0 : {Z}) -> {Z}
"""

LOSS = """      %l1 = linalg.generic {{indexing_maps = [#id, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}}
          ins(%h : {H}) outs(%l : {F}) {{
      ^bb0(%v: f32, %sum: f32):
        %square = arith.mulf %v, %v : f32
        %part = arith.mulf %square, %half : f32
        %more = arith.addf %sum, %part : f32
        linalg.yield %more : f32
      }} -> {F}"""

# Each gate, from the slices of its sums; %u is 1 - z, and %c the candidate n.
GATES = """        %sr = arith.addf %var, %vbr : f32
        %nr = arith.negf %sr : f32
        %xr = math.exp %nr : f32
        %pr = arith.addf %xr, %one : f32
        %r = arith.divf %one, %pr : f32
        %sz = arith.addf %vaz, %vbz : f32
        %nz = arith.negf %sz : f32
        %xz = math.exp %nz : f32
        %pz = arith.addf %xz, %one : f32
        %z = arith.divf %one, %pz : f32
        %reset = arith.mulf %r, %vbn : f32
        %sn = arith.addf %van, %reset : f32
        %c = math.tanh %sn : f32
        %u = arith.subf %one, %z : f32"""


def write(steps=1000, hidden=128, inputs=64, batch=8, stream=False):
    """The program as text."""
    state, sums = f"tensor<{batch}x{hidden}xf32>", f"tensor<{batch}x{3 * hidden}xf32>"
    words = {
        "steps": steps, "hidden": hidden, "hidden2": 2 * hidden, "batch": batch,
        "H": state, "Z": sums, "Wx": f"tensor<{inputs}x{3 * hidden}xf32>", "Wh": f"tensor<{hidden}x{3 * hidden}xf32>",
        "B": f"tensor<{3 * hidden}xf32>", "F": "tensor<f32>",
        "H5": ", ".join([state] * 5), "H7": ", ".join([state] * 7),
        "maps8": ", ".join(["#id"] * 8), "maps13": ", ".join(["#id"] * 13),
        **step_inputs.write(steps, batch, inputs, stream),
    }
    slices = "\n".join(
        f"      %{name}{gate} = tensor.extract_slice %{name}[0, {number * hidden}] [{batch}, {hidden}] [1, 1] "
        f": {sums} to {state}" for name in "ab" for number, gate in enumerate("rzn"))
    return PROGRAM.format(products=PRODUCTS.format(**words) + slices, loss=LOSS.format(**words), gates=GATES, **words)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name, number in (("steps", 1000), ("hidden", 128), ("inputs", 64), ("batch", 8)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--stream", action="store_true")
    print(write(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
