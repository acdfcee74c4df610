//===- SweepBlock.cpp - cost over budget, for one block -------------------===//

#include "pebble/Planning/SweepBlock.h"

#include "CostUnit.h"
#include "Judge.h"
#include "Wishes.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Solver/Portfolio/StepUnits.h"
#include "pebble/Solver/Remat/RematGreedy.h"

using namespace mlir;

namespace pebble {

/// Replays `point`, which plays units, step by step; it becomes what the block
/// says of it. `offset` is what the game counts on top of the block's bytes.
static LogicalResult judgePoint(const StorageAnalysis &analysis,
                                const BlockProblem &built,
                                const game::Problem &relaxed,
                                const portfolio::UnitProblem &units,
                                int64_t offset, llvm::ArrayRef<int64_t> costs,
                                graph::SweepPoint &point) {
  game::Schedule &schedule = point.schedule;
  FailureOr<std::vector<unsigned>> runs = getRuns(schedule.moves);
  if (failed(runs))
    return emitError(getBlockLoc(analysis))
           << "internal error: the solver moved values between tiers";
  std::vector<game::Id> steps =
      portfolio::expandUnits(units, {runs->begin(), runs->end()});
  if (failed(replayPeak(analysis, built, relaxed,
                        graph::scheduleOfRuns(relaxed, steps), point.budget)))
    return failure();
  schedule.cost = 0;
  for (game::Id step : steps)
    schedule.cost = addCounts(schedule.cost, costs[step]);
  point.budget -= offset;
  schedule.peak -= offset;
  schedule.moves.clear();
  return success();
}

FailureOr<graph::Sweep> sweepBlock(const DependenceGraph &dependences,
                                   const SweepRequest &request) {
  const StorageAnalysis &analysis = dependences.getStorage();
  BuildOptions options;
  options.hierarchy = request.hierarchy;
  options.capacities = false;
  BlockProblem built = buildProblemWithin(dependences, options);
  FailureOr<std::vector<int64_t>> costs = getStepCosts(
      analysis, request.objective, request.hierarchy, request.cacheModel);
  if (failed(costs))
    return failure();
  CostUnit unit(*costs, {});
  for (auto [step, cost] : llvm::enumerate(*costs))
    built.problem.steps[step].cost = unit.down(cost);
  if (failed(checkProblem(analysis, built.problem)))
    return failure();
  std::vector<std::string> runOnce = getRunOnceReasons(analysis);
  // Nothing is lost: the curve begins at what schedules of steps need.
  portfolio::UnitProblem units = portfolio::buildUnitProblem(
      built.problem, runOnce, portfolio::Grouping::Lossless);
  if (failed(checkRecomputeWishes(
          analysis,
          portfolio::buildUnitProblem(built.problem, runOnce,
                                      portfolio::Grouping::Full),
          /*recompute=*/true, /*offload=*/false)))
    return failure();
  CostReporter reporter(unit, request.limits);
  graph::LeastCostOptions search;
  search.seed = request.seed;
  search.limits = request.limits.observedBy(&reporter);
  if (std::string refusal = graph::sweepRefusal(units.problem, search);
      !refusal.empty())
    return emitError(getBlockLoc(analysis))
           << "cannot sweep this block: " << refusal;
  graph::Sweep sweep =
      graph::sweepBudgets(units.problem, search, request.points);
  // What the game cannot see has to fit as well.
  int64_t seen = sweep.givenPeak - built.peakOffset;
  int64_t unseen =
      std::max<int64_t>(0, LifetimeAnalysis(analysis).getPeakBytes() - seen);
  int64_t offset = built.peakOffset - unseen;
  int64_t once = 0;
  for (int64_t cost : *costs)
    once = addCounts(once, cost);
  game::Problem relaxed = built.problem;
  for (auto [step, reason] : llvm::zip(relaxed.steps, runOnce))
    step.recomputable = reason.empty();
  for (graph::SweepPoint &point : sweep.points) {
    if (failed(
            judgePoint(analysis, built, relaxed, units, offset, *costs, point)))
      return failure();
    // What a coarse unit rounds off, or fewer orders, is not proven.
    game::Schedule &schedule = point.schedule;
    const bool isProven = !built.isRestricted && units.isWhole();
    int64_t bound = isProven ? unit.up(schedule.bound) : 0;
    game::certify(schedule, std::max(bound, once));
  }
  sweep.leastIsProven &= !built.isRestricted && units.isWhole() && unit.isOne();
  sweep.givenPeak -= offset;
  sweep.once = once;
  return sweep;
}

} // namespace pebble
