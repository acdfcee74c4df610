#!/usr/bin/env python3
"""Kills one of two ranks that wait for each other, and says how the run ends.

    killed.py MPIRUN DIR
"""

import glob
import os
import signal
import subprocess
import sys
import time

PROGRAM = """
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit>, <"blue", kind = explicit>]>} {
func.func @main(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  mpi.init
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %other = arith.subi %one, %rank : i32
  %witness = memref.alloc() : memref<4xf32, #pebble.at<"blue">>
  %there = pebble.store %x into %witness : memref<4xf32> -> memref<4xf32, #pebble.at<"blue">>
  pebble.wait %there
  mpi.recv(%x, %zero, %other, %world) : memref<4xf32>, i32, i32
  %back = pebble.load %witness into %x : memref<4xf32, #pebble.at<"blue">> -> memref<4xf32>
  pebble.wait %back
  memref.dealloc %witness : memref<4xf32, #pebble.at<"blue">>
  return
}
}
"""


def read(process, name):
    try:
        with open(f"/proc/{process}/{name}", "rb") as file:
            return file.read()
    except OSError:
        return b""


def find(program, rank):
    """The process of `rank` that runs `program`."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        command = read(process, "cmdline").split(b"\0")
        if command[0].endswith(b"pebble-run") and program.encode() in command and \
                f"OMPI_COMM_WORLD_RANK={rank}".encode() in read(process, "environ").split(b"\0"):
            return int(process)
    return None


def main():
    mpirun, folder = sys.argv[1].split(), sys.argv[2]
    program = f"{folder}/wait.mlir"
    with open(program, "w") as file:
        file.write(PROGRAM)
    # A rank has a file in the slower tier once MPI is up. Before that mpirun itself is not ready for a death: it
    # may name another rank, or wait for ever.
    going = subprocess.Popen([*mpirun, "-np", "2", "pebble-run", program, f"--slow-dir={folder}"], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
    while going.poll() is None and len(glob.glob(f"{folder}/pebble-*/blue-*")) < 2:
        time.sleep(0.01)
    if going.poll() is not None:
        sys.exit(f"ended before it was killed: {going.stdout.read()}")
    os.kill(find(program, 1), signal.SIGKILL)
    said, _ = going.communicate()
    if going.returncode == 0:
        sys.exit("a run with a killed rank ends as if all were good")
    print(said)
    print("left:", [rank for rank in range(2) if find(program, rank)])


main()
