"""Ends a benchmark whose packages are not there, and says so."""

import importlib.util
import sys


def need(*names):
    for name in names:
        found = importlib.util.find_spec(name)
        # A folder of that name, such as one of ours, is no package.
        if found is None or found.origin is None:
            print(f"SKIPPED: {name} is not installed (tools/python-env makes an environment that has it)")
            sys.exit(0)
