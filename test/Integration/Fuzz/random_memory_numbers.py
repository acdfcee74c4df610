"""Names, lines and numbers of random programs on memory.

Numbers differ from each other as far as their type allows, so that a write which
comes too late, or goes to another place, is seen. Floats stay below eight.
"""

import random
from contextlib import contextmanager

FLOATS = ("f32", "f64", "f16", "bf16")
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
BYTES = ("f8E5M2", "f8E4M3FN")  # moved, and reckoned with as whole numbers
COMPLEX = ("complex<f32>", "complex<f64>")
ELEMENTS = (*FLOATS, *INTEGERS, *BYTES, *COMPLEX)
ODDS = {"f32": 9, "i32": 4, "i64": 2, "f64": 2, "i8": 2}


def part_of(element):
    """Of a complex type that of its two parts."""
    return element[len("complex<"):-1]


class Numbers:
    """What every kind of step needs: names, lines and scalars."""

    def __init__(self, seed):
        self.random = random.Random(f"memory-{seed}")
        self.count = 0
        self.lines = []
        self.depth = 1
        self.buffers = []
        self.scalars = []  # pairs of a name and a type
        self.tensors = []
        self.four = None  # an index that is 4 when the program runs
        self.kinds = set()

    # Names and lines.

    def chance(self, odds):
        return self.random.random() < odds

    def name(self, prefix="v"):
        self.count += 1
        return f"%{prefix}{self.count}"

    def emit(self, line):
        self.lines.append("  " * self.depth + line)

    def value(self, text, prefix="v"):
        name = self.name(prefix)
        self.emit(f"{name} = {text}")
        return name

    @contextmanager
    def region(self):
        """What is made in a region is known in there alone."""
        kept = list(self.buffers), list(self.scalars), list(self.tensors)
        self.depth += 1
        yield
        self.depth -= 1
        self.buffers, self.scalars, self.tensors = kept

    # Numbers.

    def element(self):
        element = self.random.choices(ELEMENTS, [ODDS.get(e, 1) for e in ELEMENTS])[0]
        self.kinds.add(element)
        return element

    def constant(self, element, number=None):
        """A number; if it is not said which, one of many."""
        chance = self.random
        if element in COMPLEX:
            part = part_of(element)
            parts = [self.constant(part) for _ in range(2)]
            return self.value(f"complex.create {parts[0]}, {parts[1]} : {element}", "z")
        if element in FLOATS:
            # Halves hold these too.
            if number is None:
                number = chance.randint(1, 127) / 64 if element in ("f16", "bf16") else chance.randint(1, 8191) / 4096
                number *= chance.choice((-1, 1))
            return self.value(f"arith.constant {number!r} : {element}", "k")
        if element in BYTES:
            return self.value(f"arith.bitcast {self.constant('i8', number)} : i8 to {element}")
        if number is None:
            number = chance.randint(0, {"i1": 1, "i8": 127}.get(element, 9999))
        if element == "i1":
            return self.value(f"arith.constant {'true' if number else 'false'}", "k")
        return self.value(f"arith.constant {number} : {element}", "k")

    def size(self, number):
        """An index that is `number` when the program runs; it may be that nobody
        knows before."""
        if self.four is None or self.chance(0.6):
            return self.constant("index", number)
        self.kinds.add("dynamic sizes")
        if number == 4:
            return self.four
        return self.value(f"arith.addi {self.four}, "
                          f"{self.constant('index', number - 4)} : index")

    def index(self, limit):
        """Any index below the limit."""
        known = [n for n, t in self.scalars if t == "index"]
        if not known or self.chance(0.6):
            return self.constant("index", self.random.randrange(limit))
        modulus = self.constant("index", limit)
        return self.value(f"arith.remui {self.random.choice(known)}, {modulus} : index")

    def place(self, buffer):
        return ", ".join([self.index(size) for size in buffer.shape])

    def combine(self, element, a, b):
        """An arithmetic of two scalars, mostly one that both are seen in."""
        chance = self.random
        if element in COMPLEX:
            part = part_of(element)
            half = self.value("complex.create " + ", ".join([self.constant(part, 0.5)] * 2) + f" : {element}")
            a = self.value(f"complex.mul {a}, {half} : {element}")
            a = self.value(f"complex.mul {a}, {half} : {element}")
            b = self.value(f"complex.mul {b}, {half} : {element}")
            b = self.value(f"complex.mul {b}, {half} : {element}")
            return self.value(f"complex.{chance.choice(('add', 'sub'))} {a}, {b} : {element}")
        if element in BYTES:
            a, b = (self.value(f"arith.bitcast {n} : {element} to i8") for n in (a, b))
            return self.value(f"arith.bitcast {self.combine('i8', a, b)} : i8 to {element}")
        if element in FLOATS:
            half = self.constant(element, chance.choice((0.5, -0.5)))
            a = self.value(f"arith.mulf {a}, {half} : {element}")
            quarter = self.constant(element, 0.25)
            b = self.value(f"arith.mulf {b}, {quarter} : {element}")
            op = chance.choice(("addf", "addf", "addf", "subf", "maximumf", "minimumf"))
        elif element == "i1":
            op = chance.choice(("xori", "xori", "andi", "ori"))
        else:
            if self.chance(0.5):
                # Which of the two comes first is seen.
                b = self.value(f"arith.muli {b}, {self.constant(element, chance.choice((3, 5, 7)))} : {element}")
            op = chance.choice(("addi", "addi", "subi", "xori", "xori", "muli", "maxsi", "minui"))
        return self.value(f"arith.{op} {a}, {b} : {element}")

    def convert(self, name, source, target):
        """A scalar as one of another type; something of it is kept."""
        if source == target:
            return name
        if source in COMPLEX:
            op = self.random.choice(("re", "im"))
            return self.convert(self.value(f"complex.{op} {name} : {source}"), part_of(source), target)
        if target in COMPLEX:
            part = part_of(target)
            number = self.convert(name, source, part)
            other = self.value(f"arith.negf {number} : {part}")
            return self.value(f"complex.create {number}, {other} : {target}")
        if source in BYTES:
            return self.convert(self.value(f"arith.bitcast {name} : {source} to i8"), "i8", target)
        if target in BYTES:
            return self.value(f"arith.bitcast {self.convert(name, source, 'i8')} : i8 to {target}")
        if source in FLOATS and target in FLOATS:
            rank = {"f16": 0, "bf16": 0, "f32": 1, "f64": 2}
            if rank[source] == rank[target]:
                return self.convert(self.convert(name, source, "f32"), "f32", target)
            op = "extf" if rank[target] > rank[source] else "truncf"
            return self.value(f"arith.{op} {name} : {source} to {target}")
        if source in FLOATS:
            wide = self.convert(name, source, "f32")
            many = self.value(f"arith.mulf {wide}, {self.constant('f32', 4096.0)} : f32")
            whole = self.value(f"arith.fptosi {many} : f32 to i32")
            return self.convert(whole, "i32", target)
        if target in FLOATS:
            narrow = self.convert(name, source, "i32")
            few = self.value(f"arith.andi {narrow}, {self.constant('i32', 511)} : i32")
            number = self.value(f"arith.sitofp {few} : i32 to f32")
            number = self.value(f"arith.mulf {number}, {self.constant('f32', 0.0078125)} : f32")
            return self.convert(number, "f32", target)
        if "index" in (source, target):
            if source == "i1":
                return self.value(f"arith.index_castui {name} : i1 to index")
            return self.value(f"arith.index_cast {name} : {source} to {target}")
        if INTEGERS[source] < INTEGERS[target]:
            op = "extui" if source == "i1" else "extsi"
            return self.value(f"arith.{op} {name} : {source} to {target}")
        return self.value(f"arith.trunci {name} : {source} to {target}")
