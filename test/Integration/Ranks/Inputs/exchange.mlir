// Each of two ranks sends the other its values, and goes on with what it
// receives. @start begins both messages, and its caller waits for them.
func.func private @layer(%x: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %a = math.sin %x : tensor<1024xf32>
  %ca = math.cos %x : tensor<1024xf32>
  %b = math.sin %a : tensor<1024xf32>
  %cb = math.cos %a : tensor<1024xf32>
  return %b, %ca, %cb : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}
func.func private @layer_back(%ca: tensor<1024xf32>, %cb: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %d, %cb : tensor<1024xf32>
  %f = arith.mulf %e, %ca : tensor<1024xf32>
  return %f : tensor<1024xf32>
}
func.func private @start(%out: memref<1024xf32>, %in: memref<1024xf32>, %x: tensor<1024xf32>)
    -> (!mpi.request, !mpi.request, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @start_back, results = 2 : i64}} {
  %tag = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  %world = mpi.comm_world : !mpi.comm
  %me = mpi.comm_rank(%world) : i32
  %other = arith.subi %one, %me : i32
  %s = mpi.isend(%out, %tag, %other, %world) : memref<1024xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%in, %tag, %other, %world) : memref<1024xf32>, i32, i32 -> !mpi.request
  %c = math.cos %x : tensor<1024xf32>
  return %s, %r, %c : !mpi.request, !mpi.request, tensor<1024xf32>
}
func.func private @start_back(%c: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %c, %d : tensor<1024xf32>
  return %e : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>, %d: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  mpi.init
  %world = mpi.comm_world : !mpi.comm
  %me = mpi.comm_rank(%world) : i32
  %shift = arith.sitofp %me : i32 to f32
  %shifts = tensor.splat %shift : tensor<1024xf32>
  %mine = arith.addf %x, %shifts : tensor<1024xf32>
  %y, %t:2 = call @layer(%mine) : (tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
  %out = memref.alloc() : memref<1024xf32>
  %in = memref.alloc() : memref<1024xf32>
  bufferization.materialize_in_destination %y in writable %out : (tensor<1024xf32>, memref<1024xf32>) -> ()
  %s, %r, %c = call @start(%out, %in, %y)
      : (memref<1024xf32>, memref<1024xf32>, tensor<1024xf32>) -> (!mpi.request, !mpi.request, tensor<1024xf32>)
  %beside = math.exp %y : tensor<1024xf32>
  mpi.wait(%s) : !mpi.request
  mpi.wait(%r) : !mpi.request
  %got = bufferization.to_tensor %in restrict : memref<1024xf32> to tensor<1024xf32>
  %sum = arith.addf %got, %beside : tensor<1024xf32>
  %z, %u:2 = call @layer(%sum) : (tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
  %g = call @layer_back(%u#0, %u#1, %d) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %h = call @start_back(%c, %g) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %i = call @layer_back(%t#0, %t#1, %h) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  memref.dealloc %out : memref<1024xf32>
  memref.dealloc %in : memref<1024xf32>
  mpi.finalize
  return %z, %i : tensor<1024xf32>, tensor<1024xf32>
}
