"""Runs a pair of functions apart, stitched, and split again.

  run-forms.py PAIR.mlir [-- PASS...]

PAIR.mlir has @forward and @backward, paired by name, and a @main that calls
both with arguments of its own in the order in which the stitched function takes
them. PASS are passes to run on the stitched function before it is split; each
form is also run after `-cse -canonicalize`. Prints the peak of each form, and
what its forward function saves. Fails unless all give the same results bit for
bit and every metered peak is the predicted one.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

CLEAN = ["-cse", "-canonicalize"]


def opt(source, target, *passes):
    done = subprocess.run(
        ["pebble-opt", source, *passes, "-o", target,
         "--remarks-filter=pebble-split-backward"],
        capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"pebble-opt: {done.stderr.strip()[:2000]}")
    return re.findall(r"'\S+' saves (\d+) value\(s\) for '\S+', (\d+) bytes",
                      done.stderr)


def run(path, entry):
    report = path + ".json"
    done = subprocess.run(
        ["pebble-run", path, "--opt-level=0", f"--entry={entry}", "--seed=3", f"--json={report}"],
        capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"pebble-run: {done.stderr.strip()[:2000]}")
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def main():
    arguments = sys.argv[1:]
    passes = []
    if "--" in arguments:
        passes = arguments[arguments.index("--") + 1:]
    pair = arguments[0]
    stitch = "--pebble-stitch-backward=forward=forward backward=backward into=step"
    split = "--pebble-split-backward=forward=forward2 backward=backward2"
    with tempfile.TemporaryDirectory() as folder:
        forms = {"apart": (pair, "main", None)}

        def add(name, source, entry, *steps):
            target = os.path.join(folder, name.replace(" ", "-") + ".mlir")
            saved = opt(source, target, *steps)
            forms[name] = (target, entry, saved[0] if saved else None)
            return target

        add("apart clean", pair, "main", *CLEAN)
        whole = add("stitched", pair, "step", stitch)
        add("stitched clean", whole, "step", *CLEAN)
        add("split", whole, "step", split)
        if passes:
            # Passes plan every function, and the halves are still there.
            alone = add("alone", whole, "step", "-symbol-privatize=exclude=step",
                        "-symbol-dce")
            planned = add("planned", alone, "step", *passes)
            add("planned clean", planned, "step", *CLEAN)
            halves = add("planned split", planned, "step", split)
            add("planned split clean", halves, "step", *CLEAN)
        expected = None
        for name, (path, entry, saved) in forms.items():
            report = run(path, entry)
            if report["peak_bytes"] != report["predicted_peak_bytes"]:
                sys.exit(f"{name}: metered {report['peak_bytes']}, predicted"
                         f" {report['predicted_peak_bytes']}")
            expected = expected or report["results_sha256"]
            if report["results_sha256"] != expected:
                sys.exit(f"{name}: the results differ")
            peak = next(iter(report["peak_bytes"].values()))
            text = f"{name}: peak {peak}"
            if saved:
                text += f", saves {saved[0]} values, {saved[1]} bytes"
            print(text)


if __name__ == "__main__":
    main()
