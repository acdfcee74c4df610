#!/usr/bin/python3
"""Measured time of a program with transfers against the predicted one.

A chain of matrix products whose matrices live in a slower tier: while one
product runs, the matrix of the next one is loaded and the product before it is
stored. The tier is held to bandwidths from 1 to 1/100 of --bandwidth. For each
the costs are measured (pebble-run --profile), then the program runs with
transfers beside the products and without; of --runs runs the fastest counts.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def write(layers, rows, width, bandwidth, latency):
    """The program, for a tier of this speed."""
    matrix, tile = f"tensor<{width}x{width}xf32", f"tensor<{rows}x{width}xf32"
    slow = ', #pebble.at<"slow">>'
    arguments = ", ".join(f"%w{i}: {matrix}{slow}" for i in range(layers))
    results = ", ".join([tile + ">"] + [tile + slow] * layers)
    lines = [
        'module attributes {pebble.hierarchy = #pebble.hierarchy<[<"fast", kind = explicit>,',
        f'    <"slow", kind = explicit, bandwidth = {bandwidth}, latency = {latency}>]>}} {{',
        f"func.func @main(%x0: {tile}>, {arguments}) -> ({results}) {{",
        "  %zero = arith.constant 0.0 : f32",
        f"  %e = tensor.empty() : {tile}>",
    ]

    def load(i):
        lines.append(f"  %n{i}, %l{i} = pebble.load %w{i} : {matrix}{slow} -> {matrix}>")

    load(0)
    for i in range(layers):
        lines.append(f"  %m{i} = pebble.wait %l{i} for %n{i} : {matrix}>")
        if i + 1 < layers:
            load(i + 1)
        lines += [
            f"  %f{i} = linalg.fill ins(%zero : f32) outs(%e : {tile}>) -> {tile}>",
            f"  %x{i + 1} = linalg.matmul ins(%x{i}, %m{i} : {tile}>, {matrix}>)"
            f" outs(%f{i} : {tile}>) -> {tile}>",
            f"  pebble.drop %m{i} : {matrix}>",
        ]
        if i:
            lines.append(f"  %s{i - 1} = pebble.wait %t{i - 1} for %c{i - 1} : {tile}{slow}")
        lines.append(f"  %c{i}, %t{i} = pebble.store %x{i + 1} : {tile}> -> {tile}{slow}")
    last = layers - 1
    lines += [
        f"  %s{last} = pebble.wait %t{last} for %c{last} : {tile}{slow}",
        f"  return %x{layers}, {', '.join(f'%s{i}' for i in range(layers))} : {results}",
        "}",
        "}",
    ]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--bandwidth", type=int, default=1000, help="MB/s")
    parser.add_argument("--latency", type=int, default=100000, help="ns")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--slow-dir", help="files behind the slower tier")
    args = parser.parse_args()
    tool = os.path.join(args.build, "bin", "pebble-run")
    files = ["--slow-dir=" + args.slow_dir] if args.slow_dir else []

    hashes = set()
    print("  MB/s  overlap  seconds  predicted         stalls  predicted  hidden")
    with tempfile.TemporaryDirectory() as folder:
        program, costs, report = (
            os.path.join(folder, name) for name in ("p.mlir", "costs.json", "run.json")
        )

        def run(*options):
            done = subprocess.run([tool, program, "--pace", *files, *options])
            if done.returncode:
                sys.exit("error: pebble-run failed")

        for part in (1, 3, 10, 30, 100):
            bandwidth = max(1, args.bandwidth // part)
            with open(program, "w") as f:
                f.write(write(args.layers, args.rows, args.width, bandwidth, args.latency))
            run("--profile=" + costs)
            for name, options in (("yes", []), ("no", ["--no-overlap"])):
                best = None
                for _ in range(args.runs):
                    run("--costs=" + costs, "--json=" + report, *options)
                    with open(report) as f:
                        found = json.load(f)
                    hashes.add(found["results_sha256"])
                    if not best or found["seconds"] < best["seconds"]:
                        best = found
                off = best["predicted_seconds"] / best["seconds"] - 1
                hidden = 1 - best["stall_seconds"] / best["transfer_seconds"]
                print(f"{bandwidth:6} {name:>8} {best['seconds']:8.3f} {best['predicted_seconds']:10.3f}"
                      f" {100 * off:+5.1f}% {best['stall_seconds']:8.3f}"
                      f" {best['predicted_stall_seconds']:10.3f} {100 * hidden:6.1f}%",
                      flush=True)  # fmt: skip
    if len(hashes) != 1:
        sys.exit("error: results differ")


if __name__ == "__main__":
    main()
