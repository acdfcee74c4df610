"""Runs a program before and after passes and compares.

  same-results.py FILE [--entry=NAME] [--pure=NAME]... [--opt-level=N] -- PASS...

Fails unless both runs give the same results and the same output bit for bit,
both metered peaks, moves and extents (where addresses are planned) equal the
predicted ones, and the peak of the compute tier has not grown. Lines `EXPECT: text` of the file must be in the
output. Prints one line a run: `before: peak N` and `after: peak N`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile


def run(path, options):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run(
            ["pebble-run", path, "--seed=5", f"--json={report}", *options],
            capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"pebble-run: {done.stderr.strip()}")
        with open(report, encoding="utf-8") as file:
            return json.load(file), done.stdout


def check(when, report):
    for key in ("peak_bytes", "moved_bytes", "extent_bytes"):
        if report.get(key) != report.get("predicted_" + key):
            sys.exit(f"{when}: metered {key} {report[key]}, predicted"
                     f" {report['predicted_' + key]}")
    peak = next(iter(report["peak_bytes"].values()), 0)
    print(f"{when}: peak {peak}")
    return peak


def main():
    split = sys.argv.index("--")
    path, options, passes = sys.argv[1], sys.argv[2:split], sys.argv[split + 1:]
    pure = [o.replace("--pure", "--pebble-pure") for o in options if "pure" in o]
    entry = [o for o in options if "entry" in o or "opt-level" in o]
    before, output = run(path, entry + pure)
    with tempfile.TemporaryDirectory() as folder:
        rewritten = os.path.join(folder, "after.mlir")
        done = subprocess.run(["pebble-opt", path, *pure, *passes, "-o", rewritten],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"pebble-opt: {done.stderr.strip()}")
        after, output_after = run(rewritten, entry + pure)
    if before["results_sha256"] != after["results_sha256"]:
        sys.exit("results differ")
    if output != output_after:
        sys.exit(f"output differs: {output!r} became {output_after!r}")
    with open(path, encoding="utf-8") as file:
        for expected in re.findall(r"^// EXPECT: (.*)$", file.read(), re.M):
            if expected not in output.splitlines():
                sys.exit(f"expected output {expected!r}, got {output!r}")
    if check("before", before) < check("after", after):
        sys.exit("the peak grew")


if __name__ == "__main__":
    main()
