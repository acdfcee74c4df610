"""A training step within a budget; docs/Jax.md shows parts of this file."""

import jax
import jax.numpy as jnp

import pebble.jax


def loss(params, x, y):
    for w, b in params:
        x = jnp.tanh(x @ w + b)
    return jnp.mean((x - y) ** 2)


def train_step(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), value


keys = jax.random.split(jax.random.key(0), 8)
params = [(0.1 * jax.random.normal(k, (64, 64)), jnp.zeros(64)) for k in keys]
x = jax.random.normal(keys[0], (1024, 64))
y = jnp.zeros((1024, 64))

step = pebble.jax.schedule(train_step, budget="70%", donate_argnums=0)
plain = jax.jit(train_step)

expected, _ = plain(params, x, y)
plan = step.plan_for(params, x, y)
params, value = step(params, x, y)

assert plan.reported <= plan.budget < plan.original
for a, b in zip(jax.tree.leaves(expected), jax.tree.leaves(params)):
    assert jnp.allclose(a, b, rtol=1e-5, atol=1e-7)
print(f"loss {value:.4f}")
