//===- FunctionBlocks.cpp - plan the blocks of a function -----------------===//

#include "FunctionBlocks.h"

#include "TimeShares.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/PlanLimits.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace pebble {

void ScheduleOutcome::add(const PlannedBlock &block, int64_t around) {
  const SchedulePlan &plan = block.plan;
  isChanged |= block.isChanged;
  isLeast &= block.isLeast;
  counts.add(block.counts);
  auto addTime = [](std::optional<int64_t> &sum, std::optional<int64_t> time) {
    sum = sum && time ? std::optional(addCounts(*sum, *time)) : std::nullopt;
  };
  addTime(inputTime, block.inputTime);
  addTime(time, block.time);
  collectives.sending =
      addCounts(collectives.sending, block.collectives.sending);
  collectives.hidden = addCounts(collectives.hidden, block.collectives.hidden);
  collectives.saved = addCounts(collectives.saved, block.collectives.saved);
  if (plan.status != game::Status::Optimal)
    status = game::Status::Feasible;
  cost = addCounts(cost, plan.cost);
  bound = addCounts(bound, plan.bound);
  peak = std::max(peak, plan.peak + around);
  if (plan.timeline)
    stall = addCounts(stall.value_or(0), plan.timeline->stalled);
  if (solver.empty() || solver == "given")
    solver = plan.solver;
}

void ScheduleOutcome::state(ScheduleObjective objective, int64_t budget,
                            int64_t onceCost) {
  facts = PlanFacts{objective, budget, onceCost, counts, inputTime, time};
  if (objective == ScheduleObjective::Time) {
    facts->inputTime = onceCost;
    facts->time = cost - collectives.saved;
    facts->sending = collectives.sending;
    facts->hidden = collectives.hidden;
  }
}

/// Puts `function` back as it came in, `original`: the plan that was found is
/// refused. Fails if that takes more than it may.
static LogicalResult keepAsItIs(FunctionOpInterface function,
                                Operation *original, const BlockTask &task,
                                const PlanOptions &options,
                                const Refusal &refusal,
                                ScheduleOutcome &outcome) {
  putBack(function, original);
  ProgramContext fresh(options.analysis);
  FailureOr<int64_t> peak = getFunctionPeak(function, fresh);
  FailureOr<int64_t> once = getCostOnce(function, options);
  if (failed(peak) || failed(once))
    return failure();
  outcome = ScheduleOutcome();
  outcome.status = game::Status::Feasible;
  outcome.solver = "given";
  outcome.cost = *once;
  outcome.peak = *peak;
  outcome.isLeast = false;
  outcome.inputTime = outcome.time = std::nullopt;
  if (*peak > task.budget)
    return failure();
  remarkOnRefusal(function, refusal, options.category, "stays as it is");
  return success();
}

/// The plan of `function` is refused, and it takes more than it may as it is.
/// What takes the fewest bytes may be proven all the same: budgets that errors
/// name rest on that. Emits an error and fails if it is not, or does not fit.
static LogicalResult
takeLeanest(FunctionOpInterface function, const BlockTask &task,
            const PlanOptions &options, const Refusal &refusal,
            ScheduleOutcome &outcome, std::vector<SavedPlan> *kept) {
  const int64_t peak = outcome.peak, once = outcome.cost;
  BlockTask lean = task;
  lean.aim = Aim::Leanest;
  if (task.aim == Aim::Cheapest &&
      succeeded(runQuietly(function->getContext(), [&] {
        return planAllBlocks(function, lean, options, nullptr, outcome, kept);
      }))) {
    game::certify(outcome, std::min(outcome.bound, once));
    remarkOnRefusal(function, refusal, options.category,
                    "takes the fewest bytes that were found at any cost");
    return success();
  }
  return emitError(refusal.loc)
         << "'" << getProgramName(function) << "' takes " << peak
         << " bytes as it is, and what was found to fit a budget of "
         << task.budget
         << " bytes is not proven to be the same program: " << refusal.text
         << "; the smallest budget that is known to do is " << peak << " bytes";
}

LogicalResult planAllBlocks(FunctionOpInterface function, const BlockTask &task,
                            const PlanOptions &options, const PlanFile *plans,
                            ScheduleOutcome &outcome,
                            std::vector<SavedPlan> *kept) {
  outcome = ScheduleOutcome();
  if (kept)
    kept->clear();
  ProgramContext fresh(options.analysis);
  AroundBlocks around(function.getFunctionBody(), fresh);
  TimeShares times(task.limits, getPlanningWeight(function));
  std::optional<Refusal> refusal;
  OwningOpRef<Operation *> original = function->clone();
  // Each block that does not fit says what would do for it: all of it must.
  bool isGood = true;
  for (auto [number, block] : llvm::enumerate(function.getFunctionBody())) {
    BlockTask here = task;
    here.around = around.getBytes(block);
    here.budget -= here.around;
    for (StringRef tier : around.getTiers(block))
      if (!tier.empty())
        here.slowTaken[tier.str()] += around.getBytes(block, tier);
    if (plans)
      here.saved = plans->find(function, number);
    here.limits = times.next(getPlanningWeight(block));
    here.refusal = &refusal;
    FailureOr<PlannedBlock> planned = planBlock(block, here, options);
    if (refusal)
      break;
    isGood &= succeeded(planned);
    if (!isGood)
      continue;
    outcome.add(*planned, here.around);
    if (kept)
      kept->push_back(std::move(planned->plan.toSave));
  }
  if (!isGood || !refusal)
    return success(isGood);
  if (kept)
    kept->clear();
  if (succeeded(
          keepAsItIs(function, *original, task, options, *refusal, outcome)))
    return success();
  return takeLeanest(function, task, options, *refusal, outcome, kept);
}

/// First what stands inside of ops is ordered for its peak. If that does not
/// do, it is planned.
static LogicalResult planBlocksAnyHow(FunctionOpInterface function,
                                      const FunctionTask &wanted,
                                      const ExtentTry &next,
                                      ScheduleOutcome &outcome,
                                      std::vector<SavedPlan> &kept) {
  ProgramContext fresh(wanted.blocks.analysis);
  bool hasInside = llvm::any_of(function.getFunctionBody(), [&](Block &block) {
    return hasInnerMemory(block, fresh);
  });
  BlockTask task;
  task.budget = next.limit;
  task.functionPeak = wanted.inputPeak;
  task.aim = next.isLeanest ? Aim::Leanest : Aim::Cheapest;
  task.slowTaken = wanted.slowTaken;
  task.calleesAreLeast = wanted.calleesAreLeast;
  task.limits = next.limits;
  auto plan = [&] {
    return planAllBlocks(function, task, wanted.blocks, wanted.plans, outcome,
                         &kept);
  };
  if (!hasInside)
    return plan();
  if (!wanted.asked.isLeanest) {
    task.limits = next.limits.share(2, 3);
    OwningOpRef<Operation *> original = function->clone();
    if (succeeded(runQuietly(function->getContext(), plan)))
      return success();
    putBack(function, *original);
    task.limits = next.limits;
  }
  task.inside = Inside::Planned;
  return plan();
}

/// Plans the blocks of `function` for `next`. For less than was asked for, what
/// was proven then (`first`) holds: the budget is no smaller.
static FailureOr<PlannedFunction>
planFunctionBlocks(FunctionOpInterface function, const FunctionTask &task,
                   const ExtentTry &next, const PlannedFunction *first) {
  PlannedFunction planned;
  ScheduleOutcome &outcome = planned.outcome;
  if (failed(planBlocksAnyHow(function, task, next, outcome, planned.kept)))
    return failure();
  if (next.isLeanest == task.asked.isLeanest && next.limit == task.asked.limit)
    return planned;
  const int64_t bound = first ? first->outcome.bound : 0;
  game::certify(outcome, bound);
  for (SavedPlan &saved : planned.kept) { // of one block
    saved.budget = task.asked.limit;
    saved.bound = outcome.bound;
    saved.status = outcome.status;
  }
  return planned;
}

FailureOr<PlannedFunction> planFunctionInExtent(FunctionOpInterface function,
                                                const FunctionTask &task,
                                                const ExtentRequest &request,
                                                const PlanScope *scope,
                                                RemarkQueue &remarks) {
  std::vector<PlannedFunction> plans;
  bool isSaidOfLast = false;
  auto takeRemarks = [&] {
    RemarkQueue::Remarks said = remarks.take(function);
    if (std::exchange(isSaidOfLast, false))
      plans.back().remarks = std::move(said);
  };
  auto planWithin = [&](const ExtentTry &next) -> FailureOr<PlannedWithin> {
    // For less than before, so no cost or bound of before holds.
    if (scope)
      scope->enter("@" + getProgramName(function));
    takeRemarks();
    FailureOr<PlannedFunction> planned = planFunctionBlocks(
        function, task, next, plans.empty() ? nullptr : &plans.front());
    if (failed(planned))
      return failure();
    plans.push_back(std::move(*planned));
    isSaidOfLast = true;
    const ScheduleOutcome &outcome = plans.back().outcome;
    return PlannedWithin{outcome.peak, outcome.cost,
                         outcome.status == game::Status::Optimal};
  };
  FailureOr<BoundExtent> bound = bindExtent(function, request, planWithin);
  takeRemarks();
  if (failed(bound))
    return failure();
  PlannedFunction chosen = std::move(plans[bound->chosen]);
  remarks.put(function, std::move(chosen.remarks));
  chosen.outcome.extent = bound->extent;
  return chosen;
}

FailureOr<int64_t> getCostOnce(FunctionOpInterface function,
                               const PlanOptions &options) {
  int64_t sum = 0;
  for (Block &block : function.getFunctionBody()) {
    FailureOr<int64_t> once = getCostOnce(block, options);
    if (failed(once))
      return failure();
    sum = addCounts(sum, *once);
  }
  return sum;
}

} // namespace pebble
