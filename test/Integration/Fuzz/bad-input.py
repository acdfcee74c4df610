"""Gives the tools broken files: none may crash, hang, or take nonsense in silence.

Small files of every kind that a tool reads are changed at random, by tokens, by numbers and by bytes, and given to it.
A change may be refused with an error, and must be where it breaks what this file knows of the kind: an array of another
shape, a size below zero. A signal, more than 20 s, a report of a sanitizer (of a build with PEBBLE_SANITIZE), an exit
status that means nothing or an "internal error" is a failure, and its input is kept.

    bad-input.py --count=N [--seed=N] [--kinds=solve,npy,...] [--bin=DIR] [--keep=DIR]

The passes of pebble-opt have a driver of their own, test/lib/BadInput.cpp: many programs in one process.
"""

import argparse
import io
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SECONDS = 20
TEST = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
ODD = ["0", "1", "-1", "2", "1e400", "-0.5", "NaN", "1e18", "9223372036854775807", "-9223372036854775808",
       "18446744073709551616", "4294967296", "null", "true", "\"\"", "[]", "{}", "\"x\"", "[1, 2]"]


def read(*path):
    with open(os.path.join(TEST, *path), encoding="utf-8") as file:
        return file.read()


def change_text(text, rng):
    """The text with some tokens, lines or bytes changed."""
    for _ in range(rng.randint(1, 3)):
        tokens = re.findall(r"-?\d+(?:\.\d+)?|\w+|\s+|.", text)
        places = [i for i, token in enumerate(tokens) if not token.isspace()]
        if not places:
            return text
        i, j = rng.choice(places), rng.choice(places)
        way = rng.randrange(8)
        if way == 0:
            tokens[i] = rng.choice(ODD)
        elif way == 1:
            tokens[i] = ""
        elif way == 2:
            tokens[i] *= 2
        elif way == 3:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif way == 4:
            at = rng.randrange(len(text))
            text = text[:at] + chr(rng.randrange(256)) + text[at + rng.randrange(3):]
            continue
        elif way == 5:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines)), lines[rng.randrange(len(lines))])
            text = "\n".join(lines)
            continue
        elif tokens[i].lstrip("-").isdigit():
            tokens[i] = rng.choice(ODD[:13])
        else:
            tokens[i] = tokens[j]
        text = "".join(tokens)
    return text


def change_bytes(data, rng):
    data = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data))
        way = rng.randrange(4)
        if way == 0:
            data[at] = rng.randrange(256)
        elif way == 1:
            del data[at:at + rng.randint(1, 8)]
        elif way == 2:
            data[at:at] = data[at:at + rng.randint(1, 8)]
        else:
            data[at] ^= 1 << rng.randrange(8)
        if not data:
            return b""
    return bytes(data)


def change_values(value, rng):
    """The JSON value with one leaf, element or key changed: what parses still."""
    places = []

    def collect(node):
        if isinstance(node, (dict, list)) and node:
            for key in node if isinstance(node, dict) else range(len(node)):
                places.append((node, key))
                collect(node[key])

    collect(value)
    if not places:
        return value
    node, key = rng.choice(places)
    way = rng.randrange(5)
    if way == 0 and isinstance(node, dict):
        node["x" + key] = node.pop(key)
    elif way == 1:
        del node[key]
    elif way == 2 and isinstance(node, list):
        node.insert(key, node[key])
    elif way == 3:
        other, place = rng.choice(places)
        if isinstance(other, dict) and place in other or isinstance(other, list) and place < len(other):
            node[key] = json.loads(json.dumps(other[place]))
    else:
        node[key] = rng.choice([0, 1, -1, 2, -0.5, 1e300, 2**63 - 1, 2**63, 2**31, None, True, "", "x", [], {}, [0]])
    return value


def change_json(text, rng):
    if rng.randrange(3) == 0:
        return change_text(text, rng)
    value = json.loads(text)
    for _ in range(rng.randint(1, 2)):
        value = change_values(value, rng)
    return json.dumps(value)


def has_negative_size(text):
    """Whether a problem of our own kind has what no problem can have."""
    try:
        problem = json.loads(text)
        return any(isinstance(op["size"], (int, float)) and op["size"] < 0 for op in problem["ops"])
    except (ValueError, KeyError, TypeError):
        return False


def has_double_name(text):
    try:
        names = [op["name"] for op in json.loads(text)["ops"]]
        return len(names) != len(set(map(json.dumps, names)))
    except (ValueError, KeyError, TypeError):
        return False


PROGRAM = """func.func @main(%x: tensor<2x3xf32>, %k: i32) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %a = linalg.exp ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = linalg.add ins(%a, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}
"""

HIERARCHY = """module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"l1", kind = cache, capacity = 128, read = 1, write = 1>,
    <"ram", kind = explicit, capacity = 100000, read = 10, write = 10, bandwidth = 100, latency = 3>,
    <"disk", kind = explicit, read = 100, write = 100>], name = "small", inclusion = inclusive>} {
""" + PROGRAM + "}\n"


def npy(shape, kind="<f4", width=4):
    count = 1
    for size in shape:
        count *= size
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    data = struct.pack("<" + "f" * count, *range(count))[:count * width]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def is_wanted_array(data):
    """Whether these bytes are an array of the first argument; None if this cannot tell."""
    try:
        import numpy
    except ImportError:
        return None
    try:
        array = numpy.load(io.BytesIO(data), allow_pickle=False)
        return array.shape == (2, 3) and array.dtype == numpy.dtype("<f4")
    except Exception:  # numpy is stricter than the format in places
        return None


class Campaign:
    def __init__(self, arguments, folder):
        self.bin, self.folder, self.keep = arguments.bin, folder, arguments.keep
        self.program = self.write("program.mlir", PROGRAM)
        # A plan and measured costs as the tools themselves write them.
        self.plan = os.path.join(folder, "plan.json")
        self.costs = os.path.join(folder, "costs.json")
        self.moves = os.path.join(folder, "moves.json")

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
        return path

    def tool(self, name):
        return os.path.join(self.bin, name)

    def prepare(self, kinds):
        def call(*command):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{' '.join(command)}\n{done.stderr}")
            return done.stdout
        if "plan" in kinds:
            call(self.tool("pebble-opt"), self.program, "-o", os.devnull,
                 f"--pebble-schedule=budget-percent=100 save-plan={self.plan}")
        if "costs" in kinds:
            call(self.tool("pebble-run"), self.program, f"--profile={self.costs}")
        if "moves" in kinds:
            answer = call(self.tool("pebble-solve"), os.path.join(TEST, "Solver/Inputs/tree.json"), "--json",
                          "--print-schedule", "--means=recompute")
            with open(self.moves, "w", encoding="utf-8") as file:
                file.write(answer)

    # Each kind: how an input is made, the command on it, and when it must be refused.

    def solve(self, rng, path):
        name = rng.choice(["diamond.json", "fork-join.json", "inception.json", "rotor.json", "tree.json",
                           "two-slow-tiers.json", "unet-aux.json"])
        text = change_json(read("Solver/Inputs", name), rng)
        options = rng.choice([[], ["--means=recompute", "--budget-percent=80"], ["--objective=peak"],
                              ["--means=both", "--budget-percent=70"], ["--print-problem=json"], ["--count-orders"],
                              ["--objective=energy"], ["--objective=time", "--means=offload", "--budget-percent=80"]])
        limits = ["--time-limit-ms=500", "--effort=2000"]
        return text, [self.tool("pebble-solve"), path + ".json", *options, *limits], \
            has_negative_size(text) or has_double_name(text)

    def csv(self, rng, path):
        text = change_text("id,lower,upper,size\na,0,3,4\nb,1,4,2\nc,2,6,5\nd,5,7,1\n", rng)
        options = rng.choice([[], ["--alignment=4"], ["--solver=local-search"], ["--capacity=9"]])
        return text, [self.tool("pebble-solve"), path + ".csv", "--time-limit-ms=500", *options], False

    def moves_(self, rng, path):
        with open(self.moves, encoding="utf-8") as file:
            text = change_json(file.read(), rng)
        return text, [self.tool("pebble-solve"), os.path.join(TEST, "Solver/Inputs/tree.json"),
                      f"--verify={path}.json"], False

    def npy(self, rng, path):
        data = npy(rng.choice([(2, 3), (2, 3), (2, 3), (3, 2), (6,), (2, 3, 1), (2, 4), ()]),
                   rng.choice(["<f4", "<f4", "<f4", "<i4", "<f8", ">f4", "|u1"]))
        if rng.randrange(4):
            data = change_bytes(data, rng)
        return data, [self.tool("pebble-run"), self.program, f"--input=0:{path}.npy"], is_wanted_array(data) is False

    def plan_(self, rng, path):
        with open(self.plan, encoding="utf-8") as file:
            text = change_json(file.read(), rng)
        return text, [self.tool("pebble-opt"), self.program, "-o", os.devnull,
                      f"--pebble-schedule=budget-percent=100 plan={path}.json"], False

    def costs_(self, rng, path):
        with open(self.costs, encoding="utf-8") as file:
            text = change_json(file.read(), rng)
        command = rng.choice([["pebble-report"], ["pebble-run"],
                              ["pebble-opt", "-o", os.devnull, "--pebble-schedule=budget-percent=100"]])
        option = "--costs=" if command[0] == "pebble-run" else "--pebble-costs="
        return text, [self.tool(command[0]), self.program, *command[1:], f"{option}{path}.json"], False

    def hierarchy(self, rng, path):
        text = change_text(HIERARCHY, rng)
        command = rng.choice([["pebble-report", "--json"], ["pebble-run"],
                              ["pebble-opt", "-o", os.devnull, "--pebble-schedule=budget-percent=100 means=both"]])
        return text, [self.tool(command[0]), path + ".mlir", *command[1:]], False

    def options(self, rng, path):
        number = rng.choice(["-1", "0", "x", "", "2147483648", "1e3", "99999999999999999999", "0x10", "nan", "1.5",
                             "-9223372036854775808", "18446744073709551615", " 1", "+1"])
        command = rng.choice([
            ["pebble-run", f"--repeat={number}"], ["pebble-run", f"--seed={number}"],
            ["pebble-run", f"--pebble-dim-bound={number}"], ["pebble-report", f"--calls={number}"],
            ["pebble-report", f"--budget-bytes={number}"], ["pebble-run", f"--input={number}:x.npy"],
            ["pebble-opt", f"--pebble-schedule=budget-bytes={number}"],
            ["pebble-opt", f"--pebble-schedule=budget-percent={number}"],
            ["pebble-opt", f"--pebble-schedule=budget-percent=100 time-limit-ms={number}"],
            ["pebble-opt", f"--pebble-order-operations=peak-limit-bytes={number}"],
            ["pebble-opt", f"--pebble-order-operations=iteration-limit={number}"],
            ["pebble-opt", f"--pebble-raise-loops=unrolled={number}"],
            ["pebble-opt", f"--pebble-checkpoint-loops=slots={number}"]])
        if command[0] == "pebble-run" and "repeat" in command[1] and number in ("0x10", " 1", "+1"):
            command = ["pebble-run"]
        # What is outside of the numbers that --repeat takes must be told.
        is_bad = any("repeat" in each for each in command) and number not in ("1", "+1")
        return PROGRAM, [self.tool(command[0]), path + ".mlir", *command[1:]], is_bad

    KINDS = {"solve": (solve, ".json"), "csv": (csv, ".csv"), "moves": (moves_, ".json"), "npy": (npy, ".npy"),
             "plan": (plan_, ".json"), "costs": (costs_, ".json"), "hierarchy": (hierarchy, ".mlir"),
             "options": (options, ".mlir")}

    def run(self, kind, number, seed):
        """What is wrong with what the tool did, or nothing."""
        rng = random.Random(f"{seed} {kind} {number}")
        make, ending = self.KINDS[kind]
        path = os.path.join(self.folder, f"{kind}-{number}")
        content, command, must_fail = make(self, rng, path)
        file = self.write(os.path.basename(path) + ending, content)
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS)
            said = done.stderr + done.stdout
            known = (0, 1, 3, 4) if "pebble-solve" in command[0] else (0, 1)
            if done.returncode not in known:
                wrong = f"exit status {done.returncode}"
            elif "Sanitizer" in said or "runtime error:" in said:
                wrong = "a report of a sanitizer"
            elif "internal error" in said:
                wrong = "an internal error"
            elif must_fail and done.returncode == 0:
                wrong = "taken in silence"
            elif done.returncode == 1 and not done.stderr:
                wrong = "refused without a word"
            else:
                wrong = None
        except subprocess.TimeoutExpired:
            said, wrong = "", "a hang"
        if wrong and self.keep:
            os.makedirs(self.keep, exist_ok=True)
            kept = os.path.join(self.keep, f"{seed}-{os.path.basename(file)}")
            os.replace(file, kept)
            with open(kept + ".txt", "w", encoding="utf-8") as out:
                out.write(" ".join(command) + "\n" + said)
        elif not wrong:
            os.remove(file)
        return f"{kind} {number}: {wrong}: {' '.join(command)}" if wrong else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100, help="changed files of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(Campaign.KINDS))
    parser.add_argument("--bin", default=os.environ.get("PEBBLE_BIN", "build/bin"))
    parser.add_argument("--keep", help="directory for what failed")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    kinds = arguments.kinds.split(",")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(arguments, folder)
        campaign.prepare(kinds)
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for kind in kinds:
                results = pool.map(lambda i, kind=kind: campaign.run(kind, i, arguments.seed), range(arguments.count))
                for result in results:
                    if result:
                        failed += 1
                        print(result, flush=True)
                print(f"{kind}: {arguments.count} files", flush=True)
    print(f"{len(kinds) * arguments.count} changed files, {failed} failures")
    sys.exit(1 if failed else 0)


main()
