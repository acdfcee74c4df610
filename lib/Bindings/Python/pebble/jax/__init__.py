"""JAX functions within a byte budget.

    import pebble.jax
    step = pebble.jax.schedule(step, budget="60%", donate_argnums=0)

`schedule` gives a function to be used in place of `jax.jit(f)`: the same
results, an order of steps and recomputation that fit the budget, by XLA's own
figure. `report` says what a budget costs before anything runs, and `policy` gives
a policy for `jax.checkpoint` to those who want no more than that.
"""

from pebble.jax.api import Scheduled, policy, report, schedule
from pebble.jax.planning import Plan
from pebble.jax.policies import Policy
from pebble.jax.reports import Report
from pebble.jax.xla import OBEY
from pebble.tool import Infeasible, PebbleError

__all__ = [
    "OBEY", "Infeasible", "PebbleError", "Plan", "Policy", "Report", "Scheduled",
    "policy", "report", "schedule",
]  # fmt: skip
