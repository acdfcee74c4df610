"""Compares the results of two runs, as `pebble-run --output-dir` writes them.

  near-results.py BEFORE AFTER ROOM

Fails where an f32 differs by more than ROOM times the largest of its array, or of one.
"""

import array
import glob
import os
import sys


def read(path):
    """The numbers of an f32 array."""
    with open(path, "rb") as file:
        data = file.read()
    assert b"'<f4'" in data[:128], path
    header = 10 + int.from_bytes(data[8:10], "little")
    return array.array("f", data[header:])


def main():
    before, after, room = sys.argv[1], sys.argv[2], float(sys.argv[3])
    paths = sorted(glob.glob(os.path.join(before, "result*.npy")))
    assert paths, "no results"
    for path in paths:
        one = read(path)
        other = read(os.path.join(after, os.path.basename(path)))
        assert len(one) == len(other)
        largest = max(1.0, max(map(abs, one)))
        most = max(abs(a - b) for a, b in zip(one, other))
        if not most <= room * largest:
            sys.exit(f"{path}: {most} apart, {room * largest} allowed")


if __name__ == "__main__":
    main()
