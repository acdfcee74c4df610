"""Programs of many shapes: scans, conditionals, vmap, nested jit, updates in
place, donated, static and named arguments, pytrees, numbers."""

import functools

import jax
import jax.numpy as jnp

from common import assert_close, layers, make_layers, random, schedule

params, x = make_layers(count=4, batch=256)


def check(function, *args, share=0.85, **options):
    named = options.pop("named", {})
    plain = jax.jit(function, static_argnums=options.get("static_argnums", ()))
    expected = plain(*args, **named)
    fresh = jax.tree.map(
        lambda a: jnp.copy(a) if isinstance(a, jax.Array) else a, args
    )
    planned = schedule(function, f"{100 * share:.0f}%", **options)
    got = planned(*fresh, **named)
    plan = planned.plan_for(*args, **named)
    assert plan.reported <= plan.budget, plan
    assert_close(expected, got)
    return plan


def scanned(params, xs):
    def cell(h, x):
        h = jnp.tanh(h @ params[0] + x)
        return h, jnp.sum(h)

    h, sums = jax.lax.scan(cell, jnp.zeros(xs.shape[1:]), xs)
    return jnp.sum(h) + jnp.sum(sums**2)


def around_a_scan(params, xs):
    wide = jnp.exp(jnp.sin(xs) * 0.1)
    other = jnp.sort(wide, axis=-1)
    return scanned(params, xs) + jnp.sum(wide * other)


check(jax.grad(around_a_scan), params, random(7, 32, 64, 32), share=0.999)

batched = jax.vmap(jax.grad(layers), in_axes=(None, 0))
check(batched, params, random(8, 4, 128, 32), share=0.9)


@jax.jit
def inner(w, x):
    return jax.nn.relu(x @ w)


def nested(params, x):
    for w in params:
        x = inner(w, x)
    return jnp.sum(jax.nn.log_softmax(x)[:, 0])


check(jax.value_and_grad(nested), params, x)


def branches(params, x, flag):
    y = jax.lax.cond(flag, lambda v: jnp.sin(v), lambda v: v * v, x)
    return layers(params, y)


check(jax.grad(branches), params, x, jnp.asarray(True))


def with_static(params, x, power, *, scale=1.0):
    return layers(params, x**power) * scale


check(jax.grad(with_static), params, x, 2, static_argnums=2)
check(jax.grad(with_static), params, x, 3, static_argnums=2, named={"scale": 2.0})


def update(state, x):
    value, grads = jax.value_and_grad(layers)(state["params"], x)
    params = [p - 0.1 * g for p, g in zip(state["params"], grads)]
    return {"params": params, "count": state["count"] + 1}, value


plan = check(update, {"params": params, "count": jnp.asarray(0)}, x, donate_argnums=0)
assert plan.reported < plan.original


def scattered(table, index, params):
    return layers(params, jnp.tanh(table[index])) + jnp.sum(table.at[index].add(1.0))


index = jnp.arange(256) * 7 % 128
check(jax.grad(scattered), random(3, 128, 32), index, params, share=0.9)


def drawn(params, x, key):
    for w in params:
        key, use = jax.random.split(key)
        x = jnp.tanh(x @ w) * jax.random.bernoulli(use, 0.9, x.shape)
    return jnp.sum(x * x)


check(jax.grad(drawn), params, x, jax.random.key(0), share=0.9)


def remat(params, x):
    layer = jax.checkpoint(lambda w, x: jnp.tanh(x @ w))
    for w in params:
        x = layer(w, x)
    return jnp.sum(x * x)


check(jax.grad(remat), params, x, share=0.95)


def ignoring(params, unread, x):
    return layers(params, x)


# What is not read is no argument of the planned program either.
unread = random(9, 512, 512)
plan = check(jax.value_and_grad(ignoring), params, unread, x)
assert plan.reported < plan.original < unread.nbytes, plan


def complex_ones(x):
    return jnp.sum(jnp.abs(jnp.fft.fft(jnp.sin(x)) * jnp.fft.fft(jnp.cos(x))))


check(jax.grad(complex_ones), random(5, 64, 256), share=1.0)
print("programs agree")
