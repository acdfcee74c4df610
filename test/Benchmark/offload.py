#!/usr/bin/env python3
"""Recomputation, offloading and both, over what a transfer costs.

  offload.py [--bin=build/bin] [--effort=0] [--time-limit-ms=0] [--seed=0]
             [--points=9] [--svg-dir=DIR] FILE[:PERCENT,...]...

FILE is a graph in any format that pebble-solve reads, or a program (.mlir), of
whose largest function bench-write-problem makes a problem: operations beside
bytes. For each budget, in percent of the given order's peak (without one 70, 50
and 30): the overhead over every step once of recomputation alone, of transfers
alone, and of both, at rates around the one at which the two cross. The gain is
what both save there of the overhead of either. Every schedule is judged again.
DIR gets a picture of each program.

Exit status 1 if both cost more than either anywhere, or a schedule is refused.
With a time limit, which both share among more searches, the former can happen.
"""

import json
import os
import subprocess
import sys
import tempfile

import pebble_solve

options = {"bin": "build/bin", "effort": "0", "time-limit-ms": "0",
           "seed": "0", "points": "9", "svg-dir": ""}

# Rates have three decimal places, so costs are scaled until the crossing lies
# well above that.
LEAST_CROSSING = 100


def tool(*arguments):
    return pebble_solve.run(os.path.join(options["bin"], "pebble-solve"), *arguments)


def problem_of(path):
    """The tables of the file, as pebble-solve prints them."""
    if not path.endswith(".mlir"):
        done = tool(path, "--print-problem=json")
    else:
        done = subprocess.run(
            [os.path.join(options["bin"], "bench-write-problem"), path],
            capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{path}: {done.stderr.strip()}")
    return json.loads(done.stdout)


class Instance:
    """A problem at one budget, with costs times a scale."""

    def __init__(self, problem, percent):
        self.problem, self.percent, self.scale = problem, percent, 1
        self.once = sum(step["cost"] for step in problem["steps"])
        self.good, self.why = True, ""

    def overhead(self, means, rate=0):
        """Beyond every step once, in the file's unit; None if nothing was found."""
        scaled = dict(self.problem)
        scaled["steps"] = [dict(step, cost=step["cost"] * self.scale)
                           for step in self.problem["steps"]]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "problem.json")
            with open(path, "w") as file:
                json.dump(scaled, file)
            call = [path, f"--budget-percent={self.percent}",
                    f"--offload-rate={rate:.3f}"]
            done = tool(*call, f"--means={means}", "--json", "--print-schedule",
                        f"--seed={options['seed']}",
                        f"--effort={options['effort']}",
                        f"--time-limit-ms={options['time-limit-ms']}")
            if done.returncode not in pebble_solve.ANSWERS:
                sys.exit(done.stderr.strip())
            answer = json.loads(done.stdout)
            if answer["cost"] is None:
                self.why = f"{answer['status']} with {means} alone"
                return None
            moves = os.path.join(folder, "moves.json")
            with open(moves, "w") as file:
                json.dump({"moves": answer["schedule"]}, file)
            self.good &= tool(*call, f"--verify={moves}").returncode == 0
        return answer["cost"] / self.scale - self.once


def study(name, problem, percent):
    """Rows (rate, recompute, offload, both), the crossing, its row, and whether
    all is well."""
    at = Instance(problem, percent)
    recompute = at.overhead("recompute")
    # What moves least does so at every price.
    moved = at.overhead("offload", 1)
    if not recompute or not moved:
        why = "fits without either" if 0 in (recompute, moved) else at.why
        print(f"{name} at {percent}%: {why}", flush=True)
        return None, at.good
    crossing = recompute / moved
    while crossing * at.scale < LEAST_CROSSING:
        at.scale *= 10
    points = int(options["points"])
    rows = []
    for i in range(points):
        rate = crossing * 8 ** (2 * i / (points - 1) - 1)
        rate = round(rate * at.scale, 3) / at.scale
        rows.append((rate, recompute, at.overhead("offload", rate * at.scale),
                     at.overhead("both", rate * at.scale)))
    middle = rows[points // 2]
    good = at.good and all(row[3] is not None and
                           row[3] <= min(row[1:3]) * (1 + 1e-6) for row in rows)
    gain = 1 - middle[3] / min(middle[1:3]) if middle[3] is not None else 0
    best = max(1 - row[3] / min(row[1:3]) for row in rows if row[3] is not None)
    print(f"{name} at {percent}%: recomputation {100 * recompute / at.once:.3f}%,"
          f" {moved / 1e6:.3f} MB moved, crossing at {crossing:.4g},"
          f" gain there {100 * gain:.1f}%, at best {100 * best:.1f}%"
          f"{'' if good else '  NOT IN ORDER'}", flush=True)
    for rate, one, other, both in rows:
        print(f"  rate {rate:12.5g}  recompute {one:.6g}  offload {other:.6g}"
              f"  both {both:.6g}", flush=True)
    return (percent, crossing, gain, rows), good


def svg(name, studies):
    """Three lines for each budget, both axes logarithmic around the crossing."""
    import math
    width, height, left, top = 300, 240, 55, 90
    colours = {1: "#1f6fb2", 2: "#c0504d", 3: "#2e7d32"}
    names = {1: "recompute", 2: "offload", 3: "both"}
    parts = []
    for panel, (percent, crossing, gain, rows) in enumerate(studies):
        x0 = left + panel * (width + 70)

        def x(rate):
            return x0 + width * (math.log(rate / crossing, 8) + 1) / 2

        def y(cost):
            # From an eighth to eight times the cost at the crossing.
            part = math.log(max(cost / rows[0][1], 1 / 16), 8)
            return top + height * (1 - max(-4 / 3, min(1, part))) / (1 + 4 / 3)

        parts.append(f'<rect x="{x0}" y="{top}" width="{width}" height="{height}"'
                     ' fill="none" stroke="#999"/>')
        parts.append(f'<text x="{x0}" y="{top - 10}">{percent}% of the peak, gain at'
                     f' the crossing {100 * gain:.1f}%</text>')
        parts.append(f'<line x1="{x(crossing):.1f}" y1="{top}" x2="{x(crossing):.1f}"'
                     f' y2="{top + height}" stroke="#bbb" stroke-dasharray="3 3"/>')
        for factor in (1 / 8, 1, 8):
            rate = crossing * factor
            parts.append(f'<text x="{x(rate):.1f}" y="{top + height + 16}"'
                         f' text-anchor="middle">{rate:.3g}</text>')
            cost = rows[0][1] * factor
            parts.append(f'<text x="{x0 - 4}" y="{y(cost) + 4:.1f}"'
                         f' text-anchor="end">{cost:.2g}</text>')
        for column in (1, 2, 3):
            line = " ".join(f"{x(row[0]):.1f},{y(row[column]):.1f}"
                            for row in rows if row[column] is not None)
            parts.append(f'<polyline points="{line}" fill="none" stroke-width="2"'
                         f' stroke="{colours[column]}"/>')
    total = left + len(studies) * (width + 70)
    legend = "".join(f'<text x="{left + 110 * i}" y="54" fill="{colours[c]}">'
                     f'{names[c]}</text>' for i, c in enumerate((1, 2, 3)))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}"'
            f' height="{height + top + 45}" font-family="sans-serif" font-size="11">'
            f'<rect width="100%" height="100%" fill="white"/>{legend}'
            f'<text x="{left}" y="18" font-weight="bold">{name}</text>'
            f'<text x="{left}" y="34">overhead over every step once, by the cost of a'
            f' byte moved</text>{"".join(parts)}</svg>\n')


def main():
    files = pebble_solve.read_arguments(options, __doc__)
    good = True
    for argument in files:
        path, _, percents = argument.partition(":")
        name = os.path.basename(path).rsplit(".", 1)[0]
        problem = problem_of(path)
        studies = []
        for percent in (percents or "70,50,30").split(","):
            found, fine = study(name, problem, percent)
            good &= fine
            if found:
                studies.append(found)
        if studies and options["svg-dir"]:
            os.makedirs(options["svg-dir"], exist_ok=True)
            with open(os.path.join(options["svg-dir"], name + ".svg"), "w") as file:
                file.write(svg(name, studies))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
