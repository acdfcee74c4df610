#!/usr/bin/env python3
"""Runs the tables of a page of messages.

  messages.py PAGE.md [--build=DIR]

A row is `command`, `message`, what to do. The command must print the message,
in which `...` stands for any text within a line; an error must end with status
1, a warning with 0; and what is printed must be short. The files of the page
are there, and its console blocks have run.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

from docexamples import Page, line_pattern, parse_blocks

MOST_LINES = 60


def parse_rows(text):
    """[(line number, command, message, advice)] of the tables."""
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        row = re.fullmatch(r"\| `(.*?)` \| `(.*)` \| (.+) \|", line)
        if row:
            rows.append((number, *row.groups()))
        elif line.startswith("| `"):
            raise ValueError(f"line {number}: not a row of command, message and advice")
    return rows


def check(page, command, message):
    """What is wrong with a row; empty: nothing."""
    try:
        lines, status = page.shell(command)
    except subprocess.TimeoutExpired:
        return "does not end"
    wanted = 0 if message.startswith("warning:") else 1
    if status != wanted:
        return f"ends with status {status}, not {wanted}: {lines[:5]}"
    if not any(re.search(line_pattern(message), line) for line in lines):
        return "says something else:\n  " + "\n  ".join(lines[:10])
    if len(lines) > MOST_LINES:
        return f"says {len(lines)} lines"
    if any("nternal error" in line for line in lines):
        return "says that it is an internal error"
    return ""


def run(path, source, build, scratch):
    """(number of rows, failures)."""
    with open(path) as f:
        text = f.read()
    page = Page(path, source, build, scratch)
    for block in parse_blocks(text):
        if "file" in block.attributes:
            with open(os.path.join(scratch, block.attributes["file"]), "w") as f:
                f.write(block.text())
    for block in parse_blocks(text):
        if block.language == "console":
            page.run_console(block)
    failures = list(page.failures)
    rows = parse_rows(text)
    for number, command, message, _ in rows:
        wrong = check(page, command, message)
        if wrong:
            failures.append(f"{os.path.basename(path)}:{number}: '{command}' {wrong}\n")
    return len(rows), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("page")
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--build", default=os.path.join(source, "build"))
    args = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix="pebble-messages-")
    try:
        rows, failures = run(os.path.abspath(args.page), source, os.path.abspath(args.build), scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{rows} messages")
    print("".join(failures), end="")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
