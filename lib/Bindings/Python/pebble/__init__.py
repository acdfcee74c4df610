"""Pebble for Python.

`pebble.jax` plans JAX functions within a byte budget, `pebble.torch` PyTorch
models. They run the programs `pebble-opt` and `pebble-solve`, which
`pebble.tool` finds.
"""
