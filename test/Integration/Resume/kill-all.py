#!/usr/bin/env python3
"""Kills loops and drivers at random moments, a hundred times in all, and has them go on.

  kill-all.py [--kills=N] [--seed=N]

Each program below gets its part of the kills. kill.py says what must hold. The last line has
the sums.
"""

import argparse
import os
import random
import tempfile

from killed import Counts, check, kill_often, make_driver, make_loops

# What is killed: how its snapshots are taken.
PROGRAMS = [
    ("a loop that trains", "training.mlir", {"every": 20}),
    ("loops that write in place", "in-place.mlir", {"every": 25}),
    ("a driver that trains", "repeated.mlir", {"every": 5, "repeat": 300, "feed": ["0:0", "1:1", "3"]}),
    ("a reversed loop, slots of both tiers", "reversed.mlir",
     {"every": 20, "checkpoint": "slots=4 slow-slots=6"}),
    ("a reversed loop, two-tier schedule", "reversed.mlir",
     {"every": 20, "checkpoint": "slots=3 slow-slots=8 schedule=two-tier"}),
    ("a reversed loop, periodic", "reversed.mlir", {"every": 20, "checkpoint": "slots=4 schedule=periodic period=40"}),
    ("a reversed loop, all states kept", "reversed.mlir", {"every": 20, "checkpoint": "schedule=store-all"}),
]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    check(arguments.kills >= 1, "--kills is at least 1")
    rng = random.Random(arguments.seed)
    here = os.path.dirname(os.path.abspath(__file__))
    whole = Counts()
    for number, (title, file, options) in enumerate(PROGRAMS):
        # What is left, over the programs that are left: rounds of kills overshoot a little.
        share = -(-(arguments.kills - whole.kills) // (len(PROGRAMS) - number))
        if share < 1:
            break
        with tempfile.TemporaryDirectory() as folder:
            make = make_driver if "repeat" in options else make_loops
            counts = kill_often(make(os.path.join(here, file), folder, **options), rng, share)
        print(f"{title}: {counts}", flush=True)
        whole.add(counts)
    print(f"all: {whole}")


if __name__ == "__main__":
    main()
