"""PyTorch models within a byte budget.

    import pebble.torch
    model = pebble.torch.schedule(model, budget="60%")

`schedule` gives a model or function to be used in place of `torch.compile(f)`:
the same results and gradients, in an order and with recomputation that fit the
budget. `backend` and `partitioner` are the same for those who call
torch.compile or aot_autograd themselves; `measure` says what torch allocates.
`to_mlir` gives a step as MLIR, for pebble-opt.
"""

from pebble.tool import Infeasible, PebbleError
from pebble.torch.api import backend, partitioner, schedule
from pebble.torch.graph import Unsupported
from pebble.torch.measure import Measured, measure
from pebble.torch.mlir import Step, to_mlir
from pebble.torch.plan import Plan

__all__ = [
    "Infeasible",
    "Measured",
    "PebbleError",
    "Plan",
    "Step",
    "Unsupported",
    "backend",
    "measure",
    "partitioner",
    "schedule",
    "to_mlir",
]
