// What ranks do together, in rows and columns of a grid of 2 x 2 and of all,
// along both dimensions. Every rank checks its own results.
// REQUIRES: mpi
// RUN: rm -rf %t && split-file %s %t
// RUN: %mpirun -np 4 pebble-run %t/kinds.mlir --json=%t/%%r.json --summary=%t/all.json --repeat=2
// RUN: FileCheck %s --input-file=%t/2.json
// RUN: FileCheck %s --input-file=%t/all.json --check-prefix=ALL
// RUN: not %mpirun -np 2 pebble-run %t/kinds.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not pebble-run %t/kinds.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not %mpirun -np 1 pebble-run %t/one.mlir : -np 1 pebble-run %t/other.mlir > %t/differ 2>&1
// RUN: FileCheck %s --input-file=%t/differ --check-prefix=DIFFER
// RUN: not %mpirun -np 2 pebble-run %t/dies.mlir > %t/died 2>&1
// RUN: FileCheck %s --input-file=%t/died --check-prefix=DIED
// RUN: not %mpirun -np 2 pebble-run %t/alone.mlir --summary=%t/none.json > %t/none 2>&1
// RUN: FileCheck %s --input-file=%t/none --check-prefix=NONE
// RUN: pebble-run %t/alone.mlir --summary=%t/none.json
// RUN: FileCheck %s --input-file=%t/none.json --check-prefix=LONE

// A row takes 16 bytes, a column 16; the last rank of a group alone sends for
// it. All is as predicted, on each rank.
// CHECK: "peak_bytes"
// CHECK-NEXT: "default": [[PEAK:[0-9]+]]
// CHECK: "predicted_peak_bytes"
// CHECK-NEXT: "default": [[PEAK]]
// CHECK: "rank": 2,
// CHECK-NEXT: "ranks": 4,
// CHECK-NEXT: "sent_bytes": [[SENT:[0-9]+]],
// CHECK-NEXT: "predicted_sent_bytes": [[SENT]]
// ALL: "ranks": 4,
// ALL-NEXT: "tier": "default"
// ALL: "sent_bytes": [
// ALL-NEXT: 80,
// ALL-NEXT: 96,
// ALL-NEXT: 80,
// ALL-NEXT: 96
// ALL: "as_predicted": true
// COUNT: pebble: rank {{[01]}}: all_reduce: the program is for 4 ranks, and 2 were started
// ALONE: pebble: rank 0: all_reduce: the program is for 4 ranks, and 1 were started
// DIFFER: error: cannot run: rank 1 does other things together with the others, or in another order, than rank 0: give all ranks one plan
// DIED: rank 1 is told to die
// DIED: pebble: rank 1 ends with an error, and all others with it
// LONE: "ranks": 1
// LONE: "as_predicted": true
// NONE: pebble-run: error: --summary={{.*}}: the program sends no messages, and has nothing to sum up

//--- kinds.mlir
// Sums squares of differences: 0 where both are the same.
func.func private @require(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %d = arith.subf %a, %b : tensor<2x2xf32>
  %q = arith.mulf %d, %d : tensor<2x2xf32>
  %s = linalg.reduce ins(%q : tensor<2x2xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
    (%in: f32, %out: f32) {
      %sum = arith.addf %in, %out : f32
      linalg.yield %sum : f32
    }
  %v = tensor.extract %s[] : tensor<f32>
  %ok = arith.cmpf oeq, %v, %zero : f32
  cf.assert %ok, "not what it should be"
  return
}
func.func @main() -> tensor<2x2xf32> {
  mpi.init
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %f = arith.sitofp %r : i32 to f32
  %e = tensor.empty() : tensor<2x2xf32>
  // [[r, r + 4], [r + 8, r + 12]] on rank r
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<2x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c2 = arith.constant 2 : index
    %k = arith.muli %i, %c2 : index
    %l = arith.addi %k, %j : index
    %n = arith.index_cast %l : index to i32
    %m = arith.sitofp %n : i32 to f32
    %four = arith.constant 4.0 : f32
    %p = arith.mulf %m, %four : f32
    %q = arith.addf %p, %f : f32
    linalg.yield %q : f32
  } -> tensor<2x2xf32>

  // All four: 0 + 1 + 2 + 3, and four times the numbers of the places.
  %sum = pebble.collective all_reduce %x into %e group = 4 stride = 1 ranks = 4 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %sums = arith.constant dense<[[6.0, 22.0], [38.0, 54.0]]> : tensor<2x2xf32>
  func.call @require(%sum, %sums) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()

  // The part of a column, which rank r has with rank r + 2 or r - 2: its row
  // of their sum. Gathered, both have the whole sum.
  %p = tensor.empty() : tensor<1x2xf32>
  %part = pebble.collective reduce_scatter %x into %p group = 2 stride = 2 ranks = 4 : tensor<2x2xf32>, tensor<1x2xf32> -> tensor<1x2xf32>
  %whole = pebble.collective all_gather %part into %e group = 2 stride = 2 ranks = 4 : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %column = pebble.collective all_reduce %x into %e group = 2 stride = 2 ranks = 4 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  func.call @require(%whole, %column) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()

  // The same along the other dimension: what is sliced and gathered in a row is
  // the left column of the one and the right column of the other.
  %c = tensor.empty() : tensor<2x1xf32>
  %slice = pebble.collective all_slice %sum into %c group = 2 stride = 1 ranks = 4 axis = 1 : tensor<2x2xf32>, tensor<2x1xf32> -> tensor<2x1xf32>
  %back = pebble.collective all_gather %slice into %e group = 2 stride = 1 ranks = 4 axis = 1 : tensor<2x1xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  func.call @require(%back, %sum) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()

  // The second of each row has the most.
  %most = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 4 reduction = max : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %last = pebble.collective broadcast %x into %e group = 2 stride = 1 ranks = 4 axis = 1 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  func.call @require(%most, %last) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  return %last : tensor<2x2xf32>
}

//--- one.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

//--- other.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 reduction = max : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

//--- dies.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  mpi.init
  %one = arith.constant 1 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %lives = arith.cmpi ne, %r, %one : i32
  cf.assert %lives, "rank 1 is told to die"
  %e = tensor.empty() : tensor<4xf32>
  %y = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

//--- alone.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
