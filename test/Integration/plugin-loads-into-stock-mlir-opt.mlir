// The stock mlir-opt loads Pebble's dialect and passes, and the plugin brings
// no second copy of MLIR with it.
// RUN: %mlir_opt --load-dialect-plugin=%pebble_plugin --load-pass-plugin=%pebble_plugin %s | FileCheck %s
// RUN: llvm-readelf --dynamic-table %pebble_plugin | FileCheck %s --check-prefix=NEEDED
// RUN: llvm-readelf --dyn-syms %pebble_plugin | FileCheck %s --check-prefix=SYMBOLS

// CHECK: func.func @f
func.func @f() {
  return
}

// NEEDED: Shared library: [libMLIR.so.22

// SYMBOLS-NOT: {{DEFAULT +[0-9]+ _ZN4mlir11MLIRContextC}}
