"""What cannot be done is told, with what would do."""

import contextlib
import io

import jax
import jax.export
import jax.numpy as jnp

import pebble.jax
from common import assert_close, layers, make_layers, raises, schedule

params, x = make_layers(count=4, batch=256)
grad = jax.grad(layers)

# A budget below the arguments: the least that does is named, and does.
error = raises(
    pebble.jax.Infeasible, "smallest", lambda: schedule(grad, 1000)(params, x)
)
assert error.least > 1000
assert schedule(grad, error.least).plan_for(params, x).reported <= error.least

# The same where there was hardly time to look.
error = raises(
    pebble.jax.Infeasible, "no plan fits",
    lambda: schedule(grad, 1000, time_limit=0.001)(params, x),
)
assert error.least > 1000

for bad, kind in ((0, ValueError), (-5, ValueError), ("much", ValueError),
                  ("-5%", ValueError), (0.5, ValueError), (None, TypeError),
                  (True, TypeError)):
    raises(kind, "budget", lambda: schedule(grad, bad)(params, x))
raises(ValueError, "means", lambda: schedule(grad, "90%", means="offload"))
raises(ValueError, "objective", lambda: schedule(grad, "90%", objective="energy"))
raises(
    ValueError, "donated",
    lambda: schedule(grad, "90%", static_argnums=1, donate_argnums=1),
)

# A plan is of a whole program.
planned = schedule(grad, "90%")
raises(TypeError, "Schedule the outer", lambda: jax.jit(planned)(params, x))
raises(TypeError, "Schedule the outer",
       lambda: jax.grad(lambda p: jnp.sum(planned(p, x)[0]))(params))

# Other shapes are another program.
assert_close(planned(params, x), jax.jit(grad)(params, x))
assert_close(planned(params, x[:64]), jax.jit(grad)(params, x[:64]))

# A shape that is not known is refused.
(rows,) = jax.export.symbolic_shape("rows")
open_shape = jax.ShapeDtypeStruct((rows, 32), jnp.float32)
raises(
    ValueError, "a plan is of known sizes",
    lambda: schedule(grad, "90%").plan_for(params, open_shape),
)

# A function that JAX cannot lower says what JAX says.
raises(AttributeError, "no_such", lambda: schedule(lambda v: v.no_such, "90%")(x))
raises(TypeError, "not a valid JAX type", lambda: schedule(lambda v: "v", "90%")(x))


# A custom call that nobody has declared keeps its place, and is named.
def decomposed(params, x):
    for w in params:
        x = jnp.tanh(x @ w)
    values, vectors = jnp.linalg.eigh(x.T @ x)
    return jnp.sum(values * jnp.arange(32.0)) + jnp.sum(vectors**2)


gradient = jax.grad(decomposed)
said = io.StringIO()
with contextlib.redirect_stderr(said):
    planned = schedule(gradient, "85%", verbose=True)
    assert_close(planned(params, x), jax.jit(gradient)(params, x), 1e-3)
assert planned.plan_for(params, x).attempts
wanted = "calls 'lapack_ssyevd_ffi', which nobody declared free of effects"
assert wanted in said.getvalue(), said.getvalue()

def called(params, x):
    x = jnp.tanh(x @ params[0])
    x = jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
    return jnp.sum(jnp.tanh(x @ params[1]) ** 2)


def gradless(params, x):
    return called(params, x)


# jax.export takes no callbacks, and says so itself.
raises(
    NotImplementedError, "host_callbacks",
    lambda: schedule(gradless, "95%")(params, x),
)
print("refusals are clear")
