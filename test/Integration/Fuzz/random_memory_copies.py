"""Random programs on memory: buffers that take the place of others, clones, and
tensors in packed layouts."""

import math
from dataclasses import replace

from random_memory import Buffer, Memory
from random_memory_numbers import COMPLEX


class Copies(Memory):
    """Needs `tensor`, `known` and `store` of a class that has steps."""

    def grown(self):
        """A buffer that becomes longer or shorter. Nobody uses the old one any more."""
        self.kinds.add("memref.realloc")
        size = self.random.choice((2, 4, 8, 64))
        old = self.allocate(shape=(size,), keep=False)
        if self.chance(0.5):
            self.store(old)
        # Upstream refuses to make one shorter where both types say how long they are.
        count = self.random.choice((1, 2, 4, 6, 8, 16, 128))
        dynamic = (0,) if count < size or bool(old.dynamic) or self.chance(0.4) else ()
        if dynamic:
            self.kinds.add("dynamic allocations")
        given = f"({self.size(count)})" if dynamic else ""
        new = Buffer("", old.element, (count,), frozenset(), dynamic)
        name = self.value(f"memref.realloc {old.name}{given} : {old.type} to {new.type}", "m")
        new = self.keep(replace(new, name=name, roots=frozenset((name,))))
        if count > size:
            # What the old one did not have holds anything.
            rest = replace(new, shape=(count - size,), dynamic=(), strides=(1,), offset=size)
            rest = replace(rest, name=self.value(
                f"memref.subview {name}[{size}] [{count - size}] [1] : {new.type} to {rest.type}", "s"))
            self.fill_all(rest)

    def cloned(self):
        """A clone, which nobody writes, as nobody writes its source from there on."""
        self.kinds.add("bufferization.clone")
        source = self.allocate(keep=False)
        if source.count and self.chance(0.7):
            self.store(source)
        self.keep(replace(source, writable=False))
        name = self.value(f"bufferization.clone {source.name} : {source.type} to {source.type}", "m")
        self.keep(replace(source, name=name, roots=frozenset((name,)), writable=False))

    def packed(self):
        """A tensor packed into tiles, and taken out of them again."""
        source = self.tensor()
        if source.element in COMPLEX:
            return  # upstream crashes
        rank = len(source.shape)
        tiled = self.random.sample(range(rank), self.random.randint(1, rank))
        tiles = [self.random.choice((1, 2, 3, 4)) for _ in tiled]
        order = self.random.sample(range(rank), rank)
        counts = [math.ceil(size / tiles[tiled.index(i)]) if i in tiled else size
                  for i, size in enumerate(source.shape)]
        target = self.tensor((*(counts[i] for i in order), *tiles), source.element)
        pad = ""
        if any(source.shape[i] % tile for i, tile in zip(tiled, tiles)):
            pad = f"padding_value({self.scalar(source.element)} : {source.element}) "
        how = f"outer_dims_perm = {order} inner_dims_pos = {tiled} inner_tiles = {tiles} into "
        packed = replace(target, name=self.value(
            f"linalg.pack {source.name} {pad}{how}{target.name} : {source.type} -> {target.type}", "t"))
        self.kinds.add("linalg.pack")
        self.known(packed)
        if self.chance(0.6):
            back = self.tensor(source.shape, source.element)
            self.known(replace(source, name=self.value(
                f"linalg.unpack {packed.name} {how}{back.name} : {packed.type} -> {source.type}", "t")))
