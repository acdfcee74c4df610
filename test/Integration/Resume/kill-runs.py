#!/usr/bin/env python3
"""Kills a driver that repeats a step at random moments and has it go on.

  kill-runs.py FILE --repeat=N [--every=N] [--kills=N] [--seed=N] [--feed=FEED ...]

The driver runs FILE N times, feeds each run from the one before as the FEEDs (R:K or K) say,
and takes a snapshot every so many runs. It is killed by SIGKILL at random moments, often
again while it goes on. In between the newest snapshot is once cut short, and one bit of
another is flipped once. Fails unless

- the results are those of a driver that nobody disturbed, bit for bit;
- each start goes on from the newest whole snapshot, and says of a damaged one that it is
  skipped;
- the directory is empty afterwards;
- what is left to do takes as many snapshots, of as many bytes, as predicted;
- no less than a dozen kills (or as many as asked for) hit the driver while it ran.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile

from journals import Journal, damage


def check(condition, what):
    if not condition:
        raise SystemExit("kill-runs.py: " + what)


class Driver:
    def __init__(self, arguments, folder):
        self.folder = folder
        self.disk = os.path.join(folder, "disk")
        self.journal = Journal(self.disk)
        self.report = os.path.join(folder, "run.json")
        os.mkdir(self.disk)
        self.command = ["pebble-run", arguments.file, f"--repeat={arguments.repeat}", "--json=" + self.report,
                        *("--feed=" + feed for feed in arguments.feed)]
        self.taking = ["--slow-dir=" + self.disk, "--resume", f"--snapshot-runs={arguments.every}"]

    def start(self, options):
        return subprocess.Popen(self.command + options, stderr=subprocess.PIPE, text=True)

    def finish(self, options):
        process = self.start(options)
        said = process.communicate()[1]
        check(process.returncode == 0, said)
        with open(self.report, encoding="utf-8") as file:
            return json.load(file), said

    def kill(self, at, delay):
        """Kills a driver `delay` seconds after snapshot `at` is there: what it said, None if it ended before."""
        return self.journal.kill(self.start(self.taking), at, delay)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file")
    parser.add_argument("--feed", action="append", default=[])
    parser.add_argument("--repeat", type=int, required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        driver = Driver(arguments, folder)
        wanted = driver.finish([])[0]["results_sha256"]
        whole, _ = driver.finish(driver.taking)
        taken = whole["snapshots"]
        check(whole["results_sha256"] == wanted, "snapshots change the results")
        check(taken["count"] == (arguments.repeat - 1) // arguments.every, f"{taken['count']} snapshots")
        check(taken["count"] == taken["predicted_count"] and taken["bytes"] == taken["predicted_bytes"],
              f"snapshots {taken} are not those predicted")
        for key in "peak_bytes", "moved_bytes":
            check(whole[key] == whole["predicted_" + key], f"{key} is not what was predicted")
        check(not os.listdir(driver.disk), "a driver that was not killed leaves files")

        hits = rounds = skipped = 0
        while hits < arguments.kills:
            rounds += 1
            check(rounds <= 4 * arguments.kills, f"only {hits} kills hit the driver while it ran")
            skip = None
            for number in range(rng.choice([2, 3, 4])):
                names = driver.journal.snapshots()
                if driver.journal.newest() >= taken["count"]:
                    break
                at = driver.journal.newest() + rng.randrange(1 + max(1, taken["count"] // 4))
                said = driver.kill(min(at, taken["count"] - 1), rng.random() * 0.01)
                hits += said is not None
                names = driver.journal.snapshots()
                if number == 1 and len(names) >= 2 and skipped < 4:
                    skip = os.path.join(driver.journal.folder, names[-1])
                    damage(skip, rng, isCut=skipped % 2 == 0)
                    break
            names = driver.journal.snapshots()
            report, said = driver.finish(driver.taking)
            check(report["results_sha256"] == wanted, f"round {rounds}: other results, after '{said}'")
            check(not os.listdir(driver.disk), f"round {rounds}: files are left: {os.listdir(driver.disk)}")
            used = names[-2] if skip else names[-1] if names else None
            if skip:
                skipped += 1
                check("skipping " + skip in said, f"round {rounds}: nothing is said of a damaged snapshot: '{said}'")
            if used:
                check(f"going on from {os.path.join(driver.journal.folder, used)}" in said and "resumed_from" in report,
                      f"round {rounds}: does not go on from {used}: '{said}'")
            left = report["snapshots"]
            check(left["count"] == left["predicted_count"] and left["bytes"] == left["predicted_bytes"],
                  f"round {rounds}: snapshots {left} are not those predicted")
        check(skipped >= 1, "no snapshot was damaged")
        print(f"killed {hits} times while it ran, in {rounds} rounds, {skipped} of them from a damaged journal")


if __name__ == "__main__":
    main()
