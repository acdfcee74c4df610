"""Random programs on memory: loops that keep their states on a tape, and loops that
read them backwards. `pebble-raise-loops` makes a loop and its adjoint of the two.
"""

from dataclasses import dataclass

from random_memory import Tensor
from random_memory_numbers import FLOATS
from random_memory_state import State


@dataclass(frozen=True)
class Pair:
    """What the two loops step, and the tape between them."""
    element: str
    shape: tuple  # empty: numbers
    length: int
    in_memory: bool
    bounds: str = ""
    last: str = ""
    weight: str = ""

    @property
    def kind(self):
        return f"tensor<{self.sizes}{self.element}>" if self.shape else self.element

    @property
    def sizes(self):
        return "".join(f"{s}x" for s in self.shape)

    @property
    def tape(self):
        return f"{'memref' if self.in_memory else 'tensor'}<{self.length}x{self.sizes}{self.element}>"

    @property
    def slot(self):
        """The type of a state in memory."""
        strides, stride = [], 1
        for size in reversed(self.shape):
            strides.insert(0, stride)
            stride *= size
        return f"memref<{self.sizes}{self.element}, strided<{strides}, offset: ?>>"

    def place(self, step):
        """The slice of the tape that belongs to a step."""
        rest = len(self.shape)
        return (f"[{', '.join([step] + ['0'] * rest)}] [{', '.join(map(str, (1, *self.shape)))}] "
                f"[{', '.join(['1'] * (rest + 1))}]")


class Loops(State):

    def loop_pair(self):
        self.kinds.add("loop and adjoint")
        shape = self.random.choice(((), (4,), (8,), (4, 4), (256,)))
        steps = self.random.choice((0, 1, 2, 3, 5, 7, 10, 12))
        pair = Pair(self.random.choice(("f32", "f32", "f64", "i32")), shape, max(1, steps),
                    not shape or self.chance(0.5))
        if self.four is not None and self.chance(0.6):
            self.kinds.add("loop and adjoint of unknown length")
            count = self.value(f"arith.addi {self.four}, {self.constant('index', steps - 4)} : index")
        else:
            count = self.constant("index", steps)
        zero, one = self.constant("index", 0), self.constant("index", 1)
        last = self.value(f"arith.subi {count}, {one} : index")
        weight = self.small(pair, self.start(pair))
        pair = Pair(pair.element, shape, pair.length, pair.in_memory, f"{zero} to {count} step {one}", last, weight)
        # What the second loop begins with is mostly there before the first one runs.
        begins = [self.start(pair) for _ in range(2)] if self.chance(0.7) else None
        tape = self.value(f"{'memref.alloc' if pair.in_memory else 'tensor.empty'}() : {pair.tape}", "m")
        final, filled = self.forward(pair, tape)
        if self.chance(0.3):
            self.simple()
        begins = begins or [self.start(pair) for _ in range(2)]
        self.backward(pair, filled, [begins[0] if self.chance(0.4) else final, begins[1]])
        if pair.in_memory and self.chance(0.5):
            self.emit(f"memref.dealloc {tape} : {pair.tape}")

    def start(self, pair):
        return self.tensor(pair.shape, pair.element).name if pair.shape else self.scalar(pair.element)

    def hand_on(self, pair, name):
        if pair.shape:
            self.known(Tensor(name, pair.element, pair.shape))
        else:
            self.scalars.append((name, pair.element))

    # The arithmetic of the steps keeps floats below eight.

    def arithmetic(self, pair, op, a, b):
        return self.value(f"arith.{op}{'f' if pair.element in FLOATS else 'i'} {a}, {b} : {pair.kind}", "t")

    def small(self, pair, a):
        """A small part of a value."""
        number = "0.03125" if pair.element in FLOATS else "3"
        text = f"dense<{number}>" if pair.shape else number
        return self.arithmetic(pair, "mul", a, self.value(f"arith.constant {text} : {pair.kind}", "k"))

    def numbered(self, pair, step, a):
        """Something that depends on the number of the step as well."""
        number = self.convert(step, "index", pair.element)
        if pair.shape:
            empty = self.value(f"tensor.empty() : {pair.kind}", "t")
            number = self.value(f"linalg.fill ins({number} : {pair.element}) outs({empty} : {pair.kind}) "
                                f"-> {pair.kind}", "t")
        return self.arithmetic(pair, "add", self.small(pair, number), a)

    # The loops.

    def forward(self, pair, tape):
        """The last state, and the tape."""
        name, iv, state, old = self.name("r"), self.name("i"), self.name("c"), self.name("c")
        begin = self.start(pair)
        uses_step, squares, calls = self.chance(0.3), self.chance(0.6), self.chance(0.06)
        if pair.in_memory:
            head, kinds, result = f"{state} = {begin}", pair.kind, name
        else:
            head, kinds = f"{state} = {begin}, {old} = {tape}", f"{pair.kind}, {pair.tape}"
            result = f"{name}:2"
        self.emit(f"{result} = scf.for {iv} = {pair.bounds} iter_args({head}) -> ({kinds}) {{")

        def work():
            ends = []
            if pair.in_memory:
                self.keep_in_memory(pair, tape, iv, state)
            else:
                ends.append(self.value(f"tensor.insert_slice {state} into {old}{pair.place(iv)} : {pair.kind} "
                                       f"into {pair.tape}", "t"))
            new = self.arithmetic(pair, "mul", pair.weight, state)
            if squares:
                square = self.arithmetic(pair, "mul", self.small(pair, state), state)
                new = self.arithmetic(pair, "add", new, square)
            if uses_step:
                new = self.numbered(pair, iv, self.half(pair, new))
            if calls:
                # Such a step must not run again.
                self.hidden()
            self.emit(f"scf.yield {', '.join([new, *ends])} : {kinds}")
        self.looped(work)
        self.emit("}")
        final = name if pair.in_memory else f"{name}#0"
        self.hand_on(pair, final)
        return final, tape if pair.in_memory else f"{name}#1"

    def half(self, pair, a):
        if pair.element not in FLOATS:
            return a
        text = "dense<0.5>" if pair.shape else "0.5"
        return self.arithmetic(pair, "mul", a, self.value(f"arith.constant {text} : {pair.kind}", "k"))

    def keep_in_memory(self, pair, tape, step, state):
        if not pair.shape:
            self.emit(f"memref.store {state}, {tape}[{step}] : {pair.tape}")
            return
        slot = self.value(f"memref.subview {tape}{pair.place(step)} : {pair.tape} to {pair.slot}", "s")
        self.emit(f"bufferization.materialize_in_destination {state} in restrict writable {slot} : "
                  f"({pair.kind}, {pair.slot}) -> ()")

    def read_tape(self, pair, tape, step):
        if not pair.shape:
            return self.value(f"memref.load {tape}[{step}] : {pair.tape}", "l")
        if not pair.in_memory:
            return self.value(f"tensor.extract_slice {tape}{pair.place(step)} : {pair.tape} to {pair.kind}", "t")
        slot = self.value(f"memref.subview {tape}{pair.place(step)} : {pair.tape} to {pair.slot}", "s")
        return self.value(f"bufferization.to_tensor {slot} restrict : {pair.slot} to {pair.kind}", "t")

    def backward(self, pair, tape, begins):
        """Steps the adjoint of the state and, mostly, a gradient."""
        name, iv, grows = self.name("r"), self.name("i"), self.chance(0.7)
        args = [self.name("c") for _ in range(1 + grows)]
        uses_step = self.chance(0.3)
        kinds = ", ".join([pair.kind] * len(args))
        pairs = ", ".join(f"{a} = {s}" for a, s in zip(args, begins))
        self.emit(f"{name}:{len(args)} = scf.for {iv} = {pair.bounds} iter_args({pairs}) -> ({kinds}) {{")

        def work():
            step = self.value(f"arith.subi {pair.last}, {iv} : index")
            state = self.read_tape(pair, tape, step)
            product = self.arithmetic(pair, "mul", self.small(pair, state), args[0])
            new = self.arithmetic(pair, "add", self.arithmetic(pair, "mul", pair.weight, args[0]), product)
            if uses_step:
                new = self.numbered(pair, self.random.choice((iv, step)), self.half(pair, new))
            ends = [new]
            if grows:
                ends.append(self.arithmetic(pair, "add", self.half(pair, args[1]), product))
            self.emit(f"scf.yield {', '.join(ends)} : {kinds}")
        self.looped(work)
        self.emit("}")
        for i in range(len(args)):
            self.hand_on(pair, f"{name}#{i}")
