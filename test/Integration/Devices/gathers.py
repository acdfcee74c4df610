#!/usr/bin/env python3
"""Counts what a planned program gathers: gathers.py < planned.mlir

Prints how many all-gathers it runs, and how many gathered values are live at
one time: from the line that gathers one, or starts to, to the last that reads it.
"""

import re
import sys

lines = sys.stdin.read().splitlines()
lives = []
for begin, line in enumerate(lines):
    found = re.search(r"(%\w+)(?:, %\w+)? = pebble\.collective(?:_start)? all_gather", line)
    if found:
        name = re.escape(found.group(1))
        for other in lines[begin:]:
            if wait := re.search(rf"(%\w+) = pebble\.collective_wait .* for {name}\b", other):
                name = re.escape(wait.group(1))
        reads = [i for i, other in enumerate(lines) if i > begin and re.search(name + r"\b", other)]
        lives.append((begin, max(reads)))
most = max((sum(b <= at <= e for b, e in lives) for at, _ in lives), default=0)
print(f"{len(lives)} gathers, {most} live at one time")
