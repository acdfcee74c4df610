"""Models whose steps torch-mlir lowers."""

import torch
from torch import nn


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(1, 4, 3, padding=1, stride=2)
        self.norm = nn.BatchNorm2d(4)
        self.b = nn.Conv2d(4, 4, 3, padding=1)
        self.c = nn.Linear(4 * 8 * 8, 3)
        self.b.bias.requires_grad_(False)

    def forward(self, x, wanted):
        x = torch.relu(self.norm(self.a(x)))
        x = torch.relu(self.b(x)).flatten(1)
        return torch.nn.functional.cross_entropy(self.c(x), wanted)


class Attention(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        weights = torch.softmax(q @ k.transpose(-1, -2) / 4, -1)
        return (x + self.out(weights @ v)).square().mean()
