"""Finds lines of prose in Markdown that are longer than 120 characters, and
numbered items of a list that stand within a line and not at its beginning.

usage: wrap.py [--fix] FILE.md...

Tables, code and headings are as long as they are, and so is a word that has no
blank. With --fix the paragraphs that hold such lines are filled anew; nothing
else is touched.
"""

import re
import sys
import textwrap

WIDTH = 120

# A paragraph ends before these; a list item begins one.
ITEM = re.compile(r"( *)([-*+]|\d+\.) +")


def is_prose(line):
    return bool(line.strip()) and not re.match(r" *(\||#|>|<!--|!\[)", line)


def split(lines):
    """Ranges of lines that are one paragraph, or one item of a list."""
    ranges, begin, in_code = [], None, False
    for i, line in enumerate(lines + [""]):
        is_fence = line.lstrip().startswith("```")
        is_end = (in_code or is_fence or not is_prose(line) or i == len(lines))
        if begin is not None and (is_end or ITEM.match(line)):
            ranges.append((begin, i))
            begin = None
        if not is_end and begin is None:
            begin = i
        in_code ^= is_fence
    return ranges


def is_long(line):
    return len(line) > WIDTH and " " in line.strip()


def swallowed(lines):
    """The number of an item of a list that the item before it has swallowed."""
    item = re.match(r" *(\d+)\. ", lines[0])
    after = item and f"{int(item.group(1)) + 1}."
    return after if item and f" {after} " in " ".join(lines) else None


def fill(lines):
    item = ITEM.match(lines[0])
    first = item.group(0) if item else re.match(" *", lines[0]).group(0)
    rest = " " * len(first)
    text = " ".join(line.strip() for line in lines)[len(first.strip()):].strip()
    filled = textwrap.wrap(text, WIDTH, initial_indent=first,
                           subsequent_indent=rest, break_long_words=False,
                           break_on_hyphens=False)
    # A line that begins like an item, or a heading, would become one.
    for line in filled[1:]:
        if not is_prose(line) or ITEM.match(line):
            return lines
    return filled


def run(path, fixes):
    with open(path) as f:
        lines = f.read().split("\n")
    result, done = [], 0
    for begin, end in split(lines):
        result += lines[done:begin]
        paragraph = lines[begin:end]
        done = end
        if swallowed(paragraph):
            print(f"{path}:{begin + 1}: {swallowed(paragraph)} is to begin a line")
            return False
        if any(map(is_long, paragraph)):
            filled = fill(paragraph)
            if not fixes and filled != paragraph:
                number = begin + 1 + [is_long(l) for l in paragraph].index(True)
                print(f"{path}:{number}: longer than {WIDTH} characters")
                return False
            paragraph = filled
        result += paragraph
    result += lines[done:]
    if fixes and result != lines:
        with open(path, "w") as f:
            f.write("\n".join(result))
    return True


if __name__ == "__main__":
    arguments = sys.argv[1:]
    fixes = arguments[:1] == ["--fix"]
    if not all([run(path, fixes) for path in arguments[fixes:]]):
        sys.exit(1)
