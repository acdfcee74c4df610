"""Random networks whose backward half needs less than the values it was made of.

  fuzz-forms.py [--seed=1] [--count=100] [--budgets=3] [--keep=DIR]
                [--first=0] [--write=I] [--flags=OPTIONS] [--loop]
                [--compare=build/test/bin/compare-functions]

Layers are rectifiers, clips, dropout, max-pools, rounded numbers and others; their
gradients read a mask, a position or a number again, in a step of its own or inside
of another one. Each program is planned with `derived-forms` and without, for the
least and for a few budgets. With them it costs no more, its results are equal to the
bit, peaks are metered as planned, and `pebble-verify-schedule` has nothing to say,
also after `-cse -canonicalize`.

With `--compare` the equivalence check is asked of each plan whether it is the
program, and of every mistake that is made in one: another threshold, another bit,
the form of another value. It must say yes to the first and no to the others.

With `--loop` each network is the body of a loop, whose block is proven by itself.
`--compare` sees a loop as one step, and does not go with it.
"""

import importlib
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE)
updates = importlib.import_module("fuzz-updates")
Failed, call = updates.Failed, updates.call

ROWS, COLUMNS = 8, 64
FLOAT = f"tensor<{ROWS}x{COLUMNS}xf32>"
MAP = "affine_map<(a, b) -> (a, b)>"


def tensor(element, columns=COLUMNS):
    return f"tensor<{ROWS}x{columns}x{element}>"


class Network:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.lines = []
        value, gradients = "%x", []
        for _ in range(self.random.randint(3, 6)):
            layer = self.random.choice((self.tanh, self.tanh, self.rectify, self.rectify,
                                        self.rectify, self.clip, self.drop, self.pool,
                                        self.round, self.square, self.halve, self.overwrite))
            value, gradient = layer(value)
            gradients.append(gradient)
        self.result = value
        for gradient in reversed(gradients):
            value = gradient(value)
        self.gradient = value

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def make(self, element, inputs, body, more=""):
        """An operation on elements; `inputs` are pairs of a value and its type."""
        name, out = self.name(), tensor(element)
        maps = ", ".join([MAP] * (len(inputs) + 1))
        values = ", ".join(value for value, _ in inputs)
        types = ", ".join(tensor(kind) for _, kind in inputs)
        arguments = ", ".join(f"%i{i}: {kind}" for i, (_, kind) in enumerate(inputs))
        self.lines.append(
            f"{name}e = tensor.empty() : {out}\n  {name} = linalg.generic {{indexing_maps = [{maps}], "
            f"iterator_types = [\"parallel\", \"parallel\"]{more}}} ins({values} : {types}) "
            f"outs({name}e : {out}) {{\n  ^bb0({arguments}, %o: {element}):\n    "
            + "\n    ".join(body) + f"\n  }} -> {out}")
        return name

    def float(self, inputs, *body):
        return self.make("f32", [(value, "f32") for value in inputs], body)

    def tanh(self, x):
        y = self.float([x], "%r = math.tanh %i0 : f32", "linalg.yield %r : f32")
        return y, lambda g: self.float(
            [g, y], "%s = arith.mulf %i1, %i1 : f32", "%t = arith.subf %one, %s : f32",
            "%r = arith.mulf %i0, %t : f32", "linalg.yield %r : f32")

    def square(self, x):
        y = self.float([x], "%r = arith.mulf %i0, %i0 : f32", "linalg.yield %r : f32")
        return y, lambda g: self.float([g, x], "%r = arith.mulf %i0, %i1 : f32",
                                       "linalg.yield %r : f32")

    def choose(self, mask, g, x):
        """`g` where `mask` of `x` holds, the comparison inside or apart."""
        if self.random.random() < 0.5:
            return self.float([x, g], *mask, "%r = arith.select %m, %i1, %zero : f32",
                              "linalg.yield %r : f32")
        bits = self.make("i1", [(x, "f32")], (*mask, "linalg.yield %m : i1"))
        return self.make("f32", [(bits, "i1"), (g, "f32")],
                         ("%r = arith.select %i0, %i1, %zero : f32", "linalg.yield %r : f32"))

    def shift(self, x):
        return self.float([x], "%s = math.tanh %i0 : f32", "%t = math.exp %s : f32",
                          "%r = arith.subf %t, %one : f32", "linalg.yield %r : f32")

    def rectify(self, x):
        v = self.shift(x)
        y = self.float([v], "%r = arith.maximumf %i0, %zero : f32", "linalg.yield %r : f32")
        kind = self.random.choice(("ogt", "oge", "ugt"))
        return y, lambda g: self.choose([f"%m = arith.cmpf {kind}, %i0, %zero : f32"], g, v)

    def clip(self, x):
        v = self.shift(x)
        y = self.float([v], "%s = arith.maximumf %i0, %zero : f32",
                       "%r = arith.minimumf %s, %one : f32", "linalg.yield %r : f32")
        return y, lambda g: self.choose(
            ["%p = arith.cmpf ogt, %i0, %zero : f32", "%q = arith.cmpf olt, %i0, %one : f32",
             "%m = arith.andi %p, %q : i1"], g, v)

    def drop(self, x):
        """A mask of zeros and a number, as others keep it."""
        scale = self.float([x], "%c = arith.cmpf ogt, %i0, %some : f32",
                           "%r = arith.select %c, %zero, %much : f32", "linalg.yield %r : f32")

        def times(value):
            return self.float([value, scale], "%r = arith.mulf %i0, %i1 : f32",
                              "linalg.yield %r : f32")
        return times(x), times

    def round(self, x):
        """Whole numbers of a byte, which are kept as floats."""
        y = self.float([x], "%a = arith.maximumf %i0, %low : f32",
                       "%b = arith.minimumf %a, %one : f32", "%c = arith.mulf %b, %hundred : f32",
                       "%d = arith.fptosi %c : f32 to i8", "%r = arith.sitofp %d : i8 to f32",
                       "linalg.yield %r : f32")
        return y, lambda g: self.float(
            [g, y], "%s = arith.divf %i1, %hundred : f32", "%r = arith.mulf %i0, %s : f32",
            "linalg.yield %r : f32")

    def add_bits(self, value, other, kind):
        """Much of the bits of `other`, made small."""
        cast = ["%b = arith.bitcast %i1 : f32 to i32"] if kind == "f32" else []
        return self.make("f32", [(value, "f32"), (other, kind)], (
            *cast, "%c = arith.constant 13 : i32", f"%u = arith.shrui {'%b' if cast else '%i1'}, %c : i32",
            "%f = arith.uitofp %u : i32 to f32", "%k = arith.constant 1.0e-06 : f32",
            "%m = arith.mulf %f, %k : f32", "%r = arith.addf %i0, %m : f32", "linalg.yield %r : f32"))

    def halve(self, x):
        """NaNs of 16 bits, many of them, in a wider type; only bits are looked at."""
        kind, bits = self.random.choice((("bf16", 0x7F80), ("f16", 0x7C00)))
        half = self.make(kind, [(x, "f32")], (
            "%n = arith.bitcast %i0 : f32 to i32", "%s = arith.trunci %n : i32 to i16",
            f"%k = arith.constant {bits} : i16", "%t = arith.ori %s, %k : i16",
            f"%r = arith.bitcast %t : i16 to {kind}", f"linalg.yield %r : {kind}"))
        wide = self.make("f32", [(half, kind)], (f"%r = arith.extf %i0 : {kind} to f32", "linalg.yield %r : f32"),
                         ", pebble.cost = 1000000")
        return self.add_bits(x, wide, "f32"), lambda g: self.add_bits(g, wide, "f32")

    def overwrite(self, x):
        """A column of zeros in other numbers, and a bit in all of them."""
        whole = self.make("i32", [(x, "f32")], ("%r = arith.bitcast %i0 : f32 to i32", "linalg.yield %r : i32"))
        name, kind = self.name(), tensor("i32")
        maps = self.random.choice((("affine_map<(a) -> (a, 3)>", '"parallel"'), (MAP, '"parallel", "parallel"')))
        self.lines.append(f"""{name}a = linalg.generic {{indexing_maps = [{maps[0]}], iterator_types = [{maps[1]}]}} outs({whole} : {kind}) {{
  ^bb0(%o: i32):
    %r = arith.constant 0 : i32
    linalg.yield %r : i32
  }} -> {kind}
  {name} = linalg.generic {{indexing_maps = [{MAP}], iterator_types = ["parallel", "parallel"], pebble.cost = 1000000}} outs({name}a : {kind}) {{
  ^bb0(%o: i32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %l = arith.constant 1 : i32
    %m = arith.andi %k, %l : i32
    %n = arith.ori %o, %m : i32
    linalg.yield %n : i32
  }} -> {kind}""")
        return self.add_bits(x, name, "i32"), lambda g: self.add_bits(g, name, "i32")

    def pool(self, x):
        """The larger one of each two, and which it was; spread out again."""
        half, name = COLUMNS // 2, self.name()
        small, places = tensor("f32", half), tensor("i32", half)
        self.lines.append(f"""{name}w = tensor.empty() : tensor<2xf32>
  {name}a = tensor.empty() : {small}
  {name}b = tensor.empty() : {places}
  {name}c = linalg.fill ins(%lowest : f32) outs({name}a : {small}) -> {small}
  {name}d = linalg.fill ins(%none : i32) outs({name}b : {places}) -> {places}
  {name}:2 = linalg.generic {{indexing_maps = [affine_map<(a, b, c) -> (a, b * 2 + c)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"]}} ins({x}, {name}w : {FLOAT}, tensor<2xf32>) outs({name}c, {name}d : {small}, {places}) {{
  ^bb0(%i: f32, %w: f32, %o: f32, %p: i32):
    %s = arith.cmpf ogt, %i, %o : f32
    %j = linalg.index 2 : index
    %k = arith.index_cast %j : index to i32
    %t = arith.select %s, %i, %o : f32
    %u = arith.select %s, %k, %p : i32
    linalg.yield %t, %u : f32, i32
  }} -> ({small}, {places})""")

        def spread(value):
            out = self.name()
            self.lines.append(f"""{out}e = tensor.empty() : {FLOAT}
  {out} = linalg.generic {{indexing_maps = [affine_map<(a, b) -> (a, b floordiv 2)>, affine_map<(a, b) -> (a, b floordiv 2)>, {MAP}], iterator_types = ["parallel", "parallel"]}} ins({name}#1, {value} : {places}, {small}) outs({out}e : {FLOAT}) {{
  ^bb0(%p: i32, %i: f32, %o: f32):
    %j = linalg.index 1 : index
    %k = arith.remui %j, %two : index
    %l = arith.index_cast %k : index to i32
    %m = arith.cmpi eq, %l, %p : i32
    %r = arith.select %m, %i, %zero : f32
    linalg.yield %r : f32
  }} -> {FLOAT}""")
            return out

        def gather(value):
            out = self.name()
            self.lines.append(f"""{out}e = tensor.empty() : {small}
  {out} = linalg.generic {{indexing_maps = [affine_map<(a, b) -> (a, b * 2)>, affine_map<(a, b) -> (a, b * 2 + 1)>, {MAP}], iterator_types = ["parallel", "parallel"]}} ins({value}, {value} : {FLOAT}, {FLOAT}) outs({out}e : {small}) {{
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.addf %i, %j : f32
    linalg.yield %r : f32
  }} -> {small}""")
            return out
        return spread(f"{name}#0"), lambda g: spread(gather(g))

    def text(self, loop=False):
        body = "\n  ".join(self.lines)
        floats = {"zero": 0.0, "one": 1.0, "some": 0.125, "much": 1.25, "low": -1.0,
                  "hundred": 100.0, "lowest": -1e30}
        constants = "\n  ".join(f"%{name} = arith.constant {value:e} : f32"
                                for name, value in floats.items())
        if loop:
            body = (f"%begin = arith.constant 0 : index\n  %by = arith.constant 1 : index\n  "
                    f"%last:2 = scf.for %turn = %begin to %two step %by iter_args(%x = %x0, %y = %x0) "
                    f"-> ({FLOAT}, {FLOAT}) {{\n  {body}\n  scf.yield {self.gradient}, {self.result} : "
                    f"{FLOAT}, {FLOAT}\n  }}")
            return (f"func.func @main(%x0: {FLOAT} {{pebble.range = [-2.0, 2.0]}}) -> ({FLOAT}, {FLOAT}) {{\n"
                    f"  {constants}\n  %none = arith.constant -1 : i32\n  %two = arith.constant 2 : index\n"
                    f"  {body}\n  return %last#0, %last#1 : {FLOAT}, {FLOAT}\n}}\n")
        return (f"func.func @main(%x: {FLOAT} {{pebble.range = [-2.0, 2.0]}}) -> ({FLOAT}, {FLOAT}) {{\n"
                f"  {constants}\n  %none = arith.constant -1 : i32\n  %two = arith.constant 2 : index\n"
                f"  {body}\n  return {self.result}, {self.gradient} : {FLOAT}, {FLOAT}\n}}\n")


class Check(updates.Check):
    def __init__(self, folder, flags):
        super().__init__(folder, flags)
        self.paths = [os.path.join(folder, "program.mlir")] * 2

    def planned(self):
        with open(os.path.join(self.folder, "planned-0.mlir"), encoding="utf-8") as file:
            return file.read()

    def derived(self):
        found = re.search(r"derived_values = (\d+)", self.planned())
        return int(found.group(1)) if found else 0

    def compare(self, tool, text):
        path = os.path.join(self.folder, "changed.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        before = os.path.join(self.folder, "before.mlir")
        if not os.path.exists(before):
            call("pebble-opt", self.paths[0], "--pebble-materialize-storage", "-o", before)
        # What the verifier refuses is no program at all.
        done = subprocess.run((tool, before, path), capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 2):
            raise Failed(f"the comparison: status {done.returncode}")
        return done.returncode == 0, done.stdout + done.stderr


def mistakes(text):
    """Changes of a plan that each make it another program, by kind."""
    def replace(found, new):
        return text[:found.start()] + new + text[found.end():]

    for found in re.finditer(r"cmpf (ogt|oge|ugt), ", text):
        yield "other comparison", replace(found, "cmpf olt, ")
    for found in re.finditer(r"(d\d \* [248]) \+ 1\)", text):
        yield "other place", replace(found, f"{found.group(1)})")
    for found in re.finditer(r"constant ([248]) : index\n(?=.*remui)", text):
        yield "other count", replace(found, f"constant {int(found.group(1)) * 2} : index\n")
    for found in re.finditer(r"(\S+ = arith\.shrui %\w+, )(%\w+) : i8", text):
        yield "other bit", replace(
            found, f"%one = arith.constant 1 : i8\n      %other = arith.xori {found.group(2)}, "
            f"%one : i8\n      {found.group(1)}%other : i8")
    # A form of the same type that holds another value.
    packed = re.findall(r"ins\((%\w+) : (tensor<\S*xi8>)\)", text)
    for value, kind in packed:
        for other, other_kind in packed:
            if other != value and kind == other_kind:
                at = text.find(f"ins({value} : {kind})")
                made = text.find(f"{other} = ")
                if 0 <= made < at:
                    yield "other form", text.replace(f"ins({value} : {kind})",
                                                     f"ins({other} : {kind})", 1)


def judge(test, tool, counts, mistakes):
    """Asks `tool` of the plan, and of every one of `mistakes` that is made in it."""
    text = test.planned()
    same, said = test.compare(tool, text)
    if not same:
        raise Failed(f"a plan is said to be another program: {said[:600]}")
    for kind, wrong in mistakes(text):
        same, said = test.compare(tool, wrong)
        counts["mistakes"] += 1
        counts[kind] = counts.get(kind, 0) + 1
        if same:
            raise Failed(f"not found: {kind}")


def compare_plans(test, args, counts, means, words, mistakes):
    """Plans the program of `test` with `means` and without, for the least and for some
    budgets; `words` name the means in what is said."""
    before = test.run(test.paths[0])["results_sha256"]
    least = test.plan(1, "min")
    for i in range(-1, args.budgets):
        budget = "min" if i < 0 else least.extent + (least.input - least.extent) * (
            i + 1) // (args.budgets + 1)
        was = least if i < 0 else test.plan(1, budget)
        plan = test.plan(0, budget, f"{means}=true")
        if not plan:
            raise Failed(f"no plan within {budget} with {words}")
        if i < 0 and plan.extent > was.extent:
            raise Failed(f"at least {plan.extent} bytes with {words}, {was.extent} without")
        if i >= 0 and was and plan.cost > was.cost:
            raise Failed(f"within {budget} bytes {plan.cost} with {words}, {was.cost} without")
        test.execute(plan, before)
        if not test.derived():
            continue
        counts["with"] += 1
        counts["leaner"] += i < 0 and plan.extent < was.extent
        counts["cheaper"] += i >= 0 and (not was or plan.cost < was.cost)
        if args.compare:
            judge(test, args.compare, counts, mistakes)


def check(program, folder, args, counts):
    test = Check(folder, args.flags)
    with open(test.paths[0], "w", encoding="utf-8") as file:
        file.write(program.text(args.loop))
    compare_plans(test, args, counts, "derived-forms", "derived forms", mistakes)


def main():
    parser = updates.get_parser()
    parser.add_argument("--compare")
    parser.add_argument("--loop", action="store_true")
    args = parser.parse_args()
    if args.loop and args.compare:
        parser.error("--compare sees a loop as one step")
    if args.write is not None:
        print(Network(f"{args.seed}/{args.write}").text(args.loop))
        return 0
    counts = dict.fromkeys(("with", "leaner", "cheaper", "mistakes"), 0)
    failed = updates.check_all(args, lambda name, folder: check(Network(name), folder, args, counts))
    print(f"plans with derived forms: {counts['with']}")
    print(f"leaner than without: {counts['leaner']}")
    print(f"budgets at which they are cheaper: {counts['cheaper']}")
    if args.compare:
        print(f"mistakes found: {counts['mistakes']}")
        for kind in sorted(set(counts) - {"with", "leaner", "cheaper", "mistakes"}):
            print(f"  {kind}: {counts[kind]}")
    print(f"{args.count - failed} programs passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
