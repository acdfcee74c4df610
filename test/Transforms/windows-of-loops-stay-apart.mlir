// The windows of two pools hold nothing, and are two storages. In the body of a loop
// as elsewhere, other passes must not make one of them that lives from the first
// pool to the second.
// RUN: pebble-opt %s --pebble-materialize-storage -cse | FileCheck %s
// RUN: pebble-opt --quiet %s --pebble-schedule="budget=100%% dim-bound=2" -o %t.mlir
// RUN: pebble-opt %t.mlir -cse -canonicalize --pebble-verify-schedule=dim-bound=2 -o /dev/null
// CHECK: scf.for
// CHECK-COUNT-2: bufferization.alloc_tensor() : tensor<2xf32>
// CHECK: bufferization.alloc_tensor(%arg1) : tensor<?xf32>
// CHECK-NOT: tensor.empty

#in = affine_map<(a, b) -> (a + b)>
#window = affine_map<(a, b) -> (b)>
#out = affine_map<(a, b) -> (a)>
func.func @main(%x: tensor<66xf32>, %two: index) -> tensor<66xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  %least = arith.constant -1.0e30 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<66xf32>) {
    %w = tensor.empty() : tensor<2xf32>
    %e = tensor.empty() : tensor<65xf32>
    %f = linalg.fill ins(%least : f32) outs(%e : tensor<65xf32>) -> tensor<65xf32>
    %b = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "reduction"]} ins(%a, %w : tensor<66xf32>, tensor<2xf32>) outs(%f : tensor<65xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.maximumf %p, %o : f32
      linalg.yield %m : f32
    } -> tensor<65xf32>
    %c = math.exp %b : tensor<65xf32>
    %v = tensor.empty() : tensor<2xf32>
    %g = tensor.empty() : tensor<64xf32>
    %h = linalg.fill ins(%least : f32) outs(%g : tensor<64xf32>) -> tensor<64xf32>
    %d = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "reduction"]} ins(%c, %v : tensor<65xf32>, tensor<2xf32>) outs(%h : tensor<64xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.maximumf %p, %o : f32
      linalg.yield %m : f32
    } -> tensor<64xf32>
    %u = tensor.empty(%two) : tensor<?xf32>
    %z = tensor.empty() : tensor<63xf32>
    %y = linalg.fill ins(%least : f32) outs(%z : tensor<63xf32>) -> tensor<63xf32>
    %k = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "reduction"]} ins(%d, %u : tensor<64xf32>, tensor<?xf32>) outs(%y : tensor<63xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.maximumf %p, %o : f32
      linalg.yield %m : f32
    } -> tensor<63xf32>
    %s = tensor.insert_slice %k into %a[0] [63] [1] : tensor<63xf32> into tensor<66xf32>
    scf.yield %s : tensor<66xf32>
  }
  return %r : tensor<66xf32>
}
