// A budget is a number of bytes with a unit or without, a share of the peak of
// the order that came in, or the least that is found to do.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=13000" -o %t.bytes
// RUN: FileCheck %s < %t.bytes
// RUN: pebble-opt %s --pebble-schedule="budget=13KB" | diff - %t.bytes
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=13KB" | diff - %t.bytes
// RUN: pebble-opt %s --pebble-schedule="budget-percent=80" | diff - %t.bytes
// RUN: pebble-opt %s --pebble-schedule="budget-percent=80%%" | diff - %t.bytes
// RUN: pebble-opt %s --pebble-schedule="budget-percent=79.999" | diff - %t.bytes
// RUN: pebble-opt %s --pebble-schedule="budget=80%%" | diff - %t.bytes
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=80.0%%" | diff - %t.bytes
// RUN: pebble-opt %s --pebble-schedule="budget=16KiB" | FileCheck %s --check-prefix=ALL
// RUN: pebble-opt %s --pebble-schedule="budget=min" -o %t.least
// RUN: FileCheck %s < %t.least
// RUN: pebble-opt %t.least --pebble-verify-schedule -o /dev/null
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=min" | diff - %t.least
// RUN: not pebble-opt %s --pebble-schedule="budget=12351" 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: pebble-opt %s --pebble-schedule="budget=min means=none" | FileCheck %s --check-prefix=ORDER
// The default limit changes nothing where it is not reached.
// RUN: pebble-opt %s --pebble-schedule="budget=80%% time-limit-ms=0" | diff - %t.bytes
// A pipeline is printed so that it can be read again.
// RUN: pebble-opt %s --pebble-schedule="budget=80%%" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: pebble-opt %s --pass-pipeline='builtin.module(pebble-schedule{budget=80%% budget-bytes= budget-percent= time-limit-ms=})' | diff - %t.bytes

// CHECK: extent_bytes = 12352 : i64, input_peak_bytes = 16384 : i64, peak_bytes = 12352 : i64
// ALL: peak_bytes = 16384 : i64, solver = "given"
// LESS: error: no schedule fits in the budget of 12351 bytes; the smallest feasible budget is 12352 bytes (proven)
// ORDER: peak_bytes = 16384 : i64
// DUMP: pebble-schedule{budget=80% budget-bytes= budget-percent= {{.*}}time-limit-ms=}

func.func @main(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %s = linalg.negf ins(%a0 : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %c = linalg.exp ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %r = linalg.add ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
