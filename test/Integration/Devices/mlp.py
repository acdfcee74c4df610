#!/usr/bin/env python3
"""Writes a training step of a multilayer perceptron, for one device or several.

    mlp.py KIND --layers=N --width=N --batch=N --ranks=N > step.mlir
    mlp.py --data=DIR KIND ...      writes x, t and the weights, cut for each rank
    mlp.py --compare=DIR KIND ...   compares results of all ranks with those of one

KIND says who has what:

    one       one device has everything
    data      each rank has a part of the batch, and all weights
    tensor    each rank has columns of one weight and rows of the next
    sharded   each rank has a part of the batch, and a part of each weight, which
              is gathered where it is used
    mixed     a grid of 2 x (ranks / 2): data along the first axis, tensor along
              the second
    sharded-tensor
              the same grid: sharded along the first axis, tensor along the second

Layer i computes h = a w_i and a = min(h, 1). The step returns the weights less
their gradients. All numbers are small and whole, so that every order of
additions gives the same bits.
"""

import argparse
import os
import sys

import forms

MATMUL = {
    "ab": "",
    "aTb": " indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, "
           "affine_map<(d0, d1, d2) -> (d0, d1)>]",
    "abT": " indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, "
           "affine_map<(d0, d1, d2) -> (d0, d1)>]",
}


def parse():
    parser = argparse.ArgumentParser()
    forms.add_options(parser, ["one", "data", "tensor", "sharded", "mixed", "sharded-tensor"], layers=2, width=16, batch=8, ranks=2)
    return parser.parse_args()


def axes_of(options, layer):
    """By name of a sharding, the grid axes that divide each dimension."""
    kind, odd = options.kind, layer % 2
    batch = [0] if kind in ("data", "sharded", "mixed", "sharded-tensor") else []
    model = {"tensor": [0], "mixed": [1], "sharded-tensor": [1]}.get(kind, [])
    used = (model, []) if odd else ([], model)
    rest = (used[0] + [0], used[1]) if kind in ("sharded", "sharded-tensor") else used
    return {"in": (batch, model if odd else []), "out": (batch, [] if odd else model), "rest": rest, "used": used}


def grid_of(options):
    return [2, options.ranks // 2] if options.kind in ("mixed", "sharded-tensor") else [options.ranks]


class Writer:
    def __init__(self, options):
        self.o = options
        self.lines = []
        self.b, self.d = options.batch, options.width
        self.act = f"tensor<{self.b}x{self.d}xf32>"
        self.weight = f"tensor<{self.d}x{self.d}xf32>"
        self.count = 0

    def put(self, line):
        self.lines.append("  " + line)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def shard(self, value, axes, kind, to_users=False):
        """Annotates what a value is like where it is made, or where it is used."""
        if self.o.kind == "one":
            return value
        text = ", ".join(str(dimension) for dimension in axes)
        sharding, result = self.fresh(), self.fresh()
        self.put(f"{sharding} = shard.sharding @grid split_axes = [{text}] : !shard.sharding")
        users = " annotate_for_users" if to_users else ""
        self.put(f"{result} = shard.shard {value} to {sharding}{users} : {kind}")
        return result

    def product(self, form, a, b, a_type, b_type, kind):
        empty, zero, result = self.fresh(), self.fresh(), self.fresh()
        self.put(f"{empty} = tensor.empty() : {kind}")
        self.put(f"{zero} = linalg.fill ins(%zero : f32) outs({empty} : {kind}) -> {kind}")
        self.put(f"{result} = linalg.matmul{MATMUL[form]} ins({a}, {b} : {a_type}, {b_type}) "
                 f"outs({zero} : {kind}) -> {kind}")
        return result

    def binary(self, name, a, b, kind):
        result = self.fresh()
        self.put(f"{result} = arith.{name} {a}, {b} : {kind}")
        return result

    def write(self):
        o, act, weight = self.o, self.act, self.weight
        if o.kind != "one":
            print(f"shard.grid @grid(shape = {'x'.join(str(extent) for extent in grid_of(o))})")
        weights = ", ".join(f"%w{i}: {weight}" for i in range(o.layers))
        self.put("%zero = arith.constant 0.0 : f32")
        last = axes_of(o, o.layers - 1)["out"]
        a = [self.shard("%x", axes_of(o, 0)["in"], act)]
        target = self.shard("%t", last, act)
        used, rest = [], []
        for i in range(o.layers):
            axes = axes_of(o, i)
            rest.append(self.shard(f"%w{i}", axes["rest"], weight))
            used.append(self.shard(rest[i], axes["used"], weight, to_users=True)
                        if axes["used"] != axes["rest"] else rest[i])
        for i in range(o.layers):
            h = self.product("ab", a[i], used[i], act, weight, act)
            h = self.shard(h, axes_of(o, i)["out"], act)
            one = self.fresh()
            self.put(f"{one} = arith.constant dense<1.0> : {act}")
            a.append(self.binary("minimumf", h, one, act))
        dy = self.binary("subf", a[-1], target, act)
        results = []
        for i in reversed(range(o.layers)):
            one = self.fresh()
            self.put(f"{one} = arith.constant dense<1.0> : {act}")
            slope = self.binary("subf", one, a[i + 1], act)
            dh = self.binary("mulf", dy, slope, act)
            dh = self.shard(dh, axes_of(o, i)["out"], act)
            dw = self.product("aTb", a[i], dh, act, act, weight)
            # Told at once where the sum is to be, upstream divides the product otherwise.
            axes = axes_of(o, i)
            dw = self.shard(dw, axes["used"], weight)
            if axes["used"] != axes["rest"]:
                dw = self.shard(dw, axes["rest"], weight, to_users=True)
            new = self.binary("subf", rest[i], dw, weight)
            results.insert(0, self.shard(new, axes_of(o, i)["rest"], weight))
            if i > 0:
                dy = self.product("abT", dh, used[i], act, weight, act)
                dy = self.shard(dy, axes_of(o, i)["in"], act)
        results = [self.shard(r, axes_of(o, i)["rest"], weight, to_users=True) for i, r in enumerate(results)]
        types = ", ".join([weight] * o.layers)
        self.put(f"return {', '.join(results)} : {types}")
        print(f"func.func @main(%x: {act}, %t: {act}, {weights}) -> ({types}) {{")
        print("\n".join(self.lines))
        print("}")


def cut(options, array, axes, rank):
    """The part of `array` that `rank` has."""
    grid = grid_of(options)
    places = [rank // grid[1], rank % grid[1]] if len(grid) == 2 else [rank]
    for dim, dividing in enumerate(axes):
        for axis in dividing:
            size = array.shape[dim] // grid[axis]
            array = array.take(range(places[axis] * size, (places[axis] + 1) * size), axis=dim)
    return array


def write_data(options):
    import numpy
    random = numpy.random.default_rng(3)
    shape = (options.batch, options.width)
    arrays = [random.integers(0, 2, shape), random.integers(0, 2, shape)]
    arrays += [(random.random((options.width, options.width)) < 1.2 / options.width) for _ in range(options.layers)]
    axes = [axes_of(options, 0)["in"], axes_of(options, options.layers - 1)["out"]]
    axes += [axes_of(options, i)["rest"] for i in range(options.layers)]
    os.makedirs(options.data, exist_ok=True)
    for rank in range(options.ranks):
        for number, (array, axis) in enumerate(zip(arrays, axes)):
            part = array if options.kind == "one" else cut(options, array, axis, rank)
            numpy.save(f"{options.data}/{number}.{rank}.npy", part.astype(numpy.float32))


def compare(options):
    """DIR/one has the results of one device, DIR/rankR those of rank R."""
    import numpy
    for layer in range(options.layers):
        whole = numpy.load(f"{options.compare}/one/result{layer}.npy")
        assert numpy.abs(whole).max() < 2**24 and numpy.ptp(whole) > 0
        for rank in range(options.ranks):
            part = numpy.load(f"{options.compare}/rank{rank}/result{layer}.npy")
            wanted = cut(options, whole, axes_of(options, layer)["rest"], rank)
            if part.shape != wanted.shape or part.tobytes() != numpy.ascontiguousarray(wanted).tobytes():
                sys.exit(f"rank {rank} has another weight {layer} than one device")
    print("the same, to the bit")


forms.run(parse(), lambda options: Writer(options).write(), write_data, compare)
