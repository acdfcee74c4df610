"""Plans of joint graphs are kept; a damaged one is made anew."""

import glob
import json
import sys
import warnings

import torch

from torch_common import Layers, run, schedule

folder = sys.argv[1]
torch.manual_seed(0)
model, x = Layers(), torch.randn(512, 32)
expected = run(model, model, [x])


def plan(budget, **options):
    model.zero_grad(set_to_none=True)
    planned = schedule(model, budget, cache=folder, **options)
    for a, b in zip(expected, run(planned, model, [x])):
        assert torch.equal(a, b)
    (made,) = planned.plans
    return made


first = plan("70%")
assert not first.cached and first.extra > 0, first
again = plan("70%")
assert again.cached and again.repeated == first.repeated, again
assert again.planned == first.planned and "from the cache" in str(again)
# Another budget, other means and other sizes are other plans.
assert not plan("80%").cached
assert not plan("100%", means="none").cached
x = torch.randn(256, 32)
model.zero_grad(set_to_none=True)
expected = run(model, model, [x])
assert not plan("70%").cached and plan("70%").cached

# What somebody wrote into the files is not believed.
for path in glob.glob(folder + "/*.json"):
    stored = json.load(open(path))
    stored["plan"]["schedule"] = stored["plan"]["schedule"][:-1]
    json.dump(stored, open(path, "w"))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    assert not plan("70%").cached
assert any("damaged" in str(w.message) for w in said)
print("plans of joint graphs are kept")
