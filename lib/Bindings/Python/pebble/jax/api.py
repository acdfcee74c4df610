"""`schedule`, `report` and `policy`."""

import dataclasses
import functools
import inspect
import os
import tempfile

import jax

from pebble import cache as plans
from pebble.jax import planning, policies, reports, xla


@dataclasses.dataclass
class Options:
    means: str = "recompute"
    backend: str = "xla-cpu"
    measure: bool = True
    time_limit: float | None = None
    verbose: bool = True
    cache: str | None = None
    #: Where files lie while a plan is made.
    folder: str = ""


def _check(objective, means, backend="xla-cpu"):
    if objective != "recompute":
        raise ValueError(
            f'objective={objective!r}: for XLA, plans have the least arithmetic, '
            'objective="recompute"'
        )
    if means not in ("recompute", "none"):
        raise ValueError(
            f'means={means!r}: what XLA can be told is "recompute" or "none" (order '
            "alone); values stay on the device"
        )
    platform = jax.default_backend()
    if platform != "cpu" and backend == "xla-cpu":
        raise NotImplementedError(
            f"the rules of 'xla-cpu' are not those of XLA on {platform!r}: "
            'backend="xla-gpu" has some for a GPU, which were compiled for one and '
            "not run, and python -m pebble.jax.calibrate measures others"
        )


def _as_tuple(numbers):
    return (numbers,) if isinstance(numbers, int) else tuple(numbers)


class _Arguments:
    """Splits the arguments of a call: what is static is part of the program,
    the rest is handed to it."""

    def __init__(self, function, static_argnums, static_argnames, donate_argnums):
        names = []
        try:
            names = [
                p.name
                for p in inspect.signature(function).parameters.values()
                if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
            ]
        except (TypeError, ValueError):
            pass
        self.names = {static_argnames} if isinstance(static_argnames, str) else set(
            static_argnames
        )
        self.numbers = set(_as_tuple(static_argnums))
        # A static argument is static by either way of passing it.
        self.numbers |= {i for i, name in enumerate(names) if name in self.names}
        self.names |= {names[i] for i in self.numbers if 0 <= i < len(names)}
        if any(i < 0 for i in self.numbers):
            raise ValueError("static_argnums counts from the first argument")
        self.donated = set(_as_tuple(donate_argnums))
        if any(i < 0 for i in self.donated):
            raise ValueError("donate_argnums counts from the first argument")
        if self.donated & self.numbers:
            raise ValueError("a static argument cannot be donated")
        self.function = function

    def split(self, args, kwargs):
        static = tuple((i, a) for i, a in enumerate(args) if i in self.numbers)
        named = tuple(sorted((k, v) for k, v in kwargs.items() if k in self.names))
        dynamic = [a for i, a in enumerate(args) if i not in self.numbers]
        rest = {k: v for k, v in kwargs.items() if k not in self.names}
        return (len(args), static, named), dynamic, rest

    def bind(self, static):
        """The function of what is not static, and which of that is donated."""
        count, placed, named = static
        placed, named = dict(placed), dict(named)
        places = [i for i in range(count) if i not in placed]

        @functools.wraps(self.function)
        def bound(*args, **kwargs):
            given = dict(zip(places, args))
            every = [placed[i] if i in placed else given[i] for i in range(count)]
            return self.function(*every, **kwargs, **named)

        # jax.jit asks for names, and these arguments have other ones.
        bound.__dict__.pop("__wrapped__", None)
        donated = tuple(k for k, i in enumerate(places) if i in self.donated)
        return bound, donated


class Scheduled:
    """A function that runs as planned. Plans when it first meets arguments of
    new shapes; `plan_for(*args)` plans without running."""

    def __init__(self, function, budget, arguments, options):
        functools.update_wrapper(self, function)
        self.budget = budget
        self.arguments = arguments
        self.options = options
        self.entries = {}

    def __call__(self, *args, **kwargs):
        static, dynamic, rest = self.arguments.split(args, kwargs)
        if any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves((dynamic, rest))):
            raise TypeError(
                f"{self.__name__} is scheduled, and a plan is of a whole program: it "
                "cannot be traced as a part of another one. Schedule the outer "
                "function, or what jax.grad or jax.vmap makes of the inner one"
            )
        _, compiled = self._get(static, dynamic, rest)
        return compiled(*dynamic, **rest)

    def plan_for(self, *args, **kwargs):
        """The plan for arguments like these: arrays or their shapes
        (`jax.ShapeDtypeStruct`)."""
        static, dynamic, rest = self.arguments.split(args, kwargs)
        return self._get(static, dynamic, rest)[0]

    def _get(self, static, dynamic, rest):
        leaves, tree = jax.tree.flatten((dynamic, rest))
        avals = tuple(jax.api_util.shaped_abstractify(leaf) for leaf in leaves)
        for aval in avals:
            if not all(isinstance(size, int) for size in aval.shape):
                raise ValueError(
                    f"an argument has the shape {aval.shape}, and a plan is of known "
                    "sizes: schedule the function, and plan for each shape"
                )
        key = (static, tree, avals)
        if key not in self.entries:
            self.entries[key] = self._plan(static, tree, avals)
        return self.entries[key]

    def _plan(self, static, tree, avals):
        bound, donated = self.arguments.bind(static)
        shapes, named = jax.tree.unflatten(
            tree,
            [
                jax.ShapeDtypeStruct(a.shape, a.dtype, weak_type=a.weak_type)
                for a in avals
            ],
        )
        jitted = jax.jit(bound, donate_argnums=donated)
        as_it_is = jitted.lower(*shapes, **named).compile()
        original = xla.measure(as_it_is)
        budget = planning.read_budget(self.budget, original)
        exported = xla.export_function(jitted, shapes, named)
        text = xla.to_text(exported)

        def load(planned, peak):
            call = xla.make_call(exported, planned)
            lowered = jax.jit(call, donate_argnums=donated).lower(*shapes, **named)
            return xla.compile_plan(lowered, peak)

        plan, compiled = self._find(text, budget, original, load)
        if plan is None:
            plan = self._as_it_is(budget, original)
            self._say(plan)
            return plan, as_it_is
        self._say(plan)
        planning.warn_if_apart(plan)
        return plan, compiled

    def _find(self, text, budget, original, load):
        if original <= budget:
            return None, None
        with tempfile.TemporaryDirectory(prefix="pebble-") as folder:
            options = dataclasses.replace(self.options, folder=folder)
            key = planning.cache_key(text, budget, options)
            if options.cache:
                plan = planning.read_cache(options.cache, key, text)
                if plan:
                    compiled = load(plan.text, plan.planned)
                    plan.reported = xla.measure(compiled)
                    if plan.reported <= budget:
                        return plan, compiled
            plan, compiled = planning.Planner(text, load, options).make(
                budget, original
            )
            if options.cache:
                planning.write_cache(options.cache, key, plan)
            return plan, compiled

    @staticmethod
    def _as_it_is(budget, original):
        return planning.Plan(
            budget=budget,
            original=original,
            reported=original,
            planned=original,
            original_cost=0,
            cost=0,
            bound=0,
            status="optimal",
            solver="given",
            attempts=0,
            seconds=0.0,
        )

    def _say(self, plan):
        if self.options.verbose:
            planning.sys.stderr.write(f"pebble: {self.__name__}: {plan}\n")


def schedule(
    function,
    budget,
    *,
    donate_argnums=(),
    static_argnums=(),
    static_argnames=(),
    objective="recompute",
    means="recompute",
    time_limit=None,
    measure=True,
    cache=True,
    verbose=True,
    backend="xla-cpu",
):
    """A function to use in place of `jax.jit(function)`, within `budget`.

    `budget` is a number of bytes, "7MB", or "60%" of what XLA reports for the
    function as it is: arguments, temporaries and results. It is kept by XLA's
    figure for the planned function; if no plan does, `Infeasible` says the least
    that is known to do. Where the function fits as it is, it is left alone.

    `means` is "recompute", or "none" for another order alone. `time_limit` is
    seconds for each search, which are used up; None: as much work as suits, and at
    most a minute. With `measure`, each distinct step is compiled alone once to see
    what XLA needs inside of it; without, plans are made sooner and further from XLA's
    figure. `cache` keeps plans in a folder: True for
    ~/.cache/pebble/jax (or $PEBBLE_CACHE), a path, or False. `backend` names rules of
    what XLA materialises, or a file of them (`python -m pebble.jax.calibrate`).

    Differentiate first, and schedule what `jax.value_and_grad` gives: the plan
    is of one program, and has no derivative.
    """
    _check(objective, means, backend)
    folder = plans.default("jax") if cache is True else cache or None
    options = Options(means, backend, measure, time_limit, verbose, folder)
    arguments = _Arguments(function, static_argnums, static_argnames, donate_argnums)
    return Scheduled(function, budget, arguments, options)


def report(
    function, *args, budgets=("90%", "80%", "70%", "60%", "50%"), svg=None, **options
):
    """What budgets cost `function` with arguments like `args` (arrays or shapes),
    as a list of pairs: the budget, and its Plan or the Infeasible that refused
    it. `print` shows it as a table; a notebook shows that and a picture of the
    plan of the least budget that is kept, which is written to the file `svg` if
    one is named. Runs nothing. `options` are those of `schedule`."""
    rows = []
    for budget in budgets:
        planned = schedule(function, budget, **{"verbose": False, **options})
        try:
            rows.append((budget, planned.plan_for(*args)))
        except planning.tool.Infeasible as refusal:
            rows.append((budget, refusal))
    made = reports.Report(getattr(function, "__name__", "function"), rows)
    if svg is not None:
        made.save(svg)
    return made


def policy(
    function,
    budget,
    *args,
    wrap=None,
    argnums=0,
    has_aux=False,
    time_limit=20.0,
    measure=True,
    verbose=True,
    **kwargs,
):
    """A policy for jax.checkpoint with which `jax.value_and_grad(function)` stays
    within `budget`, by XLA's own figure.

    `function` is what is to be differentiated, without jax.checkpoint, and `args`
    and `kwargs` are arguments like those that it will get (arrays or shapes);
    `argnums` and `has_aux` are those of jax.value_and_grad. `budget` is as for
    `schedule`. `wrap(policy)` gives the function with jax.checkpoint where it is to
    stand, around each layer, say; without it, it stands around the whole.

    XLA on CPU undoes jax.checkpoint unless it is told not to, and one of its
    schedulers takes less for a policy than another. So the step must be compiled with
    `jax.jit(step, compiler_options=policy.compiler_options)`.

    `Infeasible` says the least that a policy was found for. A policy cannot tell
    one layer from another; `schedule` can.
    """
    _check("recompute", "recompute")
    options = Options("recompute", "xla-cpu", measure, time_limit, verbose)
    found = policies.find(
        function, budget, args, kwargs, wrap, argnums, has_aux, options
    )
    if verbose:
        name = getattr(function, "__name__", "function")
        planning.sys.stderr.write(f"pebble: {name}: {found}\n")
    return found
