#!/usr/bin/env python3
"""Raises and runs what JAX gives for gradients of scans.

  jax-scans.py [--keep=DIR]

Needs JAX (`pip install jax`) and Pebble's programs on the path. An LSTM, a heat
equation and a pointwise recurrence are differentiated by jax.grad, raised by
pebble-raise-loops, checkpointed in four slots and with all states kept, lowered
to linalg by the pass that comes with JAX, run, and held against what JAX
computes. Prints a line for each; fails where gradients differ by more than a
relative 1e-4, or between the two runs at all.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
import numpy
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import stablehlo

STEPS = 50


def lstm(weights, inputs, hidden, cell):
    def step(carry, x):
        h, c = carry
        z = x @ weights["x"] + h @ weights["h"] + weights["b"]
        i, f, g, o = jnp.split(z, 4, axis=1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    (h, _), _ = jax.lax.scan(step, (hidden, cell), inputs)
    return 0.5 * jnp.sum(h * h)


def heat(u, k, seen):
    def step(u, _):
        inside = u[1:-1, 1:-1]
        sides = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        return u + jnp.pad(k * (sides - 4 * inside), 1), None

    u, _ = jax.lax.scan(step, u, None, length=STEPS)
    return 0.5 * jnp.sum((u - seen) ** 2)


def pointwise(u, k, seen):
    u, _ = jax.lax.scan(lambda u, _: (u + k * jnp.sin(u), None), u, None, length=STEPS)
    return 0.5 * jnp.sum((u - seen) ** 2)


def shapes(*all_of_them):
    return tuple(jnp.zeros(shape) for shape in all_of_them)


CASES = {
    "lstm": (jax.grad(lstm), ({"x": jnp.zeros((8, 64)), "h": jnp.zeros((16, 64)), "b": jnp.zeros((64,))},
                              *shapes((STEPS, 4, 8), (4, 16), (4, 16)))),
    "heat": (jax.grad(heat, argnums=(0, 1)), shapes((16, 16), (14, 14), (16, 16))),
    "pointwise": (jax.grad(pointwise, argnums=(0, 1)), shapes((16, 16), (16, 16), (16, 16))),
}


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()[:2000]}")


def generic(text):
    """Without what JAX's copy of MLIR does not know, or cannot convert around."""
    text = re.sub(r"\{pebble\.reversal = \{[^}]*\}\} ", "", text)
    text = re.sub(r'"bufferization.alloc_tensor"\(\) <\{operandSegmentSizes = array<i32: 0, 0, 0>\}>',
                  '"tensor.empty"()', text)
    return re.sub(r'"linalg\.copy"\((%\w+), (%\w+)\) <\{[^}]*\}> \(\{.*?\}\) : \(([^)]*)\) -> ([^\n]*)',
                  r'"any.copy"(\1, \2) : (\3) -> \4', text, flags=re.S)


def to_linalg(source, target):
    context = jax_mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    with context, open(source, encoding="utf-8") as file:
        module = ir.Module.parse(generic(file.read()))
        passmanager.PassManager.parse("builtin.module(stablehlo-legalize-to-linalg)").run(module.operation)
        text = module.operation.get_asm(print_generic_op_form=True)
    text = re.sub(r'"any\.copy"\((%\w+), (%\w+)\) : \((tensor<[^>]*>), (tensor<[^>]*>)\) -> (tensor<[^>]*>)',
                  r"linalg.copy ins(\1 : \3) outs(\2 : \4) -> \5", text)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


def run(name, folder, gradient, arguments):
    lowered = jax.jit(gradient).lower(*arguments).compiler_ir("stablehlo")
    with open(f"{folder}/{name}.mlir", "w", encoding="utf-8") as file:
        file.write(lowered.operation.get_asm(print_generic_op_form=True))
    random = numpy.random.default_rng(1)
    values = [numpy.asarray(random.uniform(0.05, 0.2, each.shape), numpy.float32)
              for each in jax.tree.leaves(arguments)]
    given = []
    for number, value in enumerate(values):
        numpy.save(f"{folder}/{name}-{number}.npy", value)
        given.append(f"--input={number}:{folder}/{name}-{number}.npy")
    wanted = jax.tree.leaves(gradient(*jax.tree.unflatten(jax.tree.structure(arguments), values)))
    digests = set()
    for kept in ("slots=4", "schedule=store-all"):
        call("pebble-opt", f"{folder}/{name}.mlir", "--pebble-pure=stablehlo", "--pebble-raise-loops",
             f"--pebble-checkpoint-loops={kept}", "-mlir-print-op-generic", "-o", f"{folder}/{name}.scf.mlir")
        with open(f"{folder}/{name}.scf.mlir", encoding="utf-8") as file:
            assert "pebble.reversal" in file.read(), f"{name} was not raised"
        to_linalg(f"{folder}/{name}.scf.mlir", f"{folder}/{name}.linalg.mlir")
        call("pebble-run", f"{folder}/{name}.linalg.mlir", "--entry=main", f"--json={folder}/{name}.json",
             f"--output-dir={folder}/{name}.out", *given)
        with open(f"{folder}/{name}.json", encoding="utf-8") as file:
            report = json.load(file)
        digests.add(report["results_sha256"])
        worst = 0
        for number, value in enumerate(wanted):
            got = numpy.load(f"{folder}/{name}.out/result{number}.npy")
            worst = max(worst, float(numpy.abs(got - value).max() / numpy.abs(value).max()))
        if not worst < 1e-4:
            sys.exit(f"{name}, {kept}: gradients differ from JAX's by {worst}")
        print(f"{name}, {kept}: peak {report['peak_bytes']}, {worst:.0e} from JAX's gradients", flush=True)
    if len(digests) != 1:
        sys.exit(f"{name}: results depend on what is kept")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    stablehlo.register_stablehlo_passes()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or scratch
        os.makedirs(folder, exist_ok=True)
        for name, (gradient, values) in CASES.items():
            run(name, folder, gradient, values)


main()
