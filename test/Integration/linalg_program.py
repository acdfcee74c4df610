"""Writes linalg on tensors: what generated programs are built with.

A `Function` is a list of lines; each method adds one operation and returns its
`Value`. Dimensions are letters, as in einsum: `[(x, "nd"), (bias, "d")]`.
"""

from collections import namedtuple

Value = namedtuple("Value", "name shape element owner")


def tensor(shape, element="f32"):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def type_of(value):
    return tensor(value.shape, value.element)


class Scalars:
    """The body of a linalg.generic: arithmetic on the elements."""

    def __init__(self):
        self.lines = []

    def add(self, text):
        name = f"%s{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def constant(self, value):
        return self.add(f"arith.constant {value:.9e} : f32")

    def binary(self, op, a, b):
        a, b = (v if isinstance(v, str) else self.constant(v) for v in (a, b))
        return self.add(f"arith.{op} {a}, {b} : f32")

    def sum(self, a, b):
        return self.binary("addf", a, b)

    def difference(self, a, b):
        return self.binary("subf", a, b)

    def product(self, a, b):
        return self.binary("mulf", a, b)

    def quotient(self, a, b):
        return self.binary("divf", a, b)

    def maximum(self, a, b):
        return self.binary("maximumf", a, b)

    def call(self, op, a):
        return self.add(f"math.{op} {a} : f32")

    def index(self, dim):
        return self.add(f"linalg.index {dim} : index")

    def select(self, condition, a, b):
        return self.add(f"arith.select {condition}, {a}, {b} : f32")


class Function:
    """One function; the operations of every `Function` of a program have
    different names, so that a value keeps its name in another function."""

    def __init__(self, name):
        self.name = name
        self.arguments = []  # (value, attributes)
        self.lines = []
        self.saved = []  # values of other functions that this one reads

    def argument(self, name, shape, element="f32", attributes=""):
        value = Value(name, tuple(shape), element, self)
        self.arguments.append((value, attributes))
        return value

    def use(self, value):
        if value.owner is not self and value not in self.saved:
            self.saved.append(value)
        return f"%{value.name}"

    def list(self, values):
        return (", ".join(self.use(v) for v in values) + " : " +
                ", ".join(type_of(v) for v in values))

    def generic(self, name, inputs, out, body, over=None, init=None,
                reduced="", sizes=None):
        """`over` is a value to overwrite; `init` fills the result first, and
        the body then gets the element so far as its last argument."""
        sizes = dict(sizes or {})
        for value, letters in inputs:
            sizes.update(zip(letters, value.shape))
        shape = tuple(sizes[letter] for letter in out)
        kind = tensor(shape)
        if over is not None:
            destination = self.use(over)
        else:
            destination = f"%{name}_to"
            self.lines.append(f"{destination} = tensor.empty() : {kind}")
        if init is not None:
            self.lines.append(f"%{name}_value = arith.constant {init:.9e} : f32")
            self.lines.append(
                f"%{name}_init = linalg.fill ins(%{name}_value : f32)"
                f" outs({destination} : {kind}) -> {kind}")
            destination = f"%{name}_init"
        dims = out + reduced
        maps = ", ".join(
            f"affine_map<({', '.join(dims)}) -> ({', '.join(letters)})>"
            for letters in [letters for _, letters in inputs] + [out])
        kinds = ", ".join(['"parallel"'] * len(out) +
                          ['"reduction"'] * len(reduced))
        scalars = Scalars()
        elements = [f"%e{i}" for i in range(len(inputs))] + ["%old"]
        given = elements if over is not None or init is not None else elements[:-1]
        result = body(scalars, *given)
        block = ", ".join(
            f"{e}: {v.element}" for e, (v, _) in zip(elements, inputs))
        block += (", " if block else "") + "%old: f32"
        inputs_text = ""
        if inputs:
            inputs_text = f" ins({self.list([v for v, _ in inputs])})"
        self.lines.append(
            f"%{name} = linalg.generic {{indexing_maps = [{maps}],"
            f" iterator_types = [{kinds}]}}{inputs_text}"
            f" outs({destination} : {kind})"
            f" attrs = {{pebble.name = \"{name}\"}} {{")
        self.lines.append(f"^bb0({block}):")
        self.lines += ["  " + line for line in scalars.lines]
        self.lines.append(f"  linalg.yield {result} : f32")
        self.lines.append(f"}} -> {kind}")
        return Value(name, shape, "f32", self)

    def contract(self, name, a, a_letters, b, b_letters, out):
        """An einsum of two operands."""
        reduced = "".join(dict.fromkeys(
            c for c in a_letters + b_letters if c not in out))
        return self.generic(
            name, [(a, a_letters), (b, b_letters)], out,
            lambda s, x, y, old: s.sum(old, s.product(x, y)),
            init=0.0, reduced=reduced)

    def matmul(self, name, a, b):
        shape = (a.shape[0], b.shape[1])
        kind = tensor(shape)
        self.lines += [
            f"%{name}_to = tensor.empty() : {kind}",
            f"%{name}_value = arith.constant 0.0 : f32",
            f"%{name}_init = linalg.fill ins(%{name}_value : f32)"
            f" outs(%{name}_to : {kind}) -> {kind}",
            f"%{name} = linalg.matmul {{pebble.name = \"{name}\"}}"
            f" ins({self.list([a, b])}) outs(%{name}_init : {kind}) -> {kind}"]
        return Value(name, shape, "f32", self)

    def transpose(self, name, value, letters, out):
        return self.generic(name, [(value, letters)], out, lambda s, x: x)

    def expand(self, name, value, groups, shape):
        self.lines.append(
            f"%{name} = tensor.expand_shape {self.use(value)} {groups}"
            f" output_shape {list(shape)} : {type_of(value)} into"
            f" {tensor(shape)}")
        return Value(name, tuple(shape), "f32", self)

    def collapse(self, name, value, groups, shape):
        self.lines.append(
            f"%{name} = tensor.collapse_shape {self.use(value)} {groups} :"
            f" {type_of(value)} into {tensor(shape)}")
        return Value(name, tuple(shape), "f32", self)

    def text(self, results, names=None):
        """The whole function. `names` are the results' `pebble.name`."""
        arguments = ", ".join(
            f"%{v.name}: {type_of(v)}" + (f" {{{a}}}" if a else "")
            for v, a in self.arguments)
        kinds = [type_of(v) for v in results]
        if names:
            kinds = [k + (f" {{pebble.name = \"{n}\"}}" if n else "")
                     for k, n in zip(kinds, names)]
        head = f"  func.func @{self.name}({arguments}) -> ({', '.join(kinds)}) {{"
        lines = ["    " + line for line in self.lines]
        lines.append(f"    return {self.list(results)}")
        return "\n".join([head, *lines, "  }"])
