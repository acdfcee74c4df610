"""`schedule`, and what it is made of: a backend for torch.compile and a
partitioner for aot_autograd."""

import dataclasses
import sys
import time

import torch
from torch._dynamo.backends.common import aot_autograd

from pebble import cache as plans
from pebble.tool import PebbleError
from pebble.torch import emit, plan
from pebble.torch.graph import Joint
from pebble.torch.measure import measure_scratch


@dataclasses.dataclass(frozen=True)
class Options:
    means: str = "recompute"
    time_limit: float = 20.0
    pure: tuple = ()
    measure: bool = True
    verbose: bool = True
    #: The folder of plans; None: they are not kept.
    cache: str | None = None


def _check(budget, means, pure):
    if means not in ("recompute", "none"):
        raise ValueError(
            f'means={means!r}: what torch can be told is "recompute" or "none" (order '
            "alone); values stay on the device"
        )
    for name in [pure] if isinstance(pure, str) else pure:
        if not _exists(name):
            raise ValueError(f'pure={name!r}: there is no such operation of torch.ops')
    # What is wrong is told now, not when the model first runs.
    plan.read_budget(budget, 100)


def _exists(name):
    """Whether "namespace::operation", or "namespace::operation.overload", is one."""
    found = torch.ops
    for part in name.replace("::", ".").split("."):
        found = getattr(found, part, None)
        if found is None:
            return False
    return isinstance(found, (torch._ops.OpOverload, torch._ops.OpOverloadPacket))


class Partitioner:
    """A `partition_fn` for aot_autograd: splits a joint graph as planned. Its
    `plans` are those that it made, one for each graph."""

    def __init__(self, budget, options):
        self.budget = budget
        self.options = options
        self.plans = []

    def __call__(self, joint_module, joint_inputs, *, num_fwd_outputs, **_):
        began = time.perf_counter()
        joint_module.graph.eliminate_dead_code()
        joint = Joint(joint_module, num_fwd_outputs, self.options.pure)
        if self.options.measure:
            measure_scratch(joint, self.say)
        budget, original = plan.resolve(self.budget, joint)
        name = f"graph {len(self.plans)}"
        if joint.notes and not self.plans:
            self.say(f"these run once, and keep their order: {joint.named()}")
        answer, cached = plan.solve(joint, budget, self.options, name)
        forward, backward, saved = emit.emit(joint, answer.moves)
        made = self._describe(joint, answer, budget, original, saved)
        made.seconds, made.cached = time.perf_counter() - began, cached
        self.plans.append(made)
        self.say(f"{name}: {made}")
        return forward, backward

    def _describe(self, joint, answer, budget, original, saved):
        order, counts = answer.order, {}
        for step in order:
            counts[step] = counts.get(step, 0) + 1
        # The solver's word is not taken for it.
        peak = plan.peak_of(joint, order)
        if peak > answer.fields["peak"] or peak > budget:
            raise PebbleError(
                f"the plan was to take {answer.fields['peak']} bytes and takes {peak}"
            )
        steps = {s.name: s for s in joint.steps}
        return plan.Plan(
            budget=budget,
            original=original,
            planned=peak,
            saved=plan.bytes_of(joint, saved),
            original_cost=sum(s.cost for s in joint.steps),
            cost=sum(steps[name].cost for name in order),
            bound=answer.fields["bound"],
            status=answer.fields["status"],
            solver=answer.fields["solver"],
            seconds=0.0,
            repeated=[steps[s].node.name for s, n in counts.items() if n > 1],
        )

    def say(self, message):
        if self.options.verbose:
            print(f"pebble: {message}", file=sys.stderr, flush=True)


def partitioner(
    budget,
    *,
    means="recompute",
    time_limit=20.0,
    pure=(),
    measure=True,
    verbose=True,
    cache=True,
):
    """A partitioner for `aot_autograd(partition_fn=...)`, in place of
    `activation_memory_budget`. Its `plans` say what came of it."""
    _check(budget, means, pure)
    pure = (pure,) if isinstance(pure, str) else tuple(pure)
    folder = plans.default("torch") if cache is True else cache or None
    return Partitioner(
        budget, Options(means, time_limit, pure, measure, verbose, folder)
    )


def _run_boxed(module, _):
    """A compiler that runs the graph as it stands, and lets go of each value
    after its last use."""
    interpreter = torch.fx.Interpreter(module)

    def run(arguments):
        with torch.fx.traceback.preserve_node_meta():
            try:
                return interpreter.boxed_run(arguments)
            finally:
                # It would hold on to the results, saved ones among them.
                interpreter.env.clear()

    run._boxed_call = True
    return run


def _inductor(split):
    from torch._inductor.compile_fx import compile_fx

    from pebble.torch.inductor import Planned

    def compile_planned(module, inputs):
        patches = {"custom_partitioner_fn": Planned(split)}
        return compile_fx(module, inputs, config_patches=patches)

    return compile_planned


def backend(budget, *, compiler="eager", **options):
    """A backend for `torch.compile(f, backend=..., dynamic=False)`.

    `compiler` is "eager", which runs the planned graphs as they stand and takes
    what was planned; "inductor", which fuses their operations and mostly takes
    less; or a pair of functions, for the forward and the backward graph, as
    aot_autograd takes them. Its `plans` say what came of it."""
    split = partitioner(budget, **options)
    if compiler == "eager":
        compile_graph = aot_autograd(
            fw_compiler=_run_boxed, bw_compiler=_run_boxed, partition_fn=split
        )
    elif compiler == "inductor":
        compile_graph = _inductor(split)
    elif isinstance(compiler, tuple) and len(compiler) == 2:
        compile_graph = aot_autograd(
            fw_compiler=compiler[0], bw_compiler=compiler[1], partition_fn=split
        )
    else:
        raise ValueError(
            f'compiler={compiler!r}: say "eager", "inductor", or a pair of compilers'
        )

    def planned(module, inputs):
        return compile_graph(module, inputs)

    planned.plans = split.plans
    return planned


def schedule(function, budget, *, compiler="eager", fullgraph=True, **options):
    """A model or function to use in place of `torch.compile(function)`, within
    `budget`.

    `budget` is a number of bytes, "7MB", or "60%" of what the step allocates as
    it was traced: results, gradients, and all between, from the first operation
    of the forward pass to the last of the backward pass. Arguments (parameters,
    inputs) are not counted: they are there before and after.

    It is planned when it first meets arguments of new shapes; `plans` of what is
    returned says what came of it. Where no plan fits, `Infeasible` says the least
    that is known to (torch.compile wraps it: look at the error's `__cause__`).

    `compiler` is one of those of `backend`. `means` is "recompute", or "none"
    for another order alone. `time_limit` is seconds of search. `pure` names
    operations of yours that may run again. With `measure`, each distinct
    operation runs once, alone, to see what it allocates inside. `cache` keeps
    plans in a folder: True for ~/.cache/pebble/torch (or $PEBBLE_CACHE), a path,
    or False.
    """
    planned = backend(budget, compiler=compiler, **options)
    compiled = torch.compile(
        function, backend=planned, dynamic=False, fullgraph=fullgraph
    )
    # A compiled module hands attributes on to the module inside of it.
    object.__setattr__(compiled, "plans", planned.plans)
    return compiled
