// Where nothing fits, the error names the budget and the least that does in
// bytes and in percent, and what was tried besides: with what each takes, and
// whether that is within the budget.
// RUN: not pebble-opt %s --pebble-schedule=budget=12288 -o /dev/null 2>&1 | FileCheck %s --check-prefix=DONATED
// RUN: not pebble-opt %s --pebble-schedule=budget=50.4%% -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOGETHER
// RUN: not pebble-opt %s --pebble-schedule=budget=30%% -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not pebble-opt %s --pebble-schedule="budget=30%% time-limit-ms=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LATE
// What is named reaches the budget when it is done.
// RUN: sed 's/%%x: tensor<1024xf32>/%%x: tensor<1024xf32> {pebble.donated}/' %s | pebble-opt --pebble-schedule=budget=12288 | FileCheck %s --check-prefix=FITS
// A machine that has a slower tier is not told to get one, and means that were
// asked for are not tried again.
// RUN: not pebble-opt %s --target=red-blue --pebble-schedule="budget=40%% means=both" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MACHINE
// An order alone: what may run again is tried first.
// RUN: not pebble-opt %s --pebble-schedule="budget=80%% means=none" -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN

// DONATED: error: no schedule fits in the budget of 12288 bytes; the smallest feasible budget is 12352 bytes (proven): 75% and 75.4% of the input peak of 16384 bytes
// DONATED: note: the budget is met with pebble.donated on %x (12288 bytes, 75%), pebble.tier on %x on a machine with a slower tier (12288 bytes, 75%); not with means=both on a machine with a slower tier (no fewer bytes found)
// TOGETHER: error: no schedule fits in the budget of 8257 bytes; {{.*}}: 50.3% and 75.4% of the input peak of 16384 bytes
// TOGETHER: note: the budget is met with all of these together (8256 bytes, 50.4%); not with means=both {{.*}}, pebble.donated on %x (12288 bytes, 75%), pebble.tier on %x
// NOTHING: error: no schedule fits in the budget of 4915 bytes; {{.*}}: 29.9% and 75.4% of the input peak of 16384 bytes
// NOTHING: note: the budget is not met with means=both {{.*}}, all of these together (8256 bytes, 50.4%){{$}}
// LATE: note: {{.*}}no time was left to try {{.*}}pebble.donated on %x
// FITS: peak_bytes = 12288
// MACHINE: error: no schedule {{.*}} in the budget of 6553 bytes
// MACHINE-NOT: means=both
// MACHINE-NOT: on a machine
// MACHINE: note: the budget is not met with {{.*}}pebble.donated on %x (
// AGAIN: error: no order fits in the budget of 13107 bytes; the smallest feasible budget is 16384 bytes (proven): 79.9% and 100% of the input peak of 16384 bytes
// AGAIN: note: the budget is met with means=recompute (12352 bytes, 75.4%), means=both

func.func @main(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %n = tensor.empty() : tensor<16xf32>
  %w = tensor.empty() : tensor<64x16xf32>
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
