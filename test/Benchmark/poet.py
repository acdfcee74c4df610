#!/usr/bin/env python3
"""POET's networks on POET's devices: our energy beside its model's optimum.

  poet.py [--bin=build/bin] [--targets=poet-rpi,poet-m4f] [--seed=0]
          [--time-limit-ms=10000] [--model-limit-ms=40000]
          [--alone-limit-ms=0] [NETWORK[:PERCENT,...]...]

NETWORK as in poet_networks.py, budgets in percent of the given order's peak.
A row for each network, device and budget, in millijoules beyond every step
once, which is what a schedule can change:

  ours      the portfolio's schedule with recomputation and transfers
  bound     no schedule of POET's additive model costs less: the best of HiGHS's
            dual bound on the model and of the bounds that hold for every
            schedule
  above     ours over that bound, and the same of all energy; "none below" where
            POET's model is proven to have no cheaper schedule
  alone     what HiGHS finds of the model without our schedule to start from,
            with --alone-limit-ms

Exit status 1 if a schedule is refused, or where POET's model has a cheaper one.
"""

import json
import os
import sys
import tempfile

import pebble_solve
import poet_networks

options = {"bin": os.path.dirname(pebble_solve.DEFAULT), "seed": "0",
           "targets": "poet-rpi,poet-m4f", "time-limit-ms": "10000",
           "model-limit-ms": "40000", "alone-limit-ms": "0"}

USUAL = ["linear:60,50", "transformer:90,86", "vgg16_cifar:70,50",
         "resnet18_cifar:70,50,35", "bert:70,50,35"]


class Row:
    """A network on a device within a budget."""

    def __init__(self, path, unit, target, percent):
        self.path, self.unit = path, unit
        self.options = [f"--target={target}", "--objective=energy",
                        f"--seed={options['seed']}"]
        self.percent = percent

    def ask(self, limit, *more, percent=None):
        return pebble_solve.ask(os.path.join(options["bin"], "pebble-solve"),
                                self.path, *self.options, "--means=both",
                                f"--budget-percent={percent or self.percent}",
                                f"--time-limit-ms={limit}", *more)

    def everything_once(self):
        """What the order costs that fits without either means."""
        return self.ask(options["time-limit-ms"], percent=100)["cost"]

    def joules(self, femtojoules):
        return femtojoules * self.unit / 1e15

    def show(self, label):
        """Prints the row. False if POET's model has something cheaper."""
        ours = self.ask(options["time-limit-ms"], "--print-schedule")
        if ours["cost"] is None:
            print(f"{label} {ours['status']}", flush=True)
            return True
        once = self.everything_once()
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"moves": ours["schedule"]}, file)
            file.flush()
            model = self.ask(options["model-limit-ms"], "--solver=poet",
                             f"--start={file.name}")
        alone = ""
        if options["alone-limit-ms"] != "0":
            answer = self.ask(options["alone-limit-ms"], "--solver=poet")
            alone = answer["model_status"] if answer["cost"] is None else \
                f"{1e3 * self.joules(answer['cost'] - once):.4f}" + \
                (" optimal" if answer["model_status"] == "optimal" else "")
        cost, bound = ours["cost"], max(model["model_bound"], ours["bound"])
        extra, least = cost - once, bound - once
        if model["cost"] < cost:
            found = f"POET has {1e3 * self.joules(model['cost'] - once):.4f}"
        elif bound == cost or model["model_status"] == "optimal":
            found = "none below"
        else:
            over = f"{100 * (extra / least - 1):.2f}%" if least > 0 else "unknown"
            found = f"{over} ({100 * (cost / bound - 1):.5f}%)"
        print(f"{label} once {1e3 * self.joules(once):.3f}"
              f"  ours {1e3 * self.joules(extra):.4f}"
              f"{' optimal' if ours['status'] == 'optimal' else ''}"
              f"  bound {1e3 * self.joules(least):.4f}  above {found}"
              f"{'  alone ' + alone if alone else ''}", flush=True)
        return model["cost"] >= cost


def main():
    if len(sys.argv) == 1 or all(a.startswith("--") for a in sys.argv[1:]):
        sys.argv += USUAL
    good = True
    for argument in pebble_solve.read_arguments(options, __doc__):
        name, _, percents = argument.partition(":")
        if name not in poet_networks.NETWORKS:
            sys.exit(__doc__)
        problem = poet_networks.NETWORKS[name](1).problem()
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(problem, file)
            file.flush()
            for target in options["targets"].split(","):
                for percent in (percents or "70,50").split(","):
                    row = Row(file.name, problem["unit"], target, percent)
                    good &= row.show(f"{name} {target} {percent}%:")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
