// One training step of sparse parity (3 secret bits of 20) by a network with
// 1000 hidden units, one sample, hinge loss, SGD with weight decay: the setting
// of cybertronai/SutroYaro, exp_pebble_game. One op per row of the published
// table; each op initialises its own result. Here on tensors: the weights
// are donated, so the updates may overwrite them.
//
// RUN: pebble-opt %s --pebble-materialize-storage | FileCheck %s

// The four updates overwrite the donated weights; the other eleven results have
// storages of their own.
// CHECK-COUNT-11: bufferization.alloc_tensor()
// CHECK-NOT: bufferization.alloc_tensor
// CHECK: outs(%arg0
// CHECK: outs(%arg1
// CHECK: outs(%arg2
// CHECK: outs(%arg3

#ji = affine_map<(j, i) -> (j, i)>
#j = affine_map<(j, i) -> (j)>
#i = affine_map<(j, i) -> (i)>
#v = affine_map<(j) -> (j)>
#one = affine_map<(j) -> (0)>

func.func @train_step(%W1: tensor<1000x20xf32> {pebble.name = "W1", pebble.donated},
                      %b1: tensor<1000xf32> {pebble.name = "b1", pebble.donated},
                      %W2: tensor<1000xf32> {pebble.name = "W2", pebble.donated},
                      %b2: tensor<1xf32> {pebble.name = "b2", pebble.donated},
                      %x: tensor<20xf32> {pebble.name = "x"},
                      %y: tensor<1xf32> {pebble.name = "y"})
    -> (tensor<1000x20xf32>, tensor<1000xf32>, tensor<1000xf32>, tensor<1xf32>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %lr = arith.constant 0.1 : f32
  %wd = arith.constant 0.01 : f32

  %e1000x20 = tensor.empty() : tensor<1000x20xf32>
  %e1000 = tensor.empty() : tensor<1000xf32>
  %e1 = tensor.empty() : tensor<1xf32>

  // W1 and x and the bias, which starts each sum.
  %h_pre = linalg.generic {indexing_maps = [#ji, #i, #j, #j], iterator_types = ["parallel", "reduction"]}
      ins(%W1, %x, %b1 : tensor<1000x20xf32>, tensor<20xf32>, tensor<1000xf32>)
      outs(%e1000 : tensor<1000xf32>) attrs = {pebble.name = "h_pre"} {
  ^bb0(%w: f32, %v: f32, %bias: f32, %o: f32):
    %k = linalg.index 1 : index
    %first = arith.cmpi eq, %k, %c0 : index
    %acc = arith.select %first, %bias, %o : f32
    %p = arith.mulf %w, %v : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1000xf32> loc("fwd_linear1")
  %h = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%h_pre : tensor<1000xf32>)
      outs(%e1000 : tensor<1000xf32>) attrs = {pebble.name = "h"} {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1000xf32> loc("fwd_relu")
  %y_hat = linalg.generic {indexing_maps = [#i, #i, #j, #j], iterator_types = ["parallel", "reduction"]}
      ins(%W2, %h, %b2 : tensor<1000xf32>, tensor<1000xf32>, tensor<1xf32>)
      outs(%e1 : tensor<1xf32>) attrs = {pebble.name = "y_hat"} {
  ^bb0(%w: f32, %v: f32, %bias: f32, %o: f32):
    %k = linalg.index 1 : index
    %first = arith.cmpi eq, %k, %c0 : index
    %acc = arith.select %first, %bias, %o : f32
    %p = arith.mulf %w, %v : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1xf32> loc("fwd_linear2")
  // hinge: max(0, 1 - y_hat * y).
  %loss = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%y_hat, %y : tensor<1xf32>, tensor<1xf32>)
      outs(%e1 : tensor<1xf32>) attrs = {pebble.name = "loss"} {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %m = arith.mulf %a, %t : f32
    %d = arith.subf %one, %m : f32
    %r = arith.maximumf %d, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1xf32> loc("fwd_loss")
  // -y where the loss is positive (the margin below 1), else 0.
  %dy = linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]}
      ins(%loss, %y_hat, %y : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      outs(%e1 : tensor<1xf32>) attrs = {pebble.name = "dy"} {
  ^bb0(%l: f32, %a: f32, %t: f32, %o: f32):
    %m = arith.mulf %a, %t : f32
    %below = arith.cmpf olt, %m, %one : f32
    %positive = arith.cmpf ogt, %l, %zero : f32
    %active = arith.andi %below, %positive : i1
    %n = arith.negf %t : f32
    %r = arith.select %active, %n, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1xf32> loc("bwd_loss")
  %dW2 = linalg.generic {indexing_maps = [#one, #v, #v], iterator_types = ["parallel"]}
      ins(%dy, %h : tensor<1xf32>, tensor<1000xf32>)
      outs(%e1000 : tensor<1000xf32>) attrs = {pebble.name = "dW2"} {
  ^bb0(%g: f32, %a: f32, %o: f32):
    %r = arith.mulf %g, %a : f32
    linalg.yield %r : f32
  } -> tensor<1000xf32> loc("bwd_dW2")
  %db2 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%dy : tensor<1xf32>)
      outs(%e1 : tensor<1xf32>) attrs = {pebble.name = "db2"} {
  ^bb0(%g: f32, %o: f32):
    linalg.yield %g : f32
  } -> tensor<1xf32> loc("bwd_db2")
  %dh = linalg.generic {indexing_maps = [#v, #one, #v], iterator_types = ["parallel"]}
      ins(%W2, %dy : tensor<1000xf32>, tensor<1xf32>)
      outs(%e1000 : tensor<1000xf32>) attrs = {pebble.name = "dh"} {
  ^bb0(%w: f32, %g: f32, %o: f32):
    %r = arith.mulf %w, %g : f32
    linalg.yield %r : f32
  } -> tensor<1000xf32> loc("bwd_dh")
  %dh_pre = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%dh, %h_pre : tensor<1000xf32>, tensor<1000xf32>)
      outs(%e1000 : tensor<1000xf32>) attrs = {pebble.name = "dh_pre"} {
  ^bb0(%g: f32, %a: f32, %o: f32):
    %on = arith.cmpf ogt, %a, %zero : f32
    %r = arith.select %on, %g, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1000xf32> loc("bwd_relu")
  %dW1 = linalg.generic {indexing_maps = [#j, #i, #ji], iterator_types = ["parallel", "parallel"]}
      ins(%dh_pre, %x : tensor<1000xf32>, tensor<20xf32>)
      outs(%e1000x20 : tensor<1000x20xf32>) attrs = {pebble.name = "dW1"} {
  ^bb0(%g: f32, %v: f32, %o: f32):
    %r = arith.mulf %g, %v : f32
    linalg.yield %r : f32
  } -> tensor<1000x20xf32> loc("bwd_dW1")
  %db1 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%dh_pre : tensor<1000xf32>)
      outs(%e1000 : tensor<1000xf32>) attrs = {pebble.name = "db1"} {
  ^bb0(%g: f32, %o: f32):
    linalg.yield %g : f32
  } -> tensor<1000xf32> loc("bwd_db1")
  %W1_new = linalg.generic {indexing_maps = [#ji, #ji, #ji], iterator_types = ["parallel", "parallel"]}
      ins(%W1, %dW1 : tensor<1000x20xf32>, tensor<1000x20xf32>)
      outs(%W1 : tensor<1000x20xf32>) attrs = {pebble.name = "W1_new"} {
  ^bb0(%w: f32, %g: f32, %o: f32):
    %decay = arith.mulf %wd, %w : f32
    %sum = arith.addf %g, %decay : f32
    %step = arith.mulf %lr, %sum : f32
    %r = arith.subf %w, %step : f32
    linalg.yield %r : f32
  } -> tensor<1000x20xf32> loc("upd_W1")
  %b1_new = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%b1, %db1 : tensor<1000xf32>, tensor<1000xf32>)
      outs(%b1 : tensor<1000xf32>) attrs = {pebble.name = "b1_new"} {
  ^bb0(%w: f32, %g: f32, %o: f32):
    %decay = arith.mulf %wd, %w : f32
    %sum = arith.addf %g, %decay : f32
    %step = arith.mulf %lr, %sum : f32
    %r = arith.subf %w, %step : f32
    linalg.yield %r : f32
  } -> tensor<1000xf32> loc("upd_b1")
  %W2_new = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%W2, %dW2 : tensor<1000xf32>, tensor<1000xf32>)
      outs(%W2 : tensor<1000xf32>) attrs = {pebble.name = "W2_new"} {
  ^bb0(%w: f32, %g: f32, %o: f32):
    %decay = arith.mulf %wd, %w : f32
    %sum = arith.addf %g, %decay : f32
    %step = arith.mulf %lr, %sum : f32
    %r = arith.subf %w, %step : f32
    linalg.yield %r : f32
  } -> tensor<1000xf32> loc("upd_W2")
  %b2_new = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%b2, %db2 : tensor<1xf32>, tensor<1xf32>)
      outs(%b2 : tensor<1xf32>) attrs = {pebble.name = "b2_new"} {
  ^bb0(%w: f32, %g: f32, %o: f32):
    %decay = arith.mulf %wd, %w : f32
    %sum = arith.addf %g, %decay : f32
    %step = arith.mulf %lr, %sum : f32
    %r = arith.subf %w, %step : f32
    linalg.yield %r : f32
  } -> tensor<1xf32> loc("upd_b2")
  return %W1_new, %b1_new, %W2_new, %b2_new : tensor<1000x20xf32>, tensor<1000xf32>, tensor<1000xf32>, tensor<1xf32>
}
