//===- EquivalenceEndsTest.cpp - who frees what, and when -----------------===//
//
// Each row is two bodies of one function, as text in which ~old~new~ stands for
// `old` in the first and for `new` in the second.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "pebble/Planning/Equivalence.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::test;

namespace {

struct Pair {
  const char *name;
  const char *body;
};

/// %m and %n may be one buffer, %p is nobody else's, %g is the function's own.
const char *kHead = R"mlir(
func.func private @make() -> memref<8xf32>
func.func private @keep(memref<8xf32>)
memref.global @v : memref<8xf32>
memref.global @w : memref<8xf32>
func.func @main(%m: memref<8xf32>, %n: memref<8xf32>,
                %p: memref<8xf32> {llvm.noalias},
                %g: memref<8xf32> {pebble.donated}, %c: i1, %x: f32) -> f32 {
  %i = arith.constant 0 : index
  %t = memref.alloc() : memref<8xf32>
  %u = memref.alloc() : memref<8xf32>
)mlir";

/// Whether the check takes @main with `after` for @main with `before`.
bool isSame(const std::string &before, const std::string &after) {
  Program program(kHead + after + "}\n");
  OwningOpRef<ModuleOp> original =
      parseSourceString<ModuleOp>(kHead + before + "}\n", &program.mlirContext);
  if (!original || !program.module) {
    ADD_FAILURE() << "does not parse";
    return false;
  }
  ProgramContext context;
  bool same = succeeded(checkEquivalence(original->lookupSymbol("main"),
                                         program.getFunction(), context));
  EXPECT_EQ(same, program.diagnostics.empty()) << program.diagnostics;
  return same;
}

/// The first body of a row is a program, and the second is another.
void expectDifferent(ArrayRef<Pair> pairs) {
  for (const Pair &pair : pairs) {
    std::string before = getSide(pair.body, false);
    EXPECT_TRUE(isSame(before, before)) << pair.name;
    EXPECT_FALSE(isSame(before, getSide(pair.body, true))) << pair.name;
  }
}

TEST(EquivalenceEnds, WhatNoStepNamesIsFreedAsItWas) {
  expectDifferent({
      {"another argument", R"mlir(
  cf.br ^b
^b:
  memref.dealloc ~%m~%n~ : memref<8xf32>
  return %x : f32)mlir"},
      {"an argument that nobody freed", R"mlir(
  cf.br ^b
^b:
  ~~memref.dealloc %p : memref<8xf32>~
  return %x : f32)mlir"},
      {"an argument for a buffer of the function", R"mlir(
  cf.br ^b
^b:
  memref.dealloc ~%t~%m~ : memref<8xf32>
  return %x : f32)mlir"},
      {"an argument for one that is owned", R"mlir(
  cf.br ^b
^b:
  memref.dealloc ~%g~%m~ : memref<8xf32>
  return %x : f32)mlir"},
      {"a view of another", R"mlir(
  %s = memref.cast ~%t~%m~ : memref<8xf32> to memref<?xf32>
  cf.br ^b
^b:
  memref.dealloc %s : memref<?xf32>
  return %x : f32)mlir"},
      {"another global", R"mlir(
  %s = memref.get_global @~v~w~ : memref<8xf32>
  cf.br ^b
^b:
  memref.dealloc %s : memref<8xf32>
  return %x : f32)mlir"},
      {"twice", R"mlir(
  cf.br ^b
^b:
  memref.dealloc %t : memref<8xf32>
  memref.dealloc ~%u~%t~ : memref<8xf32>
  return %x : f32)mlir"},
      {"on another way", R"mlir(
  cf.cond_br %c, ^b, ^d
^b:
  ~memref.dealloc %m : memref<8xf32>~~
  cf.br ^e
^d:
  ~~memref.dealloc %m : memref<8xf32>~
  cf.br ^e
^e:
  return %x : f32)mlir"},
      {"before a read of what may be the same", R"mlir(
  cf.br ^b
^b:
  ~~memref.dealloc %m : memref<8xf32>~
  %r = memref.load %n[%i] : memref<8xf32>
  ~memref.dealloc %m : memref<8xf32>~~
  return %r : f32)mlir"},
      {"before an effect", R"mlir(
  cf.br ^b
^b:
  ~~memref.dealloc %m : memref<8xf32>~
  call @keep(%n) : (memref<8xf32>) -> ()
  ~memref.dealloc %m : memref<8xf32>~~
  return %x : f32)mlir"},
  });
}

TEST(EquivalenceEnds, OneOfSeveralMayBeTheOneThatIsFreed) {
  expectDifferent({
      {"nothing was", R"mlir(
  %s = arith.select %c, %m, %p : memref<8xf32>
  ~~memref.dealloc %s : memref<8xf32>~
  return %x : f32)mlir"},
      {"the other one", R"mlir(
  %s = arith.select %c, ~%m, %p~%p, %m~ : memref<8xf32>
  memref.dealloc %s : memref<8xf32>
  return %x : f32)mlir"},
      {"an argument before it is read", R"mlir(
  %s = arith.select %c, %m, %p : memref<8xf32>
  ~~memref.dealloc %s : memref<8xf32>~
  %r = memref.load %p[%i] : memref<8xf32>
  ~memref.dealloc %s : memref<8xf32>~~
  return %r : f32)mlir"},
      {"a buffer of the function before it is read", R"mlir(
  memref.store %x, %t[%i] : memref<8xf32>
  %s = arith.select %c, %t, %u : memref<8xf32>
  ~~memref.dealloc %s : memref<8xf32>~
  %r = memref.load %t[%i] : memref<8xf32>
  ~memref.dealloc %s : memref<8xf32>~~
  return %r : f32)mlir"},
  });
}

TEST(EquivalenceEnds, OthersSeeTheEndOfTheirMemory) {
  expectDifferent({
      {"before a read under another name", R"mlir(
  ~~memref.dealloc %m : memref<8xf32>~
  %r = memref.load %n[%i] : memref<8xf32>
  ~memref.dealloc %m : memref<8xf32>~~
  return %r : f32)mlir"},
      {"before an effect", R"mlir(
  ~~memref.dealloc %m : memref<8xf32>~
  call @keep(%n) : (memref<8xf32>) -> ()
  ~memref.dealloc %m : memref<8xf32>~~
  return %x : f32)mlir"},
      {"what a callee may have kept", R"mlir(
  call @keep(%t) : (memref<8xf32>) -> ()
  ~~memref.dealloc %t : memref<8xf32>~
  return %x : f32)mlir"},
      {"what a callee made", R"mlir(
  %s = call @make() : () -> memref<8xf32>
  ~~memref.dealloc %s : memref<8xf32>~
  return %x : f32)mlir"},
      {"the other one that a callee made", R"mlir(
  %s = call @make() : () -> memref<8xf32>
  %r = call @make() : () -> memref<8xf32>
  memref.dealloc ~%s~%r~ : memref<8xf32>
  return %x : f32)mlir"},
  });
}

TEST(EquivalenceEnds, FreesOfOwnBuffersMayMove) {
  for (const char *body : {R"mlir(
  memref.store %x, %t[%i] : memref<8xf32>
  %r = memref.load %t[%i] : memref<8xf32>
  ~~memref.dealloc %t : memref<8xf32>~
  memref.store %r, %p[%i] : memref<8xf32>
  ~memref.dealloc %t : memref<8xf32>~~
  return %r : f32)mlir",
                           R"mlir(
  memref.store %x, %t[%i] : memref<8xf32>
  %s = arith.select %c, %t, %u : memref<8xf32>
  %r = memref.load %t[%i] : memref<8xf32>
  ~~memref.dealloc %s : memref<8xf32>~
  memref.store %r, %p[%i] : memref<8xf32>
  ~memref.dealloc %s : memref<8xf32>~~
  return %r : f32)mlir",
                           R"mlir(
  ~memref.dealloc %g : memref<8xf32>~~
  call @keep(%t) : (memref<8xf32>) -> ()
  ~~memref.dealloc %g : memref<8xf32>~
  return %x : f32)mlir"})
    EXPECT_TRUE(isSame(getSide(body, false), getSide(body, true))) << body;
}

} // namespace
