//===- EquivalenceTest.cpp - faults made by hand are all caught -----------===//

#include "Programs.h"

#include "pebble/Planning/Equivalence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::test;

namespace {

/// Takes a snapshot of @main, lets `rewrite` change it, and judges.
std::string judge(Program &program, llvm::function_ref<void()> rewrite) {
  ProgramContext context;
  EquivalenceChecker checker(program.getBlock(), context);
  rewrite();
  bool same = succeeded(checker.verify());
  EXPECT_EQ(same, program.diagnostics.empty());
  return program.diagnostics;
}

const char *kTensors = R"mlir(
func.func @main(%w: tensor<8xf32> {pebble.donated, pebble.name = "w"}, %x: tensor<8xf32> {pebble.name = "x"})
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> loc("first")
  %f = bufferization.alloc_tensor() : tensor<8xf32>
  %b = linalg.mul ins(%w, %x : tensor<8xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32> loc("reader")
  %new = linalg.sub ins(%w, %a : tensor<8xf32>, tensor<8xf32>) outs(%w : tensor<8xf32>) -> tensor<8xf32> loc("update")
  %g = bufferization.alloc_tensor() : tensor<8xf32>
  %c = linalg.abs ins(%x : tensor<8xf32>) outs(%g : tensor<8xf32>) -> tensor<8xf32> loc("side")
  return %new, %b, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
})mlir";

TEST(Equivalence, NoChangeIsNone) {
  Program program(kTensors);
  EXPECT_EQ(judge(program, [] {}), "");
}

TEST(Equivalence, IndependentOpsMayChangePlaces) {
  Program program(kTensors);
  EXPECT_EQ(
      judge(program,
            [&] {
              program.getOp("side")->getOperand(1).getDefiningOp()->moveBefore(
                  program.getOp("first"));
              program.getOp("side")->moveBefore(program.getOp("first"));
            }),
      "");
}

TEST(Equivalence, ReadAfterInPlaceUpdateIsCaught) {
  Program program(kTensors);
  std::string said = judge(program, [&] {
    program.getOp("reader")->moveAfter(program.getOp("update"));
  });
  EXPECT_NE(said.find("anti-dependence broken by the rewrite: 'reader' reads w "
                      "after 'update' has overwritten it"),
            std::string::npos)
      << said;
}

TEST(Equivalence, UseBeforeItIsMadeIsCaught) {
  Program program(kTensors);
  std::string said = judge(program, [&] {
    program.getOp("update")->moveBefore(program.getOp("first"));
  });
  EXPECT_NE(
      said.find("flow dependence broken by the rewrite: 'update' uses the "
                "result of 'first' before it is made"),
      std::string::npos)
      << said;
}

TEST(Equivalence, ChangedOperandIsCaught) {
  Program program(kTensors);
  std::string said = judge(program, [&] {
    program.getOp("side")->setOperand(0, program.getOp("first")->getResult(0));
  });
  EXPECT_NE(said.find("'side' reads other content"), std::string::npos) << said;
}

TEST(Equivalence, ChangedResultIsCaught) {
  Program program(kTensors);
  std::string said = judge(program, [&] {
    Operation *end = program.getBlock().getTerminator();
    end->setOperand(1, program.getOp("side")->getResult(0));
  });
  EXPECT_NE(said.find("result #1 is another expression"), std::string::npos)
      << said;
}

TEST(Equivalence, ChangedAttributeIsCaught) {
  Program program(R"mlir(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "some.op"(%x) {alpha = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32> loc("op")
  return %a : tensor<8xf32>
})mlir");
  std::string said = judge(program, [&] {
    program.getOp("op")->setAttr(
        "alpha",
        IntegerAttr::get(IntegerType::get(&program.mlirContext, 32), 2));
  });
  EXPECT_NE(said.find("'op' computes what no op computed before"),
            std::string::npos)
      << said;
}

TEST(Equivalence, ChangedConstantIsCaught) {
  Program program(R"mlir(
func.func @main(%x: f32) -> f32 {
  %c = arith.constant 1.0 : f32 loc("constant")
  %a = arith.addf %x, %c : f32 loc("sum")
  return %a : f32
})mlir");
  std::string said = judge(program, [&] {
    program.getOp("constant")
        ->setAttr("value",
                  FloatAttr::get(Float32Type::get(&program.mlirContext), 2.0));
  });
  EXPECT_NE(said.find("the rewrite changed the program"), std::string::npos)
      << said;
}

TEST(Equivalence, PebblesOwnAttributesAreNoChange) {
  Program program(kTensors);
  EXPECT_EQ(judge(program,
                  [&] {
                    program.getOp("side")->setAttr(
                        "pebble.order",
                        IntegerAttr::get(
                            IntegerType::get(&program.mlirContext, 64), 3));
                  }),
            "");
}

TEST(Equivalence, RememberedMapsAreNoChange) {
  Program program(R"mlir(
func.func @main(%x: tensor<8xf32>, %s: tensor<f32>) -> tensor<f32> {
  %a = linalg.dot ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<f32>) -> tensor<f32> loc("op")
  return %a : tensor<f32>
})mlir");
  Operation *op = program.getOp("op");
  op->removeAttr(linalg::LinalgDialect::kMemoizedIndexingMapsAttrName);
  EXPECT_EQ(judge(program,
                  [&] {
                    (void)cast<linalg::LinalgOp>(op).getIndexingMaps();
                    EXPECT_TRUE(op->hasAttr(
                        linalg::LinalgDialect::kMemoizedIndexingMapsAttrName));
                  }),
            "");
}

TEST(Equivalence, ChangedRegionIsCaught) {
  Program program(R"mlir(
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.subf %i, %i : f32
    %s = arith.subf %r, %i : f32
    linalg.yield %s : f32
  } -> tensor<8xf32> loc("op")
  return %a : tensor<8xf32>
})mlir");
  std::string said = judge(program, [&] {
    program.getOp("op")->walk([](arith::SubFOp sub) {
      Value left = sub.getLhs(), right = sub.getRhs();
      sub->setOperands({right, left});
    });
  });
  EXPECT_NE(said.find("'op' computes what no op computed before"),
            std::string::npos)
      << said;
}

const char *kMemRefs = R"mlir(
func.func @main(%a: memref<8xf32> {llvm.noalias, pebble.name = "a"}, %b: memref<8xf32> {llvm.noalias, pebble.name = "b"}) {
  %m = memref.alloc() {pebble.name = "m"} : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%m : memref<8xf32>) loc("reader")
  linalg.abs ins(%b : memref<8xf32>) outs(%a : memref<8xf32>) loc("writer")
  linalg.exp ins(%m : memref<8xf32>) outs(%b : memref<8xf32>) loc("last")
  memref.dealloc %m : memref<8xf32> loc("free")
  return
})mlir";

TEST(Equivalence, StaleReadOfMemoryIsCaught) {
  Program program(kMemRefs);
  std::string said = judge(program, [&] {
    program.getOp("reader")->moveAfter(program.getOp("writer"));
  });
  EXPECT_NE(said.find("'reader' reads other content of a, last written by "
                      "'writer' instead of nobody"),
            std::string::npos)
      << said;
}

TEST(Equivalence, ReadBeforeWriteOfMemoryIsCaught) {
  Program program(kMemRefs);
  std::string said = judge(program, [&] {
    program.getOp("last")->moveBefore(program.getOp("reader"));
  });
  EXPECT_NE(said.find("'last' reads other content of m"), std::string::npos)
      << said;
}

TEST(Equivalence, UseAfterFreeIsCaught) {
  Program program(kMemRefs);
  std::string said = judge(program, [&] {
    program.getOp("free")->moveBefore(program.getOp("last"));
  });
  EXPECT_NE(
      said.find("storage used after its end by the rewrite: 'last' uses m "
                "after 'memref.dealloc' has freed it"),
      std::string::npos)
      << said;
}

TEST(Equivalence, OneOfSeveralBuffersMayBeGone) {
  Program program(R"mlir(
func.func @main(%c: i1, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xf32>
  %n = memref.alloc() : memref<8xf32>
  memref.store %x, %m[%c0] : memref<8xf32>
  memref.store %x, %n[%c0] : memref<8xf32>
  %s = arith.select %c, %m, %n : memref<8xf32>
  memref.dealloc %m : memref<8xf32> loc("free")
  %v = memref.load %s[%c0] : memref<8xf32> loc("load")
  return %v : f32
})mlir");
  EXPECT_EQ(judge(program, [] {}), "");
  // Later is always right, but not earlier than it was.
  EXPECT_EQ(
      judge(program,
            [&] { program.getOp("free")->moveAfter(program.getOp("load")); }),
      "");
  EXPECT_NE(
      judge(program,
            [&] { program.getOp("free")->moveBefore(program.getOp("load")); }),
      "");
}

TEST(Equivalence, LostWriteIsCaught) {
  Program program(kMemRefs);
  EXPECT_NE(judge(program, [&] { program.getOp("last")->erase(); }), "");
}

TEST(Equivalence, OrderOfWritesOfOneBufferIsKept) {
  Program program(R"mlir(
func.func @main(%a: memref<8xf32> {llvm.noalias}, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<8xf32> loc("one")
  memref.store %y, %a[%c0] : memref<8xf32> loc("two")
  return
})mlir");
  EXPECT_NE(
      judge(program,
            [&] { program.getOp("one")->moveAfter(program.getOp("two")); }),
      "");
}

TEST(Equivalence, BuffersThatMayBeOneAreOne) {
  const char *text = R"mlir(
func.func @main(%a: memref<8xf32> NOALIAS, %b: memref<8xf32> NOALIAS, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<8xf32> loc("store")
  %v = memref.load %b[%c0] : memref<8xf32> loc("load")
  return %v : f32
})mlir";
  for (bool noalias : {false, true}) {
    std::string source = text;
    for (size_t at; (at = source.find("NOALIAS")) != std::string::npos;)
      source.replace(at, 7, noalias ? "{llvm.noalias}" : "");
    Program program(source);
    std::string said = judge(program, [&] {
      program.getOp("store")->moveAfter(program.getOp("load"));
    });
    EXPECT_EQ(said.empty(), noalias) << said;
  }
}

TEST(Equivalence, OrderOfEffectsIsKept) {
  Program program(R"mlir(
func.func private @f()
func.func private @g()
func.func @main() {
  call @f() : () -> () loc("f")
  call @g() : () -> () loc("g")
  return
})mlir");
  std::string said = judge(
      program, [&] { program.getOp("f")->moveAfter(program.getOp("g")); });
  EXPECT_NE(said.find("the rewrite changed the order of effects: 'g'"),
            std::string::npos)
      << said;
}

TEST(Equivalence, DroppedEffectIsCaught) {
  Program program(R"mlir(
func.func private @f()
func.func @main() {
  call @f() : () -> () loc("f")
  return
})mlir");
  std::string said = judge(program, [&] { program.getOp("f")->erase(); });
  EXPECT_NE(said.find("number of effects from 1 to 0"), std::string::npos)
      << said;
}

TEST(Equivalence, WritesDoNotCrossEffects) {
  Program program(R"mlir(
func.func private @looks_at_memory()
func.func @main(%a: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<8xf32> loc("store")
  call @looks_at_memory() : () -> () loc("call")
  return
})mlir");
  EXPECT_NE(
      judge(program,
            [&] { program.getOp("store")->moveAfter(program.getOp("call")); }),
      "");
}

TEST(Equivalence, RecomputedClonesAreTheSame) {
  Program program(kTensors);
  EXPECT_EQ(judge(program,
                  [&] {
                    Operation *first = program.getOp("first");
                    Operation *update = program.getOp("update");
                    OpBuilder builder(update);
                    Operation *opaque = builder.create(
                        first->getLoc(),
                        StringAttr::get(&program.mlirContext, "pebble.opaque"),
                        {first->getOperand(0)},
                        {first->getOperand(0).getType()});
                    Operation *fresh =
                        builder.clone(*first->getOperand(1).getDefiningOp());
                    Operation *again = builder.clone(*first);
                    again->setOperand(0, opaque->getResult(0));
                    again->setOperand(1, fresh->getResult(0));
                    update->setOperand(1, again->getResult(0));
                  }),
            "");
}

TEST(Equivalence, CopiesAreTransparent) {
  Program program(kTensors);
  EXPECT_EQ(judge(program,
                  [&] {
                    Operation *side = program.getOp("side");
                    OpBuilder builder(side);
                    Value copy = bufferization::AllocTensorOp::create(
                        builder, side->getLoc(),
                        cast<RankedTensorType>(side->getOperand(0).getType()),
                        ValueRange(), side->getOperand(0));
                    side->setOperand(0, copy);
                  }),
            "");
}

TEST(Equivalence, HazardsThatCameInAreNamed) {
  Program program(R"mlir(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> loc("a")
  bufferization.dealloc_tensor %a : tensor<8xf32>
  %f = bufferization.alloc_tensor() : tensor<8xf32>
  %b = linalg.exp ins(%a : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32> loc("b")
  return %b : tensor<8xf32>
})mlir");
  std::string said = judge(program, [] {});
  EXPECT_NE(said.find("storage used after its end in the program that came in: "
                      "'b' uses"),
            std::string::npos)
      << said;
}

TEST(Equivalence, FunctionsAreCompared) {
  Program program(R"mlir(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.abs ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.sub ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
func.func @same(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %f = bufferization.alloc_tensor() : tensor<8xf32>
  %b = linalg.abs ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.sub ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.abs ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.sub ins(%b, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
})mlir");
  ProgramContext context;
  EXPECT_TRUE(succeeded(checkEquivalence(program.getFunction("main"),
                                         program.getFunction("same"), context)))
      << program.diagnostics;
  EXPECT_TRUE(failed(checkEquivalence(program.getFunction("main"),
                                      program.getFunction("other"), context)));
}

/// Any swap of two steps that breaks a dependence is caught, in any program;
/// any that breaks none is not.
TEST(Equivalence, EverySwapOfNeighboursIsJudgedRight) {
  for (const NamedProgram &named : kPrograms) {
    size_t count;
    {
      Program program(named.text);
      ProgramContext context;
      count = StorageAnalysis(program.getBlock(), context).getSteps().size();
    }
    for (unsigned at = 0; at + 1 < count; ++at) {
      Program program(named.text);
      Block &block = program.getBlock();
      ProgramContext context;
      StorageAnalysis storage(block, context);
      DependenceGraph graph(storage);
      std::vector<unsigned> order(count);
      for (unsigned i = 0; i < count; ++i)
        order[i] = i;
      std::swap(order[at], order[at + 1]);
      std::optional<Dependence> broken = graph.findViolation(order);
      EquivalenceChecker checker(block, context);
      Operation *first = storage.getSteps()[at].op;
      // Free ops that the later one needs go first, as a rewrite would do it.
      Operation *second = storage.getSteps()[at + 1].op;
      for (Operation &op : llvm::make_early_inc_range(block))
        if (StorageAnalysis::isFree(&op) && op.getNumResults() &&
            first->isBeforeInBlock(&op) && op.isBeforeInBlock(second))
          if (llvm::none_of(op.getOperands(), [&](Value operand) {
                return operand.getDefiningOp() == first;
              }))
            op.moveBefore(first);
      second->moveBefore(first);
      bool same = succeeded(checker.verify());
      if (!broken)
        EXPECT_TRUE(same) << named.name << " " << at << program.diagnostics;
      // An order of effects may be kept for caution alone.
      else if (broken->kind != DependenceKind::Effect)
        EXPECT_FALSE(same) << named.name << " " << at;
    }
  }
}

} // namespace
