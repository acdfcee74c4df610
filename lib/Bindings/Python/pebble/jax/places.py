"""What a plan comes to once temporaries lie where results will.

XLA gives a result memory from the start, and so does a plan. Until the result is
there, XLA lets temporaries lie in it that are no larger, one after the other: from
large ones to small ones, each in the smallest place that is free while it lives.
A plan does not choose that; here it is counted, in the order of the plan.
"""

import dataclasses
import math
import re

from jax.extend.mlir import ir

from pebble import tool
from pebble.jax import xla


@dataclasses.dataclass
class _Buffer:
    bytes: int
    #: The first and the last step at which it holds something.
    first: int
    last: int


def _count_bytes(type):
    """Bytes of a tensor of known shape; 0 for what takes none that is known."""
    found = re.match(r"tensor<((?:\d+x)*)(complex<)?[a-z]+(\d+)", str(type))
    if not found:
        return 0
    bits = int(found[3]) * (2 if found[2] else 1)
    return math.prod(int(n) for n in found[1].split("x")[:-1]) * max(1, bits // 8)


def _attribute(op, name):
    return op.attributes[name] if name in op.attributes else None


class _Layout:
    """The buffers of a planned function."""

    def __init__(self, function):
        self.block = function.regions[0].blocks[0]
        self.ops = list(self.block.operations)
        self.end = len(self.ops)
        self.last_use = {}
        self.name_of = {}  # another name of a value: the value
        self.buffer_of = {}
        self.temporaries, self.places = [], []
        self.scratch = [0] * (self.end + 1)
        arguments = list(self.block.arguments)
        attributes = _attribute(function, "arg_attrs") or [{}] * len(arguments)
        for argument, given in zip(arguments, attributes):
            buffer = _Buffer(_count_bytes(argument.type), self.end, self.end)
            self.buffer_of[argument] = buffer
            if "pebble.result_place" in given:
                self.places.append(buffer)
        self._find_uses()
        for index, op in enumerate(self.ops):
            self._add(index, op.operation)

    def _root(self, value):
        while value in self.name_of:
            value = self.name_of[value]
        return value

    def _find_uses(self):
        for index, op in enumerate(self.ops):
            operation = op.operation
            if operation.name == "pebble.opaque":
                self.name_of[operation.results[0]] = operation.operands[0]
            elif operation.name != "pebble.drop":
                for operand in operation.operands:
                    self.last_use[self._root(operand)] = index

    def _add(self, index, op):
        if op.name == "func.return":
            for operand in op.operands:
                self.buffer_of[self._root(operand)].last = self.end
            return
        if op.name in ("pebble.opaque", "pebble.drop"):
            return
        overwrites = _attribute(op, "overwrites")
        overwrites = [] if overwrites is None else list(overwrites)
        scratch = _attribute(op, "scratch")
        if scratch is not None:
            self.scratch[index] = ir.IntegerAttr(scratch).value
        for number, result in enumerate(op.results):
            last = self.last_use.get(result, index)
            taken = overwrites[number] if number < len(overwrites) else -1
            if taken >= 0:
                old = self._root(op.operands[taken])
                buffer = self.buffer_of[old]
                if self.last_use.get(old, index) == index:
                    if any(buffer is place for place in self.places):
                        buffer.first = min(buffer.first, index)
                    buffer.last = max(buffer.last, last)
                    self.buffer_of[result] = buffer
                    continue
            buffer = _Buffer(_count_bytes(result.type), index, last)
            self.buffer_of[result] = buffer
            self.temporaries.append(buffer)

    def count_peak(self, left):
        """The most bytes of temporaries in `left`, scratch included."""
        live = list(self.scratch)
        for buffer in left:
            for index in range(buffer.first, min(buffer.last, self.end - 1) + 1):
                live[index] += buffer.bytes
        return max(live, default=0)

    def place(self):
        """Has temporaries lie in places; returns those that are left, and takes
        what scratch lies there away from it."""
        used = [[(place.first, self.end)] for place in self.places]
        left = []

        def is_free(number, first, last):
            return all(last < a or b < first for a, b in used[number])

        for buffer in sorted(self.temporaries, key=lambda b: -b.bytes):
            fits = [
                n for n, place in enumerate(self.places)
                if place.bytes >= buffer.bytes and is_free(n, buffer.first, buffer.last)
            ]  # fmt: skip
            if not fits or not buffer.bytes:
                left.append(buffer)
                continue
            best = min(fits, key=lambda n: self.places[n].bytes)
            used[best].append((buffer.first, buffer.last))
        for index, scratch in enumerate(self.scratch):
            for number, place in enumerate(self.places):
                if scratch and is_free(number, index, index):
                    scratch -= min(scratch, place.bytes)
            self.scratch[index] = scratch
        return left


def count_bytes(scheduled, peak):
    """What XLA should report for the planned module `scheduled`, whose `main` has
    the `peak` by the plan."""
    text, _ = tool.run(scheduled, [], generic=True)
    context = xla.make_context()
    context.allow_unregistered_dialects = True
    with context:
        for op in ir.Module.parse(text).body.operations:
            function = op.operation
            if (
                function.name != "func.func"
                or ir.StringAttr(function.attributes["sym_name"]).value != "main"
            ):
                continue
            layout = _Layout(function)
            before = layout.count_peak(layout.temporaries)
            return peak - (before - layout.count_peak(layout.place()))
    return peak
