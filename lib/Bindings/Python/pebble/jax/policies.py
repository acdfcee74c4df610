"""`policy`: what jax.checkpoint may save, taken from a plan.

A policy of jax.checkpoint is asked of each operation, by its name, the types of
its operands and its parameters, whether the result may be saved. It cannot tell
two layers apart, so that it is coarser than a plan. What is asked alike is here
one kind. A plan says of each kind whether it is computed again; XLA's figure then
says whether the budget is kept, and kinds are given up or taken back until it is.
"""

import collections
import dataclasses
import math
import re
import tempfile

import jax
import numpy as np
from jax.extend.mlir import ir

from pebble import tool
from pebble.jax import planning, xla
from pebble.sizes import read_budget, show

# How many kinds are given up or taken back, and the least share of the figure that
# a kind must have to be one of them.
MOST_TRIED = 12
LEAST_SHARE = 0.01

# What is dear beside a sum or a product, as in lib/Target/StableHLO.cpp.
SERIES = {
    "tanh", "exp", "exp2", "log", "log1p", "expm1", "sin", "cos", "tan", "logistic",
    "erf", "erf_inv", "erfc", "pow", "rsqrt", "sqrt", "cbrt", "atan2", "lgamma",
    "digamma",
}  # fmt: skip


def _kind(primitive, avals, params):
    """What tells one question from another, the same in each run."""
    told = sorted((name, str(value)) for name, value in params.items())
    told = tuple((name, text) for name, text in told if " at 0x" not in text)
    return primitive.name, tuple(str(aval) for aval in avals), told


@dataclasses.dataclass(frozen=True)
class Policy:
    """To be given to jax.checkpoint as its `policy`."""

    #: The kinds that may be saved.
    kinds: frozenset = dataclasses.field(repr=False)
    budget: int = 0
    #: What XLA reports for the gradient as it is, and under this policy.
    original: int = 0
    reported: int = 0
    #: The options of XLA with which it reports that, for jax.jit.
    compiler_options: dict = dataclasses.field(
        default_factory=dict, compare=False, repr=False
    )

    def __call__(self, primitive, *avals, **params):
        return _kind(primitive, avals, params) in self.kinds

    @property
    def saved(self):
        """What may be saved, for people."""
        lines = []
        for name, avals, params in sorted(self.kinds):
            named = dict(params).get("name") if name == "name" else None
            lines.append(f"{named or name}({', '.join(avals)})")
        return lines

    def __str__(self):
        return (
            f"{len(self.kinds)} kinds of values may be saved, XLA reports "
            f"{show(self.reported)} of a budget of {show(self.budget)} (as it is: "
            f"{show(self.original)})"
        )


@dataclasses.dataclass
class _Asked:
    """A kind, as far as its questions say what it takes."""

    times: int = 0
    bytes: int = 0
    cost: int = 0
    #: Its results, as they stand in StableHLO.
    results: tuple = ()


def _price(primitive, avals, params, size):
    """Operations that computing it again takes."""
    if primitive.name == "dot_general":
        (contracted, _), _ = params["dimension_numbers"]
        return 2 * size * math.prod(avals[0].shape[i] for i in contracted)
    if primitive.name == "conv_general_dilated":
        numbers = params["dimension_numbers"]
        features = avals[1].shape[numbers.rhs_spec[0]]
        return 2 * size * avals[1].size // max(features, 1)
    if primitive.name.startswith(("reduce", "cum", "arg")):
        return max(size, avals[0].size)
    return size * (10 if primitive.name in SERIES else 1)


class _Search:
    """Finds the kinds. `wrap(policy)` is the function under a policy."""

    def __init__(self, function, wrap, differentiate, args, kwargs, options):
        self.function = function
        self.wrap = wrap
        self.differentiate = differentiate
        self.args, self.kwargs = args, kwargs
        self.options = options
        self.figures = {}
        #: The options of XLA that each figure is of.
        self.ways = {}

    def say(self, message):
        if self.options.verbose:
            planning.sys.stderr.write(f"pebble: {message}\n")

    def jit(self, function):
        gradient = self.differentiate(function)
        # A function of its own: jax.jit would know the one before by its name.
        return jax.jit(lambda *args, **kwargs: gradient(*args, **kwargs))

    def measure(self, kinds):
        """XLA's figure where these kinds may be saved."""
        if kinds not in self.figures:
            jitted = self.jit(self.wrap(Policy(kinds)))
            lowered = jitted.lower(*self.args, **self.kwargs)
            compiled, self.ways[kinds] = xla.compile_policy(lowered)
            self.figures[kinds] = xla.measure(compiled)
            self.say(
                f"{len(kinds)} kinds saved, XLA reports {show(self.figures[kinds])}"
            )
        return self.figures[kinds]

    def make(self, kinds, budget, original):
        """The policy that is handed out."""
        figure = self.measure(kinds)
        return Policy(kinds, budget, original, figure, dict(self.ways[kinds]))

    def ask(self):
        """What jax.checkpoint asks, by kind."""
        asked = collections.defaultdict(_Asked)

        def record(primitive, *avals, **params):
            entry = asked[_kind(primitive, avals, params)]
            entry.times += 1
            try:
                made, _ = primitive.abstract_eval(*avals, **params)
            except Exception:  # It is of no use without its types.
                return True
            made = made if primitive.multiple_results else [made]
            made = [each for each in made if hasattr(each, "shape")]
            size = sum(each.size for each in made)
            entry.bytes += sum(each.size * each.dtype.itemsize for each in made)
            entry.cost += _price(primitive, avals, params, size)
            entry.results = tuple((tuple(each.shape), each.dtype) for each in made)
            return True

        jax.eval_shape(self.jit(self.wrap(record)), *self.args, **self.kwargs)
        return dict(asked)

    def plan(self, budget):
        """The planned gradient, as StableHLO that says what came from where."""
        lowered = self.jit(self.function).lower(*self.args, **self.kwargs)
        text = lowered.compiler_ir("stablehlo").operation.get_asm(
            print_generic_op_form=True, enable_debug_info=True
        )
        with tempfile.TemporaryDirectory(prefix="pebble-") as folder:
            options = dataclasses.replace(self.options, folder=folder)
            planner = planning.Planner(text, None, options, debug=True)
            grouped = planner.group()
            try:
                scheduled = planner.schedule(grouped, f"budget-bytes={budget}")
            except tool.Infeasible as refusal:
                if refusal.least is None:
                    raise
                least = f"budget-bytes={refusal.least}"
                scheduled = planner.schedule(grouped, least)
            passes = ["--pebble-to-stablehlo", "--mlir-print-debuginfo"]
            return tool.run(scheduled, passes, generic=True)[0]

    def find(self, budget, original):
        asked = self.ask()
        runs = _count_runs(self.plan(budget))
        planned = frozenset(
            kind
            for kind, entry in asked.items()
            if runs[kind[0], entry.results] < 2 * max(entry.times, 1)
        )
        # Where a plan is not to be followed, what people take may do.
        starts = dict.fromkeys([
            planned,
            frozenset(k for k in asked if k[0] == "dot_general"),
            frozenset(k for k in asked if k[0] == "name"),
            frozenset(),
        ])

        def extra(kinds):
            return sum(e.cost for k, e in asked.items() if k not in kinds)

        # What frees most for its price first.
        tried = [k for k, e in asked.items() if e.bytes > LEAST_SHARE * original]
        tried.sort(key=lambda k: asked[k].cost / asked[k].bytes)
        fitting = [kinds for kinds in starts if self.measure(kinds) <= budget]
        if fitting:
            chosen = min(fitting, key=extra)
        else:
            chosen = min(starts, key=self.measure)
            chosen = self.shrink(chosen, tried[:MOST_TRIED], budget)
        chosen = self.grow(chosen, tried[::-1][:MOST_TRIED], budget)
        return self.make(chosen, budget, original)

    def shrink(self, chosen, tried, budget):
        for kind in tried:
            fewer = chosen - {kind}
            if self.measure(fewer) < self.measure(chosen):
                chosen = fewer
            if self.measure(chosen) <= budget:
                return chosen
        least = min(self.figures.values())
        raise tool.Infeasible(
            f"no policy of jax.checkpoint that was tried keeps a budget of {budget} "
            f"bytes ({show(budget)}); of {len(self.figures)}, XLA reports {least} "
            f"bytes ({show(least)}) for the least. Layers in a jax.checkpoint of "
            "their own (wrap=), or pebble.jax.schedule, may do with less",
            least,
        )

    def grow(self, chosen, tried, budget):
        for kind in tried:
            if kind not in chosen and self.measure(chosen | {kind}) <= budget:
                chosen = chosen | {kind}
        return chosen


def _count_runs(text):
    """How often the forward half computes what: by the name of the operation in
    JAX and its types. An operation of JAX may be several of StableHLO."""
    runs = collections.Counter()
    with xla.make_context():
        module = ir.Module.parse(text)

        def visit(op):
            # Pebble puts the names of values around what JAX says.
            where = re.findall(r'"(jit\([^"]*)"', str(op.location))
            path = where[0] if where else ""
            is_forward = path and "transpose(" not in path
            if is_forward and op.name != "stablehlo.optimization_barrier":
                runs[path.rsplit("/", 1)[-1], _types(op)] += 1
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)
    return runs


def _types(op):
    types = []
    for result in op.results:
        if not isinstance(result.type, ir.RankedTensorType):
            return ()
        name = str(result.type.element_type)
        try:
            dtype = np.dtype(_DTYPES.get(name, name))
        except TypeError:
            return ()
        types.append((tuple(result.type.shape), dtype))
    return tuple(types)


_DTYPES = {
    "f16": "float16", "f32": "float32", "f64": "float64", "bf16": jax.numpy.bfloat16,
    "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64",
}  # fmt: skip


def find(function, budget, args, kwargs, wrap, argnums, has_aux, options):
    def differentiate(inner):
        return jax.value_and_grad(inner, argnums=argnums, has_aux=has_aux)

    if wrap is None:

        def wrap(policy):
            return jax.checkpoint(function, policy=policy)

    search = _Search(function, wrap, differentiate, args, kwargs, options)
    compiled = search.jit(function).lower(*args, **kwargs).compile()
    original = xla.measure(compiled)
    budget = read_budget(budget, original)
    if original <= budget:
        everything = frozenset(search.ask())
        if search.measure(everything) <= budget:
            return search.make(everything, budget, original)
    return search.find(budget, original)
