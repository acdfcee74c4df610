// RUN: pebble-opt %s --pebble-order-operations="peak-limit-bytes=8320" | FileCheck %s --check-prefix=FITS
// RUN: pebble-opt %s --pebble-order-operations="peak-limit-bytes=9KB" | FileCheck %s --check-prefix=FITS
// RUN: pebble-opt %s --pebble-order-operations="peak-limit-bytes=100%%" | FileCheck %s --check-prefix=FITS
// RUN: not pebble-opt %s --pebble-order-operations="peak-limit-bytes=10.5%%" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHARE
// SHARE: error: no order keeps the peak within {{[0-9]+}} bytes
// RUN: not pebble-opt %s --pebble-order-operations="peak-limit-bytes=min" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MIN
// MIN: error: 'peak-limit-bytes' takes a whole number, with KB, MB, GB, KiB, MiB or GiB behind it or not, or a percentage as 50%, got min
// RUN: not pebble-opt %s --pebble-order-operations="peak-limit-bytes=8319" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIGHT
// RUN: not pebble-opt %s --pebble-target=sutro --pebble-order-operations="objective=energy peak-limit-bytes=8319" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIGHT
// RUN: pebble-opt %s --pebble-target=sutro --pebble-order-operations="objective=energy peak-limit-bytes=8320" | FileCheck %s --check-prefix=FITS
// RUN: not pebble-opt %s --pebble-order-operations="objective=energy" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-TIERS
// RUN: not pebble-opt %s --pebble-order-operations="seed=1 time-limit-ms=-1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not pebble-opt %s --pebble-order-operations="objective=time" -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// FITS: peak_bytes = 8320

// TIGHT: order-operations-limits.mlir:[[#@LINE+8]]:1: error: no order keeps the peak within 8319 bytes; the least peak is 8320 bytes (proven)
// TIGHT: note: it is reached at '{{.*}}' with {{.*}} (4096 bytes), {{.*}} live

// NO-TIERS: order-operations-limits.mlir:[[#@LINE+5]]:1: error: an energy objective needs a memory hierarchy with energies; attach one with pebble-attach-target or --target

// NEGATIVE: error: 'time-limit-ms' takes a whole number from 0 to 9223372036854775807, got -1

// UNKNOWN: for the --objective option: 'time' is none of peak, energy
func.func @two_branches(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.abs ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a_low = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %b_low = tensor.extract_slice %b[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %p = linalg.negf ins(%a_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.negf ins(%b_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.add ins(%p, %q : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
