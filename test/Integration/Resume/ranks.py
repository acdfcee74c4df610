#!/usr/bin/env python3
"""Ends a run of two ranks in its midst, and lets it go on.

    ranks.py MPIRUN DIR

MPIRUN is the command as one word. Each rank has a journal of its own. The newest
snapshot of rank 1 is taken away, as if the run had been killed before that was
written: both ranks must go on from the one before, and end as an undisturbed run.
"""

import os
import signal
import subprocess
import sys
import time

PROGRAM = """
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %from = arith.constant 0 : index
  %to = arith.constant 50000 : index
  %by = arith.constant 1 : index
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %y = scf.for %i = %from to %to step %by iter_args(%a = %x) -> tensor<64xf32> {
    %e = tensor.empty() : tensor<64xf32>
    %sum = pebble.collective all_reduce %a into %e group = 2 stride = 1 ranks = 2 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
    %mean = arith.mulf %sum, %half : tensor<64xf32>
    %next = math.sin %mean : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}
"""


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=500)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def snapshots(folder, rank):
    journal = f"{folder}/disk{rank}/pebble-journal"
    if not os.path.isdir(journal):
        return []
    return sorted(name for name in os.listdir(journal) if name.startswith("snapshot-") and "." not in name)


def find_ranks(folder):
    """The processes of the run, but for mpirun itself."""
    words = {f"--slow-dir={folder}/disk{rank}".encode() for rank in ("0", "1", "%r")}
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as file:
                command = file.read().split(b"\0")
        except OSError:
            continue
        if words.intersection(command) and command[0].endswith(b"pebble-run"):
            found.append(int(process))
    return found


def main():
    mpirun, folder = sys.argv[1].split(), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    for rank in range(2):
        os.makedirs(f"{folder}/disk{rank}")
    plain, safe = f"{folder}/plain.mlir", f"{folder}/safe.mlir"
    with open(plain, "w") as file:
        file.write(PROGRAM)
    run("pebble-opt", plain, "--pebble-snapshot-loops=every=100", "-o", safe)
    start = [*mpirun, "-np", "2", "pebble-run", safe, f"--slow-dir={folder}/disk%r", "--resume",
             f"--output-dir={folder}/out%r"]
    run(*mpirun, "-np", "2", "pebble-run", plain, f"--output-dir={folder}/whole%r")
    going = subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while going.poll() is None and any(len(snapshots(folder, rank)) < 2 for rank in range(2)):
        time.sleep(0.005)
    # mpirun would take its time, and the run would be over.
    while ranks := find_ranks(folder):
        for rank in ranks:
            try:
                os.kill(rank, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)
    going.wait()
    left = [snapshots(folder, rank) for rank in range(2)]
    if any(len(names) < 2 for names in left):
        sys.exit(f"the run had ended before it was stopped: {left}")
    common = sorted(set(left[0]) & set(left[1]))
    for name in left[1]:
        if len(common) == 2 and name == common[1]:
            os.remove(f"{folder}/disk1/pebble-journal/{name}")
    said = run(*start)
    for rank in range(2):
        with open(f"{folder}/whole{rank}/result0.npy", "rb") as file, \
                open(f"{folder}/out{rank}/result0.npy", "rb") as other:
            if file.read() != other.read():
                sys.exit(f"rank {rank} has another result than an undisturbed run")
    print("went on together, the same to the bit,", said.count("others are not that far"), "passed over")


main()
