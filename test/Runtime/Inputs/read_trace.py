"""Prints the operations of a trace in the order run, those inside indented.

usage: read_trace.py FILE.json

Reads traces of runs and of reports. Bars must lie within each other or apart.
"""

import json
import sys

with open(sys.argv[1]) as f:
    events = json.load(f)
if isinstance(events, dict):
    events = events["traceEvents"]
bars = [e for e in events
        if e["ph"] == "X" and e.get("cat") in ("operation", "step")]
assert bars, "no operation at all"
assert bars == sorted(bars, key=lambda e: e["ts"]), "not in the order run"
around = []  # ends of the bars that the next one may lie in
for bar in bars:
    begin, end = bar["ts"], bar["ts"] + bar["dur"]
    while around and around[-1] <= begin:
        around.pop()
    # Times are nanoseconds, written in microseconds.
    assert not around or end <= around[-1] + 0.001, bar
    print("  " * len(around) + bar["name"])
    around.append(end)
