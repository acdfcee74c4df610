#!/usr/bin/env python3
"""Kills a program at random moments and has it go on.

  kill.py FILE [--every=N] [--checkpoint=OPTIONS] [--times=N] [--seed=N]

The program takes snapshots every N iterations. Each time it is killed by SIGKILL
at a random moment, often again while it goes on, and sometimes the newest snapshot
is cut short or one of its bits is flipped. Then it runs to its end. Fails unless

- its results are those of an undisturbed run, bit for bit, each time;
- it goes on from the newest whole snapshot, and says of a damaged one that it is
  skipped;
- the directory is empty afterwards;
- the snapshots of an undisturbed run are as many, and as large, as predicted;
- most kills hit a loop that was running, so that this tests something.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile

from journals import Journal, damage


class Program:
    def __init__(self, file, folder):
        self.file = file
        self.folder = folder
        self.disk = os.path.join(folder, "disk")
        self.journal = Journal(self.disk)
        os.mkdir(self.disk)

    def start(self, *options):
        return subprocess.Popen(
            ["pebble-run", self.file, "--json=" + os.path.join(self.folder, "run.json"), *options],
            stderr=subprocess.PIPE, text=True)

    def finish(self, *options):
        """Runs to the end: the report, and what was said."""
        process = self.start(*options)
        said = process.communicate()[1]
        if process.returncode != 0:
            raise SystemExit(f"{self.file} {options}: {said}")
        with open(os.path.join(self.folder, "run.json"), encoding="utf-8") as file:
            return json.load(file), said

    def run_until_killed(self, at, delay):
        """Kills it `delay` seconds after snapshot number `at` is there. False if it ended before."""
        process = self.start("--slow-dir=" + self.disk, "--resume")
        return self.journal.kill(process, at, delay) is not None


def check(condition, what):
    if not condition:
        raise SystemExit("kill.py: " + what)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file")
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--checkpoint")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        taking = os.path.join(folder, "taking.mlir")
        before = [f"--pebble-checkpoint-loops={arguments.checkpoint}"] if arguments.checkpoint else []
        subprocess.run(["pebble-opt", arguments.file, *before,
                        f"--pebble-snapshot-loops=every={arguments.every}", "-o", taking], check=True)
        program = Program(taking, folder)
        wanted = Program.finish(program)[0]["results_sha256"]
        whole, _ = program.finish("--slow-dir=" + program.disk)
        taken = whole["snapshots"]
        check(whole["results_sha256"] == wanted, "snapshots change the results")
        check(taken["count"] == taken["predicted_count"] and taken["bytes"] == taken["predicted_bytes"],
              f"snapshots {taken} are not those predicted")
        for key in "peak_bytes", "moved_bytes":
            check(whole[key] == whole["predicted_" + key], f"{key} is not what was predicted")
        check(taken["count"] >= 8, f"{taken['count']} snapshots are too few to be hit between them")
        check(not os.listdir(program.disk), "a run that was not killed leaves files")
        pause = whole["seconds"] / taken["count"]

        hits = kills = damaged = skipped = resumed = 0
        for number in range(arguments.times):
            for _ in range(rng.choice([1, 1, 2, 3])):
                if program.journal.newest() >= taken["count"]:
                    break
                at = rng.randrange(program.journal.newest(), taken["count"])
                kills += 1
                hits += program.run_until_killed(at, rng.random() * pause)
            names = program.journal.snapshots()
            isDamaged = len(names) >= 2 and rng.random() < 0.4
            if isDamaged:
                damage(os.path.join(program.journal.folder, names[-1]), rng, isCut=rng.random() < 0.5)
                damaged += 1
            report, said = program.finish("--slow-dir=" + program.disk, "--resume")
            check(report["results_sha256"] == wanted, f"time {number}: other results, after '{said}'")
            check(not os.listdir(program.disk), f"time {number}: files are left: {os.listdir(program.disk)}")
            if isDamaged:
                check("skipping " + os.path.join(program.journal.folder, names[-1]) in said,
                      f"time {number}: nothing is said of a damaged snapshot: '{said}'")
                skipped += 1
            used = names[-2] if isDamaged else names[-1] if names else None
            if used:
                check(f"going on from {os.path.join(program.journal.folder, used)}" in said and "resumed_from" in report,
                      f"time {number}: does not go on from {used}: '{said}'")
                resumed += 1
            else:
                check("starting at the beginning" in said, f"time {number}: '{said}'")
            left = report["snapshots"]
            check(left["count"] == left["predicted_count"] and left["bytes"] == left["predicted_bytes"],
                  f"time {number}: snapshots {left} are not those predicted")
        print(f"killed {kills} times, {hits} of them while it ran; went on {resumed} of {arguments.times} times, "
              f"{damaged} of them from a damaged journal")
        check(hits >= 0.8 * kills, f"{hits} of {kills} kills hit the program while it ran")
        check(resumed >= 0.6 * arguments.times, f"{resumed} of {arguments.times} times there was a snapshot")


if __name__ == "__main__":
    main()
