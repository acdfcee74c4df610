//===- EquivalenceKindsTest.cpp - kinds of changes that look harmless -----===//
//
// Programs that differ in what values alone do not show: how often an op runs,
// what other blocks use, what a destination held, which of two buffers alike an
// op is handed, what a callee does.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "pebble/Planning/Equivalence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::test;

namespace {

AnalysisOptions getOptions() {
  AnalysisOptions options;
  options.pure.insert("x");
  return options;
}

/// Lets `rewrite` change a copy of the program and compares the two @main.
std::string compare(StringRef text,
                    llvm::function_ref<void(Program &)> rewrite) {
  Program program(text);
  rewrite(program);
  OwningOpRef<ModuleOp> original =
      parseSourceString<ModuleOp>(text, &program.mlirContext);
  ProgramContext context(getOptions());
  bool same = succeeded(checkEquivalence(original->lookupSymbol("main"),
                                         program.getFunction(), context));
  EXPECT_EQ(same, program.diagnostics.empty());
  return program.diagnostics;
}

/// The same for a block against its own past.
std::string judge(Program &program, Block &block,
                  llvm::function_ref<void()> rewrite) {
  ProgramContext context(getOptions());
  EquivalenceChecker checker(block, context);
  rewrite();
  bool same = succeeded(checker.verify());
  EXPECT_EQ(same, program.diagnostics.empty());
  return program.diagnostics;
}

/// The first op of this name, at any depth.
Operation *find(Program &program, StringRef name) {
  Operation *found = nullptr;
  program.module->walk([&](Operation *op) {
    if (!found && op->getName().getStringRef() == name)
      found = op;
  });
  EXPECT_TRUE(found) << name.str();
  return found;
}

void runAgain(Program &program) {
  Operation *first = program.getOp("first");
  Operation *last = program.getOp("last");
  Operation *again = OpBuilder(last).clone(*first);
  last->replaceUsesOfWith(first->getResult(0), again->getResult(0));
}

TEST(EquivalenceKinds, DrawsAndMessagesAreAsOftenAsTheyWere) {
  for (StringRef op : {"x.all_gather", "x.rng_normal"}) {
    std::string text = R"mlir(
func.func @main(%t: tensor<4xf32>) -> tensor<4xf32> {
  %a = "OP"(%t) : (tensor<4xf32>) -> tensor<4xf32> loc("first")
  %b = arith.addf %t, %t : tensor<4xf32>
  %c = arith.mulf %a, %b : tensor<4xf32> loc("last")
  return %c : tensor<4xf32>
})mlir";
    text.replace(text.find("OP"), 2, op.str());
    EXPECT_EQ(compare(text, [](Program &) {}), "");
    EXPECT_NE(compare(text, runAgain), "") << op.str();
    // Where an op that is free to run twice is no difference.
    text.replace(text.find(op.str()), op.size(), "x.tanh");
    EXPECT_EQ(compare(text, runAgain), "") << op.str();
  }
}

TEST(EquivalenceKinds, DrawsInRegionsAndCalleesCount) {
  const char *inRegion = R"mlir(
func.func @main(%c: i1, %t: tensor<4xf32>) -> tensor<4xf32> {
  %a = scf.if %c -> (tensor<4xf32>) {
    %r = "x.rng"() : () -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  } loc("first")
  %c2 = arith.mulf %a, %a : tensor<4xf32> loc("last")
  return %c2 : tensor<4xf32>
})mlir";
  EXPECT_NE(compare(inRegion, runAgain), "");
  const char *inCallee = R"mlir(
func.func private @draw(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = "x.rng"() : () -> tensor<4xf32>
  %s = arith.addf %r, %t : tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func @main(%t: tensor<4xf32>) -> tensor<4xf32> {
  %a = call @draw(%t) : (tensor<4xf32>) -> tensor<4xf32> loc("first")
  %c = arith.mulf %a, %a : tensor<4xf32> loc("last")
  return %c : tensor<4xf32>
})mlir";
  EXPECT_NE(compare(inCallee, runAgain), "");
}

TEST(EquivalenceKinds, DrawsKeepTheirOrder) {
  const char *text = R"mlir(
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "x.rng"() : () -> tensor<4xf32> loc("first")
  %b = "x.rng"() : () -> tensor<4xf32> loc("last")
  return %a, %b : tensor<4xf32>, tensor<4xf32>
})mlir";
  auto swap = [](Program &program) {
    program.getOp("last")->moveBefore(program.getOp("first"));
  };
  EXPECT_NE(compare(text, swap), "");
  // The planner knows it as well.
  Program program(text);
  ProgramContext context(getOptions());
  StorageAnalysis storage(program.getBlock(), context);
  EXPECT_TRUE(DependenceGraph(storage).findViolation({1, 0}));
}

TEST(EquivalenceKinds, ResultsOfEffectsAreToldApart) {
  const char *text = R"mlir(
func.func private @next() -> f32
func.func @main() -> f32 {
  %a = call @next() : () -> f32 loc("first")
  %b = call @next() : () -> f32 loc("second")
  %c = arith.subf %a, %b : f32 loc("last")
  return %c : f32
})mlir";
  EXPECT_NE(compare(text,
                    [](Program &program) {
                      Operation *last = program.getOp("last");
                      last->setOperands(
                          {last->getOperand(1), last->getOperand(0)});
                    }),
            "");
}

const char *kBlocks = R"mlir(
func.func @main(%c: i1, %t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.sin %t : tensor<4xf32> loc("first")
  %b = math.cos %u : tensor<4xf32> loc("second")
  cf.cond_br %c, ^one, ^two
^one:
  %v = arith.subf %a, %b : tensor<4xf32>
  cf.br ^end(%v : tensor<4xf32>)
^two:
  cf.br ^end(%b : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
})mlir";

TEST(EquivalenceKinds, WhatOtherBlocksUseIsCompared) {
  EXPECT_EQ(compare(kBlocks,
                    [](Program &program) {
                      program.getOp("second")->moveBefore(
                          program.getOp("first"));
                    }),
            "");
  auto change = [](Program &program) {
    Operation *first = program.getOp("first");
    first->setOperand(0, program.getBlock().getArgument(2));
  };
  EXPECT_NE(compare(kBlocks, change), "");
  Program program(kBlocks);
  std::string said =
      judge(program, program.getBlock(), [&] { change(program); });
  EXPECT_NE(said, "");
  EXPECT_NE(compare(kBlocks,
                    [](Program &program) {
                      Operation *sub = find(program, "arith.subf");
                      sub->setOperands(
                          {sub->getOperand(1), sub->getOperand(0)});
                    }),
            "");
  EXPECT_NE(compare(kBlocks,
                    [](Program &program) {
                      Operation *branch = find(program, "cf.cond_br");
                      Block *first = branch->getSuccessor(0);
                      branch->setSuccessor(branch->getSuccessor(1), 0);
                      branch->setSuccessor(first, 1);
                    }),
            "");
}

TEST(EquivalenceKinds, BuffersOfOtherBlocksAreTwo) {
  EXPECT_NE(compare(R"mlir(
func.func @main(%x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xf32>
  %n = memref.alloc() : memref<8xf32>
  memref.store %x, %m[%c0] : memref<8xf32>
  memref.store %y, %n[%c0] : memref<8xf32>
  cf.br ^next
^next:
  %v = memref.load %m[%c0] : memref<8xf32>
  return %v : f32
})mlir",
                    [](Program &program) {
                      Operation *load = find(program, "memref.load");
                      Operation *store = find(program, "memref.store");
                      load->setOperand(0, store->getNextNode()->getOperand(1));
                    }),
            "");
}

TEST(EquivalenceKinds, DestinationsWrittenInPartAreRead) {
  for (bool isDiagonal : {false, true}) {
    std::string text = R"mlir(
#row = affine_map<(i) -> (i)>
#out = affine_map<(i) -> (OUT)>
func.func @main(%t: tensor<4xf32>, %f: tensor<4x4xf32>, %g: tensor<4x4xf32>, %p: tensor<4xf32>, %q: tensor<4xf32>)
    -> TYPE {
  %d = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(FROM : TYPE) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> TYPE loc("first")
  return %d : TYPE
})mlir";
    auto replace = [&](StringRef was, StringRef is) {
      for (size_t at; (at = text.find(was.str())) != std::string::npos;)
        text.replace(at, was.size(), is.str());
    };
    replace("OUT", isDiagonal ? "i, i" : "i");
    replace("FROM", isDiagonal ? "%f" : "%p");
    replace("TYPE", isDiagonal ? "tensor<4x4xf32>" : "tensor<4xf32>");
    std::string said = compare(text, [&](Program &program) {
      program.getOp("first")->setOperand(
          1, program.getBlock().getArgument(isDiagonal ? 2 : 4));
    });
    EXPECT_EQ(said.empty(), !isDiagonal) << said;
  }
}

TEST(EquivalenceKinds, MaskedWritesKeepTheRest) {
  EXPECT_NE(compare(R"mlir(
func.func @main(%v: vector<4xf32>, %m: vector<4xi1>, %f: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %d = vector.transfer_write %v, %f[%c0], %m {in_bounds = [true]} : vector<4xf32>, tensor<4xf32> loc("first")
  return %d : tensor<4xf32>
})mlir",
                    [](Program &program) {
                      program.getOp("first")->setOperand(
                          1, program.getBlock().getArgument(3));
                    }),
            "");
}

TEST(EquivalenceKinds, ExtentsOfDestinationsAreCompared) {
  EXPECT_NE(compare(R"mlir(
func.func @main(%x: f32, %m: index, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%m) : tensor<?xf32> loc("first")
  %d = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %d : tensor<?xf32>
})mlir",
                    [](Program &program) {
                      program.getOp("first")->setOperand(
                          0, program.getBlock().getArgument(2));
                    }),
            "");
}

TEST(EquivalenceKinds, OfTwoBuffersAlikeItMattersWhichIsHanded) {
  EXPECT_NE(compare(R"mlir(
func.func @main(%c: i1, %x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xf32>
  %n = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<8xf32>)
  linalg.fill ins(%x : f32) outs(%n : memref<8xf32>)
  %r = scf.if %c -> (f32) {
    memref.store %y, %m[%c0] : memref<8xf32>
    %v = memref.load %n[%c0] : memref<8xf32>
    scf.yield %v : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
})mlir",
                    [](Program &program) {
                      find(program, "memref.load")
                          ->setOperand(
                              0, find(program, "memref.store")->getOperand(1));
                    }),
            "");
}

TEST(EquivalenceKinds, WhatThreadsInsertIsPartOfTheirBlock) {
  Program program(R"mlir(
func.func @main(%t: tensor<4xf32>, %u: tensor<1xf32>, %v: tensor<1xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
})mlir");
  Operation *insert = find(program, "tensor.parallel_insert_slice");
  Block &inner =
      cast<scf::ForallOp>(find(program, "scf.forall")).getRegion().front();
  EXPECT_NE(
      judge(program, inner,
            [&] { insert->setOperand(0, program.getBlock().getArgument(2)); }),
      "");
  // It is all that the inner block does.
  program.diagnostics.clear();
  EXPECT_NE(
      judge(program, *insert->getBlock(),
            [&] { insert->setOperand(0, program.getBlock().getArgument(1)); }),
      "");
}

TEST(EquivalenceKinds, CalleesAndGlobalsMeanTheSame) {
  const char *text = R"mlir(
memref.global "private" @w : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @f(%x: f32) -> f32 {
  %c = arith.constant 1.0 : f32
  %r = arith.subf %x, %c : f32
  return %r : f32
}
func.func @main(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @w : memref<2xf32>
  %v = memref.load %g[%c0] : memref<2xf32>
  %r = call @f(%v) : (f32) -> f32
  return %r : f32
})mlir";
  EXPECT_EQ(compare(text, [](Program &) {}), "");
  EXPECT_NE(compare(text,
                    [](Program &program) {
                      Operation *sub = find(program, "arith.subf");
                      sub->setOperands(
                          {sub->getOperand(1), sub->getOperand(0)});
                    }),
            "");
  EXPECT_NE(
      compare(text,
              [](Program &program) {
                find(program, "memref.global")->removeAttr("initial_value");
              }),
      "");
}

TEST(EquivalenceKinds, WhatMayFailStaysBehindWhatGuardsIt) {
  const char *text = R"mlir(
func.func @main(%x: i32, %ok: i1) -> i32 {
  %c7 = arith.constant 7 : i32
  cf.assert %ok, "no zero" loc("guard")
  %q = arith.divsi %c7, %x : i32 loc("division")
  return %q : i32
})mlir";
  std::string said = compare(text, [](Program &program) {
    program.getOp("division")->moveBefore(program.getOp("guard"));
  });
  EXPECT_NE(said.find("may fail and runs before an effect"), std::string::npos)
      << said;
  auto getViolation = [](StringRef text) {
    Program program(text);
    ProgramContext context;
    StorageAnalysis storage(program.getBlock(), context);
    return DependenceGraph(storage).findViolation({1, 0}).has_value();
  };
  EXPECT_TRUE(getViolation(text));
  // By a number that is not zero anything may be divided anywhere, and later is
  // always right.
  std::string known = text;
  known.replace(known.find("%c7, %x"), 7, "%x, %c7");
  EXPECT_FALSE(getViolation(known));
  EXPECT_EQ(
      compare(known,
              [](Program &program) {
                program.getOp("division")->moveBefore(program.getOp("guard"));
              }),
      "");
  EXPECT_FALSE(getViolation(R"mlir(
func.func @main(%x: i32, %ok: i1) -> i32 {
  %c7 = arith.constant 7 : i32
  %q = arith.divsi %c7, %x : i32
  cf.assert %ok, "no zero"
  return %q : i32
})mlir"));
}

TEST(EquivalenceKinds, WhatMayBeHandedOutBesideAFreshBufferIsNotMadeThere) {
  const char *text = R"mlir(
func.func @main(%c: i1, %x: f32, %y: f32) -> f32 {
  %i = arith.constant 0 : index
  %kept = memref.alloc() : memref<8xf32> loc("kept")
  linalg.fill ins(%x : f32) outs(%kept : memref<8xf32>) loc("fill")
  %picked = scf.if %c -> memref<8xf32> {
    %fresh = memref.alloc() : memref<8xf32>
    linalg.fill ins(%y : f32) outs(%fresh : memref<8xf32>)
    scf.yield %fresh : memref<8xf32>
  } else {
    scf.yield %kept : memref<8xf32>
  } loc("pick")
  %r = memref.load %picked[%i] : memref<8xf32> loc("load")
  memref.store %y, %kept[%i] : memref<8xf32> loc("store")
  memref.dealloc %kept : memref<8xf32> loc("free")
  return %r : f32
})mlir";
  auto move = [&](StringRef what, StringRef behind) {
    Program program(text);
    return judge(program, program.getBlock(), [&] {
      program.getOp(what)->moveAfter(program.getOp(behind));
    });
  };
  // The branch looks at nothing in it, so it may be filled later, but not after
  // somebody looks.
  EXPECT_EQ(move("fill", "pick"), "");
  EXPECT_NE(move("fill", "load"), "");
  EXPECT_NE(move("load", "store"), "");
  // It is not made anew there either: what has ended has.
  Program program(text);
  EXPECT_NE(judge(program, program.getBlock(),
                  [&] {
                    for (StringRef name : {"store", "free"})
                      program.getOp(name)->moveBefore(program.getOp("pick"));
                  }),
            "");
}

TEST(EquivalenceKinds, BuffersThatMayBeOneHaveExtentsOfTheirOwn) {
  EXPECT_NE(compare(R"mlir(
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>) -> index {
  %i = arith.constant 0 : index
  %n = memref.dim %a, %i : memref<?xf32> loc("size")
  return %n : index
})mlir",
                    [](Program &program) {
                      program.getOp("size")->setOperand(
                          0, program.getBlock().getArgument(1));
                    }),
            "");
}

TEST(EquivalenceKinds, WhatNobodyUsesMayNameMemoryFromElsewhere) {
  const char *text = R"mlir(
func.func @main(%c: i1, %a: memref<8xf32>, %b: memref<8xf32>) -> f32 {
  %i = arith.constant 0 : index
  cf.cond_br %c, ^one, ^other(%a : memref<8xf32>)
^one:
  %v = memref.cast %b : memref<8xf32> to memref<?xf32>
  %x = memref.load %a[%i] : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  cf.br ^other(%b : memref<8xf32>)
^other(%p: memref<8xf32>):
  %y = memref.load %p[%i] : memref<8xf32>
  return %y : f32
})mlir";
  auto erase = [](Program &program) { find(program, "memref.cast")->erase(); };
  EXPECT_EQ(compare(text, erase), "");
  Program program(text);
  Block &one = *std::next(program.getBlock().getParent()->begin());
  EXPECT_EQ(judge(program, one, [&] { erase(program); }), "");
  // Whose name goes along matters all the same.
  EXPECT_NE(judge(program, one,
                  [&] {
                    find(program, "cf.br")
                        ->setOperand(0, program.getBlock().getArgument(1));
                  }),
            "");
}

} // namespace
