#!/usr/bin/env python3
"""StableHLO files in, planned, out again, parsed by jaxlib, and run.

  stablehlo_files.py FILE... [--percent=70] [--time-limit=2]

Prints a line for each file: what was planned, and what its functions gave on random
arguments beside the file as it is. A file that XLA cannot run as it stands (it
may want several devices, or a custom call) is parsed, and its line says so. Files
without StableHLO are left out. Fails where a plan is no StableHLO that jaxlib
takes, where something of Pebble's is left, or where results differ by more than
rounding.
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


def to_generic(text):
    """The module in the generic form, if jaxlib parses it. The only public
    function of a file is its entry, whatever it is called."""
    module = parse(text)
    functions = [op for op in module.body if op.operation.name == "func.func"]
    names = [ir.StringAttr(op.attributes["sym_name"]).value for op in functions]
    public = [op for op in functions if "sym_visibility" not in op.attributes]
    if "main" not in names and len(public) == 1:
        with module.context:
            public[0].attributes["sym_name"] = ir.StringAttr.get("main")
    return module.operation.get_asm(print_generic_op_form=True)


def types_of(text):
    """Shapes and element types of the arguments of @main, or None."""
    module = parse(text)
    with module.context:
        mains = [
            op for op in module.body
            if op.operation.name == "func.func"
            and ir.StringAttr(op.attributes["sym_name"]).value == "main"
        ]
        if not mains:
            return None
        kind = ir.FunctionType(ir.TypeAttr(mains[0].attributes["function_type"]).value)
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
    with open(path) as file:
        text = file.read()
    if not re.search(r"\bstablehlo\.", text):
        return "no StableHLO"
    try:
        generic = to_generic(text)
    except Exception as error:
        return f"jaxlib does not parse the file itself: {str(error).splitlines()[0]}"
    planned, share = plan(generic, percent, time_limit)
    assert not re.search(r"\bpebble\.", planned), "something of Pebble is left"
    to_generic(planned)
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
        try:
            said = check(path, options.percent, options.time_limit)
            done += said.startswith("planned")
        except Exception as error:
            failed.append(os.path.basename(path))
            said = f"FAILED: {str(error)[:2000]}"
        print(f"{os.path.basename(path)}: {said}", flush=True)
    print(f"{done} files planned, {len(failed)} failed")
    sys.exit(f"failed: {failed}" if failed else 0)


if __name__ == "__main__":
    main()
