#!/usr/bin/env python3
"""What a slower tier costs in time by the density of what is stored there.

  sparse-checkpoints.py [--states=100] [--limit-percent=34]
                        [--measure=longer,larger,densities] [--lengths=10,50,100]
                        [--larger-steps=1000] [--tries=3] [--no-curves]

Plain backpropagation through time keeps the states of T steps (--states) in the
compute tier. With the same T states there, and a slower tier of any size, longer
sequences train, and larger networks, whose states leave room for fewer of them.
A backward step is twice as dear as a forward one; a store and a load of a dense
state each cost what the first column says, in forward steps, and a state of which
`density` is not zero is kept as a bitmask and values: density + 1/32 of that, and
never more. Time overhead is that over plain backpropagation with all states.

`optimal` is the best schedule of two tiers (pebble-solve --chain, rules revolve),
`double` is double checkpointing: a state every T steps in the slower tier, local
ones inside.

The curves know nothing of a network but how dense its states are and what its
backward step costs: a recurrent unit's states are dense (100%), spikes are bits.

With --measure also runs a gated recurrent unit and a spiking network, and says what
was metered: in the memory that T steps with all states take, sequences --lengths
times longer; networks of four times the state over as many steps (--larger-steps,
enough for the states to outweigh the weights); and spikes kept with room for 1 to
100% of them. Needs the tools on the path.
"""

import argparse
import json
import subprocess
import sys
from fractions import Fraction

import measured_checkpoints

DENSITIES = (1, 2, 5, 10, 25, 50, 100)
TRANSFERS = (0, 1, 5, 10)
LENGTHS = (2, 5, 10, 20, 50, 100)
SIZES = (2, 4, 8, 16, 32)
# Costs are integers: a forward step is this many units.
FORWARD = 3200


def transfer(cost, density):
    """Units that a store or a load takes."""
    size = min(Fraction(1), Fraction(density, 100) + Fraction(1, 32))
    return int(cost * FORWARD * size)


def solve(steps, slots, cost, *options):
    command = ["pebble-solve", "--chain", f"--steps={steps}", f"--fast-slots={slots}", "--rules=revolve",
               f"--forward-cost={FORWARD}", f"--backward-cost={2 * FORWARD}", f"--store-cost={cost}",
               f"--load-cost={cost}", "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    answer = json.loads(done.stdout)
    # All steps once each way; the last one forward is not needed.
    plain = (3 * steps - 1) * FORWARD
    return 100 * (answer["cost"] / plain - 1) if answer["status"] in ("optimal", "feasible") else None


def show(percent):
    return "-" if percent is None else f"{percent:.1f}%"


def table(title, columns, cell):
    print(f"\n{title}\n")
    print("| transfer | density | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 2) + "|")
    for cost in TRANSFERS:
        for density in DENSITIES if cost else (100,):
            cells = [cell(transfer(cost, density), column) for column in columns]
            print(f"| {cost} | {density}% | " + " | ".join(cells) + " |")


def both(steps, slots, cost):
    double = solve(steps, slots, cost, "--solver=periodic", f"--period={slots}")
    return f"{show(solve(steps, slots, cost))} / {show(double)}"


def curves(states, limit):
    table(f"Sequences that are longer, {states} states in the compute tier: overhead, optimal / double",
          [f"{n}x" for n in LENGTHS], lambda cost, column: both(states * int(column[:-1]), states, cost))
    table(f"Networks that are larger, over {states} steps: overhead, optimal / double",
          [f"{n}x" for n in SIZES], lambda cost, column: both(states, states // int(column[:-1]), cost))

    def largest(cost, column):
        """The largest factor for which the optimum keeps to the limit."""
        by_length = column == "length"
        within = lambda n: solve(states * n if by_length else states, states if by_length else states // n, cost) <= limit
        # Beyond a thousand times nobody asks.
        low, high = 1, 1001 if by_length else states + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if within(middle) else (low, middle)
        return (">= " if low == high - 1 and high in (1001, states + 1) else "") + f"{low}x"

    table(f"The largest factor at no more than {limit}% overhead, optimal", ["length", "size"], largest)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--limit-percent", type=float, default=34)
    parser.add_argument("--measure", default="")
    parser.add_argument("--lengths", default="10,50,100")
    parser.add_argument("--larger-steps", type=int, default=1000)
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--no-curves", action="store_true")
    arguments = parser.parse_args()
    if not arguments.no_curves:
        curves(arguments.states, arguments.limit_percent)
    if arguments.measure:
        measured_checkpoints.measure(arguments.measure.split(","), arguments.states,
                                     [int(n) for n in arguments.lengths.split(",")], arguments.larger_steps,
                                     arguments.tries)


main()
