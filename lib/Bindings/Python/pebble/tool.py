"""Runs pebble-opt, pebble-report and pebble-solve.

The tools are processes of their own, and not libraries in this one: jaxlib carries
an MLIR of another version, and the two would share symbols, dialects and
command-line options. A process also has its own memory, can be stopped, and
takes the same text that a person would give it.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile


class PebbleError(RuntimeError):
    """What Pebble had to say against a program."""


class Infeasible(PebbleError):
    """No plan fits the budget. `least` is the smallest that is known to."""

    def __init__(self, message, least=None):
        super().__init__(message)
        self.least = least


def find(name="pebble-opt"):
    """The path of a tool: what $PEBBLE_OPT (or $PEBBLE_REPORT, $PEBBLE_SOLVE) says,
    the PATH, or the build that this package was installed from."""
    variable = name.upper().replace("-", "_")
    named = os.environ.get(variable)
    if named:
        if not os.access(named, os.X_OK):
            raise PebbleError(f"{variable} is {named}, which cannot be run")
        return named
    found = shutil.which(name)
    if found:
        return found
    # In the source tree, or in an environment inside of it.
    folder = os.path.dirname(os.path.abspath(__file__))
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        built = os.path.join(folder, "build", "bin", name)
        if os.access(built, os.X_OK):
            return built
    raise PebbleError(
        f"{name} was not found: put build/bin on the PATH, or name it in {variable}"
    )


def version(name="pebble-opt"):
    """What tells one build of a tool from another."""
    with open(find(name), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def run(text, passes, generic=False):
    """The module `text` after `passes`, a list of options of pebble-opt."""
    with tempfile.TemporaryDirectory(prefix="pebble-") as folder:
        source = os.path.join(folder, "in.mlir")
        target = os.path.join(folder, "out.mlir")
        with open(source, "w") as file:
            file.write(text)
        command = [find(), "--quiet", source, *passes, "-o", target]
        if generic:
            command.append("--mlir-print-op-generic")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise PebbleError(_shorten(done.stderr, source))
        with open(target) as file:
            return file.read(), _shorten(done.stderr, source)


def draw(before, after, budget):
    """The picture of the entry of the module `after` beside `before`, as SVG."""
    with tempfile.TemporaryDirectory(prefix="pebble-") as folder:
        paths = [os.path.join(folder, name) for name in ("before.mlir", "after.mlir")]
        for path, text in zip(paths, (before, after)):
            with open(path, "w") as file:
                file.write(text)
        command = [find("pebble-report"), *paths, "--function=main", "-o", folder]
        command.append(f"--budget={budget}")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise PebbleError(_shorten(done.stderr, paths[1]))
        with open(os.path.join(folder, "main.svg")) as file:
            return file.read()


def solve(path, options):
    """What pebble-solve answers to the problem in the file `path`, as a dict."""
    command = [find("pebble-solve"), path, "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    # Nothing fits, and nothing was found, are answers too.
    if done.returncode not in (0, 3, 4):
        raise PebbleError(_shorten(done.stderr, path))
    return json.loads(done.stdout)


def _shorten(text, path):
    """Diagnostics without the path of a file that is gone."""
    return text.replace(path, "<program>")
