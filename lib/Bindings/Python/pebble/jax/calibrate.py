"""Finds out what a backend of XLA materialises, and writes its file of rules.

  python -m pebble.jax.calibrate [--name=mine] > mine.json
  pebble.jax.schedule(step, "60%", backend="mine.json")

For each kind of operation it compiles small programs, runs none of them, and reads
how many arrays XLA puts into temporary memory:

- a result that one reader fuses with is `fused`; one that lies in memory even so is
  `kept`; one that lies in memory once two steps read it and it is dear is `shared`;
- an operation `reads_memory` if what it reads, an elementwise result, lies in memory;
- it works `in_place` if its result takes no memory beside that of its operand.

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

SIDE = 256
#: Operations of an element that make a probe dear to compute twice: a tanh counts
#: ten, as for `pebble-group-steps`.
DEAR = 10


def _sort(x):
    return jnp.sort(x, axis=1)


def _window(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (3, 3), (1, 1), "SAME")


def _update(x):
    at = x[0, 0].astype(int)
    return jax.lax.dynamic_update_slice(x, jnp.ones((4, SIDE)), (at, 0))


def _loop(x):
    return jax.lax.fori_loop(0, 5, lambda _, v: v * 0.5, x)


def _branch(x):
    return jax.lax.cond(x[0, 0] > 0, lambda v: _sort(v), lambda v: v * 2.0, x)


def _random(x):
    _, bits = jax.lax.rng_bit_generator(
        jnp.arange(4, dtype=jnp.uint32) + x[0, :4].astype(jnp.uint32), (SIDE, SIDE)
    )
    return bits.astype(jnp.float32)


#: For each kind, what makes an array from one of SIDE x SIDE: another one, or half
#: of one.
PROBES = {
    "elementwise": lambda x: x * 2.0 + 1.0,
    "view": lambda x: x.reshape(SIDE // 2, 2 * SIDE)[:, :].reshape(SIDE, SIDE),
    "layout": lambda x: jnp.pad(x[1:], ((1, 0), (0, 0))),
    "reduction": lambda x: jnp.sum(x.reshape(2, SIDE // 2, SIDE), axis=0),
    "product": lambda x: x @ x,
    "window": _window,
    "gather": lambda x: x[(jnp.arange(SIDE) * 7 + x[0, 0].astype(int)) % SIDE],
    "update": _update,
    "scatter": lambda x: x.at[(jnp.arange(SIDE) * 7) % SIDE].add(1.0),
    "algorithm": _sort,
    "random": _random,
    "loop": _loop,
    "branch": _branch,
}


def count_temporaries(function, *shapes):
    """Temporary memory that XLA has for the function at one time, in halves of an
    array of SIDE x SIDE; a few numbers do not count."""
    lowered = jax.jit(function).lower(*shapes)
    stats = lowered.compile().memory_analysis()
    if stats is None:
        raise SystemExit("this backend of XLA does not say what memory it takes")
    return math.ceil(stats.temp_size_in_bytes / (SIDE * SIDE * 2) - 0.1)


def count_kernels(function, *shapes):
    """What the compiled function runs one after another, one operation each."""
    text = jax.jit(function).lower(*shapes).compile().as_text()
    entry = text[text.index("\nENTRY ") :].splitlines()[2:]
    free = re.compile(r"= \S+ (parameter|constant|bitcast|get-tuple-element|tuple)\(")
    return sum(" = " in line and not free.search(line) for line in entry)


def read(value, other):
    """Some numbers of an array that one loop makes of `value`, in a place of its
    own, and that lies in memory itself: it is sorted."""
    shifted = jnp.concatenate([value[1:], value[:1]])
    return jnp.sort(jnp.tanh(shifted) * other[: len(value)], axis=1)[0]


def find_rule(make):
    """What becomes of the result of `make`, and of what it reads."""
    x = y = jax.ShapeDtypeStruct((SIDE, SIDE), jnp.float32)
    rule = {"result": "fused"}
    size = 2 * jax.eval_shape(make, x).size // (SIDE * SIDE)
    # One is what `read` sorts.
    once = count_temporaries(lambda a, b: read(make(a), b), x, y) - size

    def twice(a, b):
        value = make(jnp.tanh(a))
        # The second reader waits for the first, so that they are no one loop.
        return read(value, b + read(value, b)[0])

    if once >= size:
        rule["result"] = "kept"
        if count_kernels(lambda a: make(jnp.sin(a)), x) > count_kernels(make, x):
            rule["reads_memory"] = True
    elif count_temporaries(twice, x, y) >= 2 * size:
        rule["result"] = "shared"
    # Between two sorts it has the place of what it reads, or takes one.
    if count_temporaries(lambda a, b: _sort(make(_sort(a)))[0], x, y) == 2:
        rule["in_place"] = True
    return rule


def calibrate(name):
    """The rules of the backend that JAX runs on, as the JSON object of a file."""
    rules = {"constant": {"result": "fused"}}
    rules.update((kind, find_rule(make)) for kind, make in PROBES.items())
    return {"backend": name, "dear": DEAR, "rules": rules}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--name", default=f"xla-{jax.default_backend()}")
    options = parser.parse_args()
    json.dump(calibrate(options.name), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
