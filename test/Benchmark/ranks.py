#!/usr/bin/env python3
"""Measured time of a step on two ranks with paced links against the predicted one.

    ranks.py [--build=build] [--mpirun=COMMAND] [--layers=N ...] [--trace=FILE]

A training step of a multilayer perceptron, fully sharded (test/Integration/Devices/mlp.py).
Operations are measured on both ranks at a time (pebble-run --profile). Then the link between
them is held to what makes messages take --shares of the time of the operations. For each the
step runs as it came, where each collective is waited for at once, and as it is planned for
the time within the bytes that it came with. Of --runs runs in each of --rounds rounds the one
with the least makespan counts. Fails if results, peaks or bytes are not what they should be.

A line has the makespan of both ranks and the predicted one, then what is hidden of the time of
messages: predicted, as a part of that, and as a part of what could be hidden. No more can be than
the smaller of what the messages take and what the operations take.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

import packages

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEP = os.path.join(ROOT, "test", "Integration", "Devices", "mlp.py")
RANKS = 2


class Bench:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.shape = [f"--layers={args.layers}", f"--width={args.width}", f"--batch={args.batch}", f"--ranks={RANKS}"]

    def path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def call(command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"error: {' '.join(command)}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
        return done

    def opt(self, *options):
        return self.call([os.path.join(self.args.build, "bin", "pebble-opt"), *options])

    def run(self, program, *options):
        self.call([*self.args.mpirun.split(), "-np", str(RANKS), os.path.join(self.args.build, "bin", "pebble-run"),
                   self.path(program), *options])

    def write(self):
        self.call([sys.executable, STEP, f"--data={self.path('in')}", "sharded", *self.shape])
        step = self.call([sys.executable, STEP, "sharded", *self.shape]).stdout
        with open(self.path("step.mlir"), "w") as file:
            file.write(step)
        self.opt(self.path("step.mlir"), "--pebble-partition", "-o", self.path("plain.mlir"))
        self.run("plain.mlir", "--quiet", "--profile=" + self.path("costs.%r.json"))

    def attach(self, bandwidth):
        """The step, with a link of so many bytes each microsecond."""
        with open(self.path("net.txt"), "w") as file:
            file.write('#pebble.hierarchy<[<"ram", kind = explicit, bandwidth = 10000>], speed = 1000000000, topology = '
                       f'<[<"host", size = {RANKS}, bandwidth = {bandwidth}, latency = {self.args.latency}>], '
                       f"ranks = {RANKS}>>\n")
        self.opt(self.path("plain.mlir"), "--target=" + self.path("net.txt"), "-o", self.path("came.mlir"))

    def predict(self):
        """Nanoseconds of all operations, and of all messages."""
        done = self.call([os.path.join(self.args.build, "bin", "pebble-report"), self.path("came.mlir"),
                          "--costs=" + self.path("costs.0.json"), "--json"])
        report = json.loads(done.stdout)["main"]
        return report["predicted_ns"] - report["predicted_message_ns"], report["predicted_message_ns"]

    def measure(self, program, *options):
        count = self.args.layers + 2
        inputs = [f"--input={i}:{self.path('in')}/{i}.%r.npy" for i in range(count)]
        best = None
        for _ in range(self.args.rounds):
            self.run(program, *inputs, "--quiet", "--pace", "--costs=" + self.path("costs.0.json"),
                     f"--repeat={self.args.runs}", "--summary=" + self.path("all.json"),
                     "--output-dir=" + self.path("out%r"), *options)
            with open(self.path("all.json")) as file:
                found = json.load(file)
            if not found["as_predicted"]:
                sys.exit(f"error: not as predicted: {found}")
            if not best or found["makespan_seconds"] < best["makespan_seconds"]:
                best = found
        digest = hashlib.sha256()
        for rank in range(RANKS):
            for layer in range(self.args.layers):
                with open(self.path(f"out{rank}/result{layer}.npy"), "rb") as file:
                    digest.update(file.read())
        return best, digest.hexdigest()


def show(name, bandwidth, share, found, computing, messages, planned):
    measured, predicted = found["makespan_seconds"], found["predicted_makespan_seconds"]
    hidden = found["overlap_share"]
    could = min(computing, messages) / messages
    print(f"{bandwidth:6} {share:5.2f} {name:>7} {measured:9.4f} {predicted:9.4f}"
          f" {100 * (measured / predicted - 1):+6.1f}% {100 * planned:7.1f}% {100 * hidden:7.1f}%"
          f" {100 * hidden / could:7.1f}%", flush=True)


def main():
    packages.need("numpy")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--mpirun", default="mpirun --oversubscribe --allow-run-as-root")
    for name, value in (("layers", 6), ("width", 256), ("batch", 256), ("latency", 20000), ("runs", 5), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--shares", type=lambda text: [float(part) for part in text.split(",")],
                        default=[0.25, 0.5, 1.0, 2.0])
    parser.add_argument("--trace", help="of the last run, all ranks in one")
    args = parser.parse_args()
    trace = [f"--trace={args.trace}"] if args.trace else []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args, folder)
        bench.write()
        bench.attach(1000)
        computing, messages = bench.predict()
        print(f"operations take {computing / 1e9:.4f} s")
        print("  MB/s share         measured predicted    off planned  hidden  of could")
        hashes = set()
        for share in args.shares:
            bandwidth = max(1, round(1000 * messages / (share * computing)))
            bench.attach(bandwidth)
            taken = bench.predict()[1]
            found, digest = bench.measure("came.mlir")
            hashes.add(digest)
            show("at once", bandwidth, share, found, computing, taken, 0)
            done = bench.opt(bench.path("came.mlir"), "-o", bench.path("planned.mlir"),
                             f"--pebble-schedule=budget=100% objective=time costs={bench.path('costs.0.json')}")
            planned = re.search(r"([\d.]+)% of them hidden", done.stderr)
            found, digest = bench.measure("planned.mlir", *trace)
            hashes.add(digest)
            show("planned", bandwidth, share, found, computing, taken, float(planned.group(1)) / 100 if planned else 0)
    if len(hashes) != 1:
        sys.exit("error: results differ")


if __name__ == "__main__":
    main()
