//===- PlanScheduleTest.cpp - a block and the planner's answer ------------===//

#include "Programs.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/PlanSchedule.h"
#include "pebble/Solver/Game/Formats.h"
#include "pebble/Solver/Portfolio/FindSchedule.h"
#include "pebble/Solver/Remat/RematGreedy.h"
#include "pebble/Transforms/MaterializeStorage.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::test;

namespace {

/// `layers` steps forward, and as many backward that read what the forward ones
/// made, the last one first.
std::string makeTraining(int layers) {
  std::string text =
      "func.func @main(%a0: tensor<64xf32>) -> tensor<64xf32> {\n"
      "  %e = tensor.empty() : tensor<64xf32>\n";
  auto name = [](const char *prefix, int i) {
    return std::string("%") + prefix + std::to_string(i);
  };
  const std::string type = "tensor<64xf32>";
  for (int i = 1; i <= layers; ++i)
    text += "  " + name("a", i) + " = linalg.exp ins(" + name("a", i - 1) +
            " : " + type + ") outs(%e : " + type + ") -> " + type + "\n";
  std::string gradient = name("a", layers);
  for (int i = layers - 1; i >= 0; --i) {
    text += "  " + name("g", i) + " = linalg.mul ins(" + gradient + ", " +
            name("a", i) + " : " + type + ", " + type + ") outs(%e : " + type +
            ") -> " + type + "\n";
    gradient = name("g", i);
  }
  return text + "  return " + gradient + " : " + type + "\n}\n";
}

/// A block made ready to be planned.
struct Planned {
  explicit Planned(const std::string &text) : program(text) {
    EXPECT_TRUE(succeeded(materializeStorage(*program.module, {})));
    storage.emplace(program.getBlock(), context);
    dependences.emplace(*storage);
  }
  int64_t getPeak() const { return LifetimeAnalysis(*storage).getPeakBytes(); }
  FailureOr<SchedulePlan> plan(int64_t budget, bool leanest = false) {
    ScheduleRequest request;
    request.budget = budget;
    request.leanest = leanest;
    return planSchedule(*dependences, request);
  }

  Program program;
  ProgramContext context;
  std::optional<StorageAnalysis> storage;
  std::optional<DependenceGraph> dependences;
};

/// What pebble-solve makes of the block's problem in a file.
portfolio::Answer solveAsFile(const Planned &block, int64_t budget) {
  BlockProblem built = buildProblemWithin(*block.dependences, {});
  FailureOr<std::vector<int64_t>> costs = getStepCosts(
      *block.storage, ScheduleObjective::Recompute, nullptr, CacheModel::Lru);
  std::vector<std::string> reasons = getRunOnceReasons(*block.storage);
  for (auto [step, cost, reason] :
       llvm::zip(built.problem.steps, *costs, reasons)) {
    step.cost = cost;
    step.recomputable = reason.empty();
  }
  game::ParsedProblem parsed =
      game::readProblem(game::writeProblemJson(built.problem));
  EXPECT_TRUE(parsed.problem) << parsed.error;
  portfolio::Request request;
  request.problem = *parsed.problem;
  request.search.budget = budget;
  return portfolio::findSchedule(request);
}

std::vector<unsigned> runsOf(const portfolio::Answer &answer) {
  std::vector<unsigned> runs;
  for (const game::Move &move : answer.schedule.moves)
    if (move.kind == game::MoveKind::Compute)
      runs.push_back(move.subject);
  return runs;
}

TEST(PlanSchedule, ABlockAndItsProblemInAFileHaveOneSchedule) {
  size_t recomputed = 0;
  for (int layers : {4, 7, 12}) {
    Planned block(makeTraining(layers));
    const int64_t least = block.plan(block.getPeak(), true)->peak;
    EXPECT_LT(least, block.getPeak());
    for (int64_t budget = least; budget <= block.getPeak(); budget += 256) {
      SCOPED_TRACE(std::to_string(layers) + " layers within " +
                   std::to_string(budget));
      FailureOr<SchedulePlan> plan = block.plan(budget);
      ASSERT_TRUE(succeeded(plan)) << block.program.diagnostics;
      const portfolio::Answer answer = solveAsFile(block, budget);
      EXPECT_EQ(plan->runs, runsOf(answer));
      EXPECT_EQ(plan->cost, answer.schedule.cost);
      EXPECT_EQ(plan->bound, answer.schedule.bound);
      EXPECT_EQ(plan->peak, answer.schedule.peak);
      EXPECT_EQ(plan->status, answer.schedule.status);
      EXPECT_EQ(plan->solver, answer.schedule.solver);
      recomputed += !plan->isOrder();
    }
  }
  EXPECT_GT(recomputed, 10u);
}

TEST(PlanSchedule, TheBudgetThatAnErrorNamesDoesAndNoneBelow) {
  Planned block(makeTraining(9));
  EXPECT_TRUE(failed(block.plan(0)));
  const std::string said = block.program.diagnostics;
  const std::string key = "the smallest feasible budget is ";
  const size_t at = said.find(key);
  ASSERT_NE(at, std::string::npos) << said;
  const int64_t named = std::stoll(said.substr(at + key.size()));
  FailureOr<SchedulePlan> plan = block.plan(named);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->peak, named);
  EXPECT_TRUE(failed(block.plan(named - 1)));
}

/// What the first step of a unit reads is gone while its second one runs.
TEST(PlanSchedule, UnitsAreJudgedStepByStep) {
  std::string text = makeTraining(6);
  const std::string type = "tensor<64xf32>";
  for (int i = 2; i <= 6; ++i) {
    // Each forward step is followed by one that updates its result in place.
    const std::string name = "%a" + std::to_string(i);
    const size_t at = text.find("  " + name + " = ");
    const size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    line.replace(line.find(name), name.size(), "%t" + std::to_string(i));
    text.replace(at, end - at,
                 line + "\n  " + name + " = linalg.mul ins(%a1, %a1 : " + type +
                     ", " + type + ") outs(%t" + std::to_string(i) + " : " +
                     type + ") -> " + type);
  }
  Planned block(text);
  const int64_t least = block.plan(block.getPeak(), true)->peak;
  size_t recomputed = 0;
  for (int64_t budget = least; budget < block.getPeak(); budget += 256) {
    FailureOr<SchedulePlan> plan = block.plan(budget);
    ASSERT_TRUE(succeeded(plan)) << block.program.diagnostics;
    const game::Problem judged = portfolio::judgedProblem(
        buildProblemWithin(*block.dependences, {}).problem, plan->runOnce);
    const std::vector<game::Id> runs(plan->runs.begin(), plan->runs.end());
    EXPECT_EQ(
        plan->peak,
        game::verify(judged, graph::scheduleOfRuns(judged, runs)).peak[0]);
    recomputed += !plan->isOrder();
    EXPECT_LE(plan->peak, budget);
  }
  EXPECT_GT(recomputed, 0u);
}

TEST(PlanSchedule, AnOrderThatFitsIsLeftAlone) {
  Planned block(makeTraining(5));
  FailureOr<SchedulePlan> plan = block.plan(block.getPeak());
  ASSERT_TRUE(succeeded(plan));
  EXPECT_TRUE(plan->isGivenOrder());
  EXPECT_EQ(plan->status, game::Status::Optimal);
}

} // namespace
