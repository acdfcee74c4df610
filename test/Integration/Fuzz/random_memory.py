"""Buffers, scalars and the ways to look at them, for random programs on memory.

A program is written operation by operation. What is written is valid: every
buffer is filled where it is allocated, every index is within bounds, divisors are
constants, floats stay small, and no operation reads what it overwrites in another
order. Sizes are always known here, whatever the types in the program say.
"""

import math
from dataclasses import dataclass, replace

from random_memory_numbers import Numbers

SMALL = ((4,), (8,), (6,), (4, 4), (2, 8), (2, 3, 4))
LARGE = ((256,), (16, 16), (64, 8), (512,))
EMPTY = ((0,), (0, 4))


@dataclass(frozen=True)
class Buffer:
    """A memref. None among strides, or as the offset, stands for `?`."""
    name: str
    element: str
    shape: tuple
    roots: frozenset
    dynamic: tuple = ()
    strides: tuple = None  # None: the identity layout
    offset: int = 0
    writable: bool = True

    @property
    def type(self):
        dims = "".join(("?" if i in self.dynamic else str(s)) + "x"
                       for i, s in enumerate(self.shape))
        layout = ""
        if self.strides is not None:
            marks = ", ".join("?" if s is None else str(s) for s in self.strides)
            layout = f", strided<[{marks}]"
            if self.offset != 0:
                layout += f", offset: {'?' if self.offset is None else self.offset}"
            layout += ">"
        return f"memref<{dims}{self.element}{layout}>"

    @property
    def count(self):
        return math.prod(self.shape)

    def may_be(self, other):
        """Whether one may stand where the other does. Where a type says `?`, two
        buffers of one type may have different sizes: an index within one of them is
        then past the end of the other."""
        return self.type == other.type and self.shape == other.shape

    def known_strides(self):
        """Strides where they are known: of the type, or of the identity."""
        if self.strides is not None:
            return self.strides
        strides, stride = [], 1
        for i in reversed(range(len(self.shape))):
            strides.insert(0, stride)
            stride = None if i in self.dynamic or stride is None \
                else stride * self.shape[i]
        return tuple(strides)


@dataclass(frozen=True)
class Tensor:
    name: str
    element: str
    shape: tuple

    @property
    def type(self):
        return f"tensor<{''.join(f'{s}x' for s in self.shape)}{self.element}>"


def product(factors):
    """Zero times what is not known is zero; that is how types are inferred."""
    if 0 in factors:
        return 0
    return None if None in factors else math.prod(factors)


class Memory(Numbers):
    """Buffers, what is read of them, and the ways to look at them."""

    def load(self, buffer):
        return self.value(f"memref.load {buffer.name}[{self.place(buffer)}] : {buffer.type}", "l")

    def scalar(self, element):
        """A number that depends on what memory held some time before."""
        odds = self.random.random()
        if odds < 0.15:
            return self.constant(element)
        if odds < 0.5 and self.scalars:
            name, kind = self.random.choice(self.scalars[-8:])
            return self.convert(name, kind, element)
        full = [b for b in self.buffers if b.count]
        same = [b for b in full if b.element == element]
        full = same if same and self.chance(0.7) else full
        if not full:
            return self.constant(element)
        buffer = self.random.choice(full)
        name = self.load(buffer)
        self.scalars.append((name, buffer.element))
        return self.convert(name, buffer.element, element)

    def condition(self):
        if self.chance(0.2):
            return self.constant("i1")
        name = self.scalar("i32")
        few = self.value(f"arith.andi {name}, {self.constant('i32', self.random.choice((1, 3)))} : i32")
        return self.value(f"arith.cmpi {self.random.choice(('eq', 'ne', 'ugt'))}, {few}, "
                          f"{self.constant('i32', 1)} : i32")

    # Buffers.

    def allocate(self, element=None, shape=None, filled=True, keep=True):
        """A new buffer, filled at once."""
        if element is None:
            element = self.element()
        if shape is None:
            odds = self.random.random()
            shape = self.random.choice(EMPTY if odds < 0.03 else LARGE if odds < 0.45 else SMALL)
        if 0 in shape:
            self.kinds.add("zero extents")
        dynamic = ()
        if self.dynamic_allocations and self.chance(0.4) and shape:
            dynamic = (self.random.randrange(len(shape)),)
        sizes = ", ".join([self.size(shape[d]) for d in dynamic])
        aligned = " {alignment = 64 : i64}" if self.chance(0.1) else ""
        buffer = Buffer("", element, shape, frozenset(), dynamic)
        name = self.value(f"memref.alloc({sizes}){aligned} : {buffer.type}", "m")
        buffer = replace(buffer, name=name, roots=frozenset((name,)))
        if filled:
            self.fill_all(buffer)
        if keep:
            self.buffers.append(buffer)
        return buffer

    dynamic_allocations = False

    def fill_all(self, target):
        """Writes a number everywhere, or other ones at each place. A tensor that is
        filled is handed back."""
        element, rank = target.element, len(target.shape)
        number = self.scalar(element)
        is_tensor = isinstance(target, Tensor)
        arrow = f" -> {target.type}" if is_tensor else ""
        name = self.name("t") if is_tensor else None
        left = f"{name} = " if is_tensor else ""
        if self.chance(0.55) or not rank:
            self.emit(f"{left}linalg.fill ins({number} : {element}) outs({target.name} : {target.type}){arrow}")
            return replace(target, name=name) if is_tensor else target
        places = ", ".join(f"d{i}" for i in range(rank))
        kinds = ", ".join(['"parallel"'] * rank)
        self.emit(f"{left}linalg.generic {{indexing_maps = [affine_map<({places}) -> ({places})>], "
                  f"iterator_types = [{kinds}]}} outs({target.name} : {target.type}) {{")
        self.emit(f"^bb0({self.name('a')}: {element}):")
        with self.region():
            place = self.value("linalg.index 0 : index")
            for i in range(1, rank):
                row = self.value(f"arith.muli {place}, {self.constant('index', target.shape[i])} : index")
                place = self.value(f"arith.addi {row}, {self.value(f'linalg.index {i} : index')} : index")
            total = self.combine(element, self.convert(place, "index", element), number)
            self.emit(f"linalg.yield {total} : {element}")
        self.emit("}" + arrow)
        return replace(target, name=name) if is_tensor else target

    def pick(self, element=None, writable=False, shape=None, full=False, test=None):
        """A buffer of those that there are, or a new one."""
        some = [b for b in self.buffers
                if (element is None or b.element == element)
                and (not writable or b.writable) and (shape is None or b.shape == shape)
                and (not full or b.count) and (test is None or test(b))]
        if some:
            # Ways to look at a buffer are what mistakes are made with.
            return self.random.choice(some[-6:] if self.chance(0.4) else some)
        if test is not None:
            return None
        if shape is None and full:
            shape = self.random.choice(SMALL)
        return self.allocate(element, shape)

    def operand(self, target, shape=None):
        """A buffer that an operation may read while it writes `target`: the target
        itself, or one that surely shares nothing with it."""
        shape = target.shape if shape is None else shape
        if shape == target.shape and self.chance(0.2):
            return target
        found = self.pick(target.element, shape=shape,
                          test=lambda b: not b.roots & target.roots)
        if found is None:
            larger = self.pick(target.element, test=lambda b: (
                not b.roots & target.roots and len(b.shape) == len(shape)
                and all(x >= y > 0 for x, y in zip(b.shape, shape))))
            if larger is not None:
                return self.subview(larger, shape)
            found = self.allocate(target.element, shape)
        return found

    # Ways to look at a buffer.

    def keep(self, buffer):
        self.buffers.append(buffer)
        return buffer

    def subview(self, buffer, shape=None):
        """Part of a buffer. Offsets may be known only when the program runs."""
        rank = len(buffer.shape)
        offsets, texts, sizes, steps = [], [], [], []
        for i, size in enumerate(buffer.shape):
            count = shape[i] if shape else self.random.randint(0 if self.chance(0.05) else 1, size) \
                if size else 0
            step = self.random.choice((1, 1, 2, 3)) if count and (count - 1) * 3 < size else 1
            # Even nothing begins at an element, where there is one.
            last = max(0, size - max(0, count - 1) * step - 1)
            first = self.random.randint(0, last)
            if self.chance(0.3):
                offsets.append(None)
                texts.append(self.index(last + 1) if self.chance(0.5) else self.size(first))
            else:
                offsets.append(first)
                texts.append(str(first))
            sizes.append(count)
            steps.append(step)
        dynamic = tuple(i for i in range(rank) if not shape and self.chance(0.1))
        marks = [self.size(s) if i in dynamic else str(s) for i, s in enumerate(sizes)]
        old = buffer.known_strides()
        start = buffer.offset
        for first, stride in zip(offsets, old):
            part = product((first, stride))
            start = None if start is None or part is None else start + part
        strides = tuple(product(pair) for pair in zip(old, steps))
        view = replace(buffer, shape=tuple(sizes), dynamic=dynamic, strides=strides,
                       offset=start)
        dropped = [i for i in range(rank) if sizes[i] == 1 and i not in dynamic] \
            if not shape and rank > 1 and self.chance(0.5) else []
        kept = [i for i in range(rank) if i not in dropped]
        view = replace(view, shape=tuple(sizes[i] for i in kept),
                       strides=tuple(strides[i] for i in kept),
                       dynamic=tuple(n for n, i in enumerate(kept) if i in dynamic))
        name = self.value(f"memref.subview {buffer.name}[{', '.join(texts)}] [{', '.join(marks)}] "
                          f"[{', '.join(map(str, steps))}] : {buffer.type} to {view.type}", "s")
        self.kinds.add("subview")
        return self.keep(replace(view, name=name))

    def cast(self, buffer):
        """The same under a type that knows less."""
        rank = len(buffer.shape)
        dynamic = tuple(i for i in range(rank) if i in buffer.dynamic or self.chance(0.5))
        view = replace(buffer, dynamic=dynamic)
        if self.chance(0.6):
            view = replace(view, strides=(None,) * rank, offset=None)
        name = self.value(f"memref.cast {buffer.name} : {buffer.type} to {view.type}", "s")
        self.kinds.add("cast")
        return self.keep(replace(view, name=name))

    def reinterpret(self, buffer):
        """Other sizes and strides, backwards too, over a whole buffer."""
        total = buffer.count
        step = self.random.choice((1, 1, 2, -1, -1, -2))
        count = self.random.randint(1, max(1, total // abs(step)))
        span = (count - 1) * abs(step)
        first = self.random.randint(0, total - 1 - span)
        start = first + span if step < 0 else first
        if step < 0:
            self.kinds.add("negative stride")
        shape, strides = (count,), (step,)
        if count % 2 == 0 and self.chance(0.3):
            shape, strides = (2, count // 2), (count // 2 * step, step)
        known = self.chance(0.6)
        view = replace(buffer, shape=shape, dynamic=(), strides=strides if known else (None,) * len(strides),
                       offset=start if known else None)
        offset = str(start) if known else self.size(start)
        marks = [str(s) if known else self.constant("index", s) for s in strides]
        name = self.value(f"memref.reinterpret_cast {buffer.name} to offset: [{offset}], sizes: "
                          f"{list(shape)}, strides: [{', '.join(marks)}] : {buffer.type} to {view.type}", "s")
        self.kinds.add("reinterpret_cast")
        return self.keep(replace(view, name=name))

    def metadata(self, buffer):
        """Taken apart and put together."""
        rank = len(buffer.shape)
        name = self.name("b")
        names = [f"{name}_o"] + [f"{name}_s{i}" for i in range(rank)] + [f"{name}_t{i}" for i in range(rank)]
        base = f"memref<{buffer.element}>"
        self.emit(f"{name}, {', '.join(names)} = memref.extract_strided_metadata {buffer.name} : "
                  f"{buffer.type} -> {base}, {', '.join(['index'] * len(names))}")
        sizes, strides = names[1:1 + rank], names[1 + rank:]
        known = self.chance(0.3)
        texts = [str(s) for s in buffer.shape] if known else sizes
        view = replace(buffer, strides=(None,) * rank, offset=None,
                       dynamic=() if known else tuple(range(rank)))
        result = self.value(f"memref.reinterpret_cast {name} to offset: [{names[0]}], sizes: "
                            f"[{', '.join(texts)}], strides: [{', '.join(strides)}] : {base} to {view.type}", "s")
        self.kinds.add("extract_strided_metadata")
        return self.keep(replace(view, name=result))

    def transpose(self, buffer):
        rank = len(buffer.shape)
        order = list(range(rank))
        self.random.shuffle(order)
        dims = ", ".join(f"d{i}" for i in range(rank))
        to = ", ".join(f"d{i}" for i in order)
        strides = buffer.known_strides()
        view = replace(buffer, shape=tuple(buffer.shape[i] for i in order),
                       strides=tuple(strides[i] for i in order),
                       dynamic=tuple(n for n, i in enumerate(order) if i in buffer.dynamic))
        name = self.value(f"memref.transpose {buffer.name} ({dims}) -> ({to}) : "
                          f"{buffer.type} to {view.type}", "s")
        self.kinds.add("transpose")
        return self.keep(replace(view, name=name))

    def reshape(self, buffer):
        """A buffer without gaps, with other dimensions."""
        if len(buffer.shape) > 1:
            view = replace(buffer, shape=(buffer.count,))
            groups = [list(range(len(buffer.shape)))]
            text = f"memref.collapse_shape {buffer.name} {groups} : {buffer.type} into {view.type}"
        elif buffer.count % 2 == 0 and buffer.count:
            view = replace(buffer, shape=(2, buffer.count // 2))
            text = (f"memref.expand_shape {buffer.name} [[0, 1]] output_shape {list(view.shape)} : "
                    f"{buffer.type} into {view.type}")
        else:
            return self.cast(buffer)
        if self.chance(0.3):
            shape = self.value(f"memref.alloc() : memref<{len(view.shape)}xindex>", "m")
            for i, size in enumerate(view.shape):
                self.emit(f"memref.store {self.size(size)}, {shape}[{self.constant('index', i)}] : "
                          f"memref<{len(view.shape)}xindex>")
            text = (f"memref.reshape {buffer.name}({shape}) : ({buffer.type}, "
                    f"memref<{len(view.shape)}xindex>) -> {view.type}")
        self.kinds.add("reshape")
        return self.keep(replace(view, name=self.value(text, "s")))

    def bytes(self):
        """Bytes, and whole numbers that lie in them."""
        raw = self.allocate("i8", (64,))
        view = Buffer("", "i32", (self.random.choice((4, 8)),), raw.roots)
        shift = self.size(self.random.choice((0, 8, 16, 32)))
        name = self.value(f"memref.view {raw.name}[{shift}][] : {raw.type} to {view.type}", "s")
        self.kinds.add("view")
        return self.keep(replace(view, name=name))

    def select(self, buffer):
        """One of two buffers of a type and its sizes; which, is known when the program
        runs."""
        other = self.pick(test=lambda b: b.may_be(buffer) and b != buffer)
        if other is None:
            other = self.allocate(buffer.element, buffer.shape)
            if other.type != buffer.type:
                return self.cast(buffer)
        name = self.value(f"arith.select {self.condition()}, {buffer.name}, {other.name} : {buffer.type}", "s")
        self.kinds.add("select")
        return self.keep(replace(buffer, name=name, roots=buffer.roots | other.roots,
                                 writable=buffer.writable and other.writable))

    def aligned(self, buffer):
        name = self.value(f"memref.assume_alignment {buffer.name}, 1 : {buffer.type}", "s")
        return self.keep(replace(buffer, name=name))

    def unranked(self, buffer):
        loose = f"memref<*x{buffer.element}>"
        name = self.value(f"memref.cast {buffer.name} : {buffer.type} to {loose}", "s")
        self.kinds.add("unranked")
        return self.keep(replace(buffer, name=self.value(
            f"memref.cast {name} : {loose} to {buffer.type}", "s")))

    def converted(self, buffer):
        """As LLVM has it, and back."""
        rank = len(buffer.shape)
        array = f"array<{rank} x i64>"
        loose = f"!llvm.struct<(ptr, ptr, i64, {array}, {array})>"
        name = self.value(f"builtin.unrealized_conversion_cast {buffer.name} : {buffer.type} to {loose}", "s")
        self.kinds.add("conversion cast")
        return self.keep(replace(buffer, name=self.value(
            f"builtin.unrealized_conversion_cast {name} : {loose} to {buffer.type}", "s")))

    def view(self, buffer=None):
        """Some way to look at some buffer."""
        if buffer is None:
            buffer = self.pick(full=self.chance(0.9))
        # No place lies inside of an empty buffer.
        ways = [self.subview, self.subview] * bool(buffer.count) + [self.cast, self.metadata, self.select]
        # Upstream cannot tell the strides of one whose rows are empty.
        if len(buffer.shape) > 1 and buffer.count:
            ways.append(self.transpose)
        if buffer.strides is None and not buffer.dynamic and buffer.count:
            ways += [self.reinterpret, self.reinterpret, self.reshape, self.reshape]
        if self.chance(0.1):
            ways = [self.aligned, self.unranked] + [self.converted] * bool(buffer.shape)
        elif not buffer.shape:
            ways = [self.select]
        return self.random.choice(ways)(buffer)
