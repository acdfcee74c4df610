#!/usr/bin/python3
"""Dictates an order to the sparse-parity step: puts `pebble.order` on its ops.

usage: dictate.py PROGRAM.mlir --order=NAME-OR-OPS [--rewrite]

A published order by its name, or the ops by theirs, with commas. Ops are found
by their locations. With --rewrite the text of the ops is moved instead, whether
that keeps the meaning or not. What comes out goes to stdout.
"""

import argparse
import re

FORWARD = "fwd_linear1 fwd_relu fwd_linear2 fwd_loss bwd_loss "
# cybertronai/SutroYaro, exp_pebble_game.
PUBLISHED = {
    name: (FORWARD + rest).split()
    for name, rest in {
        "standard": "bwd_dW2 bwd_db2 bwd_dh bwd_relu bwd_dW1 bwd_db1 upd_W1 upd_b1 upd_W2 upd_b2",
        "fused": "bwd_dW2 upd_W2 bwd_db2 upd_b2 bwd_dh bwd_relu bwd_dW1 upd_W1 bwd_db1 upd_b1",
        "per-layer": "bwd_dW2 bwd_db2 upd_W2 upd_b2 bwd_dh bwd_relu bwd_dW1 bwd_db1 upd_W1 upd_b1",
        "optimal": "bwd_dW2 bwd_db2 upd_b2 bwd_dh bwd_relu upd_W2 bwd_db1 upd_b1 bwd_dW1 upd_W1",
    }.items()
}


def dictate(text, order):
    """The program with `pebble.order` on each op of `order`."""

    def claim(match):
        head, body, name = match.groups()
        place = f"pebble.order = {order.index(name)}"
        if "attrs = {" in head:
            head = head.replace("attrs = {", "attrs = {" + place + ", ")
        else:
            head += f" attrs = {{{place}}}"
        return f'{head} {{\n{body}loc("{name}")'

    op = r'(linalg\.generic (?:(?!\n  \^bb)[^^])*?) \{\n(  \^bb.*?)loc\("(\w+)"\)'
    text, count = re.subn(op, claim, text, flags=re.S)
    if count != len(order):
        raise SystemExit(f"error: {len(order)} ops in the order, {count} found")
    return text


def rewrite(text, order):
    """The program with its ops written down in `order`."""
    op = r'(?:  //[^\n]*\n)*  (?:%\w+ = )?linalg\.generic .*?loc\("(\w+)"\)\n'
    ops = list(re.finditer(op, text, re.S))
    texts = {match[1]: match[0] for match in ops}
    head, tail = text[: ops[0].start()], text[ops[-1].end() :]
    return head + "".join(texts[name] for name in order) + tail


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program")
    parser.add_argument("--order", required=True)
    parser.add_argument("--rewrite", action="store_true")
    args = parser.parse_args()
    order = PUBLISHED.get(args.order) or args.order.split(",")
    with open(args.program) as f:
        print((rewrite if args.rewrite else dictate)(f.read(), order), end="")


if __name__ == "__main__":
    main()
