// A bf16 is negated as a f32 and rounded, which makes one NaN of all. So what was
// negated does not come back to the bit, and not at all where rounding is not allowed.
// RUN: pebble-run %s --check-inverses 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: sed 's/xbf16/xf16/g' %s > %t.half.mlir
// RUN: pebble-run %t.half.mlir --check-inverses 2>&1 | FileCheck %s --check-prefix=NATIVE
// RUN: sed 's/^module {/module attributes {pebble.allow_rounding} {/' %s > %t.rounded.mlir
// RUN: pebble-run %t.rounded.mlir --check-inverses 2>&1 | FileCheck %s --check-prefix=NATIVE
// NARROW: pebble-run: 0 operations are undone
// NATIVE: pebble-run: 1 operation is undone
module {
  func.func @main(%x: tensor<16xbf16>) -> tensor<16xbf16> {
    %y = arith.negf %x : tensor<16xbf16>
    return %y : tensor<16xbf16>
  }
}
