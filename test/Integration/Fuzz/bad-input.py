"""Gives the tools broken files: none may crash, hang, or take nonsense in silence.

Small files of every kind that a tool reads are changed at random (bad_files.py) and given to it. A change may be
refused with an error, and must be where it breaks what is known of the kind: an array of another shape, a size below
zero, a name that exists twice. A signal, more than 20 s, a report of a sanitizer (of a build with PEBBLE_SANITIZE), an
exit status that means nothing or an "internal error" is a failure, and its input is kept.

    bad-input.py --count=N [--seed=N] [--kinds=solve,npy,...] [--bin=DIR] [--keep=DIR]

The passes of pebble-opt have a driver of their own, test/lib/BadInput.cpp: many programs in one process.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import bad_files as bad  # noqa: E402

SECONDS = 20
UPSTREAM = " of upstream"
TEST = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)


def read(*path):
    with open(os.path.join(TEST, *path), encoding="utf-8") as file:
        return file.read()


PROGRAM = """func.func @main(%x: tensor<2x3xf32>, %k: i32) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %a = linalg.exp ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = linalg.add ins(%a, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}
"""

# One that is worth recomputing and storing.
LONG = """func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.abs ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.exp ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %f = linalg.add ins(%d, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = linalg.add ins(%f, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %g : tensor<8x8xf32>
}
"""

TIERS = """module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"l1", kind = cache, capacity = 128, read = 1, write = 1>,
    <"ram", kind = explicit, capacity = 100000, read = 10, write = 10, bandwidth = 100, latency = 3>,
    <"disk", kind = explicit, read = 100, write = 100>], name = "small", inclusion = inclusive>} {
"""

# What a pass that moves values leaves behind.
PLACED = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s, %t = pebble.store %a : tensor<4xf32> -> tensor<4xf32, #pebble.at<"disk">>
  %away = pebble.wait %t for %s : tensor<4xf32, #pebble.at<"disk">>
  %l, %u = pebble.load %away : tensor<4xf32, #pebble.at<"disk">> -> tensor<4xf32>
  %back = pebble.wait %u for %l : tensor<4xf32>
  %b = linalg.add ins(%back, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
"""

RIGHT_NUMBERS = ["1", "2", "7", "100"]
NO_NUMBERS = ["x", "", "99999999999999999999", "nan", "1e3", "1 2", "--1", "0x", "1.5.2", "inf"]
ODD_NUMBERS = ["-1", "0", "2147483648", "0x10", "1.5", "-9223372036854775808", "18446744073709551615", " 1", "+1",
               "9223372036854775807", "4294967296"]


def is_upstreams(said):
    """Whether a crash is one of upstream's parser, with its libraries alone between the crash and the entry."""
    for line in said.split("\n"):
        if not re.match(r"\s*#\d+ ", line):
            continue
        if "parseAsmSourceFile" in line:
            return True
        if not re.search(r"/lib(MLIR|LLVM|c|stdc\+\+)\.so|__(asan|ubsan|sanitizer|interceptor)", line):
            return False
    return False


class Campaign:
    def __init__(self, arguments, folder):
        self.bin, self.folder, self.keep = arguments.bin, folder, arguments.keep
        os.environ["PATH"] = os.path.abspath(self.bin) + os.pathsep + os.environ["PATH"]
        import tool_server
        self.server = tool_server
        self.files = {name: self.write(name + ".mlir", text) for name, text in (
            ("program", PROGRAM), ("tiers", TIERS + LONG + "}\n"), ("placed", TIERS + PLACED + "}\n"))}
        # What is changed is right before.
        for file in self.files.values():
            self.call("pebble-report", file)
        # Files as the tools themselves write them.
        self.made = {}

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        return path

    def call(self, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        return done.stdout

    def get(self, name):
        """The text of a file that a tool has made."""
        if name not in self.made:
            path = os.path.join(self.folder, name.replace(" ", "-") + ".json")
            kind, _, program = name.partition(" ")
            if kind == "plan":
                self.call("pebble-opt", self.files[program], "-o", os.devnull, "--pebble-schedule="
                          f"{'budget-percent=85 means=both' if program == 'tiers' else 'budget-percent=100'} "
                          f"save-plan={path}")
            elif kind == "costs":
                self.call("pebble-run", self.files[program], f"--profile={path}")
            else:
                problem = os.path.join(TEST, "Solver/Inputs", program)
                self.write(os.path.basename(path), self.call(
                    "pebble-solve", problem, "--json", "--print-schedule", "--means=recompute"))
            with open(path, encoding="utf-8") as file:
                self.made[name] = file.read()
        return self.made[name]

    # Each kind: how an input is made, the command on it, and when it must be refused.

    def solve(self, rng, path):
        name = rng.choice(["diamond.json", "fork-join.json", "inception.json", "tree.json", "two-slow-tiers.json",
                           "unet-aux.json"])
        text = bad.change_json(read("Solver/Inputs", name), rng)
        options = rng.choice([[], ["--means=recompute", "--budget-percent=80"], ["--objective=peak"],
                              ["--means=both", "--budget-percent=70"], ["--print-problem=json"], ["--count-orders"],
                              ["--objective=energy"], ["--objective=time", "--means=offload", "--budget-percent=80"]])
        return text, ["pebble-solve", path, *options, "--time-limit-ms=500", "--effort=2000"], bad.is_bad_problem(text)

    def native(self, rng, path):
        """Problems in the format that says everything."""
        name = rng.choice(["diamond.json", "two-slow-tiers.json"])
        if "native " + name not in self.made:
            self.made["native " + name] = self.call(
                "pebble-solve", os.path.join(TEST, "Solver/Inputs", name), "--print-problem=json")
        text = bad.change_json(self.made["native " + name], rng)
        options = rng.choice([[], ["--means=recompute", "--budget-percent=80"], ["--objective=peak"],
                              ["--means=both", "--budget-percent=70"], ["--print-problem=text"], ["--count-orders"],
                              ["--objective=energy"], ["--objective=time", "--means=offload", "--budget-percent=80"]])
        return text, ["pebble-solve", path, *options, "--time-limit-ms=500", "--effort=2000"], \
            bad.is_bad(text, lambda problem: None)

    def chain(self, rng, path):
        text = bad.change_json(read("Solver/Inputs/rotor.json"), rng)
        options = rng.choice([[], ["--budget-percent=80"], ["--budget=31", "--print-schedule"], ["--json"]])
        return text, ["pebble-solve", path, *options, "--time-limit-ms=500", "--effort=2000"], bad.is_bad_problem(text)

    def csv(self, rng, path):
        text = bad.change_text("id,lower,upper,size\na,0,3,4\nb,1,4,2\nc,2,6,5\nd,5,7,1\n", rng)
        options = rng.choice([[], ["--alignment=4"], ["--solver=local-search"], ["--capacity=9"], ["--json"],
                              ["--solver=eviction", "--print-schedule"]])
        return text, ["pebble-solve", path, "--time-limit-ms=500", *options], bad.is_bad_table(text)

    def moves(self, rng, path):
        name = rng.choice(["tree.json", "rotor.json"])
        text = bad.change_json(self.get("moves " + name), rng)
        option = rng.choice(["--verify", "--start"]) if name == "tree.json" else "--verify"
        return text, ["pebble-solve", os.path.join(TEST, "Solver/Inputs", name), f"{option}={path}",
                      "--time-limit-ms=100"], bad.is_bad_moves(text)

    def chain_game(self, rng, path):
        options = ["--steps=8", "--fast-slots=3", "--rules=seed", "--store-cost=2", "--load-cost=2"]
        if "chain game" not in self.made:
            self.made["chain game"] = self.call("pebble-solve", "--chain", *options, "--json", "--print-schedule")
        text = bad.change_json(self.made["chain game"], rng)
        return text, ["pebble-solve", "--chain", *options, f"--verify={path}"], bad.is_bad_moves(text)

    def npy(self, rng, path):
        data = bad.make_npy(rng)
        return data, ["pebble-run", self.files["program"], f"--input=0:{path}"], bad.is_bad_array(data) is True

    def plan(self, rng, path):
        program = rng.choice(["program", "tiers"])
        text = bad.change_json(self.get("plan " + program), rng)
        if rng.randrange(4) == 0:
            program = rng.choice(["program", "tiers"])
        options = rng.choice(["budget-percent=100", "budget-percent=85 means=both", "budget-percent=85"])
        return text, ["pebble-opt", self.files[program], "-o", os.devnull,
                      f"--pebble-schedule={options} time-limit-ms=200 plan={path}"], bad.is_bad_plan(text)

    def costs(self, rng, path):
        program = rng.choice(["program", "tiers"])
        text = bad.change_json(self.get("costs " + program), rng)
        command = rng.choice([
            ["pebble-run"],
            ["pebble-opt", "-o", os.devnull, "--pebble-schedule=budget-percent=85 means=both time-limit-ms=200"],
            ["pebble-opt", "-o", os.devnull,
             "--pebble-schedule=budget-percent=85 objective=time means=both time-limit-ms=200"]])
        option = "--costs=" if command[0] == "pebble-run" and rng.randrange(2) else "--pebble-costs="
        return text, [command[0], self.files[program], *command[1:], f"{option}{path}"], bad.is_bad_costs(text)

    def hierarchy(self, rng, path):
        end = rng.choice([PROGRAM, LONG, PLACED, PLACED]) + "}\n"
        text = bad.change_text(TIERS, rng) + end if rng.randrange(2) else bad.change_text(TIERS + end, rng)
        command = rng.choice([
            ["pebble-report", "--json"], ["pebble-report", "--calls=3"], ["pebble-run"],
            ["pebble-opt", "-o", os.devnull, "--pebble-schedule=budget-percent=90 means=both time-limit-ms=200"],
            ["pebble-opt", "-o", os.devnull,
             "--pebble-schedule=budget-percent=90 objective=time means=both time-limit-ms=200"],
            ["pebble-opt", "-o", os.devnull, "--pebble-order-operations=objective=energy iteration-limit=50"],
            ["pebble-opt", "-o", os.devnull, "--pebble-to-llvm"]])
        tiers = re.search(r"#pebble\.hierarchy<\[(.*?)\]", text, re.S)
        names = re.findall(r"<\s*\"(.*?)\"", tiers.group(1)) if tiers else []
        return text, [command[0], path, *command[1:]], len(names) != len(set(names))

    def report(self, rng, path):
        """Programs of many kinds, which are looked at and not run."""
        if "programs" not in self.made:
            self.made["programs"] = [
                part for folder in ("Report", "Analysis") for name in sorted(os.listdir(os.path.join(TEST, folder)))
                if name.endswith(".mlir") for part in read(folder, name).split("// -----") if len(part) < 6000]
        text = bad.change_text(rng.choice(self.made["programs"]), rng)
        options = rng.choice([[], ["--json"], ["--calls=2"], ["--pebble-dim-bound=7"], ["--budget-bytes=64"]])
        return text, ["pebble-report", path, *options], False

    OPTIONS = [
        ("pebble-run", "--repeat={}"), ("pebble-run", "--seed={}"), ("pebble-run", "--pebble-dim-bound={}"),
        ("pebble-run", "--input={}:x.npy"), ("pebble-report", "--calls={}"), ("pebble-report", "--budget-bytes={}"),
        ("pebble-report", "--pebble-dim-bound={}"),
        *(("pebble-opt", f"--pebble-schedule={text}") for text in (
            "budget-bytes={}", "budget-percent={}", "budget-percent=100 time-limit-ms={}",
            "budget-percent=100 memory-limit={}", "budget-percent=100 effort={}")),
        ("pebble-opt", "--pebble-order-operations=peak-limit-bytes={}"),
        ("pebble-opt", "--pebble-order-operations=iteration-limit={}"),
        ("pebble-opt", "--pebble-order-operations=time-limit-ms={}"),
        ("pebble-opt", "--pebble-raise-loops=unrolled={}"), ("pebble-opt", "--pebble-checkpoint-loops=slots={}"),
        ("pebble-opt", "--pebble-thin-tapes=budget={}"),
        ("pebble-opt", "--pebble-memory-limit={}"),
        *(("pebble-solve", f"--{name}={{}}") for name in (
            "budget", "budget-percent", "offload-rate", "time-limit-ms", "memory-limit", "effort", "seed",
            "capacity", "alignment")),
        *(("pebble-solve --chain --steps=5 --fast-slots=2 --rules=seed --store-cost=1 --load-cost=1", f"--{name}={{}}")
          for name in ("steps", "fast-slots", "forward-cost", "backward-cost", "seed-cost", "store-cost", "load-cost",
                       "slow-slots", "period", "budget"))]

    def options(self, rng, path):
        tool, option = rng.choice(self.OPTIONS)
        number = rng.choice(RIGHT_NUMBERS + 2 * NO_NUMBERS + 2 * ODD_NUMBERS)
        if rng.randrange(3) == 0:
            number = bad.change_text(number or "1", rng).replace("\n", "").replace("\t", "").replace("\0", "")
            is_bad = False
        else:
            # An empty limit is none, or the default: MLIR prints the options of passes so.
            is_limit = "memory-limit" in option or (tool == "pebble-opt" and "limit" in option)
            is_bad = number in NO_NUMBERS and not (number == "" and is_limit)
        tool, *more = tool.split()
        text = option.format(number)
        if tool == "pebble-solve" and not more:
            more = [os.path.join(TEST, "Solver/Inputs/diamond.json")]
        elif not more:
            more = [path]
        # What is outside of the numbers that --repeat takes must be told.
        is_bad |= "repeat" in option and number in ODD_NUMBERS and number not in ("+1", " 1", "0x10")
        return PROGRAM, [tool, *more, text], is_bad

    KINDS = {"solve": (solve, ".json"), "native": (native, ".json"), "chain": (chain, ".json"),
             "csv": (csv, ".csv"), "moves": (moves, ".json"), "chain-game": (chain_game, ".json"),
             "npy": (npy, ".npy"), "plan": (plan, ".json"), "costs": (costs, ".json"),
             "hierarchy": (hierarchy, ".mlir"), "report": (report, ".mlir"), "options": (options, ".mlir")}

    def judge(self, command, must_fail):
        """What a tool said, and what is wrong with what it did, or nothing."""
        try:
            done = self.server.run(command, SECONDS)
        except subprocess.TimeoutExpired:
            return "", "a hang"
        said = done.stderr + done.stdout
        known = (0, 1, 3, 4) if command[0] == "pebble-solve" else (0, 1)
        if "Sanitizer" in said or "runtime error:" in said or done.returncode not in known:
            wrong = "a report of a sanitizer" if done.returncode in (*known, -6) else f"exit status {done.returncode}"
            return said, wrong + (UPSTREAM if is_upstreams(said) else "")
        if "internal error" in said:
            return said, "an internal error"
        if must_fail and done.returncode == 0:
            return said, "taken in silence"
        if done.returncode == 1 and not done.stderr:
            return said, "refused without a word"
        return said, None

    def run(self, kind, number, seed):
        """The tool that got the file, and what is wrong with what it did, or nothing."""
        rng = random.Random(f"{seed} {kind} {number}")
        make, ending = self.KINDS[kind]
        path = os.path.join(self.folder, f"{kind}-{number}{ending}")
        content, command, must_fail = make(self, rng, path)
        file = self.write(os.path.basename(path), content)
        said, wrong = self.judge(command, must_fail)
        if wrong and self.keep:
            os.makedirs(self.keep, exist_ok=True)
            kept = os.path.join(self.keep, f"{seed}-{os.path.basename(file)}")
            with open(kept, "wb") as out, open(file, "rb") as made:
                out.write(made.read())
            with open(kept + ".txt", "w", encoding="utf-8") as out:
                out.write(f"{wrong}: " + " ".join(command).replace(file, kept) + "\n" + said)
        os.remove(file)
        return command[0], f"{kind} {number}: {wrong}: {' '.join(command)}" if wrong else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100, help="changed files of each kind")
    parser.add_argument("--first", type=int, default=0, help="number of the first of them")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(Campaign.KINDS))
    parser.add_argument("--bin", default=os.environ.get("PEBBLE_BIN", "build/bin"))
    parser.add_argument("--keep", help="directory for what failed")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    kinds = arguments.kinds.split(",")
    failed, upstream, tools = 0, 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(arguments.jobs) as pool:
        campaign = Campaign(arguments, folder)
        for kind in kinds:
            numbers = range(arguments.first, arguments.first + arguments.count)
            for tool, result in pool.map(lambda i, kind=kind: campaign.run(kind, i, arguments.seed), numbers):
                tools[kind, tool] += 1
                if result:
                    upstream += UPSTREAM in result
                    failed += UPSTREAM not in result
                    print(result, flush=True)
            print(f"{kind}: {arguments.count} files", flush=True)
    for (kind, tool), count in sorted(tools.items()):
        print(f"{kind} to {tool}: {count}")
    print(f"{len(kinds) * arguments.count} changed files, {failed} failures" +
          (f", {upstream} crashes of upstream" if upstream else ""))
    sys.exit(1 if failed else 0)


main()
