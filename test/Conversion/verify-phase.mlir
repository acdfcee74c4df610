// Each phase of the way down ends with a check of what it must have left; the
// check finds it, and says at which phase it should have gone.
// RUN: not pebble-opt %s --pebble-verify-phase="phase=buffers" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: not pebble-opt %s --pebble-verify-phase="phase=storage" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=STORAGE
// RUN: not pebble-opt %s --pebble-verify-phase="phase=loops" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not pebble-opt %s --pebble-verify-phase --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: not pebble-opt %s --pebble-verify-phase="phase=end" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: pebble-opt %s --pebble-to-llvm --split-input-file | FileCheck %s --check-prefix=WAY

// NAME: error: there is no phase 'end'; there are storage, buffers, loops and llvm

// STORAGE: [[@LINE+3]]:10: error: there is still an operation of tosa after the phase 'storage' of pebble-to-llvm
// BUFFERS: error: there is still a tensor after the phase 'buffers' of pebble-to-llvm
func.func @tosa(%x: tensor<4xf32>) -> tensor<4xf32> {
  %abs = tosa.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %abs : tensor<4xf32>
}

// -----

// LOOPS: error: there is still a memref in a tier after the phase 'loops' of pebble-to-llvm
// LLVM: error: there is still an operation that is not of the LLVM dialect after the phase 'llvm' of pebble-to-llvm
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"fast", kind = explicit>, <"slow", kind = explicit>]>} {
  func.func @tiered(%m: memref<4xf32, #pebble.at<"slow">>) {
    return
  }
}

// WAY: llvm.func @tosa
// WAY: llvm.func @tiered
