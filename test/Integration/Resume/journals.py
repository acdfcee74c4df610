"""What those share that kill programs: the journal of a program, and damage."""

import os
import time


class Journal:
    def __init__(self, disk):
        self.folder = os.path.join(disk, "pebble-journal")

    def snapshots(self):
        """Names of the snapshots there are, oldest first."""
        try:
            return sorted(name for name in os.listdir(self.folder) if name.startswith("snapshot-"))
        except FileNotFoundError:
            return []

    def newest(self):
        names = self.snapshots()
        return int(names[-1].removeprefix("snapshot-")) if names else 0

    def wait(self, process, at):
        """Until snapshot `at` is there, or `process` has ended."""
        while process.poll() is None and (self.newest() < at or not os.path.exists(self.folder)):
            time.sleep(0.001)


def damage(path, rng, isCut):
    """Cuts a file short, or flips a bit of it."""
    size = os.path.getsize(path)
    if isCut:
        os.truncate(path, rng.randrange(size))
        return
    with open(path, "r+b") as file:
        at = rng.randrange(size)
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ (1 << rng.randrange(8))]))
