"""StableHLO of torch-mlir: XLA reports no more than 3% above what was planned, and
no less than 15% below: it lets temporaries lie where results will."""

import os
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import torch

import pebble.torch
from pebble import tool
from pebble.jax import planning, xla
from pebble.jax.api import Options
from torch_common import Layers
from torch_models import Attention, Convolutions


def plan(name, model, *batch):
    text = pebble.torch.to_mlir(model, *batch, form="stablehlo").text
    before = xla.count_bytes(xla.measure_module(text))
    with tempfile.TemporaryDirectory() as folder:
        options = Options(time_limit=5.0, verbose=False, folder=folder)
        planner = planning.Planner(text, None, options)
        steps = planner.group()
        for share in ("100%", "85%"):
            scheduled = planner.schedule(steps, f"budget={share}")
            planned = planning._result(scheduled)["peak_bytes"]
            out, _ = tool.run(scheduled, ["--pebble-to-stablehlo"], generic=True)
            reported = xla.count_bytes(xla.measure_module(out, xla.OBEY))
            print(f"{name}: {before}, planned {planned}, reported {reported}")
            assert 0.97 * reported <= planned <= 1.15 * reported


torch.manual_seed(0)
plan("layers", Layers(), torch.randn(256, 32))
plan("convolutions", Convolutions(), torch.randn(8, 1, 16, 16), torch.arange(8) % 3)
plan("attention", Attention(), torch.randn(4, 64, 16))
print("plans are XLA's figures")
