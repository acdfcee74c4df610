// A program that fails while it runs ends with status 1 and one message.

// RUN: not pebble-run %s --entry=asserts 2>&1 | FileCheck %s --check-prefix=ASSERT --implicit-check-not=Stack
// ASSERT: pebble-run: error: {{.*}}crashes.mlir:[[#@LINE+14]]:7: assertion failed: a 50% boom
// RUN: pebble-run %s --entry=holds
// RUN: not pebble-run %s --entry=divides 2>&1 | FileCheck %s --check-prefix=DIVIDE --implicit-check-not=PLEASE
// DIVIDE: pebble-run: error: the program crashed (signal SIGFPE)
// RUN: not pebble-run %s --entry=overflows 2>&1 | FileCheck %s --check-prefix=STACK --implicit-check-not=PLEASE
// What was printed before is not lost.
// STACK-DAG: pebble-run: error: the program crashed (signal SIGSEGV)
// STACK-DAG: 42

func.func @asserts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %true = arith.constant true
  cf.assert %true, "not this one"
  %c = arith.constant false
  scf.if %true {
      cf.assert %c, "a 50% boom"
  }
  return %x : tensor<4xf32>
}
func.func @holds(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %four = arith.constant 4 : index
  %c = arith.cmpi eq, %n, %four : index
  cf.assert %c, "index arguments are 4"
  %y = math.exp %x : tensor<4xf32>
  cf.assert %c, "index arguments are still 4"
  return %y : tensor<4xf32>
}
func.func @divides(%x: i32 {pebble.range = [0, 1]}, %m: memref<1xi32>) {
  %c = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %y = arith.divsi %seven, %x : i32
  memref.store %y, %m[%c] : memref<1xi32>
  return
}
func.func private @recurses(%x: i64) -> i64 {
  %one = arith.constant 1 : i64
  %y = arith.addi %x, %one : i64
  %z = func.call @recurses(%y) : (i64) -> i64
  %w = arith.xori %z, %x : i64
  %v = arith.muli %w, %z : i64
  return %v : i64
}
func.func @overflows(%x: i64) -> i64 {
  %i = arith.constant 42 : index
  vector.print %i : index
  %y = func.call @recurses(%x) : (i64) -> i64
  return %y : i64
}
