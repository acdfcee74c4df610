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
    mixed     a grid of 2 x (ranks / 2): data along the first axis, tensor along the second
    sharded-tensor
              the same grid: sharded along the first axis, tensor along the second

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


class Grid:
    """How many ranks divide the batch, and how many the products. Rank r is in row
    r // products and column r % products."""

    def __init__(self, options):
        kind, self.ranks = options.kind, options.ranks
        self.is_sharded = kind in ("sharded", "sharded-tensor")
        self.batch = {"data": self.ranks, "sharded": self.ranks, "mixed": 2, "sharded-tensor": 2}.get(kind, 1)
        self.products = 1 if kind == "one" else self.ranks // self.batch

    def divisions(self, name):
        """Of a weight, one after the other: the dimension, in how many parts, and by
        which axis of the grid."""
        result = []
        if self.products > 1 and (COLUMNS.match(name) or ROWS.match(name)):
            result.append((1 if COLUMNS.match(name) and not name.endswith("b1") else 0, self.products, 1))
        if self.is_sharded:
            result.append((0, self.batch, 0))
        return result

    def place(self, rank):
        return rank // self.products % self.batch, rank % self.products


class RankFunction(step.Function):
    def __init__(self, name, grid):
        super().__init__(name)
        self.grid = grid

    def collective(self, what, name, value, shape, axis=0):
        """Along axis 0 of the grid the batch is divided, along axis 1 the products."""
        group, stride = ((self.grid.batch, self.grid.products), (self.grid.products, 1))[axis]
        kind = step.tensor(shape)
        self.lines += [
            f"%{name}_to = tensor.empty() : {kind}",
            f"%{name} = pebble.collective {what} {self.use(value)} into %{name}_to group = {group} "
            f"stride = {stride} ranks = {self.grid.ranks} : {step.type_of(value)}, {kind} -> {kind}"]
        return step.Value(name, tuple(shape), "f32", self)

    def matmul(self, name, a, b):
        if self.grid.products == 1 or not PARTIAL.match(name):
            return super().matmul(name, a, b)
        part = super().matmul(name + "_part", a, b)
        return self.collective("all_reduce", name, part, part.shape, axis=1)


class RankStep(step.Step):
    def __init__(self, options):
        self.grid = Grid(options)
        local = copy.copy(options)
        local.batch //= self.grid.batch
        super().__init__(local)
        self.samples = options.batch * options.seq
        self.rest = dict(self.weights)
        if self.grid.is_sharded:
            for name, shape, _ in step.weight_shapes(options):
                self.weights[name] = self.f.collective("all_gather", f"{name}_whole", self.rest[name],
                                                       self.divide(name, shape, lambda axis: axis == 1))

    def function(self, name):
        return RankFunction(name, self.grid)

    def divide(self, name, shape, is_wanted):
        shape = list(shape)
        for dim, parts, axis in self.grid.divisions(name):
            if is_wanted(axis):
                shape[dim] //= parts
        return tuple(shape)

    def part(self, name, shape):
        return self.divide(name, shape, lambda axis: True)

    def heads(self, name, value):
        o = self.o
        return self.f.expand(name, value, "[[0, 1], [2, 3]]",
                             (o.batch, o.seq, o.heads // self.grid.products, o.width // o.heads))

    def rows_of(self, name, value):
        return self.f.collapse(name, value, "[[0, 1], [2, 3]]", (self.rows, self.o.width // self.grid.products))

    def update(self, name, gradient):
        if self.grid.is_sharded:
            gradient = self.f.collective("reduce_scatter", f"d_{name}_sum", gradient, self.rest[name].shape)
        elif self.grid.batch > 1 or self.grid.products == 1:
            gradient = self.f.collective("all_reduce", f"d_{name}_sum", gradient, gradient.shape)
        gathered, self.weights = self.weights, self.rest
        super().update(name, gradient)
        self.weights = gathered

    def loss(self):
        loss = self.forward()
        if self.grid.batch > 1 or self.grid.products == 1:
            loss = self.f.collective("all_reduce", "loss_sum", loss, ())
        return loss


def parse():
    parser = argparse.ArgumentParser()
    forms.add_options(parser, ["one", "data", "tensor", "sharded", "mixed", "sharded-tensor"], layers=4, width=16, seq=8, heads=4, batch=4,
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


def cut(array, divisions, place):
    for dim, parts, axis in divisions:
        size = array.shape[dim] // parts
        array = array.take(range(place[axis] * size, (place[axis] + 1) * size), axis=dim)
    return array


def write_data(options):
    import numpy
    chance, grid = numpy.random.default_rng(5), Grid(options)
    rows = options.batch * options.seq
    arrays = [(chance.integers(0, options.vocab, rows).astype(numpy.int32), [(0, grid.batch, 0)]) for _ in range(2)]
    for name, shape, (low, high) in step.weight_shapes(options):
        arrays.append((chance.uniform(low, high, shape).astype(numpy.float32), grid.divisions(name)))
    os.makedirs(options.data, exist_ok=True)
    for number, (array, divisions) in enumerate(arrays):
        for rank in range(options.ranks):
            numpy.save(f"{options.data}/{number}.{rank}.npy",
                       numpy.ascontiguousarray(cut(array, divisions, grid.place(rank))))


def compare(options):
    """DIR/one has the results of one device, DIR/rankR those of rank R."""
    import numpy
    grid = Grid(options)
    names = ["loss"] + [name for name, _, _ in step.weight_shapes(options)]
    most = 0.0
    for number, name in enumerate(names):
        whole = numpy.load(f"{options.compare}/one/result{number}.npy")
        assert numpy.isfinite(whole).all()
        for rank in range(options.ranks):
            part = numpy.load(f"{options.compare}/rank{rank}/result{number}.npy")
            wanted = cut(whole, grid.divisions(name) if number else [], grid.place(rank))
            if part.shape != wanted.shape:
                sys.exit(f"rank {rank}: '{name}' has another shape than on one device")
            most = max(most, float(numpy.abs(part - wanted).max() / numpy.abs(whole).max()))
    if most > BOUND:
        sys.exit(f"ranks are {most} away from one device, more than {BOUND}")
    print(f"within {BOUND} of one device")


forms.run(parse(), write, write_data, compare)
