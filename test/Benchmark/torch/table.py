#!/usr/bin/env python3
"""What memory costs in PyTorch: a step under torch's activation_memory_budget,
and as Pebble plans it at the same memory.

  table.py [MODEL...] [--budgets=0.7,0.5,0.3] [--time-limit=20]

Run by .python/bin/python (tools/python-env --torch). Prints a table in Markdown
for each model of models.py. All figures are torch's own: bytes at the fullest
moment of the step from its allocator, what the forward pass saves for the
backward pass, FLOPs from FlopCounterMode, and whether loss and gradients are
those of the model as it is, to the bit. Both run their graphs node by node.
"""

import contextlib
import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import packages  # noqa: E402

packages.need("torch", "pebble")

import torch  # noqa: E402
import torch._dynamo  # noqa: E402
import torch._functorch.config  # noqa: E402
from torch._dynamo.backends.common import aot_autograd  # noqa: E402
from torch._functorch.partitioners import min_cut_rematerialization_partition  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

import pebble.torch  # noqa: E402
from models import MODELS  # noqa: E402
from pebble.torch import api  # noqa: E402
import model_tables  # noqa: E402


class Runner:
    """Compiles and runs one model, and counts what its graphs do."""

    def __init__(self, name):
        self.model, self.batch = MODELS[name]()
        self.flops = 0
        self.is_counting = False

    def compiler(self, module, inputs):
        run = api._run_boxed(module, inputs)

        def counted(arguments):
            if not self.is_counting:
                return run(arguments)
            with FlopCounterMode(display=False) as counter:
                results = run(arguments)
            self.flops += counter.get_total_flops()
            return results

        counted._boxed_call = True
        return counted

    def step(self, function):
        loss = function(*self.batch)
        loss.backward()
        return loss.detach()

    def measure(self, function):
        """Peak bytes, saved bytes, FLOPs, seconds, loss and gradients."""
        self.model.zero_grad(set_to_none=True)
        self.step(function)
        self.model.zero_grad(set_to_none=True)
        measured = pebble.torch.measure(self.step, function)
        gradients = [p.grad for p in self.model.parameters()]
        self.model.zero_grad(set_to_none=True)
        saved = self.saved(function)
        self.flops, self.is_counting = 0, True
        self.step(function)
        self.is_counting = False
        seconds = []
        for _ in range(3):
            self.model.zero_grad(set_to_none=True)
            began = time.perf_counter()
            self.step(function)
            seconds.append(time.perf_counter() - began)
        return {
            "peak": measured.peak,
            "saved": saved,
            "flops": self.flops,
            "seconds": min(seconds),
            "values": [measured.result, *gradients],
        }

    def saved(self, function):
        """Bytes of storages that are saved, arguments left out."""
        given = {
            t.untyped_storage().data_ptr()
            for t in (*self.model.parameters(), *self.model.buffers(), *self.batch)
        }
        found = {}

        def pack(tensor):
            storage = tensor.untyped_storage()
            if storage.data_ptr() not in given:
                found[storage.data_ptr()] = storage.nbytes()
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            loss = function(*self.batch)
        loss.backward()
        self.model.zero_grad(set_to_none=True)
        return sum(found.values())

    def torch(self, budget):
        torch._dynamo.reset()
        with torch._functorch.config.patch(activation_memory_budget=budget):
            function = torch.compile(
                self.model,
                backend=aot_autograd(
                    fw_compiler=self.compiler,
                    bw_compiler=self.compiler,
                    partition_fn=min_cut_rematerialization_partition,
                ),
                dynamic=False,
                fullgraph=True,
            )
            return self.measure(function)

    def pebble(self, budget, time_limit):
        torch._dynamo.reset()
        function = pebble.torch.schedule(
            self.model,
            budget,
            compiler=(self.compiler, self.compiler),
            time_limit=time_limit,
            verbose=False,
        )
        return self.measure(function) | {"plan": function.plans[0]}


def row(name, found, base, values):
    same = all(torch.equal(a, b) for a, b in zip(values, found["values"]))
    planned = f"{found['plan'].planned / 1e6:.2f}" if "plan" in found else ""
    print(
        f"| {name} | {found['peak'] / 1e6:.2f} | {planned} | "
        f"{found['saved'] / 1e6:.2f} | {found['flops'] / base - 1:+.1%} | "
        f"{1e3 * found['seconds']:.0f} | {'equal' if same else 'NOT EQUAL'} |",
        flush=True,
    )


@contextlib.contextmanager
def refusals(name):
    """Prints a row for a budget that nothing fits."""
    try:
        yield
    except torch._dynamo.exc.BackendCompilerFailed as error:
        refusal = error.inner_exception
        if not isinstance(refusal, pebble.torch.Infeasible):
            raise
        print(f"| {name} | no plan below {refusal.least / 1e6:.2f} | | | | | |")


def table(name, budgets, time_limit):
    runner = Runner(name)
    eager = runner.measure(runner.model)
    values = eager["values"]
    print(f"\n{name}:\n")
    print("| step | peak, MB | planned, MB | saved, MB | FLOPs | ms | gradients |")
    print("|---|---|---|---|---|---|---|")
    kept = runner.torch(1.0)
    base = kept["flops"]
    row("activation_memory_budget 1", kept, base, values)
    for budget in budgets:
        found = runner.torch(float(budget))
        row(f"activation_memory_budget {budget}", found, base, values)
        label = "Pebble, the same peak"
        with refusals(label):
            row(label, runner.pebble(found["peak"], time_limit), base, values)
    for percent in (80, 60, 50, 40, 30):
        label = f"Pebble, {percent}%"
        with refusals(label):
            row(label, runner.pebble(f"{percent}%", time_limit), base, values)


if __name__ == "__main__":
    model_tables.main(__doc__, MODELS, "0.7,0.5,0.3", table)
