"""Runs programs as they came, and with their calls split, joint, and chosen for
the least; also after -cse -canonicalize. Results must be equal bit by bit, and
peaks as predicted.

Usage: run-modes.py FILE...
"""

import json
import os
import re
import subprocess
import sys
import tempfile


def main():
    failed = 0
    for path in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for mode, option in (
                ("split", "mode=split"),
                ("joint", "mode=joint"),
                ("min", "budget=min"),
            ):
                fault = compare(path, option, folder)
                failed += fault is not None
                names.append(f"{mode} {fault or 'ok'}")
        print(f"{os.path.basename(path)}: {', '.join(names)}")
    return failed != 0


def compare(path, option, folder):
    planned = os.path.join(folder, "planned.mlir")
    done = subprocess.run(
        ["pebble-opt", path, f"--pebble-checkpoint-calls={option}", "-o", planned],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return done.stderr.strip()
    cleaned = os.path.join(folder, "cleaned.mlir")
    subprocess.run(
        ["pebble-opt", planned, "--cse", "--canonicalize", "-o", cleaned], check=True
    )
    expected, found, again = (run(name, folder) for name in (path, planned, cleaned))
    for what in (found, again):
        if what["results"] != expected["results"]:
            return "other results"
        for key in ("peak_bytes", "moved_bytes"):
            if not is_met(what, key):
                return f"{key} {what[key]}, predicted {what['predicted_' + key]}"
    if sum(again["peak_bytes"].values()) > sum(found["peak_bytes"].values()):
        return f"peak {again['peak_bytes']} once cleaned up, {found['peak_bytes']} before"
    return None


def is_met(report, key):
    """What is predicted is met, or kept to where data decide which way is taken."""
    found, predicted = report[key], report["predicted_" + key]
    if report.get("predicted_is_bound"):
        return all(value <= predicted[tier] for tier, value in found.items())
    return found == predicted


def run(path, folder):
    name = os.path.join(folder, "report.json")
    done = subprocess.run(
        ["pebble-run", path, "--entry=main", f"--json={name}"], capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(done.stderr)
    with open(name, encoding="utf-8") as file:
        text = file.read()
    report = json.loads(text)
    report["results"] = re.findall(r'"sha256": "(\w+)"', text)
    return report


if __name__ == "__main__":
    sys.exit(main())
