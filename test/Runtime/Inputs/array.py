"""Writes an array of zeroes whose header is any text: array.py FILE HEADER BYTES [MINOR]."""

import struct
import sys

header = sys.argv[2].encode() + b"\n"
minor = bytes([int(sys.argv[4])]) if len(sys.argv) > 4 else b"\0"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01" + minor + struct.pack("<H", len(header)) + header + bytes(int(sys.argv[3])))
