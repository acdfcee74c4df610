"""Random programs that work through calls, for mutants of the proof that runs through calls.

Functions take buffers, tensors and numbers, and call each other: with one buffer twice,
with parts of buffers, in branches and loops. They write globals, assert, divide behind
an assertion, make and free buffers of known and unknown size, hand buffers back, show
tensors as buffers and buffers as tensors, and call functions of several blocks.
"""

import random

M, T, D, S = "memref<8xf32>", "tensor<8xf32>", "memref<?xf32>", "memref<4xf32, strided<[1], offset: ?>>"

FIXED = f"""
memref.global "private" @state : {M} = dense<1.0>
memref.global "private" @other : {M} = dense<2.0>
memref.global "private" constant @fixed : {M} = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>
func.func private @pick(%c: i1, %m: {M}, %v: f32) -> f32 {{
  %one = arith.constant 1 : index
  cf.cond_br %c, ^a, ^b
^a:
  %s = memref.get_global @state : {M}
  memref.store %v, %s[%one] : {M}
  cf.br ^b
^b:
  %r = memref.load %m[%one] : {M}
  return %r : f32
}}
func.func private @divide(%n: i32, %by: i32) -> i32 {{
  %zero = arith.constant 0 : i32
  %c = arith.cmpi ne, %by, %zero : i32
  cf.assert %c, "by zero"
  %q = arith.remui %n, %by : i32
  return %q : i32
}}
func.func private @swap(%a: {M}, %b: {M}) -> ({M}, {M}) {{
  return %b, %a : {M}, {M}
}}
func.func private @fresh(%v: f32) -> {M} {{
  %m = memref.alloc() : {M}
  linalg.fill ins(%v : f32) outs(%m : {M})
  return %m : {M}
}}
func.func private @sized(%n: index, %v: f32) -> {D} {{
  %m = memref.alloc(%n) : {D}
  linalg.fill ins(%v : f32) outs(%m : {D})
  return %m : {D}
}}
func.func private @sum(%m: {D}) -> f32 {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %n = memref.dim %m, %zero : {D}
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> f32 {{
    %v = memref.load %m[%i] : {D}
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }}
  return %r : f32
}}
func.func private @shift(%a: {S}, %b: {S}) {{
  memref.copy %a, %b : {S} to {S}
  return
}}
func.func private @show(%t: {T}) -> {M} {{
  %m = bufferization.to_buffer %t : {T} to {M}
  return %m : {M}
}}
"""


class Scope:
    def __init__(self, outer=None):
        for kind in ("memrefs", "tensors", "floats", "indices", "ints", "sized", "own"):
            setattr(self, kind, list(getattr(outer, kind)) if outer else [])
        self.own = []  # buffers to be freed at the end of the block


class CallsProgram:
    def __init__(self, seed, functions=4, length=9):
        self.random = random.Random(f"through-calls-{seed}")
        self.functions, self.length = functions, length
        self.count = 0
        self.known = []

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def pick(self, values):
        return self.random.choice(values)

    def constants(self, lines, scope):
        for value in range(3):
            scope.indices.append(self.name())
            lines.append(f"{scope.indices[-1]} = arith.constant {value} : index")
        for value in ("0.5", "-1.25"):
            scope.floats.append(self.name())
            lines.append(f"{scope.floats[-1]} = arith.constant {value} : f32")
        scope.ints.append(self.name())
        lines.append(f"{scope.ints[-1]} = arith.constant 3 : i32")

    # One statement each.

    def fill(self, lines, scope):
        lines.append(f"linalg.fill ins({self.pick(scope.floats)} : f32) outs({self.pick(scope.memrefs)} : {M})")

    def elementwise(self, lines, scope):
        how = self.pick(("add", "sub", "max"))
        a, b, c = (self.pick(scope.memrefs) for _ in range(3))
        lines.append(f"linalg.{how} ins({a}, {b} : {M}, {M}) outs({c} : {M})")

    def store(self, lines, scope):
        lines.append(f"memref.store {self.pick(scope.floats)}, {self.pick(scope.memrefs)}[{self.pick(scope.indices)}] : {M}")

    def load(self, lines, scope):
        name = self.name()
        lines.append(f"{name} = memref.load {self.pick(scope.memrefs)}[{self.pick(scope.indices)}] : {M}")
        scope.floats.append(name)

    def copy(self, lines, scope):
        lines.append(f"memref.copy {self.pick(scope.memrefs)}, {self.pick(scope.memrefs)} : {M} to {M}")

    def make(self, lines, scope):
        name = self.name()
        lines.append(f"{name} = memref.alloc() : {M}")
        lines.append(f"memref.copy {self.pick(scope.memrefs)}, {name} : {M} to {M}")
        scope.memrefs.append(name)
        scope.own.append((name, M))

    def make_fresh(self, lines, scope):
        name = self.name()
        lines.append(f"{name} = func.call @fresh({self.pick(scope.floats)}) : (f32) -> {M}")
        scope.memrefs.append(name)
        scope.own.append((name, M))

    def make_sized(self, lines, scope):
        name, n = self.name(), self.name()
        lines.append(f"{n} = arith.addi {self.pick(scope.indices)}, {self.pick(scope.indices)} : index")
        lines.append(f"{name} = func.call @sized({n}, {self.pick(scope.floats)}) : (index, f32) -> {D}")
        scope.sized.append(name)
        scope.own.append((name, D))

    def total(self, lines, scope):
        if not scope.sized:
            return self.make_sized(lines, scope)
        name = self.name()
        lines.append(f"{name} = func.call @sum({self.pick(scope.sized)}) : ({D}) -> f32")
        scope.floats.append(name)

    def global_(self, lines, scope):
        name = self.name()
        lines.append(f"{name} = memref.get_global @{self.pick(('state', 'state', 'other'))} : {M}")
        scope.memrefs.append(name)

    def fixed(self, lines, scope):
        name, value = self.name(), self.name()
        lines.append(f"{name} = memref.get_global @fixed : {M}")
        lines.append(f"{value} = memref.load {name}[{self.pick(scope.indices)}] : {M}")
        scope.floats.append(value)

    def shift(self, lines, scope):
        buffer, names = self.pick(scope.memrefs), [self.name(), self.name()]
        for name in names:
            lines.append(f"{name} = memref.subview {buffer}[{self.pick(scope.indices)}] [4] [1] : {M} to {S}")
        lines.append(f"func.call @shift({names[0]}, {names[1]}) : ({S}, {S}) -> ()")

    def swap(self, lines, scope):
        name = self.name()
        a, b = (self.pick(scope.memrefs) for _ in range(2))
        lines.append(f"{name}:2 = func.call @swap({a}, {b}) : ({M}, {M}) -> ({M}, {M})")
        scope.memrefs += [name + "#0", name + "#1"]

    def blocks(self, lines, scope):
        name, c = self.name(), self.condition(lines, scope)
        lines.append(f"{name} = func.call @pick({c}, {self.pick(scope.memrefs)}, {self.pick(scope.floats)}) : (i1, {M}, f32) -> f32")
        scope.floats.append(name)

    def number(self, lines, scope):
        name, a, b = self.name(), self.pick(scope.floats), self.pick(scope.floats)
        lines.append(f"{name} = arith.{self.pick(('addf', 'subf', 'maximumf'))} {a}, {b} : f32")
        scope.floats.append(name)

    def divide(self, lines, scope):
        name, a, b = self.name(), self.pick(scope.ints), self.pick(scope.ints)
        odd = self.name()
        lines.append(f"{odd} = arith.ori {b}, {scope.ints[0]} : i32")
        lines.append(f"{name} = func.call @divide({a}, {odd}) : (i32, i32) -> i32")
        scope.ints.append(name)
        float_ = self.name()
        lines.append(f"{float_} = arith.sitofp {name} : i32 to f32")
        scope.floats.append(float_)

    def tensor(self, lines, scope):
        empty, name = self.name(), self.name()
        lines.append(f"{empty} = tensor.empty() : {T}")
        a, b = (self.pick(scope.tensors) for _ in range(2))
        lines.append(f"{name} = linalg.{self.pick(('add', 'sub'))} ins({a}, {b} : {T}, {T}) outs({empty} : {T}) -> {T}")
        scope.tensors.append(name)

    def extract(self, lines, scope):
        name = self.name()
        lines.append(f"{name} = tensor.extract {self.pick(scope.tensors)}[{self.pick(scope.indices)}] : {T}")
        scope.floats.append(name)

    def show(self, lines, scope):
        copy, buffer = self.name(), self.name()
        lines.append(f"{copy} = bufferization.alloc_tensor() copy({self.pick(scope.tensors)}) : {T}")
        lines.append(f"{buffer} = func.call @show({copy}) : ({T}) -> {M}")
        scope.memrefs.append(buffer)

    def condition(self, lines, scope):
        name = self.name()
        lines.append(f"{name} = arith.cmpf ogt, {self.pick(scope.floats)}, {self.pick(scope.floats)} : f32")
        return name

    def branch(self, lines, scope):
        c, name = self.condition(lines, scope), self.name()
        lines.append(f"{name} = scf.if {c} -> f32 {{")
        for end in ("} else {", "}"):
            inner = Scope(scope)
            self.statements(lines, inner, 2)
            lines.append(f"scf.yield {self.pick(inner.floats)} : f32")
            lines.append(end)
        scope.floats.append(name)

    def loop(self, lines, scope):
        name, i, s = self.name(), self.name(), self.name()
        begin, end, step = scope.indices[0], self.pick(scope.indices), scope.indices[1]
        lines.append(f"{name} = scf.for {i} = {begin} to {end} step {step} iter_args({s} = {self.pick(scope.floats)}) -> f32 {{")
        inner = Scope(scope)
        inner.indices.append(i)
        inner.floats.append(s)
        self.statements(lines, inner, 3)
        lines.append(f"scf.yield {self.pick(inner.floats)} : f32")
        lines.append("}")
        scope.floats.append(name)

    def carried(self, lines, scope):
        """A loop whose buffers change places."""
        name, i, s, t = (self.name() for _ in range(4))
        begin, end, step = scope.indices[0], scope.indices[2], scope.indices[1]
        a, b = (self.pick(scope.memrefs) for _ in range(2))
        lines.append(f"{name}:2 = scf.for {i} = {begin} to {end} step {step} iter_args({s} = {a}, {t} = {b}) -> ({M}, {M}) {{")
        inner = Scope(scope)
        inner.memrefs += [s, t]
        self.statements(lines, inner, 2)
        lines += [f"scf.yield {t}, {s} : {M}, {M}", "}"]
        scope.memrefs += [name + "#0", name + "#1"]

    def call(self, lines, scope, callee=None):
        if not self.known:
            return self.load(lines, scope)
        name = self.name()
        a, b = (self.pick(scope.memrefs) for _ in range(2))
        lines.append(f"{name}:2 = func.call @{callee or self.pick(self.known)}({a}, {b}, {self.pick(scope.tensors)}, {self.pick(scope.floats)}, "
                     f"{self.pick(scope.indices)}, {self.pick(scope.ints)}) : ({M}, {M}, {T}, f32, index, i32) -> ({T}, f32)")
        scope.tensors.append(name + "#0")
        scope.floats.append(name + "#1")

    KINDS = ((fill, 1), (elementwise, 2), (store, 3), (load, 3), (copy, 1), (make, 1), (make_fresh, 1), (make_sized, 1), (total, 1),
             (global_, 1), (fixed, 1), (shift, 1), (swap, 1), (blocks, 1), (number, 2), (divide, 1), (tensor, 2), (extract, 2),
             (show, 1), (branch, 1), (loop, 1), (carried, 1), (call, 4))

    def statements(self, lines, scope, number, frees=True):
        makers, weights = zip(*self.KINDS)
        for _ in range(number):
            self.random.choices(makers, weights)[0](self, lines, scope)
        if frees:
            self.free(lines, scope)

    def free(self, lines, scope):
        for name, type_ in reversed(scope.own):
            lines.append(f"memref.dealloc {name} : {type_}")

    def function(self, number):
        scope, lines = Scope(), []
        scope.memrefs, scope.tensors, scope.floats = ["%a", "%b"], ["%t"], ["%s"]
        self.constants(lines, scope)
        # An argument is no bound of a loop that may be long.
        scope.indices.append("%i")
        scope.ints.append("%n")
        self.statements(lines, scope, self.length)
        lines.append(f"return {self.pick(scope.tensors[-2:])}, {self.pick(scope.floats[-3:])} : {T}, f32")
        self.known.append(f"f{number}")
        return (f"func.func private @f{number}(%a: {M}, %b: {M}, %t: {T}, %s: f32, %i: index, %n: i32) -> ({T}, f32) {{\n"
                + "".join(f"  {line}\n" for line in lines) + "}\n")

    def main(self):
        scope, lines = Scope(), []
        scope.memrefs, scope.tensors, scope.floats = ["%a", "%b"], ["%t", "%u"], ["%s", "%r"]
        self.constants(lines, scope)
        self.statements(lines, scope, self.length, frees=False)
        for callee in self.known:
            self.call(lines, scope, callee)
        self.free(lines, scope)
        total = scope.floats[-1]
        for value in scope.floats[-6:-1]:
            name = self.name()
            lines.append(f"{name} = arith.addf {total}, {value} : f32")
            total = name
        lines.append(f"return {scope.tensors[-1]}, {total} : {T}, f32")
        alone = " {llvm.noalias}" if self.random.random() < 0.5 else ""
        return (f"func.func @main(%a: {M}{alone}, %b: {M}{alone}, %t: {T}, %u: {T}, %s: f32, %r: f32) -> ({T}, f32) {{\n"
                + "".join(f"  {line}\n" for line in lines) + "}\n")

    def text(self):
        functions = "".join(self.function(i) for i in range(self.functions))
        return FIXED + functions + self.main()
