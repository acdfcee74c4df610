"""Loops and their adjoints: lax.scan, and what its derivative makes of it.

The forward loop of a differentiated scan saves what each of its iterations made,
for the backward loop: on tapes. Pebble has the tapes keep less, and the backward loop
make the rest again. Or it makes the two loops one operation, and that a driver which
keeps some of the states and runs the steps between them again.
"""

import dataclasses
import os
import re
import tempfile

from pebble import tool


@dataclasses.dataclass
class Tapes:
    """What the tapes of a program take, in bytes."""

    #: As the program was given, in the one that was made, and at least.
    given: int
    kept: int
    least: int


def has_loops(text):
    """Whether there are two loops, which may have a tape between them."""
    return text.count('"stablehlo.while"') > 1


def thin(text, budget):
    """The program `text` with tapes within `budget` (bytes, or "min"), and its Tapes;
    None where it stays as it is."""
    name = "pebble-thin-tapes"
    # No bytes at all are no budget, and yet there are tapes that need none.
    passes = [f"--{name}=budget={budget or 'min'}", f"--remarks-filter={name}"]
    thinned, notes = tool.run(text, passes, generic=True)
    # Two functions that are not one program may each have some.
    found = [
        [int(re.search(rf"{which}_bytes=(\d+)", line)[1])
         for which in ("tape", "kept", "least")]
        for line in notes.splitlines() if "[Passed]" in line
    ]  # fmt: skip
    if not found:
        return text, None
    return thinned, Tapes(*map(sum, zip(*found)))


def reverse(text, slots):
    """The program `text` with loops that keep `slots` states, and the steps of the
    longest of them; 0 where no loop has its adjoint in the program."""
    passes = [
        "--pebble-raise-loops",
        f"--pebble-checkpoint-loops=slots={slots}",
    ]
    reversed_, _ = tool.run(text, passes, generic=True)
    notes = re.findall(r"pebble\.reversal = \{([^}]*)\}", reversed_)
    steps = [int(n) for note in notes for n in re.findall(r"\bsteps = (\d+)", note)]
    if not steps:
        return text, 0
    return tool.run(reversed_, ["--pebble-loops-to-stablehlo"], generic=True)[0], max(
        steps
    )


def check(original, planned):
    """Has it proven that the program `planned` returns what `original` does;
    returns what is to be said of it. An error means that it does not: that a
    driver of a loop is wrong, say."""
    with tempfile.TemporaryDirectory(prefix="pebble-") as folder:
        path = os.path.join(folder, "original.mlir")
        with open(path, "w") as file:
            file.write(original)
        _, notes = tool.run(planned, [f"--pebble-check-runs=original={path}"])
    return [line.split(": remark: ", 1)[1] for line in notes.splitlines()
            if ": remark: " in line]  # fmt: skip


def list_slots(steps):
    """Numbers of slots to try, from few to many: all small ones, then ever wider
    apart."""
    counts, count = [], 2
    while count < steps - 1:
        counts.append(count)
        count = max(count + 1, int(count * 1.5))
    return counts or [1]
