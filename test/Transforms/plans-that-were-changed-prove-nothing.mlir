// A file of plans says which bound a solver has proven. Who changes the file
// proves nothing by it: a plan that was changed is where the search starts.

// RUN: pebble-opt %s --pebble-schedule="budget-bytes=13000 save-plan=%t.plan" -o %t.first.mlir
// RUN: FileCheck %s --check-prefix=TIGHT < %t.first.mlir
// TIGHT: cost = 25620 : i64
// TIGHT-COUNT-2: "a"
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.plan save-plan=%t.again" -o %t.second.mlir
// RUN: cmp %t.first.mlir %t.second.mlir && cmp %t.plan %t.again

// The plan runs @a twice. A changed one claims that it was made for a larger
// budget, which needs no second run.
// RUN: sed 's/"budget_bytes": .*/"budget_bytes": 99999,/' %t.plan > %t.claims
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=99999 plan=%t.claims" | FileCheck %s --check-prefix=WIDE
// WIDE: cost = 15380 : i64
// WIDE-SAME: status = "optimal"
// Without a seal it is no better.
// RUN: sed '/"seal"/d' %t.claims > %t.bare
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=99999 plan=%t.bare" | FileCheck %s --check-prefix=WIDE
// It is a start still.
// RUN: sed '/"seal"/d' %t.plan > %t.bare
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.bare" -o %t.third.mlir
// RUN: FileCheck %s --check-prefix=TIGHT < %t.third.mlir

// What no plan says is an error.
// RUN: sed 's/"bound": .*/"bound": 9999999,/' %t.plan > %t.bad && not pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=ABOVE
// ABOVE: bad' holds no plans: costs and budgets are not negative, and a bound is no more than the cost
// RUN: sed 's/"runs"/"run": [], "runs"/' %t.plan > %t.bad && not pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: sed 's/"seal"/""/' %t.plan > %t.bad && not pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: bad' holds no plans: a plan has no member ''
// MEMBER: bad' holds no plans: a plan has no member 'run'
// RUN: sed 's/"runs"/"moves": 7, "runs"/' %t.plan > %t.bad && not pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=MOVES
// MOVES: bad' holds no plans: the moves are no list
// RUN: sed 's/"runs"/"cost": 1, "runs"/' %t.plan > %t.bad && not pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: bad' holds no plans: [{{[0-9]+:[0-9]+}}, byte={{[0-9]+}}]: the member 'cost' exists twice
// RUN: sed 's/"bound": /"bound": 0/' %t.plan > %t.bad && not pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: bad' holds no plans: [{{[0-9]+:[0-9]+}}, byte={{[0-9]+}}]: '0{{[0-9]+}}' is no number of JSON
// RUN: %python -c "import json, sys; p = json.load(open(sys.argv[1])); p['blocks'] *= 2; print(json.dumps(p))" %t.plan > %t.bad
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: bad' holds no plans: there are two plans of block 0 of 'late'
// RUN: %python -c "print('[' * 1000000)" > %t.bad
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=13000 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: bad' holds no plans: [1:101, byte=100]: nested deeper than 100 levels

func.func @late(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %n = tensor.empty() : tensor<16xf32>
  %a = linalg.exp {pebble.name = "a"} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a0 = tensor.extract_slice %a[0] [1] [1] : tensor<1024xf32> to tensor<f32>
  %b = linalg.broadcast ins(%a0 : tensor<f32>) outs(%e : tensor<1024xf32>) dimensions = [0]
  %c = linalg.abs ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %c0 = tensor.extract_slice %c[3] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %r = linalg.add ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
