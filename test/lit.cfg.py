"""lit configuration: lit tests by folder, unit tests through test/Unit."""

import os

import lit.formats

config.name = "Pebble"
config.test_source_root = os.path.join(config.pebble_source_dir, "test")
config.test_exec_root = os.path.join(config.pebble_build_dir, "test")
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py.test", ".md.test"]
config.excludes = ["Unit", "Benchmark", "Inputs", "lib", "CMakeLists.txt"]

bin_dir = os.path.join(config.pebble_build_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
config.environment["PEBBLE_BIN"] = bin_dir

config.substitutions.append(("%pebble_source", config.pebble_source_dir))
config.substitutions.append(("%pebble_build", config.pebble_build_dir))
config.substitutions.append(("%pebble_lib", os.path.join(config.pebble_build_dir, "lib")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%cxx", config.cxx))

# Outside material that the tests may use but must not need: real programs and
# published graphs. Tests on it say `REQUIRES: shared-inputs` and read %shared.
shared = os.environ.get(
    "PEBBLE_SHARED", os.path.join(config.pebble_source_dir, os.pardir, "shared")
)
if os.path.isdir(os.path.join(shared, "inputs")):
    config.available_features.add("shared-inputs")
config.substitutions.append(("%shared", os.path.abspath(shared)))
