"""More models: operations of one's own, conditionals, reduced precision, wishes
of torch.utils.checkpoint."""

import torch
from torch import nn
from torch.nn import functional

from torch_common import Layers, check

x = torch.randn(256, 32)


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
again = check(mine, [x], "63%", pure="pebble_test::twice")
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
