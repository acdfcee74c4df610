#!/usr/bin/env python3
"""Moves values of the sparse-parity step to the tier "blue", by hand.

usage: offload.py sparse-parity.mlir

The large weights start and end there, and are brought for the step; the hidden
layer before its activation is away between its use forward and its use
backward. What comes out goes to stdout; `--pebble-target=red-blue` has the tier.
"""

import re
import sys

SLOW = ', #pebble.at<"blue">>'
MATRIX, VECTOR = "tensor<1000x20xf32>", "tensor<1000xf32>"


def slow(type):
    return type[:-1] + SLOW


def move(op, source, into, type_from, type_to):
    """Start and wait, side by side: `source` to the value called `into`."""
    name, *destination = into.split(" into ")
    start = (
        f"  %{name}_copy, %{name}_token = pebble.{op} %{source}"
        + (f" into %{destination[0]}" if destination else "")
        + f" : {type_from} -> {type_to}\n"
    )
    return start, f"  %{name} = pebble.wait %{name}_token for %{name}_copy : {type_to}\n"


def after(text, location, lines):
    """Puts `lines` behind the op at `location`."""
    end = text.index(f'loc("{location}")\n') + len(f'loc("{location}")\n')
    return text[:end] + lines + text[end:]


def main():
    text = open(sys.argv[1]).read()
    loads = stores = ""
    for name, type in [("W1", MATRIX), ("W2", VECTOR)]:
        text = text.replace(f"%{name}: {type} {{", f"%{name}_away: {slow(type)} {{")
        loads += "".join(move("load", f"{name}_away", name, slow(type), type))
        stores += "".join(
            move("store", f"{name}_new", f"{name}_back into {name}_away", type, slow(type))
        )
    results = f"({slow(MATRIX)}, {VECTOR}, {slow(VECTOR)}, tensor<1xf32>)"
    text = text.replace(f"-> ({MATRIX}, {VECTOR}, {VECTOR}, tensor<1xf32>)", "-> " + results)
    text = text.replace("  // W1 and x and the bias", loads + "  // W1 and x and the bias")
    text = re.sub(
        r"  return .*",
        stores + f"  return %W1_back, %b1_new, %W2_back, %b2_new : {results[1:-1]}",
        text,
    )
    # The hidden layer: its store runs beside the rest of the forward pass, its
    # load beside the beginning of the backward pass.
    start, wait = move("store", "h_pre", "h_away", VECTOR, slow(VECTOR))
    text = after(text, "fwd_relu", start)
    text = after(text, "fwd_loss", wait + f"  pebble.drop %h_pre : {VECTOR}\n")
    start, wait = move("load", "h_away", "h_again", slow(VECTOR), VECTOR)
    text = after(text, "bwd_loss", start)
    text = after(text, "bwd_dh", wait)
    text = text.replace("ins(%dh, %h_pre :", "ins(%dh, %h_again :")
    print(text, end="")


if __name__ == "__main__":
    main()
