"""Pipelines of unequal stages: published schedules, what pebble-solve finds, and the bound.

usage: pipelines.py [--count=N] [--seed=N] [--solve=FILE] [--time-limit-ms=N]

Random pipelines of 2 to 8 ranks and 4 to 24 micro-batches, with stages that differ by up to a factor of two. Every
rank has the bytes that 1F1B takes where it takes most, and then half and a quarter of them. Prints the mean over all
pipelines of makespan over bound: 1 is proven to be the best. A row says for how many of them a schedule was found.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)


def make(rng, split):
    ranks = rng.randint(2, 8)
    stages = []
    for _ in range(ranks):
        forward = rng.randint(50, 100)
        backward = rng.randint(90, 200)
        stage = {"forward": forward, "backward": backward, "tape": rng.randint(50, 100), "input": 5}
        if split:
            stage.update(backward=backward // 2, weight=backward - backward // 2, weight_tape=stage["tape"] // 2)
        stage.update(send=rng.randint(0, 10), send_back=rng.randint(0, 10))
        stages.append(stage)
    return {"pipeline": {"micro_batches": rng.randint(4, 24), "stages": stages}}


def solve(tool, folder, problem, *options):
    path = os.path.join(folder, "pipeline.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(problem, file)
    done = subprocess.run([tool, path, "--json", *options], capture_output=True, text=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time-limit-ms", type=int, default=5000)
    parser.add_argument("--solve", default=os.path.join(ROOT, "build", "bin", "pebble-solve"))
    args = parser.parse_args()
    solvers = ["gpipe", "1f1b", "list", ""]
    print("backward pass     bytes  " + "".join(f"{name or 'all':>14}" for name in solvers))
    with tempfile.TemporaryDirectory() as folder:
        for split in (False, True):
            for share in (1, 2, 4):
                rng = random.Random(args.seed)
                sums = dict.fromkeys(solvers, 0.0)
                counts = dict.fromkeys(solvers, 0)
                for _ in range(args.count):
                    problem = make(rng, split)
                    most = solve(args.solve, folder, problem, "--solver=1f1b")["peak"]
                    for name in solvers:
                        options = [f"--budget={most // share}", f"--time-limit-ms={args.time_limit_ms}"]
                        if name:
                            options.append(f"--solver={name}")
                        answer = solve(args.solve, folder, problem, *options)
                        if answer["cost"] is not None:
                            sums[name] += answer["cost"] / answer["bound"]
                            counts[name] += 1
                cells = "".join(
                    f"{sums[n] / counts[n]:>9.3f} ({counts[n]:2})" if counts[n] else f"{'none':>14}" for n in solvers
                )
                print(f"{'in two parts' if split else 'as one':<16}  1F1B/{share} {cells}", flush=True)


if __name__ == "__main__":
    main()
