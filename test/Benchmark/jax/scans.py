#!/usr/bin/env python3
"""What the gradient of a long scan takes: all states, jax.checkpoint, Pebble.

  scans.py [--steps=1000] [--rows=16] [--width=64] [--budgets=50,40,30]
           [--host=8+56,31+169]

Run by .python/bin/python (tools/python-env). A recurrent network steps through a
scan, and its gradient is taken: as it is, with jax.checkpoint around each step,
with jax.checkpoint around segments of about the square root of the length, with
jax.checkpoint around segments of segments (the cube root), by pebble.jax within
shares of what XLA reports for it as it is, and by Pebble's driver for two tiers, with
at most so many states on the device + on the host. (XLA on a CPU has all of them in one
memory, and its figure is of both.) Prints a table in Markdown: XLA's own figure, states kept by Pebble's driver, arithmetic beyond the gradient as it is by
Pebble's count (known for Pebble alone), the time of all processors for a run,
and how far the gradients are from plain jax.jit.
"""

import argparse
import math
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import packages  # noqa: E402

packages.need("jax", "pebble")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

import pebble.jax  # noqa: E402
from models import normal  # noqa: E402
from pebble import tool  # noqa: E402
from pebble.jax import loops, xla  # noqa: E402
from table import compile_policy, count_text, distance, measure_time  # noqa: E402


def split(steps, parts):
    """Lengths whose product is `steps`, as near to each other as can be."""
    if parts == 1:
        return [steps]
    aim = round(steps ** (1 / parts))
    near = sorted(range(1, steps + 1), key=lambda n: abs(n - aim))
    first = next(n for n in near if steps % n == 0)
    return [first, *split(steps // first, parts - 1)]


def make_loss(steps, parts):
    """The loss with a scan of scans, each step of which is checkpointed."""

    def cell(w, h, x):
        return jnp.tanh(h @ w + x)

    def scan(w, h, inputs, lengths):
        if len(lengths) == 1:
            return jax.lax.scan(lambda h, x: (cell(w, h, x), None), h, inputs)[0]
        segments = inputs.reshape(lengths[0], -1, *inputs.shape[1:])
        inner = jax.checkpoint(lambda w, h, x: scan(w, h, x, lengths[1:]))
        return jax.lax.scan(lambda h, x: (inner(w, h, x), None), h, segments)[0]

    def loss(w, h, inputs):
        if parts == 0:  # around each step
            step = jax.checkpoint(cell)
            h = jax.lax.scan(lambda h, x: (step(w, h, x), None), h, inputs)[0]
        else:
            h = scan(w, h, inputs, split(steps, parts))
        return jnp.sum(h * h)

    return loss


def reverse(gradient, arguments, slots, slow_slots):
    """The gradient by a driver for two tiers, compiled, with the states that it keeps
    in each and the arithmetic that it adds."""
    exported = xla.export_function(jax.jit(gradient), arguments, {})
    text = xla.to_text(exported)
    driver = f"schedule=two-tier slots={slots} slow-slots={slow_slots}"
    passes = ["--pebble-raise-loops", f"--pebble-checkpoint-loops={driver}"]
    made, _ = tool.run(text, ["--target=h100-approx", *passes], generic=True)
    names = ("slots", "slow_slots")
    kept = [re.search(rf"\b{name} = (\d+)", made)[1] for name in names]
    made, _ = tool.run(made, ["--pebble-loops-to-stablehlo"], generic=True)
    # Loops say what they cost, as long as they are Pebble's.
    extra = count_text(made) / count_text(text) - 1
    made, _ = tool.run(made, ["--pebble-to-stablehlo"], generic=True)
    loops.check(text, made)
    compiled = jax.jit(xla.make_call(exported, made)).lower(*arguments).compile(
        compiler_options=xla.OBEY
    )
    return compiled, " + ".join(kept), extra


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    for name, default in (("steps", 1000), ("rows", 16), ("width", 64)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--budgets", default="50,40,30", help="percent")
    parser.add_argument("--host", default="8+56,31+169", help="states, device + host")
    options = parser.parse_args()
    steps, rows, width = options.steps, options.rows, options.width
    arguments = (
        normal(1, (width, width), 1 / math.sqrt(width)),
        normal(2, (rows, width), 1),
        normal(3, (steps, rows, width), 1),
    )
    state = steps * rows * width * 4
    print(f"{steps} steps, all states are {state / 1e6:.2f} MB\n")
    print("| gradient | XLA, MB | beyond arguments, MB | states kept | arithmetic | "
          "CPU ms | from jit |")
    print("|---|---|---|---|---|---|---|")
    given = sum(a.nbytes for a in arguments)
    expected = base = None

    def row(name, run, reported, kept="", extra=""):
        nonlocal expected, base
        seconds, result = measure_time(run, arguments[0], arguments[1:])
        expected, base = expected or result, base or seconds
        print(
            f"| {name} | {reported / 1e6:.2f} | {(reported - given) / 1e6:.2f} | {kept} "
            f"| {extra} | {1e3 * seconds:.0f} ({seconds / base:.1f}x) | "
            f"{distance(expected, result):.0e} |",
            flush=True,
        )

    kinds = ((1, "as it is"), (0, "checkpoint, each step"),
             (2, "checkpoint, segments"), (3, "checkpoint, segments of segments"))
    for parts, name in kinds:
        gradient = jax.value_and_grad(make_loss(steps, parts))
        compiled = compile_policy(gradient, arguments[0], arguments[1:], donated=())
        row(name, compiled, xla.measure(compiled))
    for budget in options.budgets.split(","):
        planned = pebble.jax.schedule(
            jax.value_and_grad(make_loss(steps, 1)), f"{budget}%", verbose=False
        )
        try:
            plan = planned.plan_for(*arguments)
        except pebble.jax.Infeasible as refusal:
            print(f"| Pebble, {budget}% | none; the least tried takes {refusal.least / 1e6:.2f} "
                  "| | | | | |", flush=True)
            continue
        row(f"Pebble, {budget}%", planned, plan.reported, plan.slots or "",
            f"{plan.extra:+.1%}")
    for states in filter(None, options.host.split(",")):
        compiled, kept, extra = reverse(
            jax.value_and_grad(make_loss(steps, 1)), arguments, *states.split("+")
        )
        row("Pebble, two tiers", compiled, xla.measure(compiled),
            kept, f"{extra:+.1%}")


if __name__ == "__main__":
    main()
