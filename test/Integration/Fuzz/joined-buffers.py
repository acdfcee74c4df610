"""Whether buffers that may stand for each other have the same sizes in random programs
on memory, whatever their types say.

  joined-buffers.py [--seed=1] [--count=500]

A loop, a branch or a select hands on one of several buffers of a type. Where that type
says `?`, they could be of different sizes, and an index within one of them could be
past the end of another. Fails at a program where they are; runs nothing.
"""

import argparse
import os
import re
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from random_memory_flow import MemoryProgram  # noqa: E402


class Watched(MemoryProgram):
    def __init__(self, seed):
        self.shapes, self.pairs = {}, []
        super().__init__(seed)

    def keep(self, buffer):
        self.shapes[buffer.name] = buffer
        return super().keep(buffer)

    def allocate(self, *arguments, **options):
        buffer = super().allocate(*arguments, **options)
        self.shapes[buffer.name] = buffer
        return buffer

    def like(self, buffer, *arguments):
        other = super().like(buffer, *arguments)
        self.pairs.append((buffer, other))
        return other

    def emit(self, line):
        found = re.search(r"arith\.select %\w+, (%[\w#]+), (%[\w#]+) : memref", line)
        if found:
            self.pairs.append(tuple(self.shapes[name] for name in found.groups()))
        super().emit(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=500)
    options = parser.parse_args()
    pairs = dynamic = wrong = 0
    for index in range(options.count):
        program = Watched(f"{options.seed}-{index}")
        program.text()
        pairs += len(program.pairs)
        dynamic += sum(bool(one.dynamic) for one, _ in program.pairs)
        for one, other in program.pairs:
            if one.shape != other.shape:
                wrong += 1
                print(f"program {options.seed}-{index}: {one.name} of {one.shape} and {other.name} of {other.shape}, "
                      f"both {one.type}")
    print(f"joined buffers: {pairs}, of types that do not say their sizes: {dynamic}, of different sizes: {wrong}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
