"""Writes a training step of a small transformer, in linalg on tensors.

  transformer-step.py [--layers=4 --width=256 --seq=256 --heads=4 --batch=4
                       --vocab=64 --hidden=4 --rate=0.1] [--form=step|pair]

A decoder: token and position embeddings, layers of causal attention and an MLP
with GELU (tanh form), each behind a layer norm and beside a residual, a last
layer norm, logits, mean cross-entropy. The backward pass is written by hand.

`--form=step` is one function: (tokens, labels, weights) to (loss, new weights),
the weights donated and updated by SGD where they are. `--form=pair` is
@forward: (tokens, labels, weights) to (loss, saved values), @backward: (saved
values, gradient of the loss) to gradients, and a @main that calls both, whose
last argument is that gradient; what belongs together has one `pebble.name`.
"""

import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from linalg_program import Function, Value, tensor, type_of  # noqa: E402

EPSILON = 1e-5
GELU = (0.7978845608028654, 0.044715)
MASKED = -1e30


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, value in (("layers", 4), ("width", 256), ("seq", 256),
                        ("heads", 4), ("batch", 4), ("vocab", 64),
                        ("hidden", 4)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--form", choices=("step", "pair"), default="step")
    options = parser.parse_args()
    if options.width % options.heads:
        parser.error("--width must be a multiple of --heads")
    return options


def weight_shapes(o):
    """Names, shapes and ranges of the weights, in the order of arguments."""
    d, h = o.width, o.hidden * o.width
    small, one, zero = (-0.5, 0.5), (0.5, 1.5), (-0.25, 0.25)
    scale = (-(3.0 / d) ** 0.5, (3.0 / d) ** 0.5)
    weights = [("embed", (o.vocab, d), small), ("position", (o.seq, d), small)]
    for l in range(o.layers):
        weights += [(f"l{l}_gain1", (d,), one), (f"l{l}_shift1", (d,), zero)]
        weights += [(f"l{l}_w{c}", (d, d), scale) for c in "qkvo"]
        weights += [(f"l{l}_gain2", (d,), one), (f"l{l}_shift2", (d,), zero),
                    (f"l{l}_w1", (d, h), scale), (f"l{l}_b1", (h,), zero),
                    (f"l{l}_w2", (h, d), scale), (f"l{l}_b2", (d,), zero)]
    return weights + [("gain", (d,), one), ("shift", (d,), zero),
                      ("head", (d, o.vocab), scale)]


class Step:
    """The step, operation by operation. `self.f` is where operations go; what
    backward needs of forward is kept in `self.kept`, by name."""

    def __init__(self, o):
        self.o = o
        self.rows = o.batch * o.seq
        self.samples = self.rows  # what the loss is the mean of
        self.f = self.function("main" if o.form == "step" else "forward")
        donated = ", pebble.donated" if o.form == "step" else ""
        self.tokens = self.f.argument("tokens", (self.rows,), "i32",
                                      f"pebble.range = [0, {o.vocab}]")
        self.labels = self.f.argument("labels", (self.rows,), "i32",
                                      f"pebble.range = [0, {o.vocab}]")
        self.weights = {
            name: self.f.argument(
                name, self.part(name, shape), "f32",
                f"pebble.range = [{low:.6f}, {high:.6f}]{donated}")
            for name, shape, (low, high) in weight_shapes(o)}
        self.kept = {}
        self.gradients = {}
        self.updated = {}

    # What is another for one of several ranks (Devices/transformer.py).

    def function(self, name):
        return Function(name)

    def part(self, name, shape):
        return shape

    def heads(self, name, value):
        o = self.o
        return self.f.expand(name, value, "[[0, 1], [2, 3]]",
                             (o.batch, o.seq, o.heads, o.width // o.heads))

    def rows_of(self, name, value):
        return self.f.collapse(name, value, "[[0, 1], [2, 3]]",
                               (self.rows, self.o.width))

    # Forward.

    def one_hot(self, name, indices):
        def body(s, index):
            column = s.add(f"arith.index_cast {s.index(1)} : index to i32")
            same = s.add(f"arith.cmpi eq, {column}, {index} : i32")
            return s.select(same, s.constant(1), s.constant(0))
        return self.f.generic(name, [(indices, "n")], "nv", body,
                              sizes={"v": self.o.vocab})

    def norm(self, name, x, gain, shift):
        f, inverse = self.f, 1.0 / self.o.width
        total = f.generic(f"{name}_sum", [(x, "nd")], "n",
                          lambda s, x, old: s.sum(old, x), init=0.0,
                          reduced="d")
        centred = f.generic(
            f"{name}_centred", [(x, "nd"), (total, "n")], "nd",
            lambda s, x, t: s.difference(x, s.product(t, inverse)))
        squares = f.generic(
            f"{name}_squares", [(centred, "nd")], "n",
            lambda s, c, old: s.sum(old, s.product(c, c)), init=0.0,
            reduced="d")
        scale = f.generic(
            f"{name}_scale", [(squares, "n")], "n",
            lambda s, v: s.quotient(1.0, s.call(
                "sqrt", s.sum(s.product(v, inverse), EPSILON))))
        normal = f.generic(f"{name}_normal", [(centred, "nd"), (scale, "n")],
                           "nd", lambda s, c, r: s.product(c, r))
        self.kept[f"{name}_scale"] = scale
        self.kept[f"{name}_normal"] = normal
        return f.generic(
            name, [(normal, "nd"), (gain, "d"), (shift, "d")], "nd",
            lambda s, x, g, b: s.sum(s.product(x, g), b))

    def softmax(self, name, scores, full, row):
        f, reduced = self.f, full[-1]
        top = f.generic(f"{name}_top", [(scores, full)], row,
                        lambda s, x, old: s.maximum(old, x), init=MASKED,
                        reduced=reduced)
        powers = f.generic(f"{name}_exp", [(scores, full), (top, row)], full,
                           lambda s, x, m: s.call("exp", s.difference(x, m)))
        total = f.generic(f"{name}_total", [(powers, full)], row,
                          lambda s, x, old: s.sum(old, x), init=0.0,
                          reduced=reduced)
        return top, total, f.generic(
            name, [(powers, full), (total, row)], full,
            lambda s, x, t: s.quotient(x, t))

    def attention(self, l, x):
        f, w, kept = self.f, self.weights, self.kept
        pre = f"l{l}_"
        y = self.norm(f"{pre}norm1", x, w[pre + "gain1"], w[pre + "shift1"])
        kept[pre + "norm1"] = y
        parts = {}
        for c in "qkv":
            flat = f.matmul(pre + c + "_flat", y, w[pre + "w" + c])
            parts[c] = self.heads(pre + c + "_split", flat)
        q = f.transpose(pre + "q", parts["q"], "bshk", "bhsk")
        kt = f.transpose(pre + "kt", parts["k"], "bshk", "bhks")
        v = f.transpose(pre + "v", parts["v"], "bshk", "bhsk")
        scores = f.contract(pre + "scores", q, "bhik", kt, "bhkj", "bhij")
        scale = (self.o.heads / self.o.width) ** 0.5

        def mask(s, x):
            later = s.add(f"arith.cmpi ugt, {s.index(3)}, {s.index(2)} : index")
            return s.select(later, s.constant(MASKED), s.product(x, scale))
        masked = f.generic(pre + "masked", [(scores, "bhij")], "bhij", mask)
        _, _, p = self.softmax(pre + "p", masked, "bhij", "bhi")
        mixed = f.contract(pre + "mixed", p, "bhij", v, "bhjk", "bhik")
        back = f.transpose(pre + "joined_split", mixed, "bhsk", "bshk")
        joined = self.rows_of(pre + "joined", back)
        kept.update({pre + "q": q, pre + "kt": kt, pre + "v": v, pre + "p": p,
                     pre + "joined": joined})
        out = f.matmul(pre + "attended", joined, w[pre + "wo"])
        return f.generic(pre + "residual1", [(x, "nd"), (out, "nd")], "nd",
                         lambda s, a, b: s.sum(a, b))

    def mlp(self, l, x):
        f, w, kept = self.f, self.weights, self.kept
        pre = f"l{l}_"
        y = self.norm(f"{pre}norm2", x, w[pre + "gain2"], w[pre + "shift2"])
        raw = f.matmul(pre + "u_raw", y, w[pre + "w1"])
        u = f.generic(pre + "u", [(raw, "nh"), (w[pre + "b1"], "h")], "nh",
                      lambda s, a, b: s.sum(a, b))

        def tanh(s, u):
            cubic = s.product(s.product(u, u), s.product(u, GELU[1]))
            return s.call("tanh", s.product(s.sum(u, cubic), GELU[0]))
        t = f.generic(pre + "tanh", [(u, "nh")], "nh", tanh)
        a = f.generic(pre + "gelu", [(u, "nh"), (t, "nh")], "nh",
                      lambda s, u, t: s.product(s.product(u, 0.5),
                                                s.sum(t, 1.0)))
        kept.update({pre + "norm2": y, pre + "u": u, pre + "tanh": t,
                     pre + "gelu": a})
        out = f.matmul(pre + "projected", a, w[pre + "w2"])
        return f.generic(
            pre + "residual2",
            [(x, "nd"), (out, "nd"), (w[pre + "b2"], "d")], "nd",
            lambda s, a, b, c: s.sum(a, s.sum(b, c)))

    def forward(self):
        f, o, w = self.f, self.o, self.weights
        hot = self.one_hot("tokens_hot", self.tokens)
        looked_up = f.matmul("looked_up", hot, w["embed"])
        looked_up = f.expand("looked_up_split", looked_up, "[[0, 1], [2]]",
                             (o.batch, o.seq, o.width))
        x = f.generic("embedded_split",
                      [(looked_up, "bsd"), (w["position"], "sd")], "bsd",
                      lambda s, a, b: s.sum(a, b))
        x = f.collapse("embedded", x, "[[0, 1], [2]]", (self.rows, o.width))
        for l in range(o.layers):
            x = self.mlp(l, self.attention(l, x))
        y = self.norm("norm", x, w["gain"], w["shift"])
        logits = f.matmul("logits", y, w["head"])
        top, total, p = self.softmax("prediction", logits, "nv", "n")
        labels_hot = self.one_hot("labels_hot", self.labels)

        def row_loss(s, x, hot, m, t, old):
            # A row's -log p of its label, and nothing for the others.
            log = s.sum(s.call("log", t), m)
            return s.sum(old, s.product(hot, s.difference(log, x)))
        row = f.generic("row_loss", [(logits, "nv"), (labels_hot, "nv"),
                                     (top, "n"), (total, "n")], "n", row_loss,
                        init=0.0, reduced="v")
        inverse = 1.0 / self.samples
        self.kept.update(tokens_hot=hot, norm=y, prediction=p,
                         labels_hot=labels_hot)
        return f.generic("loss", [(row, "n")], "",
                         lambda s, x, old: s.sum(old, s.product(x, inverse)),
                         init=0.0, reduced="n")

    # Backward: `d_x` is the gradient of x.

    def update(self, name, gradient):
        self.gradients[name] = gradient
        if self.o.form == "step":
            letters = "ij"[:len(gradient.shape)]
            self.updated[name] = self.f.generic(
                f"new_{name}", [(gradient, letters)], letters,
                lambda s, g, old: s.difference(old, s.product(g, self.o.rate)),
                over=self.weights[name])

    def back_matmul(self, d_out, x, weight, d_x_name):
        """The gradient of x in out = x W; updates W."""
        f = self.f
        across = f.transpose(f"{weight}_t", self.weights[weight], "ij", "ji")
        d_weight = f.contract(f"d_{weight}", x, "ni", d_out, "nj", "ij")
        d_x = f.matmul(d_x_name, d_out, across)
        self.update(weight, d_weight)
        return d_x

    def back_rows(self, weight, d_out):
        """The gradient of what is added to every row."""
        self.update(weight, self.f.generic(
            f"d_{weight}", [(d_out, "nd")], "d",
            lambda s, x, old: s.sum(old, x), init=0.0, reduced="n"))

    def back_norm(self, name, d_y, gain, shift):
        f, inverse = self.f, 1.0 / self.o.width
        normal = self.kept[f"{name}_normal"]
        scale = self.kept[f"{name}_scale"]
        d_normal = f.generic(f"d_{name}_normal",
                             [(d_y, "nd"), (self.weights[gain], "d")], "nd",
                             lambda s, x, g: s.product(x, g))
        self.back_rows(shift, d_y)
        self.update(gain, f.generic(
            f"d_{gain}", [(d_y, "nd"), (normal, "nd")], "d",
            lambda s, a, b, old: s.sum(old, s.product(a, b)), init=0.0,
            reduced="n"))
        plain = f.generic(f"d_{name}_plain", [(d_normal, "nd")], "n",
                          lambda s, x, old: s.sum(old, x), init=0.0,
                          reduced="d")
        along = f.generic(f"d_{name}_along",
                          [(d_normal, "nd"), (normal, "nd")], "n",
                          lambda s, a, b, old: s.sum(old, s.product(a, b)),
                          init=0.0, reduced="d")

        def body(s, d, x, r, a, b):
            mean = s.product(s.sum(a, s.product(x, b)), inverse)
            return s.product(r, s.difference(d, mean))
        return f.generic(f"d_{name}_in",
                         [(d_normal, "nd"), (normal, "nd"), (scale, "n"),
                          (plain, "n"), (along, "n")], "nd", body)

    def joined(self, name, a, b):
        return self.f.generic(name, [(a, "nd"), (b, "nd")], "nd",
                              lambda s, a, b: s.sum(a, b))

    def back_mlp(self, l, d_out):
        f, kept = self.f, self.kept
        pre = f"l{l}_"
        self.back_rows(pre + "b2", d_out)
        d_a = self.back_matmul(d_out, kept[pre + "gelu"], pre + "w2",
                               f"d_{pre}gelu")

        def body(s, d, u, t):
            square = s.product(u, u)
            inner = s.product(s.sum(s.product(square, 3 * GELU[1]), 1.0),
                              GELU[0])
            bend = s.product(s.difference(1.0, s.product(t, t)), inner)
            slope = s.sum(s.sum(t, 1.0), s.product(u, bend))
            return s.product(d, s.product(slope, 0.5))
        d_u = f.generic(f"d_{pre}u", [(d_a, "nh"), (kept[pre + "u"], "nh"),
                                      (kept[pre + "tanh"], "nh")], "nh", body)
        self.back_rows(pre + "b1", d_u)
        d_y = self.back_matmul(d_u, kept[pre + "norm2"], pre + "w1",
                               f"d_{pre}norm2")
        d_x = self.back_norm(f"{pre}norm2", d_y, pre + "gain2", pre + "shift2")
        return self.joined(f"d_{pre}residual1", d_out, d_x)

    def back_attention(self, l, d_out):
        f, kept = self.f, self.kept
        pre = f"l{l}_"
        d_joined = self.back_matmul(d_out, kept[pre + "joined"], pre + "wo",
                                    f"d_{pre}joined")
        d_split = self.heads(f"d_{pre}joined_split", d_joined)
        d_mixed = f.transpose(f"d_{pre}mixed", d_split, "bshk", "bhsk")
        p = kept[pre + "p"]
        vt = f.transpose(pre + "vt", kept[pre + "v"], "bhsk", "bhks")
        d_p = f.contract(f"d_{pre}p", d_mixed, "bhik", vt, "bhkj", "bhij")
        d_v = f.contract(f"d_{pre}v", p, "bhij", d_mixed, "bhik", "bhjk")
        along = f.generic(f"d_{pre}p_along", [(d_p, "bhij"), (p, "bhij")],
                          "bhi",
                          lambda s, a, b, old: s.sum(old, s.product(a, b)),
                          init=0.0, reduced="j")
        scale = (self.o.heads / self.o.width) ** 0.5
        d_s = f.generic(
            f"d_{pre}scores",
            [(d_p, "bhij"), (p, "bhij"), (along, "bhi")], "bhij",
            lambda s, d, p, a: s.product(s.product(p, s.difference(d, a)),
                                         scale))
        k = f.transpose(pre + "k_again", kept[pre + "kt"], "bhks", "bhsk")
        d_q = f.contract(f"d_{pre}q", d_s, "bhij", k, "bhjk", "bhik")
        d_k = f.contract(f"d_{pre}k", d_s, "bhij", kept[pre + "q"], "bhik",
                         "bhjk")
        d_y = None
        for c, d in (("q", d_q), ("k", d_k), ("v", d_v)):
            back = f.transpose(f"d_{pre}{c}_split", d, "bhsk", "bshk")
            flat = self.rows_of(f"d_{pre}{c}_flat", back)
            part = self.back_matmul(flat, kept[pre + "norm1"], pre + "w" + c,
                                    f"d_{pre}norm1_{c}")
            d_y = part if d_y is None else self.joined(f"d_{pre}norm1_to_{c}",
                                                       d_y, part)
        d_x = self.back_norm(f"{pre}norm1", d_y, pre + "gain1", pre + "shift1")
        return self.joined(f"d_{pre}in", d_out, d_x)

    def backward(self, d_loss):
        f, o, kept = self.f, self.o, self.kept
        inverse = 1.0 / self.samples
        inputs = [(kept["prediction"], "nv"), (kept["labels_hot"], "nv")]
        if d_loss is not None:
            inputs.append((d_loss, ""))

        def body(s, p, hot, d=None):
            mean = s.product(s.difference(p, hot), inverse)
            return mean if d is None else s.product(mean, d)
        d = f.generic("d_logits", inputs, "nv", body)
        d = self.back_matmul(d, kept["norm"], "head", "d_norm")
        d = self.back_norm("norm", d, "gain", "shift")
        for l in reversed(range(o.layers)):
            d = self.back_attention(l, self.back_mlp(l, d))
        split = f.expand("d_embedded", d, "[[0, 1], [2]]",
                         (o.batch, o.seq, o.width))
        self.update("position", f.generic(
            "d_position", [(split, "bsd")], "sd",
            lambda s, x, old: s.sum(old, x), init=0.0, reduced="b"))
        self.update("embed", f.contract("d_embed", kept["tokens_hot"], "nv", d,
                                        "nd", "vd"))


def write_step(step):
    loss = step.forward()
    step.backward(None)
    return step.f.text([loss] + [step.updated[name] for name in step.weights])


def write_pair(step):
    forward, loss = step.f, step.forward()
    step.f = backward = Function("backward")
    d_loss = Value("d_loss", (), "f32", backward)
    step.backward(d_loss)
    saved = backward.saved
    backward.arguments = [(value, f"pebble.name = \"{value.name}\"")
                          for value in saved] + [(d_loss, "")]
    gradients = [step.gradients[name] for name in step.weights]
    parts = [
        forward.text([loss] + saved, [""] + [value.name for value in saved]),
        backward.text(gradients)]
    main = Function("main")
    main.arguments = [(value._replace(owner=main), attributes)
                      for value, attributes in forward.arguments]
    main.arguments.append((d_loss._replace(owner=main), ""))
    names = ", ".join(f"%{value.name}" for value, _ in forward.arguments)
    kinds = ", ".join(type_of(value) for value, _ in forward.arguments)
    outs = ", ".join(type_of(value) for value in [loss] + saved)
    back_in = ", ".join(type_of(value) for value in saved + [d_loss])
    back_out = ", ".join(type_of(value) for value in gradients)
    held = ", ".join(f"%f#{i + 1}" for i in range(len(saved)))
    main.lines = [
        f"%f:{len(saved) + 1} = call @forward({names}) : ({kinds}) -> ({outs})",
        f"%b:{len(gradients)} = call @backward({held}, %d_loss) :"
        f" ({back_in}) -> ({back_out})"]
    results = [loss._replace(name="f#0", owner=main)] + [
        Value(f"b#{i}", value.shape, "f32", main)
        for i, value in enumerate(gradients)]
    return "\n".join(parts + [main.text(results)])


def main():
    options = parse_arguments()
    step = Step(options)
    text = write_step(step) if options.form == "step" else write_pair(step)
    print("module {\n" + text + "\n}")


if __name__ == "__main__":
    main()
