"""Checks that traces of runs have no stall longer than what it waits for.

usage: check_stalls.py FILE.json...

Each stall must lie within a transfer, no two may lie at the same time, and each
trace must have at least one.
"""

import json
import sys

SLACK = 0.002  # times are nanoseconds, written in microseconds

for path in sys.argv[1:]:
    with open(path) as f:
        events = json.load(f)
    names = {e["tid"]: e["args"]["name"] for e in events
             if e["name"] == "thread_name"}
    bars = {}
    for e in events:
        if e["ph"] == "X":
            bars.setdefault(names[e["tid"]], []).append(
                (e["ts"], e["ts"] + e["dur"]))
    moves, stalls = bars["bytes move"], sorted(bars["stalls"])
    for begin, end in stalls:
        assert begin < end, (path, begin, end)
        assert any(b - SLACK <= begin and end <= e + SLACK
                   for b, e in moves), (path, begin, end)
    for (_, end), (begin, _) in zip(stalls, stalls[1:]):
        assert end <= begin + SLACK, (path, end, begin)
    total = sum(e - b for b, e in stalls)
    assert total <= sum(e - b for b, e in moves) + SLACK, path
