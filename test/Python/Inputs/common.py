"""Functions for the tests of pebble.jax."""

import jax
import jax.numpy as jnp
import numpy as np

import pebble.jax


def schedule(function, budget, **options):
    return pebble.jax.schedule(
        function, budget, **{"cache": False, "verbose": False, "time_limit": 2.0, **options}
    )


def random(seed, *shape):
    return jnp.asarray(np.random.RandomState(seed).randn(*shape), jnp.float32)


def assert_close(a, b, tolerance=1e-5):
    """Equal but for what another fusion of the same operations does: within
    `tolerance` of the largest element of each array."""
    a, tree = jax.tree.flatten(a)
    b, other = jax.tree.flatten(b)
    assert tree == other, (tree, other)
    for x, y in zip(a, b):
        assert x.shape == y.shape and x.dtype == y.dtype
        if x.size == 0:
            continue
        scale = max(np.abs(np.asarray(x)).max(), 1e-30)
        np.testing.assert_allclose(x, y, rtol=0, atol=tolerance * scale)


def assert_same(a, b):
    a, b = jax.tree.leaves(a), jax.tree.leaves(b)
    assert len(a) == len(b)
    for x, y in zip(a, b):
        assert np.array_equal(x, y), np.abs(x - y).max()


def layers(params, x):
    for w in params:
        x = jnp.tanh(x @ w)
    return jnp.sum(x * x)


def make_layers(count=6, batch=512, width=32):
    return [random(i, width, width) / 6 for i in range(count)], random(99, batch, width)


def raises(kind, text, action):
    try:
        action()
    except kind as error:
        assert text in str(error), error
        return error
    raise AssertionError(f"no {kind.__name__} was raised")
