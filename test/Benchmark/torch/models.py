"""Three models in plain PyTorch, for table.py: each returns a module whose
result is the loss, and a batch."""

import math

import torch
from torch import nn
from torch.nn import functional


class MLP(nn.Module):
    def __init__(self, depth=6, width=256, classes=16):
        super().__init__()
        sizes = [width] * depth + [classes]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

    def forward(self, x, wanted):
        for layer in self.layers[:-1]:
            x = torch.tanh(layer(x))
        return ((self.layers[-1](x) - wanted) ** 2).mean()


class CNN(nn.Module):
    def __init__(self, size=32, classes=10):
        super().__init__()
        channels = [3] + [32] * 4 + [64] * 4
        self.layers = nn.ModuleList(
            nn.Conv2d(a, b, 3, padding=1) for a, b in zip(channels, channels[1:])
        )
        self.head = nn.Linear(channels[-1] * (size // 4) ** 2, classes)

    def forward(self, x, labels):
        for i, layer in enumerate(self.layers):
            x = functional.relu(layer(x))
            x = functional.avg_pool2d(x, 2) if i % 4 == 3 else x
        return functional.cross_entropy(self.head(x.flatten(1)), labels)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.mix = nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attend(self, x):
        n, t, d = x.shape
        split = self.qkv(x).view(n, t, 3, self.heads, d // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(-1, -2) / math.sqrt(d // self.heads)
        past = torch.ones(t, t, dtype=torch.bool).tril()
        share = torch.softmax(scores.masked_fill(~past, -1e9), -1)
        return self.mix((share @ v).transpose(1, 2).reshape(n, t, d))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        hidden = functional.gelu(self.up(self.norm2(x)), approximate="tanh")
        return x + self.down(hidden)


class Transformer(nn.Module):
    def __init__(self, depth=4, width=256, words=512, length=256, heads=4):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Parameter(0.02 * torch.randn(length, width))
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, words, bias=False)

    def forward(self, tokens, wanted):
        x = self.words(tokens) + self.places
        for block in self.blocks:
            x = block(x)
        chances = self.out(self.norm(x))
        return functional.cross_entropy(chances.flatten(0, 1), wanted.flatten())


def mlp():
    torch.manual_seed(0)
    return MLP(), (torch.randn(4096, 256), torch.randn(4096, 16))


def cnn():
    torch.manual_seed(0)
    return CNN(), (torch.randn(32, 3, 32, 32), torch.randint(0, 10, (32,)))


def transformer():
    torch.manual_seed(0)
    text = torch.randint(0, 512, (4, 257))
    return Transformer(), (text[:, :-1].contiguous(), text[:, 1:].contiguous())


MODELS = {"mlp": mlp, "cnn": cnn, "transformer": transformer}
