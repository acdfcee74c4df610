"""Plans are kept by program; a damaged one is made anew."""

import dataclasses
import glob
import json
import os
import sys
import warnings

import jax
import jax.numpy as jnp

from pebble import cache
from common import assert_same, layers, make_layers, schedule

folder = sys.argv[1]
params, x = make_layers(count=4, batch=256)
grad = jax.grad(layers)


def plan(function, budget):
    planned = schedule(function, budget, cache=folder)
    return planned.plan_for(params, x), planned(params, x)


first, result = plan(grad, "80%")
assert not first.cached
again, same = plan(grad, "80%")
assert again.cached and again.text == first.text
assert_same(result, same)
# Another budget and another program are not the same plan.
assert not plan(grad, "85%")[0].cached
twice, _ = plan(jax.grad(lambda p, x: 2 * layers(p, x)), "80%")
assert not twice.cached and twice.text != first.text
# Three files. One with another text than it was written with is not believed.
paths = sorted(glob.glob(folder + "/*.json"))
assert len(paths) == 3, paths
for path in paths:
    mine = json.load(open(path))
    mine["plan"]["text"] = twice.text + "\n"
    json.dump(mine, open(path, "w"))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    anew, result_anew = plan(grad, "80%")
assert not anew.cached and any("damaged" in str(w.message) for w in said)
assert_same(result, result_anew)
# Nor is the whole plan of one program under the name of another.
paths = sorted(glob.glob(folder + "/*.json"))
stored = [open(path).read() for path in paths]
for path, other in zip(paths, stored[1:] + stored[:1]):
    open(path, "w").write(other)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    swapped, result_swapped = plan(grad, "80%")
assert not swapped.cached and any("damaged" in str(w.message) for w in said)
assert_same(result, result_swapped)
# Nor is one that was kept as the plan of this program.
for path in paths:
    key = os.path.basename(path).removesuffix(".json")
    cache.write(folder, key, dataclasses.asdict(twice))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    wrong, result_wrong = plan(grad, "80%")
assert not wrong.cached
assert any("is of another program" in str(w.message) for w in said), said
assert_same(result, result_wrong)
# Nor is what is no file of ours.
for path in paths:
    open(path, "w").write("{")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    assert not plan(grad, "80%")[0].cached
print("plans are kept")
