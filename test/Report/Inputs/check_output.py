"""Reads pictures and traces as other programs would.

usage: check_output.py FILE.svg|FILE.json...

A picture must be well-formed XML of at most 2 MB that refers to nothing outside
itself. In a trace every asynchronous slice that begins must end, and the
counters must add up to the live bytes that each step says.
"""

import json
import os
import sys
import xml.etree.ElementTree as xml


def check_picture(path):
    assert os.path.getsize(path) < 2_000_000, "the picture is too large"
    root = xml.parse(path).getroot()
    for element in root.iter():
        name = element.tag.rsplit("}", 1)[-1]
        assert name not in ("image", "script", "use", "style", "link"), name
        for key, value in element.attrib.items():
            assert "href" not in key and "://" not in value, (key, value)


def check_trace(path):
    with open(path) as f:
        events = json.load(f)["traceEvents"]
    begun = [e["id"] for e in events if e["ph"] == "b"]
    ended = [e["id"] for e in events if e["ph"] == "e"]
    assert sorted(begun) == sorted(ended)
    steps = {e["ts"]: e["args"]["live bytes"] for e in events if e["ph"] == "X"}
    assert steps
    counters = {}
    for e in events:
        if e["ph"] == "C":
            counters.setdefault(e["name"], {})[e["ts"]] = sum(e["args"].values())
    compute = next(iter(counters.values()))
    assert all(compute[at] == live for at, live in steps.items())


for path in sys.argv[1:]:
    (check_picture if path.endswith(".svg") else check_trace)(path)
