//===- SavedPlanTest.cpp - plans find their steps again -------------------===//

#include "Programs.h"

#include "pebble/Analysis/RunAgain.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/SavedPlan.h"
#include "pebble/Solver/Portfolio/MendedRuns.h"
#include "pebble/Solver/Remat/RematGreedy.h"
#include "pebble/Transforms/MaterializeStorage.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::portfolio;
using namespace pebble::test;

namespace {

/// `a` is wanted early and late.
std::string makeProgram(const char *constant, const char *extra) {
  return std::string("func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                     "  %k = arith.constant ") +
         constant +
         " : f32\n  %e = tensor.empty() : tensor<8xf32>\n"
         "  %f = linalg.fill ins(%k : f32) outs(%e : tensor<8xf32>) -> "
         "tensor<8xf32>\n"
         "  %a = linalg.add ins(%x, %f : tensor<8xf32>, tensor<8xf32>) outs(%e "
         ": tensor<8xf32>) -> tensor<8xf32>\n"
         "  %b0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) "
         "-> tensor<8xf32>\n" +
         extra +
         "  %c = linalg.abs ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) "
         "-> tensor<8xf32>\n"
         "  %d = linalg.mul ins(%c, %a : tensor<8xf32>, tensor<8xf32>) outs(%e "
         ": tensor<8xf32>) -> tensor<8xf32>\n"
         "  return %d : tensor<8xf32>\n}";
}
const char *const kSame =
    "  %b = tensor.cast %b0 : tensor<8xf32> to tensor<8xf32>\n";
const char *const kMore = "  %b = linalg.exp ins(%b0 : tensor<8xf32>) outs(%e "
                          ": tensor<8xf32>) -> tensor<8xf32>\n";

struct Keyed {
  explicit Keyed(const std::string &text) : program(text) {
    EXPECT_TRUE(succeeded(materializeStorage(*program.module, {})));
    storage.emplace(program.getBlock(), context);
    problem = buildProblem(DependenceGraph(*storage)).problem;
    units =
        buildUnitProblem(problem, getRunOnceReasons(*storage), Grouping::Full);
    steps = getStepKeys(*storage);
  }
  SavedPlan save(std::vector<unsigned> runs) const {
    SavedPlan plan;
    plan.signature = getSignature(steps, problem);
    plan.steps = steps;
    plan.runs = std::move(runs);
    return plan;
  }
  bool isValid(const std::vector<game::Id> &runs) const {
    return game::verify(units.problem,
                        graph::scheduleOfRuns(units.problem, runs))
        .verdict.ok();
  }

  Program program;
  ProgramContext context;
  std::optional<StorageAnalysis> storage;
  game::Problem problem;
  UnitProblem units;
  std::vector<StepKey> steps;
};

TEST(SavedPlan, TheSameProgramHasTheSameKeys) {
  Keyed one(makeProgram("1.0", kSame)), other(makeProgram("1.0", kSame));
  ASSERT_EQ(one.steps.size(), 5u);
  for (size_t i = 0; i < one.steps.size(); ++i) {
    EXPECT_EQ(one.steps[i].whole, other.steps[i].whole);
    EXPECT_EQ(one.steps[i].own, other.steps[i].own);
  }
  EXPECT_EQ(getSignature(one.steps, one.problem),
            getSignature(other.steps, other.problem));
  // What runs again does so at its place.
  std::vector<game::Id> runs = mendRuns(
      other.units, matchRuns(one.save({0, 1, 2, 0, 1, 3, 4}), other.steps));
  EXPECT_EQ(runs, (std::vector<game::Id>{0, 1, 2, 0, 1, 3, 4}));
  EXPECT_TRUE(other.isValid(runs));
}

TEST(SavedPlan, AnotherCostIsAnotherSignature) {
  Keyed one(makeProgram("1.0", kSame));
  uint64_t before = getSignature(one.steps, one.problem);
  one.problem.steps[2].cost += 1;
  EXPECT_NE(getSignature(one.steps, one.problem), before);
}

TEST(SavedPlan, AChangedConstantIsFoundByTheOps) {
  Keyed one(makeProgram("1.0", kSame)), other(makeProgram("2.0", kSame));
  EXPECT_NE(one.steps[0].whole, other.steps[0].whole);
  EXPECT_EQ(one.steps[0].own, other.steps[0].own);
  EXPECT_NE(one.steps[4].whole, other.steps[4].whole);
  EXPECT_EQ(mendRuns(other.units,
                     matchRuns(one.save({0, 1, 2, 3, 1, 4}), other.steps)),
            (std::vector<game::Id>{0, 1, 2, 3, 1, 4}));
}

TEST(SavedPlan, NewStepsRunBeforeWhatNeedsThem) {
  Keyed one(makeProgram("1.0", kSame)), other(makeProgram("1.0", kMore));
  ASSERT_EQ(other.steps.size(), 6u);
  std::vector<game::Id> runs = mendRuns(
      other.units, matchRuns(one.save({0, 1, 2, 3, 1, 4}), other.steps));
  EXPECT_EQ(runs, (std::vector<game::Id>{0, 1, 2, 3, 4, 1, 5}));
  EXPECT_TRUE(other.isValid(runs));
}

TEST(SavedPlan, StepsThatAreGoneAreLeftOut) {
  Keyed one(makeProgram("1.0", kMore)), other(makeProgram("1.0", kSame));
  std::vector<game::Id> runs = mendRuns(
      other.units, matchRuns(one.save({0, 1, 2, 3, 3, 4, 1, 5}), other.steps));
  EXPECT_EQ(runs, (std::vector<game::Id>{0, 1, 2, 3, 1, 4}));
  EXPECT_TRUE(other.isValid(runs));
}

TEST(SavedPlan, NonsenseIsMadeAScheduleOfIt) {
  Keyed one(makeProgram("1.0", kSame));
  std::vector<game::Id> runs =
      mendRuns(one.units, matchRuns(one.save({4, 4, 0, 3, 3}), one.steps));
  EXPECT_TRUE(one.isValid(runs));
  EXPECT_TRUE(
      one.isValid(mendRuns(one.units, matchRuns(one.save({}), one.steps))));
}

} // namespace
