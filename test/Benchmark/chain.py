#!/usr/bin/env python3
"""The chain benchmark: speed of the solvers, and costs beside those of others.

  chain.py [--solver=build/bin/pebble-solve] [--python=python3]
           [--time-limit-s=60]

First how long tables and closed forms take. Then the same chains by the
packages checkpoint_schedules and pyrevolve, where the Python given has them
(`pip install checkpoint_schedules pyrevolve`): what a schedule costs beside
backward steps and the forward step that each includes, counted from its
actions, and the time to make it. Each schedule is made in a process of its own
under the time limit.
"""

import json
import subprocess
import sys
import time

import pebble_solve

options = {"solver": pebble_solve.DEFAULT, "python": sys.executable,
           "time-limit-s": "60"}

# Name, options of pebble-solve --chain.
SPEED = [
    ("two tiers, slow one unlimited", "--steps=10000 --fast-slots=10 "
     "--rules=hrevolve --store-cost=10 --load-cost=10"),
    ("two tiers, ten slow slots", "--steps=10000 --fast-slots=10 "
     "--rules=hrevolve --store-cost=10 --load-cost=10 --slow-slots=10"),
    ("three tiers, middle one ten slots", "--steps=10000 --fast-slots=10 "
     "--rules=hrevolve --store-cost=2,20 --load-cost=2,20 --slow-slots=10"),
    ("three tiers, ten and ten slots", "--steps=10000 --fast-slots=10 "
     "--rules=hrevolve --store-cost=2,20 --load-cost=2,20 --slow-slots=10,10"),
    ("two tiers, gradients and outputs", "--steps=10000 --fast-slots=11 "
     "--rules=dag_both --store-cost=100 --load-cost=100"),
    ("closed form", "--steps=1000000000 --fast-slots=100 --rules=revolve"),
    ("closed form, replayed", "--steps=10000000 --fast-slots=100 "
     "--rules=revolve"),
]

# Steps, fast slots, slow slots (None: any number), forward, backward, transfer.
CHAINS = [
    (100, 10, 0, 1, 1, 0),
    (1000, 10, 0, 1, 1, 0),
    (10000, 10, 0, 1, 1, 0),
    (40, 2, 3, 1, 5, 4),
    (100, 3, 5, 1, 1, 5),
    (400, 5, 10, 1, 1, 5),
    (1000, 5, 10, 1, 1, 5),
    (10000, 5, 10, 1, 1, 5),
    (100, 3, None, 1, 1, 5),
    (1000, 5, None, 1, 1, 5),
    (10000, 5, None, 1, 1, 5),
]

# Steps and units of memory, of snapshots and tapes of one size.
MIXED = [(10, 3), (100, 10), (1000, 20), (5000, 20)]


def schedules_of_others(name, steps, fast, slow, forward, backward, transfer):
    """Counts one schedule; the cost beside backward steps and their forward."""
    if name.startswith("pyrevolve"):
        return count_pyrevolve(name, steps, fast, slow, forward, backward,
                               transfer)
    import checkpoint_schedules as others
    kind = name.split()[1]
    if kind == "Revolve":
        schedule = others.Revolve(steps, fast)
    elif kind == "HRevolve":
        schedule = others.HRevolve(steps, fast, slow, uf=forward, ub=backward,
                                   wd=transfer, rd=transfer)
    elif kind == "DiskRevolve":
        schedule = others.DiskRevolve(steps, fast, uf=forward, ub=backward,
                                      wd=transfer, rd=transfer)
    elif kind == "MultistageCheckpointSchedule":
        schedule = others.MultistageCheckpointSchedule(steps, fast, slow or 0)
    else:
        schedule = others.MixedCheckpointSchedule(steps, fast)
    disk = others.StorageType.DISK
    forwards = transfers = 0
    for action in schedule:
        what = type(action).__name__
        if what == "Forward":
            forwards += min(action.n1, steps) - action.n0
            transfers += action.storage == disk and action.write_ics
        elif what in ("Copy", "Move"):
            transfers += action.from_storage == disk
        elif what == "EndReverse":
            break
    if kind == "MixedCheckpointSchedule":
        return forwards
    return (forwards - steps) * forward + transfers * transfer


def count_pyrevolve(name, steps, fast, slow, forward, backward, transfer):
    from pyrevolve.schedulers import Action, Architecture, CRevolve, HRevolve

    class Tier:
        def __init__(self, slots, cost):
            self.nckp, self.wd, self.rd = slots, cost, cost

    if name.endswith("CRevolve"):
        schedule = CRevolve(fast, steps)
        operations = schedule.oplist
    else:
        tiers = Architecture([Tier(fast, 0), Tier(slow, transfer)])
        schedule = HRevolve(steps, steps, tiers, forward, backward)
        operations = []
        while not operations or operations[-1].type != Action.TERMINATE:
            operations.append(schedule.next())
    cost = 0
    for action in operations:
        if action.type == Action.ADVANCE:
            cost += (action.capo - action.old_capo) * forward
        elif action.type in (Action.TAKESHOT, Action.RESTORE):
            cost += transfer * (action.storageIndex() == 1)
    return cost


def peer(name, chain):
    """Cost and seconds of a peer's schedule, or why there is none."""
    arguments = [options["python"], __file__, "--peer", name, json.dumps(chain)]
    try:
        done = subprocess.run(arguments, capture_output=True, text=True,
                              check=False,
                              timeout=float(options["time-limit-s"]))
    except subprocess.TimeoutExpired:
        return f"none in {options['time-limit-s']} s"
    if done.returncode != 0:
        last = done.stderr.strip().splitlines() or ["no answer"]
        return "fails: " + last[-1][:50]
    cost, seconds = json.loads(done.stdout.splitlines()[-1])
    return f"{cost:,} in {seconds:.2f} s"


def installed(package):
    done = subprocess.run([options["python"], "-c", f"import {package}"],
                          capture_output=True, check=False)
    return done.returncode == 0


def pebble(*arguments):
    start = time.monotonic()
    answer = pebble_solve.ask(options["solver"], "--chain", *arguments)
    return answer, time.monotonic() - start


def compare(peers):
    for chain in CHAINS:
        steps, fast, slow, forward, backward, transfer = chain
        arguments = [f"--steps={steps}", f"--fast-slots={fast}",
                     "--rules=hrevolve", f"--forward-cost={forward}",
                     f"--backward-cost={backward}"]
        if slow != 0:
            arguments += [f"--store-cost={transfer}", f"--load-cost={transfer}"]
        if slow:
            arguments += [f"--slow-slots={slow}"]
        answer, seconds = pebble(*arguments)
        cost = answer["cost"] - steps * (forward + backward)
        slots = "any" if slow is None else slow
        print(f"{steps} steps, slots {fast} and {slots}, costs {forward}, "
              f"{backward}, {transfer}")
        print(f"  {'pebble-solve ' + answer['solver']:52} {cost:,} in"
              f" {seconds:.2f} s, {answer['status']}")
        if slow == 0:
            names = ["checkpoint_schedules Revolve",
                     "checkpoint_schedules MultistageCheckpointSchedule",
                     "pyrevolve CRevolve"]
        elif slow is None:
            names = ["checkpoint_schedules DiskRevolve"]
        else:
            names = ["checkpoint_schedules HRevolve",
                     "checkpoint_schedules MultistageCheckpointSchedule",
                     "pyrevolve HRevolve"]
        for name in names:
            if name.split()[0] in peers:
                print(f"  {name:52} {peer(name, chain)}", flush=True)


def compare_mixed(peers):
    for steps, units in MIXED:
        answer, seconds = pebble("--rules=mixed", f"--steps={steps}",
                                 f"--budget={units + 1}")
        print(f"{steps} steps, {units} units beside the tape in use: forward "
              "steps")
        print(f"  {'pebble-solve mixed':52} {answer['cost'] - steps:,} in"
              f" {seconds:.2f} s")
        name = "checkpoint_schedules MixedCheckpointSchedule"
        if "checkpoint_schedules" in peers:
            chain = (steps, units, 0, 1, 1, 0)
            print(f"  {name:52} {peer(name, chain)}", flush=True)


def main():
    if sys.argv[1:2] == ["--peer"]:
        start = time.monotonic()
        cost = schedules_of_others(sys.argv[2], *json.loads(sys.argv[3]))
        print(json.dumps([cost, time.monotonic() - start]))
        return
    for argument in sys.argv[1:]:
        key, equals, value = argument.lstrip("-").partition("=")
        if not argument.startswith("--") or key not in options or not equals:
            sys.exit(__doc__)
        options[key] = value
    for name, arguments in SPEED:
        answer, seconds = pebble(*arguments.split())
        print(f"{name:36} {answer['cost']:>14,} {answer['status']:8} "
              f"{answer['seconds']:.2f} s, with replay {seconds:.2f} s",
              flush=True)
    peers = []
    for package in ("checkpoint_schedules", "pyrevolve"):
        if installed(package):
            peers.append(package)
        else:
            print(f"SKIPPED: {package} is not installed")
    compare(peers)
    compare_mixed(peers)


if __name__ == "__main__":
    main()
