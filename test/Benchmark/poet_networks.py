#!/usr/bin/env python3
"""Writes the training steps that POET was evaluated on, for pebble-solve.

  poet_networks.py NETWORK [BATCH]

NETWORK is linear, vgg16, vgg16_cifar, resnet18, resnet18_cifar, resnet50,
transformer (one block) or bert (twelve). One operation a layer, forward and
backward, at the granularity, with the sizes and with the arithmetic that POET
publishes (Patil et al. 2022; ShishirPatil/poet, poet/architectures and
poet/power_computation.py): sizes in floats, costs in operations, both divided
by what divides them all, which is printed as "unit". Parameters are not counted
and not stored, and nothing is required at the end. What is published and kept
here because the comparison is with what POET solves:

  - a gradient of layer i reads the outputs of layers i and i + 1 and the
    gradient before it, has the size of layer i + 1 and takes twice the
    arithmetic of layer i; additions around a block have no gradient of theirs;
  - a linear layer counts 2 ((in + 1) out) + out operations whatever its rows;
  - the second addition of a transformer block reads what goes into the first.
"""

import json
import math
import sys


class Network:
    """Layers in the order of their runs; a layer is the index of its output."""

    def __init__(self, name, shape):
        self.name = name
        self.kinds, self.shapes, self.work, self.reads = [], [], [], []
        self.last = self.layer("input", shape, 0, [])

    def layer(self, kind, shape, work, reads):
        self.kinds.append(kind)
        self.shapes.append(tuple(shape))
        self.work.append(work)
        self.reads.append(reads)
        self.last = len(self.kinds) - 1
        return self.last

    def size(self, layer):
        return math.prod(self.shapes[layer])

    def conv(self, channels, kernel, stride=1, padding=0, of=None):
        of = self.last if of is None else of
        batch, _, height, width = self.shapes[of]
        shape = (batch, channels, (height - kernel + 2 * padding) // stride + 1,
                 (width - kernel + 2 * padding) // stride + 1)
        work = 2 * kernel ** 2 * self.size(of) * channels + math.prod(shape)
        return self.layer("conv", shape, work, [of])

    def pool(self, kernel, stride):
        batch, channels, height, width = self.shapes[self.last]
        shape = (batch, channels, (height - kernel) // stride + 1,
                 (width - kernel) // stride + 1)
        return self.layer("pool", shape, 2 * kernel ** 2 * math.prod(shape),
                          [self.last])

    def linear(self, width, relu=False):
        rows, before = self.shapes[self.last]
        work = 2 * (before + 1) * width + width + relu * rows * width
        return self.layer("linear", (rows, width), work, [self.last])

    def pointwise(self, kind, each=1, of=None):
        of = self.last if of is None else of
        return self.layer(kind, self.shapes[of], each * self.size(of), [of])

    def norm(self):
        return self.pointwise("norm", 2)

    def relu(self):
        return self.pointwise("relu")

    def add(self, one, other):
        return self.layer("add", self.shapes[one], self.size(one), [one, other])

    def flatten(self):
        batch, *rest = self.shapes[self.last]
        return self.layer("flatten", (batch, math.prod(rest)),
                          self.size(self.last), [self.last])

    def train(self, classes):
        """The loss, and a gradient for each layer but the loss."""
        self.layer("loss", (classes,), self.size(self.last) * classes, [self.last])
        for layer in reversed(range(self.last)):
            reads = [layer, layer + 1]
            if self.last != layer + 1:
                reads.append(self.last)
            self.layer("d_" + self.kinds[layer], self.shapes[layer + 1],
                       2 * self.work[layer], reads)
        return self

    def problem(self):
        """The "ops" format of pebble-solve."""
        sizes = [self.size(layer) for layer in range(len(self.kinds))]
        unit = math.gcd(*sizes, *self.work)
        names = [f"{kind}{layer}" for layer, kind in enumerate(self.kinds)]
        return {"name": self.name, "unit": unit, "outputs": [], "ops": [
            {"name": names[layer], "inputs": [names[r] for r in self.reads[layer]],
             "cost": self.work[layer] // unit, "size": sizes[layer] // unit}
            for layer in range(len(names))]}


def linear(batch):
    net = Network("linear", (batch, 784))
    for width in (10, 120, 100, 200, 10, 10):
        net.linear(width)
        net.relu()
    return net.train(10)


def vgg16(name, batch, classes, side):
    net = Network(name, (batch, 3, side, side))
    for channels, convs in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(convs):
            net.conv(channels, 3, padding=1)
            net.relu()
        net.pool(2, 2)
    net.flatten()
    for _ in range(2):
        net.linear(4096)
        net.relu()
        net.pointwise("dropout")
    net.linear(classes)
    return net.train(classes)


def resnet18(batch):
    net = Network("resnet18", (batch, 3, 224, 224))
    net.conv(64, 7, 2, 3)
    net.norm()
    net.pool(3, 2)
    for channels, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        for first in (stride, 1):
            net.conv(channels, 3, first, 1)
            net.norm()
            around = net.relu()
            net.conv(channels, 3, 1, 1)
            net.add(around, net.norm())
            net.relu()
    return head(net, 7, 1000)


def resnet50(batch):
    net = Network("resnet50", (batch, 3, 224, 224))
    net.conv(64, 7, 2, 3)
    net.norm()
    net.pool(3, 2)
    for channels, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2),
                                     (512, 3, 2)):
        for block in range(blocks):
            net.conv(channels, 1, stride if block == 0 else 1)
            net.norm()
            around = net.relu()
            net.conv(channels, 3, 1, 1)
            net.norm()
            net.relu()
            net.conv(4 * channels, 1)
            net.add(net.norm(), around)
            net.relu()
    return head(net, 7, 1000)


def resnet18_cifar(batch):
    net = Network("resnet18_cifar", (batch, 3, 32, 32))
    net.conv(16, 3, 1, 1)
    net.norm()
    for channels, stride in ((16, 1), (32, 2), (64, 2)):
        for first in (stride, 1):
            before = net.last
            net.conv(channels, 3, first, 1)
            net.norm()
            net.relu()
            net.conv(channels, 3, 1, 1)
            net.norm()
            through = net.relu()
            net.conv(channels, 3, first, 1, of=before)
            net.add(through, net.norm())
            net.relu()
    return head(net, 8, 10)


def head(net, kernel, classes):
    net.pool(kernel, 1)
    net.flatten()
    net.linear(classes)
    return net.train(classes)


def bert(name, blocks, rows=512, hidden=768, each=64, heads=12):
    net = Network(name, (rows, hidden))
    for _ in range(blocks):
        before = net.last
        net.layer("qkv", (3 * rows, each, heads),
                  3 * rows * hidden * each * heads, [before])
        net.layer("scores", (rows, rows, heads),
                  rows * each * rows * heads + 2 * rows * rows * heads, [net.last])
        net.layer("values", (rows, each * heads),
                  2 * rows * rows * each * heads, [net.last])
        inner = net.linear(hidden)
        net.add(before, inner)
        net.linear(4 * hidden, relu=True)
        net.linear(hidden)
        net.add(inner, net.last)
    return net.train(rows)


NETWORKS = {
    "linear": linear,
    "vgg16": lambda batch: vgg16("vgg16", batch, 1000, 224),
    "vgg16_cifar": lambda batch: vgg16("vgg16_cifar", batch, 10, 32),
    "resnet18": resnet18,
    "resnet18_cifar": resnet18_cifar,
    "resnet50": resnet50,
    "transformer": lambda batch: bert("transformer", 1),
    "bert": lambda batch: bert("bert", 12),
}


def main():
    name, batch = (sys.argv[1:] + ["1"])[:2] if len(sys.argv) > 1 else ("", "1")
    if len(sys.argv) > 3 or name not in NETWORKS or not batch.isdigit() or \
            int(batch) < 1:
        sys.exit(__doc__)
    print(json.dumps(NETWORKS[name](int(batch)).problem(), indent=1))


if __name__ == "__main__":
    main()
