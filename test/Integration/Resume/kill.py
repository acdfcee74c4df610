#!/usr/bin/env python3
"""Kills a program at random moments and has it go on.

  kill.py FILE [--every=N] [--checkpoint=OPTIONS] [--kills=N] [--seed=N]
  kill.py FILE --repeat=N [--feed=FEED ...] [--every=N] [--kills=N] [--seed=N]

The loops of FILE take a snapshot every N iterations. With --repeat a driver runs FILE so
often, feeds each run from the one before as the FEEDs (R:K or K) say, and takes a snapshot
every N runs. Each is killed by SIGKILL at a random moment, often again while it goes on, and
sometimes the newest snapshot is cut short or one of its bits is flipped. Then it runs to its
end. Fails unless

- its results are those of an undisturbed run, bit for bit, each time;
- it goes on from the newest whole snapshot, and says of a damaged one that it is skipped;
- the directory is empty afterwards;
- its snapshots are as many, and as large, as predicted, undisturbed and for what is left;
- as many kills as asked for hit a run, so that this tests something.
"""

import argparse
import random
import tempfile

from killed import kill_often, make_driver, make_loops


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file")
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--checkpoint")
    parser.add_argument("--feed", action="append", default=[])
    parser.add_argument("--repeat", type=int)
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.repeat:
            killed = make_driver(arguments.file, folder, arguments.every, arguments.repeat, arguments.feed)
        else:
            killed = make_loops(arguments.file, folder, arguments.every, arguments.checkpoint)
        print(kill_often(killed, random.Random(arguments.seed), arguments.kills))


if __name__ == "__main__":
    main()
