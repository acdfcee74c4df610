#!/usr/bin/env python3
"""Plans a step of a 70B-parameter transformer for 8 to 4,096 devices, on paper.

    devices.py write DEVICES > step.mlir     the program of each device
    devices.py table [DEVICES ...]           plans it, and prints a row for each

The model is Llama 2 70B (H. Touvron et al., 2023): 80 layers, width 8,192, 64 heads of
which 8 have keys and values, 28,672 hidden units with gates, 32,000 words. Each layer is
written as the one before. Assumptions:

- Nodes of 8 devices. Within a node products are divided as by M. Shoeybi et al.,
  Megatron-LM (2019): heads and hidden units by columns, what leaves them by rows. Between
  nodes each device has its part of the batch, and of what is left of a weight (fully
  sharded). One sequence of 4,096 tokens for each node.
- A device computes 400 Tflop/s in products and moves 3 TB/s in all else, has 80 GB, and
  sends 450 GB/s within the node and 50 GB/s between nodes (one link of 400 Gbit/s for
  each), with 1 and 5 us of latency.
- Weights and activations have 2 bytes. Sums over ranks have 4, since MPI adds no bf16.
  Adam keeps 12 bytes for a parameter (K. Rajbhandari et al., ZeRO, 2020).
- Attention makes no matrix of scores (T. Dao et al., FlashAttention, 2022). Norms are part
  of the product behind them, and the loss of the last product.

Beside the plan stand rules of thumb: 6 flops for each parameter and token (J. Kaplan et al.,
Scaling laws, 2020); 3 times the weights of 2 bytes, sent and received in parts, for fully
sharded training (ZeRO), and 4 all-reduces of activations in a layer (Megatron-LM); 16 bytes
for a parameter, divided among all devices (ZeRO).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

LAYERS, WIDTH, HEADS, KV, HIDDEN, WORDS, TOKENS = 80, 8192, 64, 8, 28672, 32000, 4096
NODE, SPEED, MEMORY_BYTES, MEMORY_SPEED = 8, 400e12, 80 * 10**9, 3e12
NODE_SPEED, NET_SPEED, NODE_LATENCY, NET_LATENCY = 450000, 50000, 1000, 5000
HEAD = WIDTH // HEADS
QKV = (WIDTH + 2 * KV * HEAD) // NODE
ATTENDED = WIDTH // NODE
UP = 2 * HIDDEN // NODE
DOWN = HIDDEN // NODE
N = TOKENS
WEIGHTS = (("qkv", WIDTH, QKV), ("out", ATTENDED, WIDTH), ("up", WIDTH, UP), ("down", DOWN, WIDTH))


def kind(rows, columns, element="bf16"):
    return f"tensor<{rows}x{columns}x{element}>"


def width_of(element):
    return {"bf16": 2, "f32": 4}[element]


class Writer:
    def __init__(self, devices):
        self.devices, self.parts = devices, devices // NODE
        self.lines, self.arguments, self.kinds, self.count = [], [], {}, 0

    def argument(self, name, rows, columns, element="bf16"):
        self.kinds[name] = (rows, columns, element)
        self.arguments.append(f"{name}: {kind(rows, columns, element)} {{pebble.donated}}")
        return name

    def type_of(self, name):
        return kind(*self.kinds[name])

    def bytes_of(self, name):
        rows, columns, element = self.kinds[name]
        return rows * columns * width_of(element)

    def op(self, name, operands, rows, columns, element="bf16", flops=0):
        self.count += 1
        result = f"%v{self.count}"
        self.kinds[result] = (rows, columns, element)
        moved = sum(map(self.bytes_of, operands)) + self.bytes_of(result)
        cost = max(1, int(1e9 * max(flops / SPEED, moved / MEMORY_SPEED)))
        types = ", ".join(self.type_of(o) for o in operands)
        self.lines.append(f'{result} = "model.{name}"({", ".join(operands)}) {{pebble.cost = {cost} : i64}} : '
                          f"({types}) -> {self.type_of(result)}")
        return result

    def together(self, what, source, rows, group, stride):
        columns, element = self.kinds[source][1:]
        if group == 1:
            return source
        self.count += 1
        result = f"%v{self.count}"
        self.kinds[result] = (rows, columns, element)
        to = self.type_of(result)
        self.lines.append(f"{result}_to = tensor.empty() : {to}")
        self.lines.append(f"{result} = pebble.collective {what} {source} into {result}_to group = {group} "
                          f"stride = {stride} ranks = {self.devices} : {self.type_of(source)}, {to} -> {to}")
        return result

    def gather(self, weight, rows):
        return self.together("all_gather", weight, rows, self.parts, NODE)

    def scatter(self, gradient):
        return self.together("reduce_scatter", gradient, self.kinds[gradient][0] // self.parts, self.parts, NODE)

    def add_up(self, value):
        return self.together("all_reduce", value, self.kinds[value][0], NODE, 1)

    def product(self, name, operands, rows, inner, columns, element="bf16"):
        return self.op(name, operands, rows, columns, element, 2 * rows * inner * columns)

    def update(self, name, gradient):
        rows, columns, _ = self.kinds[name]
        self.results.append(self.op("update", [name, gradient], rows, columns))

    def write(self):
        x = self.argument("%x", N, WIDTH)
        weights = []
        for layer in range(LAYERS):
            mine = {}
            for name, rows, columns in WEIGHTS:
                mine[name] = self.argument(f"%{name}{layer}", rows // self.parts, columns)
                self.argument(f"%{name}{layer}_adam", 3 * rows // self.parts, columns, "f32")
            weights.append(mine)
        head = self.argument("%head", WIDTH // self.parts, WORDS // NODE)
        self.argument("%head_adam", 3 * WIDTH // self.parts, WORDS // NODE, "f32")
        self.results, kept = [], []
        for mine in weights:
            x = self.forward(mine, x, kept)
        whole = self.gather(head, WIDTH)
        logits = self.product("head", [x, whole], N, WIDTH, WORDS // NODE)
        d = self.add_up(self.product("head_back", [logits, whole], N, WORDS // NODE, WIDTH, "f32"))
        d = self.op("round", [d], N, WIDTH)
        self.update(head, self.scatter(self.product("head_weight", [logits, x], WIDTH, N, WORDS // NODE, "f32")))
        for mine, values in zip(reversed(weights), reversed(kept)):
            d = self.backward(mine, d, values)
        self.results.append(d)

    def forward(self, w, x, kept):
        values = {"x": x, "whole": {n: self.gather(w[n], rows) for n, rows, _ in WEIGHTS}}
        whole = values["whole"]
        values["qkv"] = self.product("qkv", [x, whole["qkv"]], N, WIDTH, QKV)
        values["attended"] = self.op("attention", [values["qkv"]], N, ATTENDED, flops=2 * N * N * ATTENDED)
        y = self.add_up(self.product("out", [values["attended"], whole["out"]], N, ATTENDED, WIDTH, "f32"))
        values["y"] = y = self.op("add", [x, y], N, WIDTH)
        values["up"] = self.product("up", [y, whole["up"]], N, WIDTH, UP)
        z = self.add_up(self.product("down", [values["up"], whole["down"]], N, DOWN, WIDTH, "f32"))
        kept.append(values)
        return self.op("add", [y, z], N, WIDTH)

    def backward(self, w, d, v):
        whole = v["whole"]

        def weight(name, operands, rows, columns):
            gradient = self.product(f"{name}_weight", operands, rows, N, columns, "f32")
            self.update(w[name], self.scatter(gradient))
        d_up = self.product("down_back", [d, v["up"], whole["down"]], N, WIDTH, UP)
        weight("down", [d, v["up"]], DOWN, WIDTH)
        d_y = self.add_up(self.product("up_back", [d_up, v["y"], whole["up"]], N, UP, WIDTH, "f32"))
        weight("up", [d_up, v["y"]], WIDTH, UP)
        d = self.op("add", [d, d_y], N, WIDTH)
        d_attended = self.product("out_back", [d, whole["out"]], N, WIDTH, ATTENDED)
        weight("out", [d, v["attended"]], ATTENDED, WIDTH)
        d_qkv = self.op("attention_back", [d_attended, v["qkv"]], N, QKV, flops=5 * N * N * ATTENDED)
        d_x = self.add_up(self.product("qkv_back", [d_qkv, v["x"], whole["qkv"]], N, QKV, WIDTH, "f32"))
        weight("qkv", [d_qkv, v["x"]], WIDTH, QKV)
        return self.op("add", [d, d_x], N, WIDTH)

    def text(self):
        self.write()
        groups = [f'<"node", size = {NODE}, bandwidth = {NODE_SPEED}, latency = {NODE_LATENCY}>']
        if self.parts > 1:
            groups.append(f'<"net", size = {self.devices}, bandwidth = {NET_SPEED}, latency = {NET_LATENCY}>')
        types = ", ".join(self.type_of(r) for r in self.results)
        return "\n".join([
            "module attributes {pebble.hierarchy = #pebble.hierarchy<[<\"hbm\", kind = explicit, "
            f"bandwidth = {int(MEMORY_SPEED / 1e6)}>], topology = <[{', '.join(groups)}], ranks = {self.devices}>>}} {{",
            f"func.func @main({', '.join(self.arguments)}) -> ({types}) {{",
            *("  " + line for line in self.lines), f"  return {', '.join(self.results)} : {types}", "}", "}"])


PARAMETERS = LAYERS * NODE * sum(r * c for _, r, c in WEIGHTS) + WIDTH * WORDS


def sent_by_rule(devices):
    """Of one device: 3 times its node's part of the weights, and 4 sums of activations."""
    parts = devices // NODE
    sharded = 3 * 2 * PARAMETERS / NODE * (parts - 1) / parts
    summed = (4 * LAYERS + 1) * 2 * (NODE - 1) / NODE * N * WIDTH * 4
    return sharded, summed


def read_plan(text):
    entry = re.search(r"pebble\.result = \{(.*?)\}, pebble", text) or re.search(r"pebble\.result = \{(.*)\}", text)
    numbers = dict(re.findall(r"(\w+) = (-?\d+) : i64", entry.group(1)))
    return {name: int(number) for name, number in numbers.items()}


def plan(devices, folder):
    path, out = os.path.join(folder, "step.mlir"), os.path.join(folder, "planned.mlir")
    with open(path, "w") as file:
        file.write(Writer(devices).text())
    begin = time.time()
    done = subprocess.run(
        ["pebble-opt", "--quiet", "--allow-unregistered-dialect", path, "-o", out,
         f"--pebble-schedule=budget={MEMORY_BYTES} objective=time means=recompute time-limit-ms=20000 pure={PURE}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.time() - begin
    if done.returncode:
        return None, seconds, done.stdout
    with open(out) as file:
        text = file.read()
    return read_plan(text), seconds, text


PURE = ",".join("model." + n for n in (
    "qkv qkv_back qkv_weight out out_back out_weight up up_back up_weight down down_back down_weight head head_back "
    "head_weight attention attention_back add round update").split())


def row(devices):
    with tempfile.TemporaryDirectory() as folder:
        plan_of, seconds, text = plan(devices, folder)
    # What is left of memory decides; a plan that needs more says what.
    flops = 6 * PARAMETERS * N / NODE
    sharded, summed = sent_by_rule(devices)
    rule = flops / SPEED + sharded / (NET_SPEED * 1e6) + summed / (NODE_SPEED * 1e6)
    state = 16 * PARAMETERS / devices
    head = f"{devices:7} {state / 1e9:8.1f}"
    if plan_of is None:
        least = re.search(r"smallest (?:known |feasible )*budget\D*?(\d+)", text.replace(",", ""))
        return f"{head} needs {int(least.group(1)) / 1e9:.1f} GB; {seconds:.0f} s" if least else head + " " + text[-300:]
    gathers = text.count("collective all_gather") + text.count("collective_start all_gather")
    sent = sent_by_plan(text)
    return (f"{head} {plan_of['peak_bytes'] / 1e9:8.1f} {gathers:6} {sent[0] / 1e9:8.1f} {sharded / 1e9:8.1f} "
            f"{sent[1] / 1e9:8.1f} {summed / 1e9:8.1f} {plan_of['predicted_ns'] / 1e9:8.2f} "
            f"{flops / SPEED:8.2f} {rule:8.2f} {seconds:6.0f}")


def sent_by_plan(text):
    """Bytes that one device sends between nodes and within its node, by rings."""
    sums = [0, 0]
    form = re.compile(r"collective(?:_start)? (\w+) .* group = (\d+) stride = (\d+) .*?: tensor<(\d+)x(\d+)x(\w+)>, "
                      r"tensor<(\d+)x")
    for what, group, stride, rows, columns, element, to in form.findall(text):
        whole = max(int(rows), int(to)) * int(columns) * width_of(element)
        rounds = 2 if what == "all_reduce" else 1
        sums[int(stride) == 1] += rounds * whole * (int(group) - 1) / int(group)
    return sums


def main():
    if sys.argv[1] == "write":
        print(Writer(int(sys.argv[2])).text())
        return
    print("devices 16 bytes     peak gathers sharded  by rule   summed  by rule  predicted computing  serial   plan")
    print("               GB       GB             GB       GB       GB       GB         s         s       s      s")
    for devices in map(int, sys.argv[2:] or (8, 64, 512, 4096)):
        print(row(devices), flush=True)


main()
