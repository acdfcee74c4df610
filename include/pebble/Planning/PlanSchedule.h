//===- PlanSchedule.h - a schedule within a budget, for one block -*- C++ -*-=//
//
// Carries a block to the planner (Solver/Portfolio/FindSchedule.h), and the
// answer back. The answer says in which order steps run, which of them run
// again, and which values are away in a slower tier at which time. It is judged
// step by step. The block stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_PLANSCHEDULE_H
#define PEBBLE_PLANNING_PLANSCHEDULE_H

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/DerivedForms.h"
#include "pebble/Planning/Movable.h"
#include "pebble/Planning/SavedPlan.h"
#include "pebble/Planning/StepCosts.h"
#include "pebble/Planning/Updates.h"
#include "pebble/Solver/Game/Means.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Timeline/Timeline.h"

#include <functional>
#include <map>

namespace pebble {

using ScheduleMeans = game::Means;

struct SchedulePlan;

struct ScheduleRequest {
  ScheduleObjective objective = ScheduleObjective::Recompute;
  CacheModel cacheModel = CacheModel::Lru;
  /// Null: one tier without a limit.
  HierarchyAttr hierarchy;
  /// Live bytes that the compute tier may hold, arguments included.
  int64_t budget = 0;
  /// Bytes that are live around the block at all times. The block does not
  /// count them, and `budget` does not hold them: it is negative if they take
  /// more than there is. Errors name the sum of both.
  int64_t around = 0;
  /// Peak of the whole function as it came in. Errors name budgets in percent
  /// of it. 0: the peak of the block.
  int64_t functionPeak = 0;
  /// Off for a block inside of an op. The blocks around it count its arguments.
  bool countArguments = true;
  /// Bytes that slower tiers hold for others while the block runs, by tier.
  std::map<std::string, int64_t> slowTaken;
  /// The scratch of each step is the least that is possible. If it is not,
  /// no budget is proven to be infeasible.
  bool scratchIsLeast = true;
  /// Steps may run again.
  bool recompute = true;
  /// Contents may be moved to slower tiers and back.
  bool offload = false;
  /// Updates may be made out of place.
  bool outOfPlace = true;
  /// Of orders with one peak, look for one that a greedy allocator packs well
  /// (Solver/Remat/PackedOrder.h).
  bool greedyPacking = false;
  /// Ask for the least peak that can be found, whatever it costs. The budget is
  /// then only a limit.
  bool leanest = false;
  /// Whether the buffers of the block get addresses. Then a budget is for one
  /// block of memory that holds them all. It is called only if an error has to
  /// name a budget. Empty function: buffers get no addresses.
  std::function<bool()> hasAddresses;
  /// Whether a schedule is proven to leave the block the same program. It is
  /// called only if an error has to name a budget: such a schedule must take no
  /// more. Empty function: every schedule is.
  std::function<bool(const SchedulePlan &)> isProven;
  /// If no schedule fits, the least budget that is known to be met is written
  /// here. Null: nowhere.
  int64_t *leastKnown = nullptr;
  /// Empty: the portfolio.
  std::string solver;
  uint64_t seed = 0;
  /// Time and memory for the whole request.
  graph::Limits limits;
  /// Pairs (before, after) of steps. The user dictates their order.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> dictated;
  /// An old plan, perhaps of another program; null: none. It is the answer if
  /// all that it rests on is the same: steps, sizes, costs, budget. Otherwise
  /// the solvers start from it. If it can be made to fit, the answer costs no
  /// more than it does.
  const SavedPlan *saved = nullptr;
  /// Fill SchedulePlan::toSave.
  bool keepsPlan = true;
};

/// A schedule with its certificate.
struct SchedulePlan {
  /// Steps of the block; some may stand more than once.
  std::vector<unsigned> runs;
  /// The runs, and the transfers between them.
  std::vector<BlockAction> actions;
  /// Moves of the block's game; empty if there are runs alone.
  std::vector<game::Move> moves;
  game::Status status = game::Status::Unknown;
  /// In the unit of the objective. The cost is that of all runs; a time ends
  /// with the last step and the last transfer. No schedule that runs each unit
  /// as a whole costs less than `bound`.
  int64_t cost = 0, bound = 0;
  /// Live bytes of the compute tier: of the schedule, and of the order that
  /// came in. LifetimeAnalysis counts the first once the schedule is applied.
  int64_t peak = 0, inputPeak = 0;
  /// Peak bytes of the slower tiers, and bytes moved, by "from->to". They count
  /// planned transfers alone.
  std::map<std::string, int64_t> slowPeaks, moved;
  /// The program itself keeps nothing in slower tiers.
  bool movesAll = true;
  /// Cost of all transfers, in the unit of the objective.
  int64_t transferCost = 0;
  /// The clock of the plan, if transfers run beside the steps.
  std::optional<timeline::Timeline> timeline;
  /// False if the block may hold more than the game sees (BlockProblem).
  bool peakIsExact = true;
  /// The most that is live in the compute tier while each step runs, by step,
  /// and while something is transferred.
  std::vector<int64_t> stepPeaks;
  int64_t transferPeak = 0;
  /// Proven: no schedule needs less than `peak`. Looked for only if asked.
  bool isLeast = false;
  std::string solver;
  /// A limit of time or memory cut the search off.
  bool limited = false;
  /// By step: the cost of one run, and the cost of all steps that run again
  /// with it.
  std::vector<int64_t> costs, unitCosts;
  /// By step: the reason why it cannot run again. Empty: it can.
  std::vector<std::string> runOnce;
  /// By value of the block's game: its name, and the reason why it cannot be
  /// moved. Empty if values may not be moved at all.
  std::vector<Content> contents;

  /// Updates that the schedule has out of place. writeOutOfPlace() writes them,
  /// before anything else is applied. The costs of their steps include the
  /// copies.
  std::vector<FreeUpdate> outOfPlace;

  /// Derived forms that the block holds for this schedule.
  std::vector<DerivedForm> derived;

  /// The plan for a file. Filled if ScheduleRequest::keepsPlan is set.
  SavedPlan toSave;

  /// Every step runs once, nothing moves, and storages are what they were.
  bool isOrder() const {
    return runs.size() == costs.size() && moves.empty() && outOfPlace.empty();
  }
  /// The order that came in, and no step more.
  bool isGivenOrder() const {
    return isOrder() && derived.empty() && llvm::is_sorted(runs);
  }
};

/// Plans the block of `dependences`. Emits an error and fails if no schedule
/// within the budget is found. The error names the smallest budget that is
/// known to be met, the op at its peak, and the largest values that are live
/// there. If buffers have addresses, that budget is for one block of memory.
/// Planning also fails if a judge disagrees with a solver.
llvm::FailureOr<SchedulePlan> planSchedule(const DependenceGraph &dependences,
                                           const ScheduleRequest &request);

} // namespace pebble

#endif // PEBBLE_PLANNING_PLANSCHEDULE_H
