//===- CallFaultsTest.cpp - what a proof through calls must refuse --------===//
//
// Programs, and changes of them that once passed for the same, or would.
//
//===----------------------------------------------------------------------===//

#include "CompareMains.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

TEST(CallFaults, ATensorWhoseBufferIsWrittenIsAnotherOne) {
  constexpr char memoLate[] = R"mlir(
func.func private @f(%x: tensor<4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %r = tensor.extract %x[%i] : tensor<4xf32>
  return %r : f32
}
func.func @main(%x: tensor<4xf32>, %v: f32) -> (f32, f32, f32) {
  %i = arith.constant 1 : index
  %a = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %b = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %p = call @f(%a) : (tensor<4xf32>) -> f32
  %m = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %q = func.call @f(%a) : (tensor<4xf32>) -> f32
  %s = memref.load %m[%i] : memref<4xf32>
  return %p, %q, %s : f32, f32, f32
}
)mlir";
  expectRefused(memoLate,
                {{{"%q = func.call @f(%a)", "%q = func.call @f(%b)"}}});
  constexpr char nestedMemoOrigin[] = R"mlir(
func.func private @id(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @id(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %v: f32, %c: i1) -> (f32, f32, f32) {
  %i = arith.constant 1 : index
  %a = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %b = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %w = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %y = func.call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %m = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %q = tensor.extract %y[%i] : tensor<4xf32>
  %s = memref.load %m[%i] : memref<4xf32>
  %t = tensor.extract %w[%i] : tensor<4xf32>
  return %q, %s, %t : f32, f32, f32
}
)mlir";
  expectRefused(nestedMemoOrigin, {{{"func.call @g(%a)", "func.call @g(%b)"}}});
  constexpr char lateArg[] = R"mlir(
func.func @main(%b: tensor<4xf32> {pebble.donated}, %v: f32) -> (f32, f32) {
  %i = arith.constant 1 : index
  %a = bufferization.alloc_tensor() copy(%b) : tensor<4xf32>
  %m = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %q = tensor.extract %a[%i] : tensor<4xf32>
  %s = memref.load %m[%i] : memref<4xf32>
  return %q, %s : f32, f32
}
)mlir";
  expectRefused(lateArg, {{{"tensor.extract %a", "tensor.extract %b"}}});
  constexpr char lateBoth[] = R"mlir(
func.func private @f(%x: tensor<4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %r = tensor.extract %x[%i] : tensor<4xf32>
  return %r : f32
}
func.func @main(%x: tensor<4xf32>, %v: f32) -> (f32, f32) {
  %i = arith.constant 1 : index
  %b = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %p = call @f(%b) : (tensor<4xf32>) -> f32
  %m = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %q = func.call @f(%b) : (tensor<4xf32>) -> f32
  return %p, %q : f32, f32
}
)mlir";
  expectRefused(lateBoth, {{{"return %p, %q", "return %q, %p"}}});
}

TEST(CallFaults, ATensorWhoseBufferIsWrittenIsAnotherOneTheNextTimeRound) {
  constexpr char loopLate[] = R"mlir(
func.func @main(%x: tensor<4xf32>, %v: f32) -> f32 {
  %i = arith.constant 1 : index
  %z = arith.constant 0 : index
  %n = arith.constant 3 : index
  %a = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %b = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %m = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32>
  %r = scf.for %k = %z to %n step %i iter_args(%s = %v) -> f32 {
    %q = tensor.extract %a[%i] : tensor<4xf32>
    %t = arith.addf %s, %q : f32
    memref.store %t, %m[%i] : memref<4xf32>
    scf.yield %t : f32
  }
  return %r : f32
}
)mlir";
  expectRefused(loopLate, {{{"tensor.extract %a", "tensor.extract %b"}}});
}

TEST(CallFaults, BlocksPassOnWhatTheirBuffersHold) {
  constexpr char blocksOwn[] = R"mlir(
func.func @main(%v: f32, %w: f32, %c: i1) -> f32 {
  %i = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  memref.store %w, %n[%i] : memref<4xf32>
  cf.br ^b
^b:
  %r = memref.load %m[%i] : memref<4xf32>
  return %r : f32
}
)mlir";
  expectRefused(blocksOwn,
                {{{"load %m", "load %n"}},
                 {{"store %v, %m", "store %w, %m"}},
                 {{"  memref.store %v, %m[%i] : memref<4xf32>\n", ""}}});
  constexpr char blocksCarried[] = R"mlir(
func.func @main(%v: f32, %w: f32, %c: i1) -> f32 {
  %i = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %w, %m[%i] : memref<4xf32>
  cf.br ^b
^b:
  %r = memref.load %m[%i] : memref<4xf32>
  return %r : f32
}
)mlir";
  expectRefused(blocksCarried, {{{"store %w, %m", "store %v, %m"}},
                                {{"store %v, %m", "store %w, %m"}}});
}

TEST(CallFaults, ACalleeOfSeveralBlocksMayWriteAnyGlobal) {
  constexpr char blocksGlobal[] = R"mlir(
memref.global "private" @g : memref<f32> = dense<1.0>
func.func private @set(%v: f32, %c: i1) {
  %g = memref.get_global @g : memref<f32>
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %v, %g[] : memref<f32>
  cf.br ^b
^b:
  return
}
func.func private @get() -> f32 {
  %g = memref.get_global @g : memref<f32>
  %v = memref.load %g[] : memref<f32>
  return %v : f32
}
func.func @main(%v: f32) -> f32 {
  %c = arith.constant true
  call @set(%v, %c) : (f32, i1) -> ()
  %r = call @get() : () -> f32
  return %r : f32
}
)mlir";
  expectRefused(
      blocksGlobal,
      {{{"  call @set(%v, %c) : (f32, i1) -> ()\n", ""},
        {"  return %r", "  call @set(%v, %c) : (f32, i1) -> ()\n  return %r"}},
       {{"  call @set(%v, %c) : (f32, i1) -> ()\n", ""}}});
}

TEST(CallFaults, DestinationsHaveExtents) {
  constexpr char sizeOfFilled[] = R"mlir(
func.func private @f(%n: index, %v: f32) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<?xf32>)
  return %m : memref<?xf32>
}
func.func @main(%n: index, %k: index, %v: f32) -> memref<?xf32> {
  %m = call @f(%n, %v) : (index, f32) -> memref<?xf32>
  return %m : memref<?xf32>
}
)mlir";
  expectRefused(sizeOfFilled, {{{"@f(%n, %v) :", "@f(%k, %v) :"}}});
  constexpr char sizeOfFilledTensor[] = R"mlir(
func.func private @f(%n: index, %v: f32) -> tensor<?xf32> {
  %m = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%v : f32) outs(%m : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @main(%n: index, %k: index, %v: f32) -> tensor<?xf32> {
  %m = call @f(%n, %v) : (index, f32) -> tensor<?xf32>
  return %m : tensor<?xf32>
}
)mlir";
  expectRefused(sizeOfFilledTensor, {{{"@f(%n, %v) :", "@f(%k, %v) :"}}});
  constexpr char sizeReadBack[] = R"mlir(
func.func private @f(%m: memref<?xf32>, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  linalg.fill ins(%v : f32) outs(%m : memref<?xf32>)
  %s = memref.alloc() : memref<f32>
  linalg.fill ins(%v : f32) outs(%s : memref<f32>)
  linalg.reduce { arith.addf } ins(%m : memref<?xf32>) outs(%s : memref<f32>) dimensions = [0]
  %r = memref.load %s[] : memref<f32>
  return %r : f32
}
func.func @main(%n: index, %k: index, %v: f32) -> f32 {
  %m = memref.alloc(%n) : memref<?xf32>
  %o = memref.alloc(%k) : memref<?xf32>
  %r = call @f(%m, %v) : (memref<?xf32>, f32) -> f32
  return %r : f32
}
)mlir";
  expectRefused(sizeReadBack, {{{"@f(%m, %v)", "@f(%o, %v)"}}});
}

TEST(CallFaults, AReturnedArgumentIsThatArgument) {
  constexpr char returnedOwnArgument[] = R"mlir(
func.func @main(%a: memref<4xf32> {llvm.noalias}, %b: memref<4xf32> {llvm.noalias}, %v: f32) -> memref<4xf32> {
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
  return %a : memref<4xf32>
}
)mlir";
  expectRefused(returnedOwnArgument,
                {{{"return %a", "return %b"}},
                 {{"  return %a",
                   "  %c = memref.alloc() : memref<4xf32>\n  memref.copy %a, "
                   "%c : memref<4xf32> to memref<4xf32>\n  return %c"}}});
}

TEST(CallFaults, ViewsOfOneBufferMayOverlap) {
  constexpr char overlap2[] = R"mlir(
func.func private @f(%a: memref<4xf32, strided<[1], offset: ?>>, %b: memref<4xf32, strided<[1], offset: ?>>) -> f32 {
  %i = arith.constant 3 : index
  linalg.exp ins(%a : memref<4xf32, strided<[1], offset: ?>>) outs(%b : memref<4xf32, strided<[1], offset: ?>>)
  %o = memref.alloc() : memref<4xf32>
  memref.copy %b, %o : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  %r = memref.load %o[%i] : memref<4xf32>
  return %r : f32
}
func.func @main(%x: memref<16xf32> {llvm.noalias}, %p: index, %q: index) -> f32 {
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<16xf32>
  memref.copy %x, %m : memref<16xf32> to memref<16xf32>
  %a = memref.subview %m[0] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 0>>
  %z = memref.cast %a : memref<4xf32, strided<[1], offset: 0>> to memref<4xf32, strided<[1], offset: ?>>
  %b = memref.subview %m[%c8] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %d = memref.subview %m[%c1] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %r = call @f(%z, %b) : (memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) -> f32
  return %r : f32
}
)mlir";
  expectRefused(overlap2, {{{"@f(%z, %b)", "@f(%z, %d)"}}});
  constexpr char overlapCopy[] = R"mlir(
func.func @main(%x: memref<16xf32> {llvm.noalias}, %p: index, %q: index) -> f32 {
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<16xf32>
  memref.copy %x, %m : memref<16xf32> to memref<16xf32>
  %a = memref.subview %m[0] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 0>>
  %b = memref.subview %m[%c8] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %d = memref.subview %m[%c1] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.copy %a, %b : memref<4xf32, strided<[1], offset: 0>> to memref<4xf32, strided<[1], offset: ?>>
  %o = memref.alloc() : memref<4xf32>
  memref.copy %b, %o : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  %r = memref.load %o[%c3] : memref<4xf32>
  return %r : f32
}
)mlir";
  expectRefused(overlapCopy, {{{"memref.copy %a, %b", "memref.copy %a, %d"},
                               {"memref.copy %b, %o", "memref.copy %d, %o"}}});
}

TEST(CallFaults, StridesThatNobodyKnowsAreThoseOfOneBuffer) {
  constexpr char strideLayout[] = R"mlir(
func.func @main(%a: memref<2x2xf32, strided<[?, ?]>> {llvm.noalias}, %b: memref<2x2xf32, strided<[?, ?]>> {llvm.noalias}) -> f32 {
  %i = arith.constant 1 : index
  memref.copy %a, %b : memref<2x2xf32, strided<[?, ?]>> to memref<2x2xf32, strided<[?, ?]>>
  %p = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [1] : memref<2x2xf32, strided<[?, ?]>> to memref<4xf32>
  %r = memref.load %p[%i] : memref<4xf32>
  return %r : f32
}
)mlir";
  expectRefused(strideLayout,
                {{{"reinterpret_cast %a", "reinterpret_cast %b"}}});
}

TEST(CallFaults, BuffersThatOthersNameMayBeOne) {
  constexpr char program[] = R"mlir(
func.func private @ext() -> memref<4x4xf32>
func.func @main(%a: memref<4x4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %z = arith.constant 0 : index
  %m = memref.alloc() : memref<4x4xf32>
  %b = call @ext() : () -> memref<4x4xf32>
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%m : memref<4x4xf32>) permutation = [1, 0]
  %r = memref.load %m[%i, %z] : memref<4x4xf32>
  memref.dealloc %b : memref<4x4xf32>
  return %r : f32
}
)mlir";
  expectRefused(program, {{{"outs(%m", "outs(%b"}, {"load %m", "load %b"}}});
}

TEST(CallFaults, ConstantsAreNotWritten) {
  constexpr char program[] = R"mlir(
memref.global "private" constant @k : memref<4xf32> = dense<1.0>
func.func private @f(%m: memref<4xf32>, %v: f32) {
  %i = arith.constant 1 : index
  %g = memref.get_global @k : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return
}
func.func @main(%m: memref<4xf32>, %v: f32) {
  call @f(%m, %v) : (memref<4xf32>, f32) -> ()
  return
}
)mlir";
  expectRefused(program, {{{"memref.store %v, %m", "memref.store %v, %g"}}});
}

TEST(CallFaults, AnUnknownCalleeMayWriteABufferBeforeItReadsItsTensor) {
  constexpr char program[] = R"mlir(
func.func private @ext(tensor<4xf32>, memref<4xf32>) -> f32
func.func private @g(%t: tensor<4xf32>, %m: memref<4xf32>) -> f32 {
  %r = call @ext(%t, %m) : (tensor<4xf32>, memref<4xf32>) -> f32
  return %r : f32
}
func.func @main(%x: tensor<4xf32>, %v: f32) -> f32 {
  %a = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %b = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %m = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32>
  %r = call @g(%a, %m) : (tensor<4xf32>, memref<4xf32>) -> f32
  return %r : f32
}
)mlir";
  expectRefused(program, {{{"@g(%a, %m)", "@g(%b, %m)"}}});
}

TEST(CallFaults, ADestinationThatABufferShowsIsWritten) {
  constexpr char program[] = R"mlir(
func.func private @show(%t: tensor<4xf32>) -> memref<4xf32> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  return %m : memref<4xf32>
}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %i = arith.constant 1 : index
  %a = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %m = call @show(%a) : (tensor<4xf32>) -> memref<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.sub ins(%y, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = memref.load %m[%i] : memref<4xf32>
  return %s, %r : tensor<4xf32>, f32
}
)mlir";
  expectRefused(program, {{{"outs(%e", "outs(%a"}}});
}

} // namespace
