"""Derived forms and inversion in the bodies of loops and branches, and mutants of them.

  fuzz-bodies.py [--seed=1] [--count=100] [--budgets=3] [--keep=DIR]
                 [--first=0] [--write=I] [--flags=OPTIONS]
                 [--tool=build/test/bin/mutate-programs] [--mutants=40]

A network of fuzz-forms.py, or a program of fuzz-inverses.py, is the body of a loop, of
a loop in a loop, of a branch or two cases of a switch in a loop, or of a `while`. Each
is planned with forms and inversion for the least and for a few budgets. Results are
equal to the bit, peaks are metered as planned, and `pebble-verify-schedule` has nothing
to say, also after `-cse -canonicalize`.

With `--tool` random changes are made in each plan that has forms, in its bodies too.
Whatever the equivalence check accepts must give the results of the plan.
"""

import glob
import importlib
import json
import os
import random
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE)
forms = importlib.import_module("fuzz-forms")
inverses = importlib.import_module("fuzz-inverses")
updates = forms.updates
Failed, call = updates.Failed, updates.call

FLAGS = "derived-forms=true inversion=true"
FLOATS = {"zero": 0.0, "one": 1.0, "some": 0.125, "much": 1.25, "low": -1.0, "hundred": 100.0, "lowest": -1e30}
KINDS = ("loop", "loops", "branch", "switch", "while")


def rename(text, names):
    for old, new in names.items():
        text = re.sub(rf"%{old}\b", f"%{new}", text)
    return text


class Program:
    """A body, which makes two tensors of two, %xa and %xb, and what stands around it."""

    def __init__(self, seed):
        chance = random.Random(f"bodies-{seed}")
        self.kind = chance.choice(KINDS)
        if chance.random() < 0.5:
            made, self.type, self.range = forms.Network(seed), forms.FLOAT, "[-2.0, 2.0]"
            names, results = {"x": "xa"}, (made.gradient, made.result)
            self.constants = [f"%{name} = arith.constant {value:e} : f32" for name, value in FLOATS.items()]
            self.constants.append("%none = arith.constant -1 : i32")
        else:
            made, self.type, self.range = inverses.Program(seed), inverses.TENSOR, "[-1000, 1000]"
            names, results = {"x": "xa", "k": "xb"}, (made.result, made.last)
            self.constants = ["%odd = arith.constant 77 : i32", "%three = arith.constant 3 : i32"]
        self.constants += [f"%{name} = arith.constant {value} : index"
                           for name, value in (("begin", 0), ("by", 1), ("two", 2), ("last", 3))]
        self.body = rename("\n  ".join(made.lines), names)
        self.results = [rename(value, names) for value in results]

    def end(self, one, other):
        return f"scf.yield {one}, {other} : {self.type}, {self.type}"

    def loop(self, results, counter, first, body, times="last"):
        return (f"{results}:2 = scf.for {counter} = %begin to %{times} step %by iter_args(%xa = {first[0]}, "
                f"%xb = {first[1]}) -> ({self.type}, {self.type}) {{\n  {body}\n  }}")

    def inside(self):
        """What the outermost loop does."""
        whole = f"{self.body}\n  {self.end(*self.results)}"
        kept = self.end("%xb", "%xa")
        if self.kind == "loops":
            inner = rename(whole, {"xa": "xc", "xb": "xd"})
            inner = self.loop("%in", "%inner", ("%xa", "%xb"), inner, "two").replace("(%xa =", "(%xc =").replace("%xb =", "%xd =")
            return f"{inner}\n  {self.end('%in#1', '%in#0')}"
        if self.kind == "branch":
            return ("%odd_turn = arith.remui %turn, %two : index\n  %is = arith.cmpi eq, %odd_turn, %begin : index\n  "
                    f"%in:2 = scf.if %is -> ({self.type}, {self.type}) {{\n  {whole}\n  }} else {{\n  {kept}\n  }}\n  "
                    f"{self.end('%in#0', '%in#1')}")
        if self.kind == "switch":
            other = f"{self.body}\n  {self.end(*reversed(self.results))}"
            return (f"%in:2 = scf.index_switch %turn -> {self.type}, {self.type}\n  case 0 {{\n  {whole}\n  }}\n  "
                    f"case 1 {{\n  {kept}\n  }}\n  default {{\n  {other}\n  }}\n  {self.end('%in#0', '%in#1')}")
        return whole

    def run(self):
        if self.kind != "while":
            return self.loop("%r", "%turn", ("%x0", "%k0"), self.inside())
        types = f"{self.type}, {self.type}, index"
        return (f"%r:3 = scf.while (%xa = %x0, %xb = %k0, %turn = %begin) : ({types}) -> ({types}) {{\n"
                "    %go = arith.cmpi ult, %turn, %last : index\n"
                f"    scf.condition(%go) %xa, %xb, %turn : {types}\n  }} do {{\n"
                f"  ^bb0(%xa: {self.type}, %xb: {self.type}, %turn: index):\n  {self.body}\n"
                "    %next = arith.addi %turn, %by : index\n"
                f"    scf.yield {', '.join(self.results)}, %next : {types}\n  }}")

    def text(self):
        argument = f"{self.type} {{pebble.range = {self.range}}}"
        return (f"func.func @main(%x0: {argument}, %k0: {argument}) -> ({self.type}, {self.type}) {{\n  "
                + "\n  ".join([*self.constants, self.run()])
                + f"\n  return %r#0, %r#1 : {self.type}, {self.type}\n}}\n")


def try_mutants(test, args, before, counts):
    accepted = os.path.join(test.folder, "accepted")
    shutil.rmtree(accepted, ignore_errors=True)
    os.mkdir(accepted)
    done = call(args.tool, os.path.join(test.folder, "planned-0.mlir"), f"--count={args.mutants}",
                f"--seed={counts['with']}", f"--accepted={accepted}")
    if done.returncode:
        raise Failed(f"mutants: {done.stderr[:600]}")
    counts["mutants"] += args.mutants
    for path in sorted(glob.glob(os.path.join(accepted, "*.mlir"))):
        counts["accepted"] += 1
        report = path + ".json"
        done = call("pebble-run", path, "--opt-level=0", "--seed=7", "--poison", f"--json={report}")
        if done.returncode:
            raise Failed(f"{path} is accepted: {done.stderr[:600]}")
        with open(report, encoding="utf-8") as file:
            if json.load(file)["results_sha256"] != before:
                raise Failed(f"{path} is accepted, and gives other results")


def check(program, folder, args, counts):
    test = forms.Check(folder, args.flags)
    with open(test.paths[0], "w", encoding="utf-8") as file:
        file.write(program.text())
    before = test.run(test.paths[0])["results_sha256"]
    least = test.plan(0, "min", FLAGS)
    for i in range(-1, args.budgets):
        budget = least.extent if i < 0 else least.extent + (least.input - least.extent) * (2 * i + 1) // (
            2 * args.budgets)
        plan = least if i < 0 else test.plan(0, budget, FLAGS)
        if not plan:
            raise Failed(f"no plan within {budget} bytes")
        test.execute(plan, before)
        if test.derived():
            counts["with"] += 1
            counts[program.kind] = counts.get(program.kind, 0) + 1
            if args.tool:
                try_mutants(test, args, before, counts)


def main():
    parser = updates.get_parser()
    parser.add_argument("--tool")
    parser.add_argument("--mutants", type=int, default=40)
    args = parser.parse_args()
    if args.write is not None:
        print(Program(f"{args.seed}/{args.write}").text())
        return 0
    counts = dict.fromkeys(("with", "mutants", "accepted"), 0)
    failed = updates.check_all(args, lambda name, folder: check(Program(name), folder, args, counts))
    print(f"plans with forms or inverses: {counts['with']}")
    for kind in KINDS:
        print(f"  {kind}: {counts.get(kind, 0)}")
    if args.tool:
        print(f"mutants: {counts['mutants']}, accepted {counts['accepted']}")
    print(f"{args.count - failed} programs passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
