// RUN: pebble-opt %s --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s

#id = affine_map<(a, b) -> (a, b)>

// A mask is a bit an element. What is read at once is worth no form.
// CHECK: @mask: 1 form
// CHECK-NEXT: m: 64 instead of 512 bytes
func.func @mask(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %b = tensor.empty() : tensor<8x64xi1>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], pebble.name = "m"} ins(%x : tensor<8x64xf32>) outs(%b : tensor<8x64xi1>) {
  ^bb0(%i: f32, %o: i1):
    %c = arith.cmpf ogt, %i, %zero : f32
    linalg.yield %c : i1
  } -> tensor<8x64xi1>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], pebble.name = "n"} ins(%x : tensor<8x64xf32>) outs(%b : tensor<8x64xi1>) {
  ^bb0(%i: f32, %o: i1):
    %c = arith.cmpf olt, %i, %zero : f32
    linalg.yield %c : i1
  } -> tensor<8x64xi1>
  %y0 = linalg.select ins(%n, %x, %x : tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y1 = linalg.exp ins(%y0 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y2 = linalg.exp ins(%y1 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.select ins(%m, %y2, %x : tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}

// The position of a maximum in a window of three: -1 to 2, in two bits. Zero or a
// number, one of three numbers that are no row, and whole numbers of a byte.
// CHECK: @few: 4 forms
// CHECK-NEXT: place: 64 instead of 704 bytes
// CHECK-NEXT: drop: 64 instead of 2048 bytes
// CHECK-NEXT: sign: 128 instead of 2048 bytes
// CHECK-NEXT: whole: 512 instead of 2048 bytes
func.func @few(%x: tensor<8x64xf32>, %w: tensor<3xf32>) -> (tensor<8x64xf32>, tensor<8x22xf32>) {
  %zero = arith.constant 0.0 : f32
  %much = arith.constant 1.25 : f32
  %minus = arith.constant -2.5 : f32
  %none = arith.constant -1 : i32
  %e = tensor.empty() : tensor<8x64xf32>
  %s = tensor.empty() : tensor<8x22xf32>
  %p = tensor.empty() : tensor<8x22xi32>
  %start = linalg.fill ins(%minus : f32) outs(%s : tensor<8x22xf32>) -> tensor<8x22xf32>
  %nowhere = linalg.fill ins(%none : i32) outs(%p : tensor<8x22xi32>) -> tensor<8x22xi32>
  %place:2 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b * 2 + c)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"], pebble.name = ["most", "place"]} ins(%x, %w : tensor<8x64xf32>, tensor<3xf32>) outs(%start, %nowhere : tensor<8x22xf32>, tensor<8x22xi32>) {
  ^bb0(%i: f32, %j: f32, %o: f32, %q: i32):
    %c = arith.cmpf ogt, %i, %o : f32
    %k = linalg.index 2 : index
    %l = arith.index_cast %k : index to i32
    %t = arith.select %c, %i, %o : f32
    %u = arith.select %c, %l, %q : i32
    linalg.yield %t, %u : f32, i32
  } -> (tensor<8x22xf32>, tensor<8x22xi32>)
  %drop = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], pebble.name = "drop"} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.cmpf ogt, %i, %zero : f32
    %t = arith.uitofp %c : i1 to f32
    %u = arith.mulf %t, %much : f32
    linalg.yield %u : f32
  } -> tensor<8x64xf32>
  %sign = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], pebble.name = "sign"} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.cmpf ogt, %i, %zero : f32
    %d = arith.cmpf olt, %i, %zero : f32
    %t = arith.select %d, %minus, %zero : f32
    %u = arith.select %c, %much, %t : f32
    linalg.yield %u : f32
  } -> tensor<8x64xf32>
  %whole = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], pebble.name = "whole"} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.fptosi %i : f32 to i8
    %t = arith.sitofp %c : i8 to f32
    linalg.yield %t : f32
  } -> tensor<8x64xf32>
  %y0 = linalg.exp ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y1 = linalg.exp ins(%y0 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y2 = linalg.exp ins(%y1 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r0 = linalg.mul ins(%y2, %drop : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r1 = linalg.mul ins(%r0, %sign : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r2 = linalg.mul ins(%r1, %whole : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%place#1 : tensor<8x22xi32>) outs(%s : tensor<8x22xf32>) {
  ^bb0(%i: i32, %o: f32):
    %t = arith.sitofp %i : i32 to f32
    linalg.yield %t : f32
  } -> tensor<8x22xf32>
  return %r2, %q : tensor<8x64xf32>, tensor<8x22xf32>
}

// What was widened is narrowed again.
// CHECK: @widened: 2 forms
// CHECK-NEXT: h: 1024 instead of 2048 bytes
// CHECK-NEXT: n: 1024 instead of 2048 bytes
func.func @widened(%x: tensor<8x64xf32>, %i16: tensor<8x64xi16>) -> (tensor<8x64xf32>, tensor<8x64xi32>) {
  %e = tensor.empty() : tensor<8x64xf32>
  %f = tensor.empty() : tensor<8x64xi32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], pebble.name = "h"} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.truncf %i : f32 to f16
    %t = arith.extf %c : f16 to f32
    linalg.yield %t : f32
  } -> tensor<8x64xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], pebble.name = "n"} ins(%i16 : tensor<8x64xi16>) outs(%f : tensor<8x64xi32>) {
  ^bb0(%i: i16, %o: i32):
    %s = arith.addi %i, %i : i16
    %t = arith.extui %s : i16 to i32
    linalg.yield %t : i32
  } -> tensor<8x64xi32>
  %y0 = linalg.exp ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y1 = linalg.exp ins(%y0 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.mul ins(%y1, %h : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %q = linalg.mul ins(%n, %n : tensor<8x64xi32>, tensor<8x64xi32>) outs(%f : tensor<8x64xi32>) -> tensor<8x64xi32>
  return %r, %q : tensor<8x64xf32>, tensor<8x64xi32>
}

// A reader that compares can do with the mask, whatever else it reads. One that
// reads more of the value cannot, and of an argument nothing is spared.
// CHECK: @compares: 1 form
// CHECK-NEXT: v: 64 instead of 2048 bytes
func.func @compares(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %v = linalg.tanh {pebble.name = "v"} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %u = linalg.exp {pebble.name = "u"} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y0 = linalg.add ins(%u, %v : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y1 = linalg.exp ins(%y0 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y2 = linalg.exp ins(%y1 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%v, %y2 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %g: f32, %o: f32):
    %c = arith.cmpf ogt, %i, %zero : f32
    %t = arith.select %c, %g, %zero : f32
    linalg.yield %t : f32
  } -> tensor<8x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%u, %y2 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %g: f32, %o: f32):
    %c = arith.cmpf ogt, %i, %zero : f32
    %t = arith.select %c, %g, %i : f32
    linalg.yield %t : f32
  } -> tensor<8x64xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y2 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %g: f32, %o: f32):
    %c = arith.cmpf ogt, %i, %zero : f32
    %t = arith.select %c, %g, %zero : f32
    linalg.yield %t : f32
  } -> tensor<8x64xf32>
  return %r, %s, %q : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
}

// No form: the two zeros are told apart by their bits and by no comparison; what is
// handed out is kept anyway, and so is what somebody asked for; what is updated in
// place is read as it then is; and five elements fill no byte.
// CHECK: @none: 0 forms
func.func @none(%x: tensor<8x64xf32>, %y: tensor<5xf32>) -> (tensor<8x64xf32>, tensor<8x64xi1>, tensor<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %b = tensor.empty() : tensor<8x64xi1>
  %five = tensor.empty() : tensor<5xf32>
  %fives = tensor.empty() : tensor<5xi1>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.cmpf ogt, %i, %zero : f32
    %t = arith.select %c, %zero, %minus : f32
    linalg.yield %t : f32
  } -> tensor<8x64xf32>
  %given = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%b : tensor<8x64xi1>) {
  ^bb0(%i: f32, %o: i1):
    %c = arith.cmpf ogt, %i, %zero : f32
    linalg.yield %c : i1
  } -> tensor<8x64xi1>
  %asked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], pebble.keep} ins(%x : tensor<8x64xf32>) outs(%b : tensor<8x64xi1>) {
  ^bb0(%i: f32, %o: i1):
    %c = arith.cmpf olt, %i, %zero : f32
    linalg.yield %c : i1
  } -> tensor<8x64xi1>
  %old = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.cmpf ogt, %i, %one : f32
    %t = arith.uitofp %c : i1 to f32
    linalg.yield %t : f32
  } -> tensor<8x64xf32>
  %small = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%y : tensor<5xf32>) outs(%fives : tensor<5xi1>) {
  ^bb0(%i: f32, %o: i1):
    %c = arith.cmpf ogt, %i, %zero : f32
    linalg.yield %c : i1
  } -> tensor<5xi1>
  %y0 = linalg.exp ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y1 = linalg.exp ins(%y0 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y2 = linalg.exp ins(%y1 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %new = linalg.add ins(%y2, %z : tensor<8x64xf32>, tensor<8x64xf32>) outs(%old : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r0 = linalg.select ins(%given, %new, %x : tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r1 = linalg.select ins(%asked, %r0, %x : tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %q = linalg.select ins(%small, %y, %y : tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) outs(%five : tensor<5xf32>) -> tensor<5xf32>
  return %r1, %given, %q : tensor<8x64xf32>, tensor<8x64xi1>, tensor<5xf32>
}
