"""Four training steps with Adam in plain JAX, for table.py.

Each maker takes a function that wraps a layer and one that wraps the loss (the
places where people put jax.checkpoint), and returns the step, its state and its
batch."""

import math

import jax
import jax.numpy as jnp
import numpy as np


def normal(seed, shape, scale):
    return jnp.asarray(np.random.default_rng(seed).normal(0, scale, shape), jnp.float32)


def with_adam(loss, weights, batch, rate=1e-3, decay=0.9, decay2=0.999):
    """A step that updates weights and both moments."""

    def step(state, *batch):
        value, grads = jax.value_and_grad(loss)(state["weights"], *batch)
        count = state["count"] + 1.0
        first = jax.tree.map(
            lambda m, g: decay * m + (1 - decay) * g, state["first"], grads
        )
        second = jax.tree.map(
            lambda v, g: decay2 * v + (1 - decay2) * g * g, state["second"], grads
        )

        def move(w, m, v):
            return w - rate * (m / (1 - decay**count)) / (
                jnp.sqrt(v / (1 - decay2**count)) + 1e-8
            )

        weights = jax.tree.map(move, state["weights"], first, second)
        new = {"weights": weights, "first": first, "second": second, "count": count}
        return new, value

    zeros = jax.tree.map(jnp.zeros_like, weights)
    state = {
        "weights": weights,
        "first": zeros,
        "second": jax.tree.map(jnp.copy, zeros),
        "count": jnp.zeros(()),
    }
    return step, state, batch


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
    return with_adam(wrap_loss(loss), weights, batch)


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
    return with_adam(wrap_loss(loss), weights, batch)


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
    return with_adam(wrap_loss(loss), weights, batch)


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
    return with_adam(wrap_loss(loss), weights, batch)


MODELS = {"mlp": mlp, "cnn": cnn, "transformer": transformer, "rnn": rnn}
