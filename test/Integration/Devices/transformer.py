#!/usr/bin/env python3
"""Writes a training step of a transformer, for one device or for each of several.

    transformer.py KIND --layers=N --width=N ... --ranks=N > step.mlir
    transformer.py --data=DIR KIND ...     writes tokens, labels and weights, cut for each rank
    transformer.py --compare=DIR KIND ...  compares results of all ranks with those of one

The step is that of Transformer/transformer-step.py. KIND says who has what:

    one       one device has everything
    data      each rank has a part of the batch, and all weights; gradients are added up
    tensor    each rank has some heads and some hidden units: columns of the weights into
              them, rows of those out of them; what comes out is added up
    sharded   each rank has a part of the batch, and rows of each weight, which is gathered
              where it is used; of a gradient it gets its rows

Ranks add up in another order than one device does, so results are compared within a
bound: BOUND times the largest entry of a tensor.
"""

import argparse
import copy
import importlib.util
import os
import re
import sys

import forms

HERE = os.path.dirname(os.path.abspath(__file__))
BOUND = 2e-5


def load_step():
    path = os.path.join(HERE, "..", "Transformer", "transformer-step.py")
    spec = importlib.util.spec_from_file_location("transformer_step", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


step = load_step()
COLUMNS = re.compile(r"l\d+_(w[qkv1]|b1)$")
ROWS = re.compile(r"l\d+_w[o2]$")
# Products of parts, whose sum over the ranks is the whole.
PARTIAL = re.compile(r"l\d+_(attended|projected)$|d_l\d+_(norm1_[qkv]|norm2)$")


class RankFunction(step.Function):
    def __init__(self, name, kind, ranks):
        super().__init__(name)
        self.kind, self.ranks = kind, ranks

    def collective(self, what, name, value, shape):
        kind = step.tensor(shape)
        self.lines += [
            f"%{name}_to = tensor.empty() : {kind}",
            f"%{name} = pebble.collective {what} {self.use(value)} into %{name}_to group = {self.ranks} "
            f"stride = 1 ranks = {self.ranks} : {step.type_of(value)}, {kind} -> {kind}"]
        return step.Value(name, tuple(shape), "f32", self)

    def matmul(self, name, a, b):
        if self.kind != "tensor" or not PARTIAL.match(name):
            return super().matmul(name, a, b)
        part = super().matmul(name + "_part", a, b)
        return self.collective("all_reduce", name, part, part.shape)


class RankStep(step.Step):
    def __init__(self, options):
        self.kind, self.ranks = options.kind, options.ranks
        local = copy.copy(options)
        if self.kind in ("data", "sharded"):
            local.batch //= self.ranks
        super().__init__(local)
        self.samples = options.batch * options.seq
        self.rest = dict(self.weights)
        if self.kind == "sharded":
            for name, shape, _ in step.weight_shapes(options):
                self.weights[name] = self.f.collective("all_gather", f"{name}_whole", self.rest[name], shape)

    def function(self, name):
        return RankFunction(name, self.kind, self.ranks)

    def part(self, name, shape):
        axis = axis_of(self.kind, name)
        return tuple(n // self.ranks if i == axis else n for i, n in enumerate(shape))

    def heads(self, name, value):
        o, parts = self.o, self.ranks if self.kind == "tensor" else 1
        return self.f.expand(name, value, "[[0, 1], [2, 3]]",
                             (o.batch, o.seq, o.heads // parts, o.width // o.heads))

    def rows_of(self, name, value):
        parts = self.ranks if self.kind == "tensor" else 1
        return self.f.collapse(name, value, "[[0, 1], [2, 3]]", (self.rows, self.o.width // parts))

    def update(self, name, gradient):
        if self.kind == "data":
            gradient = self.f.collective("all_reduce", f"d_{name}_sum", gradient, gradient.shape)
        elif self.kind == "sharded":
            gradient = self.f.collective("reduce_scatter", f"d_{name}_sum", gradient, self.rest[name].shape)
        gathered, self.weights = self.weights, self.rest
        super().update(name, gradient)
        self.weights = gathered

    def loss(self):
        loss = self.forward()
        if self.kind in ("data", "sharded"):
            loss = self.f.collective("all_reduce", "loss_sum", loss, ())
        return loss


def axis_of(kind, name):
    """The dimension of a weight that is divided between ranks."""
    if kind == "sharded":
        return 0
    if kind == "tensor" and COLUMNS.match(name):
        return 0 if name.endswith("b1") else 1
    return 0 if kind == "tensor" and ROWS.match(name) else None


def parse():
    parser = argparse.ArgumentParser()
    forms.add_options(parser, ["one", "data", "tensor", "sharded"], layers=4, width=16, seq=8, heads=4, batch=4,
                      vocab=12, hidden=4, ranks=2)
    parser.add_argument("--rate", type=float, default=0.1)
    options = parser.parse_args()
    options.form = "step"
    return options


def write(options):
    written = step.Step(options) if options.kind == "one" else RankStep(options)
    loss = written.forward() if options.kind == "one" else written.loss()
    written.backward(None)
    results = [loss] + [written.updated[name] for name in written.weights]
    print("module {\n" + written.f.text(results) + "\n}")


def cut(array, axis, rank, ranks):
    if axis is None:
        return array
    size = array.shape[axis] // ranks
    return array.take(range(rank * size, (rank + 1) * size), axis=axis)


def write_data(options):
    import numpy
    chance = numpy.random.default_rng(5)
    rows = options.batch * options.seq
    batch = 0 if options.kind in ("data", "sharded") else None
    arrays = [(chance.integers(0, options.vocab, rows).astype(numpy.int32), batch) for _ in range(2)]
    for name, shape, (low, high) in step.weight_shapes(options):
        arrays.append((chance.uniform(low, high, shape).astype(numpy.float32), axis_of(options.kind, name)))
    os.makedirs(options.data, exist_ok=True)
    for number, (array, axis) in enumerate(arrays):
        for rank in range(options.ranks):
            numpy.save(f"{options.data}/{number}.{rank}.npy",
                       numpy.ascontiguousarray(cut(array, axis, rank, options.ranks)))


def compare(options):
    """DIR/one has the results of one device, DIR/rankR those of rank R."""
    import numpy
    names = ["loss"] + [name for name, _, _ in step.weight_shapes(options)]
    most = 0.0
    for number, name in enumerate(names):
        whole = numpy.load(f"{options.compare}/one/result{number}.npy")
        assert numpy.isfinite(whole).all()
        for rank in range(options.ranks):
            part = numpy.load(f"{options.compare}/rank{rank}/result{number}.npy")
            wanted = cut(whole, axis_of(options.kind, name) if number else None, rank, options.ranks)
            if part.shape != wanted.shape:
                sys.exit(f"rank {rank}: '{name}' has another shape than on one device")
            most = max(most, float(numpy.abs(part - wanted).max() / numpy.abs(whole).max()))
    if most > BOUND:
        sys.exit(f"ranks are {most} away from one device, more than {BOUND}")
    print(f"within {BOUND} of one device")


forms.run(parse(), write, write_data, compare)
