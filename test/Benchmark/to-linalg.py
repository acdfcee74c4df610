#!/usr/bin/env python3
"""Lowers a step of StableHLO to linalg, so that pebble-run can run it.

  to-linalg.py STEP.mlir > LOWERED.mlir
  to-linalg.py --model=resnet18 [--images=8] [--size=32] [--width=8] > LOWERED.mlir

Needs JAX (`pip install jax`), whose passes do most of it. They have no answer to
the gradient of a max-pool whose windows overlap (`stablehlo.select_and_scatter`):
that becomes two steps here. One finds the position of the largest element of each
window, the first of equals as XLA does. The other adds, for each element, what the
windows hand back that chose it. (Where windows do not overlap, JAX's pass takes the
last of equals.) `--model` lowers a training step of
test/Benchmark/jax/models.py, whose loss takes its labels as rows of zeros and a one
(the other form is a scatter, which nothing lowers).
"""

import argparse
import os
import re
import sys

import jax
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _mosaic_gpu_ext
from jaxlib.mlir.dialects import stablehlo

PASSES = ("builtin.module(inline,symbol-dce,func.func(chlo-legalize-to-stablehlo),"
          "stablehlo-legalize-to-linalg,canonicalize,cse)")

SCATTER = re.compile(
    r'^ *(?P<to>%[\w#]+) = "stablehlo\.select_and_scatter"\((?P<x>%[\w#]+), (?P<dy>%[\w#]+), %[\w#]+\) <\{(?P<how>.*?)\}> '
    r"\(\{(?P<select>.*?)\}, \{(?P<scatter>.*?)\}\) : \((?P<tx>[^,]*), (?P<tdy>[^,]*), tensor<f32>\) -> [^\n]*\n",
    re.S | re.M)

# Elements of the padded input are numbered by window and phase: h = S * i + p. Window j
# covers it at position S * (i - j) + p. `R` windows in a row may cover one element.
POOL = """
    %{n}.low = arith.constant 0xFF800000 : f32
    %{n}.zero = arith.constant 0.0 : f32
    %{n}.none = arith.constant -1 : i32
    %{n}.x = tensor.pad {x} low[0, 0, {low[0]}, {low[1]}] high[0, 0, {high[0]}, {high[1]}] {{
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %{n}.low : f32
    }} : {tx} to tensor<{N}x{C}x{PH}x{PW}xf32>
    %{n}.window = tensor.empty() : tensor<{K[0]}x{K[1]}xf32>
    %{n}.be = tensor.empty() : tensor<{N}x{C}x{OH}x{OW}xf32>
    %{n}.best = linalg.fill ins(%{n}.low : f32) outs(%{n}.be : tensor<{N}x{C}x{OH}x{OW}xf32>) -> tensor<{N}x{C}x{OH}x{OW}xf32>
    %{n}.ae = tensor.empty() : tensor<{N}x{C}x{OH}x{OW}xi32>
    %{n}.at = linalg.fill ins(%{n}.none : i32) outs(%{n}.ae : tensor<{N}x{C}x{OH}x{OW}xi32>) -> tensor<{N}x{C}x{OH}x{OW}xi32>
    %{n}.max:2 = linalg.generic {{indexing_maps = [
        affine_map<(n, c, i, j, k, l) -> (n, c, i * {S[0]} + k, j * {S[1]} + l)>, affine_map<(n, c, i, j, k, l) -> (k, l)>,
        affine_map<(n, c, i, j, k, l) -> (n, c, i, j)>, affine_map<(n, c, i, j, k, l) -> (n, c, i, j)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}}
        ins(%{n}.x, %{n}.window : tensor<{N}x{C}x{PH}x{PW}xf32>, tensor<{K[0]}x{K[1]}xf32>)
        outs(%{n}.best, %{n}.at : tensor<{N}x{C}x{OH}x{OW}xf32>, tensor<{N}x{C}x{OH}x{OW}xi32>) {{
    ^bb0(%in: f32, %unused: f32, %best: f32, %at: i32):
      %width = arith.constant {K[1]} : index
      %minus = arith.constant -1 : i32
      %keeps = arith.cmpf oge, %best, %in : f32
      %isSet = arith.cmpi ne, %at, %minus : i32
      %stays = arith.andi %keeps, %isSet : i1
      %k = linalg.index 4 : index
      %l = linalg.index 5 : index
      %row = arith.muli %k, %width : index
      %flat = arith.addi %row, %l : index
      %here = arith.index_cast %flat : index to i32
      %newAt = arith.select %stays, %at, %here : i32
      %newBest = arith.select %stays, %best, %in : f32
      linalg.yield %newBest, %newAt : f32, i32
    }} -> (tensor<{N}x{C}x{OH}x{OW}xf32>, tensor<{N}x{C}x{OH}x{OW}xi32>)
    %{n}.atp = tensor.pad %{n}.max#1 low[0, 0, {R[0]}, {R[1]}] high[0, 0, {E[0]}, {E[1]}] {{
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %{n}.none : i32
    }} : tensor<{N}x{C}x{OH}x{OW}xi32> to tensor<{N}x{C}x{QH}x{QW}xi32>
    %{n}.dyp = tensor.pad {dy} low[0, 0, {R[0]}, {R[1]}] high[0, 0, {E[0]}, {E[1]}] {{
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %{n}.zero : f32
    }} : {tdy} to tensor<{N}x{C}x{QH}x{QW}xf32>
    %{n}.rows = tensor.empty() : tensor<{M[0]}x{M[1]}xf32>
    %{n}.de = tensor.empty() : tensor<{N}x{C}x{I}x{S[0]}x{J}x{S[1]}xf32>
    %{n}.dz = linalg.fill ins(%{n}.zero : f32) outs(%{n}.de : tensor<{N}x{C}x{I}x{S[0]}x{J}x{S[1]}xf32>) -> tensor<{N}x{C}x{I}x{S[0]}x{J}x{S[1]}xf32>
    %{n}.dx = linalg.generic {{indexing_maps = [
        affine_map<(n, c, i, p, j, q, a, b) -> (n, c, i + a, j + b)>, affine_map<(n, c, i, p, j, q, a, b) -> (n, c, i + a, j + b)>,
        affine_map<(n, c, i, p, j, q, a, b) -> (a, b)>, affine_map<(n, c, i, p, j, q, a, b) -> (n, c, i, p, j, q)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}}
        ins(%{n}.atp, %{n}.dyp, %{n}.rows : tensor<{N}x{C}x{QH}x{QW}xi32>, tensor<{N}x{C}x{QH}x{QW}xf32>, tensor<{M[0]}x{M[1]}xf32>)
        outs(%{n}.dz : tensor<{N}x{C}x{I}x{S[0]}x{J}x{S[1]}xf32>) {{
    ^bb0(%at: i32, %dy: f32, %unused: f32, %sum: f32):
      %high = arith.constant {S[0]} : index
      %wide = arith.constant {S[1]} : index
      %lastA = arith.constant {R[0]} : index
      %lastB = arith.constant {R[1]} : index
      %rows = arith.constant {K[0]} : index
      %columns = arith.constant {K[1]} : index
      %p = linalg.index 3 : index
      %q = linalg.index 5 : index
      %a = linalg.index 6 : index
      %b = linalg.index 7 : index
      %da = arith.subi %lastA, %a : index
      %db = arith.subi %lastB, %b : index
      %ma = arith.muli %da, %high : index
      %mb = arith.muli %db, %wide : index
      %k = arith.addi %ma, %p : index
      %l = arith.addi %mb, %q : index
      %inside = arith.cmpi slt, %l, %columns : index
      %line = arith.muli %k, %columns : index
      %flat = arith.addi %line, %l : index
      %here = arith.index_cast %flat : index to i32
      %isHere = arith.cmpi eq, %here, %at : i32
      %isChosen = arith.andi %inside, %isHere : i1
      %more = arith.addf %sum, %dy : f32
      %new = arith.select %isChosen, %more, %sum : f32
      linalg.yield %new : f32
    }} -> tensor<{N}x{C}x{I}x{S[0]}x{J}x{S[1]}xf32>
    %{n}.flat = tensor.collapse_shape %{n}.dx [[0], [1], [2, 3], [4, 5]] : tensor<{N}x{C}x{I}x{S[0]}x{J}x{S[1]}xf32> into tensor<{N}x{C}x{IH}x{JW}xf32>
    {to} = tensor.extract_slice %{n}.flat[0, 0, {low[0]}, {low[1]}] [{N}, {C}, {H}, {W}] [1, 1, 1, 1] : tensor<{N}x{C}x{IH}x{JW}xf32> to {tx}
"""


def numbers(text):
    return [int(number) for number in re.findall(r"-?\d+", text)]


def write_pool(found, number):
    how = found["how"]
    if "arith.cmpf oge" not in found["select"] or "arith.addf" not in found["scatter"]:
        sys.exit("a select_and_scatter that is no gradient of a max-pool")
    window, stride = (numbers(re.search(rf"{name} = array<i64: ([^>]*)>", how)[1])
                      for name in ("window_dimensions", "window_strides"))
    padding = re.search(r"padding = dense<(.*?)> :", how)
    low_high = numbers(padding[1]) if padding else [0]
    low_high *= 8 // len(low_high)
    if len(window) != 4 or window[:2] != [1, 1] or any(low_high[:4]) or len(low_high) != 8:
        sys.exit("a max-pool over other than the last two of four dimensions")
    shape, out = (numbers(re.match(r"tensor<((?:\d+x)+)f32>", found[name])[1]) for name in ("tx", "tdy"))
    low, high, sides, outs = [], [], shape[2:], out[2:]
    kernel, step = window[2:], stride[2:]
    reach = [(k - 1) // s for k, s in zip(kernel, step)]
    padded, parts, end = [], [], []
    for side, (size, k, s, o) in enumerate(zip(sides, kernel, step, outs)):
        low.append(low_high[4 + 2 * side])
        high.append(low_high[5 + 2 * side])
        padded.append(size + low[-1] + high[-1])
        parts.append(max(-(-padded[-1] // s), o))
        end.append(parts[-1] - o)
    return POOL.format(
        n=f"pool{number}", x=found["x"], dy=found["dy"], to=found["to"], tx=found["tx"],
        tdy=found["tdy"], N=shape[0], C=shape[1], H=sides[0], W=sides[1], PH=padded[0], PW=padded[1],
        OH=outs[0], OW=outs[1], K=kernel, S=step, R=reach, E=end, M=[r + 1 for r in reach],
        QH=outs[0] + reach[0] + end[0], QW=outs[1] + reach[1] + end[1], I=parts[0], J=parts[1],
        IH=parts[0] * step[0], JW=parts[1] * step[1], low=low, high=high)


def lower(module):
    passmanager.PassManager.parse(PASSES).run(module.operation)
    text = module.operation.get_asm()
    for number, found in enumerate(SCATTER.finditer(text)):
        text = text.replace(found[0], write_pool(found, number), 1)
    left = sorted(set(re.findall(r'"?((?:stablehlo|chlo)\.\w+)', text)))
    if left:
        sys.exit(f"nothing lowers {', '.join(left)}")
    return text


def cross_entropy(logits, labels):
    ones = jax.nn.one_hot(labels, logits.shape[-1])
    return -(ones * jax.nn.log_softmax(logits)).sum(-1).mean()


def get_step(args, context):
    if not args.model:
        with open(args.step, encoding="utf-8") as file:
            return ir.Module.parse(file.read(), context)
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "jax"))
    import architectures  # pylint: disable=import-outside-toplevel
    import models  # pylint: disable=import-outside-toplevel
    architectures.cross_entropy = cross_entropy
    sizes = {name: getattr(args, name) for name in ("images", "size", "width") if getattr(args, name)}
    step, state, batch = models.MODELS[args.model](lambda layer: layer, lambda loss: loss, **sizes)
    lowered = jax.jit(step, donate_argnums=0).lower(state, *batch)
    text = lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
    return ir.Module.parse(text, context)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("step", nargs="?")
    parser.add_argument("--model")
    for name in ("images", "size", "width"):
        parser.add_argument(f"--{name}", type=int)
    args = parser.parse_args()
    if bool(args.step) == bool(args.model):
        parser.error("name a file or a model")
    stablehlo.register_stablehlo_passes()
    context = jax_mlir.make_ir_context()
    _mosaic_gpu_ext.register_inliner_extensions(context)
    with context:
        print(lower(get_step(args, context)))


if __name__ == "__main__":
    main()
