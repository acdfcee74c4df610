"""Plans are kept by program; a damaged one is made anew."""

import glob
import json
import sys
import warnings

import jax
import jax.numpy as jnp

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
# Three files. One with another's text is not believed.
paths = sorted(glob.glob(folder + "/*.json"))
assert len(paths) == 3, paths
stored = [json.load(open(path)) for path in paths]
for path, other in zip(paths, stored[1:] + stored[:1]):
    mine = json.load(open(path))
    mine["plan"]["text"] = other["plan"]["text"]
    json.dump(mine, open(path, "w"))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    anew, result_anew = plan(grad, "80%")
assert not anew.cached and any("damaged" in str(w.message) for w in said)
assert_same(result, result_anew)
open(paths[0], "w").write("{")
print("plans are kept")
