"""The joint graph of a forward and a backward pass as steps, values and storages.

A storage is what torch allocates: a fake tensor knows its storage, so views need
no list of operations. A step is a node that makes a new storage or changes one;
views belong to no step and are made anew wherever they are read.
"""

import dataclasses
import operator

import torch
from torch import fx
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

from pebble.tool import PebbleError

# A result's element takes one operation, and that of a function that takes a
# series ten: the costs of Pebble's other dialects.
SERIES = 10
_SERIES_NAMES = {
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
    "tanh", "sinh", "cosh", "asin", "acos", "atan", "atan2", "erf", "erfc", "pow",
    "sigmoid", "gelu", "gelu_backward", "silu", "silu_backward", "softplus", "mish",
    "_softmax", "_log_softmax", "_log_softmax_backward_data", "logsumexp", "rsqrt",
    "elu", "log_sigmoid_forward", "hardswish",
}  # fmt: skip
# Namespaces whose operations say all of what they do.
_KNOWN = {"aten", "prims", "prim"}


class Unsupported(PebbleError):
    """A graph that no plan is made for, and why."""


@dataclasses.dataclass
class Value:
    """A content of a storage."""

    name: str
    storage: int
    #: The node that stands for it, or None: what an argument holds at first.
    node: fx.Node | None
    overwrites: "Value | None" = None
    required: bool = False


@dataclasses.dataclass
class Step:
    name: str
    node: fx.Node | None
    reads: list
    writes: list
    cost: int = 0
    #: Bytes that it needs inside.
    scratch: int = 0
    recomputable: bool = True
    #: Where it must be: "forward", "backward" or "" where the plan decides.
    side: str = ""
    #: Whether it keeps its place among the others of its kind.
    ordered: bool = False


def _tensors(value):
    return [v for v in tree_leaves(value) if isinstance(v, torch.Tensor)]


def _key(tensor):
    return tensor.untyped_storage()._cdata


def _is_mutable(node):
    return isinstance(node.target, torch._ops.OpOverload) and (
        node.target._schema.is_mutable
    )


def _is_random(node):
    tags = getattr(node.target, "tags", ())
    return torch.Tag.nondeterministic_seeded in tags


def count_cost(node):
    """Arithmetic operations of a node: torch's own count for products and
    convolutions, elements for the rest."""
    target, value = node.target, node.meta.get("val")
    packet = getattr(target, "_overloadpacket", None)
    if packet in flop_registry:
        args, kwargs = fx.node.map_arg((node.args, node.kwargs), lambda n: n.meta["val"])
        return int(flop_registry[packet](*args, **kwargs, out_val=value))
    read = [t.numel() for n in node.all_input_nodes for t in _tensors(n.meta.get("val"))]
    made = [t.numel() for t in _tensors(value)]
    name = getattr(packet, "__name__", "")
    return max(read + made + [1]) * (SERIES if name in _SERIES_NAMES else 1)


class Joint:
    """What a joint graph does, as far as a plan can tell."""

    def __init__(self, module, forward_outputs, pure=()):
        self.module = module
        self.nodes = list(module.graph.nodes)
        #: Operations that may run again because somebody says so.
        self.pure = {name.replace("::", ".") for name in pure}
        self.notes = []
        self._split(forward_outputs)
        self._check()
        self.values, self.steps = [], []
        self.bytes = {}  # of a storage
        self._storages = {}  # by the fake storage's key
        self._current = {}  # the newest content of a storage
        self.of_node = {}  # a node's own values: it stands for their storage
        self.step_of = {}  # the step that a node is, or is a part of
        self.outdated = {}  # what an argument held before the forward pass changed it
        self._handles = {}  # values that say that a step has run
        self._build()

    def _split(self, forward_outputs):
        output = next(n for n in self.nodes if n.op == "output")
        leaves = tree_leaves(output.args)
        self.output = output
        self.forward_outputs = leaves[:forward_outputs]
        self.backward_outputs = leaves[forward_outputs:]
        holders = [n for n in self.nodes if n.op == "placeholder"]
        self.tangents = [n for n in holders if "tangents" in str(n.target)]
        self.primals = [n for n in holders if n not in set(self.tangents)]

    def _check(self):
        if self.output.meta.get("desc") is None:
            raise Unsupported(
                "the graph does not say what its results are; that takes torch 2.9"
            )
        for node in self.primals:
            if "seed" in str(node.target) or "rng_state" in str(node.target):
                raise Unsupported(
                    f"{node.name}: states of random generators as arguments "
                    "(functionalize_rng_ops) are not planned"
                )
        for node in self.nodes:
            value = node.meta.get("val")
            for leaf in tree_leaves(value):
                if isinstance(leaf, (torch.SymInt, torch.SymFloat, torch.SymBool)):
                    raise Unsupported(
                        f"{node.name} depends on a size that is not known: compile "
                        "with dynamic=False"
                    )
            for tensor in _tensors(value):
                sizes = (*tensor.shape, *tensor.stride())
                if any(not isinstance(s, int) for s in sizes):
                    raise Unsupported(
                        f"{node.name} has a size that is not known: compile with "
                        "dynamic=False"
                    )
                if tensor.layout is not torch.strided:
                    raise Unsupported(f"{node.name} is a sparse tensor")

    # Values and storages.

    def _storage(self, tensor):
        key = _key(tensor)
        if key not in self._storages:
            self._storages[key] = len(self._storages)
        return self._storages[key]

    def _add_value(self, storage, node, overwrites=None):
        value = Value(f"v{len(self.values)}", storage, node, overwrites)
        self.values.append(value)
        self._current[storage] = value
        return value

    def contents(self, node):
        """What must be there for `node` to be read now."""
        found = {}
        for tensor in _tensors(node.meta.get("val")):
            value = self._current.get(self._storage(tensor))
            if value is not None:
                found[value.name] = value
        for value in self._handles.get(node, ()):
            found[value.name] = value
        return list(found.values())

    def _build(self):
        for node in self.primals:
            for tensor in _tensors(node.meta.get("val")):
                # Arguments are there whatever is planned: they take nothing.
                self.bytes.setdefault(self._storage(tensor), 0)
        initial = set(self.bytes)
        for node in self.nodes:
            if node.op == "call_function" and _is_mutable(node):
                for tensor in self._mutated(node):
                    storage = self._storage(tensor)
                    if storage in initial and storage not in self._current:
                        self._add_value(storage, None)
        for node in self._changed_by_caller():
            for tensor in _tensors(node.meta.get("val")):
                self._add_value(self._storage(tensor), None)
        early, rest = self._order()
        self.turn = Step("turn", None, [], [], recomputable=False)
        for node in early:
            self._add_node(node, "forward")
        self._place_turn()
        for node in rest:
            self._add_node(node, "backward")
        for node in self.backward_outputs:
            if isinstance(node, fx.Node):
                self._require(node)

    def _order(self):
        """The nodes of the forward pass, and the rest: what needs a tangent, and
        what stands beside it."""
        late, needed = set(self.tangents), set()
        for node in self.nodes:
            tag = node.meta.get("partitioner_tag")
            if tag == "must_be_in_backward" or late.intersection(node.all_input_nodes):
                late.add(node)
        waiting = [n for n in self.forward_outputs if isinstance(n, fx.Node)]
        while waiting:
            node = waiting.pop()
            if node not in needed:
                needed.add(node)
                waiting += node.all_input_nodes
        wrong = [n for n in self.nodes if n in needed and n in late]
        if wrong:
            raise Unsupported(f"{wrong[0].name}, of the forward pass, needs a tangent")
        calls = [n for n in self.nodes if n.op == "call_function"]
        last = max(
            (
                i
                for i, n in enumerate(calls)
                if n in needed
                or (n not in late and n.meta.get("partitioner_tag") == "is_forward")
            ),
            default=-1,
        )
        early = [n for n in calls[: last + 1] if n not in late]
        return early, [n for n in calls if n not in set(early)]

    def _place_turn(self):
        """Where the forward pass has ended: its results are there, and torch
        brings their tangents."""
        for node in self.forward_outputs:
            if isinstance(node, fx.Node):
                self.turn.reads += self.contents(node)
                self._require(node)
        self.turn.reads = list({v.name: v for v in self.turn.reads}.values())
        for node in self.tangents:
            for tensor in _tensors(node.meta.get("val")):
                storage = self._storage(tensor)
                if storage in self.bytes:
                    continue
                self.bytes[storage] = tensor.untyped_storage().nbytes()
                value = self._add_value(storage, node)
                # Whoever calls backward() holds the tangent of a loss meanwhile.
                value.required = tensor.numel() == 1
                self.of_node.setdefault(node, []).append(value)
                self.turn.writes.append(value)
        # What the caller then writes into the arguments that the model changes.
        for node in self._changed_by_caller():
            for tensor in _tensors(node.meta.get("val")):
                storage = self._storage(tensor)
                old = self._current[storage]
                self.turn.writes.append(self._add_value(storage, None, old))
                self.outdated[node] = old
        self.steps.append(self.turn)

    def _changed_by_caller(self):
        """Arguments whose new contents the forward pass returns, for its caller
        to write them there."""
        given = tree_leaves(
            self.output.meta["desc"], is_leaf=lambda d: not isinstance(d, (tuple, list))
        )
        changed = {getattr(d, "mutated_input", None) for d in given}
        return [n for n in self.primals if n.meta.get("desc") in changed - {None}]

    def _require(self, node):
        for value in self.contents(node):
            value.required = True

    def _mutated(self, node):
        """Tensors that a node writes into."""
        found = []
        schema = node.target._schema.arguments
        for position, argument in enumerate(schema):
            if argument.alias_info is None or not argument.alias_info.is_write:
                continue
            given = (
                node.args[position]
                if position < len(node.args)
                else node.kwargs.get(argument.name)
            )
            for leaf in tree_leaves(given):
                if isinstance(leaf, fx.Node):
                    found += _tensors(leaf.meta.get("val"))
        return found

    # Steps.

    def _add_node(self, node, side):
        if node.target is operator.getitem and node.args[0] in self.step_of:
            self._add_part(node)
            return
        mutated = self._mutated(node) if _is_mutable(node) else []
        fresh = [
            t
            for t in _tensors(node.meta.get("val"))
            if self._storage(t) not in self.bytes
        ]
        is_view = not fresh and not mutated and bool(_tensors(node.meta.get("val")))
        if is_view:
            return
        reads = {v.name: v for n in node.all_input_nodes for v in self.contents(n)}
        for value in self.outdated.values():
            if any(v.storage == value.storage for v in reads.values()):
                raise Unsupported(
                    f"{node.name}, of the backward pass, reads an argument that the "
                    "forward pass changes: let the model read a clone of it"
                )
        step = Step(f"s{len(self.steps)}", node, list(reads.values()), [])
        step.cost = count_cost(node)
        self._judge(step, side, bool(mutated))
        self.steps.append(step)
        self.step_of[node] = step
        single = isinstance(node.meta.get("val"), torch.Tensor)
        if single and fresh:
            self._own(node, fresh[0], step)
        elif not fresh and not mutated:
            # What has no tensor is there once its step has run.
            self._add_handle(node, step)
        for tensor in mutated:
            storage = self._storage(tensor)
            old = self._current.get(storage)
            value = self._add_value(storage, None, old)
            step.writes.append(value)
        if not single:
            self._own_unnamed(node, fresh, step)

    def _own(self, node, tensor, step):
        storage = self._storage(tensor)
        self.bytes[storage] = tensor.untyped_storage().nbytes()
        value = self._add_value(storage, node)
        self.of_node.setdefault(node, []).append(value)
        step.writes.append(value)

    def _own_unnamed(self, node, fresh, step):
        """Results of a node that returns several: each belongs to the getitem
        that takes it, which comes later; those that none takes are there too
        while the step runs."""
        for tensor in fresh:
            storage = self._storage(tensor)
            if storage not in self.bytes:
                self.bytes[storage] = tensor.untyped_storage().nbytes()
                step.writes.append(self._add_value(storage, None))

    def _add_handle(self, node, step):
        storage = -1 - len(self.values)
        self.bytes[storage] = 0
        value = Value(f"v{len(self.values)}", storage, node)
        self.values.append(value)
        step.writes.append(value)
        self.of_node.setdefault(node, []).append(value)
        self._handles.setdefault(node, []).append(value)

    def _add_part(self, node):
        """A result of a step with several."""
        step = self.step_of[node.args[0]]
        self.step_of[node] = step
        values = [
            v
            for t in _tensors(node.meta.get("val"))
            for v in step.writes
            if v.storage == self._storage(t)
        ]
        owns = [v for v in values if v.node is None and v.overwrites is None]
        if owns and len(values) == len(_tensors(node.meta.get("val"))):
            for value in owns:
                value.node = node
            self.of_node[node] = owns
            return
        # It shares the storage of something else, and still takes the step.
        self._add_handle(node, step)

    def _judge(self, step, side, mutates):
        """Whether a step may run again, and where it must stand."""
        node = step.node
        tag = node.meta.get("partitioner_tag")
        if tag in ("must_be_in_forward", "must_be_in_backward"):
            step.side = tag.removeprefix("must_be_in_")
        target = node.target
        namespace = getattr(target, "namespace", None)
        name = str(target)
        if mutates or _is_random(node) or node.is_impure(impure_random=False):
            step.ordered = True
        elif not isinstance(target, torch._ops.OpOverload):
            step.ordered = target is not operator.getitem
        elif namespace not in _KNOWN:
            names = {name, str(target._overloadpacket)}
            step.ordered = not names & self.pure
        if step.ordered:
            step.recomputable = False
            step.side = step.side or side
            self.notes.append(name)

    def named(self):
        """What runs once and keeps its place, each name with its count."""
        counts = {}
        for name in self.notes:
            counts[name] = counts.get(name, 0) + 1
        return ", ".join(f"{name} ({n})" for name, n in sorted(counts.items()))
