#!/usr/bin/env python3
"""Runs one step on one device and divided between ranks, and compares.

    run.py MPIRUN BUILD DIR KIND [--ranks=N ...] [--passes=...] [--program=NAME] [--opt-level=N] [--one=DIR]

MPIRUN is the command as one word, BUILD the folder of the programs. The program
is mlp.py or transformer.py, and other options are those of it; it says how close
results must be. With --one=DIR the run on one device is kept there, and taken from
there by others of the same program. Each rank must take what was predicted, in each tier, and move
and send what was. Prints the summary of all ranks.
"""

import json
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command, **kwargs):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **kwargs)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def main():
    mpirun, build, folder, kind = sys.argv[1:5]
    options = [o for o in sys.argv[5:] if not o.startswith(("--passes=", "--program=", "--opt-level=", "--one="))]
    # These steps take longer to compile than to run.
    level = next((o for o in sys.argv[5:] if o.startswith("--opt-level=")), "--opt-level=0")
    program = next((o[len("--program="):] for o in sys.argv[5:] if o.startswith("--program=")), "mlp.py")
    passes = [p for o in sys.argv[5:] if o.startswith("--passes=") for p in shlex.split(o[len("--passes="):])]
    ranks = next((int(o.split("=")[1]) for o in options if o.startswith("--ranks=")), 2)
    kept = next((o[len("--one="):] for o in sys.argv[5:] if o.startswith("--one=")), folder)
    writer = [sys.executable, f"{HERE}/{program}"]
    os.makedirs(folder, exist_ok=True)

    def write(folder, name, kind, passes):
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{name}.mlir", "w") as file:
            file.write(run(writer + [kind] + options))
        run([f"{build}/pebble-opt", "--quiet", f"{folder}/{name}.mlir", *passes, "-o", f"{folder}/{name}.run.mlir"])
        run(writer + [f"--data={folder}/{name}.in", kind] + options)

    if not os.path.isdir(f"{kept}/one"):
        write(kept, "one", "one", [])
        count = len([name for name in os.listdir(f"{kept}/one.in") if name.endswith(".0.npy")])
        inputs = [f"--input={i}:{kept}/one.in/{i}.0.npy" for i in range(count)]
        run([f"{build}/pebble-run", level, f"{kept}/one.run.mlir", *inputs, f"--output-dir={kept}/one"])
    if kept != folder:
        os.symlink(f"{kept}/one", f"{folder}/one")
    # The transformer is written for each rank as it is.
    partition = ["--pebble-partition"] if program == "mlp.py" else []
    write(folder, "ranks", kind, [*partition, *passes, f"--pebble-verify-messages=ranks={ranks}"])
    count = len([name for name in os.listdir(f"{folder}/ranks.in") if name.endswith(".0.npy")])
    inputs = [f"--input={i}:{folder}/ranks.in/{i}.%r.npy" for i in range(count)]
    run(mpirun.split() + ["-np", str(ranks), f"{build}/pebble-run", level, f"{folder}/ranks.run.mlir", *inputs,
                          f"--output-dir={folder}/rank%r", f"--summary={folder}/all.json",
                          f"--json={folder}/%r.json"])
    print(run(writer + [f"--compare={folder}", kind] + options).strip())
    with open(f"{folder}/all.json") as file:
        summary = json.load(file)
    if not summary["as_predicted"]:
        sys.exit(f"not as predicted: {summary}")
    moved = set()
    for rank in range(ranks):
        with open(f"{folder}/{rank}.json") as file:
            report = json.load(file)
        for figure in ("peak_bytes", "moved_bytes"):
            if report[figure] != report["predicted_" + figure]:
                sys.exit(f"rank {rank}: {figure} not as predicted: {report}")
        moved.add(str(report["moved_bytes"]))
    print("peaks:", *summary["peak_bytes"])
    print("sent:", *summary["sent_bytes"])
    print("moved:", *sorted(moved))


main()
