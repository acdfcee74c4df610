"""Training steps with Adam in plain JAX, for table.py.

Each maker takes a function that wraps a layer and one that wraps the loss (the
places where people put jax.checkpoint), and returns the step, its state and its
batch."""

import math

import jax
import jax.numpy as jnp
import numpy as np

import architectures
from training import with_adam


def normal(seed, shape, scale):
    return jnp.asarray(np.random.default_rng(seed).normal(0, scale, shape), jnp.float32)


def mlp(wrap_layer, wrap_loss, depth=6, rows=4096, width=256, classes=16):
    sizes = [width] * depth + [classes]
    weights = [
        {"w": normal(i, (a, b), 1 / math.sqrt(a)), "b": jnp.zeros(b)}
        for i, (a, b) in enumerate(zip(sizes, sizes[1:]))
    ]
    layer = wrap_layer(lambda p, x: jnp.tanh(x @ p["w"] + p["b"]))

    def loss(weights, x, wanted):
        for p in weights[:-1]:
            x = layer(p, x)
        out = x @ weights[-1]["w"] + weights[-1]["b"]
        return jnp.mean((out - wanted) ** 2)

    batch = normal(50, (rows, width), 1), normal(51, (rows, classes), 1)
    return with_adam(wrap_loss(loss), weights, batch, corrected=True)


def cnn(wrap_layer, wrap_loss, images=64, size=32, classes=10):
    channels = [3, 32, 32, 64, 64]
    weights = {
        "kernels": [
            {"k": normal(i, (3, 3, a, b), 1 / math.sqrt(9 * a)), "b": jnp.zeros(b)}
            for i, (a, b) in enumerate(zip(channels, channels[1:]))
        ],
        "head": normal(9, (size * size * 4, classes), 1 / 64),
    }

    def convolve(p, x):
        y = jax.lax.conv_general_dilated(
            x, p["k"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        return jax.nn.relu(y + p["b"])

    layer = wrap_layer(convolve)

    def halve(x):
        n, h, w, c = x.shape
        return x.reshape(n, h // 2, 2, w // 2, 2, c).mean((2, 4))

    def loss(weights, x, wanted):
        for i, p in enumerate(weights["kernels"]):
            x = layer(p, x)
            x = halve(x) if i % 2 else x
        out = x.reshape(x.shape[0], -1) @ weights["head"]
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(out) * wanted, -1))

    labels = np.random.default_rng(5).integers(0, classes, images)
    batch = normal(50, (images, size, size, 3), 1), jax.nn.one_hot(labels, classes)
    return with_adam(wrap_loss(loss), weights, batch, corrected=True)


def transformer(wrap_layer, wrap_loss, depth=4, rows=4, length=256, width=256, heads=4,
                words=512):
    def dense(seed, a, b):
        return normal(seed, (a, b), 1 / math.sqrt(a))

    def norm_weights():
        return {"scale": jnp.ones(width), "shift": jnp.zeros(width)}

    weights = {
        "words": normal(1, (words, width), 0.02),
        "places": normal(2, (length, width), 0.02),
        "out": dense(3, width, words),
        "norm": norm_weights(),
        "layers": [
            {
                "qkv": dense(10 * i + 4, width, 3 * width),
                "mix": dense(10 * i + 5, width, width),
                "up": dense(10 * i + 6, width, 4 * width),
                "down": dense(10 * i + 7, 4 * width, width),
                "norm1": norm_weights(),
                "norm2": norm_weights(),
            }
            for i in range(depth)
        ],
    }

    def norm(p, x):
        centred = x - x.mean(-1, keepdims=True)
        spread = jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
        return centred * spread * p["scale"] + p["shift"]

    def attend(p, x):
        n, t, d = x.shape
        qkv = (x @ p["qkv"]).reshape(n, t, 3, heads, d // heads)
        q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
        scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) / math.sqrt(d // heads)
        past = jnp.tril(jnp.ones((t, t), bool))
        share = jax.nn.softmax(jnp.where(past, scores, -1e9), -1)
        return jnp.einsum("nhqk,nkhd->nqhd", share, v).reshape(n, t, d) @ p["mix"]

    def block(p, x):
        x = x + attend(p, norm(p["norm1"], x))
        return x + jax.nn.gelu(norm(p["norm2"], x) @ p["up"]) @ p["down"]

    layer = wrap_layer(block)

    def loss(weights, tokens, wanted):
        x = weights["words"][tokens] + weights["places"]
        for p in weights["layers"]:
            x = layer(p, x)
        chances = jax.nn.log_softmax(norm(weights["norm"], x) @ weights["out"])
        return -jnp.mean(jnp.take_along_axis(chances, wanted[..., None], -1))

    text = np.random.default_rng(7).integers(0, words, (rows, length + 1))
    batch = jnp.asarray(text[:, :-1], jnp.int32), jnp.asarray(text[:, 1:], jnp.int32)
    return with_adam(wrap_loss(loss), weights, batch, corrected=True)


def rnn(wrap_layer, wrap_loss, steps=64, rows=128, width=256, classes=16):
    weights = {
        "in": normal(1, (width, width), 1 / math.sqrt(width)),
        "on": normal(2, (width, width), 1 / math.sqrt(width)),
        "b": jnp.zeros(width),
        "out": normal(3, (width, classes), 1 / math.sqrt(width)),
    }
    cell = wrap_layer(lambda p, h, x: jnp.tanh(x @ p["in"] + h @ p["on"] + p["b"]))

    def loss(weights, inputs, wanted):
        start = jnp.zeros((rows, width))
        last, _ = jax.lax.scan(lambda h, x: (cell(weights, h, x), None), start, inputs)
        return jnp.mean((last @ weights["out"] - wanted) ** 2)

    batch = normal(50, (steps, rows, width), 1), normal(51, (rows, classes), 1)
    return with_adam(wrap_loss(loss), weights, batch, corrected=True)


def fill(shapes):
    """Arrays in place of shapes: weights of layers, and the scales and shifts of
    norms by their names."""

    def make(path, shape):
        name = getattr(path[-1], "key", None) if path else None
        if name in ("scale", "shift"):
            return jnp.full(shape.shape, float(name == "scale"))
        seed = sum(map(ord, jax.tree_util.keystr(path)))
        return normal(seed, shape.shape, 1 / math.sqrt(math.prod(shape.shape[:-1])))

    return jax.tree_util.tree_map_with_path(make, shapes)


def resnet18(wrap_layer, wrap_loss, images=8, size=32, classes=10, width=32):
    """Basic blocks 2, 2, 2, 2, batch norm (He et al., 2016), half as wide."""
    weight, norm = architectures.weight, architectures.norm

    def conv(k, a, b):
        return {"k": weight(k, k, a, b), "norm": norm(b)}

    blocks, strides, inside = [], [], width
    for stage in range(4):
        for i in range(2):
            outside = width * 2**stage
            block = {"a": conv(3, inside, outside), "b": conv(3, outside, outside)}
            if inside != outside:
                block["short"] = conv(1, inside, outside)
            blocks.append(block)
            strides.append(2 if stage and i == 0 else 1)
            inside = outside
    weights = {"stem": conv(3, 3, width), "blocks": blocks,
               "head": weight(inside, classes)}

    def apply(p, x, stride=1):
        x = architectures.convolve(p["k"], x, stride)
        return architectures.batch_norm(p["norm"], x)

    def block(stride, p, x):
        y = apply(p["b"], jax.nn.relu(apply(p["a"], x, stride)))
        short = apply(p["short"], x, stride) if "short" in p else x
        return jax.nn.relu(y + short)

    layers = {s: wrap_layer(lambda p, x, s=s: block(s, p, x)) for s in (1, 2)}

    def loss(weights, x, labels):
        x = jax.nn.relu(apply(weights["stem"], x))
        for p, stride in zip(weights["blocks"], strides):
            x = layers[stride](p, x)
        return architectures.cross_entropy(x.mean((1, 2)) @ weights["head"], labels)

    labels = np.random.default_rng(5).integers(0, classes, images)
    batch = normal(50, (images, size, size, 3), 1), jnp.asarray(labels, jnp.int32)
    return with_adam(wrap_loss(loss), fill(weights), batch, corrected=True)


def unet(wrap_layer, wrap_loss, images=4, size=64):
    """Three levels, batch norm (Ronneberger et al., 2015)."""
    apply, weights, image = architectures.unet_like(
        wrap_layer, images, size, architectures.batch_norm, (16, 32, 64), 0
    )

    def loss(weights, x, wanted):
        return jnp.mean(jnp.square(apply(weights, x) - wanted))

    batch = normal(50, image.shape, 1), normal(51, image.shape, 1)
    return with_adam(wrap_loss(loss), fill(weights), batch, corrected=True)


def lstm(wrap_layer, wrap_loss, steps=100, rows=64, width=128, classes=16):
    """An LSTM over a scan."""
    weight = architectures.weight
    weights = fill({
        "cell": {"in": weight(width, 4 * width), "on": weight(width, 4 * width)},
        "out": weight(width, classes),
    })

    def step(p, state, x):
        h, c = state
        i, f, g, o = jnp.split(x @ p["in"] + h @ p["on"], 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return jax.nn.sigmoid(o) * jnp.tanh(c), c

    cell = wrap_layer(step)

    def loss(weights, inputs, wanted):
        zeros = jnp.zeros((rows, width))
        (last, _), _ = jax.lax.scan(
            lambda state, x: (cell(weights["cell"], state, x), None),
            (zeros, zeros), inputs,
        )
        return jnp.mean((last @ weights["out"] - wanted) ** 2)

    batch = normal(50, (steps, rows, width), 1), normal(51, (rows, classes), 1)
    return with_adam(wrap_loss(loss), weights, batch, corrected=True)


def scanned(wrap_layer, wrap_loss, depth=8, rows=2, length=128, width=128, heads=4,
            words=512):
    """A transformer whose layers are one scan over stacked weights."""
    weight, norm = architectures.weight, architectures.norm
    square = {name: weight(width, width) for name in ("q", "k", "v", "mix")}
    layer = square | {"norm1": norm(width), "norm2": norm(width),
                      "up": weight(width, 4 * width), "down": weight(4 * width, width)}
    weights = fill({"words": weight(words, width), "places": weight(length, width),
                    "norm": norm(width), "out": weight(width, words)})
    weights["layers"] = jax.tree.map(
        lambda *each: jnp.stack(each), *(fill({str(i): layer})[str(i)]
                                         for i in range(depth))
    )

    def block(p, x):
        x = x + architectures.attend(p, architectures.layer_norm(p["norm1"], x), heads)
        inside = architectures.layer_norm(p["norm2"], x) @ p["up"]
        return x + jax.nn.gelu(inside) @ p["down"]

    apply = wrap_layer(block)

    def loss(weights, tokens, wanted):
        x = weights["words"][tokens] + weights["places"]
        x, _ = jax.lax.scan(lambda x, p: (apply(p, x), None), x, weights["layers"])
        x = architectures.layer_norm(weights["norm"], x)
        return architectures.cross_entropy(x @ weights["out"], wanted)

    text = np.random.default_rng(7).integers(0, words, (rows, length + 1))
    batch = jnp.asarray(text[:, :-1], jnp.int32), jnp.asarray(text[:, 1:], jnp.int32)
    return with_adam(wrap_loss(loss), weights, batch, corrected=True)


def gpt2(wrap_layer, wrap_loss, depth=4, rows=4, length=128, width=192, heads=6,
         words=1024):
    """GPT-2 of a size that runs anywhere; the words are read and guessed by one
    table."""
    step, state, _ = architectures.gpt2(
        wrap_layer, depth, rows, length, width, heads, words, wrap_loss
    )
    text = np.random.default_rng(7).integers(0, words, (rows, length + 1))
    batch = jnp.asarray(text[:, :-1], jnp.int32), jnp.asarray(text[:, 1:], jnp.int32)
    filled = fill(state["weights"])
    zeros = jax.tree.map(jnp.zeros_like, filled)
    return step, {"weights": filled, "first": zeros, "second": zeros}, batch


MODELS = {
    "mlp": mlp, "cnn": cnn, "transformer": transformer, "gpt2": gpt2,
    "resnet18": resnet18, "unet": unet, "rnn": rnn, "lstm": lstm, "scanned": scanned,
}

#: What makes the same models smaller, for table.py --small.
SMALL = {
    "mlp": {"rows": 2048},
    "cnn": {"images": 16},
    "transformer": {"rows": 2, "length": 128, "depth": 3},
    "gpt2": {"rows": 2, "depth": 3},
    "resnet18": {"width": 8},
    "unet": {"images": 2},
    "rnn": {"rows": 32},
    "lstm": {"rows": 32, "width": 64},
    "scanned": {"depth": 6, "words": 256},
}
