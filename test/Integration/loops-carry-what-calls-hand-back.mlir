// A callee hands back its argument, a slice of it, or one of two; loops carry
// that, and overwrite it. As it is, ordered, scheduled and at planned addresses
// the bits are those of upstream, and no plan is given up.
// RUN: %python %S/Fuzz/fuzz-memory.py --numbers=3 --programs %s | FileCheck %s
// CHECK: {{[1-9][0-9]*}} forms, 0 failures
module {
func.func private @same(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
func.func private @half(%x: tensor<8xf32>, %i: index) -> tensor<4xf32> {
  %h = tensor.extract_slice %x[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %h : tensor<4xf32>
}
func.func private @pick(%c: i1, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = arith.select %c, %x, %y : tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %c: i1) -> (tensor<8xf32>, tensor<4xf32>, tensor<8xf32>, f32) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %h0 = func.call @half(%z, %k2) : (tensor<8xf32>, index) -> tensor<4xf32>
  %f0 = arith.constant 2.5 : f32
  %r:4 = scf.for %i = %k0 to %k3 step %k1 iter_args(%s = %z, %h = %h0, %t = %x, %f = %f0)
      -> (tensor<8xf32>, tensor<4xf32>, tensor<8xf32>, f32) {
    %a = func.call @same(%s) : (tensor<8xf32>) -> tensor<8xf32>
    %w = tensor.insert %f into %a[%k1] : tensor<8xf32>
    %p = func.call @pick(%c, %t, %w) : (i1, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %g = func.call @half(%p, %i) : (tensor<8xf32>, index) -> tensor<4xf32>
    %v = tensor.extract %h[%k1] : tensor<4xf32>
    %q = tensor.insert %v into %t[%k2] : tensor<8xf32>
    %u = tensor.extract %s[%k1] : tensor<8xf32>
    %n = arith.addf %u, %v : f32
    scf.yield %p, %g, %q, %n : tensor<8xf32>, tensor<4xf32>, tensor<8xf32>, f32
  }
  %last = func.call @same(%r#2) : (tensor<8xf32>) -> tensor<8xf32>
  %m = tensor.insert %r#3 into %z[%k0] : tensor<8xf32>
  %o = linalg.add ins(%m, %last : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r#0, %r#1, %o, %r#3 : tensor<8xf32>, tensor<4xf32>, tensor<8xf32>, f32
}
}
