"""Random programs whose calls hand out buffers that loops carry.

  fuzz-handed-buffers.py [--seed=1] [--first=0] [--count=50] [--keep=DIR]
  fuzz-handed-buffers.py --write=I

Callees return their memref arguments, views of them, fresh buffers, and the buffers of
their tensor arguments. Loops and branches of the callers carry those beside tensors.
Each program is run by upstream alone, as it is, and in the planned forms of
fuzz-memory.py. For upstream a tensor that is shown as a buffer is copied first: it would
overwrite the tensor without asking who reads the buffer.
"""

import os
import re
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from memory_campaign import Campaign, ProgramText  # noqa: E402

T, M = "tensor<8xf32>", "memref<8xf32>"

FUNCTIONS = f"""
func.func private @same(%m: {M}) -> {M} {{
  return %m : {M}
}}
func.func private @touch(%m: {M}) -> {M} {{
  %k = arith.constant 2 : index
  %v = memref.load %m[%k] : {M}
  %w = arith.addf %v, %v : f32
  memref.store %w, %m[%k] : {M}
  return %m : {M}
}}
func.func private @cross(%m: {M}, %n: {M}) -> ({M}, {M}) {{
  return %n, %m : {M}, {M}
}}
func.func private @either(%m: {M}, %n: {M}) -> {M} {{
  %k = arith.constant 1 : index
  %a = memref.load %m[%k] : {M}
  %b = memref.load %n[%k] : {M}
  %c = arith.cmpf ogt, %a, %b : f32
  %z = scf.if %c -> ({M}) {{
    %y = func.call @same(%n) : ({M}) -> {M}
    scf.yield %y : {M}
  }} else {{
    scf.yield %m : {M}
  }}
  return %z : {M}
}}
func.func private @turns(%m: {M}, %n: {M}) -> {M} {{
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k3 = arith.constant 3 : index
  %z:2 = scf.for %i = %k0 to %k3 step %k1 iter_args(%a = %m, %b = %n) -> ({M}, {M}) {{
    %y = func.call @same(%b) : ({M}) -> {M}
    scf.yield %y, %a : {M}, {M}
  }}
  return %z#0 : {M}
}}
func.func private @another(%m: {M}) -> {M} {{
  %z = memref.alloc() : {M}
  memref.copy %m, %z : {M} to {M}
  return %z : {M}
}}
func.func private @show(%x: {T}) -> {M} {{
  %m = bufferization.to_buffer %x read_only : {T} to {M}
  return %m : {M}
}}
func.func private @shown(%x: {T}) -> {M} {{
  %m = call @show(%x) : ({T}) -> {M}
  %n = call @same(%m) : ({M}) -> {M}
  return %n : {M}
}}
func.func private @result(%x: {T}, %y: {T}) -> ({M}, {T}) {{
  %e = tensor.empty() : {T}
  %z = linalg.add ins(%x, %y : {T}, {T}) outs(%e : {T}) -> {T}
  %m = bufferization.to_buffer %z read_only : {T} to {M}
  return %m, %x : {M}, {T}
}}
func.func private @both(%x: {T}, %y: {T}) -> ({M}, {T}) {{
  %e = tensor.empty() : {T}
  %z = linalg.add ins(%x, %y : {T}, {T}) outs(%e : {T}) -> {T}
  %m = bufferization.to_buffer %y read_only : {T} to {M}
  return %m, %z : {M}, {T}
}}
func.func private @look(%m: {M}, %x: {T}) -> {T} {{
  %k = arith.constant 3 : index
  %v = memref.load %m[%k] : {M}
  %z = tensor.insert %v into %x[%k] : {T}
  return %z : {T}
}}"""


class Scope:
    def __init__(self, other=None):
        self.tensors = list(other.tensors) if other else []
        self.own = list(other.own) if other else []      # buffers that may be written
        self.buffers = list(other.buffers) if other else []  # all
        self.numbers = list(other.numbers) if other else []
        self.places = list(other.places) if other else []

    def add(self, buffer, is_own):
        self.buffers.append(buffer)
        if is_own:
            self.own.append(buffer)


class HandedProgram(ProgramText):
    def __init__(self, seed):
        super().__init__(f"handed-{seed}")

    def chance(self, odds):
        return self.random.random() < odds

    def alloc(self, scope):
        name = self.name()
        self.emit(f"{name} = memref.alloc() : {M}")
        self.emit(f"linalg.fill ins({self.pick(scope.numbers)} : f32) outs({name} : {M})")
        scope.add(name, True)

    def load(self, scope):
        name, total = self.name(), self.name()
        self.emit(f"{name} = memref.load {self.pick(scope.buffers)}[{self.pick(scope.places)}] : {M}")
        self.emit(f"{total} = arith.subf {name}, {self.pick(scope.numbers)} : f32")
        scope.numbers.append(total)

    def store(self, scope):
        self.emit(f"memref.store {self.pick(scope.numbers)}, {self.pick(scope.own)}[{self.pick(scope.places)}] : {M}")

    def update(self, scope):
        """A new tensor, of which elements may be overwritten before anybody else has
        its name: who overwrites a tensor that is shown as a buffer has no meaning."""
        name, empty = self.name(), self.name()
        self.emit(f"{empty} = tensor.empty() : {T}")
        self.emit(f"{name} = linalg.{self.random.choice(('sub', 'max'))} ins({self.pick(scope.tensors)}, "
                  f"{self.pick(scope.tensors)} : {T}, {T}) outs({empty} : {T}) -> {T}")
        for _ in range(self.random.choice((0, 0, 1, 2))):
            later = self.name()
            self.emit(f"{later} = tensor.insert {self.pick(scope.numbers)} into {name}[{self.pick(scope.places)}] : {T}")
            name = later
        scope.tensors.append(name)

    def here(self, scope):
        name = self.name()
        self.emit(f"{name} = bufferization.to_buffer {self.pick(scope.tensors)} read_only : {T} to {M}")
        scope.add(name, False)

    def call(self, scope):
        word, name = ("func.call" if self.depth > 1 else "call"), self.name()
        callee = self.random.choice(("same", "touch", "cross", "either", "turns", "another",
                                     "show", "show", "shown", "result", "both", "look"))
        if callee in ("same", "another", "touch"):
            operand = self.pick(scope.own if callee == "touch" else scope.buffers)
            self.emit(f"{name} = {word} @{callee}({operand}) : ({M}) -> {M}")
            scope.add(name, operand in scope.own or callee == "another")
        elif callee in ("cross", "either", "turns"):
            operands = [self.pick(scope.buffers) for _ in range(2)]
            own = all(operand in scope.own for operand in operands)
            two = callee == "cross"
            self.emit(f"{name}{':2' if two else ''} = {word} @{callee}({', '.join(operands)}) : ({M}, {M}) -> "
                      + (f"({M}, {M})" if two else M))
            for one in (f"{name}#0", f"{name}#1") if two else (name,):
                scope.add(one, own)
        elif callee in ("show", "shown"):
            self.emit(f"{name} = {word} @{callee}({self.pick(scope.tensors)}) : ({T}) -> {M}")
            scope.add(name, False)
        elif callee == "look":
            self.emit(f"{name} = {word} @look({self.pick(scope.buffers)}, {self.pick(scope.tensors)}) : "
                      f"({M}, {T}) -> {T}")
            scope.tensors.append(name)
        else:
            self.emit(f"{name}:2 = {word} @{callee}({self.pick(scope.tensors)}, {self.pick(scope.tensors)}) : "
                      f"({T}, {T}) -> ({M}, {T})")
            scope.add(f"{name}#0", False)
            scope.tensors.append(f"{name}#1")

    def draw(self, scope, kinds):
        pools = {"own": scope.own, "any": scope.buffers, "T": scope.tensors, "f32": scope.numbers}
        return [self.pick(pools[kind]) for kind in kinds]

    @staticmethod
    def types(kinds):
        return ", ".join({"T": T, "f32": "f32"}.get(kind, M) for kind in kinds)

    def take(self, scope, kinds, names):
        for kind, name in zip(kinds, names):
            if kind == "T":
                scope.tensors.append(name)
            elif kind == "f32":
                scope.numbers.append(name)
            else:
                scope.add(name, kind == "own")

    def kinds(self):
        return [self.random.choice(("own", "any", "any", "T", "f32")) for _ in range(self.random.randint(1, 4))]

    def body(self, scope, most=4):
        for _ in range(self.random.randint(1, most)):
            self.step(scope)

    def results(self, name, kinds):
        return [name] if len(kinds) == 1 else [f"{name}#{i}" for i in range(len(kinds))]

    def loop(self, scope):
        kinds = self.kinds()
        name, args = self.name(), [self.name() for _ in kinds]
        pairs = ", ".join(f"{a} = {b}" for a, b in zip(args, self.draw(scope, kinds)))
        end = self.random.choice(("%k0", "%k1", "%k3", "%k3", "%n"))
        place = f"%i{self.count}"
        self.emit(f"{name}{f':{len(kinds)}' if len(kinds) > 1 else ''} = scf.for {place} = %k0 to {end} step %k1 "
                  f"iter_args({pairs}) -> ({self.types(kinds)}) {{")
        self.depth += 1
        inner = Scope(scope)
        inner.places.append(place)
        self.take(inner, kinds, args)
        self.body(inner)
        self.emit(f"scf.yield {', '.join(self.draw(inner, kinds))} : {self.types(kinds)}")
        self.depth -= 1
        self.emit("}")
        self.take(scope, kinds, self.results(name, kinds))

    def whiled(self, scope):
        """What is carried changes on both sides."""
        kinds, name, count, later = self.kinds(), self.name(), self.name(), self.name()
        args, after = [self.name() for _ in kinds], [self.name() for _ in kinds]
        pairs = ", ".join(f"{a} = {b}" for a, b in zip([count, *args], ["%k0", *self.draw(scope, kinds)]))
        types = f"index, {self.types(kinds)}"
        self.emit(f"{name}:{len(kinds) + 1} = scf.while ({pairs}) : ({types}) -> ({types}) {{")
        self.depth += 1
        inner = Scope(scope)
        self.take(inner, kinds, args)
        if self.chance(0.5):
            self.body(inner, 2)
        going = self.name()
        self.emit(f"{going} = arith.cmpi slt, {count}, {self.random.choice(('%k0', '%k1', '%k3', '%n'))} : index")
        self.emit(f"scf.condition({going}) {', '.join([count, *self.draw(inner, kinds)])} : {types}")
        self.depth -= 1
        self.emit("} do {")
        pairs = ", ".join(f"{a}: {b}" for a, b in zip([later, *after], types.split(", ")))
        self.emit(f"^bb0({pairs}):")
        self.depth += 1
        inner = Scope(scope)
        inner.places.append(later)
        self.take(inner, kinds, after)
        self.body(inner, 3)
        following = self.name()
        self.emit(f"{following} = arith.addi {later}, %k1 : index")
        self.emit(f"scf.yield {', '.join([following, *self.draw(inner, kinds)])} : {types}")
        self.depth -= 1
        self.emit("}")
        self.take(scope, kinds, [f"{name}#{i + 1}" for i in range(len(kinds))])

    def branch(self, scope):
        kinds, name, condition = self.kinds(), self.name(), self.name()
        self.emit(f"{condition} = arith.cmpf ogt, {self.pick(scope.numbers)}, {self.pick(scope.numbers)} : f32")
        self.emit(f"{name}{f':{len(kinds)}' if len(kinds) > 1 else ''} = scf.if {condition} -> "
                  f"({self.types(kinds)}) {{")
        for side in ("} else {", "}"):
            self.depth += 1
            inner = Scope(scope)
            self.body(inner, 2)
            self.emit(f"scf.yield {', '.join(self.draw(inner, kinds))} : {self.types(kinds)}")
            self.depth -= 1
            self.emit(side)
        self.take(scope, kinds, self.results(name, kinds))

    def step(self, scope):
        ways = [self.alloc, self.load, self.load, self.store, self.update, self.update, self.here,
                self.call, self.call, self.call, self.call]
        if self.depth < 3:
            ways += [self.branch, self.loop, self.loop, self.whiled]
        self.random.choice(ways)(scope)

    def text(self):
        scope = Scope()
        scope.tensors, scope.numbers, scope.places = ["%x", "%y"], ["%f", "%g"], ["%k0", "%k1", "%k3"]
        if self.chance(0.5):
            scope.add("%m", True)
        self.alloc(scope)
        for _ in range(self.random.randint(4, 10)):
            self.step(scope)
        # Early values are read late.
        for _ in range(4):
            self.load(scope)
        self.update(scope)
        results = [*scope.numbers[-4:], scope.tensors[-1], self.pick(scope.tensors)]
        kinds = ", ".join(["f32"] * 4 + [T] * 2)
        head = f"func.func @main(%x: {T}, %y: {T}, %m: {M}, %f: f32, %g: f32, %n: index) -> ({kinds}) {{"
        constants = [f"  %k{n} = arith.constant {n} : index" for n in (0, 1, 3)]
        end = [f"  return {', '.join(results)} : {kinds}", "}"]
        return "\n".join(["module {" + FUNCTIONS, head, *constants, *self.lines, *end, "}"]) + "\n"


def copied(text):
    """The program in other words: a tensor is copied before it is shown as a buffer."""
    count = 0

    def copy(found):
        nonlocal count
        count += 1
        return (f"%copy{count} = bufferization.alloc_tensor() copy({found.group(2)}) : {T}\n"
                f"{found.group(1)} = bufferization.to_buffer %copy{count} ")
    return re.sub(r"(%\w+) = bufferization.to_buffer (%[\w#]+) ", copy, text)


if __name__ == "__main__":
    campaign = Campaign("handed", lambda seed: HandedProgram(seed).text(), copied)
    sys.exit(campaign.main(__doc__.split("\n", maxsplit=1)[0]))
