"""A policy for jax.checkpoint keeps a budget by XLA's figure, or is refused."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name

import pebble.jax
from common import assert_close, make_layers, raises
from pebble.jax import xla

params, x = make_layers(count=2, batch=512, width=32)


def block(w, x):
    return checkpoint_name(x + jax.nn.gelu(jax.nn.gelu(x @ w) @ w.T) @ w, "out")


def make_loss(layer):
    def loss(params, x):
        for w in params:
            x = layer(w, x)
        return jnp.mean(jax.nn.logsumexp(x, -1))

    return loss


loss = make_loss(block)
plain = jax.jit(jax.value_and_grad(loss))
original = xla.measure(plain.lower(params, x).compile())


def wrap(policy):
    return make_loss(jax.checkpoint(block, policy=policy))


def reported(function, policy):
    options = policy.compiler_options
    gradient = jax.jit(jax.value_and_grad(function), compiler_options=options)
    return xla.measure(gradient.lower(params, x).compile()), gradient(params, x)


def list_figures(step, *args):
    """What XLA reports by each of the two ways to compile a policy."""
    lowered = jax.jit(step).lower(*args)
    ways = (xla.KEEP_BARRIERS, xla.OBEY)
    return [xla.measure(lowered.compile(compiler_options=way)) for way in ways]


policy = pebble.jax.policy(
    loss, "75%", params, x, wrap=wrap, time_limit=1.0, verbose=False
)
figure, result = reported(wrap(policy), policy)
assert figure == min(list_figures(jax.value_and_grad(wrap(policy)), params, x))
assert figure == policy.reported <= policy.budget < original, (figure, policy)
assert policy.original == original, policy
assert_close(plain(params, x), result)
asked = {kind[0] for kind in policy.kinds}
assert 0 < len(policy.saved) == len(policy.kinds), policy
# What costs least to compute again is not saved, and what is saved has a reason.
assert "dot_general" in asked or "tanh" in asked or "name" in asked, asked

# Around the whole function, where nothing else is said. Saved under a name, states
# between the layers are all that is left of each.
def whole(budget):
    return pebble.jax.policy(loss, budget, params, x, time_limit=1.0, verbose=False)


try:
    policy = whole("90%")
    figure, result = reported(jax.checkpoint(loss, policy=policy), policy)
    assert figure <= policy.budget, (figure, policy)
    assert_close(plain(params, x), result)
except pebble.jax.Infeasible as refusal:
    assert refusal.least > 0.9 * original, refusal

# What no policy can do is said, with the least that one can.
error = raises(
    pebble.jax.Infeasible, "no policy of jax.checkpoint",
    lambda: pebble.jax.policy(
        loss, 1000, params, x, wrap=wrap, time_limit=1.0, verbose=False
    ),
)
assert 1000 < error.least < original, error.least
print("policies keep budgets")
