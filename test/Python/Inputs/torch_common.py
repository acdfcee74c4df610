"""Models for the tests of pebble.torch."""

import copy

import torch
from torch import nn

import pebble.torch


class Layers(nn.Module):
    def __init__(self, act=torch.tanh, count=5, width=32, norm=False):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(count))
        self.act = act
        self.norm = nn.BatchNorm1d(width) if norm else None

    def forward(self, x):
        for layer in self.layers:
            x = self.act(layer(x))
            x = self.norm(x) if self.norm else x
        return (x * x).mean()


def schedule(model, budget, **options):
    torch._dynamo.reset()
    return pebble.torch.schedule(
        model, budget, **{"verbose": False, "time_limit": 10.0, "cache": False, **options}
    )


def run(function, model, batch, times=2):
    """Loss, gradients of inputs and parameters, and buffers after some steps."""
    torch.manual_seed(1)
    arguments = [x.clone().requires_grad_(x.is_floating_point()) for x in batch]
    for _ in range(times):
        results = function(*arguments)
        if isinstance(results, torch.Tensor):
            results = (results,)
        loss = sum((i + 1) * r.float().sum() for i, r in enumerate(results))
        loss.backward()
    gradients = [x.grad for x in (*arguments, *model.parameters()) if x.grad is not None]
    return [loss.detach(), *gradients, *model.buffers()]


def check(make, batch, budget, **options):
    """The planned model's values are the plain one's to the bit, on a budget."""
    torch.manual_seed(0)
    plain = make()
    other = copy.deepcopy(plain)
    planned = schedule(other, budget, **options)
    expected, got = run(plain, plain, batch), run(planned, other, batch)
    assert len(expected) == len(got)
    for a, b in zip(expected, got):
        assert torch.equal(a, b), (make, (a - b).abs().max())
    (plan,) = planned.plans
    assert plan.planned <= plan.budget, plan
    return plan


def refusal(action):
    try:
        action()
    except Exception as error:
        return getattr(error, "inner_exception", error)
    raise AssertionError("nothing was refused")
