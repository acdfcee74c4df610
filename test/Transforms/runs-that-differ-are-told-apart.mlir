// Programs that differ are told apart, and each agrees with itself.
// RUN: split-file %s %t

// RUN: pebble-opt %t/shape-of-read.mlir --pebble-check-runs=original=%t/shape-of-read.mlir -o /dev/null
// RUN: sed 's/2x6/3x4/g' %t/shape-of-read.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/shape-of-read.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPR
// RUN: pebble-opt %t/shape-of-write.mlir --pebble-check-runs=original=%t/shape-of-write.mlir -o /dev/null
// RUN: sed 's/2x6/3x4/g' %t/shape-of-write.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/shape-of-write.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPR
// RUN: pebble-opt %t/sum-of-bits.mlir --pebble-check-runs=original=%t/sum-of-bits.mlir -o /dev/null
// RUN: sed 's/= .*add.*/= "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>/' %t/sum-of-bits.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/sum-of-bits.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPR
// RUN: pebble-opt %t/number-as-bit.mlir --pebble-check-runs=original=%t/number-as-bit.mlir -o /dev/null
// RUN: sed 's/= .*convert.*/= "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>/' %t/number-as-bit.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/number-as-bit.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPR
// RUN: pebble-opt %t/types.mlir --pebble-check-runs=original=%t/types.mlir -o /dev/null
// RUN: sed 's/i64/i32/g' %t/types.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/types.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: pebble-opt %t/side-of-branch.mlir --pebble-check-runs=original=%t/side-of-branch.mlir -o /dev/null
// RUN: sed 's/call @print/call @keep/; s/call @drop/call @print/; s/call @keep/call @drop/' %t/side-of-branch.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/side-of-branch.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EFFECTS
// RUN: pebble-opt %t/end-of-region.mlir --pebble-check-runs=original=%t/end-of-region.mlir -o /dev/null
// RUN: sed 's/o\[0\]/o[1]/' %t/end-of-region.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/end-of-region.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPR
// RUN: pebble-opt %t/blocks-of-callee.mlir --pebble-check-runs=original=%t/blocks-of-callee.mlir -o /dev/null
// RUN: sed 's/constant 1.0/constant 3.0/' %t/blocks-of-callee.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/blocks-of-callee.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPR
// RUN: pebble-opt %t/value-of-global.mlir --pebble-check-runs=original=%t/value-of-global.mlir -o /dev/null
// RUN: sed 's/dense<1.0>/dense<2.0>/' %t/value-of-global.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/value-of-global.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPR
// RUN: pebble-opt %t/composite.mlir --pebble-check-runs=original=%t/composite.mlir -o /dev/null
// RUN: sed 's/sine/cosine/' %t/composite.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/composite.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPR

// EXPR: error: is not proven to return what the function that it was made of does
// TYPES: error: takes or returns values of other types than the function that it was made of
// EFFECTS: error: is not proven to have the effects of the function that it was made of, in their order

//--- shape-of-read.mlir
// Elements that are read are those of the shape that is read.
func.func @main(%x: tensor<12xf32>) -> tensor<1x2xf32> {
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
  %y = "stablehlo.reshape"(%x) : (tensor<12xf32>) -> tensor<2x6xf32>
  %r = "stablehlo.dynamic_slice"(%y, %c1, %c0) <{slice_sizes = array<i64: 1, 2>}> : (tensor<2x6xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

//--- shape-of-write.mlir
// So are those that are written.
func.func @main(%x: tensor<12xf32>, %v: tensor<1x2xf32>) -> tensor<12xf32> {
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
  %y = "stablehlo.reshape"(%x) : (tensor<12xf32>) -> tensor<2x6xf32>
  %u = "stablehlo.dynamic_update_slice"(%y, %v, %c1, %c0) : (tensor<2x6xf32>, tensor<1x2xf32>, tensor<i64>, tensor<i64>) -> tensor<2x6xf32>
  %r = "stablehlo.reshape"(%u) : (tensor<2x6xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

//--- sum-of-bits.mlir
// The sum of two bits is true where one is.
func.func @main() -> tensor<i1> {
  %t = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %s = "stablehlo.add"(%t, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %s : tensor<i1>
}

//--- number-as-bit.mlir
// Each number but 0 is true.
func.func @main() -> tensor<i1> {
  %t = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
  %s = "stablehlo.convert"(%t) : (tensor<i64>) -> tensor<i1>
  return %s : tensor<i1>
}

//--- types.mlir
// One number of another type is another value.
func.func @main() -> tensor<i64> {
  %t = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
  return %t : tensor<i64>
}

//--- side-of-branch.mlir
// Which side of a branch has the effect.
func.func private @print(tensor<4xf32>)
func.func private @drop(tensor<4xf32>)
func.func @main(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  scf.if %p {
    func.call @print(%x) : (tensor<4xf32>) -> ()
  } else {
    func.call @drop(%x) : (tensor<4xf32>) -> ()
  }
  return %x : tensor<4xf32>
}

//--- end-of-region.mlir
// Where the threads of a loop put what they made.
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %y) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}

//--- blocks-of-callee.mlir
// What a callee does that has several blocks.
func.func private @f(%p: i1) -> f32 {
  cf.cond_br %p, ^a, ^b
^a:
  %c = arith.constant 1.0 : f32
  return %c : f32
^b:
  %d = arith.constant 2.0 : f32
  return %d : f32
}
func.func @main(%p: i1) -> f32 {
  %r = call @f(%p) : (i1) -> f32
  return %r : f32
}

//--- value-of-global.mlir
// What a global holds.
memref.global "private" constant @g : memref<2xf32> = dense<1.0>
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @g : memref<2xf32>
  %r = memref.load %m[%c0] : memref<2xf32>
  return %r : f32
}

//--- composite.mlir
// What a composite operation stands for.
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sine"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.composite"(%x) <{name = "my.f", decomposition = @f, version = 0 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
