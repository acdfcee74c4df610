"""Models of many kinds: random numbers, buffers that change, several results,
views, operations of one's own, conditionals, reduced precision."""

import torch
from torch import nn
from torch.nn import functional

import pebble.torch
from torch_common import Layers, check

x = torch.randn(256, 32)

plan = check(Layers, [x], "70%")
assert plan.repeated and plan.extra > 0
check(Layers, [x], "70%", compiler="eager", measure=False)
# Random numbers are drawn once, in their order.
check(lambda: Layers(lambda v: functional.dropout(torch.tanh(v), 0.3)), [x], "85%")
# Statistics that the forward pass changes are not read again after it.
check(lambda: Layers(torch.relu, norm=True), [x], "70%")


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


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.bags, self.out = nn.EmbeddingBag(50, 32), nn.Linear(32, 50)

    def forward(self, words, wanted):
        return functional.cross_entropy(self.out(torch.tanh(self.bags(words))), wanted)


words = torch.randint(0, 50, (64, 4)), torch.randint(0, 50, (64,))
check(Words, words, "95%")


@torch.library.custom_op("pebble_test::twice", mutates_args=())
def twice(v: torch.Tensor) -> torch.Tensor:
    return v * 2


twice.register_fake(torch.empty_like)
twice.register_autograd(lambda context, gradient: gradient * 2)
mine = lambda: Layers(lambda v: twice(torch.tanh(v)))  # noqa: E731
# What nobody vouches for runs once; what is named may run again.
once = check(mine, [x], "85%")
assert not any("twice" in name for name in once.repeated)
again = check(mine, [x], "62%", pure="pebble_test::twice")
assert any("twice" in name for name in again.repeated), again.repeated


class Mixed(Layers):
    def forward(self, x):
        with torch.autocast("cpu", torch.bfloat16):
            for layer in self.layers:
                x = torch.tanh(layer(x))
        return x.float().mean()


check(Mixed, [x], "80%")


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 32)

    def forward(self, x):
        y = torch.tanh(self.layer(x))
        z = torch.cond(y.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (y,))
        return torch.tanh(self.layer(z)).mean()


check(Branches, [x], "95%")


class Checkpointed(Layers):
    def forward(self, x):
        for layer in self.layers:
            x = torch.utils.checkpoint.checkpoint(
                lambda v, layer=layer: torch.tanh(layer(v)), x, use_reentrant=False
            )
        return x.sum()


check(Checkpointed, [x], "80%")
print("programs agree")
