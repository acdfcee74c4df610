"""npy.py show FILE... | npy.py write FILE TYPE SHAPE NUMBERS: .npy files without numpy."""

import ast
import struct
import sys

CODES = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "i8": "q", "f2": "e", "f4": "f", "f8": "d"}


def show(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0
    header = ast.literal_eval(data[10 : 10 + length].decode())
    assert header["fortran_order"] is False
    kind = header["descr"][1:]
    body = data[10 + length :]
    code = CODES[kind]
    count = len(body) // struct.calcsize(code)
    print(kind, header["shape"], list(struct.unpack(f"<{count}{code}", body)))


def write(path, kind, shape, numbers):
    shape = tuple(int(n) for n in shape.split(",") if n)
    numbers = [float(n) if kind[0] == "f" else int(n) for n in numbers.split(",")]
    header = repr({"descr": "<" + kind, "fortran_order": False, "shape": shape}) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack(f"<{len(numbers)}{CODES[kind]}", *numbers))


if sys.argv[1] == "show":
    for name in sys.argv[2:]:
        show(name)
else:
    write(*sys.argv[2:])
