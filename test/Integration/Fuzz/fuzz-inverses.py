"""Random programs on whole numbers, many steps of which can be undone.

  fuzz-inverses.py [--seed=1] [--count=100] [--budgets=3] [--keep=DIR]
                   [--first=0] [--write=I] [--flags=OPTIONS]
                   [--compare=build/test/bin/compare-functions]

Steps add, subtract, exchange bits, multiply by odd numbers, transpose and widen, one
at a time or several in one payload; some cannot be undone. What they made is read
again from the last to the first. Each program is planned with `inversion` and without,
for the least and for a few budgets. With it it costs no more, its results are equal to
the bit, peaks are metered as planned, and `pebble-verify-schedule` has nothing to say,
also after `-cse -canonicalize`. `pebble-run --check-inverses` finds nothing wrong.

With `--compare` the equivalence check is asked of each plan whether it is the
program, and of every mistake that is made in one: another operation, other maps,
another operand. It must say yes to the first and no to the others.
"""

import importlib
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE)
forms = importlib.import_module("fuzz-forms")
updates = forms.updates
Failed, call = updates.Failed, updates.call

SIDE = 24
TENSOR = f"tensor<{SIDE}x{SIDE}xi32>"
SAME, SWAP = "affine_map<(a, b) -> (a, b)>", "affine_map<(a, b) -> (b, a)>"


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.count = [], 0
        self.made = ["%x", "%k"]
        for _ in range(self.random.randint(4, 9)):
            self.made.append(self.step())
        self.result = self.made[-1]
        value = self.result
        for late in reversed(self.made[2:]):
            if self.random.random() < 0.8:
                value = self.make([value, late, "%k"], self.maps(3, 0), (
                    "%s = arith.muli %i0, %i1 : i32", "%r = arith.addi %s, %i2 : i32"))
        self.last = value

    def make(self, inputs, maps, body):
        self.count += 1
        name = f"%v{self.count}"
        maps = ", ".join(maps + [SAME])
        types = ", ".join([TENSOR] * len(inputs))
        arguments = ", ".join(f"%i{i}: i32" for i in range(len(inputs)))
        self.lines.append(
            f"{name}e = tensor.empty() : {TENSOR}\n  {name} = linalg.generic {{indexing_maps = [{maps}], "
            f"iterator_types = [\"parallel\", \"parallel\"], pebble.name = \"{name[1:]}\"}} ins({', '.join(inputs)} : {types}) "
            f"outs({name}e : {TENSOR}) {{\n  ^bb0({arguments}, %o: i32):\n    "
            + "\n    ".join(body) + f"\n    linalg.yield %r : i32\n  }} -> {TENSOR}")
        return name

    def maps(self, count, swapped=0.3):
        return [SWAP if self.random.random() < swapped else SAME for _ in range(count)]

    def step(self):
        """The last value, changed by another one."""
        last, other = self.made[-1], self.random.choice(self.made[:-1])
        kind = self.random.choice(("addi", "subi", "xori", "sub", "odd", "round", "lost"))
        body = {
            "sub": ["%r = arith.subi %i1, %i0 : i32"],
            "odd": ["%p = arith.muli %i0, %odd : i32", "%r = arith.xori %p, %i1 : i32"],
            "round": ["%p = arith.shrui %i1, %three : i32", "%q = arith.muli %p, %i1 : i32",
                      "%r = arith.addi %i0, %q : i32"],
            "lost": ["%r = arith.muli %i0, %i1 : i32"],
        }.get(kind, [f"%r = arith.{kind} %i0, %i1 : i32"])
        return self.make([last, other], self.maps(2), body)

    def text(self):
        body = "\n  ".join(self.lines)
        return (f"func.func @main(%x: {TENSOR} {{pebble.range = [-1000, 1000]}}, "
                f"%k: {TENSOR} {{pebble.range = [-1000, 1000]}}) -> ({TENSOR}, {TENSOR}) {{\n"
                "  %odd = arith.constant 77 : i32\n  %three = arith.constant 3 : i32\n"
                f"  {body}\n  return {self.result}, {self.last} : {TENSOR}, {TENSOR}\n}}\n")


def find_inverses(text):
    """Where the steps stand that the program did not have: those without a name."""
    for found in re.finditer(r"linalg\.generic .*?linalg\.yield[^\n]*", text, re.S):
        if "pebble.name" not in found.group():
            yield found


def mistakes(text):
    """Changes of what gives values back, by kind."""
    for found in find_inverses(text):
        def replace(new, found=found):
            return text[:found.start()] + new + text[found.end():]
        step = found.group()
        for one, other in (("subi", "addi"), ("addi", "subi"), ("xori", "addi")):
            if f"arith.{one} " in step:
                yield "other operation", replace(step.replace(f"arith.{one} ", f"arith.{other} ", 1))
        inputs = re.search(r"ins\((%\w+), (%\w+) :", step)
        if inputs and inputs.group(1) != inputs.group(2):
            yield "other operand", replace(
                step.replace(inputs.group(), f"ins({inputs.group(1)}, {inputs.group(1)} :", 1))


def check(program, folder, args, counts):
    test = forms.Check(folder, args.flags)
    with open(test.paths[0], "w", encoding="utf-8") as file:
        file.write(program.text())
    if call("pebble-run", test.paths[0], "--check-inverses", "--quiet").returncode:
        raise Failed("a step is not undone")
    forms.compare_plans(test, args, counts, "inversion", "inversion", mistakes)


def main():
    parser = updates.get_parser()
    parser.add_argument("--compare")
    args = parser.parse_args()
    if args.write is not None:
        print(Program(f"{args.seed}/{args.write}").text())
        return 0
    counts = dict.fromkeys(("with", "leaner", "cheaper", "mistakes"), 0)
    failed = updates.check_all(args, lambda name, folder: check(Program(name), folder, args, counts))
    print(f"plans with inversion: {counts['with']}")
    print(f"leaner than without: {counts['leaner']}")
    print(f"budgets at which they are cheaper: {counts['cheaper']}")
    if args.compare:
        print(f"mistakes found: {counts['mistakes']}")
    print(f"{args.count - failed} programs passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
