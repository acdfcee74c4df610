#!/usr/bin/env python3
"""Holds the drivers of one loop for different trip counts against each other.

  shape.py FILE N,N,... OPTIONS [TARGET]

`N` stands for the trip count in the file. Fails unless all drivers are of the
same operations in the same order, in as many lines. Prints how many.
"""

import re
import sys
import tempfile

import loop_runs


def main():
    path, trips, options = sys.argv[1:4]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    shapes = set()
    for steps in trips.split(","):
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/program.mlir"
            with open(program, "w", encoding="utf-8") as out:
                out.write(text.replace("constant N", f"constant {steps}"))
            loop_runs.checkpoint(program, options, program, *sys.argv[4:])
            with open(program, encoding="utf-8") as file:
                # The operation of each line, whatever its values and numbers.
                shapes.add(tuple(re.sub(r"^ *(%[^=]*= )?", "", line).split(" ")[0] for line in file))
    if len(shapes) != 1:
        sys.exit(f"{options}: {len(shapes)} shapes, of {sorted(map(len, shapes))} lines")
    print(f"{options}: {len(shapes.pop())} lines")


main()
