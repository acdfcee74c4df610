"""JAX functions within a byte budget.

    import pebble.jax
    step = pebble.jax.schedule(step, budget="60%", donate_argnums=0)

`schedule` gives a function to be used in place of `jax.jit(f)`: the same
results, an order of steps and recomputation that fit the budget, by XLA's own
figure. `report` says what a budget costs before anything runs.
"""

from pebble.jax.api import Scheduled, report, schedule
from pebble.jax.planning import Plan
from pebble.tool import Infeasible, PebbleError

__all__ = ["Infeasible", "PebbleError", "Plan", "Scheduled", "report", "schedule"]
