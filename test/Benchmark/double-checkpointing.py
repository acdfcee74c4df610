#!/usr/bin/env python3
"""How long a sequence trains in the memory of a short one, on two tiers.

  double-checkpointing.py [--solver=build/bin/pebble-solve] [--local=100]
                          [--overhead=34] [--most=200]

Plain backpropagation through S steps keeps S states. In that local memory, with
remote memory of any size, how many steps train at no more than so many percent
of time over running every step once? A backward step costs twice a forward one.
A remote transfer of a state costs 0, 1, 5 or 10 forward steps where the state is
dense, and its density of that where it is compressed. The answer is a multiple
of S, up to --most: by the optimum, by segments whose states are all kept
(double checkpointing as published) with the best period, and without remote
memory.
"""

import sys

import pebble_solve

options = {"solver": pebble_solve.DEFAULT, "local": "100", "overhead": "34",
           "most": "200"}

# A forward step; transfers are whole numbers at any whole percentage.
FORWARD = 100


def cost(steps, transfer, policy):
    """Of the reversal, or None if there is none."""
    local = int(options["local"])
    arguments = ["--chain", f"--steps={steps}", f"--fast-slots={local}",
                 "--rules=revolve", f"--forward-cost={FORWARD}",
                 f"--backward-cost={2 * FORWARD}"]
    if policy != "local":
        arguments += [f"--store-cost={transfer}", f"--load-cost={transfer}"]
    if policy == "periodic":
        # Up to here all states of a segment have a slot.
        best = None
        for period in range(max(local // 2, 1), local + 1):
            answer = pebble_solve.ask(options["solver"], *arguments,
                                      "--solver=periodic", f"--period={period}")
            if best is None or answer["cost"] < best:
                best = answer["cost"]
        return best
    return pebble_solve.ask(options["solver"], *arguments)["cost"]


def longest(transfer, policy):
    """The largest multiple of the local memory within the overhead."""
    local, most = int(options["local"]), int(options["most"])
    limit = 1 + float(options["overhead"]) / 100

    def fits(multiple):
        steps = multiple * local
        found = cost(steps, transfer, policy)
        return found is not None and found <= limit * 3 * FORWARD * steps

    if fits(most):
        return f"over {most}x"
    low, high = 1, most
    while low + 1 < high:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return f"{low}x"


def main():
    for argument in sys.argv[1:]:
        key, equals, value = argument.lstrip("-").partition("=")
        if not argument.startswith("--") or key not in options or not equals:
            sys.exit(__doc__)
        options[key] = value
    print(f"{options['local']} local states, at most {options['overhead']}% "
          f"over every step once; without remote memory {longest(0, 'local')}")
    print(f"{'transfer':>8} {'density':>8} {'optimum':>10} {'published':>10}")
    for transfer in (0, 1, 5, 10):
        for density in (1, 5, 20, 50, 100):
            if transfer == 0 and density < 100:
                continue
            price = transfer * density * FORWARD // 100
            print(f"{transfer:8} {density:7}% {longest(price, 'optimum'):>10} "
                  f"{longest(price, 'periodic'):>10}", flush=True)


if __name__ == "__main__":
    main()
