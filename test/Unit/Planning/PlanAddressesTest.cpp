//===- PlanAddressesTest.cpp - buffers of a function, and where they lie --===//

#include "Programs.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::test;

namespace {

class PlannedAddresses : public testing::TestWithParam<NamedProgram> {};

/// Storages decided, as the pass has them.
FunctionOpInterface materialize(Program &program, ProgramContext &context) {
  auto function = cast<FunctionOpInterface>(program.getBlock().getParentOp());
  EXPECT_TRUE(succeeded(materializeStorage(function, context)));
  return function;
}

// What the buffers take at one time is the peak that the analysis counts, so
// neither misses one; and what was planned verifies, until it is changed.
TEST_P(PlannedAddresses, HoldAndCountAsLifetimesDo) {
  Program program(GetParam().text);
  ProgramContext context;
  FunctionOpInterface function = materialize(program, context);
  FunctionBuffers found = collectBuffers(function, context);
  if (!found.refusal.empty()) {
    EXPECT_TRUE(found.buffers.empty());
    EXPECT_TRUE(found.refusedAt.has_value());
    return;
  }
  StorageAnalysis storage(program.getBlock(), context);
  AddressPlan plan = planAddresses(found.buffers);
  const TierExtent *tier = plan.getTier("default");
  ASSERT_NE(tier, nullptr);
  EXPECT_EQ(tier->peak, LifetimeAnalysis(storage).getPeakBytes());
  EXPECT_GE(tier->extent, tier->bound);
  EXPECT_GE(tier->bound, tier->peak);
  EXPECT_EQ(tier->extent % 64, 0);

  writeAddresses(function, found.buffers, plan);
  EXPECT_TRUE(hasAddresses(function));
  EXPECT_TRUE(succeeded(mlir::verify(*program.module))) << program.diagnostics;
  EXPECT_TRUE(succeeded(verifyAddresses(function, context)));

  // Two that are live at one time, one upon the other.
  FunctionBuffers again = collectBuffers(function, context);
  for (const FunctionBuffer &one : again.buffers)
    for (const FunctionBuffer &other : again.buffers) {
      if (&one == &other || one.size == 0 || other.size == 0 ||
          one.lower >= other.upper || other.lower >= one.upper ||
          !one.allocation)
        continue;
      Attribute kept = one.allocation->getAttr(attr::kOffset);
      Builder builder(function.getContext());
      one.allocation->setAttr(attr::kOffset,
                              builder.getI64IntegerAttr(*other.getOffset()));
      EXPECT_TRUE(failed(verifyAddresses(function, context)));
      // Of a program that has changed since, and of this one.
      Attribute lives = function->getAttr(attr::kLives);
      function->setAttr(attr::kLives, builder.getStringAttr("others"));
      EXPECT_EQ(judgeAddresses(function, again), AddressState::Outdated);
      function->setAttr(attr::kLives, lives);
      EXPECT_EQ(judgeAddresses(function, again), AddressState::Wrong);
      function->removeAttr(attr::kLives);
      EXPECT_EQ(judgeAddresses(function, again), AddressState::Wrong);
      function->setAttr(attr::kLives, lives);
      one.allocation->setAttr(attr::kOffset, kept);
      EXPECT_EQ(judgeAddresses(function, again), AddressState::Hold);
      function->setAttr(attr::kLives, builder.getStringAttr("others"));
      EXPECT_EQ(judgeAddresses(function, again), AddressState::HoldForOthers);
      restateAddresses(function, again.buffers);
      EXPECT_EQ(function->getAttr(attr::kLives), lives);
    }

  eraseAddresses(function);
  EXPECT_FALSE(hasAddresses(function));
  for (const FunctionBuffer &buffer : again.buffers)
    EXPECT_FALSE(buffer.getOffset().has_value());
}

INSTANTIATE_TEST_SUITE_P(Programs, PlannedAddresses,
                         testing::ValuesIn(kPrograms),
                         [](const testing::TestParamInfo<NamedProgram> &info) {
                           std::string name = info.param.name;
                           for (char &c : name)
                             if (c == '-')
                               c = '_';
                           return name;
                         });

TEST(PlanAddresses, SomeProgramsHaveThemAndSomeHaveNot) {
  unsigned planned = 0, refused = 0;
  for (const NamedProgram &named : kPrograms) {
    Program program(named.text);
    ProgramContext context;
    FunctionOpInterface function = materialize(program, context);
    bool isRefused = !collectBuffers(function, context).refusal.empty();
    ++(isRefused ? refused : planned);
  }
  EXPECT_GE(planned, 3u);
  EXPECT_GE(refused, 1u);
}

} // namespace
