"""A random program on tensors, for fuzz-programs.py.

Shaped like a training step, since that is where schedules matter: large values
are made of small ones, and many of them are read once more, late and in the
reverse order. Everything else is drawn: element-wise operations, reductions,
matmuls, views, slices that are written, destinations and fills that several
operations share, operations on donated arguments in place, operations with two
results, loops that carry tensors, and branches. The same seed gives the same
program. All numbers stay small, so that no result is infinite or NaN.
"""

import os
import random
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from linalg_program import Function, Value, tensor, type_of  # noqa: E402

N = 16
NARROW, WIDE, FLAT, CUBE = (N,), (N, N), (N * N,), (4, 4, N)
SHAPES = (NARROW, WIDE, FLAT, CUBE)
LETTERS = {1: "a", 2: "ab", 3: "abc"}


class RandomProgram:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.f = Function("main")
        self.count = 0
        self.values = []  # in the order in which they are made
        self.weights = []  # donated arguments, not yet overwritten
        self.shared = {}  # shape -> names of a destination and of a fill
        self.updated = []
        self.kinds = set()
        self.depth = 0

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def chance(self, probability):
        return self.random.random() < probability

    def emit(self, line):
        self.f.lines.append(line)

    def keep(self, value):
        self.values.append(value)
        return value

    # Choosing operands.

    def pick(self, shape=None):
        """A value, late ones more often; made if there is none of the shape."""
        found = [v for v in self.values if shape is None or v.shape == shape]
        if not found:
            return self.change_shape(self.random.choice(self.values), shape)
        back = min(int(self.random.expovariate(0.4)), len(found) - 1)
        return found[-1 - back]

    def change_shape(self, value, shape):
        """`value` broadcast, reduced or reshaped to `shape`."""
        if value.shape == shape:
            return value
        if value.shape == NARROW:
            wide = self.broadcast(value)
            return wide if shape == WIDE else self.reshape(wide, shape)
        if shape == NARROW:
            wide = value if value.shape == WIDE else self.reshape(value, WIDE)
            return self.reduce(wide)
        return self.reshape(value, shape)

    def reshape(self, value, shape):
        self.kinds.add("view")
        ranks = len(value.shape), len(shape)
        if ranks[0] != 1 and ranks[1] != 1:
            value, ranks = self.reshape(value, FLAT), (1, ranks[1])
        groups = "[[" + ", ".join(str(i) for i in range(max(ranks))) + "]]"
        make = self.f.expand if ranks[0] < ranks[1] else self.f.collapse
        return self.keep(make(self.name(), value, groups, shape))

    # Destinations.

    def shared_destination(self, shape, filled):
        """A tensor.empty or a fill that several operations name."""
        if self.depth:
            return None
        if shape not in self.shared:
            kind, name = tensor(shape), self.name()
            self.emit(f"%{name}_to = tensor.empty() : {kind}")
            self.emit(f"%{name}_zero = arith.constant 0.0 : f32")
            self.emit(f"%{name}_fill = linalg.fill ins(%{name}_zero : f32)"
                      f" outs(%{name}_to : {kind}) -> {kind}")
            self.shared[shape] = (Value(f"{name}_to", shape, "f32", self.f),
                                  Value(f"{name}_fill", shape, "f32", self.f))
        self.kinds.add("shared destination")
        return self.shared[shape][1 if filled else 0]

    # Operations; each returns a value that it has kept.

    def bounded(self, s, x):
        op = self.random.choice(["sin", "cos", "tanh"])
        return s.call(op, x)

    def combine(self, s, x, y):
        op = self.random.choice([s.sum, s.difference, s.product, s.maximum])
        return op(x, y)

    def elementwise(self):
        shape = self.random.choice(SHAPES + (WIDE,) * 4)
        operands = [self.pick(shape) for _ in range(self.random.choice((1, 2)))]
        if self.chance(0.3):  # on whole tensors, without a destination
            name, kind = self.name(), tensor(shape)
            names = [self.f.use(v) for v in operands]
            if len(names) == 1:
                op = self.random.choice(["math.sin", "math.tanh", "math.cos"])
                self.emit(f"%{name} = {op} {names[0]} : {kind}")
            else:
                op = self.random.choice(["addf", "subf", "mulf", "maximumf"])
                self.emit(f"%{name} = arith.{op} {', '.join(names)} : {kind}")
            return self.keep(Value(name, shape, "f32", self.f))
        letters = LETTERS[len(shape)]
        over = self.shared_destination(shape, False) if self.chance(0.3) else None

        def body(s, x, *rest):
            y = rest[0] if len(operands) == 2 else s.constant(0.75)
            return self.bounded(s, self.combine(s, x, y))
        return self.keep(self.f.generic(
            self.name(), [(v, letters) for v in operands], letters, body,
            over=over))

    def broadcast(self, value=None):
        value = value or self.pick(NARROW)
        place = self.random.choice("ab")
        return self.keep(self.f.generic(
            self.name(), [(value, place)], "ab",
            lambda s, x: self.bounded(s, s.sum(x, s.product(
                s.add(f"arith.uitofp {s.add(f'arith.index_cast {s.index(0)} : index to i32')}"
                      " : i32 to f32"), 0.125))),
            sizes={"a": N, "b": N}))

    def reduce(self, wide=None):
        wide = wide or self.pick(WIDE)
        kept, gone = self.random.choice(["ab", "ba"])
        return self.keep(self.f.generic(
            self.name(), [(wide, "ab")], kept,
            lambda s, x, old: s.sum(old, s.product(x, 0.0625)), init=0.0,
            reduced=gone))

    def matmul(self):
        a, b = self.pick(WIDE), self.pick(WIDE)
        fill = self.shared_destination(WIDE, True) if self.chance(0.5) else None
        if fill is None:
            return self.keep(self.f.matmul(self.name(), a, b))
        name, kind = self.name(), tensor(WIDE)
        self.emit(f"%{name} = linalg.matmul ins({self.f.list([a, b])})"
                  f" outs({self.f.use(fill)} : {kind}) -> {kind}")
        return self.keep(Value(name, WIDE, "f32", self.f))

    def transpose(self):
        return self.keep(self.f.transpose(self.name(), self.pick(WIDE), "ab",
                                          "ba"))

    def two_results(self):
        """One operation that returns a wide value and its row sums."""
        self.kinds.add("several results")
        x, name = self.pick(WIDE), self.name()
        wide, narrow = tensor(WIDE), tensor(NARROW)
        self.emit(f"%{name}_to = tensor.empty() : {wide}")
        self.emit(f"%{name}_row = tensor.empty() : {narrow}")
        self.emit(f"%{name}_zero = arith.constant 0.0 : f32")
        self.emit(f"%{name}_sum = linalg.fill ins(%{name}_zero : f32)"
                  f" outs(%{name}_row : {narrow}) -> {narrow}")
        self.emit(
            f"%{name}:2 = linalg.generic {{indexing_maps = ["
            "affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>,"
            " affine_map<(a, b) -> (a)>], iterator_types ="
            f" [\"parallel\", \"reduction\"]}} ins({self.f.list([x])})"
            f" outs(%{name}_to, %{name}_sum : {wide}, {narrow}) {{")
        self.emit("^bb0(%e0: f32, %e1: f32, %e2: f32):")
        self.emit("  %s0 = math.sin %e0 : f32")
        self.emit("  %s1 = arith.addf %e2, %s0 : f32")
        self.emit("  linalg.yield %s0, %s1 : f32, f32")
        self.emit(f"}} -> ({wide}, {narrow})")
        self.keep(Value(f"{name}#0", WIDE, "f32", self.f))
        return self.keep(Value(f"{name}#1", NARROW, "f32", self.f))

    def slice_bounds(self, shape):
        """Offsets, sizes and strides of a slice that keeps the rank."""
        offsets, sizes, strides = [], [], []
        for size in shape:
            stride = self.random.choice((1, 1, 2))
            most = max(1, size // stride // 2)
            count = self.random.randint(1, most)
            offsets.append(self.random.randint(0, size - (count - 1) * stride - 1))
            sizes.append(count)
            strides.append(stride)
        return f"{offsets} {sizes} {strides}", tuple(sizes)

    def extract(self, source, bounds, sizes):
        self.kinds.add("view")
        name = self.name()
        self.emit(f"%{name} = tensor.extract_slice {self.f.use(source)}{bounds}"
                  f" : {type_of(source)} to {tensor(sizes)}")
        return Value(name, sizes, "f32", self.f)

    def write_slice(self):
        """Part of one value, changed, put into another."""
        self.kinds.add("slice written")
        target = self.pick(self.random.choice((NARROW, WIDE, CUBE)))
        source = self.pick(target.shape)
        bounds, sizes = self.slice_bounds(target.shape)
        part = self.extract(source, bounds, sizes)
        letters = LETTERS[len(sizes)]
        if self.chance(0.7):
            part = self.f.generic(self.name(), [(part, letters)], letters,
                                  lambda s, x: self.bounded(s, s.sum(x, 0.5)))
        if self.chance(0.5):
            bounds, _ = self.moved(bounds, target.shape, sizes)
        name, kind = self.name(), type_of(target)
        self.emit(f"%{name} = tensor.insert_slice {self.f.use(part)} into"
                  f" {self.f.use(target)}{bounds} : {type_of(part)} into {kind}")
        return self.keep(Value(name, target.shape, "f32", self.f))

    def moved(self, bounds, shape, sizes):
        offsets = [self.random.randint(0, size - count)
                   for size, count in zip(shape, sizes)]
        return f"{offsets} {list(sizes)} {[1] * len(sizes)}", sizes

    def on_top(self, value, operand):
        """Overwrites `value` with what depends on its old content."""
        self.kinds.add("in place")
        letters = LETTERS[len(value.shape)]
        rate = self.random.choice((0.125, 0.25, 0.5))
        return self.keep(self.f.generic(
            self.name(), [(operand, letters)], letters,
            lambda s, x, old: s.difference(s.product(old, 0.875),
                                           s.product(x, rate)), over=value))

    def in_place(self):
        value = self.pick(self.random.choice(SHAPES))
        return self.on_top(value, self.pick(value.shape))

    def update_weight(self):
        """An argument that is given away, overwritten: what read it before must
        stay before."""
        weight = self.weights.pop(self.random.randrange(len(self.weights)))
        new = self.on_top(weight, self.pick(weight.shape))
        # Who reads the old content from here on gets a copy.
        if self.chance(0.9) and weight in self.values:
            self.values.remove(weight)
        self.updated.append(new)
        return new

    def nested(self, body):
        """The lines that `body` emits, indented, and what it returns. Values made
        in there cannot be used outside."""
        outer, values, weights = self.f.lines, list(self.values), self.weights
        self.f.lines, self.weights = [], []
        self.depth += 1
        result = body()
        self.depth -= 1
        lines, self.f.lines = self.f.lines, outer
        self.values, self.weights = values, weights
        return ["  " + line for line in lines], result

    def loop(self):
        """A loop that carries one or two tensors and reads others."""
        self.kinds.add("loop")
        shape = self.random.choice((NARROW, WIDE))
        count = self.random.choice((1, 1, 2))
        starts = [self.pick(shape) for _ in range(count)]
        name, kind = self.name(), tensor(shape)
        carried = [Value(f"{name}_c{i}", shape, "f32", self.f)
                   for i in range(count)]

        def body():
            self.values += carried
            for _ in range(self.random.randint(0, 2)):
                self.step((self.elementwise, self.reduce, self.write_slice))
            return [self.on_top(c, self.pick(shape)) for c in carried]
        lines, ends = self.nested(body)
        trips = self.random.randint(0, 3)
        if not trips:
            self.kinds.add("loop that never runs")
        self.emit(f"%{name}_low = arith.constant 0 : index")
        self.emit(f"%{name}_high = arith.constant {trips} : index")
        self.emit(f"%{name}_step = arith.constant 1 : index")
        pairs = ", ".join(f"%{c.name} = {self.f.use(s)}"
                          for c, s in zip(carried, starts))
        result = f"%{name}" if count == 1 else f"%{name}:{count}"
        self.emit(f"{result} = scf.for %{name}_i = %{name}_low to %{name}_high"
                  f" step %{name}_step iter_args({pairs}) ->"
                  f" ({', '.join([kind] * count)}) {{")
        self.f.lines += lines
        self.emit(f"  scf.yield {self.f.list(ends)}")
        self.emit("}")
        return [self.keep(Value(f"{name}#{i}" if count > 1 else name, shape,
                                "f32", self.f)) for i in range(count)][-1]

    def branch(self):
        """A branch on an element; each side makes its value."""
        self.kinds.add("branch")
        shape, name = self.random.choice((NARROW, WIDE)), self.name()
        kind, tested = tensor(shape), self.pick(NARROW)
        self.emit(f"%{name}_at = arith.constant {self.random.randrange(N)} : index")
        self.emit(f"%{name}_e = tensor.extract {self.f.use(tested)}[%{name}_at] :"
                  f" {type_of(tested)}")
        self.emit(f"%{name}_limit = arith.constant 0.25 : f32")
        self.emit(f"%{name}_is = arith.cmpf olt, %{name}_e, %{name}_limit : f32")

        def side():
            if self.chance(0.3):
                return self.pick(shape)
            self.step((self.elementwise, self.reduce, self.in_place))
            return self.pick(shape)
        self.f.lines.append(f"%{name} = scf.if %{name}_is -> ({kind}) {{")
        for end in ("} else {", "}"):
            lines, value = self.nested(side)
            self.f.lines += lines
            self.emit(f"  scf.yield {self.f.list([value])}")
            self.emit(end)
        return self.keep(Value(name, shape, "f32", self.f))

    def element(self):
        """One element of a value, written into another."""
        self.kinds.add("slice written")
        source, target, name = self.pick(NARROW), self.pick(NARROW), self.name()
        self.emit(f"%{name}_i = arith.constant {self.random.randrange(N)} : index")
        self.emit(f"%{name}_e = tensor.extract {self.f.use(source)}[%{name}_i] :"
                  f" {type_of(source)}")
        self.emit(f"%{name} = tensor.insert %{name}_e into"
                  f" {self.f.use(target)}[%{name}_i] : {type_of(target)}")
        return self.keep(Value(name, NARROW, "f32", self.f))

    # The program.

    def step(self, operations, weights=None):
        return self.random.choices(operations, weights)[0]()

    def backward(self):
        """Reads what was made once more, latest first, into one small value."""
        state = self.pick(NARROW)
        for value in reversed(list(self.values)):
            if not self.chance(0.25 if value.shape == NARROW else 0.8):
                continue
            part = self.change_shape(value, NARROW) if value.shape in SHAPES \
                else state
            state = self.keep(self.f.generic(
                self.name(), [(state, "a"), (part, "a")], "a",
                lambda s, x, y: s.call("tanh", s.sum(x, s.product(y, 0.5)))))
            if self.weights and self.chance(0.3):
                self.update_weight()
        return state

    def text(self):
        for i in range(self.random.randint(1, 3)):
            self.keep(self.f.argument(f"x{i}", self.random.choice(
                (NARROW, NARROW, NARROW, WIDE))))
        for i in range(self.random.randint(1, 3)):
            weight = self.f.argument(
                f"w{i}", self.random.choice((NARROW, NARROW, WIDE)),
                attributes="pebble.donated")
            self.weights.append(self.keep(weight))
        menu = [(self.elementwise, 6), (self.broadcast, 8), (self.reduce, 2),
                (self.matmul, 2), (self.transpose, 2), (self.two_results, 1),
                (self.write_slice, 2), (self.element, 1), (self.in_place, 2),
                (self.loop, 1), (self.branch, 1)]
        operations, odds = zip(*menu)
        for _ in range(self.random.randint(5, 10)):
            self.step(operations, odds)
            if self.weights and self.chance(0.1):
                self.update_weight()
        result = self.backward()
        while self.weights and self.chance(0.7):
            self.update_weight()
        results = [result] + self.updated
        if self.chance(0.3):
            results.append(self.pick())
        results = list(dict.fromkeys(results))
        if len(results) > 1:
            self.kinds.add("several results")
        return "module {\n" + self.f.text(results) + "\n}\n"
