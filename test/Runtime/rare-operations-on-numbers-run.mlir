// Operations for which upstream has no way from tensors to code, or one that
// loses digits.

// RUN: pebble-run %s --entry=two_results --json=%t.json
// RUN: pebble-run %s --entry=two_results_by_hand --json=%t.hand.json
// RUN: grep sha256 %t.json > %t.sum && grep sha256 %t.hand.json | diff - %t.sum
// RUN: pebble-run %s --entry=kinds
// RUN: pebble-run %s --entry=near_zero
// RUN: pebble-run %s --entry=bits
// RUN: pebble-run %s --entry=any_content
// RUN: pebble-run %s --entry=constant_global
// RUN: pebble-run %s --entry=changing_global
// RUN: pebble-run %s --entry=constant_numbers
// RUN: pebble-run %s --entry=complex_bits
// RUN: pebble-run %s --entry=extents
// RUN: pebble-opt %s --pebble-schedule=budget=min -o %t.planned.mlir
// RUN: pebble-run %t.planned.mlir --entry=changing_global
// RUN: pebble-run %t.planned.mlir --entry=extents

func.func @two_results(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>) {
  %low, %high = arith.mului_extended %x, %x : tensor<4xi32>
  %sum, %over = arith.addui_extended %low, %high : tensor<4xi32>, tensor<4xi1>
  return %sum, %over : tensor<4xi32>, tensor<4xi1>
}
func.func @two_results_by_hand(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>) {
  %sum = arith.muli %x, %x : tensor<4xi32>
  %over = arith.cmpi ult, %sum, %x : tensor<4xi32>
  %no = arith.constant dense<false> : tensor<4xi1>
  %never = arith.andi %over, %no : tensor<4xi1>
  return %sum, %never : tensor<4xi32>, tensor<4xi1>
}
func.func @kinds() {
  %x = arith.constant dense<[0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0, 1.0e-40]> : tensor<6xf32>
  %inf = math.isinf %x : tensor<6xf32>
  %normal = math.isnormal %x : tensor<6xf32>
  %two = arith.constant dense<2.0> : tensor<6xf32>
  %half = arith.constant dense<0.5> : tensor<6xf32>
  %within = math.clampf %x to [%half, %two] : tensor<6xf32>
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %five = arith.constant 5 : index
  %a = tensor.extract %inf[%one] : tensor<6xi1>
  cf.assert %a, "infinity is infinite"
  %b = tensor.extract %normal[%four] : tensor<6xi1>
  cf.assert %b, "one is normal"
  %true = arith.constant true
  %c = tensor.extract %normal[%five] : tensor<6xi1>
  %d = arith.xori %c, %true : i1
  cf.assert %d, "so small a number is not"
  %e = tensor.extract %inf[%four] : tensor<6xi1>
  %f = arith.xori %e, %true : i1
  cf.assert %f, "one is finite"
  %g = tensor.extract %within[%one] : tensor<6xf32>
  %most = arith.constant 2.0 : f32
  %h = arith.cmpf oeq, %g, %most : f32
  cf.assert %h, "clamped from above"
  return
}
// log(1 + x) and exp(x) - 1 are 0 for such an x where they are computed so.
func.func @near_zero() {
  %x = arith.constant dense<1.0e-20> : tensor<2xf64>
  %l = math.log1p %x : tensor<2xf64>
  %e = math.expm1 %x : tensor<2xf64>
  %zero = arith.constant 0 : index
  %given = arith.constant 1.0e-20 : f64
  %a = tensor.extract %l[%zero] : tensor<2xf64>
  %b = tensor.extract %e[%zero] : tensor<2xf64>
  %c = arith.cmpf oeq, %a, %given : f64
  cf.assert %c, "log1p near zero"
  %d = arith.cmpf oeq, %b, %given : f64
  cf.assert %d, "expm1 near zero"
  return
}
func.func @bits() {
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %i = tensor.bitcast %x : tensor<4xf32> to tensor<4xi32>
  %zero = arith.constant 0 : index
  %v = tensor.extract %i[%zero] : tensor<4xi32>
  %one = arith.constant 0x3F800000 : i32
  %c = arith.cmpi eq, %v, %one : i32
  cf.assert %c, "the bits of one"
  return
}
func.func @any_content(%x: tensor<4xf32>) -> tensor<4xf32> {
  %to = ub.poison : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%to : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
ml_program.global private @two(dense<2.0> : tensor<4xf32>) : tensor<4xf32>
func.func @constant_global(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = ml_program.global_load_const @two : tensor<4xf32>
  %y = arith.mulf %x, %two : tensor<4xf32>
  return %y : tensor<4xf32>
}
ml_program.global private mutable @count(40 : i32) : i32
func.func private @bump(%by: i32) -> i32 {
  %was = ml_program.global_load @count : i32
  %is = arith.addi %was, %by : i32
  ml_program.global_store @count = %is : i32
  return %was : i32
}
func.func @changing_global() {
  %two = arith.constant 2 : i32
  %first = call @bump(%two) : (i32) -> i32
  %second = call @bump(%two) : (i32) -> i32
  %last = ml_program.global_load @count : i32
  %forty = arith.constant 40 : i32
  %a = arith.cmpi eq, %first, %forty : i32
  cf.assert %a, "it begins with 40"
  %forty_two = arith.constant 42 : i32
  %b = arith.cmpi eq, %second, %forty_two : i32
  cf.assert %b, "the second call finds what the first one left"
  %forty_four = arith.constant 44 : i32
  %c = arith.cmpi eq, %last, %forty_four : i32
  cf.assert %c, "both are counted"
  return
}
ml_program.global private @three(3 : i32) : i32
ml_program.global private @unused(true) : i1
func.func @constant_numbers(%x: tensor<4xf32>) {
  %a = ml_program.global_load @three : i32
  %b = ml_program.global_load_const @three : i32
  %three = arith.constant 3 : i32
  %c = arith.cmpi eq, %a, %three : i32
  cf.assert %c, "what is loaded"
  %d = arith.cmpi eq, %b, %three : i32
  cf.assert %d, "what is loaded as a constant"
  return
}
func.func @complex_bits() {
  %re = arith.constant 1.0 : f32
  %im = arith.constant -2.0 : f32
  %z = complex.create %re, %im : complex<f32>
  %bits = complex.bitcast %z : complex<f32> to i64
  // The real part is the lower half, as in memory.
  %expected = arith.constant 0xC00000003F800000 : i64
  %a = arith.cmpi eq, %bits, %expected : i64
  cf.assert %a, "the bits of both parts"
  %double = arith.bitcast %bits : i64 to f64
  %back = complex.bitcast %double : f64 to complex<f32>
  %same = complex.eq %back, %z : complex<f32>
  cf.assert %same, "and back"
  return
}
func.func @extents() {
  %seven = arith.constant -7 : index
  %two = arith.constant 2 : index
  %q = shape.div %seven, %two : index, index -> index
  %four = arith.constant -4 : index
  %a = arith.cmpi eq, %q, %four : index
  cf.assert %a, "rounded down"
  %x = arith.constant dense<[3, 4, 5]> : tensor<3xindex>
  %y = arith.constant dense<[6, 7]> : tensor<2xindex>
  %both = shape.concat %x, %y : tensor<3xindex>, tensor<2xindex> -> tensor<?xindex>
  %zero = arith.constant 0 : index
  %size = tensor.dim %both, %zero : tensor<?xindex>
  %five = arith.constant 5 : index
  %b = arith.cmpi eq, %size, %five : index
  cf.assert %b, "three and two"
  %three = arith.constant 3 : index
  %six = arith.constant 6 : index
  %v = tensor.extract %both[%three] : tensor<?xindex>
  %c = arith.cmpi eq, %v, %six : index
  cf.assert %c, "the second one stands behind the first"
  return
}
