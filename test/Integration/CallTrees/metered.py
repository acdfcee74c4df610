#!/usr/bin/env python3
"""Whether reports of pebble-run met what they predicted: metered.py REPORT.json ..."""

import json
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    if "predicted_is_bound" in report or "predicted_is_known" in report:
        raise SystemExit(f"{path}: nothing exact is predicted")
    for key in "peak_bytes", "moved_bytes":
        if report[key] != report["predicted_" + key]:
            raise SystemExit(f"{path}: {key} {report[key]}, predicted {report['predicted_' + key]}")
    print(f"peak {report['peak_bytes']}, moved {report['moved_bytes']}")
