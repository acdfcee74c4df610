#!/usr/bin/env python3
"""StableHLO files in, planned, out again, parsed by jaxlib, and run.

  stablehlo_files.py FILE... [--percent=70] [--time-limit=2]

Prints a line for each file: what was planned, and what it gave on random arguments
beside the file as it is. Where a file has several public functions, each of
them is run as one. A file that XLA cannot run as it stands (it may want several
devices, or a custom call) is parsed, and its line says so. Files without StableHLO
are left out. Fails where a plan is no StableHLO that jaxlib takes, where something
of Pebble's is left, or where results differ by more than rounding.
"""

import argparse
import os
import re
import sys

import jax
import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo

from pebble import tool

# More is not run here: plans are what is looked at, and not XLA's speed.
LARGEST = 200_000_000


def parse(text):
    context = mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    return ir.Module.parse(text, context)


def to_generic(module):
    return module.operation.get_asm(print_generic_op_form=True)


def functions_of(module):
    """The functions of a module, by name."""
    found = [op for op in module.body if op.operation.name == "func.func"]
    return {ir.StringAttr(op.attributes["sym_name"]).value: op for op in found}


def is_private(function):
    attributes = function.attributes
    return ("sym_visibility" in attributes
            and ir.StringAttr(attributes["sym_visibility"]).value == "private")


def programs_of(text):
    """The programs of a file in the generic form: for each public function, or for
    each one where none is, a module that has it as @main. Modules inside of the file
    are files of their own."""
    module = parse(text)
    functions = functions_of(module)
    names = [name for name, op in functions.items() if not is_private(op)]
    names = names or list(functions)
    programs = {}
    for name in names:
        whole = parse(text)
        programs[name] = to_generic(whole if names == ["main"] else take_function(whole, name))
    inner = [op for op in module.body if op.operation.name == "builtin.module"]
    for number, op in enumerate(inner):
        for name, program in programs_of(to_generic(op)).items():
            programs[f"{number}.{name}"] = program
    return programs


def take_function(module, name):
    """The module with a copy of the function `name` as @main, and what that needs."""
    functions = functions_of(module)
    with module.context, ir.Location.unknown():
        copy = functions[name].operation.clone(ip=ir.InsertionPoint(module.body))
        copy.attributes["sym_name"] = ir.StringAttr.get("main")
        if "sym_visibility" in copy.attributes:
            del copy.attributes["sym_visibility"]
        needed, waiting = set(), [copy]
        while waiting:
            for used in re.findall(r"@([\w$.-]+)", str(waiting.pop())):
                if used in functions and used not in needed:
                    needed.add(used)
                    waiting.append(functions[used])
        for other, op in functions.items():
            if other in needed:
                op.attributes["sym_visibility"] = ir.StringAttr.get("private")
            else:
                op.operation.erase()
    return module


def types_of(text):
    """Shapes and element types of the arguments of @main, or None."""
    module = parse(text)
    with module.context:
        main = functions_of(module)["main"]
        kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        found = []
        for type_ in kind.inputs:
            if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
                return None
            found.append((tuple(type_.shape), str(type_.element_type)))
        return found


def make_arguments(types):
    names = {
        "f32": np.float32, "f64": np.float64, "f16": np.float16, "i1": np.bool_,
        "i8": np.int8, "ui8": np.uint8, "i16": np.int16, "i32": np.int32,
        "ui32": np.uint32, "i64": np.int64, "ui64": np.uint64,
    }  # fmt: skip
    state, made = np.random.RandomState(0), []
    for shape, name in types:
        if name not in names:
            return None
        kind = np.dtype(names[name])
        if kind.kind == "f":
            made.append(state.uniform(0.1, 0.5, shape).astype(kind))
        else:
            made.append(state.randint(0, 2, shape).astype(kind))
    if sum(a.nbytes for a in made) > LARGEST:
        return None
    return made


def run(text, arguments, without="cse_barrier_expander"):
    """The results on one device, without some of XLA's passes."""
    devices = jax.devices()[:1]
    options = xla_client.CompileOptions()
    options.num_replicas = options.num_partitions = 1
    debug = options.executable_build_options.debug_options
    debug.xla_disable_hlo_passes = without
    loaded = devices[0].client.compile_and_load(
        text,
        executable_devices=xla_client.DeviceList(tuple(devices)),
        compile_options=options,
    )
    given = [jax.device_put(a, devices[0]) for a in arguments]
    return [np.asarray(r) for (r,) in
            loaded.execute_sharded(given).disassemble_into_single_device_arrays()]


def compare(expected, got):
    assert len(expected) == len(got), f"{len(got)} results for {len(expected)}"
    worst = 0.0
    for a, b in zip(expected, got):
        assert a.shape == b.shape and a.dtype == b.dtype
        a, b = a.astype(np.float64), b.astype(np.float64)
        assert np.array_equal(np.isfinite(a), np.isfinite(b)), "other infinities"
        a, b = np.nan_to_num(a), np.nan_to_num(b)
        if a.size:
            worst = max(worst, np.abs(a - b).max() / max(np.abs(a).max(), 1e-30))
    assert worst < 1e-3, f"results differ by {worst:.1e}"
    return f"results within {worst:.0e}"


def plan(generic, percent, time_limit):
    """The planned text, and the share of the peak that was planned: the given
    one, or 100 where nothing fits it."""
    for share in (percent, 100):
        schedule = (
            f"--pebble-schedule=budget-percent={share} means=recompute "
            f"time-limit-ms={int(1000 * time_limit)}"
        )
        passes = ["--pebble-group-steps=backend=xla-cpu", schedule]
        try:
            text, _ = tool.run(generic, [*passes, "--pebble-to-stablehlo"], generic=True)
            return text, share
        except tool.PebbleError as error:
            if share == 100 or "budget" not in str(error):
                raise
            assert re.search(r"smallest|larger", str(error)), error


def check(path, percent, time_limit):
    """What became of each program of a file, by its name."""
    with open(path) as file:
        text = file.read()
    name = os.path.basename(path)
    if not re.search(r"\bstablehlo\.", text):
        return {name: "no StableHLO"}
    try:
        programs = programs_of(text)
    except Exception as error:
        reason = [line for line in str(error).splitlines() if "error:" in line]
        said = (reason or str(error).splitlines())[0].removeprefix("error: ")
        return {name: f"jaxlib does not parse the file itself: {said}"}
    said = {}
    for entry, generic in programs.items():
        program = name if len(programs) == 1 else f"{name} @{entry}"
        try:
            said[program] = check_program(generic, percent, time_limit)
        except Exception as error:
            said[program] = f"FAILED: {str(error)[:2000]}"
    return said


def check_program(generic, percent, time_limit):
    planned, share = plan(generic, percent, time_limit)
    assert not re.search(r"\bpebble\.", planned), "something of Pebble is left"
    parse(planned)
    types = types_of(generic)
    arguments = make_arguments(types) if types is not None else None
    if arguments is None:
        return f"planned at {share}%, parsed; its arguments are not made here"
    try:
        expected = run(generic, arguments)
    except Exception as error:
        reason = str(error).splitlines()[0][:80]
        return f"planned at {share}%, parsed; XLA does not run the file itself: {reason}"
    got = run(planned, arguments)
    try:
        return f"planned at {share}%, {compare(expected, got)}"
    except AssertionError:
        # XLA has faults of its own: what does it say where it fuses nothing?
        plain = run(generic, arguments, "fusion,cpu-instruction-fusion")
        try:
            compare(expected, plain)
        except AssertionError:
            return f"planned at {share}%, {compare(plain, got)}; XLA's fusion breaks the file"
        raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("paths", nargs="+", metavar="FILE")
    parser.add_argument("--percent", type=int, default=70)
    parser.add_argument("--time-limit", type=float, default=2.0)
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    failed, done = [], 0
    for path in options.paths:
        for program, said in check(path, options.percent, options.time_limit).items():
            done += said.startswith("planned")
            if said.startswith("FAILED"):
                failed.append(program)
            print(f"{program}: {said}", flush=True)
    print(f"{done} programs planned, {len(failed)} failed")
    sys.exit(f"failed: {failed}" if failed else 0)


if __name__ == "__main__":
    main()
