"""Running programs on given data, without numpy: what the tests of loops share."""

import array
import ast
import json
import os
import struct
import subprocess
import sys
import tempfile

CODES = {"f4": "f", "f8": "d", "i8": "q", "i4": "i"}


def write_npy(path, kind, shape, numbers):
    header = repr({"descr": "<" + kind, "fortran_order": False, "shape": tuple(shape)}) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(array.array(CODES[kind], numbers).tobytes())


def read_npy(path):
    """(kind, shape, numbers)"""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode())
    numbers = array.array(CODES[header["descr"][1:]])
    numbers.frombytes(data[10 + length:])
    return header["descr"][1:], header["shape"], numbers


def call(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def checkpoint(path, options, out, target=None, then=()):
    """Writes `path` with its loops checkpointed to `out`, and passes run on that."""
    on = [f"--pebble-target={target}"] if target else []
    call(["pebble-opt", path, *on, f"--pebble-checkpoint-loops={options}", *then, "-o", out])


def run(path, *options, inputs=None, results=False):
    """The report of one run; with `results`, also what it returned."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        given = []
        for number, (kind, shape, numbers) in (inputs or {}).items():
            name = os.path.join(folder, f"input{number}.npy")
            write_npy(name, kind, shape, numbers)
            given.append(f"--input={number}:{name}")
        if results:
            given.append(f"--output-dir={folder}/results")
        call(["pebble-run", path, "--seed=3", f"--json={report}", *given, *options])
        with open(report, encoding="utf-8") as file:
            answer = json.load(file)
        if not results:
            return answer
        values = []
        while os.path.exists(f"{folder}/results/result{len(values)}.npy"):
            values.append(read_npy(f"{folder}/results/result{len(values)}.npy"))
        return answer, values
