"""What random programs on memory do: writes, vectors, loops, branches, tensors."""

from dataclasses import replace

from random_memory import Buffer, Tensor, product
from random_memory_copies import Copies
from random_memory_numbers import ELEMENTS, FLOATS, INTEGERS

LETTERS = ("d0", "d1", "d2", "d3")
TENSORS = ("f32", "f32", "f32", "f32", "i32", "i32", "i64", "f64", *ELEMENTS)
VECTORS = ("f32", "f64", "i32", "i64", "i8")


def maps(texts):
    return "[" + ", ".join(f"affine_map<{t}>" for t in texts) + "]"


def dims(rank):
    return ", ".join(LETTERS[:rank])


class Steps(Copies):

    # Operations on whole buffers.

    def generic(self, inputs, target, target_map=None, rank=None):
        """target = some arithmetic of inputs, and of the target or not. `inputs` are
        pairs of a value and its map. Tensors are handed back."""
        rank = len(target.shape) if rank is None else rank
        target_map = dims(rank) if target_map is None else target_map
        texts = [f"({dims(rank)}) -> ({m})" for _, m in inputs] + [f"({dims(rank)}) -> ({target_map})"]
        iterators = ["parallel" if LETTERS[i] in target_map else "reduction" for i in range(rank)]
        iterators = ", ".join(f'"{i}"' for i in iterators)
        is_tensor = isinstance(target, Tensor)
        result = f"{self.name('t')} = " if is_tensor else ""
        ins = ""
        if inputs:
            ins = (f"ins({', '.join(v.name for v, _ in inputs)} : "
                   f"{', '.join(v.type for v, _ in inputs)}) ")
        self.emit(f"{result}linalg.generic {{indexing_maps = {maps(texts)}, iterator_types = [{iterators}]}} "
                  f"{ins}outs({target.name} : {target.type}) {{")
        names = [self.name("a") for _ in range(len(inputs) + 1)]
        blocks = ", ".join(f"{n}: {target.element}" for n in names)
        self.emit(f"^bb0({blocks}):")
        with self.region():
            # Upstream takes a tensor that the payload does not read for written in
            # full, also where it is its diagonal alone.
            is_part = is_tensor and rank < len(target.shape)
            if "reduction" in iterators or is_part or self.chance(0.4):
                total = self.combine(target.element, names[-1], names[0])
            else:
                total = names[0] if inputs else self.constant(target.element)
                total = self.combine(target.element, total, self.random.choice(names[:-1] or [total]))
            self.emit(f"linalg.yield {total} : {target.element}")
        self.emit("}" + (f" -> {target.type}" if is_tensor else ""))
        return replace(target, name=result.split(" ")[0]) if is_tensor else None

    def elementwise(self):
        target = self.pick(writable=True)
        rank = len(target.shape)
        inputs = [(self.operand(target), dims(rank)) for _ in range(self.random.choice((1, 1, 2)))]
        self.generic(inputs, target)

    def permuted(self):
        """Reads columns where it writes rows; or a row for every row."""
        target = self.pick(writable=True, test=lambda b: len(b.shape) == 2)
        if target is None:
            return self.elementwise()
        if self.chance(0.5):
            source = self.operand(target, (target.shape[1], target.shape[0]))
            if source != target:
                return self.generic([(source, "d1, d0")], target)
        source = self.operand(target, (target.shape[1],))
        return self.generic([(source, "d1")], target)

    def reduce(self):
        target = self.pick(writable=True, test=lambda b: len(b.shape) == 1 and b.count < 32)
        if target is None:
            return self.elementwise()
        source = self.operand(target, (self.random.choice((2, 4, 16)), target.shape[0]))
        return self.generic([(source, "d0, d1")], target, "d1", 2)

    def diagonal(self):
        """Writes a part of its target, the rest of which stays."""
        self.kinds.add("diagonal write")
        target = self.pick(writable=True, test=lambda b: len(b.shape) == 2 and b.shape[0] == b.shape[1])
        if target is None:
            target = self.allocate(None, (4, 4))
        source = self.operand(target, (target.shape[0],))
        return self.generic([(source, "d0")], target, "d0, d0", 1)

    def fill(self):
        target = self.pick(writable=True)
        number = self.scalar(target.element)
        self.emit(f"linalg.fill ins({number} : {target.element}) outs({target.name} : {target.type})")

    def copy(self):
        target = self.pick(writable=True)
        source = self.operand(target)
        if source == target:
            return
        if self.chance(0.5):
            self.emit(f"memref.copy {source.name}, {target.name} : {source.type} to {target.type}")
        else:
            self.emit(f"linalg.copy ins({source.name} : {source.type}) outs({target.name} : {target.type})")

    # Single elements.

    def load_some(self):
        buffer = self.pick(full=True)
        self.scalars.append((self.load(buffer), buffer.element))

    def store(self, target=None):
        target = self.pick(writable=True, full=True) if target is None else target
        number = self.scalar(target.element)
        self.emit(f"memref.store {number}, {target.name}[{self.place(target)}] : {target.type}")

    def atomic(self):
        self.kinds.add("atomic update")
        target = self.pick(writable=True, full=True, test=lambda b: b.element in ("i32", "i64", "f32", "f64"))
        if target is None:
            return self.store()
        number, place = self.scalar(target.element), self.place(target)
        if target.element in FLOATS:
            # The old value stays below eight if what is added is small and comes once;
            # the larger of two is always safe.
            kind = self.random.choice(("maximumf", "minimumf", "assign"))
        else:
            kind = self.random.choice(("addi", "maxs", "minu", "andi", "ori", "assign"))
        if target.element in FLOATS or self.chance(0.6):
            old = self.value(f"memref.atomic_rmw {kind} {number}, {target.name}[{place}] : "
                             f"({target.element}, {target.type}) -> {target.element}")
        else:
            old = self.name()
            arg = self.name("a")
            self.emit(f"{old} = memref.generic_atomic_rmw {target.name}[{place}] : {target.type} {{")
            self.emit(f"^bb0({arg}: {target.element}):")
            with self.region():
                new = self.combine(target.element, arg, number)
                self.emit(f"memref.atomic_yield {new} : {target.element}")
            self.emit("}")
        self.scalars.append((old, target.element))
        return None

    def pointer(self):
        """A store through a bare pointer to where a buffer begins."""
        target = self.pick(writable=True, full=True, test=lambda b: (
            b.element in ("f32", "f64", "i32", "i64") and b.roots == {b.name}))
        if target is None:
            return self.store()
        self.kinds.add("pointer")
        number = self.scalar(target.element)
        index = self.value(f"memref.extract_aligned_pointer_as_index {target.name} : {target.type} -> index")
        whole = self.value(f"arith.index_cast {index} : index to i64")
        place = self.value(f"llvm.inttoptr {whole} : i64 to !llvm.ptr")
        self.emit(f"llvm.store {number}, {place} : {target.element}, !llvm.ptr")
        return None

    def scratch(self):
        """A large buffer that gives a small number, which is written somewhere: an
        order that frees the one earlier would write the other earlier."""
        target = self.pick(writable=True, full=True)
        large = self.allocate(target.element, self.random.choice(((256,), (512,), (1024,))))
        if self.chance(0.5):
            source = self.operand(large)
            if source != large:
                self.generic([(source, "d0")], large)
        number = self.load(large)
        self.emit(f"memref.store {number}, {target.name}[{self.place(target)}] : {target.type}")
        self.buffers.remove(large)
        if self.chance(0.4) and not self.in_loop:
            self.emit(f"memref.dealloc {large.name} : {large.type}")
        else:
            self.buffers.append(large)

    in_loop = False

    # Vectors.

    def vector_operands(self):
        target = self.pick(writable=True, test=lambda b: (
            len(b.shape) == 1 and b.count >= 4 and b.element in VECTORS))
        if target is None:
            target = self.allocate(self.random.choice(VECTORS), (8,))
        kind = f"vector<4x{target.element}>"
        base = self.index(target.shape[0] - 3)
        source = self.operand(target)
        unit = source.known_strides()[0] == 1
        odds = self.random.random()
        if odds < 0.4:
            number = self.scalar(target.element)
            vector = self.value(f"vector.broadcast {number} : {target.element} to {kind}", "w")
        elif odds < 0.7 and unit:
            vector = self.value(f"vector.load {source.name}[{base}] : {source.type}, {kind}", "w")
        else:
            pad = self.constant(target.element)
            vector = self.value(f"vector.transfer_read {source.name}[{base}], {pad} {{in_bounds = [true]}} : "
                                f"{source.type}, {kind}", "w")
        return target, kind, base, vector

    def mask(self):
        if self.chance(0.5):
            bits = ", ".join(self.random.choice(("true", "false")) for _ in range(4))
            return self.value(f"arith.constant dense<[{bits}]> : vector<4xi1>", "k")
        return self.value(f"vector.create_mask {self.size(self.random.randint(0, 4))} : vector<4xi1>", "k")

    def vector(self):
        self.kinds.add("vector write")
        target, kind, base, vector = self.vector_operands()
        unit = target.known_strides()[0] == 1
        ways = ["transfer", "masked transfer", "overhang"] + ["store", "masked", "scatter", "compress"] * unit
        way = self.random.choice(ways)
        where = f"{target.name}[{base}]"
        if way == "transfer":
            self.emit(f"vector.transfer_write {vector}, {where} {{in_bounds = [true]}} : {kind}, {target.type}")
        elif way == "masked transfer":
            self.emit(f"vector.transfer_write {vector}, {where}, {self.mask()} {{in_bounds = [true]}} : "
                      f"{kind}, {target.type}")
        elif way == "overhang":
            last = self.size(target.shape[0] - self.random.randint(1, 3))
            self.emit(f"vector.transfer_write {vector}, {target.name}[{last}] : {kind}, {target.type}")
        elif way == "store":
            self.emit(f"vector.store {vector}, {where} : {target.type}, {kind}")
        elif way == "masked":
            self.emit(f"vector.maskedstore {where}, {self.mask()}, {vector} : {target.type}, vector<4xi1>, {kind}")
        elif way == "compress":
            self.emit(f"vector.compressstore {where}, {self.mask()}, {vector} : {target.type}, vector<4xi1>, {kind}")
        else:
            order = self.random.sample(range(4), 4)
            places = self.value(f"arith.constant dense<{order}> : vector<4xi32>", "k")
            self.emit(f"vector.scatter {where} [{places}], {self.mask()}, {vector} : "
                      f"{target.type}, vector<4xi32>, vector<4xi1>, {kind}")
        if way != "transfer":
            self.kinds.add("masked or partial write")

    # Tensors.

    def tensor(self, shape=None, element=None):
        some = [t for t in self.tensors if (shape is None or t.shape == shape)
                and (element is None or t.element == element)]
        if some and self.chance(0.8):
            return self.random.choice(some[-4:])
        element = element or self.random.choice(TENSORS)
        shape = shape or self.random.choice(((4,), (8,), (4, 4), (256,), (16, 16)))
        odds = self.random.random()
        if odds < 0.4:
            # Only the tensor looks at this buffer from here on.
            self.kinds.add("to_tensor")
            buffer = self.allocate(element, shape)
            self.buffers.remove(buffer)
            plain = Tensor("", element, shape)
            allowed = " writable" if self.chance(0.4) else ""
            text = f"bufferization.to_tensor {buffer.name} restrict{allowed} : {buffer.type} to "
            if buffer.dynamic:
                loose = "tensor" + buffer.type[len("memref"):]
                name = self.value(text + loose, "t")
                text = f"tensor.cast {name} : {loose} to "
            return self.known(replace(plain, name=self.value(text + plain.type, "t")))
        empty = Tensor("", element, shape)
        empty = replace(empty, name=self.value(f"tensor.empty() : {empty.type}", "t"))
        return self.known(self.fill_all(empty))

    materialized = frozenset()

    def known(self, tensor):
        self.tensors.append(tensor)
        return tensor

    def tensor_elementwise(self):
        a = self.tensor()
        b = self.tensor(a.shape, a.element)
        if self.chance(0.3) and a.element in (*FLOATS, *INTEGERS):
            op = self.random.choice(("maximumf", "minimumf")) if a.element in FLOATS else "xori"
            return self.known(replace(a, name=self.value(f"arith.{op} {a.name}, {b.name} : {a.type}", "t")))
        target = self.tensor(a.shape, a.element) if self.chance(0.5) else replace(
            a, name=self.value(f"tensor.empty() : {a.type}", "t"))
        rank = len(a.shape)
        if target.name in (t.name for t in self.tensors):
            return self.known(self.generic([(a, dims(rank)), (b, dims(rank))], target))
        # Without a content: nothing of it may be read.
        full = replace(target, name=self.value(
            f"linalg.fill ins({self.constant(a.element)} : {a.element}) outs({target.name} : {target.type}) "
            f"-> {target.type}", "t"))
        return self.known(self.generic([(a, dims(rank)), (b, dims(rank))], full))

    def tensor_part(self):
        """Part of a tensor written: one element, a slice, a diagonal, under a mask."""
        target = self.tensor()
        odds = self.random.random()
        if odds < 0.3:
            number = self.scalar(target.element)
            place = ", ".join([self.index(s) for s in target.shape])
            text = f"tensor.insert {number} into {target.name}[{place}] : {target.type}"
        elif odds < 0.5 and len(target.shape) == 1 and target.shape[0] >= 4 and target.element in VECTORS:
            self.kinds.add("masked or partial write")
            vector = self.value(f"vector.broadcast {self.scalar(target.element)} : {target.element} to "
                                f"vector<4x{target.element}>", "w")
            text = (f"vector.transfer_write {vector}, {target.name}[{self.index(target.shape[0] - 3)}], "
                    f"{self.mask()} {{in_bounds = [true]}} : vector<4x{target.element}>, {target.type}")
        elif odds < 0.65 and len(target.shape) == 2 and target.shape[0] == target.shape[1]:
            self.kinds.add("diagonal write")
            source = self.tensor((target.shape[0],), target.element)
            return self.known(self.generic([(source, "d0")], target, "d0, d0", 1))
        else:
            sizes = tuple(self.random.randint(1, s) for s in target.shape)
            part = self.tensor(sizes, target.element)
            offsets = ", ".join([self.index(s - c + 1) for s, c in zip(target.shape, sizes)])
            text = (f"tensor.insert_slice {part.name} into {target.name}[{offsets}] {list(sizes)} "
                    f"{[1] * len(sizes)} : {part.type} into {target.type}")
        return self.known(replace(target, name=self.value(text, "t")))

    def tensor_slice(self):
        source = self.tensor()
        sizes = tuple(self.random.randint(1, s) for s in source.shape)
        offsets = ", ".join([self.index(s - c + 1) for s, c in zip(source.shape, sizes)])
        part = replace(source, shape=sizes)
        return self.known(replace(part, name=self.value(
            f"tensor.extract_slice {source.name}[{offsets}] {list(sizes)} {[1] * len(sizes)} : "
            f"{source.type} to {part.type}", "t")))

    def tensor_shape(self):
        source = self.tensor()
        if len(source.shape) > 1:
            target = replace(source, shape=(product(source.shape),))
            groups = [list(range(len(source.shape)))]
            text = f"tensor.collapse_shape {source.name} {groups} : {source.type} into {target.type}"
        elif source.shape[0] % 2 == 0:
            target = replace(source, shape=(2, source.shape[0] // 2))
            text = (f"tensor.expand_shape {source.name} [[0, 1]] output_shape {list(target.shape)} : "
                    f"{source.type} into {target.type}")
            if self.chance(0.3):
                shape = self.value(f"arith.constant dense<{list(target.shape)}> : tensor<2xindex>", "k")
                text = f"tensor.reshape {source.name}({shape}) : ({source.type}, tensor<2xindex>) -> {target.type}"
        else:
            return self.tensor_slice()
        return self.known(replace(target, name=self.value(text, "t")))

    def tensor_read(self):
        """An element of a tensor."""
        source = self.tensor()
        place = ", ".join([self.index(s) for s in source.shape])
        name = self.value(f"tensor.extract {source.name}[{place}] : {source.type}", "l")
        self.scalars.append((name, source.element))

    def tensor_to_memory(self):
        """A tensor written into a buffer, or looked at as one."""
        if self.chance(0.4):
            source = self.tensor()
            # No other tensor may look at the buffer.
            target = self.pick(source.element, shape=source.shape, test=lambda b: (
                b.writable and not b.roots & self.materialized))
            if target is None:
                target = self.allocate(source.element, source.shape)
            self.materialized |= target.roots
            self.kinds.add("materialize_in_destination")
            self.emit(f"bufferization.materialize_in_destination {source.name} in restrict writable "
                      f"{target.name} : ({source.type}, {target.type}) -> ()")
            return
        fresh = self.tensor_elementwise()
        self.tensors.remove(fresh)
        # A copy of its own, so that nobody writes what the buffer looks at.
        empty = self.value(f"tensor.empty() : {fresh.type}", "t")
        copy = self.value(f"linalg.copy ins({fresh.name} : {fresh.type}) outs({empty} : {fresh.type}) "
                          f"-> {fresh.type}", "t")
        view = Buffer("", fresh.element, fresh.shape, frozenset((copy,)), writable=False)
        name = self.value(f"bufferization.to_buffer {copy} read_only : {fresh.type} to {view.type}", "s")
        self.kinds.add("to_buffer")
        self.keep(replace(view, name=name))

    def tensor_step(self):
        ways = (self.tensor_elementwise, self.tensor_elementwise, self.tensor_part, self.tensor_part,
                self.tensor_slice, self.tensor_shape, self.tensor_read, self.packed, *[self.tensor_to_memory] * 3)
        self.random.choice(ways)()

    # What a region, or a function, is made of.

    def simple(self):
        ways = ((self.store, 5), (self.load_some, 4), (self.view, 6), (self.elementwise, 3), (self.fill, 1),
                (self.copy, 2), (self.permuted, 1), (self.reduce, 1), (self.diagonal, 1), (self.atomic, 1),
                (self.vector, 3), (self.scratch, 2), (self.allocate, 1), (self.bytes, 0.5), (self.pointer, 0.4),
                (self.grown, 0.5), (self.cloned, 0.4),
                (self.tensor_step, self.tensor_odds), (self.hidden, self.hidden_odds),
                (self.explicit, self.explicit_odds))
        steps, odds = zip(*ways)
        self.random.choices(steps, odds)[0]()

    tensor_odds = 0
