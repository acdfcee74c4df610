"""Finds out what a backend of XLA materialises, and writes its file of rules.

  python -m pebble.jax.calibrate [--name=mine] [--target=h100] > mine.json
  pebble.jax.schedule(step, "60%", backend="mine.json")

For each kind of operation it compiles small programs and runs none of them. So the
GPU of a target need not be there: JAX's plugin for CUDA compiles for it. What was
compiled says which arrays lie in memory, and how much memory it needs:

- a result that one reader fuses with is `fused`; one that lies in memory even so is
  `kept`; one that lies in memory once two steps read it and it is dear is `shared`;
- an operation `reads_memory` if what it reads, an elementwise result, lies in memory;
- it works `in_place` if its result takes no memory beside that of its operand.

What reads memory is asked with cheap operations. Dear ones are fused less often, and
what a step needs inside is measured for each plan.

Kinds that have no probe (collectives, transfers, custom calls) have no rule: they
are kept, and read memory.
"""

import argparse
import json
import math
import re
import sys

import jax
import jax.numpy as jnp
from jax.sharding import SingleDeviceSharding

from pebble.jax import targets, xla

#: Arrays of probes have two sides of this length. A GPU computes dear values of small
#: arrays twice rather than write them.
SIDE, SIDE_ON_GPU = 256, 4096
#: Operations of an element that make a probe dear to compute twice: a tanh counts
#: ten, as for `pebble-group-steps`.
DEAR = 10


def _sort(x):
    return jnp.sort(x, axis=1)


def _window(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (3, 3), (1, 1), "SAME")


def _update(x):
    at = x[0, 0].astype(int)
    return jax.lax.dynamic_update_slice(x, jnp.ones((4, len(x))), (at, 0))


def _loop(x):
    return jax.lax.fori_loop(0, 5, lambda _, v: v * 0.5, x)


def _branch(x):
    return jax.lax.cond(x[0, 0] > 0, lambda v: _sort(v), lambda v: v * 2.0, x)


def _random(x):
    _, bits = jax.lax.rng_bit_generator(
        jnp.arange(4, dtype=jnp.uint32) + x[0, :4].astype(jnp.uint32), x.shape
    )
    return bits.astype(jnp.float32)


#: An instruction of a compiled program, and the sizes of what it makes.
MADE = re.compile(r"\s+(?:ROOT )?%?\S+ = (\(.*?\)|\S+) ([-\w]+)\(")
SIZE = re.compile(r"\w+\[([\d,]+)\]")
RESULTS = ("fused", "shared", "kept")
#: Those that make nothing in memory.
FREE = ("parameter", "constant", "bitcast", "get-tuple-element", "tuple")

def _convolve(x):
    image = x.reshape(1, 1, *x.shape)
    return jax.lax.conv(image, jnp.full((1, 1, 3, 3), 0.1), (1, 1), "SAME")[0, 0]


#: For each kind, what makes an array from a square one.
PROBES = {
    "elementwise": lambda x: x * 2.0 + 1.0,
    "view": lambda x: x.reshape(len(x) // 2, -1)[:, :].reshape(x.shape),
    "layout": lambda x: jnp.pad(x[1:], ((1, 0), (0, 0))),
    "reduction": lambda x: jnp.sum(x.reshape(16, -1, len(x)), axis=2),
    "product": (lambda x: x @ x, _convolve),
    "window": _window,
    "gather": lambda x: x[(jnp.arange(len(x)) * 7 + x[0, 0].astype(int)) % len(x)],
    "update": _update,
    "scatter": lambda x: x.at[(jnp.arange(len(x)) * 7) % len(x)].add(1.0),
    "algorithm": _sort,
    "random": _random,
    "loop": _loop,
    "branch": _branch,
}


class Compiler:
    """Compiles for the backend that JAX runs on, or for the GPU of a `target`."""

    def __init__(self, target=None):
        is_gpu = target or jax.default_backend() != "cpu"
        self.side = SIDE_ON_GPU if is_gpu else SIDE
        self.sharding, self.options = None, {}
        if target:
            self.sharding = SingleDeviceSharding(targets.find_device(target))
        elif not is_gpu:
            self.options = xla.OBEY
        self.array = self.shape((self.side, self.side))

    def shape(self, shape, dtype=jnp.float32):
        return jax.ShapeDtypeStruct(shape, dtype, sharding=self.sharding)

    def count_arrays(self, least, function, *shapes):
        """Arrays of `least` elements or more that lie in memory in the compiled
        function: what a loop or a fusion makes inside does not."""
        text = jax.jit(function).lower(*shapes).compile().as_text()
        count = 0
        for line in text[text.index("\nENTRY ") :].splitlines()[2:]:
            made = MADE.match(line)
            if made and made[2] not in FREE:
                sizes = (math.prod(map(int, s.split(","))) for s in SIZE.findall(made[1]))
                count += sum(size >= least for size in sizes)
        return count

    def count_temporaries(self, function, *shapes):
        """Temporary memory of the function, in halves of an array; a few numbers do not
        count. Barriers stay where they are."""
        lowered = jax.jit(function).lower(*shapes)
        stats = lowered.compile(compiler_options=self.options).memory_analysis()
        if stats is None:
            raise SystemExit("this backend of XLA does not say what memory it takes")
        return math.ceil(stats.temp_size_in_bytes / (self.side * self.side * 2) - 0.1)


def read(value, other):
    """Some numbers of an array that one loop makes of `value`, in a place of its
    own, and that lies in memory itself: it is sorted."""
    shifted = jnp.concatenate([value[1:], value[:1]])
    return _sort(shifted * other[: len(value), : len(value[0])])[0]


def read_twice(value, other):
    # The second reader waits for the first, so that they are no one loop.
    return read(value, other + read(value, other)[0])


def pass_barriers(make):
    barrier = jax.lax.optimization_barrier
    return lambda a: barrier(make(barrier(jnp.sin(a))))[0]


def pass_sorts(make):
    return lambda a: _sort(make(_sort(a)))[0]


def find_rule(make, compiler):
    """What becomes of the result of `make`, and of what it reads."""
    x = compiler.array
    made = jax.eval_shape(make, x)
    made, least = compiler.shape(made.shape, made.dtype), made.size

    def is_made(reader, before):
        """Whether more lies in memory than if the value came from elsewhere."""
        alone = compiler.count_arrays(least, reader, made, x)
        together = lambda a, b: reader(make(before(a)), b)  # noqa: E731
        return compiler.count_arrays(least, together, x, x) > alone

    rule = {"result": "fused"}
    if is_made(read, lambda a: a):
        rule["result"] = "kept"
        reads = compiler.count_arrays(least, lambda a: make(jnp.abs(a) + 1.0), x)
        if reads > compiler.count_arrays(least, make, x):
            rule["reads_memory"] = True
    elif is_made(read_twice, jnp.tanh):
        rule["result"] = "shared"
    # It has the place of what it reads, or takes one. Where a place may be shared
    # depends on who made what lies there: one way of the two is enough.
    ways = (pass_barriers(make), pass_sorts(make))
    is_placed = any(compiler.count_temporaries(way, x) == 2 for way in ways)
    if is_placed and made.size == x.size:
        rule["in_place"] = True
    return rule


def join(rules):
    """One rule of what is in memory by any of several, and in place by all."""
    joined = {"result": max((r["result"] for r in rules), key=RESULTS.index)}
    if any("reads_memory" in rule for rule in rules):
        joined["reads_memory"] = True
    if all("in_place" in rule for rule in rules):
        joined["in_place"] = True
    return joined


def calibrate(name, target=None):
    """The rules of the backend that JAX runs on, or of XLA for the GPU of `target`, as
    the JSON object of a file."""
    compiler = Compiler(target)
    rules = {"constant": {"result": "fused"}}
    for kind, makers in PROBES.items():
        makers = makers if isinstance(makers, tuple) else (makers,)
        rules[kind] = join([find_rule(make, compiler) for make in makers])
    return {"backend": name, "dear": DEAR, "rules": rules}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--name", help="xla-cpu or xla-gpu, by what it is compiled for")
    parser.add_argument(
        "--target", help=f"a GPU that is not there: {', '.join(targets.TARGETS)}"
    )
    options = parser.parse_args()
    platform = "gpu" if options.target else jax.default_backend()
    name = options.name or f"xla-{platform}"
    json.dump(calibrate(name, options.target), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
