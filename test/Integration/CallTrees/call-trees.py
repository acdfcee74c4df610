#!/usr/bin/env python3
"""Writes programs that are trees of calls with adjoints.

    call-trees.py balanced --depth=4        each function calls the one below twice
    call-trees.py chain --depth=20          a long chain of calls, one heavy leaf
    call-trees.py leaves --depth=30         a function that calls many small ones
    call-trees.py diamond --depth=6         functions that share their callees
    call-trees.py random --seed=7           of all kinds, also with several arguments

The forward functions compute sines; the backward ones the gradient. All tapes
are kept as the program comes. `@main` takes a state and the gradient of the
result, and returns the result and the gradient of the state.
"""

import argparse
import random


class Function:
    """A forward function, and its adjoint: own steps and calls, in turn."""

    def __init__(self, name, size):
        self.name, self.size, self.parts = name, size, []
        self.extras = []

    def add_steps(self, count):
        self.parts += ["step"] * count
        return self

    def add_call(self, callee, weighted=False):
        self.parts.append((callee, weighted))
        return self

    def add_extra(self, kind):
        """Something odd on the tape: the argument, the weight, the result, a value
        that is there already, a constant or a number."""
        self.extras.append(kind)
        return self

    def saved(self):
        """Types of the tape: one value a step, the callees' tapes, and extras."""
        types = self.saved_parts()
        return types + ["f32" if kind == "number" else self.tensor() for kind in self.extras]

    def saved_parts(self):
        types = []
        for part in self.parts:
            types += [self.tensor()] if part == "step" else part[0].saved()
        return types

    def tensor(self):
        return f"tensor<{self.size}xf32>"


def write(function, out, attributes=""):
    t, lines, back = function.tensor(), [], []
    state, number, saved, tapes = "%x", 0, [], []
    types = function.saved()
    for part in function.parts:
        number += 1
        if part == "step":
            lines += [f"  %y{number} = math.sin {state} : {t}",
                      f"  %c{number} = math.cos {state} : {t}"]
            back.append(("step", len(saved)))
            saved.append(f"%c{number}")
            state = f"%y{number}"
            continue
        callee, weighted = part
        mine = callee.saved()
        given = state
        if weighted:
            lines.append(f"  %w{number} = arith.mulf {state}, %w : {t}")
            given = f"%w{number}"
        names = [f"%y{number}"] + [f"%t{number}_{i}" for i in range(len(mine))]
        lines.append(f"  {', '.join(names)} = call @{callee.name}({given}, %w) : "
                     f"({t}, {t}) -> ({', '.join([t] + mine)})")
        back.append(("call", callee, len(saved), len(mine), weighted))
        saved += names[1:]
        state = names[0]
    for i, kind in enumerate(function.extras):
        if kind == "constant":
            lines.append(f"  %e{i} = arith.constant dense<0.5> : {t}")
        elif kind == "number":
            lines += [f"  %z{i} = arith.constant 0 : index", f"  %e{i} = tensor.extract %x[%z{i}] : {t}"]
        saved.append({"argument": "%x", "weight": "%w", "result": state, "twice": saved[0] if saved else "%x"}
                     .get(kind, f"%e{i}"))
    returned = ", ".join([state] + saved)
    out.append(f"func.func private @{function.name}(%x: {t}, %w: {t}) -> "
               f"({', '.join([t] + types)}) attributes {{pebble.adjoint = "
               f"{{backward = @{function.name}_back, results = 1 : i64}}{attributes}}} {{")
    out += lines + [f"  return {returned} : {', '.join([t] + types)}", "}"]

    taken = [f"%s{i}" for i in range(len(types))]
    arguments = ", ".join(f"{n}: {k}" for n, k in zip(taken, types))
    arguments += ", " if arguments else ""
    out.append(f"func.func private @{function.name}_back({arguments}%w: {t}, %d: {t}) -> {t} {{")
    gradient = "%d"
    for i, kind in enumerate(function.extras):
        extra = taken[len(types) - len(function.extras) + i]
        if kind == "number":
            out += [f"  %r{i} = tensor.empty() : {t}",
                    f"  %q{i} = linalg.fill ins({extra} : f32) outs(%r{i} : {t}) -> {t}"]
            extra = f"%q{i}"
        out.append(f"  %f{i} = arith.mulf {gradient}, {extra} : {t}")
        gradient = f"%f{i}"
    for i, item in reversed(list(enumerate(back))):
        if item[0] == "step":
            out.append(f"  %g{i} = arith.mulf {gradient}, {taken[item[1]]} : {t}")
            gradient = f"%g{i}"
            continue
        _, callee, first, count, weighted = item
        given = taken[first:first + count] + ["%w", gradient]
        kinds = types[first:first + count] + [t, t]
        out.append(f"  %g{i} = call @{callee.name}_back({', '.join(given)}) : ({', '.join(kinds)}) -> {t}")
        gradient = f"%g{i}"
        if weighted:
            out.append(f"  %h{i} = arith.mulf {gradient}, %w : {t}")
            gradient = f"%h{i}"
    out += [f"  return {gradient} : {t}", "}"]


def write_main(roots, out, donated=False):
    t = roots[0].tensor()
    out.append(f"func.func @main(%x: {t}{' {pebble.donated}' if donated else ''}, %w: {t}, %d: {t}) -> ({t}, {t}) {{")
    state, calls = "%x", []
    for i, root in enumerate(roots):
        types = root.saved()
        names = [f"%y{i}"] + [f"%t{i}_{k}" for k in range(len(types))]
        out.append(f"  {', '.join(names)} = call @{root.name}({state}, %w) : ({t}, {t}) -> ({', '.join([t] + types)})")
        calls.append((root, names[1:], types))
        state = names[0]
    gradient = "%d"
    for i, (root, names, types) in reversed(list(enumerate(calls))):
        out.append(f"  %g{i} = call @{root.name}_back({', '.join(names + ['%w', gradient])}) : "
                   f"({', '.join(types + [t, t])}) -> {t}")
        gradient = f"%g{i}"
    out += [f"  return {state}, {gradient} : {t}, {t}", "}"]


def balanced(depth, size):
    functions = [Function("level0", size).add_steps(4)]
    for level in range(1, depth + 1):
        functions.append(Function(f"level{level}", size)
                         .add_call(functions[-1]).add_call(functions[-1]))
    return functions, functions[-1:]


def chain(depth, size):
    functions = [Function("heavy", size).add_steps(40)]
    for level in range(1, depth + 1):
        functions.append(Function(f"link{level}", size).add_steps(1)
                         .add_call(functions[-1]).add_steps(1))
    return functions, functions[-1:]


def leaves(depth, size):
    leaf = Function("leaf", size).add_steps(1)
    top = Function("top", size)
    for _ in range(depth):
        top.add_call(leaf)
    return [leaf, top], [top]


def diamond(depth, size):
    functions = [Function("a0", size).add_steps(3)]
    below = [functions[0], functions[0]]
    for level in range(1, depth + 1):
        pair = [Function(f"{side}{level}", size).add_steps(1)
                .add_call(below[0]).add_call(below[1]) for side in "ab"]
        functions += pair
        below = pair
    top = Function("top", size).add_call(below[0]).add_call(below[1])
    return functions + [top], [top]


def draw(seed, size):
    rng = random.Random(seed)
    functions, weights = [], []
    for number in range(rng.randint(1, 6)):
        function, weight = Function(f"f{number}", size), 1
        for _ in range(rng.randint(1, 4)):
            if functions and rng.random() < 0.6:
                callee = rng.randrange(len(functions))
                if weight + weights[callee] <= 40:
                    function.add_call(functions[callee], rng.random() < 0.4)
                    weight += weights[callee]
            else:
                function.add_steps(rng.randint(1, 5))
        if not function.saved():
            function.add_steps(1)
        while rng.random() < 0.3:
            function.add_extra(rng.choice(["argument", "weight", "result", "twice", "constant", "number"]))
        functions.append(function)
        weights.append(weight)
    return functions, [rng.choice(functions) for _ in range(rng.randint(1, 3))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["balanced", "chain", "leaves", "diamond", "random"])
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--size", type=int, default=1024, help="elements of a value")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.kind == "random":
        functions, roots = draw(args.seed, args.size)
    else:
        functions, roots = globals()[args.kind](args.depth, args.size)
    out = []
    for function in functions:
        write(function, out)
    write_main(roots, out, donated=args.kind == "random" and args.seed % 3 == 0)
    print("\n".join(out))


if __name__ == "__main__":
    main()
