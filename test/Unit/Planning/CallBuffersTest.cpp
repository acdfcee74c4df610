//===- CallBuffersTest.cpp - the same program, and the same buffers -------===//
//
// Programs whose callees and regions hand buffers on, and faults that confuse
// two of them: each must be refused.
//
//===----------------------------------------------------------------------===//

#include "CompareMains.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

/// `text` with `from` replaced by `to` at one place.
std::string change(StringRef text, StringRef from, StringRef to) {
  size_t at = text.find(from);
  EXPECT_NE(at, StringRef::npos) << from.str();
  return (text.take_front(at) + to + text.drop_front(at + from.size())).str();
}

constexpr char kShownTwice[] = R"mlir(
func.func private @show(%x: tensor<4xf32>) -> memref<4xf32> {
  %m = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  return %m : memref<4xf32>
}
func.func private @set(%m: memref<4xf32>, %v: f32) {
  %i = arith.constant 1 : index
  memref.store %v, %m[%i] : memref<4xf32>
  return
}
func.func private @get(%m: memref<4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}
func.func @main(%x: tensor<4xf32>, %v: f32) -> (f32, f32) {
  %a = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %b = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %m = call @show(%a) : (tensor<4xf32>) -> memref<4xf32>
  %n = call @show(%b) : (tensor<4xf32>) -> memref<4xf32>
  call @set(%m, %v) : (memref<4xf32>, f32) -> ()
  %p = call @get(%m) : (memref<4xf32>) -> f32
  %q = call @get(%n) : (memref<4xf32>) -> f32
  return %p, %q : f32, f32
}
)mlir";

TEST(CallBuffers, BuffersOfTensorsWithOneContentAreTwo) {
  EXPECT_EQ(compareMains(kShownTwice, kShownTwice), "");
  std::pair<const char *, const char *> faults[] = {
      {"@set(%m, %v)", "@set(%n, %v)"},
      {"%p = call @get(%m)", "%p = call @get(%n)"},
      {"@get(%n)", "@get(%m)"},
      {"@show(%b)", "@show(%a)"},
      {"@show(%a)", "@show(%b)"},
      {"return %p, %q", "return %q, %p"},
  };
  for (auto [from, to] : faults)
    EXPECT_NE(compareMains(kShownTwice, change(kShownTwice, from, to)), "")
        << from << " -> " << to;
}

TEST(CallBuffers, ATensorIsNotLookedAtAfterItsBufferWasWritten) {
  std::string late = change(kShownTwice, "@get(%n) : (memref<4xf32>) -> f32",
                            "@get(%m) : (memref<4xf32>) -> f32\n"
                            "  %i = arith.constant 1 : index\n"
                            "  %r = tensor.extract %b[%i] : tensor<4xf32>");
  late = change(late, "return %p, %q :", "return %p, %r :");
  EXPECT_EQ(compareMains(late, late), "");
  // The other one of both, which nobody needs, is what may be written.
  std::string mixed = change(late, "@show(%a)", "@show(%b)");
  EXPECT_NE(compareMains(late, mixed), "");
}

TEST(CallBuffers, WhatOnlyReadsItsBufferMayRunAgain) {
  constexpr char once[] = R"mlir(
func.func private @f(%x: tensor<4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %s = math.sin %x : tensor<4xf32>
  %m = bufferization.to_buffer %s read_only : tensor<4xf32> to memref<4xf32>
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}
func.func @main(%x: tensor<4xf32>) -> (f32, f32) {
  %p = call @f(%x) : (tensor<4xf32>) -> f32
  %q = arith.negf %p : f32
  return %p, %q : f32, f32
}
)mlir";
  std::string again = change(once, "%q = arith.negf %p",
                             "%r = call @f(%x) : (tensor<4xf32>) -> f32\n"
                             "  %q = arith.negf %r");
  EXPECT_EQ(compareMains(once, again), "");
  EXPECT_EQ(compareMains(again, once), "");
}

TEST(CallBuffers, AChosenBufferIsOneOfThoseThatWereThere) {
  constexpr char chosen[] = R"mlir(
func.func @main(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %m = arith.select %c, %a, %b : memref<4xf32>
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}
)mlir";
  EXPECT_EQ(compareMains(chosen, chosen), "");
  for (const char *other : {"%c, %b, %a", "%c, %a, %a", "%c, %b, %b"})
    EXPECT_NE(compareMains(chosen, change(chosen, "%c, %a, %b", other)), "")
        << other;
}

TEST(CallBuffers, SizesAndAddressesAreThoseOfOneBuffer) {
  constexpr char program[] = R"mlir(
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %o: memref<2xmemref<?xf32>>) -> (index, index, index) {
  %i = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %k = arith.addi %n, %n : index
  %l = memref.alloc(%k) : memref<?xf32>
  %d = memref.dim %a, %i : memref<?xf32>
  %e = memref.dim %m, %i : memref<?xf32>
  %p = memref.extract_aligned_pointer_as_index %b : memref<?xf32> -> index
  memref.store %a, %o[%i] : memref<2xmemref<?xf32>>
  memref.dealloc %m : memref<?xf32>
  memref.dealloc %l : memref<?xf32>
  return %d, %e, %p : index, index, index
}
)mlir";
  EXPECT_EQ(compareMains(program, program), "");
  std::pair<const char *, const char *> faults[] = {
      {"dim %a", "dim %b"},
      {"dim %m", "dim %l"},
      {"as_index %b", "as_index %a"},
      {"store %a", "store %b"},
  };
  for (auto [from, to] : faults)
    EXPECT_NE(compareMains(program, change(program, from, to)), "")
        << from << " -> " << to;
}

TEST(CallBuffers, ACopyIsAsLargeAsItWasMade) {
  constexpr char one[] = R"mlir(
func.func private @f(%m: memref<?xf32>) -> index {
  %i = arith.constant 0 : index
  %d = memref.dim %m, %i : memref<?xf32>
  return %d : index
}
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>) -> (index, index) {
  %i = arith.constant 0 : index
  %n = memref.dim %a, %i : memref<?xf32>
  %m = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %m : memref<?xf32> to memref<?xf32>
  %d = call @f(%a) : (memref<?xf32>) -> index
  %e = call @f(%b) : (memref<?xf32>) -> index
  memref.dealloc %m : memref<?xf32>
  return %d, %e : index, index
}
)mlir";
  EXPECT_EQ(compareMains(one, change(one, "@f(%a)", "@f(%m)")), "");
  EXPECT_NE(compareMains(one, change(one, "@f(%b)", "@f(%m)")), "");
}

constexpr char kPicked[] = R"mlir(
func.func private @f(%c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<4xf32>)
  %m = scf.if %c -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  %p, %q = scf.for %k = %i to %j step %j iter_args(%s = %a, %t = %m) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %t, %s : memref<4xf32>, memref<4xf32>
  }
  %u = memref.load %a[%i] : memref<4xf32>
  %v = memref.load %p[%i] : memref<4xf32>
  return %u, %v : f32, f32
}
func.func @main(%c: i1, %x: f32, %y: f32) -> (f32, f32, f32, f32) {
  %p, %q = call @f(%c, %x, %y) : (i1, f32, f32) -> (f32, f32)
  %s, %t = call @f(%c, %y, %x) : (i1, f32, f32) -> (f32, f32)
  return %p, %q, %s, %t : f32, f32, f32, f32
}
)mlir";

TEST(CallBuffers, BuffersThatRegionsHandOnStayApart) {
  EXPECT_EQ(compareMains(kPicked, kPicked), "");
  std::pair<const char *, const char *> faults[] = {
      {"load %a", "load %b"},
      {"load %p", "load %q"},
      {"load %p", "load %m"},
      {"scf.yield %a", "scf.yield %b"},
      {"scf.yield %b", "scf.yield %a"},
      {"iter_args(%s = %a", "iter_args(%s = %b"},
      {"scf.yield %t, %s", "scf.yield %s, %t"},
      {"@f(%c, %y, %x)", "@f(%c, %x, %y)"},
  };
  for (auto [from, to] : faults)
    EXPECT_NE(compareMains(kPicked, change(kPicked, from, to)), "")
        << from << " -> " << to;
}

} // namespace
