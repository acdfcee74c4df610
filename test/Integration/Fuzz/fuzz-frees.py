"""Random programs that free their buffers themselves, and read memory where operations
that are declared pure have bodies.

  fuzz-frees.py [--seed=1] [--first=0] [--count=50] [--forms=N] [--keep=DIR]
  fuzz-frees.py --write=I

Loops carry buffers that change places, and free what they replace. Flags say who owns
what a loop or a branch hands out. A select names one of two buffers, and each is freed
by such a name. Callees free what they are given, always or if a flag says so. Some
programs end in a block that several ways lead to. Bodies of tensor.generate, tensor.pad
and linalg.map read buffers that change before and after. Each program is run by
upstream alone, as it is, and in the planned forms of fuzz-memory.py.
"""

import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from memory_campaign import Campaign, ProgramText  # noqa: E402

M, T = "memref<8xf32>", "tensor<8xf32>"

FUNCTIONS = f"""
memref.global "private" constant @numbers : {M} = dense<[1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5]>
func.func private @take(%m: {M}) -> f32 {{
  %k = arith.constant 3 : index
  %v = memref.load %m[%k] : {M}
  memref.dealloc %m : {M}
  return %v : f32
}}
func.func private @take_if(%m: {M}, %mine: i1) -> f32 {{
  %k = arith.constant 5 : index
  %v = memref.load %m[%k] : {M}
  scf.if %mine {{
    memref.dealloc %m : {M}
  }}
  return %v : f32
}}
func.func private @take_one(%m: {M}, %n: {M}, %first: i1) -> f32 {{
  %k = arith.constant 1 : index
  %s = arith.select %first, %m, %n : {M}
  %v = memref.load %s[%k] : {M}
  memref.dealloc %s : {M}
  return %v : f32
}}
func.func private @renew(%m: {M}, %f: f32) -> {M} {{
  %n = memref.alloc() : {M}
  %s = bufferization.to_tensor %m restrict : {M} to {T}
  %e = tensor.empty() : {T}
  %u = linalg.exp ins(%s : {T}) outs(%e : {T}) -> {T}
  bufferization.materialize_in_destination %u in restrict writable %n : ({T}, {M}) -> ()
  memref.dealloc %m : {M}
  return %n : {M}
}}
"""


class Program(ProgramText):
    def __init__(self, seed):
        super().__init__(seed)
        # Names of buffers: to be freed by the program, and those that are not.
        self.owned, self.lent = [], ["%x", "%y"]
        # Buffers that are the program's own if a flag says so.
        self.flagged = []
        self.number = "%f"
        self.nesting = 0

    def index(self):
        return f"%k{self.random.randrange(8)}"

    def flag(self):
        return self.random.choice(("%c", "%d"))

    def live(self):
        return [*self.owned, *self.lent, *(name for name, _ in self.flagged)]

    def value(self, text):
        name = self.name()
        self.emit(f"{name} = {text}")
        return name

    def add(self, value):
        half = self.value(f"arith.mulf {value}, %half : f32")
        self.number = self.value(f"arith.addf {self.number}, {half} : f32")

    def read(self):
        self.add(self.value(f"memref.load {self.pick(self.live())}[{self.index()}] : {M}"))

    def write(self):
        target = self.pick([*self.owned, "%x"])
        if self.random.random() < 0.5:
            self.emit(f"memref.store {self.number}, {target}[{self.index()}] : {M}")
            return
        name = self.random.choice(("add", "max", "min"))
        a, b = self.pick(self.live()), self.pick(self.live())
        self.emit(f"linalg.{name} ins({a}, {b} : {M}, {M}) outs({target} : {M})")

    def allocate(self):
        name = self.value(f"memref.alloc() : {M}")
        source = self.pick(self.live())
        self.emit(f"memref.copy {source}, {name} : {M} to {M}")
        self.owned.append(name)

    def take(self):
        """An own buffer, which is nobody's from here on."""
        return self.owned.pop(self.random.randrange(len(self.owned)))

    def look(self):
        """A pure operation whose body reads memory."""
        source, at = self.pick(self.live()), self.index()
        kind = self.random.randrange(3)
        if kind == 0:
            name = self.value("tensor.generate {")
            self.emit("^bb0(%g: index):")
            self.emit(f"  %b = memref.load {source}[%g] : {M}")
            self.emit("  tensor.yield %b : f32")
            self.emit(f"}} : {T}")
        elif kind == 1:
            whole = self.value(f"tensor.from_elements {', '.join([self.number] * 4)} : tensor<4xf32>")
            low = self.random.randrange(5)
            name = self.value(f"tensor.pad {whole} low[{low}] high[{4 - low}] {{")
            self.emit("^bb0(%g: index):")
            self.emit(f"  %b = memref.load {source}[{at}] : {M}")
            self.emit("  tensor.yield %b : f32")
            self.emit(f"}} : tensor<4xf32> to {T}")
        else:
            empty = self.value(f"tensor.empty() : {T}")
            name = self.value(f"linalg.map outs({empty} : {T}) (%old: f32) {{")
            self.emit(f"  %b = memref.load {source}[{at}] : {M}")
            self.emit("  linalg.yield %b : f32")
            self.emit("}")
        if self.random.random() < 0.6:
            self.write()
        self.add(self.value(f"tensor.extract {name}[{self.index()}] : {T}"))

    def free(self):
        if len(self.owned) < 2:
            return
        if self.random.random() < 0.5:
            self.emit(f"memref.dealloc {self.take()} : {M}")
            return
        a, b, flag = self.take(), self.take(), self.flag()
        one = self.value(f"arith.select {flag}, {a}, {b} : {M}")
        other = self.value(f"arith.select {flag}, {b}, {a} : {M}")
        self.add(self.value(f"memref.load {one}[{self.index()}] : {M}"))
        self.emit(f"memref.dealloc {one} : {M}")
        self.owned.append(other)

    def call(self):
        kind = self.random.randrange(4)
        if kind == 0 and self.owned:
            self.add(self.value(f"func.call @take({self.take()}) : ({M}) -> f32"))
        elif kind == 1 and self.owned:
            mine, flag = self.take(), self.flag()
            self.add(self.value(f"func.call @take_if({mine}, {flag}) : ({M}, i1) -> f32"))
            left = self.value(f"arith.xori {flag}, %yes : i1")
            self.emit(f"scf.if {left} {{")
            self.emit(f"  memref.dealloc {mine} : {M}")
            self.emit("}")
        elif kind == 2 and len(self.owned) > 1:
            a, b, flag = self.take(), self.take(), self.flag()
            self.add(self.value(f"func.call @take_one({a}, {b}, {flag}) : ({M}, {M}, i1) -> f32"))
            self.owned.append(self.value(f"arith.select {flag}, {b}, {a} : {M}"))
        elif kind == 3 and self.owned:
            self.owned.append(self.value(f"func.call @renew({self.take()}, {self.number}) : ({M}, f32) -> {M}"))

    def inside(self, count):
        """Steps of a region, which frees nothing from outside."""
        kept = self.owned, self.lent, self.flagged, self.number
        self.lent = [*self.lent, *(name for name, _ in self.flagged)]
        self.owned, self.flagged = [], []
        self.depth += 1
        self.nesting += 1
        for _ in range(count):
            self.random.choice((self.read, self.write, self.look))()
        self.nesting -= 1
        self.depth -= 1
        self.owned, self.lent, self.flagged, self.number = kept

    def swapped(self):
        """A loop over two own buffers, one of which it may replace."""
        if len(self.owned) < 2:
            return
        a, b = self.take(), self.take()
        name, p, q = self.name(), self.name(), self.name()
        self.emit(f"{name}:2 = scf.for %i = %k0 to {self.random.choice(('%k0', '%k1', '%k3', '%n'))} step %k1 "
                  f"iter_args({p} = {a}, {q} = {b}) -> ({M}, {M}) {{")
        lent, self.lent = self.lent, [*self.lent, p, q]
        self.inside(self.random.randrange(3))
        self.lent = lent
        ends = [q, p]
        if self.random.random() < 0.5:
            new = self.name()
            self.emit(f"  {new} = memref.alloc() : {M}")
            self.emit(f"  linalg.min ins({p}, {q} : {M}, {M}) outs({new} : {M})")
            self.emit(f"  memref.dealloc {p} : {M}")
            ends = self.random.sample((q, new), 2)
        else:
            self.emit(f"  linalg.max ins({p}, {self.pick(self.lent)} : {M}, {M}) outs({q} : {M})")
        self.emit(f"  scf.yield {ends[0]}, {ends[1]} : {M}, {M}")
        self.emit("}")
        self.owned += [f"{name}#0", f"{name}#1"]

    def carried(self):
        """A loop that begins with a buffer of somebody else, and says whose it ends with."""
        start = self.pick([*self.lent, "%numbers"])
        name, p, mine, new = self.name(), self.name(), self.name(), self.name()
        self.emit(f"{name}:2 = scf.for %i = %k0 to {self.random.choice(('%k0', '%k2', '%n'))} step %k1 "
                  f"iter_args({p} = {start}, {mine} = %no) -> ({M}, i1) {{")
        self.emit(f"  {new} = memref.alloc() : {M}")
        self.emit(f"  linalg.add ins({p}, {self.pick(self.lent)} : {M}, {M}) outs({new} : {M})")
        lent, self.lent = self.lent, [*self.lent, p, new]
        self.inside(self.random.randrange(2))
        self.lent = lent
        self.emit(f"  scf.if {mine} {{")
        self.emit(f"    memref.dealloc {p} : {M}")
        self.emit("  }")
        self.emit(f"  scf.yield {new}, %yes : {M}, i1")
        self.emit("}")
        self.flagged.append((f"{name}#0", f"{name}#1"))

    def branched(self):
        name, new = self.name(), self.name()
        self.emit(f"{name}:2 = scf.if {self.flag()} -> ({M}, i1) {{")
        self.emit(f"  {new} = memref.alloc() : {M}")
        self.emit(f"  memref.copy {self.pick(self.lent)}, {new} : {M} to {M}")
        self.inside(self.random.randrange(2))
        self.emit(f"  scf.yield {new}, %yes : {M}, i1")
        self.emit("} else {")
        self.inside(self.random.randrange(2))
        self.emit(f"  scf.yield {self.pick(self.lent)}, %no : {M}, i1")
        self.emit("}")
        self.flagged.append((f"{name}#0", f"{name}#1"))

    def close(self):
        """Frees what is left, in any order."""
        self.random.shuffle(self.owned)
        while self.owned:
            self.emit(f"memref.dealloc {self.take()} : {M}")
        self.random.shuffle(self.flagged)
        for name, mine in self.flagged:
            self.emit(f"scf.if {mine} {{")
            self.emit(f"  memref.dealloc {name} : {M}")
            self.emit("}")

    def text(self):
        for i in range(8):
            self.emit(f"%k{i} = arith.constant {i} : index")
        self.emit("%half = arith.constant 0.5 : f32")
        self.emit("%yes = arith.constant true")
        self.emit("%no = arith.constant false")
        self.emit(f"%numbers = memref.get_global @numbers : {M}")
        self.allocate()
        steps = (self.read, self.write, self.write, self.allocate, self.allocate, self.look, self.look, self.free,
                 self.call, self.call, self.swapped, self.swapped, self.carried, self.branched)
        for _ in range(self.random.randint(6, 16)):
            self.random.choice(steps)()
        if len(self.owned) > 1 and self.random.random() < 0.3:
            a, b = self.random.sample(self.live(), 2)
            self.emit(f"cf.cond_br {self.flag()}, ^out({a} : {M}), ^out({b} : {M})")
            self.lines.append(f"^out(%last: {M}):")
            self.add(self.value(f"memref.load %last[{self.index()}] : {M}"))
        self.read()
        self.close()
        self.emit(f"return {self.number} : f32")
        body = "\n".join(self.lines)
        return (f"module {{{FUNCTIONS}func.func @main(%x: {M}, %y: {M}, %c: i1, %d: i1, %f: f32, %n: index) -> f32 "
                f"{{\n{body}\n}}\n}}\n")


def main():
    # Upstream's inliner canonicalises, and that computes an element of tensor.generate
    # where it is extracted, whatever was written in between.
    campaign = Campaign("frees", lambda seed: Program(seed).text(), lambda text: text, inlined=False)
    return campaign.main(__doc__.split("\n\n")[0])


if __name__ == "__main__":
    sys.exit(main())
