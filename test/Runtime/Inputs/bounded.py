"""bounded.py REPORT.json...: no peak is above its prediction."""

import json
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for tier, peak in report["peak_bytes"].items():
        if peak > report["predicted_peak_bytes"].get(tier, 0):
            sys.exit(f"{path}: {peak} bytes in '{tier}', over {report['predicted_peak_bytes']}")
