#!/usr/bin/env python3
"""Whether Pebble is cheaper than each policy of jax.checkpoint at its memory.

  policies.py [ARCHITECTURE...] [--time-limit=60] [--plain] [--keep=FOLDER]

Run by .python/bin/python (tools/python-env). Lowers each training step of
architectures.py as it is and with each block under a policy; nothing runs. The
peak of a policy is that of its best order that is found. Prints, for each
policy, that peak, the arithmetic that it adds, and what Pebble adds to the step
as it is within the same bytes, with its bound: shares of the arithmetic of the
step. Steps are those of the backend xla-cpu; --plain plans each operation by
itself. --keep leaves the programs in a folder.
"""

import argparse
import os
import re
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import packages  # noqa: E402

packages.need("jax", "pebble")

import jax  # noqa: E402

from architectures import ARCHITECTURES  # noqa: E402
from pebble import tool  # noqa: E402
from pebble.jax import xla  # noqa: E402

CHOICES = jax.checkpoint_policies
POLICIES = [
    ("dots", CHOICES.dots_saveable),
    ("dots without batch", CHOICES.dots_with_no_batch_dims_saveable),
    ("nothing", CHOICES.nothing_saveable),
]


def lower(name, wrap):
    step, state, batch = ARCHITECTURES[name](wrap)
    jitted = jax.jit(step, donate_argnums=0)
    return xla.to_text(xla.export_function(jitted, (state, *batch), {}))


def plan(text, passes):
    """`pebble.result` of the function, or the error."""
    began = time.perf_counter()
    text, _ = tool.run(text, passes)
    found = re.search(r"pebble\.result = \{([^{}]*)", text).group(1)
    result = {k: int(v) for k, v in re.findall(r"(\w+) = (\d+) : i64", found)}
    result["seconds"] = time.perf_counter() - began
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", help=", ".join(ARCHITECTURES))
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    for name in options.names:
        if name not in ARCHITECTURES:
            parser.error(f"no '{name}'; there are {', '.join(ARCHITECTURES)}")
    group = [] if options.plain else ["--pebble-group-steps"]
    limit = f"time-limit-ms={round(1000 * options.time_limit)}"

    def keep(name, text):
        if options.keep:
            with open(os.path.join(options.keep, name + ".mlir"), "w") as file:
                file.write(text)

    print("| step | policy | peak, MB | policy adds | Pebble adds | at least | s |")
    print("|---|---|---|---|---|---|---|")
    for name in options.names or ARCHITECTURES:
        original = lower(name, lambda block: block)
        keep(name, original)
        once = plan(original, [*group, "--pebble-schedule=budget-percent=100"])["cost"]
        for label, policy in POLICIES:
            text = lower(name, lambda block: jax.checkpoint(block, policy=policy))
            keep(f"{name}-{label.replace(' ', '-')}", text)
            theirs = plan(text, [*group, "--pebble-order-operations=objective=peak",
                                 "--pebble-schedule=budget-percent=100"])
            peak = theirs["peak_bytes"]
            row = f"| {name} | {label} | {peak / 1e6:.1f} | "
            row += f"{theirs['cost'] / once - 1:+.3%} | "
            try:
                ours = plan(original, [
                    *group, f"--pebble-schedule=budget-bytes={peak} {limit}"])
                row += f"{ours['cost'] / once - 1:+.3%} | "
                row += f"{ours['bound'] / once - 1:+.3%} | {ours['seconds']:.1f} |"
            except tool.PebbleError as error:
                row += f"{str(error).splitlines()[0]} | | |"
            print(row, flush=True)


if __name__ == "__main__":
    main()
