#!/usr/bin/env python3
"""Runs the examples in the documentation; see docs/Testing.md.

As a program: `docexamples.py PAGE.md` runs the fenced blocks of one page in a
scratch folder and compares what they show. As a module: the lit format that
makes one test of every page, those generated from TableGen included.

  ```console    lines `$ command` are run by bash, and the lines below each
                must be its output. `...` alone on a line stands for any lines,
                `...` within a line for any text, `[exit status: N]` as the
                last line for an exit status other than 0.
  ```mlir       must parse and verify; `file=NAME` after `mlir` also keeps the
                block as NAME for the commands after it. `fragment` after it
                says that the block is no whole module: it is not run.
  ```text       with `file=NAME` is kept as NAME for the commands after it.
  ```cpp        and any other language with `from=PATH`: the block must stand
                in that file of the source tree, indentation and blank lines
                aside.

Besides, a link to a file must lead to one, and a link to a heading of a page
too.

Pages do not see each other's files. The scratch folder links to the folders
of the source tree and to the build folder as `build`, so a command reads the
same as in a clone.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

TIMEOUT_S = 300


class Block:
    """A fenced block: its language, its attributes and its lines."""

    def __init__(self, info, line):
        words = info.split()
        self.language = words[0] if words else ""
        self.flags = {w for w in words[1:] if "=" not in w}
        self.attributes = dict(w.split("=", 1) for w in words[1:] if "=" in w)
        self.line = line
        self.lines = []

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def parse_blocks(text):
    """All fenced blocks of a page; a fence may be indented."""
    blocks, block, indent = [], None, 0
    for number, line in enumerate(text.splitlines(), start=1):
        fence = re.match(r"( *)```+(.*)$", line)
        if block is None and fence:
            indent = len(fence.group(1))
            block = Block(fence.group(2), number)
        elif block is not None and fence and not fence.group(2).strip():
            blocks.append(block)
            block = None
        elif block is not None:
            block.lines.append(line[indent:] if not line[:indent].strip() else line)
    if block is not None:
        raise ValueError(f"line {block.line}: the block is never closed")
    return blocks


def parse_commands(block):
    """[(line number, command, expected lines)] of a console block."""
    commands, lines, i = [], block.lines, 0
    while i < len(lines):
        if not lines[i].startswith("$ "):
            raise ValueError(f"line {block.line}: a console block starts with '$ '")
        number, command = block.line + 1 + i, lines[i][2:]
        while command.endswith("\\") and i + 1 < len(lines):
            i += 1
            command = command[:-1] + lines[i].strip()
        i += 1
        start = i
        while i < len(lines) and not lines[i].startswith("$ "):
            i += 1
        expected = lines[start:i]
        while expected and not expected[-1].strip():
            expected.pop()
        commands.append((number, command, expected))
    return commands


def line_pattern(line):
    return ".*".join(re.escape(part) for part in line.rstrip().split("..."))


def matches(expected, actual):
    """Whether lines are as expected, `...` standing for anything."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += line_pattern(line) + r"[ \t]*\n"
    text = "\n".join(line.rstrip() for line in actual).rstrip("\n") + "\n"
    if not actual:
        text = ""
    return re.fullmatch(pattern, text) is not None


def get_headings(path):
    """What links call the headings of a page."""
    with open(path) as f:
        text = f.read()
    code = set()
    for block in parse_blocks(text):
        code.update(range(block.line, block.line + len(block.lines) + 1))
    names = set()
    for number, line in enumerate(text.splitlines(), start=1):
        heading = re.match(r"#+ (.*)", line)
        if heading and number not in code:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
            names.add(re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-"))
    return names


class Page:
    """One page being run."""

    def __init__(self, path, source, build, scratch):
        self.path, self.source, self.build, self.scratch = path, source, build, scratch
        self.failures = []
        self.ran = 0
        for name in os.listdir(source):
            inside = os.path.join(source, name)
            if os.path.isdir(inside) and not name.startswith((".", "build", "install")):
                os.symlink(inside, os.path.join(scratch, name))
        os.symlink(build, os.path.join(scratch, "build"))

    def fail(self, line, what, text=""):
        where = f"{os.path.relpath(self.path, self.source)}:{line}"
        self.failures.append(f"{where}: {what}\n{text}".rstrip("\n") + "\n")

    def shell(self, command):
        """The output lines and exit status of `command`."""
        env = dict(os.environ)
        env["PATH"] = os.path.join(self.build, "bin") + os.pathsep + env["PATH"]
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.scratch, env=env, timeout=TIMEOUT_S,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        return done.stdout.splitlines(), done.returncode

    def run_console(self, block):
        for number, command, expected in parse_commands(block):
            self.ran += 1
            status = 0
            last = re.fullmatch(r"\[exit status: (\d+)\]", expected[-1]) if expected else None
            if last:
                status = int(last.group(1))
                expected = expected[:-1]
            try:
                actual, code = self.shell(command)
            except subprocess.TimeoutExpired:
                self.fail(number, f"'{command}' ran for over {TIMEOUT_S} s")
                continue
            if code != status:
                self.fail(number, f"'{command}' ended with status {code}", "\n".join(actual))
            elif not matches(expected, actual):
                shown = "\n".join(["expected:"] + expected + ["got:"] + actual)
                self.fail(number, f"'{command}' printed something else", shown)

    def run_mlir(self, block):
        if "fragment" in block.flags:
            return
        self.ran += 1
        name = block.attributes.get("file", f"line{block.line}.mlir")
        with open(os.path.join(self.scratch, name), "w") as f:
            f.write(block.text())
        actual, code = self.shell(f"pebble-opt '{name}' -o /dev/null")
        if code:
            self.fail(block.line, "the IR does not parse or verify", "\n".join(actual))

    def compare_source(self, block):
        self.ran += 1
        path = block.attributes["from"]
        try:
            with open(os.path.join(self.source, path)) as f:
                there = [l.strip() for l in f if l.strip()]
        except OSError as error:
            return self.fail(block.line, f"{path}: {error.strerror}")
        here = [l.strip() for l in block.lines if l.strip()]
        windows = range(len(there) - len(here) + 1)
        if not here or not any(there[i : i + len(here)] == here for i in windows):
            self.fail(block.line, f"the block does not stand in {path}")

    def follow_links(self, text):
        code = set()  # lambdas look like links
        for block in parse_blocks(text):
            code.update(range(block.line, block.line + len(block.lines) + 1))
        for number, line in enumerate(text.splitlines(), start=1):
            if number in code:
                continue
            for target, heading in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", line):
                if "://" in target:
                    continue
                there = os.path.join(os.path.dirname(self.path), target) if target else self.path
                if not os.path.exists(there):
                    self.fail(number, f"the link leads nowhere: {target}")
                elif heading and heading not in get_headings(there):
                    self.fail(number, f"the link leads to no heading: {target}#{heading}")

    def run(self):
        with open(self.path) as f:
            text = f.read()
        self.follow_links(text)
        for block in parse_blocks(text):
            if "from" in block.attributes:
                self.compare_source(block)
            elif block.language == "console":
                self.run_console(block)
            elif block.language == "mlir":
                self.run_mlir(block)
            elif "file" in block.attributes:
                with open(os.path.join(self.scratch, block.attributes["file"]), "w") as f:
                    f.write(block.text())
        return self.failures


def run_page(path, source, build):
    """(number of examples run, failures as text) of one page."""
    scratch = tempfile.mkdtemp(prefix="pebble-docs-")
    try:
        page = Page(path, source, build, scratch)
        failures = page.run()
        return page.ran, "".join(failures)
    except ValueError as error:
        return 0, f"{os.path.relpath(path, source)}: {error}\n"
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", nargs="+")
    here = os.path.dirname(os.path.abspath(__file__))
    source = os.path.dirname(os.path.dirname(here))
    parser.add_argument("--source", default=source)
    parser.add_argument("--build", default=os.path.join(source, "build"))
    args = parser.parse_args()
    failed = False
    for path in args.pages:
        ran, failures = run_page(
            os.path.abspath(path), os.path.abspath(args.source), os.path.abspath(args.build)
        )
        print(f"{path}: {ran} examples run")
        if failures:
            failed = True
            print(failures, end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
