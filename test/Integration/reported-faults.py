"""Runs the programs that were once wrong, as they are and planned: reported-faults.py FOLDER.

Results must be those of the program as it came in, metered figures the predicted ones.
No tool may crash, or call an error its own. Wrong orders and wrong rewrites are refused.
"""

import glob
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Fuzz"))
import tool_server  # noqa: E402

LIMIT = "time-limit-ms=1000"
PLANS = ["--pebble-order-operations"] + [
    f"--pebble-schedule=budget={budget} {LIMIT}" for budget in ("100%", "75%", "min")]
# An order that the file dictates, and that is right.
RIGHT_ORDERS = {"b19_reshape_shape_later"}
# Programs of which no run is asked: what they draw is counted.
DRAWS = {"rng-in-callee-recomputed", "rng-in-region-recomputed"}
# All of their functions are private; they are planned, and not run.
UNRUN = {"call-writes-global-in-loop-refused", "internal-error-planned-peak"}
# Refused with an error, as they are.
REFUSED = {"stride-overflow-segv", "foreign_target_features"}


class Fault(Exception):
    pass


def call(*command):
    done = tool_server.run(command, timeout=120)
    if done.returncode < 0 or "internal error" in done.stderr:
        raise Fault(f"{' '.join(command)}: {done.returncode}, {done.stderr[:300]}")
    return done


def run(path, folder, *options):
    """The hash of what a program returns; None if the tool refuses it."""
    report = os.path.join(folder, "report.json")
    done = call("pebble-run", path, "--seed=5", "--poison", "--opt-level=0", f"--json={report}", *options)
    if done.returncode:
        return None
    with open(report, encoding="utf-8") as file:
        said = json.load(file)
    for what in ("peak_bytes", "moved_bytes"):
        metered, predicted = said.get(what, {}), said.get("predicted_" + what, {})
        for name in sorted(set(metered) | set(predicted)):
            a, b = metered.get(name, 0), predicted.get(name, 0)
            if said.get("predicted_is_known", True) and (a > b or (a < b and not said.get("predicted_is_bound"))):
                raise Fault(f"{what} in {name}: {a} metered, {b} predicted")
    return said["results_sha256"]


def try_planned(path, folder):
    """How many plans of a program were run."""
    name = os.path.basename(path).partition(".")[0]
    with open(path, encoding="utf-8") as file:
        options = ["--pebble-dim-bound=64"] if "?" in file.read() else []
    expected = run(path, folder, *options)
    if (expected is None) != (name in DRAWS | UNRUN | REFUSED):
        raise Fault("is refused as it is" if expected is None else "is no longer refused")
    planned, count = os.path.join(folder, "planned.mlir"), 0
    for plan in PLANS:
        done = call("pebble-opt", path, "--allow-unregistered-dialect", plan, *options, "-o", planned)
        if done.returncode:
            is_left = "75%" in plan or name in REFUSED | {"recursion_peak"}
            if "error:" not in done.stderr or not is_left:
                raise Fault(f"{plan}: {done.stderr[:300]}")
            continue
        found = run(planned, folder, *options)
        if found != expected:
            raise Fault(f"{plan}: results differ")
        count += 1
    if name in DRAWS:
        done = call("pebble-opt", path, "--pebble-pure=shlo", f"--pebble-schedule=budget=min {LIMIT}")
        draws = len(re.findall(r'= "shlo\.rng\w*"', done.stdout)), done.stdout.count("@dropout(")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if done.returncode or draws != (len(re.findall(r'= "shlo\.rng\w*"', text)), text.count("@dropout(")):
            raise Fault(f"numbers are drawn again: {draws}")
        count += 1
    return count


def try_dictated(path):
    done = call("pebble-opt", path, "--allow-unregistered-dialect", "--pebble-order-operations", "-o", os.devnull)
    is_right = os.path.basename(path).partition(".")[0] in RIGHT_ORDERS
    if (done.returncode == 0) != is_right or (not is_right and "dictated order breaks" not in done.stderr):
        raise Fault(f"the order is {'refused' if is_right else 'taken'}: {done.stderr[:200]}")


def try_pair(tool, before, after, folder):
    paths = []
    for path in (before, after):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"@\w+_main\b", "@main", file.read())
        paths.append(os.path.join(folder, os.path.basename(path)))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    done = tool_server.run([tool, *paths], timeout=60)
    if done.returncode != 1 or "error: the rewrite changed" not in done.stdout + done.stderr:
        raise Fault(f"the rewrite is taken: {done.returncode}, {done.stdout[:200]}")


# Arguments of pebble-solve, and what it answers. The last three differ by bytes that are always live.
PROBLEMS = [
    ("addr_alignment.csv --alignment=4", "optimal: extent 13, bound 13"),
    ("peak-order-claims-infeasible.json --budget=24 --solver=peak-order", "no order fits in the budget;"),
    ("peak-order-claims-infeasible.json --budget=24", "optimal: cost 40, peak 24"),
    ("mob_plain.json --budget=17350528000", "optimal: cost 164730, peak 17348302848"),
    ("mob_pinned.json --budget=22350528000", "optimal: cost 164730, peak 22348302848"),
    ("mob_required.json --budget=22350528000", "optimal: cost 164730, peak 22348302848"),
]


def try_problem(folder, arguments, answer):
    name, *options = arguments.split()
    done = call("pebble-solve", f"{folder}/{name}", *options)
    if answer not in done.stdout + done.stderr:
        raise Fault(f"{' '.join(options)}: {(done.stdout + done.stderr)[:200]}")


def main():
    folder, tool = sys.argv[1:]
    faults, plans = [], 0

    def check(path, attempt, *arguments):
        try:
            return attempt(*arguments) or 0
        except Fault as fault:
            faults.append(f"{os.path.basename(path)}: {fault}")
            return 0

    files = sorted(glob.glob(f"{folder}/*.mlir"))
    with tempfile.TemporaryDirectory(prefix="pebble-faults-") as scratch:
        for path in files:
            plans += check(path, try_planned, path, scratch)
        orders = sorted(glob.glob(f"{folder}/dictated/*.mlir"))
        for path in orders:
            check(path, try_dictated, path)
        pairs = [(path, path.replace(".before.", ".after."))
                 for path in sorted(glob.glob(f"{folder}/equivalence/*.before.mlir"))]
        pairs += [(path, path.replace(".base.", ".mutant.")) for path in glob.glob(f"{folder}/*.base.mlir")]
        for before, after in pairs:
            check(before, try_pair, tool, before, after, scratch)
    for arguments, answer in PROBLEMS:
        check(arguments.split()[0], try_problem, folder, arguments, answer)
    print("\n".join(faults))
    print(f"{len(files)} programs with {plans} plans, {len(orders)} orders, {len(pairs)} pairs, "
          f"{len(PROBLEMS)} problems: {len(faults)} faults")


main()
