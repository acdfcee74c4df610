"""Calls of pebble-solve for the benchmarks beside this file."""

import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

DEFAULT = os.path.join(ROOT, "build/bin/pebble-solve")

# Answered, nothing fits the budget, and neither was shown.
ANSWERS = (0, 3, 4)


def run(solver, *arguments):
    """The finished process, whatever its exit code."""
    return subprocess.run([solver, *arguments], capture_output=True, text=True, check=False)


def ask(solver, path, *options, answers=ANSWERS):
    """The answer as a dict. Ends the program if the exit code is no answer."""
    done = run(solver, path, "--json", *options)
    if done.returncode not in answers:
        raise SystemExit(f"{path}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def read_arguments(options, usage):
    """Takes --KEY=VALUE of known keys into `options`; the files, at least one."""
    files = []
    for argument in sys.argv[1:]:
        key, equals, value = argument.lstrip("-").partition("=")
        if argument.startswith("--") and key in options and equals:
            options[key] = value
        elif argument.startswith("-"):
            sys.exit(usage)
        else:
            files.append(argument)
    if not files:
        sys.exit(usage)
    return files
