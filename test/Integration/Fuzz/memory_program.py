"""Random small programs on buffers and tensors, for mutants.py: views of views,
loops that carry scalars and tensors, branches, calls, globals, scf.forall,
partial writes, and bodies of several blocks.

  MemoryProgram(seed).text()
"""

import random

N = 8
WHOLE = f"memref<{N}xf32>"
TENSOR = f"tensor<{N}xf32>"

CALLEES = """
memref.global "private" @state : memref<8xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>
func.func private @touch(%m: memref<8xf32>, %x: f32) -> f32 {
  %i = arith.constant 1 : index
  %j = arith.constant 2 : index
  %v = memref.load %m[%i] : memref<8xf32>
  %w = arith.addf %v, %x : f32
  memref.store %w, %m[%j] : memref<8xf32>
  return %v : f32
}
func.func private @look(%m: memref<8xf32>, %x: f32) -> f32 {
  %i = arith.constant 3 : index
  %v = memref.load %m[%i] : memref<8xf32>
  %w = arith.mulf %v, %x : f32
  return %w : f32
}
func.func private @count(%m: memref<8xf32>, %x: f32) -> f32 {
  %g = memref.get_global @state : memref<8xf32>
  %i = arith.constant 0 : index
  %v = memref.load %g[%i] : memref<8xf32>
  %w = arith.addf %v, %x : f32
  memref.store %w, %g[%i] : memref<8xf32>
  return %w : f32
}
"""


SIGNATURE = (f"(%a: {WHOLE}, %b: {WHOLE}, %c: {WHOLE} {{llvm.noalias}}, %x: f32, %y: f32,"
             f" %t: {TENSOR}, %u: {TENSOR}) -> (f32, f32, {TENSOR}, {TENSOR})")


class MemoryProgram:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.count, self.depth = [], 0, 1
        self.scalars = ["%x", "%y"]
        self.buffers = [("%a", WHOLE, N), ("%b", WHOLE, N), ("%c", WHOLE, N)]
        self.tensors = ["%t", "%u"]

    def emit(self, line):
        self.lines.append("  " * self.depth + line)

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def index(self, size=4):
        name = self.name()
        self.emit(f"{name} = arith.constant {self.random.randrange(size)} : index")
        return name

    def scalar(self):
        return self.random.choice(self.scalars[-6:])

    def buffer(self):
        return self.random.choice(self.buffers)

    def alloc(self):
        name = self.name()
        self.emit(f"{name} = memref.alloc() : {WHOLE}")
        self.emit(f"linalg.fill ins({self.scalar()} : f32) outs({name} : {WHOLE})")
        self.buffers.append((name, WHOLE, N))

    def state(self):
        name = self.name()
        self.emit(f"{name} = memref.get_global @state : {WHOLE}")
        self.buffers.append((name, WHOLE, N))

    def view(self):
        source, kind, size = self.buffer()
        if size < 4:
            return
        half = size // 2
        offset, name = self.random.randint(0, half), self.name()
        result = f"memref<{half}xf32, strided<[1], offset: ?>>"
        self.emit(f"{name}_o = arith.constant {offset} : index")
        self.emit(f"{name} = memref.subview {source}[{name}_o] [{half}] [1] :"
                  f" {kind} to {result}")
        self.buffers.append((name, result, half))

    def load(self):
        source, kind, size = self.buffer()
        index, name = self.index(size), self.name()
        self.emit(f"{name} = memref.load {source}[{index}] : {kind}")
        self.scalars.append(name)

    def store(self):
        target, kind, size = self.buffer()
        index = self.index(size)
        self.emit(f"memref.store {self.scalar()}, {target}[{index}] : {kind}")

    def arithmetic(self):
        name = self.name()
        op = self.random.choice(["addf", "subf", "mulf"])
        self.emit(f"{name} = arith.{op} {self.scalar()}, {self.scalar()} : f32")
        self.scalars.append(name)

    def integer(self):
        """Small numbers, divided by what cannot be zero."""
        name = self.name()
        self.emit(f"{name}_i = arith.fptosi {self.scalar()} : f32 to i32")
        self.emit(f"{name}_c = arith.constant 7 : i32")
        self.emit(f"{name}_d = arith.constant {self.random.randint(1, 5)} : i32")
        self.emit(f"{name}_m = arith.remsi {name}_i, {name}_c : i32")
        self.emit(f"{name}_q = arith.divsi {name}_m, {name}_d : i32")
        self.emit(f"{name} = arith.sitofp {name}_q : i32 to f32")
        self.scalars.append(name)

    def copy(self):
        (source, kind, size), (target, other, same) = self.buffer(), self.buffer()
        if size == same and source != target:
            self.emit(f"memref.copy {source}, {target} : {kind} to {other}")

    def on_buffers(self):
        (source, kind, size), (target, other, same) = self.buffer(), self.buffer()
        if size != same or source == target:
            return
        extra = self.random.random() < 0.4
        self.emit("linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,"
                  " affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}"
                  f" ins({source} : {kind}) outs({target} : {other}) {{")
        self.emit("^bb0(%e: f32, %o: f32):")
        self.emit(f"  %k = arith.subf %e, {self.scalar()} : f32")
        self.emit(f"  %l = arith.addf %k, {'%o' if extra else '%e'} : f32")
        self.emit("  linalg.yield %l : f32")
        self.emit("}")

    def on_tensors(self):
        one, two = self.random.choice(self.tensors), self.random.choice(self.tensors)
        name = self.name()
        op = self.random.choice(["sub", "add", "mul"])
        self.emit(f"{name}_e = tensor.empty() : {TENSOR}")
        self.emit(f"{name} = linalg.{op} ins({one}, {two} : {TENSOR}, {TENSOR})"
                  f" outs({name}_e : {TENSOR}) -> {TENSOR}")
        self.tensors.append(name)

    def slice_written(self):
        one, two = self.random.choice(self.tensors), self.random.choice(self.tensors)
        name, half = self.name(), N // 2
        kind = f"tensor<{half}xf32>"
        self.emit(f"{name}_p = tensor.extract_slice {one}"
                  f"[{self.random.randint(0, half)}] [{half}] [1] : {TENSOR} to {kind}")
        self.emit(f"{name} = tensor.insert_slice {name}_p into {two}"
                  f"[{self.random.randint(0, half)}] [{half}] [1] : {kind} into {TENSOR}")
        self.tensors.append(name)

    def diagonal(self):
        """A write of part of a destination."""
        name, square = self.name(), f"tensor<{N}x{N}xf32>"
        one = self.random.choice(self.tensors)
        self.emit(f"{name}_e = tensor.empty() : {square}")
        self.emit(f"{name}_f = linalg.fill ins({self.scalar()} : f32)"
                  f" outs({name}_e : {square}) -> {square}")
        self.emit(f"{name}_g = linalg.fill ins({self.scalar()} : f32)"
                  f" outs({name}_e : {square}) -> {square}")
        self.emit(f"{name}_d = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>,"
                  " affine_map<(i) -> (i, i)>], iterator_types = [\"parallel\"]}"
                  f" ins({one} : {TENSOR})"
                  f" outs({name}_{self.random.choice('fg')} : {square}) {{")
        self.emit("^bb0(%e: f32, %o: f32):")
        self.emit("  linalg.yield %e : f32")
        self.emit(f"}} -> {square}")
        self.emit(f"{name}_s = tensor.extract_slice {name}_d[0, {self.random.randrange(N)}]"
                  f" [{N}, 1] [1, 1] : {square} to {TENSOR}")
        self.emit(f"{name}_h = tensor.empty() : {TENSOR}")
        self.emit(f"{name} = linalg.abs ins({name}_s : {TENSOR}) outs({name}_h : {TENSOR})"
                  f" -> {TENSOR}")
        self.tensors.append(name)

    def element(self):
        index, name = self.index(N), self.name()
        self.emit(f"{name} = tensor.extract {self.random.choice(self.tensors)}"
                  f"[{index}] : {TENSOR}")
        self.scalars.append(name)

    def call(self):
        buffers = [b[0] for b in self.buffers if b[1] == WHOLE]
        name = self.name()
        self.emit(f"{name} = func.call @{self.random.choice(('touch', 'look', 'count'))}"
                  f"({self.random.choice(buffers)}, {self.scalar()}) : ({WHOLE}, f32) -> f32")
        self.scalars.append(name)

    def nested(self, steps, more=()):
        """Runs a few steps inside; what they make is forgotten after."""
        saved = list(self.scalars), list(self.buffers), list(self.tensors)
        self.scalars += more
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.random.choice(steps)()
        end = self.scalar()
        last = self.random.choice(self.tensors)
        self.depth -= 1
        self.scalars, self.buffers, self.tensors = saved
        return end, last

    def simple(self):
        return [self.load, self.store, self.store, self.arithmetic, self.integer,
                self.copy, self.on_buffers, self.view, self.call, self.element]

    def loop(self):
        name = self.name()
        self.emit(f"{name}_l = arith.constant 0 : index")
        self.emit(f"{name}_h = arith.constant {self.random.randint(1, 3)} : index")
        self.emit(f"{name}_s = arith.constant 1 : index")
        self.emit(f"{name}:2 = scf.for {name}_i = {name}_l to {name}_h step {name}_s"
                  f" iter_args({name}_a = {self.scalar()}, {name}_b = {self.scalar()})"
                  " -> (f32, f32) {")
        inner = self.simple() + ([self.branch] if self.depth < 3 else [])
        end, _ = self.nested(inner, [f"{name}_a", f"{name}_b"])
        self.emit(f"  scf.yield {end}, {name}_a : f32, f32")
        self.emit("}")
        self.scalars += [f"{name}#0", f"{name}#1"]

    def branch(self):
        name = self.name()
        self.emit(f"{name}_c = arith.cmpf olt, {self.scalar()}, {self.scalar()} : f32")
        self.emit(f"{name} = scf.if {name}_c -> (f32) {{")
        for end in ("} else {", "}"):
            value, _ = self.nested(self.simple())
            self.emit(f"  scf.yield {value} : f32")
            self.emit(end)
        self.scalars.append(name)

    def many(self):
        """scf.forall: each thread writes one element."""
        name = self.name()
        one, two = self.random.choice(self.tensors), self.random.choice(self.tensors)
        self.emit(f"{name} = scf.forall ({name}_i) in ({N}) shared_outs({name}_o = {one})"
                  f" -> ({TENSOR}) {{")
        kind = "tensor<1xf32>"
        self.emit(f"  {name}_p = tensor.extract_slice {two}[{name}_i] [1] [1] :"
                  f" {TENSOR} to {kind}")
        self.emit(f"  {name}_e = tensor.empty() : {kind}")
        self.emit(f"  {name}_q = linalg.mul ins({name}_p, {name}_p : {kind}, {kind})"
                  f" outs({name}_e : {kind}) -> {kind}")
        self.emit("  scf.forall.in_parallel {")
        self.emit(f"    tensor.parallel_insert_slice {name}_q into {name}_o[{name}_i]"
                  f" [1] [1] : {kind} into {TENSOR}")
        self.emit("  }")
        self.emit("}")
        self.tensors.append(name)

    def text(self):
        steps = self.simple() + [
            self.alloc, self.alloc, self.state, self.view, self.loop, self.branch,
            self.on_tensors, self.on_tensors, self.slice_written, self.diagonal, self.many]
        self.alloc()
        for _ in range(self.random.randint(6, 14)):
            self.random.choice(steps)()
        if self.random.random() < 0.3:
            self.blocks(steps)
        sums = [self.scalars[-1], self.scalar()]
        tensors = [self.tensors[-1], self.random.choice(self.tensors)]
        body = "\n".join(self.lines)
        return (f"module {{{CALLEES}func.func @main{SIGNATURE} {{\n{body}\n"
                f"  return {sums[0]}, {sums[1]}, {tensors[0]}, {tensors[1]} :"
                f" f32, f32, {TENSOR}, {TENSOR}\n}}\n}}\n")

    def blocks(self, steps):
        """The rest in blocks of its own: one or the other, and then both."""
        name = self.name()
        self.emit(f"{name}_c = arith.cmpf olt, {self.scalar()}, {self.scalar()} : f32")
        self.emit(f"cf.cond_br {name}_c, ^one, ^two")
        for label in ("one", "two"):
            self.lines.append(f"^{label}:")
            end, _ = self.nested(steps)
            self.emit(f"cf.br ^last({end} : f32)")
        self.lines.append(f"^last({name}: f32):")
        self.scalars.append(name)
        for _ in range(3):
            self.random.choice(steps)()
