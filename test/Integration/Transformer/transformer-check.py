"""Holds transformer-step.py to calculus: gradients of a small instance.

Runs both forms with pebble-run on the same random weights and compares them
with a numpy implementation of the step, written without regard to the other;
and the gradients of that one with central differences of its loss, in double
precision. Prints the largest errors, and fails beyond the bounds below.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

LAYERS, WIDTH, SEQ, HEADS, BATCH, VOCAB, RATE = 2, 16, 8, 2, 2, 11, 1.0
# Largest differences, relative to the largest entry of a tensor.
STEP_BOUND, DIFFERENCE_BOUND = 2e-5, 1e-6


def weight_shapes():
    d, h = WIDTH, 4 * WIDTH
    layer = [("g1", (d,)), ("s1", (d,)), ("wq", (d, d)), ("wk", (d, d)),
             ("wv", (d, d)), ("wo", (d, d)), ("g2", (d,)), ("s2", (d,)),
             ("w1", (d, h)), ("b1", (h,)), ("w2", (h, d)), ("b2", (d,))]
    return ([("embed", (VOCAB, d)), ("position", (SEQ, d))] +
            [(f"{l}{n}", s) for l in range(LAYERS) for n, s in layer] +
            [("g", (d,)), ("s", (d,)), ("head", (d, VOCAB))])


def normalise(x):
    centred = x - x.mean(-1, keepdims=True)
    scale = 1 / np.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-5)
    return centred * scale, scale


def normalise_back(d, normal, scale):
    return scale * (d - d.mean(-1, keepdims=True)
                    - normal * (d * normal).mean(-1, keepdims=True))


def split(x):
    return x.reshape(BATCH, SEQ, HEADS, -1).transpose(0, 2, 1, 3)


def join(x):
    return x.transpose(0, 2, 1, 3).reshape(BATCH, SEQ, WIDTH)


def gelu(u):
    t = np.tanh(np.sqrt(2 / np.pi) * (u + 0.044715 * u ** 3))
    return 0.5 * u * (1 + t), t


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def weight_gradient(x, d):
    return x.reshape(-1, x.shape[-1]).T @ d.reshape(-1, d.shape[-1])


def step(w, tokens, labels, with_gradients=True):
    """The loss, and the gradient of each weight."""
    x = w["embed"][tokens] + w["position"]
    past = np.tril(np.ones((SEQ, SEQ), bool))
    root = np.sqrt(WIDTH / HEADS)
    tape = []
    for l in range(LAYERS):
        n1, r1 = normalise(x)
        y1 = n1 * w[f"{l}g1"] + w[f"{l}s1"]
        q, k, v = (split(y1 @ w[f"{l}w{c}"]) for c in "qkv")
        scores = np.where(past, q @ k.swapaxes(2, 3) / root, -1e30)
        p = softmax(scores)
        mixed = join(p @ v)
        x = x + mixed @ w[f"{l}wo"]
        n2, r2 = normalise(x)
        y2 = n2 * w[f"{l}g2"] + w[f"{l}s2"]
        u = y2 @ w[f"{l}w1"] + w[f"{l}b1"]
        a, t = gelu(u)
        x = x + a @ w[f"{l}w2"] + w[f"{l}b2"]
        tape.append((n1, r1, y1, q, k, v, p, mixed, n2, r2, y2, u, a, t))
    n, r = normalise(x)
    y = n * w["g"] + w["s"]
    p = softmax(y @ w["head"])
    chosen = np.take_along_axis(p, labels[..., None], -1)
    loss = -np.log(chosen).mean()
    if not with_gradients:
        return loss, None
    g = {}
    d = p.copy()
    np.put_along_axis(d, labels[..., None], chosen - 1, -1)
    d /= labels.size
    g["head"] = weight_gradient(y, d)
    d = d @ w["head"].T
    g["g"], g["s"] = (d * n).sum((0, 1)), d.sum((0, 1))
    d = normalise_back(d * w["g"], n, r)
    for l in reversed(range(LAYERS)):
        n1, r1, y1, q, k, v, p, mixed, n2, r2, y2, u, a, t = tape[l]
        g[f"{l}b2"], g[f"{l}w2"] = d.sum((0, 1)), weight_gradient(a, d)
        slope = 0.5 * (1 + t) + 0.5 * u * (1 - t ** 2) * np.sqrt(
            2 / np.pi) * (1 + 3 * 0.044715 * u ** 2)
        d_u = d @ w[f"{l}w2"].T * slope
        g[f"{l}b1"], g[f"{l}w1"] = d_u.sum((0, 1)), weight_gradient(y2, d_u)
        d_y = d_u @ w[f"{l}w1"].T
        g[f"{l}g2"], g[f"{l}s2"] = (d_y * n2).sum((0, 1)), d_y.sum((0, 1))
        d = d + normalise_back(d_y * w[f"{l}g2"], n2, r2)
        g[f"{l}wo"] = weight_gradient(mixed, d)
        d_m = split(d @ w[f"{l}wo"].T)
        d_p = d_m @ v.swapaxes(2, 3)
        d_s = p * (d_p - (d_p * p).sum(-1, keepdims=True)) / root
        parts = (join(d_s @ k), join(d_s.swapaxes(2, 3) @ q),
                 join(p.swapaxes(2, 3) @ d_m))
        d_y = 0
        for c, part in zip("qkv", parts):
            g[f"{l}w{c}"] = weight_gradient(y1, part)
            d_y = d_y + part @ w[f"{l}w{c}"].T
        g[f"{l}g1"], g[f"{l}s1"] = (d_y * n1).sum((0, 1)), d_y.sum((0, 1))
        d = d + normalise_back(d_y * w[f"{l}g1"], n1, r1)
    g["position"] = d.sum(0)
    g["embed"] = np.zeros_like(w["embed"])
    np.add.at(g["embed"], tokens, d)
    return loss, g


def run(form, inputs, folder):
    """The results of a form of the generated step, in order."""
    generator = os.path.join(os.path.dirname(__file__), "transformer-step.py")
    text = subprocess.run(
        [sys.executable, generator, f"--layers={LAYERS}", f"--width={WIDTH}",
         f"--seq={SEQ}", f"--heads={HEADS}", f"--batch={BATCH}",
         f"--vocab={VOCAB}", f"--rate={RATE}", f"--form={form}"],
        check=True, capture_output=True, text=True).stdout
    path = os.path.join(folder, form + ".mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    command = ["pebble-run", "--opt-level=0", path, f"--output-dir={folder}",
               f"--json={path}.json"]
    for i, value in enumerate(inputs):
        np.save(os.path.join(folder, f"in{i}.npy"), value)
        command.append(f"--input={i}:{folder}/in{i}.npy")
    subprocess.run(command, check=True)
    with open(path + ".json", encoding="utf-8") as file:
        report = json.load(file)
    if report["peak_bytes"] != report["predicted_peak_bytes"]:
        sys.exit(f"{form}: the peak is not the predicted one: {report}")
    return [np.load(os.path.join(folder, f"result{i}.npy"))
            for i in range(1 + len(weight_shapes()))]


def distance(a, b):
    return np.abs(a - b).max() / np.abs(b).max()


def main():
    random = np.random.default_rng(5)
    names = [name for name, _ in weight_shapes()]
    w = {name: random.uniform(-0.5, 0.5, shape) +
         (1 if name.endswith(("g", "g1", "g2")) else 0)
         for name, shape in weight_shapes()}
    single = {name: value.astype(np.float32) for name, value in w.items()}
    w = {name: value.astype(np.float64) for name, value in single.items()}
    tokens, labels = random.integers(0, VOCAB, (2, BATCH, SEQ))
    loss, gradients = step(w, tokens, labels)

    worst = 0
    for name in names:
        flat, exact = w[name].reshape(-1), gradients[name].reshape(-1)
        for i in range(0, flat.size, max(1, flat.size // 32)):
            kept, sides = flat[i], []
            for offset in (1e-5, -1e-5):
                flat[i] = kept + offset
                sides.append(step(w, tokens, labels, False)[0])
            flat[i] = kept
            slope = (sides[0] - sides[1]) / 2e-5
            worst = max(worst, abs(slope - exact[i]) / np.abs(exact).max())
    print(f"central differences and numpy: {worst:.1e}")
    if worst > DIFFERENCE_BOUND:
        sys.exit("the gradients of numpy are not those of its loss")

    inputs = [tokens.reshape(-1).astype(np.int32),
              labels.reshape(-1).astype(np.int32)] + list(single.values())
    with tempfile.TemporaryDirectory() as folder:
        for form in ("pair", "step"):
            # The pair's last argument is the gradient of the loss.
            given = [np.float32(1)] if form == "pair" else []
            results = run(form, inputs + given, folder)
            worst = distance(results[0], loss)
            for name, result in zip(names, results[1:]):
                expected = (gradients[name] if form == "pair"
                            else w[name] - RATE * gradients[name])
                worst = max(worst, distance(result, expected))
            print(f"{form} and numpy: {worst:.1e}")
            if worst > STEP_BOUND:
                sys.exit(f"{form}: the step is not that of numpy")


if __name__ == "__main__":
    main()
