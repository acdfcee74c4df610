"""Programs as jaxlib has them: in, out, and what XLA says of their memory."""

import dataclasses

import jax
from jax import export
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo


#: XLA on CPU takes barriers away before it merges equal operations and orders
#: what is left; then nothing of a plan, or of a policy of jax.checkpoint, remains.
#: This pass of its stays out.
KEEP_BARRIERS = {"xla_disable_hlo_passes": "cse_barrier_expander"}
#: And what waits for nothing, constants that are spread to arrays say, it runs
#: first, unless it orders for memory.
OBEY = {
    **KEEP_BARRIERS,
    "xla_cpu_scheduler_type": "CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED",
}


def make_context():
    """A context of MLIR that knows what JAX lowers to."""
    # The public way to a context does not know func, the dialect of functions.
    from jax._src.interpreters import mlir

    return mlir.make_ir_context()


def to_text(exported):
    """The program of an Exported in the generic form, without locations."""
    module = stablehlo.deserialize_portable_artifact(
        make_context(), exported.mlir_module_serialized
    )
    return module.operation.get_asm(
        print_generic_op_form=True, enable_debug_info=False
    )


def make_call(exported, text):
    """What is called like the function of `exported`, and computed by the program
    `text`. Arguments that it does not read are none of that program's, so that
    jax.jit leaves them out as it does for the function itself."""
    with make_context():
        module = ir.Module.parse(text)
        blob = stablehlo.serialize_portable_artifact(
            module,
            stablehlo.get_current_version(),
            # Of shardings, say.
            allow_other_dialects=True,
        )
    read = exported.module_kept_var_idx

    def pick(of_arguments):
        return tuple(of_arguments[i] for i in read)

    planned = dataclasses.replace(
        exported,
        mlir_module_serialized=blob,
        in_tree=jax.tree.structure((pick(exported.in_avals), {})),
        in_avals=pick(exported.in_avals),
        _in_named_shardings=pick(exported._in_named_shardings),
        in_shardings_hlo=pick(exported.in_shardings_hlo),
        module_kept_var_idx=tuple(range(len(read))),
    )

    def call(*args, **kwargs):
        return planned.call(*pick(jax.tree.leaves((args, kwargs))))

    return call


def measure(compiled):
    """Bytes that a compiled function takes by XLA's own figure: arguments,
    temporaries and results, what they share counted once."""
    stats = compiled.memory_analysis()
    if stats is None:
        raise RuntimeError("this backend of XLA does not say what memory it takes")
    return count_bytes(stats)


def compile_policy(lowered):
    """The lowered step of a policy of jax.checkpoint, compiled, and the options of XLA
    with which it takes less. A policy leaves the order to XLA, and either of its
    schedulers may be the better one for that."""
    made = [(lowered.compile(compiler_options=o), o) for o in (KEEP_BARRIERS, OBEY)]
    return min(made, key=lambda each: measure(each[0]))


#: Where XLA takes this much more than was planned, its other order is tried.
APART = 0.02


def compile_plan(lowered, peak):
    """A planned function, compiled. Inside of a step XLA orders as it likes, and
    copies first what had better be copied last. So where it takes more than the
    planned `peak`, it is asked for its other order, and the smaller figure counts."""
    compiled = lowered.compile(compiler_options=OBEY)
    if measure(compiled) <= (1 + APART) * peak:
        return compiled
    return min(compiled, lowered.compile(compiler_options=KEEP_BARRIERS), key=measure)


def count_bytes(stats):
    """Arguments, temporaries and results of XLA's `stats`."""
    return (
        stats.argument_size_in_bytes
        + stats.temp_size_in_bytes
        + stats.output_size_in_bytes
        - stats.alias_size_in_bytes
    )


def split_functions(text):
    """A module of its own, whose entry is `main`, for each public function of
    the module `text`, by name."""
    modules = {}
    with make_context():
        whole = ir.Module.parse(text)
        functions = [op for op in whole.body if op.operation.name == "func.func"]
        others = [op for op in whole.body if op.operation.name != "func.func"]
        for op in functions:
            name = ir.StringAttr(op.attributes["sym_name"]).value
            with ir.Location.unknown():
                module = ir.Module.create()
            # What functions may name, a mesh of devices say, comes along.
            for other in others:
                other.operation.clone(ip=ir.InsertionPoint(module.body))
            clone = op.operation.clone(ip=ir.InsertionPoint(module.body))
            clone.attributes["sym_name"] = ir.StringAttr.get("main")
            modules[name] = module.operation.get_asm(print_generic_op_form=True)
    return modules


def measure_module(text, options=None):
    """What XLA says of the memory of the program `text`, compiled with `options`
    (`OBEY` for a planned one)."""
    # No public way compiles a bare module.
    from jax._src.lib import xla_client

    devices = jax.devices()[:1]
    settings = xla_client.CompileOptions()
    settings.num_replicas = settings.num_partitions = 1
    settings.env_option_overrides = list((options or {}).items())
    executable = devices[0].client.compile_and_load(
        text,
        executable_devices=xla_client.DeviceList(tuple(devices)),
        compile_options=settings,
    )
    return executable.get_compiled_memory_stats()


def measure_temporaries(text):
    """Bytes of the temporaries that XLA needs inside the program `text`. Nobody runs
    it, so LLVM need not make it fast: that is a third of the time."""
    options = {**OBEY, "xla_backend_optimization_level": 0}
    return measure_module(text, options).temp_size_in_bytes


def export_function(jitted, args, kwargs):
    return export.export(jitted)(*args, **kwargs)
