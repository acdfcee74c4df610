// The stock mlir-opt loads Pebble's dialect and passes, and the plugin brings
// no second copy of MLIR with it.
// UNSUPPORTED: sanitized
// RUN: %mlir_opt --load-dialect-plugin=%pebble_plugin --load-pass-plugin=%pebble_plugin \
// RUN:   --pass-pipeline='builtin.module(pebble-attach-target{preset=sutro})' %s | FileCheck %s
// RUN: %mlir_opt --load-dialect-plugin=%pebble_plugin --load-pass-plugin=%pebble_plugin \
// RUN:   --pass-pipeline='builtin.module(pebble-attach-target{preset=sutro},cse,canonicalize)' %s | FileCheck %s
// RUN: llvm-readelf --dynamic-table %pebble_plugin | FileCheck %s --check-prefix=NEEDED
// RUN: llvm-readelf --dyn-syms %pebble_plugin | FileCheck %s --check-prefix=SYMBOLS

// A pass that fails in there fails as it does in pebble-opt.
// RUN: not %mlir_opt --load-dialect-plugin=%pebble_plugin --load-pass-plugin=%pebble_plugin \
// RUN:   --pass-pipeline='builtin.module(pebble-attach-target{preset=abacus})' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK: module attributes {pebble.hierarchy = #pebble.hierarchy<{{.*}}"sutro"
// CHECK: func.func @uses_the_dialect
// CHECK-SAME: tensor<4xf32, #pebble.at<"hbm">>
func.func @uses_the_dialect(%x: tensor<4xf32, #pebble.at<"hbm">>) {
  return
}

// NEEDED: Shared library: [libMLIR.so.22

// SYMBOLS-NOT: {{DEFAULT +[0-9]+ _ZN4mlir11MLIRContextC}}

// UNKNOWN: error: there is no machine called 'abacus'
