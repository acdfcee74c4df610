"""A training step within a budget; docs/PyTorch.md shows parts of this file."""

import copy

import torch
from torch import nn

import pebble.torch


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(64, 64) for _ in range(8))

    def forward(self, x, wanted):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return ((x - wanted) ** 2).mean()


def train_step(model, x, wanted):
    loss = model(x, wanted)
    loss.backward()
    return loss.detach()


torch.manual_seed(0)
model = Model()
plain = copy.deepcopy(model)
x, wanted = torch.randn(1024, 64), torch.randn(1024, 64)
train_step(plain, x, wanted)

planned = pebble.torch.schedule(model, budget="70%")
loss = train_step(planned, x, wanted)

for a, b in zip(plain.parameters(), model.parameters()):
    assert torch.equal(a.grad, b.grad)
model.zero_grad(set_to_none=True)
measured = pebble.torch.measure(train_step, planned, x, wanted)
print(f"took {measured.peak}, planned {planned.plans[0].planned}")
assert measured.peak == planned.plans[0].planned
