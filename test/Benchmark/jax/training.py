"""Steps of training with Adam, for models.py and architectures.py."""

import jax
import jax.numpy as jnp


def with_adam(loss, weights, batch, rate=1e-3, decay=0.9, decay2=0.999, corrected=False):
    """A step that updates weights and both moments, its state, and its batch.
    `corrected`: the moments grow from zero, and are corrected for that. Where
    weights are shapes, so is the state."""

    def step(state, *batch):
        value, grads = jax.value_and_grad(loss)(state["weights"], *batch)
        first = jax.tree.map(
            lambda m, g: decay * m + (1 - decay) * g, state["first"], grads
        )
        second = jax.tree.map(
            lambda v, g: decay2 * v + (1 - decay2) * g * g, state["second"], grads
        )
        new = {"first": first, "second": second}
        scale = scale2 = 1.0
        if corrected:
            new["count"] = state["count"] + 1.0
            scale, scale2 = 1 - decay ** new["count"], 1 - decay2 ** new["count"]

        def move(w, m, v):
            if corrected:
                m, v = m / scale, v / scale2
            return w - rate * m / (jnp.sqrt(v) + 1e-8)

        new["weights"] = jax.tree.map(move, state["weights"], first, second)
        return new, value

    def zeros(weight):
        is_shape = isinstance(weight, jax.ShapeDtypeStruct)
        return weight if is_shape else jnp.zeros_like(weight)

    state = {
        "weights": weights,
        "first": jax.tree.map(zeros, weights),
        "second": jax.tree.map(zeros, weights),
    }
    if corrected:
        state["count"] = jnp.zeros(())
    return step, state, batch
