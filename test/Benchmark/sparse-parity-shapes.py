#!/usr/bin/env python3
"""Sparse parity on deeper and wider networks and larger batches: what a better
order gains, and where the working set first touches HBM.

  sparse-parity-shapes.py [--bin=build/bin] [--depth=2,4,8,16] [--width=1000,2000,4000] [--batch=1,8,32,128]
  sparse-parity-shapes.py --first-hbm [--depth=...] [--batch=...]
  sparse-parity-shapes.py --recompute [--depth=...] [--width=...] [--batch=...]

The first form prints, for each shape, the energy of the order as written and of
the best order found, what that gains, the certified gap of the order found, and
the share of the energy that HBM has. The second finds, for each depth and
batch, the least width whose step is served from HBM at all, as written and
ordered. The third compares, at 90, 80 ... percent of the peak of the order as
written, the least energy by order alone with the least by order and
recomputation. Machine `sutro`, true LRU caches; no time limits, so that the
figures come out the same everywhere.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NETWORK = os.path.join(ROOT, "test/Integration/sparse-parity/network.py")


class Tools:
    def __init__(self, folder, scratch):
        self.folder, self.scratch = folder, scratch

    def run(self, tool, *arguments):
        return subprocess.run([os.path.join(self.folder, tool), *arguments], capture_output=True, text=True)

    def write(self, depth, width, batch):
        path = os.path.join(self.scratch, "written.mlir")
        with open(path, "w") as out:
            subprocess.run([NETWORK, f"--depth={depth}", f"--width={width}", f"--batch={batch}"],
                           stdout=out, check=True)
        return path

    def plan(self, path, options):
        """Rewrites a step; (its path, its certificate), or the error."""
        out = os.path.join(self.scratch, "planned.mlir")
        done = self.run("pebble-opt", path, "--pebble-target=sutro", options, "-o", out)
        if done.returncode:
            return None, done.stderr.strip()
        with open(out) as file:
            attribute = re.search(r"pebble\.result = \{(.*?)\}", file.read()).group(1)
        return out, {k: int(v) for k, v in re.findall(r"(\w+) = (\d+)", attribute)}

    def report(self, path):
        done = self.run("pebble-report", path, "--target=sutro", "--cache-model=lru", "--json")
        if done.returncode:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout)["train_step"]


ORDER = "--pebble-order-operations=objective=energy cache-model=lru"


def hbm(report):
    return report["energy_fj"].get("hbm", 0) / report["energy_fj_total"]


def gains(tools, args):
    print(f"{'depth':>5} {'width':>6} {'batch':>6} {'written uJ':>13} {'ordered uJ':>13} {'gain':>7} {'gap':>7}"
          f" {'HBM':>7} {'ordered':>8} {'peak MB':>9} {'ordered':>9}")
    for depth in args.depth:
        for width in args.width:
            for batch in args.batch:
                path = tools.write(depth, width, batch)
                before = tools.report(path)
                path, result = tools.plan(path, ORDER)
                after = tools.report(path)
                energy, better = before["energy_fj_total"], result["cost"]
                print(f"{depth:5} {width:6,} {batch:6} {energy / 1e9:13,.3f} {better / 1e9:13,.3f}"
                      f" {100 * (energy - better) / energy:6.2f}%"
                      f" {100 * (better - result['bound']) / result['bound']:6.2f}%"
                      f" {100 * hbm(before):6.1f}% {100 * hbm(after):7.1f}%"
                      f" {result['input_peak_bytes'] / 1e6:9.2f} {result['peak_bytes'] / 1e6:9.2f}", flush=True)


def first_hbm(tools, args):
    def touches(depth, width, batch, ordered):
        path = tools.write(depth, width, batch)
        if ordered:
            path, _ = tools.plan(path, ORDER)
        return hbm(tools.report(path)) > 0

    def least(depth, batch, ordered):
        low, high = 0, 1
        while not touches(depth, high, batch, ordered):
            low, high = high, 2 * high
            if high > 1 << 16:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            if touches(depth, middle, batch, ordered):
                high = middle
            else:
                low = middle
        return high

    print(f"{'depth':>5} {'batch':>6} {'as written':>11} {'ordered':>8}")
    for depth in args.depth:
        for batch in args.batch:
            print(f"{depth:5} {batch:6} {least(depth, batch, False):11,} {least(depth, batch, True):8,}", flush=True)


def recompute(tools, args):
    print(f"{'depth':>5} {'width':>6} {'batch':>6} {'budget':>7} {'order alone uJ':>15} {'with recomputation':>19}")
    for depth in args.depth:
        for width in args.width:
            for batch in args.batch:
                path = tools.write(depth, width, batch)
                for percent in range(90, 0, -10):
                    figures = []
                    for means in ("none", "recompute"):
                        planned, result = tools.plan(
                            path, f"--pebble-schedule=budget-percent={percent} objective=energy means={means}")
                        figures.append(tools.report(planned)["energy_fj_total"] if planned else None)
                    cells = [f"{f / 1e9:,.3f}" if f else "does not fit" for f in figures]
                    print(f"{depth:5} {width:6,} {batch:6} {percent:6}% {cells[0]:>15} {cells[1]:>19}", flush=True)
                    if figures == [None, None]:
                        break


def main():
    def numbers(text):
        return [int(n) for n in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/bin"))
    parser.add_argument("--depth", type=numbers, default=[2, 4, 8, 16])
    parser.add_argument("--width", type=numbers, default=[1000, 2000, 4000])
    parser.add_argument("--batch", type=numbers, default=[1, 8, 32, 128])
    parser.add_argument("--first-hbm", action="store_true")
    parser.add_argument("--recompute", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(args.bin, scratch)
        (first_hbm if args.first_hbm else recompute if args.recompute else gains)(tools, args)


if __name__ == "__main__":
    main()
