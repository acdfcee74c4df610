//===- ApplyScheduleTest.cpp - a block stands as the schedule says --------===//

#include "Programs.h"

#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/Equivalence.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::test;

namespace {

class EveryOrder : public testing::TestWithParam<NamedProgram> {};

TEST_P(EveryOrder, IsAppliedAndStaysTheSameProgram) {
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    Program program(GetParam().text);
    Block &block = program.getBlock();
    ProgramContext context;
    StorageAnalysis storage(block, context);
    std::vector<unsigned> order = drawOrder(DependenceGraph(storage), random);
    std::vector<Operation *> wanted;
    for (unsigned step : order)
      wanted.push_back(storage.getSteps()[step].op);
    EquivalenceChecker checker(block, context);
    applyOrder(storage, order);
    std::vector<Operation *> found;
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>() &&
          !StorageAnalysis::isFree(&op))
        found.push_back(&op);
    EXPECT_EQ(found, wanted);
    EXPECT_TRUE(succeeded(mlir::verify(*program.module)))
        << program.diagnostics;
    EXPECT_TRUE(succeeded(checker.verify())) << program.diagnostics;

    // The order in which it stands is no change any more.
    std::string once = program.print();
    ProgramContext again;
    StorageAnalysis now(block, again);
    std::vector<unsigned> same(order.size());
    for (unsigned at = 0; at < same.size(); ++at)
      same[at] = at;
    applyOrder(now, same);
    EXPECT_EQ(program.print(), once);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, EveryOrder, testing::ValuesIn(kPrograms), [](const auto &info) {
      std::string name = info.param.name;
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name;
    });

/// Index of the first op of this kind in the block, the whole block counted.
template <typename Op>
int indexOf(Block &block) {
  int index = 0;
  for (Operation &op : block) {
    if (isa<Op>(op))
      return index;
    ++index;
  }
  return -1;
}

TEST(ApplySchedule, FreesRightAfterTheLastUse) {
  Program program(R"mlir(
func.func @main(%a: memref<8xf32> {llvm.noalias}, %b: memref<8xf32> {llvm.noalias}) {
  %m = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%m : memref<8xf32>)
  linalg.abs ins(%m : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%b : memref<8xf32>) outs(%b : memref<8xf32>)
  memref.dealloc %m : memref<8xf32>
  return
})mlir");
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  applyOrder(storage, {0, 1, 2});
  EXPECT_EQ(indexOf<memref::AllocOp>(program.getBlock()), 0);
  EXPECT_EQ(indexOf<memref::DeallocOp>(program.getBlock()), 3);
  StorageAnalysis again(program.getBlock(), context);
  applyOrder(again, {2, 0, 1});
  EXPECT_EQ(indexOf<memref::AllocOp>(program.getBlock()), 1);
  EXPECT_EQ(indexOf<memref::DeallocOp>(program.getBlock()), 4);
}

TEST(ApplySchedule, DoesNotFreeWhatABarrierMayHaveKept) {
  Program program(R"mlir(
func.func private @keeps(memref<8xf32>)
func.func private @uses_what_was_kept()
func.func @main() {
  %m = memref.alloc() : memref<8xf32>
  call @keeps(%m) : (memref<8xf32>) -> ()
  call @uses_what_was_kept() : () -> ()
  memref.dealloc %m : memref<8xf32>
  return
})mlir");
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  applyOrder(storage, {0, 1});
  EXPECT_EQ(indexOf<memref::DeallocOp>(program.getBlock()), 3);
}

TEST(ApplySchedule, LongChainsOfViewsArePlaced) {
  std::string text = "func.func @main(%x: tensor<100000xf32>) -> f32 {\n"
                     "  %c0 = arith.constant 0 : index\n";
  std::string last = "%x";
  for (int i = 1; i <= 20000; ++i) {
    std::string name = "%v" + std::to_string(i);
    text += "  " + name + " = tensor.extract_slice " + last + "[0] [" +
            std::to_string(100000 - i) + "] [1] : tensor<" +
            std::to_string(100001 - i) + "xf32> to tensor<" +
            std::to_string(100000 - i) + "xf32>\n";
    last = name;
  }
  text += "  %r = tensor.extract " + last +
          "[%c0] : tensor<80000xf32>\n"
          "  return %r : f32\n}";
  Program program(text);
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  EquivalenceChecker checker(program.getBlock(), context);
  applyOrder(storage, {0});
  EXPECT_TRUE(succeeded(mlir::verify(*program.module)));
  EXPECT_TRUE(succeeded(checker.verify())) << program.diagnostics;
}

TEST(ApplySchedule, RepeatedRunsAreRefused) {
  Program program(kPrograms[0].text);
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  game::Schedule schedule;
  for (unsigned step = 0; step < storage.getSteps().size(); ++step)
    schedule.moves.push_back({game::MoveKind::Compute, step, 0});
  EXPECT_TRUE(succeeded(applySchedule(storage, schedule)));
  schedule.moves.push_back({game::MoveKind::Compute, 0, 0});
  EXPECT_TRUE(failed(applySchedule(storage, schedule)));
}

} // namespace
