#!/usr/bin/env python3
"""What memory costs: a training step as it is, under six policies of
jax.checkpoint, and as Pebble plans it.

  table.py [MODEL...] [--budgets=90,80,70,60,50,40,30] [--time-limit=SECONDS] [--small]
           [--plans-only]

Run by .python/bin/python (tools/python-env). Prints a table in Markdown for
each model of models.py: XLA's own figure (arguments + temporaries + results -
what they share), arithmetic beyond the step as it is, by Pebble's count, and that
of products and convolutions alone, what was planned, the time of all processors
for a step, and how far the results are from plain jax.jit (largest difference of
an element, in terms of the largest of its array). A budget is in percent of the
step as it is, or bytes (77.7MB). Without a time limit a search does as much work
as suits. With --small the models are smaller; with --plans-only no policies are
compiled.
"""

import functools
import math
import os
import re
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import packages  # noqa: E402

packages.need("jax", "pebble")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.extend.mlir import ir  # noqa: E402

import pebble.jax  # noqa: E402
from models import MODELS, SMALL  # noqa: E402
from pebble import tool  # noqa: E402
from pebble.jax import planning, xla  # noqa: E402
import model_tables  # noqa: E402


POLICIES = jax.checkpoint_policies
# Name, the policy, and whether layers are wrapped or the whole loss.
REMAT = [
    ("dots, whole", POLICIES.dots_saveable, False),
    ("dots without batch, whole", POLICIES.dots_with_no_batch_dims_saveable, False),
    ("nothing, whole", POLICIES.nothing_saveable, False),
    ("dots, per layer", POLICIES.dots_saveable, True),
    ("dots without batch, per layer", POLICIES.dots_with_no_batch_dims_saveable, True),
    ("nothing, per layer", POLICIES.nothing_saveable, True),
]


def same(function):
    return function


def wrap(policy):
    return lambda function: jax.checkpoint(function, policy=policy)


def count(step, state, batch):
    """Arithmetic of a step, each operation once: all, as Pebble counts it, and of
    products and convolutions."""
    jitted = jax.jit(step, donate_argnums=0)
    text = xla.to_text(xla.export_function(jitted, (state, *batch), {}))
    return count_text(text), count_products(text)


def count_text(text):
    passes = ["--pebble-group-steps", "--pebble-schedule=budget-percent=100"]
    return planning._result(tool.run(text, passes)[0])["cost"]


def count_products(text):
    """Arithmetic of the products and convolutions that stand in `text`; in loops
    each counts once."""
    total = 0

    def visit(op):
        nonlocal total
        if op.name in ("stablehlo.dot_general", "stablehlo.convolution"):
            left, right = (ir.RankedTensorType(v.type).shape for v in op.operands)
            result = ir.RankedTensorType(op.results[0].type).shape
            total += 2 * math.prod(result) * count_terms(op, left, right)
        return ir.WalkResult.ADVANCE

    with xla.make_context():
        ir.Module.parse(text).operation.walk(visit)
    return total


def count_terms(op, left, right):
    """How many products are added for one element of the result."""
    if op.name == "stablehlo.dot_general":
        numbers = str(op.attributes["dot_dimension_numbers"])
        found = re.search(r"lhs_contracting_dimensions = \[([^]]*)\]", numbers)
        dims = [int(d) for d in found[1].split(",") if d.strip()] if found else []
        return math.prod(left[d] for d in dims)
    numbers = str(op.attributes["dimension_numbers"])
    kernel = re.search(r"x\[([^]]*)\]->", numbers)[1].split(", ")
    return math.prod(right) // right[kernel.index("o")]


def measure_time(run, state, batch, times=3):
    """Seconds of processors for a step: the least of some. The clock would say what
    else the machine does."""
    seconds = []
    for _ in range(times):
        fresh = jax.block_until_ready(jax.tree.map(jnp.copy, state))
        began = time.process_time()
        result = jax.block_until_ready(run(fresh, *batch))
        seconds.append(time.process_time() - began)
    return min(seconds), result


def distance(a, b):
    """The largest difference, each array by its largest element."""
    worst = 0.0
    for x, y in zip(jax.tree.leaves(a), jax.tree.leaves(b)):
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        worst = max(worst, np.abs(x - y).max() / max(np.abs(x).max(), 1e-30))
    return worst


def compile_step(step, state, batch):
    return jax.jit(step, donate_argnums=0).lower(state, *batch).compile()


def compile_policy(step, state, batch, donated=0):
    """The step of a policy, by the options of XLA with which it takes less."""
    lowered = jax.jit(step, donate_argnums=donated).lower(state, *batch)
    return xla.compile_policy(lowered)[0]


def row(name, reported, extra, products, planned, seconds, base, apart):
    planned = f"{planned / 1e6:.2f}" if planned else ""
    apart = f"{apart:.0e}" if apart is not None else ""
    print(
        f"| {name} | {reported / 1e6:.2f} | {extra:+.1%} | {products:+.1%} | {planned} | "
        f"{1e3 * seconds:.0f} ({seconds / base:.2f}x) | {apart} |",
        flush=True,
    )


def table(name, budgets, time_limit, small, plans_only):
    make = functools.partial(MODELS[name], **(SMALL[name] if small else {}))
    step, state, batch = make(same, same)
    plain = compile_step(step, state, batch)
    base, expected = measure_time(plain, state, batch)
    cost, products = count(step, state, batch)
    print(f"\n{name}:\n")
    print("| step | XLA, MB | arithmetic | products | planned, MB | CPU ms | from jit |")
    print("|---|---|---|---|---|---|---|")
    row("as it is", xla.measure(plain), 0.0, 0.0, None, base, base, None)
    for label, policy, is_layer in [] if plans_only else REMAT:
        wrapped = wrap(policy)
        other, _, _ = make(wrapped if is_layer else same, same if is_layer else wrapped)
        compiled = compile_policy(other, state, batch)
        seconds, result = measure_time(compiled, state, batch)
        all_, of_products = count(other, state, batch)
        row(label, xla.measure(compiled), all_ / cost - 1, of_products / products - 1,
            None, seconds, base, distance(expected, result))
    for budget in budgets:
        budget += "%" if budget.replace(".", "").isdigit() else ""
        planned = pebble.jax.schedule(
            step, budget, donate_argnums=0, time_limit=time_limit, verbose=False
        )
        try:
            plan = planned.plan_for(state, *batch)
        except pebble.jax.Infeasible as refusal:
            print(f"| Pebble, {budget} | none; the least tried takes {refusal.least / 1e6:.2f} | "
                  "| | | | |", flush=True)
            break
        seconds, result = measure_time(planned, state, batch)
        row(f"Pebble, {budget}", plan.reported, plan.extra,
            count_products(plan.text) / products - 1 if plan.text else 0.0,
            plan.planned, seconds, base, distance(expected, result))


def main():
    # What is compiled for each budget, the step as it is, is compiled once.
    with tempfile.TemporaryDirectory() as folder:
        jax.config.update("jax_compilation_cache_dir", folder)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        flags = [a in sys.argv for a in ("--small", "--plans-only")]
        sys.argv = [a for a in sys.argv if a not in ("--small", "--plans-only")]
        model_tables.main(
            __doc__, MODELS, "90,80,70,60,50,40,30",
            lambda *each: table(*each, *flags), time_limit=None,
        )


if __name__ == "__main__":
    main()
