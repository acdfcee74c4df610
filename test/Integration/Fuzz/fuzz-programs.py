"""Random programs, scheduled and executed before and after.

  fuzz-programs.py [--seed=1] [--count=2000] [--first=0] [--jobs=2]
                   [--keep=DIR] [--write=I]

Program I of a seed is always the same. Each is run as it is, ordered for least
peak, and scheduled within a budget that is drawn between the smallest feasible
one and the peak of the order that came in; half of them on a hierarchy of two or
three tiers, where values may be moved as well; one in four is also cleaned by
`-cse -canonicalize` afterwards, and one in three is also scheduled with operands
reused (within the smallest budget for that, where it is more). Fails unless every run gives the same results bit for bit (with
fresh and freed memory poisoned), meters the peak of each tier and the bytes moved
that were predicted, and keeps the budget, and `pebble-verify-schedule` has nothing to say.

Counts the programs with recomputation (their schedule runs an operation again)
and those with a binding anti-dependence: one that no chain of other dependences
implies, so that an order which kept only those could break it. --write=I prints
program I; --keep keeps the files of programs that failed.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from random_program import RandomProgram  # noqa: E402


# How a schedule is searched for. The answer of the first may depend on the clock
# where the search is long; that it is right does not.
SOLVERS = ("time-limit-ms=1000", "solver=remat-greedy")


# Machines on which values may be moved. The middle tier is small.
TIERS = {
    "fast": '<"fast", kind = explicit, read = 20, write = 30, bandwidth = 9000, latency = 5>',
    "middle": '<"middle", kind = explicit, capacity = 1024, read = 70, write = 90, '
    "bandwidth = 900, latency = 20>",
    "slow": '<"slow", kind = explicit, read = 500, write = 700, bandwidth = 100, latency = 100>',
}
MACHINES = (("fast", "slow"), ("fast", "middle", "slow"))


class Failed(Exception):
    pass


def call(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              check=False, timeout=300)
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{' '.join(command)}: does not end") from error
    if done.returncode < 0:
        raise Failed(f"{' '.join(command)}: signal {-done.returncode}")
    return done


def opt(source, target, *passes):
    done = call("pebble-opt", source, *passes, "-o", target)
    if done.returncode:
        raise Failed(f"pebble-opt {' '.join(passes)}: {done.stderr[:600]}")
    return done.stdout


def run(path, when, depends_on_data, level):
    """The hash of the results, the peak, and the extent (None where addresses are
    not planned). Where a branch is not taken or a loop never runs, a program takes
    less than the analyses say, never more."""
    done = call("pebble-run", path, "--seed=7", "--poison", f"--opt-level={level}",
                f"--json={path}.json")
    if done.returncode:
        raise Failed(f"{when}: {done.stderr[:600]}")
    with open(path + ".json", encoding="utf-8") as file:
        report = json.load(file)
    for what in ("peak_bytes", "moved_bytes", "extent_bytes"):
        metered, predicted = report.get(what, {}), report.get("predicted_" + what, {})
        tiers = metered.keys() | predicted.keys()
        if metered != predicted and not (
                depends_on_data and all(metered.get(tier, 0) <= predicted.get(tier, 0)
                                        for tier in tiers)):
            raise Failed(f"{when}: metered {what} {metered}, predicted {predicted}")
    fast = report["predicted_peak_bytes"]
    extents = report.get("extent_bytes")
    extent = extents.get("default", 0) + extents.get("fast", 0) if extents else None
    return report["results_sha256"], fast.get("default", 0) + fast.get("fast", 0), extent


def has_binding_anti_dependence(text):
    """Of what pebble-print-dependences prints: an anti-dependence that is implied
    by no path of others."""
    edges = {}
    antis = set()
    for kind, a, b in re.findall(r"(flow|anti|output|effect): step (\d+) .*?"
                                 r" before step (\d+) ", text):
        pair = (int(a), int(b))
        if kind == "anti" and pair not in edges:
            antis.add(pair)
        else:
            antis.discard(pair)
            edges.setdefault(pair[0], set()).add(pair[1])
            edges[pair] = True
    after = {}
    for a, b in list(antis):
        after.setdefault(a, set()).add(b)

    def reaches(start, end):
        work, seen = [start], {start}
        while work:
            step = work.pop()
            for other in edges.get(step, set()) | (after.get(step, set())):
                if (step, other) == (start, end) or other in seen:
                    continue
                if other == end:
                    return True
                seen.add(other)
                work.append(other)
        return False
    return any(not reaches(a, b) for a, b in antis)


def smallest_budget(source, folder, means=""):
    """The smallest budget that a short search knows to do; the error of a budget
    that cannot be kept names it."""
    done = call("pebble-opt", source,
                "--pebble-schedule=budget-bytes=1 time-limit-ms=200"
                + (means or " solver=remat-greedy"), "-o", os.path.join(folder, "none.mlir"))
    found = re.search(r"smallest (?:feasible )?budget\D*?(\d+)", done.stderr)
    if not done.returncode or not found:
        raise Failed(f"no smallest budget: {done.stderr[:600]}")
    return int(found.group(1))


def draw_budget(chance, least, ordered, peak):
    """Mostly below what the best known order takes, where only recomputation
    fits, and else up to the peak of the order that came in."""
    if least < ordered and chance.random() < 0.85:
        return chance.randint(least, ordered - 1)
    return chance.randint(least, max(least, peak))


def on_machine(text, names):
    """The program with a memory hierarchy of the tiers of these names."""
    tiers = ", ".join(TIERS[name] for name in names)
    return text.replace(
        "module {", f"module attributes {{pebble.hierarchy = #pebble.hierarchy<[{tiers}]>}} {{", 1)


def check(seed, index, folder):
    """What is known of one program: a set of words, to be counted."""
    program = RandomProgram(f"{seed}-{index}")
    source = os.path.join(folder, "before.mlir")
    machine = random.Random(f"machine-{seed}-{index}")
    means = ""
    text = program.text()
    if index % 2:
        text = on_machine(text, machine.choice(MACHINES))
        means = (f" means={machine.choice(('offload', 'both', 'both'))}"
                 f" objective={machine.choice(('energy', 'time', 'recompute'))}")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    facts = set(program.kinds)
    depends = bool(facts & {"branch", "loop that never runs"})
    # What LLVM is told of aliases shows in optimised code alone; the rest compiles
    # in a third of the time.
    level = 2 if index % 3 == 0 else 0
    results, peak, _ = run(source, "before", depends, level)

    ordered = os.path.join(folder, "ordered.mlir")
    opt(source, ordered, "--pebble-order-operations=objective=peak")
    same, ordered_peak, _ = run(ordered, "ordered", depends, level)
    if same != results:
        raise Failed("ordered: the results differ")
    if ordered_peak > peak:
        raise Failed(f"ordered: the peak grew from {peak} to {ordered_peak}")
    printed = opt(ordered, os.devnull, "--pebble-print-dependences")
    if has_binding_anti_dependence(printed):
        facts.add("binding anti-dependence")

    least = smallest_budget(source, folder, means)
    budget = draw_budget(random.Random(f"budget-{seed}-{index}"), least,
                         ordered_peak, peak)
    planned = os.path.join(folder, "planned.mlir")
    solver = random.Random(f"solver-{seed}-{index}").choice(SOLVERS)
    if means:
        solver = SOLVERS[0]
    # Walks alone move nothing.
    longer = "time-limit-ms=3000" if means else SOLVERS[1]
    command = f"--pebble-schedule=budget-bytes={budget}{means} "
    try:
        opt(source, planned, command + solver)
    except Failed as failure:
        if "a limit ended the search" not in str(failure):
            raise
        facts.add("search ended by the clock")
        opt(source, planned, command + longer)
    opt(planned, os.devnull, "--pebble-verify-schedule")
    forms = [(planned, "planned")]
    tight_budget = budget
    if index % 4 == 0:
        clean = os.path.join(folder, "clean.mlir")
        opt(planned, clean, "-cse", "-canonicalize")
        forms.append((clean, "clean"))
    if index % 3 == 2:
        reused = os.path.join(folder, "reused.mlir")
        opt(source, reused, "--pebble-reuse-operands")
        forms.append((reused, "reused"))
        tight = os.path.join(folder, "reused-planned.mlir")
        try:
            opt(reused, tight, command + longer)
        except Failed as failure:
            # Two steps that share a buffer run as one, and one may be too large.
            found = re.search(r"smallest (?:feasible )?budget\D*?(\d+)", str(failure))
            if not found:
                raise
            facts.add("reused operands raise the floor")
            tight_budget = int(found.group(1))
            opt(reused, tight, command.replace(f"={budget}", f"={tight_budget}", 1) + longer)
        opt(tight, os.devnull, "--pebble-verify-schedule")
        forms.append((tight, "reused and planned"))
    for path, when in forms:
        same, planned_peak, extent = run(path, when, depends, level)
        if same != results:
            raise Failed(f"{when} in {budget} bytes: the results differ")
        limit = {"reused": peak, "reused and planned": tight_budget}.get(when, budget)
        if planned_peak > limit:
            raise Failed(f"{when}: peak {planned_peak}, limit {limit}")
        if extent is None:
            continue
        facts.add("addresses planned")
        if extent > planned_peak:
            facts.add("extent above the peak")
        if extent > limit:
            raise Failed(f"{when}: extent {extent}, limit {limit}")
    with open(planned, encoding="utf-8") as file:
        text = file.read()
    if "pebble.opaque" in text:
        facts.add("recomputation")
    if "pebble.store" in text:
        facts.add("offload")
        if '"middle"' in text.split("func.func", 1)[1]:
            facts.add("offload to a bounded tier")
    if least < ordered_peak:
        facts.add("recomputation can lower the peak")
    return facts


def attempt(options, index):
    folder = tempfile.mkdtemp(prefix="pebble-fuzz-")
    try:
        return index, check(options.seed, index, folder), None
    except Failed as failure:
        if options.keep:
            kept = os.path.join(options.keep, f"{options.seed}-{index}")
            shutil.copytree(folder, kept, dirs_exist_ok=True)
        return index, set(), str(failure)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep")
    parser.add_argument("--write", type=int)
    options = parser.parse_args()
    if options.write is not None:
        print(RandomProgram(f"{options.seed}-{options.write}").text(), end="")
        return
    counts, failures = {}, 0
    numbers = range(options.first, options.first + options.count)
    with ThreadPoolExecutor(options.jobs) as pool:
        for index, facts, failure in pool.map(
                lambda index: attempt(options, index), numbers):
            if failure:
                failures += 1
                print(f"program {options.seed}-{index}: {failure}", flush=True)
            for fact in facts:
                counts[fact] = counts.get(fact, 0) + 1
    for fact in sorted(counts):
        print(f"{fact}: {counts[fact]} ({100 * counts[fact] // options.count}%)")
    print(f"{options.count - failures} programs passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
