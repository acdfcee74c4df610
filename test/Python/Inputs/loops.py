"""A scan whose tapes are most of what it takes meets budgets by keeping less of each
step, and then by running its steps again; its results are those of jax.jit."""

import jax
import jax.numpy as jnp

import pebble.jax
from common import assert_close, random, raises, schedule
from pebble.sizes import show

STEPS, ROWS, WIDTH = 60, 8, 32


def recurrent(params, h, xs):
    def cell(h, x):
        return jnp.tanh(h @ params["w"] + x * params["b"]), None

    return jnp.sum(jax.lax.scan(cell, h, xs)[0] ** 2)


def lstm(params, h, xs):
    def cell(state, x):
        h, c = state
        i, f, g = jnp.split(x[:, :1] + h @ params["v"], 3, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jnp.tanh(c), c), None

    (h, _), _ = jax.lax.scan(cell, (h, h), xs)
    return jnp.sum(h * h)


def heat(params, u, xs):
    """Steps without inputs, between other work."""
    u = jnp.sin(u @ params["w"])
    step = lambda u, _: (u + 0.1 * jnp.sin(u * params["b"]), None)  # noqa: E731
    u, _ = jax.lax.scan(step, u, None, length=STEPS)
    return jnp.mean(jnp.exp(u @ params["w"]))


def outputs(params, h, xs):
    """What every step gives out goes into the loss, and the inputs have gradients."""

    def cell(h, x):
        h = jnp.tanh(h @ params["w"] + x)
        return h, jnp.sum(h * params["b"], axis=-1)

    h, ys = jax.lax.scan(cell, h, xs)
    return jnp.sum(h) + jnp.sum(jnp.sin(ys))


params = {
    "w": random(1, WIDTH, WIDTH) / 6,
    "v": random(2, WIDTH, 3 * WIDTH) / 6,
    "b": random(3, WIDTH),
}
arguments = (params, random(4, ROWS, WIDTH), random(5, STEPS, ROWS, WIDTH))

given = sum(a.nbytes for a in jax.tree.leaves(arguments))


def check(function, share, argnums=(0, 1)):
    """Planned within a share of what it takes beyond its arguments."""
    gradient = jax.value_and_grad(function, argnums=argnums)
    original = schedule(gradient, "100%").plan_for(*arguments).original
    planned = schedule(gradient, int(given + share * (original - given)))
    plan = planned.plan_for(*arguments)
    assert plan.reported <= plan.budget < original, plan
    assert_close(jax.jit(gradient)(*arguments), planned(*arguments))
    assert "pebble." not in plan.text, "something of Pebble is left"
    # The states of a driver are there once. XLA may lay temporaries where results
    # will lie, which no plan counts on.
    assert plan.planned >= 0.95 * plan.reported, plan
    assert plan.planned <= 1.15 * plan.reported, plan
    return plan


def check_tapes(function, share, argnums=(0, 1)):
    """Planned by tapes that keep less; adds less than one run of all steps."""
    plan = check(function, share, argnums)
    assert plan.slots is None and plan.tapes > 0, plan
    assert f"keep {show(plan.tapes)} on tapes" in str(plan)
    assert 0 <= plan.extra < 0.5, plan
    return plan


def check_states(function, share, argnums=(0, 1)):
    """Planned by a driver that keeps some of the states."""
    plan = check(function, share, argnums)
    assert plan.tapes is None, plan
    assert 1 < plan.slots < STEPS and f"keep {plan.slots} states" in str(plan)
    return plan


# The less there is, the less is kept, and the more runs again.
plans = [check_tapes(recurrent, 0.7), check_tapes(recurrent, 0.45),
         check_states(recurrent, 0.28), check_states(recurrent, 0.22)]  # fmt: skip
assert plans[0].tapes > plans[1].tapes and plans[2].slots > plans[3].slots, plans
extra = [plan.extra for plan in plans]
assert extra == sorted(extra) and len(set(extra)) == 4 and extra[-1] < 3, extra
check_tapes(lstm, 0.5)
check_tapes(heat, 0.6)
check_tapes(outputs, 0.7, argnums=(0, 1, 2))

# What no number of states does is refused, with the least that one does.
gradient = jax.value_and_grad(recurrent)
error = raises(
    pebble.jax.Infeasible, "smallest",
    lambda: schedule(gradient, 1000).plan_for(*arguments),
)
assert 1000 < error.least < plans[0].original, error.least
print("loops are reversed")
