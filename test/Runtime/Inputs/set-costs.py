"""Sets figures in a file of costs.

usage: set-costs.py COSTS.json OP=NANOSECONDS... TIER=BANDWIDTH:LATENCY...

Room in a tier then costs half a microsecond.
"""

import json
import sys

with open(sys.argv[1]) as f:
    costs = json.load(f)
for argument in sys.argv[2:]:
    name, figures = argument.split("=")
    for op in costs["ops"]:
        if op["op"] == name:
            op["nanoseconds"] = int(figures)
    for tier in costs["tiers"]:
        if tier["name"] == name:
            bandwidth, latency = map(int, figures.split(":"))
            tier["store"] = tier["load"] = {"bandwidth": bandwidth, "latency": latency}
            tier["alloc"] = {"bandwidth": 0, "latency": 500}
json.dump(costs, sys.stdout, indent=2)
