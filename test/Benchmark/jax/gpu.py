#!/usr/bin/env python3
"""What XLA for a GPU makes of plans, on a machine that has none.

  gpu.py [MODEL...] [--budgets=100,80] [--time-limit=3] [--backend=xla-gpu]

Run by .python/bin/python (tools/python-env), with JAX's plugin for CUDA beside it
(.python/bin/pip install 'jax[cuda13]==0.10.2'). The small models of models.py are
planned by the rules of --backend and compiled for an H100, and nothing runs. Each
distinct step is compiled alone too, to see what it needs inside. Prints a table in
Markdown: what was planned, XLA's own figure, and products and convolutions in the
plan and in the compiled program: if XLA merged again what is computed twice, these
would be fewer.
"""

import argparse
import os
import re
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import packages  # noqa: E402

packages.need("jax", "pebble")

import jax  # noqa: E402
from jax import export  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402

from models import MODELS, SMALL  # noqa: E402
from pebble import tool  # noqa: E402
from pebble.jax import places, planning, targets, xla  # noqa: E402
from pebble.jax.api import Options  # noqa: E402

class Compiler:
    def __init__(self):
        self.device = targets.find_device("h100")

    def compile(self, text):
        options = xla_client.CompileOptions()
        options.num_replicas = options.num_partitions = 1
        with xla.make_context():
            return self.device.client.compile(
                xla.ir.Module.parse(text),
                xla_client.DeviceList((self.device,)),
                options,
            )

    def measure(self, text):
        return self.compile(text).get_compiled_memory_stats()


def lower(name):
    step, state, batch = MODELS[name](lambda f: f, lambda f: f, **SMALL[name])
    shapes = jax.tree.map(
        lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), (state, *batch)
    )
    jitted = jax.jit(step, donate_argnums=0)
    return xla.to_text(export.export(jitted, platforms=["cuda"])(*shapes))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("models", nargs="*", help=", ".join(MODELS))
    parser.add_argument("--budgets", default="100,80", help="percent")
    parser.add_argument("--time-limit", type=float, default=3.0, help="seconds")
    parser.add_argument("--backend", default="xla-gpu")
    options = parser.parse_args()
    for name in options.models:
        if name not in MODELS:
            parser.error(f"no model '{name}'; there are {', '.join(MODELS)}")
    compiler = Compiler()
    # What pebble.jax measures steps with.
    xla.measure_temporaries = lambda text: compiler.measure(text).temp_size_in_bytes
    print("| step | planned, MB | XLA, MB | apart | planned products | compiled |")
    print("|---|---|---|---|---|---|")
    for name in options.models or MODELS:
        text = lower(name)
        original = xla.count_bytes(compiler.measure(text))
        print(f"| {name}, as it is | | {original / 1e6:.2f} | | | |", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            planner = planning.Planner(
                text, None,
                Options(time_limit=options.time_limit, verbose=False,
                        folder=folder, backend=options.backend),
            )  # fmt: skip
            grouped = planner.group()
            for budget in options.budgets.split(","):
                row(compiler, planner, grouped, name, budget)


def row(compiler, planner, grouped, name, budget):
    try:
        scheduled = planner.schedule(grouped, f"budget-percent={budget}")
    except tool.Infeasible as refusal:
        least = f"{refusal.least / 1e6:.2f}" if refusal.least else "what is known"
        print(f"| {name}, {budget}% | none; the least tried takes {least} | | | | |", flush=True)
        return
    peak = planning._result(scheduled)["peak_bytes"]
    planned = places.count_bytes(scheduled, peak)
    text, _ = tool.run(scheduled, ["--pebble-to-stablehlo"], generic=True)
    compiled = compiler.compile(text)
    reported = xla.count_bytes(compiled.get_compiled_memory_stats())
    (module,) = compiled.hlo_modules()
    made = re.findall(r" dot\(| convolution\(|__cublas\$|__cudnn\$conv", module.to_string())
    wanted = re.findall(r"stablehlo\.(?:dot_general|convolution)", text)
    print(
        f"| {name}, {budget}% | {planned / 1e6:.2f} | {reported / 1e6:.2f} | "
        f"{planned / reported - 1:+.1%} | {len(wanted)} | {len(made)} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
