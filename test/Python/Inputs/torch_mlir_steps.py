"""Steps of PyTorch models become linalg, are planned, run, and are the model's."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import torch
from torch import nn

import pebble.torch
from torch_common import Layers, refusal
from torch_models import Attention, Convolutions

folder = sys.argv[1]


def run_tool(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def run(name, path, inputs):
    """Results of a program, and its peak, which is the predicted one."""
    results = os.path.join(folder, name)
    report = os.path.join(folder, name + ".json")
    run_tool(
        "pebble-run", path, *inputs, "--quiet", f"--output-dir={results}", f"--json={report}"
    )
    facts = json.load(open(report))
    assert facts["peak_bytes"] == facts["predicted_peak_bytes"], facts
    count = len(os.listdir(results))
    return [np.load(f"{results}/result{i}.npy") for i in range(count)], facts["peak_bytes"]["default"]


def check(name, model, *batch):
    step = pebble.torch.to_mlir(model, *batch)
    place = os.path.join(folder, name)
    inputs = step.save(place)
    loss = model(*batch)
    loss.backward()
    expected = [loss, *(p.grad for p in model.parameters() if p.requires_grad)]
    plain, peak = run(name + ".plain", f"{place}/step.mlir", inputs)
    assert len(expected) == len(plain), (len(expected), len(plain))
    for a, b in zip(expected, plain):
        np.testing.assert_allclose(a.detach(), b, rtol=1e-4, atol=1e-5)
    planned = f"{place}/planned.mlir"
    said = run_tool(
        "pebble-opt", f"{place}/step.mlir", "--pebble-schedule=budget=min", "-o", planned
    ).stderr
    got, least = run(name + ".planned", planned, inputs)
    assert all(np.array_equal(a, b) for a, b in zip(plain, got)), name
    assert least < peak, (name, least, peak)
    print(f"{name}: {peak} bytes, planned {least}")
    assert re.search("values kept", said), said


torch.manual_seed(0)
check("layers", Layers(count=4), torch.randn(64, 32))
check("convolutions", Convolutions(), torch.randn(8, 1, 16, 16), torch.arange(8) % 3)
check("attention", Attention(), torch.randn(2, 24, 16))

error = refusal(lambda: pebble.torch.to_mlir(Layers(), form="tosa"))
assert isinstance(error, ValueError) and "there are linalg, stablehlo" in str(error), error

class Pools(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(1, 4, 3, padding=1)

    def forward(self, x):
        return torch.nn.functional.avg_pool2d(self.a(x), 2).square().mean()


# torch-mlir has no lowering of this derivative.
error = refusal(lambda: pebble.torch.to_mlir(Pools(), torch.randn(2, 1, 8, 8)))
assert isinstance(error, pebble.torch.PebbleError), error
assert "torch-mlir does not lower this step" in str(error), error
print("steps are the models'")
