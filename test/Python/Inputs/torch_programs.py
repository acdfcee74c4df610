"""Models of many kinds: random numbers, buffers that change, several results,
views."""

import torch
from torch import nn
from torch.nn import functional

from torch_common import Layers, check

x = torch.randn(256, 32)

plan = check(Layers, [x], "70%")
assert plan.repeated and plan.extra > 0
# Random numbers are drawn once, in their order.
check(lambda: Layers(lambda v: functional.dropout(torch.tanh(v), 0.3)), [x], "85%")
# Statistics that the forward pass changes are not read again after it.
check(lambda: Layers(torch.relu, norm=True), [x], "80%")


class Changes(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 32)
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("mean", torch.zeros(32))

    def forward(self, x):
        y = torch.tanh(self.layer(x))
        self.count.add_(1)
        self.mean.mul_(0.9).add_(0.1 * y.detach().mean(0))
        return torch.tanh(torch.exp(y * self.mean) @ self.layer.weight).mean()


check(Changes, [x], "80%")


class Several(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, x):
        hidden = torch.tanh(self.up(x))
        return hidden, torch.sigmoid(self.down(hidden)).t(), hidden @ self.up.weight


check(Several, [x], "90%")


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 96)

    def forward(self, x):
        a, b, c = torch.tanh(self.layer(x)).chunk(3, -1)
        joined = torch.cat([a * b, c.sin()], -1)
        return joined.max(-1)[0].mean() + torch.sort(joined, -1)[0][:, 0].mean()


check(Parts, [x], "85%")
print("programs agree")
