#!/usr/bin/env python3
"""Reverses the loops of a program with few states kept and with all.

  reverse.py FILE [--trips=N,N,...] [--options="slots=3"]... [--at-most] [--no-moves]
             [--target=NAME] [--placed] [--opt-level=N]

FILE is a program, or a script that writes one (spiking.py, gru.py). Fails unless
every run gives the results of the run that keeps all states, bit for bit, and meters
the peak and the moves that were predicted. With --trips the first argument of the program is the trip count, and each of them is run. With
--at-most the peak may stay below the predicted one, as that of a loop does which
runs too few steps to fill its slots, and less may move. With --no-moves what is
moved is not held against anything: nobody predicts it where the trip count is an
argument. With --target the loops are checkpointed on that hierarchy. A program of
many operations that runs for a short time takes less with --opt-level=0. With --placed
addresses are planned too, and no buffer may lie beyond the planned extent. Prints a
line for each run.
"""

import argparse
import os
import re
import sys
import tempfile

import loop_runs


def check(what, report, at_most, moves=True):
    for key in ("peak_bytes", "moved_bytes") if moves else ("peak_bytes",):
        metered, predicted = report[key], report["predicted_" + key]
        lower = at_most and metered.keys() <= predicted.keys() and all(
            bytes <= predicted[tier] for tier, bytes in metered.items())
        if metered != predicted and not lower:
            raise SystemExit(f"{what}: metered {key} {metered}, predicted {predicted}")
    if report.get("extent_bytes") != report.get("predicted_extent_bytes"):
        raise SystemExit(f"{what}: metered extent {report.get('extent_bytes')}, "
                         f"predicted {report.get('predicted_extent_bytes')}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file")
    parser.add_argument("--trips", default="")
    parser.add_argument("--options", action="append", default=[])
    parser.add_argument("--at-most", action="store_true")
    parser.add_argument("--no-moves", action="store_true")
    parser.add_argument("--target")
    parser.add_argument("--placed", action="store_true")
    parser.add_argument("--opt-level", default="2")
    arguments = parser.parse_args()
    trips = [int(n) for n in arguments.trips.split(",") if n] or [None]
    with tempfile.TemporaryDirectory() as folder:
        source = arguments.file
        if source.endswith(".py"):
            source = os.path.join(folder, "source.mlir")
            with open(source, "w", encoding="utf-8") as out:
                out.write(loop_runs.call([sys.executable, arguments.file]))
        programs = []
        for number, options in enumerate(arguments.options):
            out = os.path.join(folder, f"{number}.mlir")
            then = ["--pebble-plan-addresses"] if arguments.placed else []
            loop_runs.checkpoint(source, options, out, arguments.target, then)
            programs.append((options, out))
        for trip in trips:
            inputs = {} if trip is None else {0: ("i8", (), [trip])}
            bound = [] if trip is None else [f"--pebble-dim-bound={max(trip, 1)}"]
            bound.append(f"--opt-level={arguments.opt_level}")
            name = "" if trip is None else f"{trip} steps, "
            expected = loop_runs.run(source, *bound, inputs=inputs)
            check(f"{name}all states", expected, trip is not None)
            print(f"{name}all states: peak {expected['peak_bytes']}, {expected['seconds']:.3f} s")
            for options, program in programs:
                report = loop_runs.run(program, *bound, inputs=inputs)
                if report["results_sha256"] != expected["results_sha256"]:
                    raise SystemExit(f"{name}{options}: the results differ from those with all states kept")
                check(f"{name}{options}", report, arguments.at_most, not arguments.no_moves)
                if arguments.placed and "extent_bytes" not in report:
                    raise SystemExit(f"{name}{options}: addresses are not planned")
                with open(program, encoding="utf-8") as file:
                    counts = re.findall(r"forward_steps = (\d+)", file.read())
                forward = f", forward steps {'+'.join(counts)}" if counts else ""
                moved = f", moved {report['moved_bytes']}" if report["moved_bytes"] else ""
                extent = f", extent {report['extent_bytes']}" if arguments.placed else ""
                print(f"{name}{options}: peak {report['peak_bytes']}{extent}{moved}{forward}, {report['seconds']:.3f} s")


main()
