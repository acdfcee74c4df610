"""Rules that are measured are planned with, and are much like those that are known."""

import json
import os
import sys

import jax
import numpy as np
from common import assert_close, layers, make_layers, raises

import pebble.jax

folder = sys.argv[1]
rules = json.load(open(os.path.join(folder, "mine.json")))
assert rules["backend"] == "mine"
found = {kind: rule["result"] for kind, rule in rules["rules"].items()}
assert found["constant"] == "fused" and found["elementwise"] == "shared", found
for kind in ("product", "window", "scatter", "algorithm", "loop", "branch"):
    assert found[kind] == "kept", found
assert rules["rules"]["product"]["reads_memory"], rules
for kind in ("elementwise", "update", "loop"):
    assert rules["rules"][kind].get("in_place"), rules
assert "reads_memory" not in rules["rules"]["reduction"], rules

step = jax.value_and_grad(layers)
arguments = make_layers()
expected = jax.jit(step)(*arguments)
options = {"time_limit": 2.0, "cache": folder, "verbose": False}
# By rules for a GPU, what is compiled here keeps its budget, too.
on_gpu = pebble.jax.schedule(step, "70%", backend="xla-gpu", **options)
plan = on_gpu.plan_for(*arguments)
assert plan.reported <= plan.budget and plan.attempts, plan
assert_close(expected, on_gpu(*arguments))

path = os.path.join(folder, "mine.json")
planned = pebble.jax.schedule(step, "70%", backend=path, **options)
plan = planned.plan_for(*arguments)
assert plan.reported <= plan.budget and plan.attempts, plan
assert_close(expected, planned(*arguments))

# Other rules in the same file are another plan.
again = pebble.jax.schedule(step, "70%", backend=path, **options)
assert again.plan_for(*arguments).cached
rules["dear"] = 1000
json.dump(rules, open(path, "w"))
other = pebble.jax.schedule(step, "70%", backend=path, **options)
assert not other.plan_for(*arguments).cached
np.testing.assert_array_less(0, other.plan_for(*arguments).attempts)

raises(
    pebble.jax.PebbleError,
    "no backend 'none.json' is known",
    lambda: pebble.jax.schedule(step, "70%", backend="none.json", **options)(*arguments),
)
print("measured rules are planned with")
