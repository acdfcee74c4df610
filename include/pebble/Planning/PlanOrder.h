//===- PlanOrder.h - an order for one block ---------------------*- C++ -*-===//
//
// Asks the solvers for an order of a block's steps and judges the answer: the
// schedule is replayed, its peak is compared with LifetimeAnalysis and its
// energy with TrafficAnalysis, which know no solver. Changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_PLANORDER_H
#define PEBBLE_PLANNING_PLANORDER_H

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Analysis/Traffic.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"

namespace pebble {

enum class OrderObjective { Peak, Energy };
llvm::StringRef toString(OrderObjective objective);

struct OrderRequest {
  OrderObjective objective = OrderObjective::Peak;
  CacheModel cacheModel = CacheModel::Lru;
  /// Null: one tier without a limit. Energy objectives need one.
  HierarchyAttr hierarchy;
  /// Live bytes that the compute tier may hold.
  std::optional<int64_t> peakLimit;
  /// Bytes that are live around the block, which are not part of the limit;
  /// errors name both together.
  int64_t around = 0;
  uint64_t seed = 0;
  graph::Limits limits;
  /// Steps of the search; 0: chosen by the solver.
  int64_t iterationLimit = 0;
  /// Off for the body of a region op.
  bool countArguments = true;
  /// What steps take inside is the least that they can: without it no peak is
  /// proven to be the least.
  bool scratchIsLeast = true;
  /// Pairs (before, after) of steps that the user dictates besides.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> dictated;
};

/// An order with its certificate. Figures are those of the whole order, in
/// bytes or femtojoules.
struct OrderPlan {
  std::vector<unsigned> order;
  game::Status status = game::Status::Unknown;
  /// The objective's value for this order, for the order that came in, and a
  /// lower bound for all.
  int64_t cost = 0, inputCost = 0, bound = 0;
  int64_t peak = 0, inputPeak = 0;
  std::string solver;
  /// A limit of time or memory cut the search off.
  bool limited = false;

  bool isGivenOrder() const;
};

/// Plans the block of `dependences`, in the order in which it stands. The plan
/// costs no more than that order (unless the peak limit forbids it), and keeps
/// it where nothing costs less. Emits an error and fails if no order keeps the
/// peak limit, or if a judge disagrees with a solver.
llvm::FailureOr<OrderPlan> planOrder(const DependenceGraph &dependences,
                                     const OrderRequest &request);

} // namespace pebble

#endif // PEBBLE_PLANNING_PLANORDER_H
