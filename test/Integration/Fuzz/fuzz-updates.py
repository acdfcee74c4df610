"""Random programs in two forms: with updates in place, and without.

  fuzz-updates.py [--seed=1] [--count=100] [--budgets=3] [--keep=DIR]
                  [--first=0] [--write=I] [--flags=OPTIONS]

Both forms compute the same. In the one an operation overwrites a tensor that
others have read and nobody reads any more; in the other it writes a tensor of
its own, a copy first if the operation leaves some of what was there. A backward
half reads the versions that are left, the last one first.

Asked for the least, the first form takes no more than the second one. At each of
a few budgets between that and the peak of the second form, the first one has a
schedule that costs no more (copies are among the costs of the second). Results
are equal to the bit, peaks are metered as planned, and `pebble-verify-schedule`
has nothing to say, also after `-cse -canonicalize`.

Counts the programs for which the first form, if it had to stay as it is
(`out-of-place=false`), would need more than the least of the second, and those
with updates that the plan has out of place.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

N = 16
WIDE, NARROW = f"tensor<{N}x{N}xf32>", f"tensor<{N}xf32>"
ROW = f"tensor<1x{N}xf32>"


class Failed(Exception):
    pass


class Program:
    """The same lines in both forms, but for updates."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.lines = ([], [])
        self.narrow = ["%x"]
        # Wide tensors that nobody has overwritten yet.
        self.wide = []
        self.updates = 0
        for _ in range(self.random.randint(2, 4)):
            self.forward()
        self.backward()

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def both(self, line):
        for lines in self.lines:
            lines.append(line)

    def fill(self, shape):
        name = self.name()
        empty = "%w" if shape == WIDE else "%n"
        self.both(f"{name} = linalg.fill ins(%zero : f32) outs({empty} : {shape}) -> {shape}")
        return name

    def reduce(self, wide):
        name, start = self.name(), self.fill(NARROW)
        dim = self.random.randint(0, 1)
        op = self.random.choice(("addf", "maximumf"))
        self.both(f"{name} = linalg.reduce {{arith.{op}}} ins({wide} : {WIDE}) "
                  f"outs({start} : {NARROW}) dimensions = [{dim}]")
        return self.squash(name)

    def squash(self, narrow):
        name = self.name()
        self.both(f"{name} = linalg.tanh ins({narrow} : {NARROW}) outs(%n : {NARROW}) -> {NARROW}")
        return name

    def add(self, one, other):
        name = self.name()
        self.both(f"{name} = linalg.add ins({one}, {other} : {NARROW}, {NARROW}) "
                  f"outs(%n : {NARROW}) -> {NARROW}")
        return name

    def product(self, wide, narrow):
        name, start = self.name(), self.fill(NARROW)
        self.both(f"{name} = linalg.matvec ins({wide}, {narrow} : {WIDE}, {NARROW}) "
                  f"outs({start} : {NARROW}) -> {NARROW}")
        return self.squash(name)

    def update(self, old):
        """A new version of the wide tensor `old`, which is gone then."""
        kind = self.random.choice(("unary", "unary", "binary", "row", "accumulate"))
        new = self.name()
        self.updates += 1
        copied = new + "c"
        if kind == "unary":
            op = self.random.choice(("tanh", "negf", "abs"))
            ways = [f"{new} = linalg.{op} ins({old} : {WIDE}) outs({{}} : {WIDE}) -> {WIDE}"]
        elif kind == "binary":
            others = [value for value in self.wide if value != old] or [old]
            other = self.random.choice(others)
            ways = [f"{new} = linalg.max ins({old}, {other} : {WIDE}, {WIDE}) "
                    f"outs({{}} : {WIDE}) -> {WIDE}"]
        elif kind == "row":
            row = self.random.choice(self.narrow)
            at = self.random.randint(0, N - 1)
            ways = [f"{new} = tensor.insert_slice {row} into {{}}[{at}, 0] [1, {N}] [1, 1] : "
                    f"{NARROW} into {WIDE}"]
        else:
            row = self.random.choice(self.narrow)
            ways = [f"{new} = linalg.generic {{{{indexing_maps = [affine_map<(a, b) -> (b)>, "
                    f"affine_map<(a, b) -> (a, b)>], iterator_types = [\"parallel\", \"parallel\"]}}}} "
                    f"ins({row} : {NARROW}) outs({{}} : {WIDE}) {{{{ ^bb0(%s: f32, %o: f32): "
                    f"%t = arith.addf %s, %o : f32 linalg.yield %t : f32 }}}} -> {WIDE}"]
        in_place, apart = self.lines
        in_place.append(ways[0].format(old))
        if kind in ("unary", "binary"):
            apart.append(ways[0].format("%w"))
        else:
            apart.append(f"{copied} = bufferization.alloc_tensor() copy({old}) : {WIDE}")
            apart.append(ways[0].format(copied))
        return new

    def forward(self):
        wide = self.name()
        source = self.narrow[-1]
        self.both(f"{wide} = linalg.broadcast ins({source} : {NARROW}) outs(%w : {WIDE}) "
                  f"dimensions = [{self.random.randint(0, 1)}]")
        self.wide.append(wide)
        sums = [source]
        for _ in range(self.random.randint(1, 2)):
            at = self.random.choice([len(self.wide) - 1, len(self.wide) - 1,
                                     self.random.randrange(len(self.wide))])
            if self.random.random() < 0.8:
                sums.append(self.reduce(self.wide[at]))
                self.narrow.append(sums[-1])
            if self.random.random() < 0.8:
                self.wide[at] = self.update(self.wide[at])
        sums.append(self.reduce(self.wide[-1]))
        self.narrow.append(self.add(self.random.choice(sums), sums[-1]))

    def backward(self):
        gradient = self.narrow[-1]
        for wide in reversed(self.wide):
            gradient = self.product(wide, gradient)
        self.result = gradient

    def text(self, form):
        body = "\n  ".join(self.lines[form])
        return (f"func.func @main(%x: {NARROW} {{pebble.range = [-1.0, 1.0]}}) -> {NARROW} {{\n"
                f"  %zero = arith.constant 0.0 : f32\n"
                f"  %w = tensor.empty() : {WIDE}\n  %n = tensor.empty() : {NARROW}\n"
                f"  {body}\n  return {self.result} : {NARROW}\n}}\n")


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          timeout=600)
    if done.returncode < 0 or done.returncode > 1:
        raise Failed(f"{' '.join(command)}: status {done.returncode}")
    return done


class Plan:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found = re.search(r"pebble\.result = \{([^{}]*(?:\{[^{}]*\})?[^{}]*)\}", text)
        numbers = dict(re.findall(r"(\w+) = (-?\d+) : i64", found.group(1)))
        self.cost = int(numbers["cost"])
        self.bound = int(numbers["bound"])
        self.peak = int(numbers["peak_bytes"])
        self.input = int(numbers["input_peak_bytes"])
        self.extent = int(numbers.get("extent_bytes", self.peak))
        self.once = int(numbers["once_cost"])
        self.out_of_place = int(numbers.get("out_of_place_values", 0))


class Check:
    def __init__(self, folder, flags):
        self.folder, self.flags = folder, flags
        self.paths = [os.path.join(folder, f"{name}.mlir") for name in ("in-place", "apart")]

    def plan(self, form, budget, *more):
        target = os.path.join(self.folder, f"planned-{form}.mlir")
        options = " ".join((f"budget={budget}", self.flags) + more)
        done = call("pebble-opt", "--quiet", self.paths[form],
                    f"--pebble-schedule={options}", "-o", target)
        if done.returncode == 0:
            return Plan(target)
        if "schedule" not in done.stderr or "internal" in done.stderr:
            raise Failed(f"planning for {budget}: {done.stderr[:600]}")
        return None

    def run(self, path):
        report = path + ".json"
        done = call("pebble-run", path, "--opt-level=0", "--seed=7", "--poison", f"--json={report}")
        if done.returncode:
            raise Failed(f"{path}: {done.stderr[:600]}")
        with open(report, encoding="utf-8") as file:
            return json.load(file)

    def execute(self, plan, before):
        planned = os.path.join(self.folder, "planned-0.mlir")
        cleaned = os.path.join(self.folder, "cleaned.mlir")
        for command in ((planned, "--pebble-verify-schedule", "-o", "/dev/null"),
                        (planned, "-cse", "-canonicalize", "--pebble-verify-schedule",
                         "-o", cleaned)):
            done = call("pebble-opt", *command)
            if done.returncode:
                raise Failed(f"the judge: {done.stderr[:600]}")
        for path in (planned, cleaned):
            after = self.run(path)
            if after["results_sha256"] != before:
                raise Failed(f"{path}: other results")
            if after["peak_bytes"] != after["predicted_peak_bytes"]:
                raise Failed(f"{path}: predicted {after['predicted_peak_bytes']}, "
                             f"metered {after['peak_bytes']}")
            if path == planned and after["peak_bytes"]["default"] != plan.peak:
                raise Failed(f"planned {plan.peak}, metered {after['peak_bytes']}")


def check(program, folder, budgets, flags, counts):
    test = Check(folder, flags)
    for form, path in enumerate(test.paths):
        with open(path, "w", encoding="utf-8") as file:
            file.write(program.text(form))
    before = test.run(test.paths[0])["results_sha256"]
    if before != test.run(test.paths[1])["results_sha256"]:
        raise Failed("the forms differ")
    apart, least = test.plan(1, "min"), test.plan(0, "min")
    if least.extent > apart.extent:
        raise Failed(f"in place takes at least {least.extent} bytes, apart {apart.extent}")
    test.execute(least, before)
    counts["leaner"] += least.extent < apart.extent
    stays = test.plan(0, "min", "out-of-place=false")
    counts["lifted"] += stays.extent > apart.extent
    moved = least.out_of_place > 0
    for i in range(budgets):
        budget = apart.extent + (apart.input - apart.extent) * i // max(1, budgets)
        one, other = test.plan(0, budget), test.plan(1, budget)
        if not other:
            continue
        if not one or one.cost > other.cost:
            raise Failed(f"within {budget} bytes in place costs {one and one.cost}, "
                         f"apart {other.cost}")
        if one.bound > one.cost:
            raise Failed(f"a bound of {one.bound}, a cost of {one.cost}")
        test.execute(one, before)
        moved |= one.out_of_place > 0
        was = test.plan(0, budget, "out-of-place=false")
        if was and was.cost < one.cost:
            raise Failed(f"within {budget} bytes the choice makes {one.cost} of {was.cost}")
        counts["cheaper"] += not was or one.cost < was.cost
    counts["moved"] += moved


def get_parser():
    """The options of fuzzers that check programs one by one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--budgets", type=int, default=3)
    parser.add_argument("--keep")
    parser.add_argument("--write", type=int)
    parser.add_argument("--flags", default="")
    return parser


def check_all(args, check_one):
    """Calls check_one(name, folder) for each program; returns how many failed."""
    failed = 0
    for i in range(args.first, args.first + args.count):
        folder = tempfile.mkdtemp()
        try:
            check_one(f"{args.seed}/{i}", folder)
        except Failed as error:
            failed += 1
            print(f"program {i}: {error}")
            if args.keep:
                shutil.copytree(folder, os.path.join(args.keep, str(i)), dirs_exist_ok=True)
        shutil.rmtree(folder)
    return failed


def main():
    args = get_parser().parse_args()
    if args.write is not None:
        program = Program(f"{args.seed}/{args.write}")
        print(program.text(0))
        print(program.text(1))
        return 0
    counts = dict.fromkeys(("lifted", "leaner", "cheaper", "moved"), 0)
    failed = check_all(args, lambda name, folder: check(
        Program(name), folder, args.budgets, args.flags, counts))
    print(f"needs more if it stays as it is: {counts['lifted']}")
    print(f"leaner than the form without updates: {counts['leaner']}")
    print(f"budgets at which the choice is cheaper: {counts['cheaper']}")
    print(f"with updates out of place: {counts['moved']}")
    print(f"{args.count - failed} programs passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
