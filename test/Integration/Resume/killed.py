"""A program that takes snapshots, is killed again and again, and must end as if it never was."""

import hashlib
import json
import os
import signal
import subprocess
import time

from journals import Journal, damage


def check(condition, what):
    if not condition:
        raise SystemExit("killed too often: " + what)


class Counts:
    """What happened in all rounds."""

    def __init__(self):
        # Rounds that took up a journal; that began anew; and those whose newest snapshot was damaged.
        self.resumed = self.anew = self.cut = self.flipped = 0
        # Kills: of a run that had to begin; of a run that had a journal to go on from; and too late for the run.
        self.first = self.again = self.missed = 0

    @property
    def kills(self):
        return self.first + self.again

    def add(self, other):
        for name, count in vars(other).items():
            setattr(self, name, getattr(self, name) + count)

    def __str__(self):
        return (f"killed {self.kills} times while it ran, {self.again} of them while it went on; "
                f"{self.resumed} runs went on and {self.anew} began anew, all with the same results; "
                f"{self.cut} newest snapshots were cut short and {self.flipped} had a bit flipped")


class Killed:
    """`command` runs the program, and with `taking` it takes snapshots and goes on from them."""

    def __init__(self, name, command, taking, folder):
        self.name = name
        self.disk = os.path.join(folder, "disk")
        self.report = os.path.join(folder, "run.json")
        self.journal = Journal(self.disk)
        self.command = [*command, "--json=" + self.report]
        self.taking = ["--slow-dir=" + self.disk, "--resume", *taking]
        os.mkdir(self.disk)

    def check(self, condition, what):
        check(condition, f"{self.name}: {what}")

    def start(self, options):
        return subprocess.Popen(self.command + options, stderr=subprocess.PIPE, text=True)

    def finish(self, options):
        """Runs to the end: the report, and what was said."""
        process = self.start(options)
        said = process.communicate()[1]
        self.check(process.returncode == 0, said)
        with open(self.report, encoding="utf-8") as file:
            return json.load(file), said

    def run_undisturbed(self, expected=None):
        """Notes what must come out, how many snapshots there are, and how long it takes."""
        self.wanted = self.finish([])[0]["results_sha256"]
        begin = time.monotonic()
        whole, _ = self.finish(self.taking)
        self.seconds = time.monotonic() - begin
        taken = whole["snapshots"]
        self.count = taken["count"]
        self.pause = whole["seconds"] / max(1, self.count)
        self.check(whole["results_sha256"] == self.wanted, "snapshots change the results")
        self.check(expected is None or self.count == expected, f"{self.count} snapshots instead of {expected}")
        self.check(self.count >= 8, f"{self.count} snapshots are too few to be hit between them")
        self.check_snapshots(taken)
        for key in "peak_bytes", "moved_bytes":
            self.check(whole[key] == whole["predicted_" + key], f"{key} is not what was predicted")
        self.check(not os.listdir(self.disk), "a run that was not killed leaves files")

    def check_snapshots(self, taken):
        self.check(taken["count"] == taken["predicted_count"] and taken["bytes"] == taken["predicted_bytes"],
                   f"snapshots {taken} are not those predicted")

    def run_until_killed(self, rng, counts):
        """One kill: at any moment of the run's life, or near a snapshot that is being written."""
        had = bool(self.journal.snapshots())
        process = self.start(self.taking)
        if rng.random() < 0.5:
            time.sleep(rng.random() * self.seconds)
        else:
            at = rng.randrange(min(self.journal.newest(), self.count - 1), self.count)
            self.journal.wait(process, at)
            time.sleep(rng.random() * self.pause)
        process.send_signal(signal.SIGKILL)
        said = process.communicate()[1]
        if process.returncode == -signal.SIGKILL:
            counts.again += had
            counts.first += not had
            return
        self.check(process.returncode == 0, said)
        counts.missed += 1

    def damage(self, rng, counts):
        """Cuts the newest snapshot short or flips a bit of it: its path and what it holds now."""
        newest = os.path.join(self.journal.folder, self.journal.snapshots()[-1])
        is_cut = rng.random() < 0.5
        damage(newest, rng, is_cut)
        counts.cut += is_cut
        counts.flipped += not is_cut
        return newest, self.read(newest)

    @staticmethod
    def read(path):
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).digest()

    def run_round(self, rng, counts):
        """Kills it once to four times, maybe damages its journal in between, and has it end."""
        path = content = None
        for _ in range(rng.choice([1, 1, 2, 3, 4])):
            self.run_until_killed(rng, counts)
            if path is None and len(self.journal.snapshots()) >= 2 and rng.random() < 0.3:
                path, content = self.damage(rng, counts)
        names = self.journal.snapshots()
        is_damaged = path is not None and self.read(path) == content
        report, said = self.finish(self.taking)
        self.check(report["results_sha256"] == self.wanted, f"other results, after '{said}'")
        self.check(not os.listdir(self.disk), f"files are left: {os.listdir(self.disk)}")
        self.check_snapshots(report["snapshots"])
        whole = [name for name in names if not (is_damaged and path.endswith(name))]
        if is_damaged:
            self.check("skipping " + path in said, f"nothing is said of a damaged snapshot: '{said}'")
        if whole:
            used = os.path.join(self.journal.folder, whole[-1])
            self.check("going on from " + used in said and "resumed_from" in report,
                       f"does not go on from {used}: '{said}'")
            counts.resumed += 1
        else:
            self.check("starting at the beginning" in said, said)
            counts.anew += 1


def make_loops(file, folder, every, checkpoint=None):
    """The program in `file`, whose loops take a snapshot every so many iterations."""
    taking = os.path.join(folder, "taking.mlir")
    before = [f"--pebble-checkpoint-loops={checkpoint}"] if checkpoint else []
    subprocess.run(["pebble-opt", file, *before, f"--pebble-snapshot-loops=every={every}", "-o", taking], check=True)
    killed = Killed(os.path.basename(file), ["pebble-run", taking], [], folder)
    killed.run_undisturbed()
    return killed


def make_driver(file, folder, every, repeat, feed):
    """A driver that runs `file` so often, and takes a snapshot every so many runs."""
    command = ["pebble-run", file, f"--repeat={repeat}", *("--feed=" + one for one in feed)]
    killed = Killed(os.path.basename(file), command, [f"--snapshot-runs={every}"], folder)
    killed.run_undisturbed(expected=(repeat - 1) // every)
    return killed


def kill_often(killed, rng, kills):
    """Rounds of kills until so many hit a run. Few may come too late, or nothing would be tested."""
    counts = Counts()
    while counts.kills < kills:
        killed.run_round(rng, counts)
        killed.check(counts.missed <= 5 + counts.kills,
                     f"only {counts.kills} kills hit it, and {counts.missed} came too late")
    return counts
