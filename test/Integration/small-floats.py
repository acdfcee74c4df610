"""Writes a program that converts small floats from all bits that they have, and to
them from bits of all magnitudes, and computes with some.

  small-floats.py TYPE...

Behind it stands a program for upstream, whose conversions from and to f64 are wrong:
there they are from and to f32. That gives the same, for the numbers differ alike from
those in the middle of two small floats.
"""

import re
import sys

FINITE = ("f6E2M3FN", "f6E3M2FN", "f4E2M1FN")  # nothing stands for infinity
WIDTHS = {"f6E2M3FN": 6, "f6E3M2FN": 6, "f4E2M1FN": 4}
# Numbers of f32 and f64: a sign, eight bits of the exponent, five digits, and the
# last one, so that many lie just below, at and just above the middle of two small
# floats.
COUNT = 1 << 15
LOOP = """  scf.for %i = %zero to %{end} step %one {{
    %n = arith.index_cast %i : index to i64
{body}  }}
"""


def extend(kind, out, wide, by):
    width = WIDTHS.get(kind, 8)
    body = f"""    %b = arith.trunci %n : i64 to i{width}
    %x = arith.bitcast %b : i{width} to {kind}
    %{"y" if by == wide else "z"} = arith.extf %x : {kind} to {by}
"""
    if by != wide:
        body += "    %y = llvm.fpext %z : f32 to f64\n"
    body += f"""    memref.store %y, %{out}[%i] : memref<256x{wide}>
"""
    return LOOP.format(end="numbers" if kind == "f8E8M0FNU" else "all", body=body)


def store(kind, value, out):
    width = WIDTHS.get(kind, 8)
    text = f"    %bits = arith.bitcast {value} : {kind} to i{width}\n"
    if width < 8:
        text += f"    %byte = arith.extui %bits : i{width} to i8\n"
    return text + f"    memref.store %{'byte' if width < 8 else 'bits'}, %{out}[%i] : memref<{COUNT}xi8>\n"


def truncate(kind, out, wide):
    largest = 255 if wide == "f32" else 2047
    digits, least = (19, 0) if wide == "f32" else (48, 1023 - 127)
    lines = f"""%upper = arith.shrui %n, %c2 : i64
    %sign = arith.shrui %upper, %c12 : i64
    %shifted = arith.shrui %upper, %c4 : i64
    %low8 = arith.andi %shifted, %c255 : i64
    %sum = arith.addi %low8, %least : i64
    %special = arith.cmpi eq, %low8, %c255 : i64
    %exponent = arith.select %special, %largest, %sum : i64
    %digits = arith.andi %upper, %c15 : i64
    %half = arith.andi %n, %c2 : i64
    %last = arith.andi %n, %c1 : i64
    %s1 = arith.shli %sign, %c{31 if wide == "f32" else 63} : i64
    %s2 = arith.shli %exponent, %c{digits + 4} : i64
    %s3 = arith.shli %digits, %c{digits} : i64
    %s4 = arith.shli %half, %c{digits - 2} : i64
    %t1 = arith.ori %s1, %s2 : i64
    %t2 = arith.ori %s3, %s4 : i64
    %t3 = arith.ori %t1, %t2 : i64
    %number = arith.ori %t3, %last : i64
"""
    constants = {int(n) for n in re.findall(r"%c(\d+)", lines)}
    body = "".join(f"    %c{n} = arith.constant {n} : i64\n" for n in sorted(constants))
    body += f"    %least = arith.constant {least} : i64\n"
    body += f"    %largest = arith.constant {largest - (kind in FINITE)} : i64\n    {lines}"
    if kind == "f8E8M0FNU":  # has no sign; f32 and f64 differ below 2^-126
        body = body.replace("%t1 = arith.ori %s1, %s2", "%t1 = arith.ori %s2, %s2")
        body = body.replace("%sum = arith.addi %low8,", "%above = arith.maxui %low8, %c1 : i64\n"
                            "    %sum = arith.addi %above,")
    if wide == "f32":
        body += "    %low = arith.trunci %number : i64 to i32\n    %f = arith.bitcast %low : i32 to f32\n"
    else:
        body += "    %f = arith.bitcast %number : i64 to f64\n"
    body += f"    %x = arith.truncf %f : {wide} to {kind}\n"
    return LOOP.format(end="count", body=body + store(kind, "%x", out))


def compute(kind, out):
    width = WIDTHS.get(kind, 8)
    body = f"""    %b = arith.trunci %n : i64 to i{width}
    %seven = arith.constant 7 : i64
    %m = arith.shrui %n, %seven : i64
    %c = arith.trunci %m : i64 to i{width}
    %x = arith.bitcast %b : i{width} to {kind}
    %y = arith.bitcast %c : i{width} to {kind}
    %s = arith.addf %x, %y : {kind}
    %p = arith.mulf %s, %y : {kind}
    %less = arith.cmpf olt, %x, %y : {kind}
    %sum = arith.select %less, %s, %p : {kind}
    %isnan = arith.cmpf uno, %sum, %sum : {kind}
    %q = arith.select %isnan, %x, %sum : {kind}
"""
    return LOOP.format(end="count", body=body + store(kind, "%q", out))


def program(kinds, by):
    outs, body = [], ""

    def add(size, kind):
        outs.append(f"%out{len(outs)}: memref<{size}x{kind}>")
        return f"out{len(outs) - 1}"

    for kind in kinds:
        for wide in ("f32", "f64"):
            body += extend(kind, add(256, wide), wide, by or wide)
            body += truncate(kind, add(COUNT, "i8"), by or wide)
        body += compute(kind, add(COUNT, "i8"))
    return f"""module {{
func.func @main({', '.join(outs)}) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %all = arith.constant 256 : index
  %numbers = arith.constant 255 : index
  %count = arith.constant {COUNT} : index
{body}  return
}}
}}"""


if __name__ == "__main__":
    print(program(sys.argv[1:], None))
    print("// for upstream:")
    print(program(sys.argv[1:], "f32"))
