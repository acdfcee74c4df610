// Features of whole numbers: 24 rounds of a Feistel network, each of which can be
// undone, read again from the last to the first. Within 30% of the peak rounds run
// again and again without inversion (+171% operations). With it each of them runs
// back once. The results are the same to the bit, and what is metered is what was
// planned.
// RUN: pebble-opt --quiet %s --pebble-schedule="budget=30%% inversion=true" --remarks-filter=pebble-schedule -o %t.back.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.back.mlir
// RUN: pebble-opt %t.back.mlir -cse -canonicalize --pebble-verify-schedule -o %t.clean.mlir
// RUN: pebble-run --opt-level=0 %s --seed=3 --json=%t.before.json
// RUN: pebble-run %t.back.mlir --seed=3 --poison --json=%t.after.json 2>&1 | FileCheck %s --check-prefix=METER
// RUN: pebble-run --opt-level=0 %t.clean.mlir --seed=3 --poison --json=%t.clean.json 2>&1 | FileCheck %s --check-prefix=METER
// RUN: grep sha256 %t.before.json > %t.before
// RUN: grep sha256 %t.after.json | diff %t.before -
// RUN: grep sha256 %t.clean.json | diff %t.before -
// RUN: pebble-run --opt-level=0 %s --check-inverses 2>&1 | FileCheck %s --check-prefix=UNDONE
// REMARK: Bytes=4096, FormBytes=0, Remark="l{{[0-9]+}} (4096 bytes) comes back by undoing linalg.generic l{{[0-9]+}}"
// CHECK: derived_bytes = {{[1-9][0-9]*}} : i64, derived_values = {{[1-9][0-9]}}
// CHECK-COUNT-10: arith.xori %{{.*}}, %{{.*}} : i32
// METER: peak in default {{.*}} as predicted
// UNDONE: 4 operations are undone by what is said to undo them

#id = affine_map<(a) -> (a)>
func.func @main(%l0: tensor<1024xi32> {pebble.range = [0, 1000]}, %l1: tensor<1024xi32> {pebble.range = [0, 1000]}, %k: tensor<1024xi32> {pebble.range = [0, 1000]}) -> tensor<1024xi32> {
  %three = arith.constant 3 : i32
  %e = tensor.empty() : tensor<1024xi32>
  %l2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l2"} ins(%l0, %l1, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l3 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l3"} ins(%l1, %l2, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l4 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l4"} ins(%l2, %l3, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l5 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l5"} ins(%l3, %l4, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l6 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l6"} ins(%l4, %l5, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l7 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l7"} ins(%l5, %l6, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l8 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l8"} ins(%l6, %l7, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l9 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l9"} ins(%l7, %l8, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l10 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l10"} ins(%l8, %l9, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l11 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l11"} ins(%l9, %l10, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l12 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l12"} ins(%l10, %l11, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l13 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l13"} ins(%l11, %l12, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l14 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l14"} ins(%l12, %l13, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l15 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l15"} ins(%l13, %l14, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l16 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l16"} ins(%l14, %l15, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l17 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l17"} ins(%l15, %l16, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l18 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l18"} ins(%l16, %l17, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l19 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l19"} ins(%l17, %l18, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l20 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l20"} ins(%l18, %l19, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l21 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l21"} ins(%l19, %l20, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l22 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l22"} ins(%l20, %l21, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l23 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l23"} ins(%l21, %l22, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l24 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l24"} ins(%l22, %l23, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %l25 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"], pebble.name = "l25"} ins(%l23, %l24, %k : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %s = arith.shrui %b, %three : i32
    %t = arith.muli %s, %b : i32
    %u = arith.addi %t, %c : i32
    %v = arith.xori %a, %u : i32
    linalg.yield %v : i32
  } -> tensor<1024xi32>
  %s26 = arith.muli %l25, %k : tensor<1024xi32>
  %m25 = arith.muli %s26, %l25 : tensor<1024xi32>
  %s25 = arith.addi %m25, %k : tensor<1024xi32>
  %m24 = arith.muli %s25, %l24 : tensor<1024xi32>
  %s24 = arith.addi %m24, %k : tensor<1024xi32>
  %m23 = arith.muli %s24, %l23 : tensor<1024xi32>
  %s23 = arith.addi %m23, %k : tensor<1024xi32>
  %m22 = arith.muli %s23, %l22 : tensor<1024xi32>
  %s22 = arith.addi %m22, %k : tensor<1024xi32>
  %m21 = arith.muli %s22, %l21 : tensor<1024xi32>
  %s21 = arith.addi %m21, %k : tensor<1024xi32>
  %m20 = arith.muli %s21, %l20 : tensor<1024xi32>
  %s20 = arith.addi %m20, %k : tensor<1024xi32>
  %m19 = arith.muli %s20, %l19 : tensor<1024xi32>
  %s19 = arith.addi %m19, %k : tensor<1024xi32>
  %m18 = arith.muli %s19, %l18 : tensor<1024xi32>
  %s18 = arith.addi %m18, %k : tensor<1024xi32>
  %m17 = arith.muli %s18, %l17 : tensor<1024xi32>
  %s17 = arith.addi %m17, %k : tensor<1024xi32>
  %m16 = arith.muli %s17, %l16 : tensor<1024xi32>
  %s16 = arith.addi %m16, %k : tensor<1024xi32>
  %m15 = arith.muli %s16, %l15 : tensor<1024xi32>
  %s15 = arith.addi %m15, %k : tensor<1024xi32>
  %m14 = arith.muli %s15, %l14 : tensor<1024xi32>
  %s14 = arith.addi %m14, %k : tensor<1024xi32>
  %m13 = arith.muli %s14, %l13 : tensor<1024xi32>
  %s13 = arith.addi %m13, %k : tensor<1024xi32>
  %m12 = arith.muli %s13, %l12 : tensor<1024xi32>
  %s12 = arith.addi %m12, %k : tensor<1024xi32>
  %m11 = arith.muli %s12, %l11 : tensor<1024xi32>
  %s11 = arith.addi %m11, %k : tensor<1024xi32>
  %m10 = arith.muli %s11, %l10 : tensor<1024xi32>
  %s10 = arith.addi %m10, %k : tensor<1024xi32>
  %m9 = arith.muli %s10, %l9 : tensor<1024xi32>
  %s9 = arith.addi %m9, %k : tensor<1024xi32>
  %m8 = arith.muli %s9, %l8 : tensor<1024xi32>
  %s8 = arith.addi %m8, %k : tensor<1024xi32>
  %m7 = arith.muli %s8, %l7 : tensor<1024xi32>
  %s7 = arith.addi %m7, %k : tensor<1024xi32>
  %m6 = arith.muli %s7, %l6 : tensor<1024xi32>
  %s6 = arith.addi %m6, %k : tensor<1024xi32>
  %m5 = arith.muli %s6, %l5 : tensor<1024xi32>
  %s5 = arith.addi %m5, %k : tensor<1024xi32>
  %m4 = arith.muli %s5, %l4 : tensor<1024xi32>
  %s4 = arith.addi %m4, %k : tensor<1024xi32>
  %m3 = arith.muli %s4, %l3 : tensor<1024xi32>
  %s3 = arith.addi %m3, %k : tensor<1024xi32>
  %m2 = arith.muli %s3, %l2 : tensor<1024xi32>
  %s2 = arith.addi %m2, %k : tensor<1024xi32>
  return %s2 : tensor<1024xi32>
}
