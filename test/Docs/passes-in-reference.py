#!/usr/bin/env python3
"""Compares the pages on passes with --help of pebble-opt.

passes-in-reference.py DOCS

Each pass of ours has a heading there, and each option of it a row.
"""

import glob
import re
import subprocess
import sys

# Pipelines have no page of TableGen's: docs/ has them.
PIPELINES = {"pebble-partition", "pebble-to-llvm"}


def read_pages(folder):
    """Options by pass."""
    found, current = {}, None
    for page in glob.glob(folder + "/Pebble*Passes.md"):
        with open(page) as f:
            for line in f:
                heading = re.match(r"### `-(\S+)`", line)
                row = re.match(r"\| `([\w-]+)` \|", line)
                if heading:
                    current = found.setdefault(heading.group(1), set())
                elif row:
                    current.add(row.group(1))
    return found


def read_help():
    """Options by pass, as the tool has them."""
    text = subprocess.run(["pebble-opt", "--help"], check=True, capture_output=True, text=True).stdout
    found, current = {}, None
    for line in text[text.index("\nPasses:\n") :].split("\n"):
        name = re.match(r"  --(pebble-[\w-]+) ", line)
        option = re.match(r"    --([\w-]+)(?:=<.*?>)? +- ", line)
        if name:
            current = found.setdefault(name.group(1), set())
        elif option and current is not None:
            current.add(option.group(1))
    return found


def main():
    pages, known = read_pages(sys.argv[1]), read_help()
    wrong = [f"{name}: {sorted(options)}, and on the page {sorted(pages.get(name, []))}"
             for name, options in known.items()
             if name not in PIPELINES and options != pages.get(name)]
    if wrong or not known:
        print("\n".join(wrong) or "--help lists no passes")
        return 1
    print(f"{len(known)} passes, each with its options")
    return 0


if __name__ == "__main__":
    sys.exit(main())
