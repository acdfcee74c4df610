#!/usr/bin/env python3
"""Follows a page of recipes as somebody new would: by copy and paste.

  newcomer.py PAGE.md [--build=DIR] [--only=WORDS] [--jobs=N]

Each section is a terminal of its own, in a folder of its own that looks like a
clone with a build. What the page says before its first section is run there
first, in another terminal. A terminal knows the programs of the system and
nothing else: a recipe has to set PATH itself. Its blocks are saved as the files
that they name, where they stand, and its commands are pasted into one shell.
Each must end with the status that the page shows. What they print is compared
when the page itself is tested (docexamples.py).
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

from docexamples import Page, parse_blocks, parse_commands

TIMEOUT_S = 600
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def split_sections(text):
    """[(heading, line number, text)]: first what stands before all sections."""
    sections, lines, in_code = [["", 0, []]], text.splitlines(), False
    for number, line in enumerate(lines):
        in_code ^= line.lstrip().startswith("```")
        if not in_code and line.startswith("## "):
            sections.append([line[3:], number, []])
        sections[-1][2].append(line)
    return [(heading, number, "\n".join(body)) for heading, number, body in sections]


def get_status(expected):
    last = re.fullmatch(r"\[exit status: (\d+)\]", expected[-1]) if expected else None
    return int(last.group(1)) if last else 0


def paste(folder, line, text):
    """Failures of one terminal."""
    script, wanted = [], []
    for block in parse_blocks(text):
        if "file" in block.attributes:
            name = block.attributes["file"]
            script.append(f"cat > '{name}' <<'END-OF-FILE'\n{block.text()}END-OF-FILE")
        elif block.language == "console":
            for number, command, expected in parse_commands(block):
                script.append(f'{command}\necho "<status $?>" >&3')
                wanted.append((line + number, command, get_status(expected)))
    done = subprocess.run(
        ["bash", "-c", "exec 3>statuses\n" + "\n".join(script)],
        cwd=folder, timeout=TIMEOUT_S, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={"PATH": SYSTEM_PATH, "HOME": folder, "LANG": "C.UTF-8"},
    )  # fmt: skip
    with open(os.path.join(folder, "statuses")) as f:
        got = [int(status) for status in re.findall(r"<status (\d+)>", f.read())]
    failures = [
        f"line {number}: '{command}' ended with status {status}, not {right}"
        for (number, command, right), status in zip(wanted, got)
        if status != right
    ]
    if len(got) != len(wanted):
        failures.append(f"line {line + 1}: {len(got)} of {len(wanted)} commands ended")
    if failures:
        failures.append(done.stdout[-3000:])
    return len(wanted), failures


def follow(section, start, path, source, build):
    """(commands run, failures) of one section, after the start of the page."""
    scratch = tempfile.mkdtemp(prefix="pebble-newcomer-")
    try:
        Page(path, source, build, scratch)
        _, failures = paste(scratch, 0, start)
        count, more = paste(scratch, section[1], section[2])
        return count, failures + more
    except subprocess.TimeoutExpired:
        return 0, [f"line {section[1] + 1}: ran for over {TIMEOUT_S} s"]
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("page")
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--build", default=os.path.join(source, "build"))
    parser.add_argument("--only", default="", help="sections whose heading has this")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    path = os.path.abspath(args.page)
    with open(path) as f:
        start, *sections = split_sections(f.read())
    sections = [s for s in sections if args.only in s[0] and "```console" in s[2]]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [
            pool.submit(follow, s, start[2], path, source, os.path.abspath(args.build))
            for s in sections
        ]
        for section, run in zip(sections, runs):
            count, failures = run.result()
            print(f"{section[0]}: {count} commands", flush=True)
            print("".join(f"  {failure}\n" for failure in failures), end="")
            failed |= bool(failures)
    return 1 if failed or not sections else 0


if __name__ == "__main__":
    sys.exit(main())
