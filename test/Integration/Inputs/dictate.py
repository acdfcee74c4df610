"""Dictates an order of the sparse-parity step: dictate.py FILE NAME...

Prints FILE with `pebble.order` on the ops named (by location) on the command
line, in that order. Ops that are not named stay free.
"""

import re
import sys

text = open(sys.argv[1]).read()
names = sys.argv[2:]
parts = re.split(r'(linalg\.generic )', text)
for i in range(2, len(parts), 2):
    name = re.search(r'loc\("(\w+)"\)', parts[i]).group(1)
    if name not in names:
        continue
    place = "pebble.order = %d : i64" % names.index(name)
    head, brace, body = parts[i].partition(" {\n")
    if "attrs = {" in head:
        head = head.replace("attrs = {", "attrs = {%s, " % place)
    else:
        head += " attrs = {%s}" % place
    parts[i] = head + brace + body
sys.stdout.write("".join(parts))
