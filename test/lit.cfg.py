"""lit configuration: lit tests by folder, unit tests through test/Unit."""

import os
import platform
import subprocess

import lit.formats

config.name = "Pebble"
config.test_source_root = os.path.join(config.pebble_source_dir, "test")
config.test_exec_root = os.path.join(config.pebble_build_dir, "test")
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Unit", "Benchmark", "Inputs", "lib", "CMakeLists.txt"]

# A test that hangs is ended (needs psutil, which the set-up installs).
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 600

bin_dir = os.path.join(config.pebble_build_dir, "bin")
lib_dir = os.path.join(config.pebble_build_dir, "lib")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
config.environment["PEBBLE_BIN"] = bin_dir
config.available_features.add(platform.machine())

# A build with sanitizers, of which LLVM's libraries are no part: LLVM's
# allocators poison memory where they are inlined, and do not take it back where
# they are not; a container may be filled on one side and emptied on the other.
if config.sanitize:
    config.available_features.add("sanitized")
    config.environment["ASAN_OPTIONS"] = (
        "detect_leaks=0:allow_user_poisoning=0:detect_container_overflow=0"
    )
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

config.substitutions += [
    ("%pebble_source", config.pebble_source_dir),
    ("%pebble_build", config.pebble_build_dir),
    ("%pebble_plugin", os.path.join(lib_dir, "PebblePlugin.so")),
    ("%pebble_lib", lib_dir),
    ("%mlir_include", os.path.join(os.path.dirname(config.llvm_tools_dir), "include")),
    ("%mlir_opt", os.path.join(config.llvm_tools_dir, "mlir-opt")),
    ("%python", config.python),
    ("%cxx", config.cxx),
]


def runs(*command):
    """Whether a program is here and starts."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60
        )
        return done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


# What a test may need beyond the build; it says so with REQUIRES.
if runs(os.path.join(config.llvm_tools_dir, "clang-format"), "--version"):
    config.available_features.add("clang-format")
if runs("valgrind", "--version") and not config.sanitize:
    config.available_features.add("valgrind")
if config.highs == "ON":
    config.available_features.add("highs")
if runs(config.python, "-c", "import numpy"):
    config.available_features.add("numpy")

# Programs of several processes: Open MPI, also as root and on few cores.
mpirun = "mpirun --oversubscribe --mca btl_base_warn_component_unused 0"
if hasattr(os, "getuid") and os.getuid() == 0:
    mpirun += " --allow-run-as-root"
if (not config.sanitize and runs(*mpirun.split(), "-np", "2", "true")
        and os.path.exists(os.path.join(config.pebble_build_dir, "lib/libpebble_mpi.so"))):
    config.available_features.add("mpi")
config.substitutions.append(("%mpirun", mpirun))

# A Python with JAX or PyTorch, as tools/python-env makes it.
jax_python = os.environ.get(
    "PEBBLE_PYTHON", os.path.join(config.pebble_source_dir, ".python/bin/python")
)
if runs(jax_python, "-c", "import jax"):
    config.available_features.add("jax")
if runs(jax_python, "-c", "import torch._dynamo"):
    config.available_features.add("torch")
if runs(jax_python, "-c", "import torch_mlir"):
    config.available_features.add("torch-mlir")
package = os.path.join(config.pebble_source_dir, "lib/Bindings/Python")
# Plans of tests are none of the user's.
plans = os.path.join(config.test_exec_root, "Python", "plans")
python_env = f"PYTHONPATH={package} PEBBLE_CACHE={plans}"
config.substitutions.append(
    ("%jax_python", f"env {python_env} JAX_PLATFORMS=cpu {jax_python}")
)
# One thread: the tests are small, and others run beside them.
config.substitutions.append(
    ("%torch_python", f"env {python_env} OMP_NUM_THREADS=1 {jax_python}")
)

# Outside material that the tests may use but must not need: real programs and
# published graphs. Tests on it say `REQUIRES: shared-inputs` and read %shared.
shared = os.environ.get(
    "PEBBLE_SHARED", os.path.join(config.pebble_source_dir, os.pardir, "shared")
)
if os.path.isdir(os.path.join(shared, "inputs")):
    config.available_features.add("shared-inputs")
config.substitutions.append(("%shared", os.path.abspath(shared)))
