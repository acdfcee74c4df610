"""A program and a budget become a plan that XLA is seen to keep."""

import dataclasses
import functools
import json
import os
import re
import sys
import time
import warnings

import jax

from pebble import cache, tool
from pebble.jax import loops, places, xla
from pebble.sizes import read_budget, show

# How often a plan is made anew because XLA takes more than was planned.
ATTEMPTS = 6
# Orders of one plan that are compiled until one is within the budget, and how far
# above its plan XLA must be for that: the rest lies idle between values.
ORDERS = 3
IDLE = 0.001
# How much more than the least is tried, to learn what XLA makes of it.
MARGINS = (0.01, 0.03, 0.06, 0.1)
# The same where several numbers of states are tried as well.
LOOP_MARGINS = MARGINS[:2]
# The most states of a loop that fit are looked for to one in this many.
LOOP_PRECISION = 16
# Sizes of tapes that are tried, and to which part of what they were.
TAPE_SIZES = 4
TAPE_PRECISION = 16
# More of the budget than this is not left over where operations run again.
SLACK = 0.005
# Within this of the budget, more than the least plan is tried.
NEAR = 0.1
# Beyond this, planned and reported figures are too far apart to be trusted.
TOLERANCE = 0.05


@dataclasses.dataclass
class Plan:
    """What was asked for, what was planned, and what XLA makes of it. All sizes
    are bytes."""

    budget: int
    #: What XLA reports for the function as it is.
    original: int
    #: What XLA reports for the planned one.
    reported: int
    #: The peak that was planned, with temporaries lying where results will.
    planned: int
    #: Arithmetic operations of the original and of the plan, and the fewest
    #: that any plan of this peak can do with, as far as that is known.
    original_cost: int
    cost: int
    bound: int
    status: str
    solver: str
    attempts: int
    seconds: float
    cached: bool = False
    #: States that reversed loops keep at one time; None where loops are as given.
    slots: int | None = None
    #: Bytes that loops keep for their adjoints; None where loops are as given.
    tapes: int | None = None
    #: The planned program: StableHLO in the generic form.
    text: str = dataclasses.field(default="", repr=False)
    #: What is drawn: the steps as they are given, and as planned.
    given: str = dataclasses.field(default="", repr=False)
    steps: str = dataclasses.field(default="", repr=False)

    @property
    def extra(self):
        """Arithmetic operations that run again, as a share of the original."""
        return self.cost / self.original_cost - 1 if self.original_cost else 0.0

    def __str__(self):
        line = (
            f"planned {show(self.planned)}, XLA reports {show(self.reported)} "
            f"of a budget of {show(self.budget)} (as it is: {show(self.original)}), "
            f"{self.extra:+.1%} arithmetic"
        )
        if self.slots:
            line += f", loops keep {self.slots} states"
        if self.tapes is not None:
            line += f", loops keep {show(self.tapes)} on tapes"
        return line + (", from the cache" if self.cached else "")


def _result(text):
    """What pebble-schedule wrote about the plan of the entry."""
    found = re.search(r"pebble\.result = \{([^}]*)\}", text)
    fields = dict(re.findall(r'(\w+) = "?([-\w]+)"?', found[1]))
    return {
        name: int(value) if re.fullmatch(r"-?[0-9]+", value) else value
        for name, value in fields.items()
    }


@functools.lru_cache(maxsize=4096)
def _measure(module):
    """Bytes that XLA needs inside of a step; several budgets are tried in turn."""
    return xla.measure_temporaries(module)


class Planner:
    """Plans one program. `load` makes a compiled function of a planned text, given
    the bytes that were planned. With `debug`, what is planned says where it comes
    from."""

    def __init__(self, text, load, options, debug=False):
        self.text = text
        self.load = load
        self.options = options
        #: Arithmetic of the program as it is, once that is known.
        self.cost_once = 0
        self.printing = ["--mlir-print-debuginfo"] if debug else []

    def say(self, message):
        if self.options.verbose:
            print(f"pebble: {message}", file=sys.stderr, flush=True)

    def group(self, text=None, backend=None):
        """The program as steps that XLA runs, and what it needs inside them."""
        text = text or self.text
        group = f"backend={backend or self.options.backend} place-results"
        functions, notes = tool.run(
            text,
            [f"--pebble-group-steps={group}", "--pebble-steps-to-functions"],
            generic=True,
        )
        for note in dict.fromkeys(
            line for line in notes.splitlines() if ": remark: " in line
        ):
            self.say(note.split(": remark: ", 1)[1])
        scratch = {}
        if self.options.measure:
            modules = xla.split_functions(functions)
            self.say(f"compiling {len(modules)} distinct steps to see what they need")
            for name, module in modules.items():
                scratch[name.removeprefix("step_")] = _measure(module)
        path = os.path.join(self.options.folder, "scratch.json")
        with open(path, "w") as file:
            json.dump(scratch, file)
        grouped, _ = tool.run(
            text,
            [
                f"--pebble-group-steps={group} scratch={path}",
                *self.printing,
            ],
        )
        return grouped

    def schedule(self, grouped, budget, more="greedy-packing=true"):
        """The steps `grouped`, planned. `more` is of the options of pebble-schedule."""
        options = f"{budget} means={self.options.means} objective=recompute {more}"
        if self.options.time_limit is not None:
            options += f" time-limit-ms={int(self.options.time_limit * 1000)}"
        try:
            passes = [f"--pebble-schedule={options}", *self.printing]
            return tool.run(grouped, passes)[0]
        except tool.PebbleError as error:
            # Proven, found, or known when a limit ended the search.
            least = re.search(
                r"smallest (?:feasible )?budget(?: found| that is known to do)? is "
                r"(\d+) bytes",
                str(error),
            )
            if not least and "a larger one may do" not in str(error):
                raise
            raise tool.Infeasible(
                str(error), int(least[1]) if least else None
            ) from None

    def make(self, budget, original):
        """A plan, and its compiled function, within `budget` by XLA's figure. Where
        that costs arithmetic, or nothing fits, loops keep less of each step. Where
        nothing fits then, they keep fewer states."""
        began = time.perf_counter()
        grouped = self.group()
        base = _result(self.schedule(grouped, "budget-percent=100"))
        self.cost_once = base["cost"]
        found, refusal, tapes = None, None, None
        try:
            found = self.fit(grouped, budget)
        except tool.Infeasible as error:
            refusal = error
            found = self.free_early(budget, refusal, grouped)
        if found is None or found[0]["cost"] > self.cost_once:
            thinner, kept = self.thin_tapes(budget, found, refusal)
            if thinner:
                found, tapes = thinner, kept
        if found is None:
            found = self.reverse_loops(budget, refusal)
        result, text, scheduled, compiled, reported, attempts, slots = found
        plan = Plan(
            budget=budget,
            original=original,
            reported=reported,
            planned=result["laid_out"],
            original_cost=base["cost"],
            cost=result["cost"],
            bound=result["bound"],
            status=result["status"],
            solver=result["solver"],
            attempts=attempts,
            seconds=time.perf_counter() - began,
            slots=slots,
            tapes=tapes,
            text=text,
            given=grouped,
            steps=scheduled,
        )
        return plan, compiled

    def free_early(self, budget, refusal, grouped):
        """A plan in which an operand goes as soon as it is copied; None if there is
        none. XLA may copy another one first, so that it is not the first choice."""
        if self.options.backend != "xla-cpu":
            return None
        early = self.group(backend="xla-cpu-early")
        if early == grouped:
            return None
        try:
            return self.fit(early, budget)
        except tool.Infeasible as error:
            if error.least and (not refusal.least or error.least < refusal.least):
                refusal.least = error.least
                refusal.args = error.args
            return None

    def thin_tapes(self, budget, best, refusal):
        """The same for the program whose loops keep less of each step, and make the
        rest again: the cheapest one that is cheaper than `best`, with the bytes of its
        tapes; None twice if there is none. `refusal` says why there is no `best`."""
        if self.options.means != "recompute" or not loops.has_loops(self.text):
            return None, None
        _, tapes = loops.thin(self.text, "min")
        if tapes is None:
            return None, None
        self.say(f"tapes of loops take {show(tapes.given)}, {show(tapes.least)} at least")
        chosen, fitting, failing = None, 0, tapes.given
        over = refusal.least - budget if refusal and refusal.least else 0
        size = min(max(tapes.given - over, tapes.least), tapes.given - 1)
        for _ in range(TAPE_SIZES):
            # The next choice that is not known yet to fit or not to.
            made = None
            while failing - fitting > tapes.given // TAPE_PRECISION:
                thinned, made = loops.thin(self.text, max(size, tapes.least))
                if made.kept > fitting:
                    break
                fitting, made = size, None
                size = (fitting + failing) // 2
            if made is None:
                break
            self.say(f"tapes of {show(made.kept)}")
            grouped = self.group(thinned)
            try:
                if chosen:  # one try is enough for more than what fits
                    tried = self.try_plan(grouped, f"budget-bytes={budget}")
                    found = (*tried, 1, None)
                    if found[4] > budget:
                        raise tool.Infeasible("XLA takes more", found[4])
                else:
                    found = self.fit(grouped, budget, has_loops=True)
            except tool.Infeasible as error:
                if error.least is None:
                    break  # the time for the search was too short
                if refusal and error.least < (refusal.least or error.least + 1):
                    refusal.least, refusal.args = error.least, error.args
                if made.kept <= tapes.least:
                    break
                failing = made.kept
                # All that is over, if that is not more than what is known to fit.
                size = failing - (error.least - budget)
                if size <= max(fitting, tapes.least):
                    size = (fitting + failing) // 2 if fitting else tapes.least
                continue
            if best is None or found[0]["cost"] < best[0]["cost"]:
                best, chosen = found, (found, made.kept, thinned)
            if found[0]["cost"] <= self.cost_once:
                break
            fitting = max(size, made.kept)
            size = min(made.kept + budget - found[4], failing - 1)
        if chosen is None:
            return None, None
        found, kept, thinned = chosen
        for note in loops.check(self.text, thinned):
            self.say(note)
        return found, kept

    def reverse_loops(self, budget, refusal):
        """The same for the program whose loops run their steps again, with the
        most states kept that fit; `refusal` where there is no such loop."""
        if self.options.means != "recompute":
            raise refusal
        try:
            _, steps = loops.reverse(self.text, 1)
        except tool.PebbleError as error:
            # A loop that is reversed must be one whose steps may run again.
            self.say(f"loops stay as they are: {str(error).splitlines()[0]}")
            raise refusal from None
        if not steps:
            raise refusal
        self.say(f"loops of up to {steps} steps run their steps again")
        counts, most = loops.list_slots(steps), steps
        best, chosen, least = None, None, refusal

        def fits(slots):
            nonlocal best, chosen, least
            reversed_, _ = loops.reverse(self.text, slots)
            try:
                found = self.fit(self.group(reversed_), budget, has_loops=True)
            except tool.Infeasible as error:
                if error.least and (not least.least or error.least < least.least):
                    least = error
                return False
            best, chosen = (*found[:-1], slots), reversed_
            return True

        low, high = 0, len(counts)
        while low < high:
            middle = (low + high) // 2
            if fits(counts[middle]):
                low = middle + 1
            else:
                high = middle
                most = counts[middle]
        if best is None:
            raise least
        # Between what fits and what does not, as far as it is worth a compilation.
        while most - best[-1] > max(1, best[-1] // LOOP_PRECISION):
            middle = (best[-1] + most) // 2
            if not fits(middle):
                most = middle
        for note in loops.check(self.text, chosen):
            self.say(note)
        return best

    def try_plan(self, grouped, budget, most=None):
        """A plan of the steps `grouped`, with what XLA reports for it. Orders of it
        are tried until that is no more than `most`, if a figure is given."""
        if most is None:
            return self.compile(self.schedule(grouped, budget))
        # The plan is packed later, so that each order starts from it.
        path = os.path.join(self.options.folder, "found.plan")
        self.schedule(grouped, budget, f"save-plan={path}")
        best = None
        for seed in range(ORDERS):
            packing = f"plan={path} seed={seed} greedy-packing=true"
            found = self.compile(self.schedule(grouped, budget, packing))
            planned, reported = found[0]["laid_out"], found[-1]
            if best is None or reported < best[-1]:
                best = found
            # Other orders help where they are what is too much, and bytes lie idle.
            if not planned <= most < reported or reported <= (1 + IDLE) * planned:
                break
        return best

    def compile(self, scheduled):
        """Steps as they were planned, with what XLA reports for them."""
        result = _result(scheduled)
        result["laid_out"] = places.count_bytes(scheduled, result["peak_bytes"])
        text, _ = tool.run(scheduled, ["--pebble-to-stablehlo"], generic=True)
        compiled = self.load(text, result["laid_out"])
        reported = xla.measure(compiled)
        self.say(f"planned {show(result['laid_out'])}, XLA reports {show(reported)}")
        return result, text, scheduled, compiled, reported

    def fit(self, grouped, budget, has_loops=False):
        """A plan of the steps `grouped` that XLA is seen to keep. With `has_loops`
        what is left of the budget is for more states of loops."""
        aim, refusal = budget, None
        for attempt in range(1, ATTEMPTS + 1):
            try:
                most = None if has_loops else budget
                found = self.try_plan(grouped, f"budget-bytes={aim}", most)
            except tool.Infeasible as error:
                if error.least is None:
                    raise
                refusal = error
                break
            result, *_, reported = found
            if reported <= budget:
                if has_loops:
                    return *found, attempt, None
                return self.use_slack(grouped, budget, found, attempt)
            # XLA must come down by what is over.
            aim = max(1, min(aim, result["peak_bytes"]) - (reported - budget))
        margins = LOOP_MARGINS if has_loops else MARGINS
        return self.fit_least(grouped, budget, refusal, attempt, margins)

    def use_slack(self, grouped, budget, found, attempt):
        """The plan `found`, or a cheaper one. XLA may take less than was planned, for
        it lets temporaries lie where results will. What it leaves is planned with;
        where XLA takes too much then, half as much is left next time."""
        part = 1.0
        while attempt < ATTEMPTS:
            result, *_, reported = found
            left = part * (budget - reported)
            if left <= SLACK * budget or result["cost"] <= self.cost_once:
                break
            aim = result["peak_bytes"] + int(left)
            attempt += 1
            try:
                other = self.try_plan(grouped, f"budget-bytes={aim}", budget)
            except tool.Infeasible:
                break  # the time for the search was too short
            if other[0]["cost"] >= result["cost"]:
                break
            if other[-1] <= budget:
                found = other
            else:
                part /= 2
        return *found, attempt, None

    def fit_least(self, grouped, budget, refusal, attempt, margins):
        """The same of the smallest plans alone. What is tried does not depend on the
        budget, so that a budget named by a refusal is met when it is asked for.
        `refusal` is of pebble-schedule, if it is known; `attempt` counts on."""
        best, least, margin = None, refusal and refusal.least, 0
        margins = list(margins)
        while True:
            aim = f"budget-bytes={int(least * (1 + margin))}" if least else "budget=min"
            found = self.try_plan(grouped, aim)
            result, *_, reported = found
            if reported <= budget:
                return *found, attempt, None
            least = least or result["peak_bytes"]
            best = reported if best is None else min(best, reported)
            # Where there is no room at all, XLA may need far more than was
            # planned; with a little more it does not. And near the budget one
            # plan may do where another of the same peak does not.
            is_near = best <= (1 + NEAR) * budget
            if not margins or not (
                is_near or best > (1 + TOLERANCE) * result["peak_bytes"]
            ):
                break
            margin, attempt = margins.pop(0), attempt + 1
        raise tool.Infeasible(
            f"no plan fits a budget of {budget} bytes ({show(budget)}); of "
            f"the smallest that were tried, XLA reports {best} bytes "
            f"({show(best)}) for the least" + (f"\n{refusal}" if refusal else ""),
            best,
        )


def warn_if_apart(plan):
    apart = abs(plan.reported - plan.planned) / max(plan.reported, 1)
    if apart > TOLERANCE:
        warnings.warn(
            f"pebble planned {show(plan.planned)} and XLA reports "
            f"{show(plan.reported)}, {apart:.0%} apart; the budget is kept, but "
            "a better plan may exist",
            stacklevel=5,
        )


def _read_backend(backend):
    """The name of a backend, with its rules if it is a file."""
    try:
        with open(backend) as file:
            return backend + file.read()
    except OSError:
        return backend


def cache_key(text, budget, options):
    """What a plan depends on."""
    return cache.make_key(
        text,
        str(budget),
        options.means,
        _read_backend(options.backend),
        str(options.measure),
        str(options.time_limit),
        tool.version(),
        jax.__version__,
        jax.devices()[0].device_kind,
        os.environ.get("XLA_FLAGS", ""),
    )


def read_cache(folder, key, text):
    """The plan that was kept under `key`; None if there is none that is whole and
    computes what the program `text` does."""
    stored = cache.read(folder, key)
    if stored is None:
        return None
    plan = Plan(**{**stored, "cached": True})
    try:
        loops.check(text, plan.text)
    except tool.PebbleError as error:
        warnings.warn(
            f"the plan in {os.path.join(folder, key)}.json is of another program; "
            f"planning anew: {str(error).splitlines()[0]}",
            stacklevel=5,
        )
        return None
    return plan


def write_cache(folder, key, plan):
    cache.write(folder, key, dataclasses.asdict(plan))
