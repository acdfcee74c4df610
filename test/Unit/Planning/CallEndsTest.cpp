//===- CallEndsTest.cpp - ends, promises and risks through calls -----------===//
//
// Changes that free too early or twice, promise more than the program did, or
// may fail where it did not: each must be refused.
//
//===----------------------------------------------------------------------===//

#include "CompareMains.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

TEST(CallEnds, MemoryEndsOnce) {
  constexpr char freeInRegion[] = R"mlir(
func.func private @f(%m: memref<4xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<4xf32>
  }
  return
}
func.func @main(%c: i1) {
  %m = memref.alloc() : memref<4xf32>
  call @f(%m, %c) : (memref<4xf32>, i1) -> ()
  return
}
)mlir";
  expectRefused(
      freeInRegion,
      {{{"  return\n}\nfunc.func @main",
         "  memref.dealloc %m : memref<4xf32>\n  return\n}\nfunc.func @main"}},
       {{"    memref.dealloc %m : memref<4xf32>",
         "    memref.dealloc %m : memref<4xf32>\n    memref.dealloc %m : "
         "memref<4xf32>"}}});
  constexpr char freeInLoop[] = R"mlir(
func.func @main(%n: index) {
  %z = arith.constant 0 : index
  %i = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  scf.for %k = %z to %n step %i {
  }
  return
}
)mlir";
  expectRefused(
      freeInLoop,
      {{{"step %i {\n", "step %i {\n memref.dealloc %m : memref<4xf32>\n"}}});
  constexpr char freeInBlocksCallee[] = R"mlir(
func.func private @f(%m: memref<4xf32>, %c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  memref.dealloc %m : memref<4xf32>
  cf.br ^b
^b:
  return
}
func.func @main(%c: i1) {
  %m = memref.alloc() : memref<4xf32>
  call @f(%m, %c) : (memref<4xf32>, i1) -> ()
  return
}
)mlir";
  expectRefused(freeInBlocksCallee,
                {{{"  call @f(%m, %c) : (memref<4xf32>, i1) -> ()",
                   "  call @f(%m, %c) : (memref<4xf32>, i1) -> ()\n  "
                   "memref.dealloc %m : memref<4xf32>"}}});
  constexpr char useAfterDrop[] = R"mlir(
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = math.sin %x : tensor<4xf32>
  %e = math.exp %s : tensor<4xf32>
  %y = arith.mulf %e, %s : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
)mlir";
  expectRefused(useAfterDrop, {{{"  %y = arith.mulf %e, %s",
                                 "  bufferization.dealloc_tensor %s : "
                                 "tensor<4xf32>\n  %y = arith.mulf %e, %s"}}});
}

TEST(CallEnds, TheStackOfACalleeEndsWithIt) {
  constexpr char allocaReturned[] = R"mlir(
func.func private @f(%v: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}
func.func @main(%v: f32) -> f32 {
  %i = arith.constant 1 : index
  %m = call @f(%v) : (f32) -> memref<4xf32>
  %r = memref.load %m[%i] : memref<4xf32>
  return %r : f32
}
)mlir";
  expectRefused(allocaReturned, {{{"memref.alloc()", "memref.alloca()"}}});
}

TEST(CallEnds, CalleesPromiseWhatTheyDid) {
  constexpr char calleeClaimsNoalias[] = R"mlir(
func.func private @f(%m: memref<4xf32>, %n: memref<4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %v = memref.load %m[%i] : memref<4xf32>
  %k = arith.constant 3.0 : f32
  memref.store %k, %n[%i] : memref<4xf32>
  %w = memref.load %m[%i] : memref<4xf32>
  %r = arith.addf %v, %w : f32
  return %r : f32
}
func.func @main(%m: memref<4xf32>) -> f32 {
  %r = call @f(%m, %m) : (memref<4xf32>, memref<4xf32>) -> f32
  return %r : f32
}
)mlir";
  expectRefused(calleeClaimsNoalias,
                {{{"@f(%m: memref<4xf32>, %n: memref<4xf32>)",
                   "@f(%m: memref<4xf32> {llvm.noalias}, %n: memref<4xf32> "
                   "{llvm.noalias})"}}});
  constexpr char calleeClaimsDonated[] = R"mlir(
func.func private @f(%m: memref<4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}
func.func @main(%m: memref<4xf32> {llvm.noalias}, %n: memref<4xf32>) -> f32 {
  %r = call @f(%m) : (memref<4xf32>) -> f32
  %s = call @f(%m) : (memref<4xf32>) -> f32
  %t = arith.addf %r, %s : f32
  return %t : f32
}
)mlir";
  expectRefused(
      calleeClaimsDonated,
      {{{"@f(%m: memref<4xf32>)", "@f(%m: memref<4xf32> {pebble.donated})"}},
       {{"%m: memref<4xf32> {llvm.noalias}",
         "%m: memref<4xf32> {pebble.donated}"}}});
  constexpr char wholePromise[] = R"mlir(
func.func private @f(%m: memref<4xf32>, %c: i1) {
  scf.if %c {
    linalg.exp ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  }
  return
}
func.func @main(%m: memref<4xf32> {llvm.noalias}, %c: i1) {
  call @f(%m, %c) : (memref<4xf32>, i1) -> ()
  return
}
)mlir";
  expectRefused(wholePromise, {{{"@f(%m: memref<4xf32>",
                                 "@f(%m: memref<4xf32> {llvm.readonly}"}}});
  constexpr char assume[] = R"mlir(
func.func private @f(%m: memref<4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %d = memref.load %m[%i] : memref<4xf32>
  return %d : f32
}
func.func @main(%m: memref<4xf32>) -> f32 {
  %q = call @f(%m) : (memref<4xf32>) -> f32
  return %q : f32
}
)mlir";
  expectRefused(assume, {{{"  %d = memref.load",
                           "  %z = memref.assume_alignment %m, 4096 : "
                           "memref<4xf32>\n  %d = memref.load"}}});
}

TEST(CallEnds, TheFunctionPromisesWhatItDid) {
  constexpr char noaliasToDonated[] = R"mlir(
func.func @main(%m: memref<4xf32> {llvm.noalias}, %v: f32) {
  %i = arith.constant 1 : index
  memref.store %v, %m[%i] : memref<4xf32>
  return
}
)mlir";
  expectRefused(noaliasToDonated,
                {{{"{llvm.noalias}", "{pebble.donated}"},
                  {"  memref.store %v, %m[%i] : memref<4xf32>\n", ""}}});
  constexpr char mainPromise[] = R"mlir(
func.func @main(%m: memref<4xf32> {llvm.noalias}, %c: i1) {
  linalg.exp ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  return
}
)mlir";
  expectRefused(mainPromise,
                {{{"{llvm.noalias}", "{llvm.noalias, llvm.readonly}"}}});
}

TEST(CallEnds, WhatMayFailFailedThereBefore) {
  constexpr char newFailing[] = R"mlir(
func.func private @f(%a: i32, %b: i32) -> i32 {
  %q = arith.addi %a, %b : i32
  return %q : i32
}
func.func @main(%a: i32, %b: i32) -> i32 {
  %q = call @f(%a, %b) : (i32, i32) -> i32
  return %q : i32
}
)mlir";
  expectRefused(newFailing,
                {{{"  %q = arith.addi",
                   "  %d = arith.divsi %a, %b : i32\n  %q = arith.addi"}}});
  constexpr char failingOutOfBranch[] = R"mlir(
func.func private @f(%a: i32, %b: i32, %c: i1) -> i32 {
  %q = scf.if %c -> i32 {
    %d = arith.divsi %a, %b : i32
    scf.yield %d : i32
  } else {
    scf.yield %a : i32
  }
  return %q : i32
}
func.func @main(%a: i32, %b: i32, %c: i1) -> i32 {
  %q = call @f(%a, %b, %c) : (i32, i32, i1) -> i32
  return %q : i32
}
)mlir";
  expectRefused(
      failingOutOfBranch,
      {{{"  %q = scf.if", "  %d = arith.divsi %a, %b : i32\n  %q = scf.if"},
        {"    %d = arith.divsi %a, %b : i32\n", ""}}});
  constexpr char failingInLoop[] = R"mlir(
func.func private @f(%a: i32, %b: i32) -> i32 {
  %z = arith.constant 0 : i32
  %c = arith.cmpi ne, %b, %z : i32
  cf.assert %c, "zero"
  %d = arith.divsi %a, %b : i32
  return %d : i32
}
func.func @main(%a: i32, %b: i32, %n: index) -> i32 {
  %z = arith.constant 0 : index
  %i = arith.constant 1 : index
  %q = scf.for %k = %z to %n step %i iter_args(%s = %a) -> i32 {
    %q = func.call @f(%s, %b) : (i32, i32) -> i32
    scf.yield %q : i32
  }
  return %q : i32
}
)mlir";
  expectRefused(failingInLoop,
                {{{"  cf.assert %c, \"zero\"\n", ""},
                  {"  return %d", "  cf.assert %c, \"zero\"\n  return %d"}}});
  constexpr char loadBeforeAssert[] = R"mlir(
func.func private @f(%m: memref<?xf32>, %i: index, %n: index) -> f32 {
  %c = arith.cmpi ult, %i, %n : index
  cf.assert %c, "outside"
  %d = memref.load %m[%i] : memref<?xf32>
  return %d : f32
}
func.func @main(%m: memref<?xf32>, %i: index) -> f32 {
  %z = arith.constant 0 : index
  %n = memref.dim %m, %z : memref<?xf32>
  %q = call @f(%m, %i, %n) : (memref<?xf32>, index, index) -> f32
  return %q : f32
}
)mlir";
  expectRefused(
      loadBeforeAssert,
      {{{"  cf.assert %c, \"outside\"\n", ""},
        {"  return %d", "  cf.assert %c, \"outside\"\n  return %d"}}});
}

TEST(CallEnds, NoLoopIsAddedThatMayNotEnd) {
  constexpr char newEndless[] = R"mlir(
func.func private @f(%a: i32, %b: i32) -> i32 {
  %q = arith.addi %a, %b : i32
  return %q : i32
}
func.func @main(%a: i32, %b: i32) -> i32 {
  %q = call @f(%a, %b) : (i32, i32) -> i32
  return %q : i32
}
)mlir";
  expectRefused(
      newEndless,
      {{{"  %q = arith.addi", "  scf.while : () -> () {\n    %t = "
                              "arith.constant true\n    scf.condition(%t)\n  } "
                              "do {\n    scf.yield\n  }\n  %q = arith.addi"}}});
}

TEST(CallEnds, ATensorIsWrittenInPlaceWhereItMightBe) {
  constexpr char program[] = R"mlir(
func.func private @f(%m: memref<4xf32>, %v: f32) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %y = linalg.fill ins(%v : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%m: memref<4xf32>, %v: f32) -> tensor<4xf32> {
  %y = call @f(%m, %v) : (memref<4xf32>, f32) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
)mlir";
  expectRefused(program, {{{"restrict :", "restrict writable :"}}});
}

TEST(CallEnds, TheStackOfARegionEndsWithIt) {
  constexpr char program[] = R"mlir(
func.func @main(%v: f32) -> f32 {
  %i = arith.constant 1 : index
  %m = scf.execute_region -> memref<4xf32> {
    %k = memref.alloc() : memref<4xf32>
    memref.store %v, %k[%i] : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %r = memref.load %m[%i] : memref<4xf32>
  return %r : f32
}
)mlir";
  expectRefused(program, {{{"memref.alloc()", "memref.alloca()"}}});
}

TEST(CallEnds, NothingIsMadeOfASizeThatWasNone) {
  constexpr char program[] = R"mlir(
func.func private @f(%n: index, %v: f32) -> f32 {
  %i = arith.constant 1 : index
  %k = arith.addi %n, %i : index
  %m = memref.alloc(%k) : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  %t = tensor.empty(%n) : tensor<?xf32>
  %u = linalg.fill ins(%v : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %w = tensor.extract %u[%i] : tensor<?xf32>
  return %w : f32
}
func.func @main(%n: index, %v: f32) -> f32 {
  %w = call @f(%n, %v) : (index, f32) -> f32
  return %w : f32
}
)mlir";
  expectRefused(program,
                {{{"arith.addi", "arith.subi"}},
                 {{"%t = tensor.empty(%n) : tensor<?xf32>",
                   "%x = arith.subi %n, %k : index\n  %z = tensor.empty(%x) : "
                   "tensor<?xf32>\n  %t = tensor.empty(%n) : tensor<?xf32>"}}});
}

TEST(CallEnds, NobodyGivesABufferAwayInALoop) {
  constexpr char program[] = R"mlir(
func.func private @f(%m: memref<4xf32>) -> f32 {
  %i = arith.constant 1 : index
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}
func.func @main(%n: index, %v: f32) -> f32 {
  %z = arith.constant 0 : index
  %i = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  %r = scf.for %k = %z to %n step %i iter_args(%s = %v) -> f32 {
    %q = func.call @f(%m) : (memref<4xf32>) -> f32
    %t = arith.addf %s, %q : f32
    scf.yield %t : f32
  }
  memref.dealloc %m : memref<4xf32>
  return %r : f32
}
)mlir";
  expectRefused(program, {{{"@f(%m: memref<4xf32>)",
                            "@f(%m: memref<4xf32> {pebble.donated})"}}});
}

} // namespace
