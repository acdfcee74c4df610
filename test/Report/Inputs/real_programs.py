"""Reports real programs and compares peaks with rough ones from elsewhere.

usage: real_programs.py DIR, with DIR/INDEX.tsv and the programs it lists

The rough peaks are those of the largest function in file order, arguments and
constants left out, views aliased. They know nothing of scratch and of what is
written in place, so Pebble may be lower everywhere, and higher only where
EXPLAINED says why.
"""

import csv
import json
import os
import subprocess
import sys

PURE = ("stablehlo", "mhlo", "ttir", "chlo", "tessera", "att", "tt", "ttcore")
ROUNDING_BYTES = 64 * 1024  # storages are rounded up, scalars most of all
EXPLAINED = {
    "infer/shlo_searchless_chess_9m.mlir": "scratch of the callee silu",
    "issues/jax_27748_scan_remat_oom.mlir": "scratch of the loop",
    "issues/xla_17541_offload_residual.mlir": "scratch of the loop",
    "loops/buddy_flash_attention_prefill.mlir": "scratch of the loop",
    "train/byteir_resnet18_whole.mlir": "scratch of batch norm's gradient",
}


def report(path):
    command = ["pebble-report", path, "--json", "--pebble-dim-bound=16"]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    command += [f"--pebble-pure={name}" for name in PURE if f"{name}." in text]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:500]
    return json.loads(done.stdout)


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "INDEX.tsv")) as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    problems = []
    for row in rows:
        name = row["file"]
        try:
            functions = report(os.path.join(root, name))
        except AssertionError as error:
            problems.append(f"{name}: {error}")
            continue
        if not functions or not row["peak_textual_MB"]:
            continue
        largest = max(functions.values(), key=lambda f: f["ops"])
        peak = largest["intermediates_peak_bytes"]
        rough = float(row["peak_textual_MB"]) * 1e6
        if (peak > rough * 1.001 + ROUNDING_BYTES) != (name in EXPLAINED):
            problems.append(f"{name}: peak {peak}, roughly {rough:.0f}")
    print("\n".join(problems) or f"{len(rows)} programs")
    return bool(problems)


sys.exit(main())
