"""Random programs on tensors whose calls hand on what they were given.

  fuzz-calls.py [--seed=1] [--first=0] [--count=50] [--keep=DIR]
  fuzz-calls.py --write=I

Functions return their arguments, parts of them, one of two, or the result of such a
call; some take what they are given. They are called on slices, on results of other
calls, in loops and in branches, and what they return is read late. Each program is run
by upstream alone, as it is, and in five planned forms, as fuzz-memory.py does.
"""

import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from memory_campaign import Campaign, ProgramText  # noqa: E402

T, WIDE = "tensor<8xf32>", "tensor<4x8xf32>"
PAIR = f"({T}, {T})"

FUNCTIONS = f"""
func.func private @both(%x: {T}, %y: {T}) -> {PAIR} {{
  %e = tensor.empty() : {T}
  %z = linalg.add ins(%x, %y : {T}, {T}) outs(%e : {T}) -> {T}
  return %z, %x : {T}, {T}
}}
func.func private @cross(%x: {T}, %y: {T}) -> {PAIR} {{
  return %y, %x : {T}, {T}
}}
func.func private @twice(%x: {T}, %y: {T}) -> {PAIR} {{
  %a, %b = call @cross(%x, %y) : {PAIR} -> {PAIR}
  %c, %d = call @both(%b, %a) : {PAIR} -> {PAIR}
  return %c, %b : {T}, {T}
}}
func.func private @either(%x: {T}, %y: {T}) -> {PAIR} {{
  %k = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %v = tensor.extract %x[%k] : {T}
  %c = arith.cmpf ogt, %v, %half : f32
  %z = scf.if %c -> ({T}) {{
    scf.yield %x : {T}
  }} else {{
    scf.yield %y : {T}
  }}
  return %z, %y : {T}, {T}
}}
func.func private @part(%x: {T}, %y: {T}) -> {PAIR} {{
  %s = tensor.extract_slice %x[2] [4] [1] : {T} to tensor<4xf32>
  %z = tensor.insert_slice %s into %y[4] [4] [1] : tensor<4xf32> into {T}
  return %z, %x : {T}, {T}
}}
func.func private @given(%x: {T} {{pebble.donated}}, %y: {T}) -> {PAIR} {{
  %z = linalg.add ins(%x, %y : {T}, {T}) outs(%x : {T}) -> {T}
  return %z, %y : {T}, {T}
}}
func.func private @same(%x: {T}, %y: {T}) -> {PAIR} {{
  return %x, %x : {T}, {T}
}}"""
NAMES = ("both", "cross", "twice", "either", "part", "given", "same")


class CallProgram(ProgramText):
    def __init__(self, seed):
        super().__init__(f"calls-{seed}")

    def slice(self, values):
        name, row = self.name(), self.random.randint(0, 3)
        self.emit(f"{name} = tensor.extract_slice %w[{row}, 0] [1, 8] [1, 1] : {WIDE} to {T}")
        values.append(name)

    def elementwise(self, values):
        name, empty = self.name(), self.name()
        self.emit(f"{empty} = tensor.empty() : {T}")
        if self.random.random() < 0.5:
            self.emit(f"{name} = linalg.abs ins({self.pick(values)} : {T}) outs({empty} : {T}) -> {T}")
        else:
            how = self.random.choice(("add", "sub", "max"))
            self.emit(f"{name} = linalg.{how} ins({self.pick(values)}, {self.pick(values)} : {T}, {T}) "
                      f"outs({empty} : {T}) -> {T}")
        values.append(name)

    def update(self, values):
        """In place, or so it seems."""
        name, target = self.name(), self.pick(values)
        self.emit(f"{name} = linalg.add ins({target}, {self.pick(values)} : {T}, {T}) outs({target} : {T}) -> {T}")
        values.append(name)

    def call(self, values):
        name = self.name()
        word = "func.call" if self.depth > 1 else "call"
        self.emit(f"{name}:2 = {word} @{self.random.choice(NAMES)}({self.pick(values)}, {self.pick(values)}) "
                  f": {PAIR} -> {PAIR}")
        values += [f"{name}#0", f"{name}#1"]

    def nested(self, values, results):
        """Steps inside, and what they yield."""
        self.depth += 1
        inner = list(values)
        for _ in range(self.random.randint(1, 3)):
            self.step(inner, False)
        self.emit(f"scf.yield {', '.join(self.pick(inner) for _ in range(results))} : {', '.join([T] * results)}")
        self.depth -= 1

    def branch(self, values):
        # Each by a condition of its own: the canonicalizer joins branches of one, and a
        # plan is not a plan of what comes out of that.
        name, number, condition = self.name(), self.name(), self.name()
        self.emit(f"{number} = tensor.extract {self.pick(values)}[%k3] : {T}")
        bound = self.name()
        self.emit(f"{bound} = arith.constant {0.4 + self.count / 1000:.3f} : f32")
        self.emit(f"{condition} = arith.cmpf ogt, {number}, {bound} : f32")
        self.emit(f"{name} = scf.if {condition} -> ({T}) {{")
        self.nested(values, 1)
        self.emit("} else {")
        self.nested(values, 1)
        self.emit("}")
        values.append(name)

    def loop(self, values):
        name, a, b = self.name(), self.name(), self.name()
        self.emit(f"{name}:2 = scf.for %i{self.count} = %k0 to %k3 step %k1 iter_args({a} = {self.pick(values)}, "
                  f"{b} = {self.pick(values)}) -> {PAIR} {{")
        self.nested(values + [a, b], 2)
        self.emit("}")
        values += [f"{name}#0", f"{name}#1"]

    def step(self, values, mayNest=True):
        ways = [self.slice, self.elementwise, self.elementwise, self.update, self.call, self.call, self.call]
        if mayNest:
            ways += [self.branch, self.loop]
        self.random.choice(ways)(values)

    def text(self):
        values = ["%x", "%y"]
        self.slice(values)
        for _ in range(self.random.randint(4, 12)):
            self.step(values)
        # Early values are read late.
        late = [self.pick(values) for _ in range(3)] + [self.random.choice(values) for _ in range(2)]
        for value in late:
            name, empty = self.name(), self.name()
            self.emit(f"{empty} = tensor.empty() : {T}")
            self.emit(f"{name} = linalg.exp ins({value} : {T}) outs({empty} : {T}) -> {T}")
            values.append(name)
        results = [values[-1], values[-2], self.random.choice(values)]
        given = self.random.random() < 0.3
        head = (f"func.func @main(%x: {T}{' {pebble.donated}' if given else ''}, %y: {T}, %w: {WIDE}) "
                f"-> ({', '.join([T] * 3)}) {{")
        constants = [f"  %k{n} = arith.constant {n} : index" for n in (0, 1, 3)]
        end = [f"  return {', '.join(results)} : {', '.join([T] * 3)}", "}"]
        return "\n".join(["module {" + FUNCTIONS, head, *constants, *self.lines, *end, "}"]) + "\n"


if __name__ == "__main__":
    campaign = Campaign("calls", lambda seed: CallProgram(seed).text(), lambda text: text.replace(" {pebble.donated}", ""))
    sys.exit(campaign.main(__doc__.split("\n", maxsplit=1)[0]))
