//===- ExplainTest.cpp - what moved, and what that changed ----------------===//

#include "Programs.h"

#include "pebble/Planning/Explain.h"
#include "pebble/Target/Presets.h"

using namespace pebble;
using namespace pebble::test;

namespace {

TEST(Explain, FewestMovedStepsAreNamed) {
  Program program(kPrograms[0].text);
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  ASSERT_EQ(storage.getSteps().size(), 5u);
  // a, exp(a), b, exp(b), sum: one step came forward.
  Explanation explanation =
      explainOrder(storage, {0, 2, 1, 3, 4}, nullptr, CacheModel::Lru);
  ASSERT_EQ(explanation.moved.size(), 1u);
  EXPECT_LT(explanation.peakAfter, explanation.peakBefore);
  EXPECT_TRUE(explanation.accesses.empty());
  EXPECT_FALSE(explanation.liveAtPeak.empty());
  bool isShorter = false;
  for (const ChangedLife &life : explanation.lives)
    isShorter |= life.after.last - life.after.first <
                 life.before.last - life.before.first;
  EXPECT_TRUE(isShorter);
}

TEST(Explain, TheGivenOrderChangesNothing) {
  for (const NamedProgram &named : kPrograms) {
    Program program(named.text);
    ProgramContext context;
    StorageAnalysis storage(program.getBlock(), context);
    std::vector<unsigned> order(storage.getSteps().size());
    for (unsigned i = 0; i < order.size(); ++i)
      order[i] = i;
    Explanation explanation =
        explainOrder(storage, order, getPreset(&program.mlirContext, "sutro"),
                     CacheModel::Lru);
    EXPECT_TRUE(explanation.moved.empty());
    EXPECT_TRUE(explanation.lives.empty());
    EXPECT_TRUE(explanation.accesses.empty());
    EXPECT_EQ(explanation.peakBefore, explanation.peakAfter);
  }
}

TEST(Explain, TiersThatServeAnAccessAreCompared) {
  Program program(R"mlir(
func.func @main(%x: tensor<16xf32>, %big: tensor<4096xf32>) -> (tensor<16xf32>, tensor<4096xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %f = tensor.empty() : tensor<4096xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.exp ins(%big : tensor<4096xf32>) outs(%f : tensor<4096xf32>) -> tensor<4096xf32>
  %c = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %c, %b : tensor<16xf32>, tensor<4096xf32>
})mlir");
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  Explanation explanation =
      explainOrder(storage, {0, 2, 1}, getPreset(&program.mlirContext, "sutro"),
                   CacheModel::Lru);
  ASSERT_FALSE(explanation.accesses.empty());
  const ChangedAccess &access = explanation.accesses.front();
  EXPECT_EQ(access.step, 2u);
  EXPECT_LT(access.tierAfter, access.tierBefore);
  EXPECT_LT(access.energyAfter, access.energyBefore);
}

} // namespace
