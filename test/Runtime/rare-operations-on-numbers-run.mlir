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
