//===- PlanOrder.cpp - an order for one block ------------------------------===//

#include "pebble/Planning/PlanOrder.h"

#include "Judge.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Solver/Energy/EnergyBound.h"
#include "pebble/Solver/Energy/EnergyOrder.h"
#include "pebble/Solver/Energy/EnergyTouches.h"
#include "pebble/Solver/Order/Bounds.h"
#include "pebble/Solver/Order/PeakOrder.h"

using namespace mlir;

namespace pebble {

StringRef toString(OrderObjective objective) {
  return objective == OrderObjective::Peak ? "peak" : "energy";
}

bool OrderPlan::isGivenOrder() const { return llvm::is_sorted(order); }

/// Names of steps and storages cost time, and only messages show them.
static constexpr size_t kNamedSteps = 5000;

static graph::CacheModel toGame(CacheModel model) {
  return model == CacheModel::Lru ? graph::CacheModel::Lru
                                  : graph::CacheModel::Sutro;
}

namespace {
class Planner {
public:
  Planner(const DependenceGraph &dependences, const OrderRequest &request)
      : analysis(dependences.getStorage()), request(request) {
    BuildOptions options;
    options.hierarchy = request.hierarchy;
    options.countArguments = request.countArguments;
    options.names = analysis.getSteps().size() <= kNamedSteps;
    options.capacities = false;
    options.dictated = request.dictated;
    built = buildProblem(dependences, options);
  }

  FailureOr<OrderPlan> run() {
    if (failed(checkProblem(analysis, built.problem)))
      return failure();
    given = game::givenOrder(built.problem);
    plan.inputPeak = getPeak(given);
    if (failed(request.objective == OrderObjective::Peak ? planPeak()
                                                         : planEnergy()))
      return failure();
    if (request.peakLimit && plan.peak > *request.peakLimit)
      return reportLimit();
    return plan;
  }

private:
  Location getLoc() const { return getBlockLoc(analysis); }

  /// As LifetimeAnalysis counts.
  int64_t getPeak(const std::vector<game::Id> &order) const {
    LifetimeAnalysis lifetime(analysis, order);
    return request.countArguments ? lifetime.getPeakBytes()
                                  : lifetime.getIntermediatesPeakBytes();
  }

  int64_t getEnergy(const std::vector<game::Id> &order) const {
    LifetimeAnalysis lifetime(analysis, order);
    return TrafficAnalysis(lifetime, HierarchyCosts::get(request.hierarchy),
                           request.cacheModel)
        .getEnergy();
  }

  graph::PeakOrder searchPeak() const {
    graph::PeakOrderOptions options;
    options.seed = request.seed;
    options.effort = request.iterationLimit;
    options.limits = request.limits;
    return graph::orderForPeak(built.problem, options);
  }

  LogicalResult planPeak() {
    graph::PeakOrder found = searchPeak();
    plan.status = found.status;
    plan.solver = found.solver;
    plan.limited = found.limited;
    plan.bound = found.bound - built.peakOffset;
    plan.inputCost = plan.inputPeak;
    if (failed(judge(found.order)))
      return failure();
    if (getPeak(found.order) < plan.inputPeak)
      take(found.order);
    else
      take(given);
    plan.cost = plan.peak;
    if (isDictated() || !request.scratchIsLeast) {
      game::Problem all = withoutDictation();
      if (!request.scratchIsLeast)
        for (game::Step &step : all.steps)
          step.scratch = std::min(step.scratch, built.peakOffset);
      graph::StepGraph steps(all);
      graph::LiveStorages live(all);
      graph::FootprintGame footprint(steps, live);
      int64_t bound = all.steps.size() <= kNamedSteps
                          ? graph::peakLowerBound(all)
                          : graph::workingSetBound(footprint).bytes;
      boundAllOrders(bound - built.peakOffset);
    } else if (plan.cost > plan.bound) {
      plan.status = game::Status::Feasible;
    }
    return success();
  }

  LogicalResult planEnergy() {
    graph::EnergyOrderOptions options;
    options.seed = request.seed;
    options.limits = request.limits;
    options.iterationLimit = request.iterationLimit;
    if (request.peakLimit)
      options.peakLimit = *request.peakLimit + built.peakOffset;
    game::Schedule found =
        graph::energyOrder(built.problem, toGame(request.cacheModel), options);
    if (found.status == game::Status::Infeasible ||
        found.status == game::Status::Unknown)
      return reportLimit();
    plan.status = found.status;
    plan.solver = found.solver;
    plan.limited = found.limited;
    plan.bound = found.bound;
    std::vector<game::Id> order = graph::orderOfSchedule(found);
    if (failed(judge(order)))
      return failure();
    int64_t energy = getEnergy(order);
    plan.inputCost = getEnergy(given);
    int64_t other =
        graph::energyOfOrder(built.problem, order, toGame(request.cacheModel));
    if (!built.energyIsExact) {
      // The game prices some accesses otherwise, so its bound proves nothing.
      plan.bound = energy == other ? std::min(plan.bound, energy) : 0;
      plan.status = game::Status::Feasible;
    } else if (energy != other) {
      return emitError(getLoc())
             << "internal error: the two energy models disagree on the planned "
                "order, "
             << energy << " fJ and " << other << " fJ";
    }
    bool givenFits = !request.peakLimit || plan.inputPeak <= *request.peakLimit;
    if (givenFits && plan.inputCost <= energy) {
      take(given);
      plan.cost = plan.inputCost;
    } else {
      take(order);
      plan.cost = energy;
    }
    if (isDictated() && built.energyIsExact) {
      game::Problem all = withoutDictation();
      graph::CacheModel model = toGame(request.cacheModel);
      boundAllOrders(
          graph::boundEnergy(all, graph::TouchTable(all, model), model).total);
    }
    return success();
  }

  bool isDictated() const { return !request.dictated.empty(); }

  game::Problem withoutDictation() const {
    game::Problem all = built.problem;
    // What is dictated stands last.
    all.precedences.resize(all.precedences.size() - request.dictated.size());
    return all;
  }

  /// The solver saw only the orders that do what is dictated; the certificate
  /// is about all.
  void boundAllOrders(int64_t bound) { game::certify(plan, bound); }

  void take(const std::vector<game::Id> &order) {
    plan.order.assign(order.begin(), order.end());
    plan.peak = getPeak(order);
  }

  /// Replays `order` and compares the peak with that of LifetimeAnalysis.
  LogicalResult judge(const std::vector<game::Id> &order) const {
    FailureOr<int64_t> peak =
        replayPeak(analysis, built, built.problem,
                   game::scheduleOfOrder(built.problem, order));
    if (failed(peak))
      return failure();
    if (!built.peakIsExact || order.empty())
      return success();
    return checkPeaksAgree(analysis, *peak, getPeak(order));
  }

  /// No order keeps the peak limit, or none was found that does.
  LogicalResult reportLimit() const {
    graph::PeakOrder least = searchPeak();
    LifetimeAnalysis lifetime(analysis, least.order);
    bool proven = least.status == game::Status::Optimal &&
                  request.scratchIsLeast && analysis.countsMemoryOnce();
    InFlightDiagnostic error = emitError(getLoc());
    error << "no order keeps the peak within "
          << *request.peakLimit + request.around << " bytes; the least peak "
          << (proven ? "is " : "found is ")
          << getPeak(least.order) + request.around << " bytes"
          << (proven ? " (proven)" : "");
    if (!least.order.empty()) {
      unsigned at = lifetime.getPeakPosition();
      unsigned step = least.order[at];
      Diagnostic &note =
          error.attachNote(analysis.getSteps()[step].op->getLoc());
      note << "it is reached at '" << analysis.getStepName(step) << "'";
      SmallVector<StorageId> live = lifetime.getLiveStorages(at);
      for (StorageId id : ArrayRef(live).take_front(3))
        note << (id == live.front() ? " with " : ", ")
             << analysis.getStorageName(id) << " ("
             << analysis.getStorage(id).getFootprint() << " bytes)";
      if (!live.empty())
        note << " live";
    }
    return failure();
  }

  const StorageAnalysis &analysis;
  const OrderRequest &request;
  BlockProblem built;
  std::vector<game::Id> given;
  OrderPlan plan;
};
} // namespace

FailureOr<OrderPlan> planOrder(const DependenceGraph &dependences,
                               const OrderRequest &request) {
  return Planner(dependences, request).run();
}

} // namespace pebble
