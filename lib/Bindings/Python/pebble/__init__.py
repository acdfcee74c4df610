"""Pebble for Python.

`pebble.jax` plans JAX functions within a byte budget. It runs the program
`pebble-opt`, which `pebble.tool` finds.
"""
