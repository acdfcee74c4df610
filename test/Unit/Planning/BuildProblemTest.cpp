//===- BuildProblemTest.cpp - the game says what the analyses say ---------===//

#include "Programs.h"

#include "pebble/Analysis/Traffic.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Solver/Energy/EnergyModel.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/StepGraph.h"
#include "pebble/Solver/Order/OrderCount.h"
#include "pebble/Target/Presets.h"
#include "pebble/Transforms/MaterializeStorage.h"

using namespace pebble;
using namespace pebble::test;

namespace {

class EveryProgram
    : public testing::TestWithParam<std::tuple<NamedProgram, bool>> {
protected:
  EveryProgram() : program(std::get<0>(GetParam()).text) {
    if (std::get<1>(GetParam()))
      EXPECT_TRUE(
          succeeded(materializeStorage(*program.module, AnalysisOptions())));
  }
  Program program;
  ProgramContext context;
  std::mt19937 random{7};
};

TEST_P(EveryProgram, GivesASoundProblem) {
  StorageAnalysis storage(program.getBlock(), context);
  ASSERT_TRUE(succeeded(storage.verify())) << program.diagnostics;
  DependenceGraph graph(storage);
  BlockProblem built = buildProblem(graph);
  game::Verdict verdict = game::check(built.problem);
  EXPECT_TRUE(verdict.ok()) << verdict.rule << ": " << verdict.message;
}

TEST_P(EveryProgram, HasTheLegalOrdersOfTheDependences) {
  StorageAnalysis storage(program.getBlock(), context);
  DependenceGraph graph(storage);
  BlockProblem built = buildProblem(graph);
  graph::StepGraph steps(built.problem);
  size_t legal = 0;
  for (int i = 0; i < 300; ++i) {
    // Mostly legal orders, and some shaken ones.
    std::vector<unsigned> order = drawOrder(graph, random);
    if (i % 2 && order.size() > 1)
      std::swap(order[random() % order.size()], order[random() % order.size()]);
    bool byGraph = !graph.findViolation(order);
    std::vector<game::Id> ids(order.begin(), order.end());
    EXPECT_EQ(steps.isLegal(ids), byGraph);
    legal += byGraph;
  }
  EXPECT_GE(legal, 150u);
}

TEST_P(EveryProgram, HasThePeakOfTheLifetimes) {
  StorageAnalysis storage(program.getBlock(), context);
  DependenceGraph graph(storage);
  BlockProblem built = buildProblem(graph);
  graph::LiveStorages live(built.problem);
  for (int i = 0; i < 100; ++i) {
    std::vector<unsigned> order = drawOrder(graph, random);
    std::vector<game::Id> ids(order.begin(), order.end());
    LifetimeAnalysis lifetime(storage, order);
    game::Replay replay =
        game::verify(built.problem, game::scheduleOfOrder(built.problem, ids));
    ASSERT_TRUE(replay.verdict.ok()) << replay.verdict.message;
    EXPECT_EQ(replay.peak[0], live.peak(ids));
    if (built.peakIsExact)
      EXPECT_EQ(replay.peak[0] - built.peakOffset, lifetime.getPeakBytes());
    else
      EXPECT_LE(replay.peak[0] - built.peakOffset, lifetime.getPeakBytes());
  }
}

TEST_P(EveryProgram, HasTheEnergyOfTheTraffic) {
  StorageAnalysis storage(program.getBlock(), context);
  DependenceGraph graph(storage);
  BuildOptions options;
  options.hierarchy = getPreset(&program.mlirContext, "sutro");
  BlockProblem built = buildProblem(graph, options);
  if (!built.energyIsExact)
    GTEST_SKIP() << "the game cannot price every access";
  for (int i = 0; i < 50; ++i) {
    std::vector<unsigned> order = drawOrder(graph, random);
    std::vector<game::Id> ids(order.begin(), order.end());
    LifetimeAnalysis lifetime(storage, order);
    for (auto [model, other] :
         {std::pair(CacheModel::Lru, graph::CacheModel::Lru),
          std::pair(CacheModel::Sutro, graph::CacheModel::Sutro)}) {
      TrafficAnalysis traffic(lifetime, HierarchyCosts::get(options.hierarchy),
                              model);
      graph::EnergyReport report =
          graph::evaluateEnergy(built.problem, ids, other);
      EXPECT_EQ(report.total, traffic.getEnergy()) << toString(model).str();
      EXPECT_EQ(std::vector<int64_t>(traffic.getEnergyPerTier()),
                report.perTier);
      if (std::optional<double> ard = traffic.getAverageReuseDistance())
        EXPECT_NEAR(*ard, graph::averageReuseDistance(built.problem, ids),
                    1e-6 * *ard);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, EveryProgram,
    testing::Combine(testing::ValuesIn(kPrograms), testing::Bool()),
    [](const auto &info) {
      std::string name = std::get<0>(info.param).name;
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name + (std::get<1>(info.param) ? "Materialized" : "");
    });

TEST(BuildProblem, NegativeScratchIsMadeUpFor) {
  // The callee never holds argument and result at once.
  Program program(kPrograms[3].text);
  ASSERT_STREQ(kPrograms[3].name, "calls");
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  bool isNegative = false;
  for (const Step &step : storage.getSteps())
    isNegative |= step.scratch < 0;
  EXPECT_TRUE(isNegative);
  DependenceGraph graph(storage);
  BlockProblem built = buildProblem(graph);
  EXPECT_GT(built.peakOffset, 0);
  for (const game::Step &step : built.problem.steps)
    EXPECT_GE(step.scratch, 0);
}

TEST(BuildProblem, InPlaceUpdatesCannotBeRecomputed) {
  Program program(kPrograms[1].text);
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  DependenceGraph graph(storage);
  BlockProblem built = buildProblem(graph);
  ASSERT_EQ(built.problem.steps.size(), 3u);
  EXPECT_TRUE(built.problem.steps[0].recomputable);
  EXPECT_TRUE(built.problem.steps[1].recomputable);
  EXPECT_FALSE(built.problem.steps[2].recomputable);
  // Two orders of the first two steps, and the update after both; without
  // anti-dependences it may also come between them.
  EXPECT_EQ(graph::countOrders(built.problem), 2u);
  EXPECT_EQ(graph::countOrders(built.problem, 1000, false), 3u);
}

} // namespace
