// A program compiled ahead of time links to the runtime and is metered by it.
// UNSUPPORTED: sanitized
// RUN: pebble-opt %s --pebble-to-llvm | mlir-translate --mlir-to-llvmir | llc -O2 -filetype=obj -relocation-model=pic -o %t.o
// RUN: %cxx -std=c++17 -I%pebble_source/include %S/Inputs/ahead-of-time.cpp %t.o -L%pebble_lib -lpebble_runtime -Wl,-rpath,%pebble_lib -o %t.exe
// RUN: %t.exe | FileCheck %s
// 2 * (1 + 2 + 3 + 4), twice; one scratch buffer of 64 bytes at a time.
// CHECK: 20 20 peak 64 live 0
func.func @step(%x: memref<4xf32>) -> f32 attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<f32>
  %twice = memref.alloc() : memref<4xf32>
  linalg.add ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  linalg.fill ins(%zero : f32) outs(%sum : memref<f32>)
  linalg.reduce {arith.addf} ins(%x : memref<4xf32>) outs(%sum : memref<f32>) dimensions = [0]
  %r = memref.load %sum[] : memref<f32>
  %half = arith.constant 0.5 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<4xf32>) {
  ^bb0(%a: f32):
    %h = arith.mulf %a, %half : f32
    linalg.yield %h : f32
  }
  return %r : f32
}
