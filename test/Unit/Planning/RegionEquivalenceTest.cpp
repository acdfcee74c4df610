//===- RegionEquivalenceTest.cpp - branches and loops that run again ------===//
//
// A branch, a loop and a task that keep a tape, the same with a second run in
// the place of the tape, and faults that look like it: each must be refused.
//
//===----------------------------------------------------------------------===//

#include "CompareMains.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

/// `program` with `fault` in the place of what stands there once.
std::string seed(StringRef program, StringRef right, StringRef fault) {
  size_t at = program.find(right);
  EXPECT_NE(at, StringRef::npos) << right.str();
  EXPECT_EQ(program.find(right, at + 1), StringRef::npos) << right.str();
  return (program.take_front(at) + fault +
          program.drop_front(at + right.size()))
      .str();
}

/// What is said of two programs that parse.
std::string compare(StringRef before, StringRef after) {
  std::string said = compareMains(before, after);
  EXPECT_FALSE(StringRef(said).starts_with("does not parse")) << said;
  return said;
}

struct Fault {
  const char *what, *right, *wrong;
};

void refuse(StringRef before, StringRef after, ArrayRef<Fault> faults) {
  EXPECT_EQ(compare(before, before), "");
  EXPECT_EQ(compare(before, after), "");
  for (const Fault &fault : faults)
    EXPECT_NE(compare(before, seed(after, fault.right, fault.wrong)), "")
        << fault.what;
}

TEST(RegionEquivalence, ABranchRunsAgain) {
  refuse(R"mlir(
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %go: i1, %no: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %t = scf.if %go -> (tensor<4xf32>, tensor<4xf32>) {
    %a = math.sin %x : tensor<4xf32>
    %c = math.cos %x : tensor<4xf32>
    scf.yield %a, %c : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %x, %w : tensor<4xf32>, tensor<4xf32>
  }
  %e = math.exp %y : tensor<4xf32>
  %g = arith.mulf %e, %t : tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
})mlir",
         R"mlir(
func.func private @plain(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> tensor<4xf32> {
    %a = math.sin %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
func.func private @again(%c: i1, %x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %t = scf.if %c -> tensor<4xf32> {
    %b = math.cos %x : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } else {
    scf.yield %w : tensor<4xf32>
  }
  return %t : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %go: i1, %no: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = call @plain(%go, %x) : (i1, tensor<4xf32>) -> tensor<4xf32>
  %e = math.exp %y : tensor<4xf32>
  %t = call @again(%go, %x, %w) : (i1, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = arith.mulf %e, %t : tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
})mlir",
         {{"another condition", "@again(%go", "@again(%no"},
          {"another argument", "@again(%go, %x", "@again(%go, %y"},
          {"another branch", "yield %w", "yield %x"},
          {"another step", "math.cos %x", "math.sin %x"},
          {"the branches swapped in the first run",
           "scf.yield %a : tensor<4xf32>\n  } else {\n    scf.yield %x",
           "scf.yield %x : tensor<4xf32>\n  } else {\n    scf.yield %x"}});
}

TEST(RegionEquivalence, ALoopRunsAgain) {
  refuse(R"mlir(
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %s: tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %u, %y, %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%o = %w, %v = %x, %st = %s) -> (tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) {
    %a = math.sin %v : tensor<4xf32>
    %c = math.cos %v : tensor<4xf32>
    %n = tensor.insert_slice %c into %st[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<3x4xf32>
    %p = arith.addf %o, %c : tensor<4xf32>
    scf.yield %p, %a, %n : tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>
  }
  return %y, %t : tensor<4xf32>, tensor<3x4xf32>
})mlir",
         R"mlir(
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %s: tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%f = %x) -> (tensor<4xf32>) {
    %a = math.sin %f : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  %z, %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x, %st = %s) -> (tensor<4xf32>, tensor<3x4xf32>) {
    %a = math.sin %v : tensor<4xf32>
    %c = math.cos %v : tensor<4xf32>
    %n = tensor.insert_slice %c into %st[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<3x4xf32>
    scf.yield %a, %n : tensor<4xf32>, tensor<3x4xf32>
  }
  return %y, %t : tensor<4xf32>, tensor<3x4xf32>
})mlir",
         {{"what the first run began with", "%f = %x", "%f = %w"},
          {"what the first run ended with", "(%v = %x", "(%v = %y"},
          {"another element of the tape", "%st[%i, 0]", "%st[%c0, 0]"},
          {"a round less", "step %c1 iter_args(%v", "step %c3 iter_args(%v"},
          {"another step", "math.cos %v", "math.sin %v"},
          {"the tape of the round behind", "math.cos %v", "math.cos %a"}});
}

TEST(RegionEquivalence, ALoopWithoutAKnownEndRunsAgain) {
  refuse(R"mlir(
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %m: index) -> (tensor<4xf32>, tensor<4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y, %t, %n = scf.while (%v = %x, %s = %w, %i = %c0) : (tensor<4xf32>, tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>, index) {
    %go = arith.cmpi slt, %i, %m : index
    scf.condition(%go) %v, %s, %i : tensor<4xf32>, tensor<4xf32>, index
  } do {
  ^bb0(%v: tensor<4xf32>, %s: tensor<4xf32>, %i: index):
    %a = math.sin %v : tensor<4xf32>
    %b = arith.addf %s, %v : tensor<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %a, %b, %j : tensor<4xf32>, tensor<4xf32>, index
  }
  return %y, %t, %n : tensor<4xf32>, tensor<4xf32>, index
})mlir",
         R"mlir(
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %m: index) -> (tensor<4xf32>, tensor<4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y, %n = scf.while (%f = %x, %i = %c0) : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
    %go = arith.cmpi slt, %i, %m : index
    scf.condition(%go) %f, %i : tensor<4xf32>, index
  } do {
  ^bb0(%f: tensor<4xf32>, %i: index):
    %a = math.sin %f : tensor<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %a, %j : tensor<4xf32>, index
  }
  %z, %t, %l = scf.while (%v = %x, %s = %w, %k = %c0) : (tensor<4xf32>, tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>, index) {
    %go = arith.cmpi slt, %k, %m : index
    scf.condition(%go) %v, %s, %k : tensor<4xf32>, tensor<4xf32>, index
  } do {
  ^bb0(%v: tensor<4xf32>, %s: tensor<4xf32>, %k: index):
    %a = math.sin %v : tensor<4xf32>
    %b = arith.addf %s, %v : tensor<4xf32>
    %j = arith.addi %k, %c1 : index
    scf.yield %a, %b, %j : tensor<4xf32>, tensor<4xf32>, index
  }
  return %y, %t, %n : tensor<4xf32>, tensor<4xf32>, index
})mlir",
         {{"another end", "slt, %k, %m", "sle, %k, %m"},
          {"another beginning", "%s = %w", "%s = %x"},
          {"the value behind", "arith.addf %s, %v", "arith.addf %s, %a"},
          {"another first run", "math.sin %f", "math.cos %f"}});
}

TEST(RegionEquivalence, ATaskRunsAgain) {
  constexpr char kBefore[] = R"mlir(
func.func private @start(%x: tensor<4xf32>) -> (!async.value<tensor<4xf32>>, tensor<4xf32>) {
  %t, %v = async.execute -> !async.value<tensor<4xf32>> {
    %a = math.sin %x : tensor<4xf32>
    async.yield %a : tensor<4xf32>
  }
  %c = math.cos %x : tensor<4xf32>
  return %v, %c : !async.value<tensor<4xf32>>, tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %v, %c = call @start(%x) : (tensor<4xf32>) -> (!async.value<tensor<4xf32>>, tensor<4xf32>)
  %y = async.await %v : !async.value<tensor<4xf32>>
  %g = arith.mulf %y, %c : tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
})mlir";
  constexpr char kAfter[] = R"mlir(
func.func private @whole(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t, %v = async.execute -> !async.value<tensor<4xf32>> {
    %a = math.sin %x : tensor<4xf32>
    async.yield %a : tensor<4xf32>
  }
  %y = async.await %v : !async.value<tensor<4xf32>>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %first = call @whole(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %second = call @whole(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %d = math.cos %x : tensor<4xf32>
  %g = arith.mulf %second, %d : tensor<4xf32>
  return %first, %g : tensor<4xf32>, tensor<4xf32>
})mlir";
  refuse(kBefore, kAfter,
         {{"another task", "%second = call @whole(%x)",
           "%second = call @whole(%w)"},
          {"another step", "math.sin", "math.cos"}});
}

/// A task that works on memory is as good as an effect: it runs as often as it
/// did, and so does the wait for it.
TEST(RegionEquivalence, ATaskOnMemoryRunsOnce) {
  constexpr char kTask[] = "  %t = async.execute {\n"
                           "    linalg.exp ins(%m : memref<4xf32>) outs(%n : "
                           "memref<4xf32>)\n"
                           "    async.yield\n  }\n";
  auto program = [&](StringRef body) {
    return ("func.func @main(%m: memref<4xf32> {llvm.noalias}, %n: "
            "memref<4xf32> {llvm.noalias}) {\n" +
            body + "  return\n}\n")
        .str();
  };
  const std::string task = kTask, wait = "  async.await %t : !async.token\n";
  std::string other = task;
  other.replace(other.find("%t"), 2, "%u");
  EXPECT_EQ(compare(program(task + wait), program(task + wait)), "");
  EXPECT_NE(compare(program(task + wait), program(task)), "");
  EXPECT_NE(compare(program(task + wait), program(task + wait + other)), "");
}

} // namespace
