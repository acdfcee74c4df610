"""Random programs that all ranks run, and what each of them must compute.

A program has collectives in groups, messages around a ring, local work, and now and
then a branch on the rank, a loop, or a branch and a loop of which data decide that all
ranks agree on. All numbers are small and whole, so that every
order of additions gives the same bits. `Program(seed).text()` is the program, and
`.results(inputs)` what each rank returns, computed for all of them in one process.
"""

import random

MOST = 8.0  # what is added up is cut to this


def groups_of(ranks):
    """(group, stride) of all regular groups of several ranks."""
    return [(g, s) for g in range(2, ranks + 1) for s in range(1, ranks) if ranks % (g * s) == 0]


def members(rank, group, stride):
    first = rank - rank // stride % group * stride
    return [first + i * stride for i in range(group)]


def kind(shape):
    return f"tensor<{shape[0]}x{shape[1]}xf32>"


def buffer(shape):
    return f"memref<{shape[0]}x{shape[1]}xf32>"


class Program:
    def __init__(self, seed, swapped=False):
        """`swapped`: half of the ranks do two things together the other way round."""
        chance = random.Random(f"ranks-{seed}")
        self.chance = chance
        self.ranks = chance.choice((2, 3, 4, 4))
        self.swapped = swapped
        self.lines, self.steps, self.values, self.open = [], [], [], []
        self.count = 0
        self.has_unknown_rounds = False
        n = 2 * self.ranks
        self.arguments = []
        for i in range(chance.randint(2, 3)):
            shape = (n * chance.choice((1, 2)), n)
            self.arguments.append(shape)
            self.values.append((f"%x{i}", shape))
        makers = [self.local, self.local, self.local, self.together, self.together, self.together, self.ring,
                  self.branch, self.loop, self.agreed_branch, self.agreed_loop]
        for _ in range(chance.randint(4, 14)):
            chance.choice(makers)()
            if self.open and chance.random() < 0.4:
                self.wait(self.open.pop(0))
        if swapped:
            self.swap()
        while self.open:
            self.wait(self.open.pop(0))
        self.returned = self.values[-3:]

    # Text.

    def put(self, line, indent=1):
        self.lines.append("  " * indent + line)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def constant(self, number, shape, indent=1):
        name = self.fresh()
        self.put(f"{name} = arith.constant dense<{number:.1f}> : {kind(shape)}", indent)
        return name

    def binary(self, op, a, b, shape, indent=1):
        name = self.fresh()
        self.put(f"{name} = arith.{op} {a}, {b} : {kind(shape)}", indent)
        return name

    def cut(self, name, shape, indent=1):
        low = self.binary("maximumf", name, self.constant(-MOST, shape, indent), shape, indent)
        return self.binary("minimumf", low, self.constant(MOST, shape, indent), shape, indent)

    def collective(self, what, source, shape, to, group, stride, axis=0, reduction="sum", indent=1):
        into, name = self.fresh(), self.fresh()
        self.put(f"{into} = tensor.empty() : {kind(to)}", indent)
        extra = f" axis = {axis}" if axis else ""
        extra += f" reduction = {reduction}" if reduction != "sum" else ""
        self.put(f"{name} = pebble.collective {what} {source} into {into} group = {group} stride = {stride} "
                 f"ranks = {self.ranks}{extra} : {kind(shape)}, {kind(to)} -> {kind(to)}", indent)
        return name

    def step(self, function, result, *sources):
        """`function` takes what all ranks have of each source, and gives what they get."""
        self.steps.append((function, result, sources))

    def made(self, name, shape):
        self.values.append((name, shape))

    # Operations.

    def local(self):
        a, shape = self.chance.choice(self.values)
        b = self.chance.choice([v for v, s in self.values if s == shape])
        op = self.chance.choice(("addf", "subf", "mulf", "maximumf", "minimumf"))
        name = self.cut(self.binary(op, a, b, shape), shape)

        def compute(np, x, y):
            raw = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "maximumf": np.maximum,
                   "minimumf": np.minimum}[op]
            return [np.clip(raw(p, q), -MOST, MOST) for p, q in zip(x, y)]
        self.step(compute, name, a, b)
        self.made(name, shape)

    def draw(self, source, shape):
        """A collective on what there is: its text, its result's shape, what it computes."""
        group, stride = self.chance.choice(groups_of(self.ranks))
        what = self.chance.choice(("all_reduce", "all_gather", "reduce_scatter", "all_slice", "broadcast"))
        axis = self.chance.choice((0, 1))
        reduction = self.chance.choice(("sum", "max", "min"))
        if what in ("reduce_scatter", "all_slice"):
            axis = 0 if what == "reduce_scatter" else axis
            if shape[axis] % group:
                what, axis = "all_reduce", 0
        to = list(shape)
        if what == "all_gather":
            if shape[axis] > 16 * self.ranks:
                what = "broadcast"
            else:
                to[axis] *= group
        elif what in ("reduce_scatter", "all_slice"):
            to[axis] //= group
        if what in ("all_reduce",):
            axis = 0
        if what == "broadcast":
            axis = self.chance.randrange(group)
        if what not in ("all_reduce", "reduce_scatter"):
            reduction = "sum"

        def compute(np, x):
            out = []
            for rank in range(self.ranks):
                ranks = members(rank, group, stride)
                parts, number = [x[r] for r in ranks], ranks.index(rank)
                if what in ("all_reduce", "reduce_scatter"):
                    one = {"sum": np.add, "max": np.maximum, "min": np.minimum}[reduction].reduce(np.stack(parts))
                elif what == "all_gather":
                    one = np.concatenate(parts, axis)
                elif what == "broadcast":
                    one = parts[axis]
                else:
                    one = x[rank]
                if what in ("reduce_scatter", "all_slice"):
                    one = np.split(one, group, axis)[number]
                out.append(one.astype(np.float32))
            return out
        return (what, source, tuple(shape), tuple(to), group, stride, axis, reduction), tuple(to), compute

    def together(self):
        source, shape = self.chance.choice(self.values)
        call, to, compute = self.draw(source, shape)
        name = self.collective(*call)
        self.step(compute, name, source)
        self.made(name, to)

    def ring(self):
        """Each rank sends to the next one, and waits for that now or later."""
        source, shape = self.chance.choice(self.values)
        number = self.count = self.count + 1
        hop = self.chance.randint(1, self.ranks - 1)
        mem, name = buffer(shape), f"%m{number}"
        self.put(f"%h{number} = arith.constant {hop} : i32")
        self.put(f"%g{number} = arith.constant {self.ranks - hop} : i32")
        self.put(f"%t{number} = arith.constant {number} : i32")
        self.put(f"%n{number} = arith.addi %rank, %h{number} : i32")
        self.put(f"%to{number} = arith.remsi %n{number}, %size : i32")
        self.put(f"%p{number} = arith.addi %rank, %g{number} : i32")
        self.put(f"%from{number} = arith.remsi %p{number}, %size : i32")
        self.put(f"%s{number} = memref.alloc() : {mem}")
        self.put(f"bufferization.materialize_in_destination {source} in writable %s{number} "
                 f": ({kind(shape)}, {mem}) -> ()")
        self.put(f"%q{number} = mpi.isend(%s{number}, %t{number}, %to{number}, %world) "
                 f": {mem}, i32, i32 -> !mpi.request")
        self.put(f"%b{number} = memref.alloc() : {mem}")
        self.put(f"mpi.recv(%b{number}, %t{number}, %from{number}, %world) : {mem}, i32, i32")
        self.put(f"{name} = bufferization.to_tensor %b{number} restrict : {mem} to {kind(shape)}")
        self.open.append(number)
        self.step(lambda np, x: [x[(r - hop) % self.ranks] for r in range(self.ranks)], name, source)
        self.made(name, shape)

    def wait(self, number):
        self.put(f"mpi.wait(%q{number}) : !mpi.request")

    def branch(self):
        """Each half of four ranks does something else together; of fewer, each by itself."""
        source, shape = self.chance.choice(self.values)
        name, half = self.fresh(), self.ranks // 2
        self.put(f"{name}_half = arith.constant {half} : i32")
        self.put(f"{name}_low = arith.cmpi slt, %rank, {name}_half : i32")
        self.put(f"{name} = scf.if {name}_low -> ({kind(shape)}) {{")
        reductions = self.chance.sample(("sum", "max", "min"), 2)
        for index, reduction in enumerate(reductions):
            one = source
            if self.ranks == 4:
                one = self.collective("all_reduce", one, shape, shape, 2, 1, reduction=reduction, indent=2)
            one = self.binary(("subf", "maximumf")[index], one, source, shape, 2)
            self.put(f"scf.yield {self.cut(one, shape, 2)} : {kind(shape)}", 2)
            self.put("} else {" if index == 0 else "}")

        def compute(np, x):
            out = []
            for rank in range(self.ranks):
                index = 0 if rank < half else 1
                one = x[rank]
                if self.ranks == 4:
                    parts = np.stack([x[r] for r in members(rank, 2, 1)])
                    one = {"sum": np.add, "max": np.maximum, "min": np.minimum}[reductions[index]].reduce(parts)
                one = np.subtract(one, x[rank]) if index == 0 else np.maximum(one, x[rank])
                out.append(np.clip(one, -MOST, MOST))
            return out
        self.step(compute, name, source)
        self.made(name, shape)

    def loop(self):
        source, shape = self.chance.choice(self.values)
        name, rounds = self.fresh(), self.chance.randint(1, 3)
        group, stride = self.chance.choice(groups_of(self.ranks))
        self.put(f"{name}_from = arith.constant 0 : index")
        self.put(f"{name}_to = arith.constant {rounds} : index")
        self.put(f"{name}_by = arith.constant 1 : index")
        self.put(f"{name} = scf.for {name}_i = {name}_from to {name}_to step {name}_by "
                 f"iter_args({name}_x = {source}) -> ({kind(shape)}) {{")
        one = self.collective("all_reduce", f"{name}_x", shape, shape, group, stride, indent=2)
        one = self.cut(self.binary("subf", one, source, shape, 2), shape, 2)
        self.put(f"scf.yield {one} : {kind(shape)}", 2)
        self.put("}")

        def compute(np, x):
            state = x
            for _ in range(rounds):
                sums = [np.add.reduce(np.stack([state[m] for m in members(r, group, stride)]))
                        for r in range(self.ranks)]
                state = [np.clip(s - p, -MOST, MOST) for s, p in zip(sums, x)]
            return state
        self.step(compute, name, source)
        self.made(name, shape)

    def agree(self, source, shape):
        """The largest first entry that some rank has: a number that all ranks know."""
        name = self.collective("all_reduce", source, shape, shape, self.ranks, 1, reduction="max")
        zero, number = self.fresh(), self.fresh()
        self.put(f"{zero} = arith.constant 0 : index")
        self.put(f"{number} = tensor.extract {name}[{zero}, {zero}] : {kind(shape)}")
        return number

    def agreed_branch(self):
        """All ranks put together what one side says, or what the other one does."""
        source, shape = self.chance.choice(self.values)
        asked, shape_asked = self.chance.choice(self.values)
        number, name = self.agree(asked, shape_asked), self.fresh()
        bound = self.chance.randint(-2, 5) + 0.5
        self.put(f"{name}_bound = arith.constant {bound} : f32")
        self.put(f"{name}_above = arith.cmpf ogt, {number}, {name}_bound : f32")
        self.put(f"{name} = scf.if {name}_above -> ({kind(shape)}) {{")
        sides = []
        for index in range(2):
            group, stride = self.chance.choice(groups_of(self.ranks))
            reduction = self.chance.choice(("sum", "max", "min"))
            sides.append((group, stride, reduction))
            one = source
            if index == 0 or self.chance.random() < 0.5:
                one = self.collective("all_reduce", one, shape, shape, group, stride, reduction=reduction, indent=2)
            else:
                sides[1] = None
            self.put(f"scf.yield {self.cut(one, shape, 2)} : {kind(shape)}", 2)
            self.put("} else {" if index == 0 else "}")

        def compute(np, x, y):
            side = sides[0 if max(part[0, 0] for part in y) > bound else 1]
            if side is None:
                return [np.clip(part, -MOST, MOST) for part in x]
            put = {"sum": np.add, "max": np.maximum, "min": np.minimum}[side[2]]
            return [np.clip(put.reduce(np.stack([x[m] for m in members(r, side[0], side[1])])), -MOST, MOST)
                    for r in range(self.ranks)]
        self.step(compute, name, source, asked)
        self.made(name, shape)

    def agreed_loop(self):
        """As many rounds as data say, up to three, by counting or by asking."""
        source, shape = self.chance.choice(self.values)
        asked, shape_asked = self.chance.choice(self.values)
        number, name = self.agree(asked, shape_asked), self.fresh()
        group, stride = self.chance.choice(groups_of(self.ranks))
        self.put(f"{name}_low = arith.constant 0.0 : f32")
        self.put(f"{name}_high = arith.constant 3.0 : f32")
        self.put(f"{name}_l = arith.maximumf {number}, {name}_low : f32")
        self.put(f"{name}_h = arith.minimumf {name}_l, {name}_high : f32")
        self.put(f"{name}_n = arith.fptosi {name}_h : f32 to i32")
        self.put(f"{name}_to = arith.index_cast {name}_n : i32 to index")
        self.put(f"{name}_from = arith.constant 0 : index")
        self.put(f"{name}_by = arith.constant 1 : index")
        self.has_unknown_rounds = True
        asks = self.chance.random() < 0.5
        if asks:
            both = f"index, {kind(shape)}"
            self.put(f"{name}:2 = scf.while ({name}_k = {name}_from, {name}_s = {source}) : ({both}) -> ({both}) {{")
            self.put(f"{name}_on = arith.cmpi slt, {name}_k, {name}_to : index", 2)
            self.put(f"scf.condition({name}_on) {name}_k, {name}_s : {both}", 2)
            self.put("} do {")
            self.put(f"^bb0({name}_i: index, {name}_x: {kind(shape)}):")
        else:
            self.put(f"{name} = scf.for {name}_i = {name}_from to {name}_to step {name}_by "
                     f"iter_args({name}_x = {source}) -> ({kind(shape)}) {{")
        one = self.collective("all_reduce", f"{name}_x", shape, shape, group, stride, indent=2)
        one = self.cut(self.binary("subf", one, source, shape, 2), shape, 2)
        if asks:
            self.put(f"{name}_next = arith.addi {name}_i, {name}_by : index", 2)
            self.put(f"scf.yield {name}_next, {one} : {both}", 2)
        else:
            self.put(f"scf.yield {one} : {kind(shape)}", 2)
        self.put("}")

        def compute(np, x, y):
            state = x
            for _ in range(int(min(max(max(part[0, 0] for part in y), 0.0), 3.0))):
                sums = [np.add.reduce(np.stack([state[m] for m in members(r, group, stride)]))
                        for r in range(self.ranks)]
                state = [np.clip(s - p, -MOST, MOST) for s, p in zip(sums, x)]
            return state
        result = f"{name}#1" if asks else name
        self.step(compute, result, source, asked)
        self.made(result, shape)

    def swap(self):
        """The first rank adds up before it takes the greatest, the others after."""
        source, shape = self.values[0]
        name = self.fresh()
        self.put(f"{name}_one = arith.constant 1 : i32")
        self.put(f"{name}_first = arith.cmpi slt, %rank, {name}_one : i32")
        self.put(f"{name} = scf.if {name}_first -> ({kind(shape)}) {{")
        for index, order in enumerate((("sum", "max"), ("max", "sum"))):
            one = source
            for reduction in order:
                one = self.cut(self.collective("all_reduce", one, shape, shape, self.ranks, 1,
                                               reduction=reduction, indent=2), shape, 2)
            self.put(f"scf.yield {one} : {kind(shape)}", 2)
            self.put("} else {" if index == 0 else "}")
        self.made(name, shape)

    # The whole.

    def text(self):
        arguments = ", ".join(f"%x{i}: {kind(shape)}" for i, shape in enumerate(self.arguments))
        types = ", ".join(kind(shape) for _, shape in self.returned)
        names = ", ".join(name for name, _ in self.returned)
        topology = f'[<"host", size = {self.ranks}, bandwidth = 200, latency = 300, energy = 10>]'
        return "\n".join([
            'module attributes {pebble.hierarchy = #pebble.hierarchy<[<"ram", kind = explicit, read = 10, write = 10, '
            f'bandwidth = 1000>], speed = 1000000000, topology = <{topology}, ranks = {self.ranks}>>}} {{',
            f"func.func @main({arguments}) -> ({types}) {{", "  mpi.init", "  %world = mpi.comm_world : !mpi.comm",
            "  %rank = mpi.comm_rank(%world) : i32", f"  %size = arith.constant {self.ranks} : i32",
            *self.lines, "  mpi.finalize", f"  return {names} : {types}", "}", "}"])

    def inputs(self, np, seed):
        chance = np.random.default_rng(seed)
        return [[chance.integers(-4, 5, shape).astype(np.float32) for _ in range(self.ranks)]
                for shape in self.arguments]

    def results(self, np, inputs):
        known = {f"%x{i}": parts for i, parts in enumerate(inputs)}
        for function, result, sources in self.steps:
            known[result] = function(np, *[known[s] for s in sources])
        return [known[name] for name, _ in self.returned]
