"""A schedule of a joint graph becomes a forward and a backward graph."""

import operator

from torch import fx

from pebble.tool import PebbleError


class _Graph:
    """One of the two graphs while it is written."""

    def __init__(self, joint, inputs, saved):
        self.joint = joint
        self.graph = fx.Graph()
        #: New nodes by the node of the joint graph that they stand for.
        self.here = {}
        #: Those of them that are views, and the storages that they show.
        self.views = {}
        for node in [*inputs]:
            new = self.graph.placeholder(node.name)
            new.meta = node.meta
            self.here[node] = new
        #: Where what is not here is looked for: nodes that must be saved.
        self.missing = saved

    def find(self, node):
        if node in self.here:
            return self.here[node]
        if node.op == "get_attr":
            self.here[node] = self.graph.node_copy(node)
            return self.here[node]
        if node.op == "call_function" and node not in self.joint.step_of:
            return self._view(node)
        step = self.joint.step_of.get(node)
        if step is not None and node not in self.joint.of_node:
            # It wrote into something: that holds what it returns.
            changed = [a for a in node.all_input_nodes if a.op == "placeholder"]
            if changed:
                return self.find(changed[0])
        if self.missing is None:
            raise PebbleError(f"the plan reads {node.name} where it is not")
        self.missing[node] = True
        new = self.graph.placeholder(node.name)
        new.meta = node.meta
        self.here[node] = new
        return new

    def _view(self, node):
        new = self.graph.node_copy(node, self.find)
        self.here[node] = new
        self.views[node] = {v.storage for v in self.joint.contents(node)}
        return new

    def run(self, step):
        self._forget({v.storage for v in step.writes if not v.overwrites})
        node = step.node
        self.here[node] = self.graph.node_copy(node, self.find)
        parts = [
            user
            for user in node.users
            if user.target is operator.getitem and self.joint.step_of.get(user) is step
        ]
        for part in parts:
            self.here[part] = self.graph.node_copy(part, self.find)

    def drop(self, value):
        if value.node is not None:
            self.here.pop(value.node, None)
        self._forget({value.storage})

    def _forget(self, storages):
        """Views of what goes away."""
        for node in [n for n, shown in self.views.items() if shown & storages]:
            del self.views[node], self.here[node]


def _outputs(graph, nodes):
    return tuple(graph.find(n) if isinstance(n, fx.Node) else n for n in nodes)


def _play(graph, moves, joint):
    steps = {s.name: s for s in joint.steps}
    values = {v.name: v for v in joint.values}
    for kind, name in moves:
        if kind == "compute":
            graph.run(steps[name])
        elif kind == "drop":
            graph.drop(values[name])
        else:
            raise PebbleError(f"a move '{kind}' cannot be written as a graph")


def _descriptions(joint, count_saved, first_unchecked):
    """What torch's newer versions note about results."""
    leaves = [None] * (len(joint.forward_outputs) + len(joint.backward_outputs))
    given = joint.output.meta.get("desc")
    if given is not None:
        from torch.utils._pytree import tree_leaves

        leaves = tree_leaves(given, is_leaf=lambda x: not isinstance(x, (tuple, list)))
    forward = leaves[: len(joint.forward_outputs)]
    backward = leaves[len(joint.forward_outputs) :]
    try:
        from torch._functorch._aot_autograd.descriptors import (
            SavedForBackwardsAOTOutput as Checked,
            SavedForBackwardsNoVcCheckAOTOutput as Unchecked,
        )
    except ImportError:
        saved = [None] * count_saved
    else:
        saved = [
            (Unchecked if i >= first_unchecked else Checked)(i)
            for i in range(count_saved)
        ]
    return [*forward, *saved], backward


def _finish(graph, outputs, descriptions):
    output = graph.graph.output(outputs)
    output.meta["desc"] = descriptions
    output.meta["output_stack_traces"] = [
        n.meta.get("stack_trace") if isinstance(n, fx.Node) else None for n in outputs
    ]
    graph.graph.eliminate_dead_code()
    graph.graph.lint()


def emit(joint, moves):
    """The modules of the forward and of the backward pass, and the nodes that
    the one saves for the other."""
    turn = moves.index(("compute", joint.turn.name))
    # What the backward pass misses must be saved; torch wants it in front.
    needed = {}
    trial = _Graph(joint, joint.tangents, needed)
    _play(trial, moves[turn + 1 :], joint)
    _outputs(trial, joint.backward_outputs)
    saved = [n for n in needed if not _is_unchecked(n)]
    first_unchecked = len(saved)
    saved += [n for n in needed if _is_unchecked(n)]

    forward = _Graph(joint, joint.primals, None)
    _play(forward, moves[:turn], joint)
    results = _outputs(forward, [*joint.forward_outputs, *saved])
    front, back = _descriptions(joint, len(saved), first_unchecked)
    _finish(forward, results, front)

    backward = _Graph(joint, [*saved, *joint.tangents], None)
    _play(backward, moves[turn + 1 :], joint)
    _finish(backward, _outputs(backward, joint.backward_outputs), back)
    for node in backward.graph.nodes:
        if node.op in ("call_function", "get_attr"):
            node.meta["autograd_backward"] = True
    modules = [fx.GraphModule(joint.module, g.graph) for g in (forward, backward)]
    return *modules, saved


def _is_unchecked(node):
    return bool(node.meta.get("saved_tensor_with_no_vc_check", False))
