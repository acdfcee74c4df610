"""What torch allocates, by its own counters: in a step, and inside of single
operations."""

import contextlib
import dataclasses

import torch
from torch import fx
from torch.autograd import ProfilerState, profiler_legacy
from torch.utils._python_dispatch import _disable_current_modes


@dataclasses.dataclass
class Measured:
    """Bytes that a step allocates at its fullest moment beyond what was there
    before it, and what it returns."""

    peak: int
    result: object


class _Counter:
    """Bytes at the fullest moment of a region, and those that are left at its
    end, both beyond what was there at its start."""

    peak = left = 0


@contextlib.contextmanager
def _count_on_cpu(counter):
    # This profiler lists allocations in their order, and says nothing itself.
    torch.autograd._enable_profiler_legacy(
        profiler_legacy.ProfilerConfig(
            ProfilerState.CPU,
            False,
            True,
            False,
            False,
            False,
            torch._C._profiler._ExperimentalConfig(),
        )
    )
    try:
        yield
    finally:
        threads = torch.autograd._disable_profiler_legacy()
        live = most = 0
        for events in threads:
            for event in events:
                if event.kind() == "memory_alloc":
                    live += event.cpu_memory_usage()
                    most = max(most, live)
        counter.peak, counter.left = most, live


@contextlib.contextmanager
def _count_on_cuda(counter):
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    try:
        yield
    finally:
        torch.cuda.synchronize()
        counter.peak = torch.cuda.max_memory_allocated() - before
        counter.left = torch.cuda.memory_allocated() - before


def _count(counter, on_cuda):
    return _count_on_cuda(counter) if on_cuda else _count_on_cpu(counter)


def measure(function, *arguments):
    """Runs `function` once and counts what torch allocates in it: on CUDA if that
    is there, else on the CPU."""
    counter = _Counter()
    with _count(counter, torch.cuda.is_available()):
        result = function(*arguments)
    return Measured(counter.peak, result)


# Inside of operations.


def _describe(value):
    if isinstance(value, torch.Tensor):
        return tuple(value.shape), tuple(value.stride()), value.dtype, str(value.device)
    return value


def _key(node):
    """Equal for nodes that need the same inside."""
    args = fx.node.map_arg((node.args, node.kwargs), lambda n: n.meta.get("val"))
    leaves, tree = torch.utils._pytree.tree_flatten(args)
    return str(node.target), str([_describe(leaf) for leaf in leaves]), str(tree)


def _zeros(value):
    if not isinstance(value, torch.Tensor):
        return value
    made = torch.empty_strided(
        value.shape, value.stride(), dtype=value.dtype, device=value.device
    )
    return made.zero_()


def _run_alone(node):
    args, kwargs = fx.node.map_arg(
        (node.args, node.kwargs),
        lambda n: torch.utils._pytree.tree_map(_zeros, n.meta.get("val")),
    )
    devices = {t.device.type for t in torch.utils._pytree.tree_leaves((args, kwargs))
               if isinstance(t, torch.Tensor)}
    counter = _Counter()
    with _count(counter, "cuda" in devices):
        result = node.target(*args, **kwargs)
    # What is left is the result, unless that shares the storage of an argument.
    del result
    return max(0, counter.peak - counter.left)


def measure_scratch(joint, say):
    """Sets the scratch of the steps: what each allocates beside its results,
    found by running each distinct one once, on zeros."""
    known = {}
    for step in joint.steps:
        node = step.node
        if node is None or not step.recomputable:
            continue
        if not isinstance(node.target, torch._ops.OpOverload):
            continue
        key = _key(node)
        if key not in known:
            with _disable_current_modes(), torch.no_grad():
                try:
                    known[key] = _run_alone(node)
                except (RuntimeError, IndexError, NotImplementedError) as error:
                    first = str(error).splitlines()[:1]
                    say(f"{node.target} cannot be run alone to see what it needs: {first}")
                    known[key] = 0
        step.scratch = known[key]
