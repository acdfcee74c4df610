"""Lowers gradients of overlapping max-pools, runs them, and compares them with JAX.

  max-pools.py TO_LINALG DIR
"""

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy

# Shape, window, strides, padding.
POOLS = [
    ((2, 3, 16, 16), (3, 3), (2, 2), ((1, 1), (1, 1))),
    ((1, 2, 9, 11), (3, 2), (2, 1), ((1, 0), (0, 1))),
    ((1, 1, 10, 10), (3, 3), (1, 1), ((0, 0), (0, 0))),
]


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr[:2000]}")
    return done.stdout


def main():
    tool, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for number, (shape, window, strides, padding) in enumerate(POOLS):
        def pool(x):
            # pylint: disable=cell-var-from-loop
            return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1) + window, (1, 1) + strides,
                                         ((0, 0), (0, 0)) + padding)

        def gradient(x, g):
            # pylint: disable=cell-var-from-loop
            return jax.vjp(pool, x)[1](g)[0]

        random = numpy.random.default_rng(number)
        # Few numbers, so that there are equal ones; whole ones, so that sums are exact.
        x = random.integers(0, 4, shape).astype(numpy.float32)
        g = random.integers(-8, 9, pool(x).shape).astype(numpy.float32)
        lowered = jax.jit(gradient).lower(x, g).compiler_ir("stablehlo")
        paths = [os.path.join(folder, name) for name in ("hlo.mlir", "linalg.mlir", "x.npy", "g.npy", "out")]
        with open(paths[0], "w", encoding="utf-8") as file:
            file.write(lowered.operation.get_asm(print_generic_op_form=True))
        with open(paths[1], "w", encoding="utf-8") as file:
            file.write(call(sys.executable, tool, paths[0]))
        numpy.save(paths[2], x)
        numpy.save(paths[3], g)
        call("pebble-run", paths[1], "--entry=main", f"--input=0:{paths[2]}", f"--input=1:{paths[3]}",
             f"--output-dir={paths[4]}")
        got = numpy.load(os.path.join(paths[4], "result0.npy"))
        if not numpy.array_equal(got, numpy.asarray(gradient(x, g))):
            sys.exit(f"pool {number} differs")
    print(f"{len(POOLS)} pools are as JAX has them")


if __name__ == "__main__":
    main()
