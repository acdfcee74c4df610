"""Random programs on memory: control flow, functions, and whole modules.

Buffers change places in loops, are picked by branches inside of branches, go
through functions that hand back their arguments, and are written through one name
and read through another.
"""

from dataclasses import replace
from random import Random

from random_memory import Buffer, Tensor, product
from random_memory_loops import Loops
from random_memory_numbers import COMPLEX, ELEMENTS, FLOATS
from random_memory_steps import TENSORS
from random_memory_values import FUNCTIONS
from upstream import nested

ARGUMENTS = ("f32", "f32", "f32", "f32", "i32", "i32", *ELEMENTS)


class Flow(Loops):

    def body(self, most=3, depth=2):
        for _ in range(self.random.randint(1, most)):
            if self.nesting < depth and self.chance(0.25):
                self.control()
            else:
                self.simple()

    nesting = 0

    def nested(self, work):
        """The body of a region, deeper by one."""
        self.nesting += 1
        with self.region():
            result = work()
        self.nesting -= 1
        return result

    def looped(self, work):
        kept, self.in_loop = self.in_loop, True
        result = self.nested(work)
        self.in_loop = kept
        return result

    def trips(self):
        return self.random.choice((0, 1, 2, 2, 3, 4))

    def like(self, buffer, roots=None):
        """Another buffer of the same type and sizes."""
        found = self.pick(test=lambda b: b.may_be(buffer) and b.writable and b.name != buffer.name)
        if found is None:
            found = self.allocate(buffer.element, buffer.shape)
            if found.type != buffer.type:
                return buffer
        return found

    def carried(self):
        """Buffers of one type that a loop carries, and one that may join them."""
        first = self.pick(writable=True)
        if self.chance(0.3):
            first = self.view(first)
        group = [first] + [self.like(first) for _ in range(self.random.choice((0, 1, 1, 2)))]
        other = self.like(first)
        roots = frozenset().union(other.roots, *(b.roots for b in group))
        return group, other, roots

    def swap(self, names, other):
        """What the next iteration gets: mostly the same in another order."""
        ends = list(names)
        if self.chance(0.7):
            self.random.shuffle(ends)
            ends = ends[1:] + ends[:1]
        odds = self.random.random()
        if odds < 0.3:
            ends[self.random.randrange(len(ends))] = other.name
        elif odds < 0.42:
            ends[self.random.randrange(len(ends))] = self.fresh(other)
        return ends

    def fresh(self, buffer):
        """A new buffer of the same type, which outlives the region that it is made
        in; otherwise the buffer itself."""
        kept, self.dynamic_allocations = self.dynamic_allocations, False
        found = self.allocate(buffer.element, buffer.shape, keep=False)
        self.dynamic_allocations = kept
        if found.type != buffer.type:
            self.keep(found)
            return buffer.name
        self.kinds.add("buffer that outlives its region")
        return found.name

    def loop(self):
        """scf.for or affine.for that carries buffers which change places."""
        affine = self.chance(0.25)
        self.kinds.add("affine.for" if affine else "scf.for")
        group, other, roots = self.carried()
        trips, low, step = self.trips(), 0, 1
        if self.chance(0.2):
            low, step = 1, 2
        name, iv = self.name("r"), self.name("i")
        args = [self.name("c") for _ in group]
        kinds = ", ".join(b.type for b in group)
        pairs = ", ".join(f"{a} = {b.name}" for a, b in zip(args, group))
        result = name if len(group) == 1 else f"{name}:{len(group)}"
        bounds = f"{low} to {low + trips * step} step {step}"
        if not affine:
            bounds = (f"{self.size(low)} to {self.size(low + trips * step)} "
                      f"step {self.constant('index', step)}")
        self.emit(f"{result} = {'affine' if affine else 'scf'}.for {iv} = {bounds} "
                  f"iter_args({pairs}) -> ({kinds}) {{")

        def work():
            self.scalars.append((iv, "index"))
            for arg, buffer in zip(args, group):
                self.keep(replace(buffer, name=arg, roots=roots))
            self.body()
            if group[0].count:
                self.store(replace(group[0], name=args[-1], roots=roots))
            ends = self.swap(args, other)
            self.emit(f"{'affine' if affine else 'scf'}.yield {', '.join(ends)} : {kinds}")
        self.looped(work)
        self.emit("}")
        self.results(name, group, roots)

    def results(self, name, group, roots):
        for i, buffer in enumerate(group):
            self.keep(replace(buffer, roots=roots, name=name if len(group) == 1 else f"{name}#{i}"))

    def while_loop(self):
        """scf.while; what is handed on may change places between its regions too."""
        self.kinds.add("scf.while")
        group, other, roots = self.carried()
        name, iv, inner = self.name("r"), self.name("i"), self.name("i")
        before, after = ([self.name("c") for _ in group] for _ in range(2))
        # A tensor beside them, made anew or handed on; drawn apart, so that other
        # programs stay the same.
        side = Random("\n".join(self.lines[-9:]))
        tensor = side.choice(self.tensors[-4:]) if self.tensors and side.random() < 0.5 else None
        carried = [*group, tensor] if tensor else group
        if tensor:
            self.kinds.add("scf.while with tensors and buffers")
            before.append(self.name("c"))
            after.append(self.name("c"))
        types = ", ".join(b.type for b in carried)
        start, limit = self.constant("index", 0), self.size(self.trips())
        pairs = ", ".join([f"{iv} = {start}"] + [f"{a} = {b.name}" for a, b in zip(before, carried)])
        self.emit(f"{name}:{len(carried) + 1} = scf.while ({pairs}) : (index, {types}) -> (index, {types}) {{")

        def ends(names):
            swapped = self.swap(names[:len(group)], other)
            return ", ".join(swapped + [self.next_of(names[-1], tensor, side)] if tensor else swapped)

        def head():
            self.scalars.append((iv, "index"))
            for arg, buffer in zip(before, group):
                self.keep(replace(buffer, name=arg, roots=roots))
            if self.chance(0.4):
                self.simple()
            test = self.value(f"arith.cmpi ult, {iv}, {limit} : index")
            self.emit(f"scf.condition({test}) {iv}, {ends(before)} : index, {types}")
        self.looped(head)
        self.emit("} do {")
        self.emit(f"^bb0({', '.join([f'{inner}: index'] + [f'{a}: {b.type}' for a, b in zip(after, carried)])}):")

        def work():
            self.scalars.append((inner, "index"))
            for arg, buffer in zip(after, group):
                self.keep(replace(buffer, name=arg, roots=roots))
            self.body(2)
            one = self.constant("index", 1)
            more = self.value(f"arith.addi {inner}, {one} : index")
            self.emit(f"scf.yield {more}, {ends(after)} : index, {types}")
        self.looped(work)
        self.emit("}")
        for i, buffer in enumerate(group):
            self.keep(replace(buffer, roots=roots, name=f"{name}#{i + 1}"))
        if tensor:
            self.known(replace(tensor, name=f"{name}#{len(carried)}"))

    def next_of(self, name, first, side):
        """What a loop hands on of a tensor: the same, or one made of it. (Where it hands
        on the one that it began with, upstream writes into that.)"""
        if side.random() < 0.4 or first.element not in ("f32", "f64", "i32", "i64"):
            return name
        op = "maximumf" if first.element in FLOATS else "xori"
        return self.value(f"arith.{op} {name}, {first.name} : {first.type}", "t")

    def picked(self, options, depth=0):
        """One of some buffers of a type, by branches inside of branches. What a
        region allocates may be picked as well."""
        kind = options[0].type
        name = self.name("p")

        def side(last):
            def work():
                if self.chance(0.3):
                    self.simple()
                if depth < 2 and self.chance(0.35):
                    end = self.picked(options, depth + 1)[0]
                elif self.chance(0.15):
                    end = self.fresh(last)
                else:
                    end = last.name
                self.emit(f"scf.yield {end} : {kind}")
            return work
        if self.chance(0.3):
            self.kinds.add("scf.index_switch")
            index = self.convert(self.scalar("i32"), "i32", "index")
            few = self.value(f"arith.andi {index}, {self.constant('index', 3)} : index")
            self.emit(f"{name} = scf.index_switch {few} -> {kind}")
            cases = self.random.choice(([0], [0, 2], [1, 2]))
            for case in [f"case {c}" for c in cases] + ["default"]:
                self.emit(case + " {")
                self.nested(side(self.random.choice(options)))
                self.emit("}")
        else:
            self.kinds.add("scf.if")
            self.emit(f"{name} = scf.if {self.condition()} -> ({kind}) {{")
            self.nested(side(self.random.choice(options)))
            self.emit("} else {")
            self.nested(side(self.random.choice(options)))
            self.emit("}")
        return name, kind

    def branch(self):
        """A buffer picked by branches, and written at once or later."""
        first = self.pick(writable=True)
        options = [first, self.like(first), self.like(first)]
        name, _ = self.picked(options)
        roots = frozenset().union(*(b.roots for b in options))
        picked = self.keep(replace(first, name=name, roots=roots))
        if picked.count:
            self.store(picked)

    def plain_branch(self):
        """A branch without results; buffers are written on both sides."""
        self.kinds.add("scf.if")
        self.emit(f"scf.if {self.condition()} {{")
        self.nested(lambda: (self.branch() if self.chance(0.5) else None, self.body(2)))
        if self.chance(0.5):
            self.emit("} else {")
            self.nested(lambda: self.body(2))
        self.emit("}")

    def parallel(self):
        """Iterations that write different elements, in any order."""
        target = self.pick(writable=True, full=True)
        if len(target.shape) != 1 or target.count > 32:
            target = self.allocate(target.element, (8,))
        iv = self.name("i")
        source = self.operand(target)
        if self.chance(0.5):
            self.kinds.add("scf.forall")
            self.emit(f"scf.forall ({iv}) in ({target.count}) {{")
            end = ""
        else:
            self.kinds.add("scf.parallel")
            low, high, step = (self.constant("index", 0), self.size(target.count), self.constant("index", 1))
            self.emit(f"scf.parallel ({iv}) = ({low}) to ({high}) step ({step}) {{")
            end = "scf.reduce"

        def work():
            a = self.value(f"memref.load {source.name}[{iv}] : {source.type}", "l")
            b = self.value(f"memref.load {target.name}[{iv}] : {target.type}", "l")
            c = self.combine(target.element, a, b)
            self.emit(f"memref.store {c}, {target.name}[{iv}] : {target.type}")
            if end:
                self.emit(end)
        self.nested(work)
        self.emit("}")

    def affine(self):
        """affine.load and affine.store over neighbours."""
        self.kinds.add("affine.for")
        target = self.pick(writable=True, test=lambda b: len(b.shape) == 1 and b.count >= 4)
        if target is None:
            target = self.allocate("f32", (8,))
        iv = self.name("i")
        trips = min(target.shape[0], 8) - 1
        self.emit(f"affine.for {iv} = 0 to {trips} {{")

        def work():
            a = self.value(f"affine.load {target.name}[{iv} + 1] : {target.type}", "l")
            b = self.value(f"affine.load {target.name}[{iv}] : {target.type}", "l")
            c = self.combine(target.element, a, b)
            to = f"{iv} + 1" if self.chance(0.5) else iv
            self.emit(f"affine.store {c}, {target.name}[{to}] : {target.type}")
        self.nested(work)
        self.emit("}")

    def tensor_loop(self):
        start = self.tensor()
        pair = [start, self.tensor(start.shape, start.element)]
        self.kinds.add("loop with tensors")
        name, iv = self.name("r"), self.name("i")
        args = [replace(start, name=self.name("c")) for _ in pair]
        kinds = f"{start.type}, {start.type}"
        self.emit(f"{name}:2 = scf.for {iv} = {self.size(0)} to {self.size(self.trips())} step "
                  f"{self.constant('index', 1)} iter_args({args[0].name} = {pair[0].name}, "
                  f"{args[1].name} = {pair[1].name}) -> ({kinds}) {{")

        def work():
            self.scalars.append((iv, "index"))
            self.tensors += args
            for _ in range(self.random.randint(1, 2)):
                self.tensor_part()
            place = ", ".join([self.index(s) for s in start.shape])
            new = self.value(f"tensor.insert {self.scalar(start.element)} into {args[0].name}[{place}] : "
                             f"{start.type}", "t")
            ends = [args[1].name, new]
            self.random.shuffle(ends)
            self.emit(f"scf.yield {', '.join(ends)} : {kinds}")
        self.looped(work)
        self.emit("}")
        for i in range(2):
            self.known(replace(start, name=f"{name}#{i}"))

    def execute(self):
        self.kinds.add("scf.execute_region")
        buffer = self.pick()
        name = self.name("p")
        self.emit(f"{name} = scf.execute_region -> {buffer.type} {{")

        def work():
            self.simple()
            self.emit(f"scf.yield {buffer.name} : {buffer.type}")
        self.nested(work)
        self.emit("}")
        self.keep(replace(buffer, name=name))

    def control(self):
        ways = ((self.loop, 3), (self.while_loop, 1.5), (self.branch, 3), (self.plain_branch, 2),
                (self.parallel, 1.7), (self.affine, 0.7), (self.execute, 0.8),
                (self.tensor_loop, self.tensor_odds), (self.threads, 0.5 * self.tensor_odds), (self.call, 5 if self.functions else 0),
                (self.value_step, self.value_odds), (self.hidden, self.hidden_odds),
                (self.explicit, self.explicit_odds))
        steps, odds = zip(*ways)
        self.random.choices(steps, odds)[0]()

    # Functions.

    functions = ()
    globals = ()

    def call(self):
        function = self.random.choice(self.functions)
        operands, roots = [], set(function.reaches)
        for kind, element, shape in function.parameters:
            same = [b for b in operands if b.type == kind]
            if same and self.chance(0.6):
                self.kinds.add("one buffer twice in a call")
                found = same[0]
            else:
                found = self.pick(test=lambda b, kind=kind: b.type == kind and b.writable and b.shape == shape)
                if found is None:
                    found = self.fitting(kind, element, shape)
            operands.append(found)
            roots |= found.roots
        types = ", ".join(b.type for b in operands)
        name = ""
        if function.result:
            name = self.name("q")
        self.kinds.add("call")
        word = "func.call" if self.nesting else "call"
        self.emit(f"{name + ' = ' if name else ''}{word} @{function.name}({', '.join(b.name for b in operands)}) : "
                  f"({types}) -> {function.result.type if function.result else '()'}")
        if function.result:
            self.keep(replace(function.result, name=name, roots=frozenset(roots)))

    def fitting(self, kind, element, shape):
        """A buffer of exactly this type."""
        kept, self.dynamic_allocations = self.dynamic_allocations, False
        found = self.allocate(element, shape)
        self.dynamic_allocations = kept
        if found.type == kind:
            return found
        view = replace(found, strides=(None,) * len(shape), offset=None)
        name = self.value(f"memref.cast {found.name} : {found.type} to {view.type}", "s")
        return self.keep(replace(view, name=name))


class Function:
    def __init__(self, name, parameters, result, reaches):
        self.name, self.parameters, self.result, self.reaches = name, parameters, result, reaches


class MemoryProgram(Flow):
    """A module with @main: memrefs that are read, memrefs that are written, and
    sometimes tensors that are returned."""

    def __init__(self, seed, value_odds=0):
        super().__init__(seed)
        self.functions = []
        self.value_odds = value_odds or self.random.choice((0, 0, 2))
        self.hidden_odds = self.random.choice((0, 0, 0, 1, 3))
        self.explicit_odds = self.random.choice((0, 0, 0, 1, 3))
        self.texts = [FUNCTIONS.strip()] if self.value_odds else []

    def make_globals(self):
        for i in range(self.random.choice((0, 1, 1, 2))):
            element = self.random.choice(("f32", "f32", "i32", "f64"))
            shape = self.random.choice(((4,), (8,), (4, 4)))
            constant = self.chance(0.2)
            numbers = iter(str(n / 16 if element in ("f32", "f64") else n)
                           for n in self.random.sample(range(1, 100), product(shape)))
            number = nested(shape, numbers)
            buffer = Buffer("", element, shape, frozenset((f"@g{i}",)), writable=not constant)
            self.texts.append(f'memref.global "private" {"constant " if constant else ""}@g{i} : '
                              f"{buffer.type} = dense<{number}>")
            self.globals = (*self.globals, (f"g{i}", buffer))

    def take_global(self):
        if not self.globals:
            return
        self.kinds.add("global")
        name, buffer = self.random.choice(self.globals)
        self.keep(replace(buffer, name=self.value(f"memref.get_global @{name} : {buffer.type}", "m")))

    def open(self):
        self.lines, self.buffers, self.scalars, self.tensors = [], [], [], []
        self.depth, self.nesting, self.four, self.in_loop = 1, 0, None, False

    def make_function(self, index):
        """A function that works on its parameters and on globals. Parameters may be
        one and the same buffer, or a global."""
        self.open()
        reaches = frozenset(f"@g{i}" for i in range(len(self.globals)))
        roots = reaches | {f"parameters of f{index}"}
        element = self.random.choice(("f32", "f32", "i32", "f64"))
        shape = self.random.choice(((4,), (8,), (256,), (4, 4)))
        parameters, kinds = [], []
        for i in range(self.random.randint(1, 3)):
            strided = self.chance(0.3)
            buffer = Buffer(self.name("p"), element, shape, roots,
                            strides=(None,) * len(shape) if strided else None,
                            offset=None if strided else 0)
            self.keep(buffer)
            parameters.append(f"{buffer.name}: {buffer.type}")
            kinds.append((buffer.type, element, shape))
        first = list(self.buffers)
        if self.chance(0.6):
            self.take_global()
            self.buffers = [replace(b, roots=roots) for b in self.buffers]
            first = list(self.buffers)
        for _ in range(self.random.randint(1, 4)):
            self.simple()
        if self.chance(0.05):
            self.blocks()
        written = [b for b in first if b.writable]
        self.store(self.random.choice(written))
        result = None
        if self.chance(0.5):
            self.kinds.add("result that is an argument")
            result = self.random.choice(written)
            if self.chance(0.3):
                fresh = [b for b in self.buffers if b.may_be(result) and b.writable and len(b.roots) == 1]
                result = fresh[0] if fresh else result
        self.emit(f"return {result.name} : {result.type}" if result else "return")
        arrow = f" -> {result.type}" if result else ""
        self.texts.append("\n".join([f"func.func private @f{index}({', '.join(parameters)}){arrow} {{",
                                     *self.lines, "}"]))
        self.functions.append(Function(f"f{index}", kinds, result, reaches))

    def stack(self):
        """A buffer on the stack, of the whole function."""
        self.kinds.add("alloca")
        buffer = Buffer("", self.random.choice(("f32", "i32")), (8,), frozenset())
        name = self.value(f"memref.alloca() : {buffer.type}", "m")
        self.on_stack = frozenset((name,))
        self.emit(f"linalg.fill ins({self.scalar(buffer.element)} : {buffer.element}) outs({name} : {buffer.type})")
        self.keep(replace(buffer, name=name, roots=self.on_stack))

    on_stack = frozenset()

    def observe(self, target):
        """Much of what is live, seen through one argument."""
        for place in range(min(4, target.shape[0])):
            number = self.scalar(target.element)
            self.emit(f"memref.store {number}, {target.name}[{self.constant('index', place)}] : {target.type}")

    def sums(self, target):
        """The sum of a whole buffer into an argument."""
        source = self.pick(target.element, test=lambda b: not b.roots & target.roots and 0 < len(b.shape) < 3
                           and b.name != target.name)
        if source is None:
            return
        ranks = ", ".join(f"d{i}" for i in range(len(source.shape)))
        view = self.value(f"memref.subview {target.name}[{target.shape[0] - 1}] [1] [1] : {target.type} to "
                          f"memref<{target.element}, strided<[], offset: {target.shape[0] - 1}>>", "s")
        buffer = Buffer(view, target.element, (), target.roots, strides=(), offset=target.shape[0] - 1)
        self.generic([(source, ranks)], buffer, "", len(source.shape))

    def blocks(self):
        """The function goes on in one of two blocks, and then in one. What upstream
        writes in place it decides for each block by itself: a tensor of another block
        is overwritten by the reference, be it read again. So none of these blocks uses
        a tensor that was there before."""
        self.kinds.add("several blocks")
        first = self.pick(writable=True)
        other = self.like(first)
        n = self.count = self.count + 1
        kind = first.type
        self.emit(f"cf.cond_br {self.condition()}, ^bb{n}a({first.name} : {kind}), ^bb{n}b({other.name} : {kind})")
        roots = first.roots | other.roots
        for side in "ab":
            self.lines.append(f"^bb{n}{side}(%x{n}{side}: {kind}):")
            with self.region():
                self.depth -= 1
                self.tensors = []
                self.keep(replace(first, name=f"%x{n}{side}", roots=roots))
                self.body(2, 1)
                self.depth += 1
                self.lines.append(f"  cf.br ^bb{n}c({self.random.choice((f'%x{n}{side}', other.name))} : {kind})")
        self.lines.append(f"^bb{n}c(%x{n}c: {kind}):")
        self.tensors = []
        self.keep(replace(first, name=f"%x{n}c", roots=roots))

    def arguments(self):
        """Arguments: a size, what is read, what is written. Nobody else has them."""
        texts, outs = [], []
        attribute = " {llvm.noalias}" if self.chance(0.5) else ""
        if self.chance(0.7):
            self.four = "%n"
            texts.append("%n: index")
        for i in range(self.random.randint(1, 3)):
            element = self.random.choice(ARGUMENTS)
            shape = self.random.choice(((4,), (8,), (16,), (4, 4), (256,), (16, 16), (1024,)))
            buffer = self.keep(Buffer(f"%x{i}", element, shape, frozenset((f"%x{i}",)),
                                      writable=self.chance(0.6)))
            texts.append(f"{buffer.name}: {buffer.type}{attribute}")
        for i in range(self.random.randint(1, 2)):
            element = self.random.choice(("f32", "i32", "f64", "f32", "i32", "f64", "i64", "i16", *COMPLEX))
            buffer = self.keep(Buffer(f"%o{i}", element, (8,), frozenset((f"%o{i}",))))
            texts.append(f"{buffer.name}: {buffer.type}{attribute}")
            outs.append(buffer)
        if self.tensor_odds and self.chance(0.5):
            for i in range(self.random.choice((1, 1, 2))):
                tensor = self.known(Tensor(f"%t{i}", self.random.choice(TENSORS),
                                           self.random.choice(((4,), (16, 16), (256,)))))
                texts.append(f"%t{i}: {tensor.type}" + (" {pebble.donated}" if self.chance(0.4) else ""))
        return texts, outs

    def text(self):
        self.tensor_odds = self.random.choice((0, 0, 2, 5))
        self.make_globals()
        for i in range(self.random.choice((0, 1, 1, 2))):
            self.make_function(i)
        self.open()
        self.dynamic_allocations = self.chance(0.1)
        if self.dynamic_allocations:
            self.kinds.add("dynamic allocations")
        if self.tensor_odds:
            self.kinds.add("tensors and memory")
        arguments, outs = self.arguments()
        for _ in range(self.random.randint(1, 3)):
            self.allocate()
        if self.chance(0.1):
            self.stack()
        steps = self.random.randint(5, 14)
        split = self.random.randrange(steps) if self.chance(0.06) else -1
        pair = self.random.randrange(steps) if self.chance(0.14) else -1
        for i in range(steps):
            if i == split:
                self.blocks()
            if i == pair:
                self.loop_pair()
            odds = self.random.random()
            if odds < 0.06:
                self.take_global()
            elif odds < 0.3:
                self.control()
            elif odds < 0.4:
                self.view()
            else:
                self.simple()
        for target in outs:
            self.observe(target)
            self.sums(target)
        if "hidden state" in self.kinds:
            self.count_hidden(outs[0])
        results = []
        if self.tensors and self.chance(0.8):
            tensor = self.random.choice(self.tensors)
            results.append((tensor.name, tensor.type))
        if self.scalars and self.chance(0.3):
            name, kind = self.random.choice(self.scalars)
            results.append((name, kind))
        whole = [b for b in self.buffers if b.strides is None and not b.dynamic and b.writable
                 and not self.on_stack & b.roots
                 and not any(r.startswith(("@", "%t")) for r in b.roots)]
        if whole and self.chance(0.15):
            self.kinds.add("memref result")
            buffer = self.random.choice(whole)
            results.append((buffer.name, buffer.type))
        kinds = ", ".join(kind for _, kind in results)
        self.emit(f"return {', '.join(name for name, _ in results)} : {kinds}" if results else "return")
        arrow = f" -> ({kinds})" if results else ""
        return "\n".join(["module {", *self.texts, f"func.func @main({', '.join(arguments)}){arrow} {{",
                          *self.lines, "}", "}", ""])
