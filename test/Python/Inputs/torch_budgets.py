"""What torch's allocator counts is what was planned, to the byte, and the values
are those of the model as it is."""

import torch

import pebble.torch
from torch_common import Layers, schedule

torch.manual_seed(0)
model, x = Layers(width=64), torch.randn(512, 64)


def step(function):
    loss = function(x)
    loss.backward()
    return loss.detach()


def measure(function):
    model.zero_grad(set_to_none=True)
    step(function)
    model.zero_grad(set_to_none=True)
    measured = pebble.torch.measure(step, function)
    return measured.peak, [measured.result, *(p.grad for p in model.parameters())]


peak, values = measure(model)
extra, saved = [], []
for budget in ("100%", "80%", "65%", "55%"):
    planned = schedule(model, budget)
    taken, got = measure(planned)
    (plan,) = planned.plans
    assert plan.original == peak, (plan, peak)
    assert taken == plan.planned <= plan.budget, (taken, plan)
    assert all(torch.equal(a, b) for a, b in zip(values, got))
    extra.append(plan.extra)
    saved.append(plan.saved)
assert extra == sorted(extra) and extra[0] == 0 < extra[-1], extra
assert saved == sorted(saved, reverse=True), saved

# Convolutions take room inside of them, which is planned for.
convolve = torch.nn.Sequential(
    torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(16, 8, 3)
)
images = torch.randn(8, 3, 32, 32)


planned = schedule(lambda x: convolve(x).square().mean(), "100%")


def convolved(function):
    function(images).backward()


convolved(planned)
convolve.zero_grad(set_to_none=True)
taken = pebble.torch.measure(convolved, planned).peak
assert taken == planned.plans[0].planned, (taken, planned.plans[0])
without = schedule(lambda x: convolve(x).square().mean(), "100%", measure=False)
convolved(without)
assert without.plans[0].planned < taken, (without.plans[0], taken)
print("budgets kept")
