// A planned program for seeding faults that the random ones have no place for:
// an operation without a destination that runs again, effects in an order, and
// drops of storages that were last used through another name.
func.func private @log(f32)
func.func @main(%x: tensor<16xf32> {bufferization.writable = false}, %w: tensor<16xf32> {pebble.donated}, %s: f32)
    -> (tensor<16xf32>, tensor<8xf32>, tensor<16xf32>)
    attributes {pebble.result = {status = "feasible", cost = 80 : i64, bound = 0 : i64, peak_bytes = 320 : i64,
                                 input_peak_bytes = 384 : i64, solver = "by hand"}} {
  %t = arith.mulf %s, %s : f32
  %first = tensor.splat %s : tensor<16xf32>
  call @log(%s) : (f32) -> ()
  %a_to = bufferization.alloc_tensor() : tensor<16xf32>
  %a = linalg.add ins(%first, %x : tensor<16xf32>, tensor<16xf32>) outs(%a_to : tensor<16xf32>) -> tensor<16xf32>
  pebble.drop %first : tensor<16xf32>
  // The view is the last to use a's storage.
  %low = tensor.extract_slice %a[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %b_to = bufferization.alloc_tensor() : tensor<8xf32>
  %b = linalg.exp ins(%low : tensor<8xf32>) outs(%b_to : tensor<8xf32>) -> tensor<8xf32>
  pebble.drop %a : tensor<16xf32>
  call @log(%t) : (f32) -> ()
  %again = pebble.opaque %s : f32
  %second = tensor.splat %again : tensor<16xf32>
  %c_to = bufferization.alloc_tensor() : tensor<16xf32>
  %c = linalg.sub ins(%second, %w : tensor<16xf32>, tensor<16xf32>) outs(%c_to : tensor<16xf32>) -> tensor<16xf32>
  pebble.drop %second : tensor<16xf32>
  %one = arith.constant 1.0 : f32
  %new = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<16xf32>) outs(%w : tensor<16xf32>) {
  ^bb0(%e: f32, %old: f32):
    %d = arith.subf %old, %e : f32
    %f = arith.mulf %d, %one : f32
    linalg.yield %f : f32
  } -> tensor<16xf32>
  // Read again, after the update, by an operation that runs a second time.
  %n = pebble.opaque %new : tensor<16xf32>
  %d_to = bufferization.alloc_tensor() : tensor<16xf32>
  %d = linalg.mul ins(%n, %c : tensor<16xf32>, tensor<16xf32>) outs(%d_to : tensor<16xf32>) -> tensor<16xf32>
  pebble.drop %c : tensor<16xf32>
  return %d, %b, %new : tensor<16xf32>, tensor<8xf32>, tensor<16xf32>
}
