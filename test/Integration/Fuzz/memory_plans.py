"""Forms in which a random program on memory is run, and what can be wrong with it."""

import json
import os
import random
import re
import shlex
import shutil
import subprocess
from dataclasses import asdict, dataclass, replace

import tool_server
import upstream

# Machines on which values may be moved. The middle tier is small.
TIERS = {
    "fast": '<"fast", kind = explicit, read = 20, write = 30, bandwidth = 9000, latency = 5>',
    "middle": '<"middle", kind = explicit, capacity = 1024, read = 70, write = 90, '
    "bandwidth = 900, latency = 20>",
    "slow": '<"slow", kind = explicit, read = 500, write = 700, bandwidth = 100, latency = 100>',
}
MACHINES = (("fast",), ("fast", "slow"), ("fast", "middle", "slow"))
HEADING = "// fuzz-memory: "
# A plan that is given up is no error of a program, but one of Pebble.
REMARKS = "--remarks-filter-missed=pebble-(schedule|order-operations|reuse-operands|materialize-storage)"
LEAST = r"smallest (?:known |feasible )*budget\D*?(\d+)"


@dataclass(frozen=True)
class Plan:
    """A form: passes before, an order or a schedule, and passes after."""
    name: str
    order: str = ""     # options of --pebble-order-operations; empty: none
    schedule: str = ""  # options of --pebble-schedule besides the budget
    budget: float = 1   # 0: the least feasible one, 1: the peak that came in
    machine: tuple = ()
    before: tuple = ()
    after: tuple = ()
    options: tuple = ()  # of both tools
    level: int = 0      # how much LLVM optimises


CLEAN = ("-cse", "-canonicalize")


def checkpointed(chance, options, least):
    """A loop and its adjoint, raised and reversed with some of the states kept."""
    machine = chance.choice(((), ("fast", "slow"), ("fast", "slow")))
    slots = f"slots={chance.randint(least, 4)}"
    ways = ["", ""]
    if machine:
        costs = chance.choice(("", " store-cost=3 load-cost=2", " objective=energy"))
        ways = [f" slow-slots={chance.randint(1, 4)}", f" schedule=two-tier{costs}",
                f" schedule=two-tier slow-slots={chance.randint(1, 3)}{costs}",
                f" schedule=periodic{costs}", f" schedule=periodic period={chance.randint(1, 6)}"]
    kept = f"{slots}{chance.choice(ways)}" if chance.random() < 0.85 else "schedule=store-all"
    before = ("--pebble-raise-loops", f"--pebble-checkpoint-loops={kept}")
    if chance.random() < 0.3:
        before = (before[0], *CLEAN, before[1])
    order = chance.choice(("", "objective=peak"))
    schedule = "time-limit-ms=1000" if not order and chance.random() < 0.6 else ""
    after = (("--pebble-plan-addresses",) if not schedule and chance.random() < 0.3 else ()) \
        + (CLEAN if chance.random() < 0.3 else ())
    return Plan("with loops reversed", order=order, schedule=schedule, budget=chance.choice((0, chance.random(), 1)),
                machine=machine, before=before, after=after, options=options)


def placed(chance, options):
    """An order, or the one that came in, with planned addresses."""
    order = chance.choice(("", "objective=peak", "objective=peak"))
    before = ("--pebble-reuse-operands",) if chance.random() < 0.4 else ()
    clean = CLEAN if chance.random() < 0.5 else ()
    return Plan("with planned addresses", order=order, before=before, options=options,
                after=("--pebble-plan-addresses", *clean,
                       "--pebble-renew-addresses" if clean else "--pebble-verify-addresses"))


def draw(seed, index, facts):
    """The forms of one program."""
    chance = random.Random(f"plans-{seed}")
    # No allocation of the generator has more elements in a dimension.
    has_bound = facts & {"dynamic allocations", "loop and adjoint of unknown length"}
    options = ("--pebble-dim-bound=1024",) if has_bound else ()
    plans = [Plan("as it is", options=options),
             Plan("ordered", order="objective=peak", options=options)]
    # Only tensors move.
    means = chance.choice((("",) if "tensors and memory" in facts else ("", "", "")) + (
        " means=none", " means=offload objective=energy", " means=both objective=energy",
        " means=both objective=time", " means=offload objective=time"))
    machine = chance.choice(MACHINES[1:] if "offload" in means or "both" in means else ((), MACHINES[0]))
    budget = chance.choice((0, 0, chance.random(), chance.random(), 1))
    after = CLEAN if index % 3 == 0 else ()
    before = ("--pebble-reuse-operands",) if index % 3 == 1 else ()
    name = "scheduled" + (", then cleaned" if after else "") + (" with operands reused" if before else "")
    plans.append(Plan(name, schedule="time-limit-ms=1000" + means, budget=budget, machine=machine,
                      before=before, after=after, options=options))
    if index % 4 == 0:
        preset = chance.choice(("sutro", "poet-rpi", "eyeriss-65nm"))
        plans.append(Plan("ordered for energy", order="objective=energy",
                          before=(f"--pebble-attach-target=preset={preset}",), options=options))
    if index % 5 == 0:
        others = CLEAN if index % 2 else ("-canonicalize", *CLEAN)
        plans.append(Plan("ordered, placed, then cleaned", order="objective=peak",
                          after=("--pebble-plan-addresses", *others), options=options))
    if index % 3 == 2:
        plans.append(placed(chance, options))
    if "loop and adjoint" in facts:
        # Two tiers take two slots where nobody knows the length.
        plans.append(checkpointed(chance, options, 2 if "loop and adjoint of unknown length" in facts else 1))
    # What LLVM is told of aliases shows in optimised code alone; the rest compiles
    # in half the time.
    levels = random.Random(f"levels-{seed}")
    return [replace(plan, level=levels.choice((0, 0, 2))) for plan in plans]


def on_machine(text, names):
    tiers = ", ".join(TIERS[name] for name in names)
    return text.replace(
        "module {", f"module attributes {{pebble.hierarchy = #pebble.hierarchy<[{tiers}]>}} {{", 1)


class Failed(Exception):
    pass


class Skipped(Exception):
    """A search that the clock ended; nothing is wrong."""


def call(*command):
    try:
        done = tool_server.run(command, timeout=120)
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{command[0]} does not end") from error
    if done.returncode < 0:
        raise Failed(f"{command[0]}: signal {-done.returncode}")
    return done


def message(done):
    """The first error, with what it says beside it."""
    lines = [line for line in done.stderr.split("\n") if line.strip()]
    errors = [i for i, line in enumerate(lines) if "error:" in line]
    if not errors:
        return " ".join(lines[:2])[:400] or f"status {done.returncode} without a word"
    first = lines[errors[0]]
    notes = [line for line in lines[errors[0] + 1:] if "note:" in line][:1]
    return " ".join([first, *notes])[:600]


def budget_of(plan, source, folder):
    """The budget of a form: the error of one that cannot be kept names the least."""
    least = call("pebble-opt", source, *plan.options, *plan.before,
                 f"--pebble-schedule=budget-bytes=1 {plan.schedule}".replace("=1000", "=300"),
                 "-o", os.path.join(folder, "none.mlir"))
    if not least.returncode:
        return 1  # a program without memory
    found = re.findall(LEAST, least.stderr)
    if not found:
        raise Failed(f"pebble-schedule: {message(least)}")
    low = max(map(int, found))
    if not plan.budget:
        return low
    done = call("pebble-opt", source, *plan.options, *plan.before,
                "--pebble-schedule=budget-percent=100 time-limit-ms=300 means=none", "-o", "-")
    peaks = [int(n) for n in re.findall(r"input_peak_bytes = (\d+)", done.stdout)]
    return low + int(plan.budget * max(0, max(peaks, default=0) - low))


def rewrite(plan, source, folder):
    """The program in this form, its budget, and what was wrong on the way without
    being the end of it."""
    if plan.name == "as it is":
        return source, None, None
    target = os.path.join(folder, "planned.mlir")
    budget = budget_of(plan, source, folder) if plan.schedule else None
    wrong = None
    for _ in range(4):
        passes = list(plan.before)
        if plan.order:
            passes.append(f"--pebble-order-operations={plan.order}")
        if plan.schedule:
            passes += [f"--pebble-schedule=budget-bytes={budget} {plan.schedule}", "--pebble-verify-schedule"]
        done = call("pebble-opt", source, *plan.options, *passes, *plan.after, REMARKS, "-o", target)
        if not done.returncode:
            given_up = re.search(r'not-proven.*?Remark="([^"]*)', done.stderr)
            return target, budget, wrong or (given_up and given_up.group(1))
        text = message(done)
        if "time limit ended the search" in text:
            raise Skipped
        found = [int(n) for n in re.findall(LEAST, done.stderr)]
        if not plan.schedule or not found or max(found) <= budget:
            break
        wrong = wrong or f"a budget of {budget} bytes that was said to do is refused: {text}"
        budget = max(found)
    raise Failed(f"{'pebble-schedule' if plan.schedule else 'pebble-opt'}: {text}")


def run(plan, path, folder):
    out = os.path.join(folder, "out")
    shutil.rmtree(out, ignore_errors=True)
    done = call("pebble-run", path, "--seed=7", "--poison", f"--output-dir={out}",
                f"--json={out}.json", f"--opt-level={plan.level}", *plan.options)
    if done.returncode:
        raise Failed(f"pebble-run: {message(done)}")
    with open(out + ".json", encoding="utf-8") as file:
        return out, json.load(file)


def compare(reference, out):
    for name, (bits, is_unchanged) in reference.items():
        path = os.path.join(out, name + ".npy")
        if not os.path.exists(path):
            if not is_unchanged:
                raise Failed(f"results differ: {name} is written, and pebble-run does not say so")
            continue
        found = upstream.read_npy(path)
        if found != bits:
            at = next(i for i, pair in enumerate(zip(found + [None], bits + [None])) if pair[0] != pair[1])
            here = hex(found[at]) if at < len(found) else "nothing"
            there = hex(bits[at]) if at < len(bits) else "nothing"
            raise Failed(f"results differ: {name}[{at}] is {here}, not {there}")


def judge(facts, budget):
    is_bound = facts.get("predicted_is_bound", False)
    # Moves are left out where nobody can tell; no program is recursive.
    known = ("moved_bytes",) if facts.get("predicted_is_known", True) else ()
    for what in ("peak_bytes", "extent_bytes", *known):
        metered, predicted = facts.get(what, {}), facts.get("predicted_" + what, {})
        for tier in sorted(metered.keys() | predicted.keys()):
            a, b = metered.get(tier, 0), predicted.get(tier, 0)
            if a > b:
                raise Failed(f"metered {what} {a} above predicted {b} in {tier}")
            if a < b and not is_bound:
                raise Failed(f"metered {what} {a} below predicted {b} in {tier}, which is not said to be a bound")
    for what in ("peak_bytes", "extent_bytes"):
        taken = facts.get(what, {})
        taken = taken.get("default", 0) + taken.get("fast", 0)
        if budget is not None and taken > budget:
            raise Failed(f"{what} {taken} above the budget of {budget}")


def shown(target):
    """What a planned program has in it that not every one has."""
    with open(target, encoding="utf-8") as file:
        text = file.read()
    marks = {"pebble.extent": "planned: addresses", "pebble.reversal": "planned: loops reversed",
             "pebble.offload": "planned: moved", "pebble.at": "planned: moved"}
    return {fact for mark, fact in marks.items() if mark in text}


def attempt(plan, text, reference, folder, facts_seen=None):
    """What is wrong with a program in this form; None if nothing."""
    source = os.path.join(folder, "source.mlir")
    with open(source, "w", encoding="utf-8") as file:
        file.write(on_machine(text, plan.machine) if plan.machine else text)
    stage = "" if plan.name == "as it is" else "planned, "
    try:
        target, budget, wrong = rewrite(plan, source, folder)
        if facts_seen is not None and target != source:
            facts_seen |= shown(target)
        out, facts = run(plan, target, folder)
        compare(reference, out)
        judge(facts, budget)
        if wrong:
            raise Failed(wrong)
    except Skipped:
        return None
    except Failed as failure:
        return f"{stage}{failure}"
    return None


def kind_of(failure):
    """The message without names, numbers, types and places."""
    text = re.sub(r"\S*\.mlir:\d+:\d+: ", "", failure).split(" note:")[0]
    text = text.split(" is refused:")[0]
    text = re.sub(r"'[^']*'", "'..'", text)
    text = re.sub(r"[%@^][\w#]+", "X", text)
    text = re.sub(r"0x[0-9a-f]+|nothing", "N", text)
    text = re.sub(r"\b(result|argument)\d+", r"\1", text)
    text = re.sub(r"<.*>", "<>", text)
    text = re.sub(r"#?\d+", "N", text)
    text = re.sub(r" in \w+(, which|$)", r" in a tier\1", text)
    return re.sub(r"\s+", " ", text).strip()[:200]


def slug(kind):
    words = re.sub(r"[^A-Za-z]+", "-", kind).strip("-").lower()
    return "-".join(words.split("-")[:9])


def heading(plan, failure):
    """What a kept file opens with: how to see the failure, and the form as data."""
    passes = [shlex.quote(each) for each in (*plan.options, *plan.before)]
    if plan.order:
        passes.append(f'--pebble-order-operations="{plan.order}"')
    if plan.schedule:
        passes.append(f'--pebble-schedule="budget-bytes=B {plan.schedule}" --pebble-verify-schedule')
    passes += plan.after
    lines = [f"// {failure}".replace("\n", " ")]
    if plan.name != "as it is":
        lines.append(f"// pebble-opt FILE {' '.join(passes)} -o planned.mlir; then "
                     f"pebble-run planned.mlir --seed=7 --poison --opt-level={plan.level}")
    else:
        lines.append(f"// pebble-run FILE --seed=7 --poison --opt-level={plan.level}")
    if plan.schedule:
        lines.append(f"// B is the least feasible budget plus {plan.budget:.2f} of what is between it and the peak")
    if plan.machine:
        lines.append(f"// on the machine of tiers {', '.join(plan.machine)} (test/Integration/Fuzz/memory_plans.py)")
    lines.append(HEADING + json.dumps(asdict(plan)))
    return "\n".join(lines) + "\n"


def read_heading(text):
    data = json.loads(re.search(re.escape(HEADING) + "(.*)", text).group(1))
    return Plan(**{k: tuple(v) if isinstance(v, list) else v for k, v in data.items()})
