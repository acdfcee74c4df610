// What a write leaves of its destination is the destination's content: it is
// brought along where the write gets a storage of its own.
// RUN: %python -c "import numpy as n; n.save(r'%t.row', n.full(4, 7, 'f')); \
// RUN:   n.save(r'%t.one', n.ones(4, 'f')); n.save(r'%t.all', n.full((4, 4), 7, 'f'))"
// RUN: pebble-run %s --entry=masked --poison --input=0:%t.row.npy --output-dir=%t.m
// RUN: pebble-run %s --entry=diagonal --poison --input=0:%t.one.npy --input=1:%t.all.npy --output-dir=%t.d
// RUN: pebble-run %s --entry=loop --poison --input=0:%t.one.npy --input=1:%t.all.npy --output-dir=%t.l
// RUN: %python -c "import numpy as n; a = n.load(r'%t.m/result0.npy'); \
// RUN:   assert a.tolist() == [1, 7, 1, 7], a"
// RUN: %python -c "import numpy as n; a = [n.load(f'{d}/result0.npy') for d in (r'%t.d', r'%t.l')]; \
// RUN:   assert all((b == 7 - 6 * n.eye(4)).all() for b in a), a"
// REQUIRES: numpy

#diagonal = affine_map<(i) -> (i, i)>
#row = affine_map<(i) -> (i)>

func.func @masked(%t: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<4xf32>
  %m = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %r = vector.transfer_write %v, %t[%c0], %m {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @diagonal(%t: tensor<4xf32>, %f: tensor<4x4xf32>)
    -> tensor<4x4xf32> {
  %d = linalg.generic {indexing_maps = [#row, #diagonal], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// Upstream takes the body for one that overwrites all of what it carries.
func.func @loop(%t: tensor<4xf32>, %f: tensor<4x4xf32>)
    -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %f) -> tensor<4x4xf32> {
    %d = linalg.generic {indexing_maps = [#row, #diagonal], iterator_types = ["parallel"]}
        ins(%t : tensor<4xf32>) outs(%s : tensor<4x4xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<4x4xf32>
    scf.yield %d : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
