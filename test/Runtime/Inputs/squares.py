"""squares.py DIR: result0 holds the squares of result3, both complex, without numpy."""

import ast
import struct
import sys


def load(path):
    data = open(path, "rb").read()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10 : 10 + length].decode())
    kind = header["descr"][1:]
    body = data[10 + length :]
    code = {"c8": "f", "c16": "d"}[kind]
    parts = struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body)
    return kind, header["shape"], [complex(*pair) for pair in zip(parts[::2], parts[1::2])]


kind, shape, squares = load(sys.argv[1] + "/result0.npy")
_, _, numbers = load(sys.argv[1] + "/result3.npy")
twice = load(sys.argv[1] + "/result1.npy")
first = load(sys.argv[1] + "/result2.npy")
assert len(set(numbers)) == 3 and all(n.real != n.imag for n in numbers), numbers
assert all(abs(s - n * n) < 1e-6 for s, n in zip(squares, numbers)), (squares, numbers)
assert twice[2][0].real != twice[2][0].imag and 0 < twice[2][0].real < 2, twice
assert first[2] == numbers[:1], (first, numbers)
print(f"{kind} {shape} squared, {twice[0]} {twice[1]} doubled, {first[0]} {first[1]} the first")
