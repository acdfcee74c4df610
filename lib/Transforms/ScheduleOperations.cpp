//===- ScheduleOperations.cpp - the pass pebble-schedule -------------------===//
//
// Fix storages, then for each function: plan its blocks within the budget (and
// callees, where need be, within what their callers leave), prove that it is
// still the same program and that its peak is the planned one, and report.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "BindExtent.h"
#include "Fallbacks.h"
#include "OptionRange.h"
#include "PlaceBoundaries.h"
#include "PlanBlocks.h"
#include "PlanPasses.h"
#include "Rooms.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Planning/PlanSchedule.h"
#include "pebble/Planning/StepCosts.h"
#include "pebble/Target/CostProfile.h"
#include "pebble/Target/TargetHierarchy.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"

namespace pebble {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct SchedulePass : pebble::impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;

  void runOnOperation() override {
    AnalysisOptions options = getAnalysisOptions(pure, dimBound);
    if (!costs.empty())
      options.costsFile = costs;
    eraseAllAddresses(getOperation());
    if (failed(checkOptions()) ||
        failed(options.readCosts(getOperation()->getLoc())) ||
        failed(placeBoundaries(getOperation())))
      return signalPassFailure();
    // What an op needs inside must stand in the program, and what is written in
    // place must not depend on the order any more.
    OpPassManager decompose(getOperation()->getName());
    decompose.addPass(createDecomposePass());
    if (failed(runPipeline(decompose, getOperation())) ||
        failed(materializeStorage(getOperation(), options)))
      return signalPassFailure();
    getOperation()->walk([](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        eraseTensorDrops(block);
    });
    eraseOldFallbacks(getOperation());
    ProgramContext programContext(std::move(options));
    context = &programContext;
    functions.clear();
    callers.clear();
    budgets.clear();
    inputPeaks.clear();
    onceCosts.clear();
    outcomes.clear();
    slowTaken.clear();
    needless.clear();
    collectFunctions();
    if (failed(measureInput()) || failed(setBudgets()) || failed(readPlans()))
      return signalPassFailure();
    if (failed(refuseRecursion(functions.getArrayRef())) || failed(planAll()))
      return signalPassFailure();
    eraseNeedless();
    if (!savePlan.empty() &&
        failed(newPlans.write(savePlan, getOperation()->getLoc())))
      signalPassFailure();
  }

private:
  /// Of the run in progress.
  ProgramContext *context = nullptr;
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
  /// Clones that turned out no leaner than what they were cloned from.
  SmallVector<FunctionOpInterface> needless;

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
                            HierarchyAttr hierarchy) {
    ScheduleOutcome outcome;
    BlockTask task;
    task.budget = std::max(budgets[function], planned.inputPeak);
    task.aim = Aim::Fallback;
    if (failed(planAllBlocks(clone, task, hierarchy, outcome)))
      return failure();
    outcome.inputPeak = planned.inputPeak;
    StringAttr name = clone.getNameAttr();
    if (outcome.peak >= planned.peak) {
      name = function.getNameAttr();
      needless.push_back(clone);
    }
    clone->setAttr(attr::kResult, outcome.toAttribute(&getContext()));
    Builder builder(&getContext());
    function->setAttr(
        attr::kFallback,
        builder.getDictionaryAttr(
            {builder.getNamedAttr("dim_bound",
                                  builder.getI64IntegerAttr(
                                      *context->getOptions().dynamicDimBound)),
             builder.getNamedAttr("function", FlatSymbolRefAttr::get(name))}));
    return success();
  }

  /// That searches may take for their tables.
  uint64_t tableBytes = 0;

  LogicalResult checkOptions() {
    Location loc = getOperation()->getLoc();
    FailureOr<uint64_t> bytes = getTableBytes(loc, memoryLimit);
    if (failed(bytes))
      return failure();
    tableBytes = *bytes;
    if (failed(checkRange(loc, timeLimitMs, 0, 1)) ||
        failed(checkRange(loc, dimBound, 0, 1)) ||
        failed(checkRange(loc, budgetBytes, kNotGiven, 1)) ||
        failed(checkRange(loc, budgetPercent, kNotGiven, 1, 100)))
      return failure();
    if (budgetBytes != kNotGiven && budgetPercent != kNotGiven)
      return emitError(loc, "give either budget-bytes or budget-percent, "
                            "not both");
    return success();
  }

  void collectFunctions() {
    functions = getCalleesFirst(getOperation());
    SymbolTableCollection symbols;
    for (Operation *function : functions)
      function->walk([&](CallOpInterface call) {
        if (Operation *callee = call.resolveCallableInTable(&symbols))
          callers[callee].insert(function);
      });
  }

  LogicalResult measureInput() {
    ProgramContext asItCame(context->getOptions());
    for (Operation *op : functions) {
      auto function = cast<FunctionOpInterface>(op);
      if (function.isExternal())
        continue;
      FailureOr<int64_t> peak = getFunctionPeak(function, asItCame);
      if (failed(peak))
        return failure();
      inputPeaks[op] = *peak;
    }
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
      if (!budget) {
        FailureOr<int64_t> own = getBudget(function, budgetBytes, budgetPercent,
                                           inputPeaks.lookup(function));
        if (failed(own))
          return failure();
        budget = *own;
      }
      budgets[function] = *budget;
    }
    return success();
  }

  LogicalResult readPlans() {
    oldPlans = newPlans = PlanFile();
    if (plan.empty())
      return success();
    FailureOr<PlanFile> file = PlanFile::read(plan, getOperation()->getLoc());
    if (failed(file))
      return failure();
    oldPlans = std::move(*file);
    if (llvm::none_of(functions, [&](Operation *function) {
          return oldPlans.isFor(cast<FunctionOpInterface>(function));
        }))
      emitWarning(getOperation()->getLoc())
          << "'" << plan << "' holds no plan for a function of this module";
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Functions together
  //===--------------------------------------------------------------------===//

  PlanOptions getOptions(HierarchyAttr hierarchy) {
    PlanOptions options;
    options.objective = objective;
    options.cacheModel = cacheModel;
    options.means = means;
    options.solver = solver;
    options.seed = seed;
    options.timeLimitMs = timeLimitMs;
    options.tableBytes = tableBytes;
    options.keepsPlans = !plan.empty() || !savePlan.empty();
    options.category = getArgument();
    options.analysis = context->getOptions();
    options.hierarchy = hierarchy;
    return options;
  }

  bool isLinked(Operation *function) {
    return !callers[function].empty() ||
           llvm::any_of(callers, [&](const auto &entry) {
             return entry.second.contains(function) &&
                    !cast<FunctionOpInterface>(entry.first).isExternal();
           });
  }

  /// Functions that neither call nor are called stand by themselves. The others
  /// are planned as they are first, callees before callers; if some budget is
  /// not kept then, callees are planned for what their callers leave. All
  /// functions that fail are named.
  LogicalResult planAll() {
    SmallVector<FunctionOpInterface> linked;
    bool isGood = true;
    for (Operation *op : functions) {
      auto function = cast<FunctionOpInterface>(op);
      if (function.isExternal())
        continue;
      if (isLinked(function))
        linked.push_back(function);
      else
        isGood &= succeeded(planFunction(function, budgets[function]));
    }
    if (linked.empty())
      return success(isGood);
    std::vector<OwningOpRef<Operation *>> originals;
    for (FunctionOpInterface function : linked) {
      originals.push_back(function->clone());
      if (failed(countOnce(function)))
        return failure();
    }
    if (succeeded(planCalleesFirst(linked))) {
      for (FunctionOpInterface function : linked)
        finish(function);
      return success(isGood);
    }
    for (auto [function, original] : llvm::zip(linked, originals))
      putBack(function, *original);
    return success(succeeded(planCallersFirst(linked, originals)) && isGood);
  }

  LogicalResult countOnce(FunctionOpInterface function) {
    FailureOr<HierarchyAttr> hierarchy = getCosted(function);
    if (failed(hierarchy))
      return failure();
    int64_t &sum = onceCosts[function];
    for (Block &block : function.getFunctionBody()) {
      FailureOr<int64_t> once = getCostOnce(block, getOptions(*hierarchy));
      if (failed(once))
        return failure();
      sum = addCounts(sum, *once);
    }
    return success();
  }

  /// Puts `function` back as `original` was.
  static void putBack(FunctionOpInterface function, Operation *original) {
    OwningOpRef<Operation *> copy = original->clone();
    function.getFunctionBody().takeBody(
        cast<FunctionOpInterface>(*copy).getFunctionBody());
    function->setAttrs(original->getAttrDictionary());
  }

  /// Each function within the budget of the whole: right if all budgets are
  /// kept.
  LogicalResult planCalleesFirst(ArrayRef<FunctionOpInterface> linked) {
    PlanFile before = newPlans;
    return runQuietly(&getContext(), [&] {
      for (FunctionOpInterface function : linked)
        if (failed(planFunction(function, budgets[function]))) {
          eraseOldFallbacks(getOperation());
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
    for (FunctionOpInterface function : linked)
      if (!callers[function].empty() && failed(makeLeanest(function)))
        return failure();
    llvm::DenseSet<Operation *> failing;
    for (size_t i = linked.size(); i-- > 0;) {
      FunctionOpInterface function = linked[i];
      bool isLeft = llvm::any_of(callers[function], [&](Operation *caller) {
        return failing.contains(caller);
      });
      if (isLeft || failed(callers[function].empty()
                               ? planFunction(function, budgets[function])
                               : fitCallee(function, *originals[i])))
        failing.insert(function);
    }
    calleesAreLeast = true;
    slowTaken.clear();
    if (!failing.empty())
      return failure();
    for (FunctionOpInterface function : linked)
      finish(function);
    return success();
  }

  LogicalResult makeLeanest(FunctionOpInterface function) {
    FailureOr<HierarchyAttr> hierarchy = getCosted(function);
    if (failed(hierarchy))
      return failure();
    BlockTask task;
    task.budget = kNoLimit;
    task.aim = Aim::Leanest;
    task.inside = Inside::Planned;
    task.calleesAreLeast = calleesAreLeast;
    ScheduleOutcome &outcome = outcomes[function];
    if (failed(planAllBlocks(function, task, *hierarchy, outcome)))
      return failure();
    // Of several blocks the callers know nothing.
    calleesAreLeast &=
        outcome.isLeast && function.getFunctionBody().hasOneBlock();
    return success();
  }

  /// Plans a function, which takes the least that it can, for what its callers
  /// leave at each call.
  LogicalResult fitCallee(FunctionOpInterface function, Operation *original) {
    ProgramContext fresh(context->getOptions());
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
    if (succeeded(runQuietly(&getContext(), [&] {
          return planFunction(function, budgets[function]);
        })))
      return success();
    // The leanest is known to fit.
    putBack(function, *leanest);
    outcomes[function] = known;
    return success();
  }

  /// Says of a function what it and its callees turned out to take.
  void finish(FunctionOpInterface function) {
    ScheduleOutcome &outcome = outcomes[function];
    ProgramContext fresh(context->getOptions());
    if (FailureOr<int64_t> peak = getFunctionPeak(function, fresh);
        succeeded(peak))
      outcome.peak = *peak;
    outcome.inputPeak = inputPeaks[function];
    FailureOr<HierarchyAttr> hierarchy = getCosted(function);
    if (succeeded(hierarchy) && !outcome.stall &&
        objective != ScheduleObjective::Energy) {
      outcome.cost = 0;
      for (Block &block : function.getFunctionBody())
        if (FailureOr<int64_t> once =
                getCostOnce(block, getOptions(*hierarchy));
            succeeded(once))
          outcome.cost = addCounts(outcome.cost, *once);
    }
    // A callee that takes less might do at less cost; nobody has searched that.
    outcome.bound =
        std::min({outcome.bound, outcome.cost, onceCosts[function]});
    outcome.status = outcome.bound == outcome.cost ? game::Status::Optimal
                                                   : game::Status::Feasible;
    function->setAttr(attr::kResult, outcome.toAttribute(&getContext()));
  }

  //===--------------------------------------------------------------------===//
  // One function
  //===--------------------------------------------------------------------===//

  /// The hierarchy, with measured costs where there are any.
  FailureOr<HierarchyAttr> getCosted(FunctionOpInterface function) {
    FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
    if (succeeded(hierarchy))
      if (const auto &profile = context->getOptions().costs)
        hierarchy = profile->applyTo(*hierarchy);
    return hierarchy;
  }

  LogicalResult planFunction(FunctionOpInterface function, int64_t budget) {
    FailureOr<HierarchyAttr> hierarchy = getCosted(function);
    if (failed(hierarchy))
      return failure();
    // Until it is planned nobody has looked at it, so it may go again.
    FunctionOpInterface clone;
    if (callers[function].empty() &&
        needsFallback(function, context->getOptions())) {
      clone = cast<FunctionOpInterface>(function->clone());
      clone.setName((function.getName() + ".leanest").str());
      clone.setPrivate();
      // Only one of the two can be taken apart under the names that it gives.
      clone->removeAttr(attr::kStitched);
      SymbolTable(getOperation())
          .insert(clone, std::next(Block::iterator(function)));
    }
    ScheduleOutcome outcome;
    std::vector<SavedPlan> kept;
    auto planWithin = [&](ExtentTry next) -> FailureOr<int64_t> {
      if (failed(planBlocks(function, *hierarchy, next, outcome, kept)))
        return failure();
      return outcome.peak;
    };
    ExtentRequest request{*hierarchy,   context->getOptions(), budget,
                          seed,         timeLimitMs,           tableBytes,
                          getArgument()};
    FailureOr<std::optional<int64_t>> extent =
        bindExtent(function, request, planWithin);
    if (failed(extent))
      return failure();
    for (auto [number, saved] : llvm::enumerate(kept))
      newPlans.add(function.getName(), number, std::move(saved));
    outcome.extent = *extent;
    outcome.inputPeak = inputPeaks[function];
    outcomes[function] = outcome;
    function->setAttr(attr::kResult, outcome.toAttribute(&getContext()));
    if (clone && outcome.isChanged)
      return addFallback(function, clone, outcome, *hierarchy);
    if (clone)
      clone->erase();
    return success();
  }

  /// Plans the blocks of `function`. The second time the budget is no smaller
  /// than what is asked for, and what was proven for it holds.
  LogicalResult planBlocks(FunctionOpInterface function,
                           HierarchyAttr hierarchy, ExtentTry next,
                           ScheduleOutcome &outcome,
                           std::vector<SavedPlan> &kept) {
    bool isAgain = next.isLeanest || next.limit != budgets[function];
    int64_t bound = outcome.bound;
    if (failed(planBlocksAnyHow(function, hierarchy, next, outcome, kept)))
      return failure();
    if (!isAgain)
      return success();
    outcome.bound = std::min(bound, outcome.cost);
    outcome.status = outcome.bound == outcome.cost ? game::Status::Optimal
                                                   : game::Status::Feasible;
    for (SavedPlan &saved : kept) { // of one block
      saved.budget = budgets[function];
      saved.bound = outcome.bound;
      saved.status = outcome.status;
    }
    return success();
  }

  /// First what stands inside of ops is ordered for its peak. If that does not
  /// do, it is planned.
  LogicalResult planBlocksAnyHow(FunctionOpInterface function,
                                 HierarchyAttr hierarchy, ExtentTry next,
                                 ScheduleOutcome &outcome,
                                 std::vector<SavedPlan> &kept) {
    ProgramContext fresh(context->getOptions());
    bool hasInside =
        llvm::any_of(function.getFunctionBody(), [&](Block &block) {
          return hasInnerMemory(block, fresh);
        });
    BlockTask task;
    task.budget = next.limit;
    task.aim = next.isLeanest ? Aim::Leanest : Aim::Cheapest;
    task.slowTaken = slowTaken;
    task.calleesAreLeast = calleesAreLeast;
    if (!hasInside)
      return planAllBlocks(function, task, hierarchy, outcome, &kept);
    OwningOpRef<Operation *> original = function->clone();
    if (succeeded(runQuietly(&getContext(), [&] {
          return planAllBlocks(function, task, hierarchy, outcome, &kept);
        })))
      return success();
    putBack(function, *original);
    task.inside = Inside::Planned;
    return planAllBlocks(function, task, hierarchy, outcome, &kept);
  }

  /// Plans each block of `function` for what the buffers around it leave.
  LogicalResult planAllBlocks(FunctionOpInterface function,
                              const BlockTask &task, HierarchyAttr hierarchy,
                              ScheduleOutcome &outcome,
                              std::vector<SavedPlan> *kept = nullptr) {
    outcome = ScheduleOutcome();
    if (kept)
      kept->clear();
    ProgramContext fresh(context->getOptions());
    AroundBlocks around(function.getFunctionBody(), fresh);
    // Each block that does not fit says what would do for it: all of it must.
    bool isGood = true;
    for (auto [number, block] : llvm::enumerate(function.getFunctionBody())) {
      BlockTask here = task;
      here.around = around.getBytes(block);
      here.budget -= here.around;
      for (StringRef tier : around.getTiers(block))
        if (!tier.empty())
          here.slowTaken[tier.str()] += around.getBytes(block, tier);
      here.saved = oldPlans.find(function.getName(), number);
      FailureOr<PlannedBlock> planned =
          planBlock(block, here, getOptions(hierarchy));
      isGood &= succeeded(planned);
      if (!isGood)
        continue;
      outcome.add(*planned, here.around);
      if (kept)
        kept->push_back(std::move(planned->plan.toSave));
    }
    return success(isGood);
  }
};
} // namespace
