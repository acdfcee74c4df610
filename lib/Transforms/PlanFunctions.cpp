//===- PlanFunctions.cpp - plan the functions of a module -----------------===//

#include "PlanFunctions.h"

#include "BindExtent.h"
#include "BudgetOption.h"
#include "ChooseForms.h"
#include "DivideAmongCalls.h"
#include "Fallbacks.h"
#include "FunctionBlocks.h"
#include "PlanBlocks.h"
#include "PlanPasses.h"
#include "PlanSummary.h"
#include "Rooms.h"
#include "TimeShares.h"

#include "pebble/Analysis/BufferTables.h"
#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/PlanSchedule.h"
#include "pebble/Planning/RemarkQueue.h"
#include "pebble/Planning/StepCosts.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

namespace {
class FunctionPlanner {
public:
  FunctionPlanner(ModuleOp module, const FunctionPlanOptions &options,
                  ProgramContext &context)
      : module(module), options(options), context(context) {}

  LogicalResult run() {
    if (failed(prepare()))
      return failure();
    // The least first, then what is cheapest within it.
    if (isLeast() && failed(findLeast(options.limits.part(2))))
      return failure();
    shares = TimeShares(options.limits, weight);
    if (failed(setBudgets()) || failed(readPlans()) || failed(planAll()))
      return failure();
    eraseNeedless();
    tell();
    return options.savePlan.empty()
               ? success()
               : newPlans.write(options.savePlan, module->getLoc());
  }

  FailureOr<llvm::StringMap<int64_t>> findBudgets() {
    if (failed(prepare()) ||
        failed(findLeast(options.limits, /*isCapped=*/false)))
      return failure();
    llvm::StringMap<int64_t> found;
    for (const auto &[function, least] : leasts)
      found[getProgramName(cast<FunctionOpInterface>(function), module)] =
          least.budget;
    return found;
  }

private:
  ModuleOp module;
  const FunctionPlanOptions &options;
  ProgramContext &context;
  /// Of the time that there is for all.
  TimeShares shares;
  /// Of all functions, as TimeShares has it.
  int64_t weight = 0;
  /// Callees before callers: what a call needs inside depends on the schedule
  /// of its callee.
  llvm::SetVector<Operation *> functions;
  llvm::DenseMap<Operation *, llvm::SetVector<Operation *>> callers;
  /// Before anything moves.
  llvm::DenseMap<Operation *, int64_t> inputPeaks;
  /// Of every step once, as the program came in.
  llvm::DenseMap<Operation *, int64_t> onceCosts;
  /// Of live bytes; of a callee, once its callers are planned, what they leave.
  llvm::DenseMap<Operation *, int64_t> budgets;
  llvm::DenseMap<Operation *, ScheduleOutcome> outcomes;
  /// Of the function that is planned now: what slower tiers hold besides, and
  /// whether nothing that it calls can take less.
  std::map<std::string, int64_t> slowTaken;
  bool calleesAreLeast = true;
  PlanFile oldPlans, newPlans;
  RemarkQueue remarks;
  /// A function that takes the least that was found, where that is the budget.
  struct Least {
    OwningOpRef<Operation *> function;
    ScheduleOutcome outcome;
    int64_t budget = 0;
    std::vector<SavedPlan> kept;
    RemarkQueue::Remarks remarks;
  };
  std::map<Operation *, Least> leasts;
  /// Clones that turned out no leaner than what they were cloned from.
  SmallVector<FunctionOpInterface> needless;

  LogicalResult prepare() {
    functions = getCalleesFirst(module);
    leaveBufferTables(functions, options.blocks.category);
    callers = getCallers(functions.getArrayRef());
    for (Operation *op : functions)
      weight += getPlanningWeight(cast<FunctionOpInterface>(op));
    auto peaks = getPeaks(functions.getArrayRef(), context.getOptions());
    inputPeaks = peaks.value_or(llvm::DenseMap<Operation *, int64_t>());
    return succeeded(peaks) ? refuseRecursion(functions.getArrayRef())
                            : failure();
  }

  void tell() {
    ScheduledFunctions told;
    for (Operation *op : functions)
      if (auto found = outcomes.find(op); found != outcomes.end())
        told.emplace_back(op, &found->second);
    tellSchedules(std::move(told), remarks, options.blocks.category,
                  options.scope);
  }

  void eraseNeedless() {
    for (FunctionOpInterface clone : needless)
      clone->erase();
    needless.clear();
  }

  /// Plans `clone`, which is as `function` came in, for the least peak that can
  /// be found, and names it as what runs where a dimension is larger than the
  /// bound. Where nothing leaner is known, `function` names itself.
  LogicalResult addFallback(FunctionOpInterface function,
                            FunctionOpInterface clone,
                            const ScheduleOutcome &planned,
                            HierarchyAttr hierarchy,
                            const graph::Limits &limits) {
    ScheduleOutcome outcome;
    BlockTask task;
    task.limits = limits;
    task.budget = std::max(budgets[function], planned.inputPeak);
    task.aim = Aim::Fallback;
    if (failed(planAllBlocks(clone, task, getOptions(hierarchy), nullptr,
                             outcome)))
      return failure();
    outcome.inputPeak = planned.inputPeak;
    StringAttr name = clone.getNameAttr();
    if (outcome.peak >= planned.peak) {
      name = function.getNameAttr();
      needless.push_back(clone);
    }
    clone->setAttr(attr::kResult, outcome.toAttribute(module->getContext()));
    nameFallback(function, *context.getOptions().dynamicDimBound, name);
    return success();
  }

  /// A function that others call runs within the budget of its callers: all of
  /// its memory is part of theirs.
  LogicalResult setBudgets() {
    for (Operation *function : llvm::reverse(functions.getArrayRef())) {
      if (cast<FunctionOpInterface>(function).isExternal())
        continue;
      std::optional<int64_t> budget;
      for (Operation *caller : callers[function])
        if (auto found = budgets.find(caller);
            found != budgets.end() && caller != function)
          budget = std::max(budget.value_or(0), found->second);
      if (auto found = leasts.find(function); found != leasts.end())
        budget = std::max(budget.value_or(0), found->second.budget);
      if (!budget) {
        FailureOr<int64_t> own =
            getBudget(function, options.budget, inputPeaks.lookup(function));
        if (failed(own))
          return failure();
        budget = *own;
      }
      budgets[function] = *budget;
    }
    return success();
  }

  LogicalResult readPlans() {
    if (options.plan.empty())
      return success();
    FailureOr<PlanFile> file = PlanFile::readFor(
        functions.getArrayRef(), options.plan, module->getLoc());
    if (failed(file))
      return failure();
    oldPlans = std::move(*file);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Functions together
  //===--------------------------------------------------------------------===//

  PlanOptions getOptions(HierarchyAttr hierarchy) {
    PlanOptions blocks = options.blocks;
    blocks.analysis = context.getOptions();
    blocks.hierarchy = hierarchy;
    return blocks;
  }

  bool isLinked(Operation *function) {
    return !callers[function].empty() ||
           llvm::any_of(callers, [&](const auto &entry) {
             return entry.second.contains(function) &&
                    !cast<FunctionOpInterface>(entry.first).isExternal();
           });
  }

  bool isLeast() const { return options.budget && options.budget->isLeast(); }

  SmallVector<FunctionOpInterface> getFunctions(bool linked) {
    SmallVector<FunctionOpInterface> found;
    for (Operation *op : functions)
      if (auto function = cast<FunctionOpInterface>(op);
          !function.isExternal() && isLinked(function) == linked)
        found.push_back(function);
    return found;
  }

  /// Plans each function for the least that can be found, notes what that
  /// takes, and puts the functions back. `isCapped`: no more than the compute
  /// tier holds will do.
  LogicalResult findLeast(const graph::Limits &limits, bool isCapped = true) {
    shares = TimeShares(limits, weight);
    std::vector<OwningOpRef<Operation *>> originals;
    SmallVector<FunctionOpInterface> linked = getFunctions(/*linked=*/true);
    auto noteLeast = [&](FunctionOpInterface function, int64_t budget,
                         std::vector<SavedPlan> kept = {}) {
      leasts[function] = {OwningOpRef<Operation *>(function->clone()),
                          outcomes[function], budget, std::move(kept),
                          remarks.take(function)};
    };
    for (FunctionOpInterface function : getFunctions(/*linked=*/false)) {
      OwningOpRef<Operation *> original = function->clone();
      FailureOr<std::optional<int64_t>> capacity = getCapacity(function);
      if (failed(capacity))
        return failure();
      budgets[function] = isCapped ? capacity->value_or(kNoLimit) : kNoLimit;
      FailureOr<HierarchyAttr> hierarchy = getCosted(function);
      std::vector<SavedPlan> kept;
      if (failed(hierarchy) ||
          failed(bindFunction(function, *hierarchy,
                              {budgets[function], /*isLeanest=*/true, {}},
                              shares.next(getPlanningWeight(function)), kept)))
        return failure();
      const ScheduleOutcome &outcome = outcomes[function];
      noteLeast(function, outcome.extent.value_or(outcome.peak),
                std::move(kept));
      putBack(function, *original);
    }
    calleesAreLeast = true;
    for (FunctionOpInterface function : linked) {
      originals.push_back(function->clone());
      if (failed(
              makeLeanest(function, shares.next(getPlanningWeight(function)))))
        return failure();
    }
    ProgramContext fresh(context.getOptions());
    for (FunctionOpInterface function : linked) {
      FailureOr<int64_t> peak = getFunctionPeak(function, fresh);
      if (failed(peak))
        return failure();
      noteLeast(function, *peak);
    }
    for (auto [function, original] : llvm::zip(linked, originals))
      putBack(function, *original);
    budgets.clear();
    outcomes.clear();
    return success();
  }

  /// Functions that neither call nor are called stand by themselves. The others
  /// are planned as they are first, callees before callers; if some budget is
  /// not kept then, callees are planned for what their callers leave. All
  /// functions that fail are named.
  LogicalResult planAll() {
    bool isGood = true;
    for (FunctionOpInterface function : getFunctions(/*linked=*/false))
      isGood &= succeeded(planAlone(function));
    SmallVector<FunctionOpInterface> linked = getFunctions(/*linked=*/true);
    if (linked.empty())
      return success(isGood);
    int64_t weight = 0;
    std::vector<OwningOpRef<Operation *>> originals;
    for (FunctionOpInterface function : linked) {
      originals.push_back(function->clone());
      weight += getPlanningWeight(function);
      if (failed(countOnce(function)))
        return failure();
    }
    // Half as much is kept for the case that callees have to give room.
    graph::Limits limits = shares.next(weight);
    const graph::Limits first = mayDivide() ? limits.share(2, 3) : limits;
    shares = TimeShares(first, weight + weight / 2);
    bool isPlanned = succeeded(planCalleesFirst(linked));
    if (!isPlanned) {
      shares = TimeShares(first, 2 * weight);
      PlanFile before = newPlans;
      auto plan = [&] { return planCallersFirst(linked, originals); };
      for (auto [function, original] : llvm::zip(linked, originals))
        putBack(function, *original);
      isPlanned = isLeast() ? succeeded(runQuietly(module->getContext(), plan))
                            : succeeded(plan());
      if (!isPlanned)
        newPlans = std::move(before);
    }
    if (!isPlanned && !isLeast())
      return failure();
    for (FunctionOpInterface function : linked) {
      if (!isPlanned)
        takeLeast(function);
      else if (isLeast())
        repeatRefusals(function, leasts.at(function).remarks);
      finish(function);
    }
    if (isPlanned && mayDivide())
      divide(linked, originals, limits);
    return success(isGood);
  }

  /// Only then does a callee that takes less cost more, and cost is all.
  bool mayDivide() const {
    return options.blocks.means == ScheduleMeans::Recompute &&
           options.blocks.objective != ScheduleObjective::Energy;
  }

  /// Has calls take what is left for each, in versions of their callees.
  void divide(ArrayRef<FunctionOpInterface> linked,
              ArrayRef<OwningOpRef<Operation *>> originals,
              const graph::Limits &limits) {
    slowTaken.clear();
    auto plan = [&](func::FuncOp function, std::optional<int64_t> budget,
                    const graph::Limits &share) -> LogicalResult {
      FailureOr<HierarchyAttr> hierarchy = getCosted(function);
      std::vector<SavedPlan> kept;
      if (!budget || failed(hierarchy))
        return budget ? failure() : makeLeanest(function, share);
      return bindFunction(function, *hierarchy, {*budget, false, {}}, share,
                          kept);
    };
    divideAmongCalls(
        {options.blocks, context.getOptions(), limits, functions, callers,
         inputPeaks, onceCosts, budgets, outcomes, remarks, plan,
         [&](Operation *op) { finish(cast<FunctionOpInterface>(op)); }},
        linked, originals);
  }

  /// A function that is planned for the least is never without a plan.
  LogicalResult planAlone(FunctionOpInterface function) {
    graph::Limits limits = shares.next(getPlanningWeight(function));
    auto plan = [&] {
      return planFunction(function, budgets[function], limits);
    };
    if (!isLeast())
      return plan();
    if (failed(runQuietly(module->getContext(), plan)))
      takeLeast(function);
    else
      repeatRefusals(function, leasts.at(function).remarks);
    return success();
  }

  void takeLeast(FunctionOpInterface function) {
    Least &least = leasts.at(function);
    const bool hasFallback = callers[function].empty() &&
                             needsFallback(function, context.getOptions());
    putBack(function, *least.function);
    outcomes[function] = least.outcome;
    remarks.put(function, std::move(least.remarks));
    restate(function, least.budget);
    newPlans.addAll(function, std::move(least.kept));
    // Nothing is leaner.
    if (hasFallback && least.outcome.isChanged)
      nameFallback(function, *context.getOptions().dynamicDimBound,
                   function.getNameAttr());
  }

  LogicalResult countOnce(FunctionOpInterface function) {
    if (onceCosts.contains(function))
      return success();
    FailureOr<HierarchyAttr> hierarchy = getCosted(function);
    if (failed(hierarchy))
      return failure();
    FailureOr<int64_t> once = getCostOnce(function, getOptions(*hierarchy));
    onceCosts[function] = once.value_or(0);
    return once;
  }

  /// Each function within the budget of the whole: right if all budgets are
  /// kept.
  LogicalResult planCalleesFirst(ArrayRef<FunctionOpInterface> linked) {
    PlanFile before = newPlans;
    return runQuietly(module->getContext(), [&] {
      for (FunctionOpInterface function : linked)
        if (failed(planFunction(function, budgets[function],
                                shares.next(getPlanningWeight(function))))) {
          eraseOldFallbacks(module);
          eraseNeedless();
          newPlans = std::move(before);
          return failure();
        }
      return success();
    });
  }

  /// Callees take the least that they can until their callers are planned; then
  /// they are planned for what those leave at each call.
  LogicalResult planCallersFirst(ArrayRef<FunctionOpInterface> linked,
                                 ArrayRef<OwningOpRef<Operation *>> originals) {
    calleesAreLeast = true;
    auto getShare = [&](FunctionOpInterface function) {
      return shares.next(getPlanningWeight(function));
    };
    for (FunctionOpInterface function : linked)
      if (!callers[function].empty() &&
          failed(makeLeanest(function, getShare(function))))
        return failure();
    llvm::DenseSet<Operation *> failing;
    for (size_t i = linked.size(); i-- > 0;) {
      FunctionOpInterface function = linked[i];
      bool isLeft = llvm::any_of(callers[function], [&](Operation *caller) {
        return failing.contains(caller);
      });
      if (isLeft ||
          failed(callers[function].empty()
                     ? planFunction(function, budgets[function],
                                    getShare(function))
                     : fitCallee(function, *originals[i], getShare(function))))
        failing.insert(function);
    }
    calleesAreLeast = true;
    slowTaken.clear();
    return success(failing.empty());
  }

  LogicalResult makeLeanest(FunctionOpInterface function,
                            const graph::Limits &limits) {
    FailureOr<HierarchyAttr> hierarchy = getCosted(function);
    if (failed(hierarchy))
      return failure();
    BlockTask task;
    task.budget = kNoLimit;
    task.aim = Aim::Leanest;
    task.limits = limits;
    task.inside = Inside::Planned;
    task.calleesAreLeast = calleesAreLeast;
    ScheduleOutcome &outcome = outcomes[function];
    remarks.take(function);
    if (failed(planAllBlocks(function, task, getOptions(*hierarchy), nullptr,
                             outcome)))
      return failure();
    // Of several blocks the callers know nothing.
    calleesAreLeast &=
        outcome.isLeast && function.getFunctionBody().hasOneBlock();
    return success();
  }

  /// Plans a function, which takes the least that it can, for what its callers
  /// leave at each call.
  LogicalResult fitCallee(FunctionOpInterface function, Operation *original,
                          const graph::Limits &limits) {
    ProgramContext fresh(context.getOptions());
    FailureOr<int64_t> least = getFunctionPeak(function, fresh);
    if (failed(least))
      return failure();
    std::optional<int64_t> room;
    slowTaken.clear();
    SymbolTableCollection symbols;
    for (Operation *caller : callers[function])
      caller->walk([&](CallOpInterface call) {
        if (call.resolveCallableInTable(&symbols) != function.getOperation())
          return;
        int64_t here = getRoom(call, budgets[caller], fresh);
        room = std::min(room.value_or(here), here);
        for (const auto &[tier, bytes] : getSlowTaken(call, fresh))
          slowTaken[tier] = std::max(slowTaken[tier], bytes);
      });
    budgets[function] = *least + std::max<int64_t>(0, *room);
    OwningOpRef<Operation *> leanest = function->clone();
    putBack(function, original);
    ScheduleOutcome known = outcomes[function];
    RemarkQueue::Remarks said = remarks.take(function);
    if (succeeded(runQuietly(module->getContext(), [&] {
          return planFunction(function, budgets[function], limits);
        })))
      return success();
    // The leanest is known to fit.
    putBack(function, *leanest);
    outcomes[function] = known;
    remarks.put(function, std::move(said));
    return success();
  }

  /// Says of a function what it and its callees turned out to take.
  void finish(FunctionOpInterface function) {
    ScheduleOutcome &outcome = outcomes[function];
    ProgramContext fresh(context.getOptions());
    if (FailureOr<int64_t> peak = getFunctionPeak(function, fresh);
        succeeded(peak))
      outcome.peak = *peak;
    outcome.inputPeak = inputPeaks[function];
    FailureOr<HierarchyAttr> hierarchy = getCosted(function);
    if (succeeded(hierarchy) && !outcome.stall &&
        options.blocks.objective != ScheduleObjective::Energy) {
      FailureOr<int64_t> once = getCostOnce(function, getOptions(*hierarchy));
      outcome.cost = once.value_or(outcome.cost);
    }
    // A callee that takes less might do at less cost; nobody has searched that.
    game::certify(outcome, std::min(outcome.bound, onceCosts[function]));
    restate(function, budgets[function]);
  }

  /// The hierarchy, with measured costs where there are any.
  FailureOr<HierarchyAttr> getCosted(FunctionOpInterface function) {
    return getCostedHierarchy(function, context.getOptions());
  }

  LogicalResult planFunction(FunctionOpInterface function, int64_t budget,
                             const graph::Limits &limits) {
    FailureOr<HierarchyAttr> hierarchy = getCosted(function);
    if (failed(hierarchy))
      return failure();
    // Until it is planned nobody has looked at it, so it may go again.
    FunctionOpInterface clone;
    if (callers[function].empty() &&
        needsFallback(function, context.getOptions()))
      clone = cloneForFallback(function);
    std::vector<SavedPlan> kept;
    if (failed(bindFunction(function, *hierarchy,
                            {budget, /*isLeanest=*/false, {}},
                            clone ? limits.share(3, 4) : limits, kept))) {
      if (clone)
        clone->erase();
      return failure();
    }
    if (clone && outcomes[function].isChanged) {
      if (failed(addFallback(function, clone, outcomes[function], *hierarchy,
                             limits))) {
        clone->erase();
        return failure();
      }
    } else if (clone) {
      clone->erase();
    }
    newPlans.addAll(function, std::move(kept));
    return success();
  }

  /// Plans the blocks and the addresses of `function`, and notes the outcome.
  LogicalResult bindFunction(FunctionOpInterface function,
                             HierarchyAttr hierarchy, ExtentTry first,
                             const graph::Limits &limits,
                             std::vector<SavedPlan> &kept) {
    if (failed(countOnce(function)))
      return failure();
    FunctionTask task{getOptions(hierarchy), first,
                      inputPeaks[function],  slowTaken,
                      calleesAreLeast,       &oldPlans};
    ExtentRequest request{
        hierarchy,           context.getOptions(),   first.limit,
        options.blocks.seed, afterInterrupt(limits), options.blocks.category,
        first.isLeanest,     inputPeaks[function]};
    FailureOr<PlannedFunction> planned =
        planFunctionWithForms(function, task, request, options.scope, remarks,
                              onceCosts.lookup(function));
    if (failed(planned))
      return failure();
    kept = std::move(planned->kept);
    ScheduleOutcome &outcome = planned->outcome;
    outcome.inputPeak = inputPeaks[function];
    outcomes[function] = outcome;
    restate(function, first.limit);
    return success();
  }

  /// Says of a function what is known of its plan within `budget`.
  void restate(FunctionOpInterface function, int64_t budget) {
    ScheduleOutcome &outcome = outcomes[function];
    outcome.state(options.blocks.objective, budget, onceCosts.lookup(function));
    function->setAttr(attr::kResult, outcome.toAttribute(module->getContext()));
  }
};
} // namespace

LogicalResult planFunctions(ModuleOp module, const FunctionPlanOptions &options,
                            ProgramContext &context) {
  return FunctionPlanner(module, options, context).run();
}

FailureOr<llvm::StringMap<int64_t>>
findLeastBudgets(ModuleOp module, const FunctionPlanOptions &options,
                 ProgramContext &context) {
  return FunctionPlanner(module, options, context).findBudgets();
}

} // namespace pebble
