"""Scans of many forms with thinner tapes: proven, and equal to jax.jit when run."""

import jax
import jax.numpy as jnp

from common import assert_close, random, raises
from pebble import tool
from pebble.jax import loops, xla

STEPS, WIDTH = 7, 12


def scan(cell, **options):
    """The loss of a scan, and of all that its steps give out."""

    def loss(w, h, xs):
        last, outputs = jax.lax.scan(lambda h, x: cell(w, h, x), h, xs, **options)
        return jnp.sum(last * last) + sum(map(jnp.sum, jax.tree.leaves(outputs)))

    return loss


def plain(w, h, x):
    return jnp.tanh(jnp.sin(h @ w) + jnp.exp(-x * x)), None


def masked(w, h, x):
    """Truth values and integers are on tapes."""
    h = jnp.where(h > x, jnp.sin(h @ w), jnp.cos(h))
    return h.at[jnp.argmax(x)].mul(0.5), None


def given_out(w, h, x):
    h = jnp.sin(h @ w) + x
    return h, (jnp.cos(h), jnp.max(h))


def nested(w, h, x):
    """A loop in a step."""
    inner = lambda g, _: (jnp.sin(g * 1.1 + x), None)  # noqa: E731
    return jnp.tanh(jax.lax.scan(inner, h, None, length=3)[0] @ w), None


def branching(w, h, x):
    return jax.lax.cond(x[0] > 0, lambda: jnp.sin(h @ w), lambda: jnp.exp(-h * x)), None


def calling(w, h, x):
    return jax.jit(lambda h: jax.nn.silu(h @ w) * x)(h), None


def half(w, h, x):
    h = jnp.sin(h.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)).astype(jnp.float32)
    return h + x, None


def random_kept(w, h, x):
    key = jax.random.key(jnp.int32(x[0] * 100))
    return jnp.sin(h @ w) * jax.random.bernoulli(key, 0.8, h.shape), None


def twice(w, h, xs):
    """Two pairs of loops; one goes the other way."""
    one = scan(plain)(w, h, xs)
    return one + scan(plain, reverse=True)(w.T, jnp.sin(h), xs)


def whole(w, h, xs):
    """Nothing goes on a tape but parts of what is scanned."""
    return jnp.sum(jax.lax.map(lambda x: jnp.sin(x @ w) * h, xs))


LOSSES = {
    **{cell.__name__: scan(cell) for cell in (
        plain, masked, given_out, nested, branching, calling, half, random_kept)},
    "reverse": scan(plain, reverse=True),
    "twice": twice,
    "in a call": jax.jit(scan(plain)),
    "whole": whole,
}  # fmt: skip
ARGUMENTS = (random(1, WIDTH, WIDTH) / 3, random(2, WIDTH), random(3, STEPS, WIDTH))
thinned = 0


def check(name, loss):
    """Thinner by a quarter, by half, and by as much as can be."""
    global thinned
    gradient = jax.jit(jax.value_and_grad(loss, argnums=(0, 1, 2)))
    expected = gradient(*ARGUMENTS)
    exported = xla.export_function(gradient, ARGUMENTS, {})
    text = xla.to_text(exported)
    _, least = loops.thin(text, "min")
    if least is None:
        print(f"{name}: as it is")
        return
    kept = []
    for budget in (least.given * 3 // 4, least.given // 2, least.least):
        made, tapes = loops.thin(text, max(budget, least.least))
        assert tapes.kept <= max(budget, least.least) < tapes.given, tapes
        loops.check(text, made)
        call = jax.jit(xla.make_call(exported, made)).lower(*ARGUMENTS)
        assert_close(expected, call.compile(compiler_options=xla.OBEY)(*ARGUMENTS))
        kept.append(tapes.kept)
        thinned += 1
    print(f"{name}: {least.given} bytes, {kept}")
    if least.least:
        raises(tool.PebbleError, "smallest feasible budget is", lambda: loops.thin(
            text, least.least - 1))  # fmt: skip


for name, loss in LOSSES.items():
    check(name, loss)
assert thinned == 3 * len(LOSSES), thinned
print("tapes are thinner")
