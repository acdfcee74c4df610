#!/usr/bin/env python3
"""Writes the sparse-parity training step for networks of any shape.

  network.py [--depth=2] [--width=1000] [--batch=1] [--inputs=20]

Depth counts the linear layers: all but the last have `width` outputs and a
ReLU, the last has one output and the hinge loss. Depth 2, width 1000 and batch
1 are the published step (sparse-parity.mlir), op for op. One op per row, which
initialises its own result; the weights are donated and updated in place.
"""

import argparse


class Step:
    """Collects the ops of one function and names their values."""

    def __init__(self):
        self.lines = []
        self.shapes = {}

    def type(self, name):
        return "tensor<" + "".join(f"{n}x" for n in self.shapes[name]) + "f32>"

    def op(self, result, shape, reads, dims, body, location, onto=None):
        """One linalg.generic. `dims` maps each operand, then the result, to the
        loops that it ranges over. Where the result does not range over one of
        them that is summed: `body` is then the lines that give %p, what is
        added, and the name of what the sum starts with."""
        self.shapes[result] = shape
        loops = list(dict.fromkeys(dims[-1] + "".join(dims)))  # parallel ones first
        maps = [f"affine_map<({', '.join(loops)}) -> ({', '.join(d)})>" for d in dims]
        kinds = ["parallel" if d in dims[-1] else "reduction" for d in loops]
        if onto is None:
            onto = "e_" + "x".join(map(str, shape))
            self.shapes[onto] = shape
        operands = ", ".join("%" + r for r in reads)
        types = ", ".join(self.type(r) for r in reads)
        arguments = [f"%a{i}: f32" for i in range(len(reads))] + ["%o: f32"]
        self.lines += [
            f"  %{result} = linalg.generic {{indexing_maps = [{', '.join(maps)}],"
            f" iterator_types = [{', '.join(chr(34) + k + chr(34) for k in kinds)}]}}",
            f"      ins({operands} : {types})",
            f"      outs(%{onto} : {self.type(onto)}) attrs = {{pebble.name = \"{result}\"}} {{",
            f"  ^bb0({', '.join(arguments)}):",
        ]
        if "reduction" in kinds:
            assert kinds.count("reduction") == 1, "one sum at a time"
            product, start = body
            body = [f"%k = linalg.index {kinds.index('reduction')} : index",
                    "%first = arith.cmpi eq, %k, %c0 : index",
                    f"%acc = arith.select %first, {start}, %o : f32",
                    *product, "%s = arith.addf %acc, %p : f32", "linalg.yield %s : f32"]
        self.lines += ["    " + line for line in body]
        self.lines += [f"  }} -> {self.type(result)} loc(\"{location}\")"]


MULTIPLY = ["%p = arith.mulf %a0, %a1 : f32"]
UPDATE = [
    "%decay = arith.mulf %wd, %a0 : f32",
    "%sum = arith.addf %a1, %decay : f32",
    "%step = arith.mulf %lr, %sum : f32",
    "%r = arith.subf %a0, %step : f32",
    "linalg.yield %r : f32",
]


def write(depth, width, batch, inputs):
    step = Step()
    sizes = [inputs] + [width] * (depth - 1) + [1]
    weights = []
    for l in range(1, depth + 1):
        step.shapes[f"W{l}"] = (sizes[l], sizes[l - 1])
        step.shapes[f"b{l}"] = (sizes[l],)
        weights += [f"W{l}", f"b{l}"]
    step.shapes["x"] = (batch, inputs)
    step.shapes["y"] = (batch, 1)

    # Forward. h0 is the input.
    def h(l):
        return "x" if l == 0 else f"h{l}"

    for l in range(1, depth + 1):
        out = "y_hat" if l == depth else f"h{l}_pre"
        step.op(out, (batch, sizes[l]), [f"W{l}", h(l - 1), f"b{l}"],
                ["ji", "bi", "j", "bj"], (MULTIPLY, "%a2"), f"fwd_linear{l}")
        if l < depth:
            step.op(h(l), (batch, sizes[l]), [out], ["bj", "bj"],
                    ["%r = arith.maximumf %a0, %zero : f32", "linalg.yield %r : f32"],
                    f"fwd_relu{l}")
    step.op("loss", (batch, 1), ["y_hat", "y"], ["bj", "bj", "bj"],
            ["%m = arith.mulf %a0, %a1 : f32", "%d = arith.subf %one, %m : f32",
             "%r = arith.maximumf %d, %zero : f32", "linalg.yield %r : f32"], "fwd_loss")

    # Backward: g is the gradient of what the linear layer gives.
    step.op("dy", (batch, 1), ["loss", "y_hat", "y"], ["bj", "bj", "bj", "bj"],
            ["%m = arith.mulf %a1, %a2 : f32", "%below = arith.cmpf olt, %m, %one : f32",
             "%positive = arith.cmpf ogt, %a0, %zero : f32",
             "%active = arith.andi %below, %positive : i1", "%n = arith.negf %a2 : f32",
             "%r = arith.select %active, %n, %zero : f32", "linalg.yield %r : f32"], "bwd_loss")
    g = "dy"
    for l in range(depth, 0, -1):
        def weight_gradient():
            step.op(f"dW{l}", (sizes[l], sizes[l - 1]), [g, h(l - 1)], ["bj", "bi", "ji"],
                    (MULTIPLY, "%zero"), f"bwd_dW{l}")
            step.op(f"db{l}", (sizes[l],), [g], ["bj", "j"],
                    (["%p = arith.mulf %a0, %one : f32"], "%zero"), f"bwd_db{l}")

        weight_gradient()
        if l > 1:
            step.op(f"dh{l - 1}", (batch, sizes[l - 1]), [f"W{l}", g], ["ji", "bj", "bi"],
                    (MULTIPLY, "%zero"), f"bwd_dh{l - 1}")
            step.op(f"dh{l - 1}_pre", (batch, sizes[l - 1]), [f"dh{l - 1}", f"h{l - 1}_pre"],
                    ["bj", "bj", "bj"],
                    ["%on = arith.cmpf ogt, %a1, %zero : f32",
                     "%r = arith.select %on, %a0, %zero : f32", "linalg.yield %r : f32"],
                    f"bwd_relu{l - 1}")
            g = f"dh{l - 1}_pre"
    for w in weights:
        dims = "ji"[:len(step.shapes[w])]
        step.op(f"{w}_new", step.shapes[w], [w, f"d{w}"], [dims, dims, dims], UPDATE,
                f"upd_{w}", onto=w)

    arguments = [f'%{w}: {step.type(w)} {{pebble.name = "{w}", pebble.donated}}' for w in weights]
    arguments += [f'%{v}: {step.type(v)} {{pebble.name = "{v}"}}' for v in ("x", "y")]
    results = ", ".join(step.type(w) for w in weights)
    print(f"func.func @train_step({', '.join(arguments)}) -> ({results}) {{")
    print("  %c0 = arith.constant 0 : index")
    for name, value in (("zero", 0.0), ("one", 1.0), ("lr", 0.1), ("wd", 0.01)):
        print(f"  %{name} = arith.constant {value} : f32")
    for e in sorted(n for n in step.shapes if n.startswith("e_")):
        print(f"  %{e} = tensor.empty() : {step.type(e)}")
    print("\n".join(step.lines))
    print(f"  return {', '.join(f'%{w}_new' for w in weights)} : {results}")
    print("}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("depth", 2), ("width", 1000), ("batch", 1), ("inputs", 20)):
        parser.add_argument(f"--{name}", type=int, default=value)
    a = parser.parse_args()
    if min(a.depth - 1, a.width, a.batch, a.inputs) < 1:
        parser.error("depth is at least 2, and everything else at least 1")
    write(a.depth, a.width, a.batch, a.inputs)


if __name__ == "__main__":
    main()
