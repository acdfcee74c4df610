"""Writes random programs of branches, loops and regions with adjoints, and runs
them as run-modes.py does: as they came, split, joint, and with the least memory.

Usage: run-regions.py [--count=N] [--seed=N] [--keep=DIR]
"""

import argparse
import importlib.util
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
T = "tensor<512xf32>"
STEPS = [("math.sin", "math.cos"), ("math.tanh", "math.exp"), ("math.cos", "math.sin")]


class Writer:
    """One @main: segments, what stands between them, and their adjoints."""

    def __init__(self, rng):
        self.rng = rng
        self.lines, self.back = [], []
        self.number = 0

    def name(self, stem):
        self.number += 1
        return f"%{stem}{self.number}"

    def chain(self, value, steps, indent):
        """Steps on `value`: the lines, the result, and what their adjoints need."""
        lines, tape = [], []
        for _ in range(steps):
            step, slope = self.rng.choice(STEPS)
            argument = value
            if self.rng.random() < 0.3:
                argument = self.name("s")
                lines.append(f"{indent}{argument} = arith.addf {value}, %w : {T}")
            value, saved = self.name("v"), self.name("c")
            lines.append(f"{indent}{value} = {step} {argument} : {T}")
            lines.append(f"{indent}{saved} = {slope} {argument} : {T}")
            tape.append(saved)
        return lines, value, tape

    def adjoint(self, value, tape, indent):
        lines = []
        for saved in reversed(tape):
            old, value = value, self.name("g")
            lines.append(f"{indent}{value} = arith.mulf {old}, {saved} : {T}")
        return lines, value

    def branch(self, value):
        """scf.if: one of both has more steps, and fills up what it need not hand out."""
        rng, condition = self.rng, f"%go{self.rng.randrange(2)}"
        one, y, first = self.chain(value, rng.randint(1, 3), "    ")
        two, z, second = self.chain(value, rng.randint(0, 3), "    ")
        count = max(len(first), len(second))
        pad = lambda tape: tape + [value] * (count - len(tape))
        extra = rng.random() < 0.4
        out, tape = self.name("y"), self.name("t")
        other = self.name("o") if extra else None
        results = f"{out}, {other}, {tape}:{count}" if extra else f"{out}, {tape}:{count}"
        own = 2 if extra else 1
        types = ", ".join([T] * (own + count))
        more = lambda y: [y] + ([y] if extra else [])
        self.lines += [f"  {results} = scf.if {condition} -> ({types}) {{", *one,
                       f"    scf.yield {', '.join(more(y) + pad(first))} : {types}", "  } else {", *two,
                       f"    scf.yield {', '.join(more(z) + pad(second))} : {types}",
                       f"  }} {{pebble.adjoint = {{results = {own} : i64}}}}"]
        saved = [f"{tape}#{i}" for i in range(count)]
        self.saved = saved

        def back(gradient):
            a, g = self.adjoint(gradient, saved[:len(first)], "    ")
            b, h = self.adjoint(gradient, saved[:len(second)], "    ")
            if not len(first) == count:
                g, a = self.use_all(g, saved, a)
            result = self.name("r")
            return [f"  {result} = scf.if {condition} -> {T} {{", *a, f"    scf.yield {g} : {T}", "  } else {", *b,
                    f"    scf.yield {h} : {T}", "  }"], result

        return out, other, back

    def use_all(self, value, saved, lines):
        result = self.name("g")
        return result, lines + [f"    {result} = arith.addf {value}, {saved[-1]} : {T}"]

    def loop(self, value):
        """scf.for or scf.while, with a stack for each step of its body."""
        rng, trips, steps = self.rng, self.rng.randint(0, 4), self.rng.randint(1, 2)
        stack = f"tensor<{max(trips, 1)}x512xf32>"
        v, i, j = self.name("v"), self.name("i"), self.name("i")
        stacks, fulls, empties, tapes = ([self.name(k) for _ in range(steps)] for k in ("st", "ns", "e", "t"))
        body, y, tape = self.chain(v, steps, "    ")
        for old, new, saved in zip(stacks, fulls, tape):
            body.append(f"    {new} = tensor.insert_slice {saved} into {old}[{i}, 0] [1, 512] [1, 1] : {T} into {stack}")
        for empty in empties:
            self.lines.append(f"  {empty} = tensor.empty() : {stack}")
        out, limit, count = self.name("y"), self.name("n"), self.name("k")
        self.lines.append(f"  {limit} = arith.constant {trips} : index")
        pairs = list(zip([v] + stacks, [value] + empties))
        types = ", ".join([T] + [stack] * steps)
        values = ", ".join([y] + fulls)
        isWhile = rng.random() < 0.4
        if isWhile:
            u = [self.name("u") for _ in range(steps + 2)]
            given = ", ".join(f"{a} = {b}" for a, b in list(zip(u, [value] + empties)) + [(u[-1], "%c0")])
            arguments = ", ".join(f"{a}: {t}" for a, t in zip([v] + stacks + [i], [T] + [stack] * steps + ["index"]))
            go = self.name("go")
            self.lines += [
                f"  {', '.join([out] + tapes + [count])} = scf.while ({given}) : ({types}, index) -> ({types}, index) {{",
                f"    {go} = arith.cmpi slt, {u[-1]}, {limit} : index",
                f"    scf.condition({go}) {', '.join(u)} : {types}, index", "  } do {", f"  ^bb0({arguments}):", *body,
                f"    {j} = arith.addi {i}, %c1 : index", f"    scf.yield {values}, {j} : {types}, index",
                "  } attributes {pebble.adjoint = {results = 1 : i64}}"]
        else:
            carried = ", ".join(f"{a} = {b}" for a, b in pairs)
            self.lines += [f"  {', '.join([out] + tapes)} = scf.for {i} = %c0 to {limit} step %c1 iter_args({carried}) -> ({types}) {{",
                           *body, f"    scf.yield {values} : {types}", "  } {pebble.adjoint = {results = 1 : i64}}"]

        def back(gradient):
            g, r, i, k, last = (self.name(x) for x in ("g", "r", "i", "k", "l"))
            lines = [f"  {r} = scf.for {i} = %c0 to {limit} step %c1 iter_args({g} = {gradient}) -> ({T}) {{",
                     f"    {k} = arith.subi {limit}, {i} : index", f"    {last} = arith.subi {k}, %c1 : index"]
            saved = []
            for whole in tapes:
                saved.append(self.name("c"))
                lines.append(f"    {saved[-1]} = tensor.extract_slice {whole}[{last}, 0] [1, 512] [1, 1] : {stack} to {T}")
            more, h = self.adjoint(g, saved, "    ")
            return lines + more + [f"    scf.yield {h} : {T}", "  }"], r

        return out, None, back

    def region(self, value):
        """scf.execute_region, with a branch inside of it or without."""
        before, inner, held = [], None, []
        if self.rng.random() < 0.5:
            outside, self.lines = self.lines, []
            value, _, inner = self.branch(value)
            before, self.lines, held = self.lines, outside, self.saved
        body, y, tape = self.chain(value, self.rng.randint(1, 3), "    ")
        body, tape = before + body, held + tape
        out, saved = self.name("y"), self.name("t")
        types = ", ".join([T] * (1 + len(tape)))
        self.lines += [f"  {out}, {saved}:{len(tape)} = scf.execute_region -> ({types}) {{", *body,
                       f"    scf.yield {', '.join([y] + tape)} : {types}", "  } {pebble.adjoint = {results = 1 : i64}}"]

        def back(gradient):
            names = [f"{saved}#{i}" for i in range(len(tape))]
            lines, g = self.adjoint(gradient, names[len(held):], "    ")
            if inner:
                more, g = inner(g)
                given = dict(zip(held, names))
                lines += [re.sub(r"%\w+#\d+", lambda name: given.get(name[0], name[0]), line) for line in more]
            result = self.name("r")
            return [f"  {result} = scf.execute_region -> {T} {{", *lines, f"    scf.yield {g} : {T}", "  }"], result

        return out, None, back

    def write(self):
        value, backs, seen = "%x", [], []
        for _ in range(self.rng.randint(2, 5)):
            value, other, back = self.rng.choice([self.branch, self.loop, self.region])(value)
            backs.append(back)
            seen += [other] if other else []
            if self.rng.random() < 0.5:
                old, value = value, self.name("b")
                self.lines.append(f"  {value} = arith.addf {old}, %w : {T}")
        gradient = "%d"
        for back in reversed(backs):
            lines, gradient = back(gradient)
            self.lines += lines
        for other in seen:
            old, gradient = gradient, self.name("z")
            self.lines.append(f"  {gradient} = arith.addf {old}, {other} : {T}")
        return "\n".join([
            f"func.func @main(%x: {T}, %w: {T}, %d: {T}, %go0: i1, %go1: i1) -> ({T}, {T}) {{",
            "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index", *self.lines,
            f"  return {value}, {gradient} : {T}, {T}", "}", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep")
    options = parser.parse_args()
    spec = importlib.util.spec_from_file_location("modes", os.path.join(HERE, "run-modes.py"))
    modes = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(modes)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            path = os.path.join(options.keep or folder, f"regions{seed}.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(Writer(random.Random(seed)).write())
            for option in ("mode=split", "mode=joint", "budget=min"):
                if fault := modes.compare(path, option, folder):
                    failed += 1
                    print(f"{path}: {option}: {fault}")
    print(f"{options.count} programs ran, {failed} plans failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
