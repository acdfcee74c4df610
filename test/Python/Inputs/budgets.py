"""Budgets are kept by XLA's figure, and the results are those of jax.jit; of
two plans they are the same to the bit."""

import jax

from common import assert_close, assert_same, layers, make_layers, schedule

params, x = make_layers()
grad = jax.value_and_grad(layers)
plain = jax.jit(grad)(params, x)
results, extra = [], []
for budget in ("90%", "75%", "60%"):
    planned = schedule(grad, budget)
    results.append(planned(params, x))
    plan = planned.plan_for(params, x)
    assert plan.reported <= plan.budget < plan.original, plan
    assert abs(plan.planned - plan.reported) <= 0.05 * plan.reported, plan
    assert not plan.text.count("pebble"), "something of Pebble is left"
    assert_close(plain, results[-1])
    extra.append(plan.extra)
assert_same(results[0], results[1])
assert_same(results[0], results[2])
assert extra == sorted(extra) and extra[-1] > 0, extra
# What fits is left alone.
loose = schedule(grad, "100%")
assert loose.plan_for(params, x).attempts == 0
assert_same(loose(params, x), plain)
print("budgets kept")
