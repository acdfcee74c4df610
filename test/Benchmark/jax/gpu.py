#!/usr/bin/env python3
"""What XLA for a GPU makes of plans, on a machine that has none.

  gpu.py [MODEL...] [--budgets=100,80] [--time-limit=3] [--backend=xla-cpu]

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
# There is no GPU to try algorithms on.
os.environ.setdefault("XLA_FLAGS", "--xla_gpu_autotune_level=0")

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import packages  # noqa: E402

packages.need("jax", "pebble")

import jax  # noqa: E402
from jax import export  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402
from jax.experimental import topologies  # noqa: E402

from models import MODELS, SMALL  # noqa: E402
from pebble import tool  # noqa: E402
from pebble.jax import places, planning, xla  # noqa: E402
from pebble.jax.api import Options  # noqa: E402

#: What XLA asks of a device that it compiles for: an H100.
TARGET = """
gpu_device_info {
  threads_per_block_limit: 1024 threads_per_warp: 32
  shared_memory_per_block: 49152 shared_memory_per_core: 233472
  shared_memory_per_block_optin: 232448 threads_per_core_limit: 2048
  core_count: 132 fpus_per_core: 128 clock_rate_ghz: 1.98
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
  registers_per_core_limit: 65536 registers_per_block_limit: 65536
  memory_bandwidth: 3352320000000 l2_cache_size: 52428800
  device_memory_size: 84942979072 cuda_compute_capability { major: 9 }
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 10 }
device_description_str: "NVIDIA H100 80GB HBM3"
"""


class Compiler:
    def __init__(self):
        described = topologies.get_topology_desc(
            "h100", "cuda", target_config=TARGET, topology="1x1x1"
        )
        (self.device,) = described.devices

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
    parser.add_argument("--backend", default="xla-cpu")
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
        print(f"| {name}, {budget}% | no plan below {least} | | | | |", flush=True)
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
