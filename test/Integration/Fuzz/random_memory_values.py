"""Random programs on memory: regions and calls that hand on numbers and tensors, and
operations that use what stands around them."""

from dataclasses import replace

from random_memory import Tensor
from random_memory_steps import Steps, dims

WHOLE = "memref<8xf32>"

# Functions of one type, so that one may be taken for another.
FUNCTIONS = """
memref.global "private" @state : memref<8xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>
func.func private @touch(%m: memref<8xf32>, %x: f32) -> f32 {
  %i = arith.constant 1 : index
  %j = arith.constant 2 : index
  %v = memref.load %m[%i] : memref<8xf32>
  memref.store %x, %m[%j] : memref<8xf32>
  return %v : f32
}
func.func private @look(%m: memref<8xf32>, %x: f32) -> f32 {
  %i = arith.constant 3 : index
  %v = memref.load %m[%i] : memref<8xf32>
  %w = arith.maximumf %v, %x : f32
  return %w : f32
}
func.func private @swap(%m: memref<8xf32>, %x: f32) -> f32 {
  %g = memref.get_global @state : memref<8xf32>
  %i = arith.constant 0 : index
  %v = memref.load %g[%i] : memref<8xf32>
  memref.store %x, %g[%i] : memref<8xf32>
  return %v : f32
}"""


class Values(Steps):
    """Needs `nested`, `looped` and `trips` of a class that has regions."""

    # How often such steps come; none, so that programs of fuzz-memory.py stay the same.
    value_odds = 0

    def division(self):
        """Small numbers, divided by what cannot be zero."""
        few = self.value(f"arith.remsi {self.scalar('i32')}, {self.constant('i32', 7)} : i32")
        by = self.constant("i32", self.random.randint(1, 5))
        self.scalars.append((self.value(f"arith.divsi {few}, {by} : i32"), "i32"))

    def captured(self):
        """An operation on a buffer whose payload uses a number from outside."""
        target = self.pick(writable=True)
        source, number = self.operand(target), self.scalar(target.element)
        rank, element = len(target.shape), target.element
        a, b = self.name("a"), self.name("a")
        same = f"affine_map<({dims(rank)}) -> ({dims(rank)})>"
        iterators = ", ".join(['"parallel"'] * rank)
        self.emit(f"linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{iterators}]}} "
                  f"ins({source.name} : {source.type}) outs({target.name} : {target.type}) {{")
        self.emit(f"^bb0({a}: {element}, {b}: {element}):")
        with self.region():
            total = self.combine(element, self.random.choice((a, b)), number)
            self.emit(f"linalg.yield {total} : {element}")
        self.emit("}")

    def number_loop(self):
        """A loop that carries numbers which change places."""
        start = [self.scalar("f32"), self.scalar("f32")]
        name, iv, args = self.name("r"), self.name("i"), [self.name("c"), self.name("c")]
        self.emit(f"{name}:2 = scf.for {iv} = {self.size(0)} to {self.size(self.trips())} step "
                  f"{self.constant('index', 1)} iter_args({args[0]} = {start[0]}, {args[1]} = {start[1]}) "
                  "-> (f32, f32) {")

        def work():
            self.scalars += [(iv, "index"), (args[0], "f32"), (args[1], "f32")]
            self.body(2)
            ends = [self.scalar("f32"), self.random.choice(args)]
            self.random.shuffle(ends)
            self.emit(f"scf.yield {', '.join(ends)} : f32, f32")
        self.looped(work)
        self.emit("}")
        self.scalars += [(f"{name}#0", "f32"), (f"{name}#1", "f32")]

    def number_branch(self):
        name = self.name("p")
        self.emit(f"{name} = scf.if {self.condition()} -> (f32) {{")

        def side():
            self.body(2)
            self.emit(f"scf.yield {self.scalar('f32')} : f32")
        self.nested(side)
        self.emit("} else {")
        self.nested(side)
        self.emit("}")
        self.scalars.append((name, "f32"))

    def threads(self):
        """Each thread puts one element into a tensor."""
        self.kinds.add("scf.forall on tensors")
        whole = self.tensor((8,), "f32")
        other = self.tensor((8,), "f32")
        one = Tensor("", "f32", (1,))
        name, iv, out = self.name("r"), self.name("i"), self.name("c")
        self.emit(f"{name} = scf.forall ({iv}) in (8) shared_outs({out} = {whole.name}) -> ({whole.type}) {{")

        def work():
            part = self.value(f"tensor.extract_slice {other.name}[{iv}] [1] [1] : {other.type} to {one.type}", "t")
            empty = self.value(f"tensor.empty() : {one.type}", "t")
            new = self.value(f"linalg.{self.random.choice(('max', 'min'))} ins({part}, {part} : {one.type}, "
                             f"{one.type}) outs({empty} : {one.type}) -> {one.type}", "t")
            self.emit("scf.forall.in_parallel {")
            self.emit(f"  tensor.parallel_insert_slice {new} into {out}[{iv}] [1] [1] : {one.type} into {whole.type}")
            self.emit("}")
        self.nested(work)
        self.emit("}")
        self.known(replace(whole, name=name))

    def number_call(self):
        target = self.pick("f32", shape=(8,), test=lambda b: b.type == WHOLE and b.writable)
        if target is None:
            target = self.allocate("f32", (8,))
        if target.type != WHOLE:
            return
        word = "func.call" if self.nesting else "call"
        name = self.value(f"{word} @{self.random.choice(('touch', 'look', 'swap'))}({target.name}, "
                          f"{self.scalar('f32')}) : ({WHOLE}, f32) -> f32", "q")
        self.scalars.append((name, "f32"))

    def value_step(self):
        ways = [self.division, self.captured, self.number_call]
        if self.nesting < 2:
            ways += [self.number_loop, self.number_branch, self.threads]
        self.random.choice(ways)()
