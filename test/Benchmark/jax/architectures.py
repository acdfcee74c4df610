"""Training steps of the sizes that people train, for policies.py.

They are lowered and never run, so weights are shapes. Each maker takes a
function that wraps a block (where people put jax.checkpoint), and returns the
step, its state and its batch, as in models.py."""

import math

import jax
import jax.numpy as jnp
from jax import ShapeDtypeStruct as Shape

from training import with_adam


def weight(*shape):
    return Shape(shape, jnp.float32)


def convolve(kernel, x, stride=1):
    return jax.lax.conv_general_dilated(
        x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def normalize(p, x, axes):
    mean = x.mean(axes, keepdims=True)
    spread = jax.lax.rsqrt(jnp.square(x - mean).mean(axes, keepdims=True) + 1e-5)
    return (x - mean) * spread * p["scale"] + p["shift"]


def batch_norm(p, x):
    return normalize(p, x, (0, 1, 2))


def layer_norm(p, x):
    return normalize(p, x, (-1,))


def norm(channels):
    return {"scale": weight(channels), "shift": weight(channels)}


def cross_entropy(scores, labels):
    chances = jax.nn.log_softmax(scores)
    return -jnp.mean(jnp.take_along_axis(chances, labels[..., None], -1))


def resnet50(wrap, images=32, size=224, classes=1000):
    """Bottleneck blocks 3, 4, 6, 3, batch norm (He et al., 2016)."""

    def conv(k, a, b):
        return {"k": weight(k, k, a, b), "norm": norm(b)}

    blocks, strides, inside = [], [], 64
    for stage, (count, width) in enumerate(zip((3, 4, 6, 3), (64, 128, 256, 512))):
        for i in range(count):
            block = {"a": conv(1, inside, width), "b": conv(3, width, width),
                     "c": conv(1, width, 4 * width)}
            if inside != 4 * width or i == 0:
                block["short"] = conv(1, inside, 4 * width)
            blocks.append(block)
            strides.append(2 if stage and i == 0 else 1)
            inside = 4 * width
    weights = {"stem": conv(7, 3, 64), "blocks": blocks,
               "head": weight(inside, classes), "bias": weight(classes)}

    def apply(p, x, stride=1):
        return batch_norm(p["norm"], convolve(p["k"], x, stride))

    def block(stride, p, x):
        y = jax.nn.relu(apply(p["a"], x))
        y = jax.nn.relu(apply(p["b"], y, stride))
        short = apply(p["short"], x, stride) if "short" in p else x
        return jax.nn.relu(apply(p["c"], y) + short)

    layers = {stride: wrap(lambda p, x, s=stride: block(s, p, x)) for stride in (1, 2)}

    def loss(weights, x, labels):
        x = jax.nn.relu(apply(weights["stem"], x, 2))
        x = jax.lax.reduce_window(
            x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"
        )
        for p, stride in zip(weights["blocks"], strides):
            x = layers[stride](p, x)
        return cross_entropy(x.mean((1, 2)) @ weights["head"] + weights["bias"], labels)

    return with_adam(
        loss, weights, (weight(images, size, size, 3), Shape((images,), jnp.int32))
    )


def unet_like(wrap, images, size, normal, widths, extra):
    """Down and up with copies across. `extra`, if any, are channels of a second
    input that is added within each block."""

    def double(a, b):
        p = {"k1": weight(3, 3, a, b), "norm1": norm(b),
             "k2": weight(3, 3, b, b), "norm2": norm(b)}
        return p | ({"time": weight(extra, b)} if extra else {})

    def block(p, x, time=None):
        x = jax.nn.relu(normal(p["norm1"], convolve(p["k1"], x)))
        if time is not None:
            x = x + (time @ p["time"])[:, None, None, :]
        return jax.nn.relu(normal(p["norm2"], convolve(p["k2"], x)))

    layer = wrap(block)
    downs = [double(a, b) for a, b in zip((3,) + widths, widths)]
    ups = [double(2 * b, b) for b in widths[-2::-1]]
    shrink = [weight(1, 1, a, b) for a, b in zip(widths[:0:-1], widths[-2::-1])]
    weights = {"downs": downs, "ups": ups, "shrink": shrink,
               "out": weight(1, 1, widths[0], 3)}

    def apply(weights, x, *time):
        across = []
        for i, p in enumerate(weights["downs"]):
            if i:
                n, h, w, c = x.shape
                x = x.reshape(n, h // 2, 2, w // 2, 2, c).max((2, 4))
            x = layer(p, x, *time)
            across.append(x)
        for p, kernel, skip in zip(weights["ups"], weights["shrink"], across[-2::-1]):
            x = convolve(kernel, jnp.repeat(jnp.repeat(x, 2, 1), 2, 2))
            x = layer(p, jnp.concatenate([x, skip], -1), *time)
        return convolve(weights["out"], x)

    image = weight(images, size, size, 3)
    return apply, weights, image


def unet(wrap, images=8, size=256):
    """Five levels, batch norm (Ronneberger et al., 2015)."""
    apply, weights, image = unet_like(
        wrap, images, size, batch_norm, (64, 128, 256, 512, 1024), 0
    )

    def loss(weights, x, wanted):
        return jnp.mean(jnp.square(apply(weights, x) - wanted))

    return with_adam(loss, weights, (image, image))


def diffusion(wrap, images=16, size=64, steps=1000, channels=256):
    """One step of denoising training: noise is added at a random time, and a
    network that knows the time names it (Ho et al., 2020)."""
    apply, net, image = unet_like(
        wrap, images, size, layer_norm, (128, 256, 256, 512), channels
    )
    weights = {"net": net, "time": weight(channels, channels)}

    def loss(weights, x, noise, times):
        share = jnp.cos(times / steps * jnp.pi / 2)[:, None, None, None] ** 2
        noisy = jnp.sqrt(share) * x + jnp.sqrt(1 - share) * noise
        waves = jnp.exp(-math.log(10000) * jnp.arange(channels // 2) / (channels // 2))
        angles = times[:, None] * waves
        time = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1)
        time = jax.nn.silu(time @ weights["time"])
        return jnp.mean(jnp.square(apply(weights["net"], noisy, time) - noise))

    return with_adam(loss, weights, (image, image, weight(images)))


def attend(p, x, heads):
    n, t, d = x.shape
    q, k, v = (
        (x @ p[name]).reshape(n, t, heads, d // heads).transpose(0, 2, 1, 3)
        for name in ("q", "k", "v")
    )
    scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(d // heads)
    past = jnp.tril(jnp.ones((t, t), bool))
    share = jax.nn.softmax(jnp.where(past, scores, -1e9), -1)
    return (share @ v).transpose(0, 2, 1, 3).reshape(n, t, d) @ p["mix"]


def transformer(wrap, depth, rows, length, width, heads, words, inner, apply,
                wrap_loss=lambda loss: loss):
    """Layers of attention and of `apply`, whose weights `inner` makes; guesses the
    next word."""
    weights = {
        "words": weight(words, width), "places": weight(length, width),
        "norm": norm(width),
        "layers": [
            {"q": weight(width, width), "k": weight(width, width),
             "v": weight(width, width), "mix": weight(width, width),
             "norm1": norm(width), "norm2": norm(width)} | inner()
            for _ in range(depth)
        ],
    }

    def block(p, x):
        x = x + attend(p, layer_norm(p["norm1"], x), heads)
        return x + apply(p, layer_norm(p["norm2"], x))

    layer = wrap(block)

    def loss(weights, tokens, wanted):
        x = weights["words"][tokens] + weights["places"]
        for p in weights["layers"]:
            x = layer(p, x)
        return cross_entropy(layer_norm(weights["norm"], x) @ weights["words"].T, wanted)

    tokens = Shape((rows, length), jnp.int32)
    return with_adam(wrap_loss(loss), weights, (tokens, tokens))


def experts(wrap, depth=6, rows=8, length=512, width=512, heads=8, count=8, words=32000):
    """A transformer whose tokens are shared out among experts, each with a
    place for two of eight tokens (Fedus et al., 2022)."""
    room = 2 * length // count

    def inner():
        return {"gate": weight(width, count), "up": weight(count, width, 4 * width),
                "down": weight(count, 4 * width, width)}

    def dispatch(p, x):
        gate = jax.nn.softmax(x @ p["gate"])
        chosen = jax.nn.one_hot(jnp.argmax(gate, -1), count)
        seat = (jnp.cumsum(chosen, 1) - 1) * chosen
        places = jax.nn.one_hot(seat.sum(-1).astype(jnp.int32), room)
        sent = jnp.einsum("ntc,ntr->ntcr", chosen, places)
        inputs = jnp.einsum("ntcr,ntd->cnrd", sent, x)
        inside = jax.nn.gelu(jnp.einsum("cnrd,cdf->cnrf", inputs, p["up"]))
        outputs = jnp.einsum("cnrf,cfd->cnrd", inside, p["down"])
        return jnp.einsum("ntcr,cnrd->ntd", sent * gate[..., None], outputs)

    return transformer(wrap, depth, rows, length, width, heads, words, inner, dispatch)


def lstm(wrap, steps=64, rows=128, width=1024, layers=2, words=10000):
    """Two layers over 64 words, unrolled (Zaremba et al., 2014)."""
    weights = {
        "words": weight(words, width), "out": weight(width, words),
        "layers": [{"in": weight(width, 4 * width), "on": weight(width, 4 * width),
                    "b": weight(4 * width)} for _ in range(layers)],
    }

    def cell(p, x, h, c):
        i, f, g, o = jnp.split(x @ p["in"] + h @ p["on"] + p["b"], 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return jax.nn.sigmoid(o) * jnp.tanh(c), c

    layer = wrap(cell)

    def loss(weights, tokens, wanted):
        zeros = jnp.zeros((rows, width))
        state = [(zeros, zeros) for _ in range(layers)]
        total = 0.0
        for t in range(steps):
            x = weights["words"][tokens[:, t]]
            for i, p in enumerate(weights["layers"]):
                state[i] = layer(p, x, *state[i])
                x = state[i][0]
            total += cross_entropy(x @ weights["out"], wanted[:, t])
        return total / steps

    tokens = Shape((rows, steps), jnp.int32)
    return with_adam(loss, weights, (tokens, tokens))


def gpt2(wrap, depth=12, rows=8, length=1024, width=768, heads=12, words=50257,
         wrap_loss=lambda loss: loss):
    """GPT-2 (Radford et al., 2019)."""

    def inner():
        return {"up": weight(width, 4 * width), "down": weight(4 * width, width)}

    def apply(p, x):
        return jax.nn.gelu(x @ p["up"]) @ p["down"]

    return transformer(wrap, depth, rows, length, width, heads, words, inner, apply,
                       wrap_loss)


ARCHITECTURES = {
    "resnet50": resnet50, "unet": unet, "diffusion": diffusion, "experts": experts,
    "lstm": lstm, "gpt2": gpt2,
}
