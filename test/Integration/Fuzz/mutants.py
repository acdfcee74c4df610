"""Makes random changes in random programs, and runs what the equivalence check accepts.

  mutants.py --tool=build/test/bin/mutate-programs
             [--seed=1] [--programs=100] [--mutants=100] [--calls] [--keep=DIR]

A change may hit an operand, an attribute, a constant, the place of an operation, a
region, a callee, the offset of a view, or whether an operation is there once, twice
or not at all, anywhere in the program (test/lib/Mutations.cpp). Half of the
programs are those of random_program.py, half those of random_memory_flow.py. With
--calls they are those of random_calls.py, for the check that runs through calls. A
mutant that is accepted and gives other results than the program it was made of, or
does not end, is a fault of the check. Prints how many of each kind were accepted and refused, and fails if
one gave other results. Programs that pebble-run cannot run as they are count too,
but only with what is refused.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import importlib  # noqa: E402
import tool_server  # noqa: E402
from random_calls import CallsProgram  # noqa: E402
from random_memory_flow import MemoryProgram  # noqa: E402
from random_program import RandomProgram  # noqa: E402
fuzz = importlib.import_module("fuzz-programs")


def run(path):
    """The hash of the results; None and the error if it does not run, or not to its
    end."""
    report = path + ".json"
    try:
        done = tool_server.run(["pebble-run", path, "--opt-level=0", "--seed=7", "--poison", "--pebble-dim-bound=1024",
                                f"--json={report}"], 300)
    except subprocess.TimeoutExpired:
        return None, "does not end"
    if done.returncode:
        return None, f"status {done.returncode}: {done.stderr[:300]}"
    with open(report, encoding="utf-8") as file:
        return json.load(file)["results_sha256"], ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    wrong, lost, ran, not_run = [], [], 0, 0
    with tempfile.TemporaryDirectory(prefix="pebble-mutants-") as folder, \
            ThreadPoolExecutor(options.jobs) as pool:
        accepted = os.path.join(folder, "accepted")
        os.mkdir(accepted)
        files = []
        for index in range(options.programs):
            name = f"{options.seed}-{index}"
            files.append(os.path.join(folder, f"p{index}.mlir"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write((CallsProgram(name) if options.calls
                            else MemoryProgram(name, value_odds=8) if index % 2
                            else RandomProgram(name)).text())
        originals = dict(zip(files, pool.map(run, files)))

        def mutate(path):
            return fuzz.call(options.tool, path, f"--count={options.mutants}",
                             f"--seed={options.seed}",
                             *(["--calls"] if options.calls else []),
                             f"--accepted={accepted}")
        for path, done in zip(files, pool.map(mutate, files)):
            if done.returncode:
                sys.exit(f"{path}: {done.stderr}")
            same = []
            for line in done.stdout.splitlines():
                name, kind, verdict, _ = (line + "\t").split("\t")[:4]
                counts[kind][verdict] += 1
                if verdict == "accepted":
                    same.append((os.path.join(accepted, name + ".mlir"), line))
            result, _ = originals[path]
            if result is None:
                not_run += len(same)
                continue
            results = pool.map(run, [file for file, _ in same])
            for (file, line), (hash_, error) in zip(same, results):
                ran += 1
                if hash_ == result:
                    continue
                (wrong if hash_ else lost).append(f"{line} {error}")
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    shutil.copy(file, options.keep)
                    shutil.copy(path, os.path.join(
                        options.keep, os.path.basename(file) + ".before"))
    total = collections.Counter()
    for kind in sorted(counts):
        total.update(counts[kind])
        print(f"{kind}: {counts[kind]['accepted']} accepted, {counts[kind]['refused']} refused")
    for line in wrong:
        print(f"other results: {line}")
    for line in lost:
        print(f"does not run: {line}")
    cannot = sum(result is None for result, _ in originals.values())
    print(f"{cannot} programs do not run as they are; {not_run} of their mutants were accepted")
    print(f"{sum(total.values())} mutants, {total['accepted']} accepted, {total['refused']}"
          f" refused; {ran} run, {len(wrong)} with other results, {len(lost)} that do not run")
    sys.exit(1 if wrong or lost else 0)


if __name__ == "__main__":
    main()
