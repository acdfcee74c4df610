"""Random programs on memory, run by upstream alone, as they are, and planned.

  fuzz-memory.py [--seed=1] [--count=200] [--first=0] [--jobs=2]
                 [--without=WORDS] [--keep=DIR] [--reduce=N]
  fuzz-memory.py --write=I
  fuzz-memory.py --replay FILE... | --shrink FILE... | --programs FILE...

Program I of a seed is always the same (random_memory_flow.py). Upstream's passes
lower each and mlir-runner runs it: that is what the others must give, bit for bit.
Then it is run by pebble-run as it is, ordered for least peak, and scheduled at a
random budget between the least feasible one and the peak that came in, with random
means, on one to three tiers; some are ordered for energy, get planned addresses, have
operands reused, have loops reversed, or are cleaned by `-cse -canonicalize` afterwards.
Fresh and freed memory is poisoned.

Fails where a result differs, a tool ends with an error other than a budget that
cannot be kept, what is metered is not what was predicted (or is above it, where the
report says that it is a bound), or a budget is not kept. --keep writes each failure
into a file of its own, which says how to see it; --reduce makes the first N of each
kind smaller, and --shrink such a file. --replay shows whether the failure that it holds
is still there. --programs runs programs that are given, in all forms that the first
--numbers=5 draw; upstream runs what stands behind a line `// for upstream:`, if one
does. --without leaves out programs with something that is counted at the end.
"""

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import fuzz_reduce  # noqa: E402
import memory_plans  # noqa: E402
import upstream  # noqa: E402
from random_memory_flow import MemoryProgram  # noqa: E402


def check(options, index):
    """What is known of one program, and the failures that it shows."""
    program = MemoryProgram(f"{options.seed}-{index}")
    text = program.text()
    if program.kinds & options.without:
        return index, set(), text, []
    plans = memory_plans.draw(f"{options.seed}-{index}", index, program.kinds)
    failures = []
    with tempfile.TemporaryDirectory(prefix="pebble-memory-") as folder:
        try:
            reference = upstream.expected(text, folder)
        except upstream.Refused as refusal:
            return index, program.kinds, text, [(None, f"upstream: {refusal}")]
        for plan in plans:
            failure = memory_plans.attempt(plan, text, reference, folder, program.kinds)
            if failure and "results differ" in failure:
                try:
                    upstream.expected(text, folder, twice=True)
                except upstream.Refused as refusal:
                    # Upstream takes some writes of a part for writes of the whole.
                    return index, program.kinds | {"left out: upstream " + str(refusal)}, text, []
            if failure:
                failures.append((plan, failure))
                # What fails as it is would fail again in every other form.
                if plan.name == "as it is" and not failure.startswith("metered"):
                    break
    return index, program.kinds, text, failures


def report(options, index, text, failures, kinds):
    for plan, failure in failures:
        kind = memory_plans.kind_of(failure)
        kinds[kind] = kinds.get(kind, 0) + 1
        where = plan.name if plan else "upstream"
        print(f"program {options.seed}-{index}, {where}: {failure}", flush=True)
        if not options.keep or plan is None:
            continue
        if kinds[kind] <= options.reduce:
            text_now = fuzz_reduce.reduce(text, plan, kind)
        elif kinds[kind] <= 5:
            text_now = text
        else:
            continue
        name = f"{memory_plans.slug(kind)}-{options.seed}-{index}.mlir"
        with open(os.path.join(options.keep, name), "w", encoding="utf-8") as file:
            file.write(memory_plans.heading(plan, failure) + text_now)


def replay(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    plan = memory_plans.read_heading(text)
    with tempfile.TemporaryDirectory(prefix="pebble-memory-") as folder:
        try:
            reference = upstream.expected(text, folder, twice=True)
            failure = memory_plans.attempt(plan, text, reference, folder)
        except upstream.Refused as refusal:
            failure = f"not a valid program: {refusal}"
    print(f"{path}: {failure or 'passes'}")
    return failure is None


def try_all(path, count):
    """Runs a program in the forms of `count` random ones; how many forms, or None."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text, _, instead = text.partition("// for upstream:\n")
    facts = {"dynamic allocations"} if "x?x" in text or "<?x" in text else set()
    forms = {plan for i in range(count) for plan in memory_plans.draw(f"program-{i}", i, facts)}
    forms = sorted(forms, key=str)
    with tempfile.TemporaryDirectory(prefix="pebble-memory-") as folder:
        try:
            reference = upstream.expected(instead or text, folder, twice=True)
        except upstream.Refused as refusal:
            print(f"{path}: upstream: {refusal}")
            return None
        failures = [(plan, memory_plans.attempt(plan, text, reference, folder)) for plan in forms]
    failures = [(plan, failure) for plan, failure in failures if failure]
    for plan, failure in failures:
        print(memory_plans.heading(plan, failure), end="")
    print(f"{path}: {len(forms)} forms, {len(failures)} failures", flush=True)
    return None if failures else len(forms)


def shrink(path):
    """Makes the program in a kept file smaller."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    plan = memory_plans.read_heading(text)
    with tempfile.TemporaryDirectory(prefix="pebble-memory-") as folder:
        failure = memory_plans.attempt(plan, text, upstream.expected(text, folder), folder)
        if failure is None:
            print(f"{path}: passes")
            return
        program = text[text.index("module {"):]
        program = fuzz_reduce.reduce(program, plan, memory_plans.kind_of(failure))
        failure = memory_plans.attempt(plan, program, upstream.expected(program, folder), folder)
    with open(path, "w", encoding="utf-8") as file:
        file.write(memory_plans.heading(plan, failure) + program)
    print(f"{path}: {len(program.splitlines())} lines", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep")
    parser.add_argument("--reduce", type=int, default=0)
    parser.add_argument("--write", type=int)
    parser.add_argument("--replay", nargs="+")
    parser.add_argument("--shrink", nargs="+")
    parser.add_argument("--programs", nargs="+")
    parser.add_argument("--numbers", type=int, default=5)
    parser.add_argument("--without", type=lambda words: set(words.split(",")), default=set())
    options = parser.parse_args()
    if options.write is not None:
        print(MemoryProgram(f"{options.seed}-{options.write}").text(), end="")
        return
    if options.replay:
        sys.exit(0 if all([replay(path) for path in options.replay]) else 1)
    if options.programs:
        sys.exit(0 if all([try_all(path, options.numbers) for path in options.programs]) else 1)
    for path in options.shrink or ():
        shrink(path)
    if options.shrink:
        return
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    facts, kinds, failed = {}, {}, 0
    numbers = range(options.first, options.first + options.count)
    with ThreadPoolExecutor(options.jobs) as pool:
        for index, known, text, failures in pool.map(lambda i: check(options, i), numbers):
            failed += bool(failures)
            report(options, index, text, failures, kinds)
            for fact in known:
                facts[fact] = facts.get(fact, 0) + 1
    for fact in sorted(facts):
        print(f"{fact}: {facts[fact]} ({100 * facts[fact] // options.count}%)")
    for kind in sorted(kinds, key=kinds.get, reverse=True):
        print(f"failures of one kind: {kinds[kind]}: {kind}")
    print(f"{options.count - failed} programs passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
