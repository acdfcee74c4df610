"""What a program computes when upstream's passes alone lower it, and mlir-runner
runs it: the bits of each result, and of each memref argument afterwards.

Arguments hold what `pebble-run --seed=S` puts there (docs/Running.md).
"""

import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import tool_server  # noqa: E402

# LLVM's tools are on the path in the tests, and there under another name elsewhere.
TOOLS = os.path.dirname(os.path.realpath(shutil.which("mlir-opt") or shutil.which("mlir-opt-22") or ""))
RUNNER_LIBRARIES = ",".join(os.path.join(os.path.dirname(TOOLS), "lib", f"libmlir_{name}.so")
                            for name in ("c_runner_utils", "async_runtime", "apfloat_wrappers"))
LOWERING = (
    "-convert-elementwise-to-linalg",
    "-one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops",
    # A program that leaves the bounds of a buffer gives anything, and not the same in
    # every run: results, a signal, or no end. It is no reference.
    "-lower-affine", "-generate-runtime-verification",
    "-scf-forall-to-for", "-convert-linalg-to-loops", "-memref-expand", "-convert-vector-to-scf",
    "-expand-strided-metadata", "-lower-affine",
    # As on the way down of pebble-run: bf16 is computed in f32 and rounded after
    # each operation.
    "-arith-emulate-unsupported-floats=source-types=bf16 target-type=f32",
    "-arith-expand=include-bf16=true", "-convert-scf-to-cf", "-convert-vector-to-llvm",
    "-convert-math-to-libm", "-convert-complex-to-llvm", "-convert-to-llvm",
    "-reconcile-unrealized-casts")
LAYOUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs", "expand-layouts.mlir")
# Passes for operations that few programs have: before bufferization, and after.
EXPAND_LAYOUTS = (r"linalg\.((un)?pack|winograd_\w+) ", (
    f"-transform-preload-library=transform-library-paths={LAYOUTS}", "-transform-interpreter"))
RARE = (
    (r"memref\.alloca?\(.*, (#|affine_map)", ("-normalize-memrefs",)),
    (r"memref\.realloc ", ("-expand-realloc",)),
    (r"bufferization\.dealloc ", ("-bufferization-lower-deallocations",)),
    (r"bufferization\.clone ", ("-convert-bufferization-to-memref",)),
    (r"async\.execute ", ("-async-to-async-runtime", "-async-runtime-ref-counting", "-convert-async-to-llvm")),
    (r"vector\.multi_reduction ", ("-lower-vector-multi-reduction",)),
    (r"complex\.(?!(abs|add|constant|create|div|im|mul|re|sub|bitcast) )\w+ ",
     ("-convert-complex-to-standard",)),
    # This one computes expm1 with fewer digits than others do.
    (r"complex\.(r?sqrt|atan2|tanh?) ", ("-convert-math-to-llvm",)),
    (r"math\.ipowi ", ("-convert-math-to-funcs",)))
# The same, behind loops.
LATE = (
    (r"math\.clampf ", ("-math-expand-ops=ops=clampf",)),
    (r"(math\.(absi|ct\w+|copysign|isfinite|isnan|sincos)|(math|linalg)\.rsqrt) ", ("-convert-math-to-llvm",)),
    (r"math\.fpowi ", ("-convert-math-to-funcs=min-width-of-fpowi-exponent=33", "-convert-math-to-llvm")),
    (r"(math|linalg)\.\w+ .*[x ]f[468]E", ("-math-extend-to-supported-types=extra-types=f16,bf16",)),
    (r"(arith\.(\w+f|sitofp|fptosi)|linalg\.(add|matmul)) .*[x ]f[468]E", ("-convert-arith-to-apfloat",)))
BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f8E5M2": 8, "f8E4M3FN": 8,
        "i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
MASK = (1 << 64) - 1


class Refused(Exception):
    """Upstream does not take this program."""


def split(text):
    """At commas that stand in no bracket."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        if letter in "<([{":
            depth += 1
        elif letter in ")]}" or (letter == ">" and text[i - 1] != "-"):
            depth -= 1
        elif letter == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    return [p for p in (*parts, text[start:].strip()) if p]


def signature(text):
    """Types of the arguments and results of @main."""
    found = re.search(r"func\.func @main\((.*?)\)\s*(?:->\s*(.*?))?\s*\{\n", text)
    if not found:
        raise Refused("no @main")
    arguments = [re.sub(r"\s*\{[^}]*\}$", "", a.split(":", 1)[1]).strip() for a in split(found.group(1))]
    results = (found.group(2) or "").strip()
    if results.startswith("("):
        results = results[1:-1]
    return arguments, split(results)


def shape_of(kind):
    """Sizes and element type; None where it is a number."""
    found = re.fullmatch(r"(?:tensor|memref)<((?:\d+x)*)([\w<>]+)>", kind)
    if not found:
        return None, kind
    return tuple(int(s) for s in found.group(1).split("x") if s), found.group(2)


def mix(seed, argument, element):
    z = (seed * 0x9E3779B97F4A7C15 + argument * 0xD1B54A32D192ED03
         + element * 0x8CB92BA72F3D8DD7 + 0x632BE59BD9B4E019) & MASK
    for _ in range(2):
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
    return z


def parts_of(kind):
    """How many numbers make an element, and their type."""
    return (2, kind[len("complex<"):-1]) if kind.startswith("complex") else (1, kind)


def draw(kind, seed, argument, element):
    """The bits of one number of an argument."""
    random = mix(seed, argument, element)
    width = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52, "f8E5M2": 2, "f8E4M3FN": 3}.get(kind)
    if width is None:
        return 4 if kind == "index" else random % (2 if kind == "i1" else 8)
    unit = ((random >> (64 - width)) + 0.5) / (1 << width)
    if kind == "bf16":
        return struct.unpack("<I", struct.pack("<f", unit))[0] >> 16
    if kind.startswith("f8"):
        bias = 15 if kind == "f8E5M2" else 7
        fraction, power = math.frexp(unit)
        return (power - 1 + bias) << width | int((2 * fraction - 1) * (1 << width))
    form, back = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}[kind]
    return struct.unpack(back, struct.pack(form, unit))[0]


def literal(kind, bits):
    if kind == "i1":
        return "true" if bits else "false"
    return hex(bits) if "f" in kind else str(bits)


def drawn(shape, kind, seed, argument):
    """The bits of all numbers of an argument."""
    parts, part = parts_of(kind)
    return [draw(part, seed, argument, i) for i in range(parts * math.prod(shape or ()))]


def nested(shape, numbers):
    if not shape:
        return next(numbers)
    return "[" + ", ".join([nested(shape[1:], numbers) for _ in range(shape[0])]) + "]"


class Host:
    """Writes @entry, which makes the arguments, calls @main and prints bits."""

    def __init__(self, text, seed):
        self.seed, self.count = seed, 0
        self.globals, self.lines = [], []
        arguments, results = signature(text)
        operands = [self.argument(i, kind) for i, kind in enumerate(arguments)]
        names = [f"%out{i}" for i in range(len(results))]
        left = ", ".join(names) + " = " if names else ""
        self.emit(f"{left}func.call @main({', '.join(n for n, _ in operands)}) : "
                  f"({', '.join(arguments)}) -> ({', '.join(results)})")
        for name, kind in zip(names, results):
            self.show(name, kind)
        for (name, _), kind in zip(operands, arguments):
            if kind.startswith("memref"):
                self.show(name, kind)
        body = "\n".join(self.lines)
        program = text[:text.rindex("}")]
        self.text = (program + "\n".join(self.globals) + "\nfunc.func private @printI64(i64)\n"
                     "func.func private @printNewline()\n"
                     f"func.func @entry() {{\n{body}\n  return\n}}\n}}\n")

    def emit(self, line):
        self.lines.append("  " + line)

    def name(self):
        self.count += 1
        return f"%host{self.count}"

    def argument(self, index, kind):
        shape, element = shape_of(kind)
        parts, part = parts_of(element)
        if part not in BITS:
            raise Refused(f"argument of type {kind}")
        name = self.name()
        numbers = [literal(part, bits) for bits in drawn(shape, element, self.seed, index)]
        if shape is None:
            self.emit(f"{name} = arith.constant {numbers[0]}" + ("" if element == "i1" else f" : {element}"))
            return name, kind
        memref = kind.replace("tensor", "memref", 1)
        count = math.prod(shape)
        if not count:
            self.emit(f"{name} = memref.alloc() : {memref}")
        else:
            if parts == 2:
                numbers = [f"({a}, {b})" for a, b in zip(numbers[::2], numbers[1::2])]
            numbers = iter(numbers)
            self.globals.append(f'memref.global "private" constant @host_data{index} : {memref} = '
                                f"dense<{nested(shape, numbers)}>")
            self.emit(f"{name}_from = memref.get_global @host_data{index} : {memref}")
            self.emit(f"{name} = memref.alloc() : {memref}")
            self.emit(f"memref.copy {name}_from, {name} : {memref} to {memref}")
        if kind.startswith("tensor"):
            self.emit(f"{name}_t = bufferization.to_tensor {name} restrict writable : {memref} to {kind}")
            return f"{name}_t", kind
        return name, kind

    def show(self, value, kind):
        shape, element = shape_of(kind)
        self.emit("func.call @printNewline() : () -> ()")
        places, bounds = [], []
        for size in shape or ():
            name = self.name()
            places.append(name)
            bounds.append(size)
        if shape is not None:
            zero, one = self.name(), self.name()
            self.emit(f"{zero} = arith.constant 0 : index")
            self.emit(f"{one} = arith.constant 1 : index")
            for place, bound in zip(places, bounds):
                self.emit(f"{place}_end = arith.constant {bound} : index")
            for place in places:
                self.emit(f"scf.for {place} = {zero} to {place}_end step {one} {{")
            loaded = self.name()
            op = "memref.load" if kind.startswith("memref") else "tensor.extract"
            self.emit(f"{loaded} = {op} {value}[{', '.join(places)}] : {kind}")
            value = loaded
        parts, part = parts_of(element)
        for op in ("re", "im") if parts == 2 else ("",):
            number = value
            if op:
                number = self.name()
                self.emit(f"{number} = complex.{op} {value} : {element}")
            self.show_number(number, part)
        for _ in places:
            self.emit("}")

    def show_number(self, value, element):
        bits = BITS[element]
        wide = self.name()
        if element == "index":
            self.emit(f"{wide} = arith.index_cast {value} : index to i64")
            value = wide
        else:
            if "f" in element:
                self.emit(f"{wide}_bits = arith.bitcast {value} : {element} to i{bits}")
                value = f"{wide}_bits"
            if bits < 64:
                self.emit(f"{wide} = arith.extui {value} : i{bits} to i64")
                value = wide
        self.emit(f"func.call @printI64({value}) : (i64) -> ()")
        space = self.name()
        self.emit(f"{space} = arith.constant -1 : i64")
        self.emit("func.call @printNewline() : () -> ()")


def call(command, extra=None):
    try:
        return tool_server.run(command, timeout=60, extra=extra)
    except subprocess.TimeoutExpired as error:
        raise Refused(f"{os.path.basename(command[0])} does not end") from error


def lower(text, seed, folder, inlined=False):
    """Lowers with upstream's passes alone; the path of what comes out. `inlined`: calls
    are inlined first. Where a call returns one argument twice, upstream writes into
    one result although the other one is read later."""
    source, lowered = (os.path.join(folder, n) for n in ("upstream.mlir", "upstream-lowered.mlir"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(Host(text, seed).text)
    first = next(i for i, one in enumerate(LOWERING) if one.startswith("-one-shot-bufferize")) + 1
    rare = [one for mark, passes in RARE if re.search(mark, text) for one in passes]
    late = [one for mark, passes in LATE if re.search(mark, text) for one in passes]
    last = next(i for i, one in enumerate(LOWERING) if one.startswith("-arith-emulate"))
    layouts = EXPAND_LAYOUTS[1] if re.search(EXPAND_LAYOUTS[0], text) else ()
    passes = [*layouts, *LOWERING[:first], *rare, *LOWERING[first:last], *late, *LOWERING[last:]]
    if inlined:
        passes = ["-inline", *passes]
    done = call([f"{TOOLS}/mlir-opt", source, *passes, "-o", lowered])
    if done.returncode:
        raise Refused(done.stderr[:400])
    keep_promises(lowered)
    return lowered


def keep_promises(path):
    """Upstream says of every address that no unsigned sum on the way to it wraps.
    With a negative stride it does, and the access then means anything."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = text.replace("overflow<nsw, nuw>", "overflow<nsw>").replace("inbounds|nuw", "inbounds")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def execute(lowered, fill):
    """What is printed, when fresh memory is filled with a byte."""
    done = call([f"{TOOLS}/mlir-runner", lowered, "-e", "entry", "-O0",
                 "--entry-point-result=void", f"--shared-libs={RUNNER_LIBRARIES}"],
                {"MALLOC_PERTURB_": str(fill), "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"})
    if done.returncode == -signal.SIGABRT:
        raise Refused("the program leaves the bounds of a buffer")
    if done.returncode:
        raise Refused(f"mlir-runner ends with {done.returncode}: {done.stderr[:400]}")
    return done.stdout


def results(text, folder, seed=7, twice=False, inlined=False):
    """A list of lists of bits: results, then memref arguments."""
    lowered = lower(text, seed, folder, inlined)
    printed = execute(lowered, 165)
    if twice and execute(lowered, 90) != printed:
        raise Refused("reads what nobody has written")
    groups = []
    for line in ("\n" + printed).split("\n")[1:]:
        if line.strip():
            groups[-1].append(int(line) & MASK)
        else:
            groups.append([])
    kinds = signature(text)
    wanted = len(kinds[1]) + sum(k.startswith("memref") for k in kinds[0])
    if printed and printed.endswith("\n") and len(groups) > wanted:
        groups.pop()
    if len(groups) != wanted:
        raise Refused(f"{len(groups)} groups printed, {wanted} wanted")
    return groups


def expected(text, folder, seed=7, twice=False, inlined=False):
    """By name of the file that pebble-run writes: the bits that it should hold, and
    whether an argument is as it came in."""
    arguments, kinds = signature(text)
    groups = results(text, folder, seed, twice, inlined)
    names = [f"result{i}" for i in range(len(kinds))]
    names += [f"argument{i}" for i, kind in enumerate(arguments) if kind.startswith("memref")]
    before = {}
    for i, kind in enumerate(arguments):
        shape, element = shape_of(kind)
        if kind.startswith("memref"):
            before[f"argument{i}"] = drawn(shape, element, seed, i)
    return {name: (bits, bits == before.get(name)) for name, bits in zip(names, groups)}


def read_npy(path):
    """The bits of each number of a file that pebble-run wrote."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    kind = re.search(r"'descr': '[<|]?(\w)(\d+)'", data[10:10 + length].decode())
    width = int(kind.group(2)) // (2 if kind.group(1) == "c" else 1)
    body = data[10 + length:]
    return [int.from_bytes(body[i:i + width], "little") for i in range(0, len(body), width)]
