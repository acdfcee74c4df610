//===- ScheduleOperations.cpp - the pass pebble-schedule -------------------===//
//
// Fix storages, then for each function, callees first: order the blocks inside
// of its ops, plan its own blocks within the budget, apply, prove that it is
// still the same program and that its peak is the planned one, and say what was
// done.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "BindExtent.h"
#include "PlaceBoundaries.h"
#include "PlanPasses.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/CheckPlan.h"
#include "pebble/Planning/DictatedOrder.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Planning/Explain.h"
#include "pebble/Planning/ExplainSchedule.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Planning/PlanOrder.h"
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
/// What is known of a function's blocks together.
struct Outcome : PlanOutcome {
  /// Something stands elsewhere than it came in, or runs again.
  bool isChanged = false;

  void add(const SchedulePlan &plan) {
    isChanged |= !plan.isGivenOrder();
    if (plan.status != game::Status::Optimal)
      status = game::Status::Feasible;
    cost = addCounts(cost, plan.cost);
    bound = addCounts(bound, plan.bound);
    peak = std::max(peak, plan.peak);
    if (plan.timeline)
      stall = addCounts(stall.value_or(0), plan.timeline->stalled);
    if (solver.empty() || solver == "given")
      solver = plan.solver;
  }
};

/// What a block is planned for: the least cost; the fewest live bytes, where a
/// budget of addresses leaves nothing else; the same for a function that runs
/// where an estimate was wrong, of which nothing is said.
enum class Aim { Cheapest, Leanest, Fallback };

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
    eraseOldFallbacks();
    ProgramContext programContext(std::move(options));
    context = &programContext;
    functions.clear();
    callers.clear();
    budgets.clear();
    inputPeaks.clear();
    needless.clear();
    collectFunctions();
    if (failed(measureInput()) || failed(setBudgets()) || failed(readPlans()))
      return signalPassFailure();
    for (Operation *function : functions)
      if (failed(planFunction(cast<FunctionOpInterface>(function))))
        return signalPassFailure();
    // Only now: until here the analyses know them by their addresses.
    for (FunctionOpInterface clone : needless)
      clone->erase();
    needless.clear();
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
  llvm::DenseMap<Operation *, int64_t> budgets;
  PlanFile oldPlans, newPlans;
  /// Clones that turned out no leaner than what they were cloned from.
  SmallVector<FunctionOpInterface> needless;

  /// What an earlier run of this pass left for its own plans.
  void eraseOldFallbacks() {
    SymbolTable symbols(getOperation());
    SmallVector<FunctionOpInterface> all(
        getOperation().getOps<FunctionOpInterface>());
    for (FunctionOpInterface function : all)
      if (auto old = function->getAttrOfType<DictionaryAttr>(attr::kFallback)) {
        auto name = old.getAs<FlatSymbolRefAttr>("function");
        function->removeAttr(attr::kFallback);
        Operation *clone = symbols.lookup(name.getValue());
        if (!clone || clone == function ||
            SymbolTable::getSymbolVisibility(clone) !=
                SymbolTable::Visibility::Private ||
            isReferenced(clone))
          continue;
        llvm::erase_if(all, [&](FunctionOpInterface other) {
          return other.getOperation() == clone;
        });
        symbols.erase(clone);
      }
  }

  /// Whether what is planned rests on a size that the run may exceed, and there
  /// is a caller outside who decides what to run.
  bool needsFallback(FunctionOpInterface function) {
    bool isDynamic =
        llvm::any_of(function.getArgumentTypes(), [](mlir::Type type) {
          auto shaped = dyn_cast<ShapedType>(type);
          return shaped && shaped.hasRank() && !shaped.hasStaticShape();
        });
    // A wish is followed whatever it takes, so nothing leaner would be.
    auto isWish = [](Operation *op) {
      return op->hasAttr(attr::kRecompute) ? WalkResult::interrupt()
                                           : WalkResult::advance();
    };
    return isDynamic && function.isPublic() && callers[function].empty() &&
           context->getOptions().dynamicDimBound &&
           !function->walk(isWish).wasInterrupted();
  }

  /// Plans `clone`, which is as `function` came in, for the least peak that can
  /// be found, and names it as what runs where a dimension is larger than the
  /// bound. Where nothing leaner is known, `function` names itself.
  LogicalResult addFallback(FunctionOpInterface function,
                            FunctionOpInterface clone, const Outcome &planned,
                            HierarchyAttr hierarchy) {
    Outcome outcome;
    outcome.inputPeak = planned.inputPeak;
    int64_t limit = std::max(budgets[function], outcome.inputPeak);
    for (Block &block : clone.getFunctionBody()) {
      SavedPlan unused;
      if (failed(planBlock(block, hierarchy, limit, nullptr, outcome, unused,
                           Aim::Fallback)))
        return failure();
    }
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
    if (timeLimitMs < 0 || dimBound < 0)
      return emitError(loc, "time-limit-ms and dim-bound must not be negative");
    if (budgetBytes != -1 && budgetPercent != -1)
      return emitError(loc, "give either budget-bytes or budget-percent, "
                            "not both");
    if (budgetBytes < -1 || budgetPercent < -1)
      return emitError(loc, "a budget must not be negative");
    if (budgetBytes == 0 || budgetPercent == 0)
      return emitError(loc, "nothing runs in a budget of 0 bytes");
    if (budgetPercent > 100)
      return emitError(loc, "budget-percent is at most 100: the order that "
                            "came in needs no more");
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
        FailureOr<int64_t> own = getBudget(function);
        if (failed(own))
          return failure();
        budget = *own;
      }
      budgets[function] = *budget;
    }
    return success();
  }

  FailureOr<int64_t> getBudget(Operation *function) {
    FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
    if (failed(hierarchy))
      return failure();
    TierAttr tier = *hierarchy ? (*hierarchy).getComputeTier() : TierAttr();
    bool isBounded = tier && tier.isBounded();
    if (budgetPercent != -1) {
      int64_t peak = inputPeaks.lookup(function);
      int64_t budget =
          peak / 100 * budgetPercent + peak % 100 * budgetPercent / 100;
      return isBounded ? std::min(budget, tier.getCapacity()) : budget;
    }
    if (budgetBytes == -1 && !isBounded)
      return emitError(function->getLoc())
             << "no budget: give budget-bytes or budget-percent, or a memory "
                "hierarchy whose compute tier has a capacity";
    if (budgetBytes == -1)
      return tier.getCapacity();
    if (isBounded && budgetBytes > tier.getCapacity())
      return emitError(function->getLoc())
             << "the budget of " << int64_t(budgetBytes)
             << " bytes is more than the " << tier.getCapacity()
             << " bytes of tier '" << tier.getName() << "'";
    return int64_t(budgetBytes);
  }

  LogicalResult readPlans() {
    oldPlans = newPlans = PlanFile();
    if (plan.empty())
      return success();
    FailureOr<PlanFile> file = PlanFile::read(plan, getOperation()->getLoc());
    if (succeeded(file))
      oldPlans = std::move(*file);
    return file;
  }

  LogicalResult planFunction(FunctionOpInterface function) {
    if (function.isExternal())
      return success();
    FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
    if (failed(hierarchy))
      return failure();
    if (const auto &profile = context->getOptions().costs)
      hierarchy = profile->applyTo(*hierarchy);
    // Until it is planned nobody has looked at it, so it may go again.
    FunctionOpInterface clone;
    if (needsFallback(function)) {
      clone = cast<FunctionOpInterface>(function->clone());
      clone.setName((function.getName() + ".leanest").str());
      clone.setPrivate();
      // Only one of the two can be taken apart under the names that it gives.
      clone->removeAttr(attr::kStitched);
      SymbolTable(getOperation())
          .insert(clone, std::next(Block::iterator(function)));
    }
    Outcome outcome;
    std::vector<SavedPlan> kept;
    auto planWithin = [&](ExtentTry next) -> FailureOr<int64_t> {
      if (failed(planBlocks(function, *hierarchy, next, outcome, kept)))
        return failure();
      return outcome.peak;
    };
    ExtentRequest request;
    request.hierarchy = *hierarchy;
    request.options = context->getOptions();
    request.budget = budgets[function];
    request.seed = seed;
    request.category = getArgument();
    FailureOr<std::optional<int64_t>> extent =
        bindExtent(function, request, planWithin);
    if (failed(extent))
      return failure();
    for (auto [number, saved] : llvm::enumerate(kept))
      newPlans.add(function.getName(), number, std::move(saved));
    outcome.extent = *extent;
    outcome.inputPeak = inputPeaks[function];
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
                           Outcome &outcome, std::vector<SavedPlan> &kept) {
    bool isAgain = next.isLeanest || next.limit != budgets[function];
    // The body is another one, which no analysis has seen.
    ProgramContext fresh(context->getOptions());
    ProgramContext *before = context;
    if (isAgain)
      context = &fresh;
    int64_t bound = outcome.bound;
    outcome = Outcome();
    kept.clear();
    LogicalResult result = success();
    for (auto [number, block] : llvm::enumerate(function.getFunctionBody())) {
      kept.emplace_back();
      result =
          planBlock(block, hierarchy, next.limit,
                    oldPlans.find(function.getName(), number), outcome,
                    kept.back(), next.isLeanest ? Aim::Leanest : Aim::Cheapest);
      if (failed(result))
        break;
    }
    context = before;
    if (failed(result) || !isAgain)
      return result;
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

  /// Orders the blocks inside of the ops of `block`: what they need at their
  /// peak is what the op needs.
  LogicalResult orderInside(Block &block) {
    return forEachInnerBlock(block, [&](Block &nested) {
      return success(succeeded(orderInside(nested)) &&
                     succeeded(orderForPeak(nested)));
    });
  }

  LogicalResult orderForPeak(Block &block) {
    StorageAnalysis storage(block, *context);
    if (failed(storage.verify()))
      return failure();
    EquivalenceChecker checker(storage);
    DependenceGraph dependences(storage);
    OrderRequest request;
    request.seed = seed;
    request.limits = graph::Limits(timeLimitMs, tableBytes);
    request.countArguments = false;
    FailureOr<OrderPlan> plan = planOrder(dependences, request);
    if (failed(plan))
      return failure();
    applyOrder(storage, plan->order);
    return checker.verify();
  }

  LogicalResult planBlock(Block &block, HierarchyAttr hierarchy, int64_t budget,
                          const SavedPlan *saved, Outcome &outcome,
                          SavedPlan &kept, Aim aim) {
    if (failed(orderInside(block)))
      return failure();
    AnalysedBlock analysed;
    analysed.storage = std::make_unique<StorageAnalysis>(block, *context);
    if (failed(analysed.storage->verify()))
      return failure();
    EquivalenceChecker checker(*analysed.storage);
    if (failed(applyDictatedOrder(analysed, *context)))
      return failure();
    const StorageAnalysis &storage = *analysed.storage;
    ScheduleRequest request;
    request.objective = objective;
    request.cacheModel = cacheModel;
    request.hierarchy = hierarchy;
    request.budget = budget;
    request.recompute =
        means == ScheduleMeans::Recompute || means == ScheduleMeans::Both;
    request.offload =
        means == ScheduleMeans::Offload || means == ScheduleMeans::Both;
    request.solver = solver;
    request.seed = seed;
    request.limits = graph::Limits(timeLimitMs, tableBytes);
    request.dictated = analysed.dictated;
    request.saved = saved;
    request.leanest = aim != Aim::Cheapest;
    if (aim != Aim::Fallback)
      request.hasAddresses = [&] {
        ProgramContext fresh(context->getOptions());
        auto function = dyn_cast<FunctionOpInterface>(block.getParentOp());
        return function && collectBuffers(function, fresh).refusal.empty();
      };
    FailureOr<SchedulePlan> plan = planSchedule(*analysed.dependences, request);
    if (failed(plan))
      return failure();
    int64_t leastEnergy = objective == ScheduleObjective::Energy
                              ? getLeastEnergy(storage, hierarchy)
                              : 0;
    if (aim != Aim::Fallback)
      explain(storage, *plan, hierarchy);
    if (aim != Aim::Fallback && objective == ScheduleObjective::Time)
      explainStepTimes(storage, getArgument());
    applyActions(storage, plan->actions);
    if (failed(checker.verify()) ||
        failed(judge(block, hierarchy, budget, leastEnergy, *plan)))
      return failure();
    outcome.add(*plan);
    kept = std::move(plan->toSave);
    return success();
  }

  void explain(const StorageAnalysis &storage, const SchedulePlan &plan,
               HierarchyAttr hierarchy) {
    if (!getContext().getRemarkEngine())
      return;
    if (plan.isOrder())
      emitRemarks(storage,
                  explainOrder(storage, plan.runs, hierarchy, cacheModel),
                  plan.runs, hierarchy, getArgument());
    else
      emitScheduleRemarks(storage, plan, getArgument());
  }

  /// What the program moves itself is not planned, so that a block with such
  /// transfers has to keep the capacities and no more.
  LogicalResult judgeTransfers(const StorageAnalysis &storage,
                               HierarchyAttr hierarchy,
                               const SchedulePlan &plan) {
    if (!hierarchy)
      return success();
    Location loc = storage.getBlock()->getParentOp()->getLoc();
    LifetimeAnalysis lifetime(storage);
    for (TierAttr tier :
         hierarchy.getTiers().drop_front(hierarchy.getComputeTierIndex() + 1)) {
      int64_t peak = lifetime.getPeakBytes(tier.getName());
      auto planned = plan.slowPeaks.find(tier.getName().str());
      int64_t expected = planned == plan.slowPeaks.end() ? 0 : planned->second;
      if (plan.movesAll && peak != expected)
        return emitError(loc)
               << "internal error: the planned peak of tier '" << tier.getName()
               << "' is " << expected << " bytes, the analysed one " << peak
               << " bytes";
      if (!plan.moves.empty() && tier.isBounded() && peak > tier.getCapacity())
        return emitError(loc)
               << "internal error: " << peak << " bytes are planned for tier '"
               << tier.getName() << "', which holds " << tier.getCapacity()
               << " bytes";
    }
    TrafficAnalysis traffic(lifetime, HierarchyCosts::get(hierarchy),
                            cacheModel);
    if (plan.movesAll && traffic.getMovedBytes() != plan.moved)
      return emitError(loc) << "internal error: the bytes moved between tiers "
                               "are not those that were planned";
    return success();
  }

  /// Looks at what was written as if nobody had planned it.
  LogicalResult judge(Block &block, HierarchyAttr hierarchy, int64_t budget,
                      int64_t leastEnergy, SchedulePlan &plan) {
    ProgramContext fresh(context->getOptions());
    StorageAnalysis storage(block, fresh);
    if (failed(storage.verify()))
      return failure();
    int64_t peak = LifetimeAnalysis(storage).getPeakBytes();
    if (peak > budget || (plan.peakIsExact && peak != plan.peak))
      return emitError(block.getParentOp()->getLoc())
             << "internal error: the planned peak is " << plan.peak
             << " bytes, the analysed one " << peak << " bytes";
    if (failed(judgeTransfers(storage, hierarchy, plan)))
      return failure();
    hideDuplicates(storage);
    plan.peak = peak;
    if (objective != ScheduleObjective::Energy)
      return success();
    // Caches make an access cheaper or dearer where it now stands.
    plan.cost = getBlockEnergy(storage, hierarchy, cacheModel);
    bool hasCaches = hierarchy.getComputeTierIndex() > 0;
    plan.bound = std::min(plan.cost, hasCaches ? leastEnergy : plan.bound);
    plan.status = plan.bound == plan.cost ? game::Status::Optimal
                                          : game::Status::Feasible;
    return success();
  }
};
} // namespace
