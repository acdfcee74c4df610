#!/usr/bin/env python3
"""Finds sentences of prose that a reader in a hurry has to read twice.

usage: plain.py FILE.md...

A sentence must not begin with a relative clause as its subject ("What is left
is ..."), and must not be longer than 60 words. Questions, tables and code are
left alone.
"""

import re
import sys

from wrap import split

MOST_WORDS = 45
CLAUSE = re.compile(r"(What|Who|Whoever|Whatever) [a-z`]")


def sentences(text):
    """(sentence, its end) of a paragraph, marks of lists and code left out."""
    text = re.sub(r"^ *([-*+]|\d+\.) +", "", text)
    text = " ".join(re.sub(r"`[^`]*`", "`x`", text).split())
    text = re.sub(r"\]\([^)]*\)", "]", text)
    parts = re.split(r"([.?!])(?:\*\*)?(?:\)|\")?(?= |$)", text)
    return zip(parts[0::2], parts[1::2] + [""])


def find(lines):
    """[(line number, what is wrong)]."""
    found = []
    for begin, end in split(lines):
        for sentence, mark in sentences(" ".join(lines[begin:end])):
            sentence = sentence.strip(" *(")
            if mark == "?":
                continue
            # Labels are no sentences, and neither are formulas.
            if len(sentence.split()) < 6 or lines[begin].startswith("    "):
                continue
            if CLAUSE.match(sentence):
                found.append((begin + 1, f"a clause as the subject: {sentence[:60]}"))
            elif len(sentence.split()) > MOST_WORDS:
                found.append((begin + 1, f"more than {MOST_WORDS} words: {sentence[:60]}"))
    return found


if __name__ == "__main__":
    failed = False
    for path in sys.argv[1:]:
        with open(path) as f:
            for number, wrong in find(f.read().split("\n")):
                print(f"{path}:{number}: {wrong}")
                failed = True
    sys.exit(1 if failed else 0)
