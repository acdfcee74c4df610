#!/usr/bin/env python3
"""A training step that is too large to run here: policies of jax.checkpoint and
Pebble's plans at their memory, both as XLA compiles them.

  large.py [ARCHITECTURE...] [--budgets=16.19GB,11.05GB,8.64GB] [--time-limit=20]

Run by .python/bin/python (tools/python-env). Takes steps of architectures.py, GPT-2
if none is named; nothing runs. Prints XLA's own figure for the step as it is, and for
each block under a policy, with the arithmetic that comes on top, by Pebble's count.
After each policy stands Pebble's plan within its figure: what was planned, what XLA
reports for it, and the seconds until the plan was there. --budgets plans for other
bytes as well.
"""

import argparse
import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import packages  # noqa: E402

packages.need("jax", "pebble")

import jax  # noqa: E402

import pebble.jax  # noqa: E402
import policies  # noqa: E402
from pebble.jax import xla  # noqa: E402

ONCE = ["--pebble-group-steps", "--pebble-schedule=budget-percent=100"]


def count(name, wrap):
    return policies.plan(policies.lower(name, wrap), ONCE)["cost"]


def show(name, planned, reported, extra, seconds):
    planned = f"{planned / 1e9:.2f}" if planned else ""
    seconds = f"{seconds:.0f}" if seconds else ""
    print(f"| {name} | {planned} | {reported / 1e9:.2f} | {extra:+.2%} | {seconds} |", flush=True)


def show_plan(name, step, state, batch, budget, time_limit):
    began = time.perf_counter()
    planned = pebble.jax.schedule(
        step, budget, donate_argnums=0, time_limit=time_limit, cache=False, verbose=False
    )
    try:
        plan = planned.plan_for(state, *batch)
    except pebble.jax.Infeasible as refusal:
        print(f"| {name} | none; the least tried takes {refusal.least / 1e9:.2f} | | | |", flush=True)
        return
    seconds = time.perf_counter() - began
    show(name, plan.planned, plan.reported, plan.extra, seconds)


def table(name, budgets, time_limit):
    step, state, batch = policies.ARCHITECTURES[name](lambda block: block)
    lowered = jax.jit(step, donate_argnums=0).lower(state, *batch)
    once = count(name, lambda block: block)
    print(f"\n{name}:\n")
    print("| step | planned, GB | XLA, GB | arithmetic | s |")
    print("|---|---|---|---|---|")
    show("as it is", None, xla.measure(lowered.compile()), 0.0, None)
    for label, policy in policies.POLICIES:

        def wrap(block):
            return jax.checkpoint(block, policy=policy)

        theirs, _, _ = policies.ARCHITECTURES[name](wrap)
        compiled, _ = xla.compile_policy(jax.jit(theirs, donate_argnums=0).lower(state, *batch))
        figure = xla.measure(compiled)
        show(label, None, figure, count(name, wrap) / once - 1, None)
        show_plan("Pebble, the same", step, state, batch, figure, time_limit)
    for budget in budgets:
        show_plan(f"Pebble, {budget}", step, state, batch, budget, time_limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", help=", ".join(policies.ARCHITECTURES))
    parser.add_argument("--budgets", default="")
    parser.add_argument("--time-limit", type=float, default=20.0, help="seconds")
    options = parser.parse_args()
    for name in options.names or ["gpt2"]:
        if name not in policies.ARCHITECTURES:
            parser.error(f"no '{name}'; there are {', '.join(policies.ARCHITECTURES)}")
        table(name, [b for b in options.budgets.split(",") if b], options.time_limit)


if __name__ == "__main__":
    main()
