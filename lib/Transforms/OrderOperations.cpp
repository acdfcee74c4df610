//===- OrderOperations.cpp - the pass pebble-order-operations --------------===//
//
// Fix storages, then for each block, inner ones first: read what the user
// dictates, plan, apply, prove that it is still the same program, and say what
// changed.
//
//===----------------------------------------------------------------------===//

#include "pebble/Analysis/BufferTables.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Transforms/Passes.h"

#include "BindExtent.h"
#include "BudgetOption.h"
#include "OptionRange.h"
#include "PlanPasses.h"
#include "Refusals.h"
#include "TimeShares.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Remarks.h"
#include "pebble/Analysis/RunBounds.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/DictatedOrder.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Planning/Explain.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Planning/PlanOrder.h"
#include "pebble/Planning/RemarkQueue.h"
#include "pebble/Target/TargetHierarchy.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_ORDEROPERATIONSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// What is known of a function's blocks together.
struct Outcome : PlanOutcome {
  /// `around`: bytes that are live around the block.
  void add(const OrderPlan &plan, OrderObjective objective, int64_t around) {
    if (plan.status != game::Status::Optimal)
      status = game::Status::Feasible;
    if (objective == OrderObjective::Peak) {
      cost = std::max(cost, plan.cost + around);
      bound = std::max(bound, plan.bound + around);
    } else {
      cost = addCounts(cost, plan.cost);
      bound = addCounts(bound, plan.bound);
    }
    peak = std::max(peak, plan.peak + around);
    inputPeak = std::max(inputPeak, plan.inputPeak + around);
    if (solver.empty())
      solver = plan.solver;
  }
};

struct OrderOperationsPass
    : pebble::impl::OrderOperationsPassBase<OrderOperationsPass> {
  using OrderOperationsPassBase::OrderOperationsPassBase;

  void runOnOperation() override {
    AnalysisOptions options = getAnalysisOptions(pure, dimBound);
    PlanScope planScope;
    scope = &planScope;
    RemarkQueue queue;
    remarks = &queue;
    (void)hasFunctions(getOperation(), getArgument());
    if (failed(checkOptions()))
      return signalPassFailure();
    eraseAllAddresses(getOperation());
    // What is written in place must not depend on the order any more.
    if (materialize && failed(materializeStorage(getOperation(), options)))
      return signalPassFailure();
    ProgramContext programContext(std::move(options));
    context = &programContext;
    functions = getCalleesFirst(getOperation());
    leaveBufferTables(functions, getArgument());
    inputPeaks.clear();
    mayTakeLess.clear();
    SymbolTableCollection tables;
    symbols = &tables;
    if (failed(measureInput()))
      return signalPassFailure();
    for (Operation *function : functions)
      if (failed(orderFunction(cast<FunctionOpInterface>(function))))
        return signalPassFailure();
  }

private:
  /// Of the run in progress.
  ProgramContext *context = nullptr;
  const PlanScope *scope = nullptr;
  RemarkQueue *remarks = nullptr;
  /// Callees before callers: what a call needs inside depends on the order of
  /// its callee.
  llvm::SetVector<Operation *> functions;

  /// Peaks before anything moves, of functions whose peak depends on what is
  /// ordered before them: loop bodies and callees.
  llvm::DenseMap<Operation *, int64_t> inputPeaks;

  /// What peak-limit-bytes says, and that of the function that is ordered now.
  std::optional<graph::Budget> peakLimit;
  std::optional<int64_t> functionLimit;

  /// Of the time that there is for all.
  TimeShares times;
  /// Functions that might take less, and whether the blocks inside of the one
  /// that is ordered now, and the functions that it calls, take the least.
  llvm::DenseSet<Operation *> mayTakeLess;
  bool insideIsLeast = true;
  /// Of the function that is ordered now.
  std::optional<Refusal> refusal;
  SymbolTableCollection *symbols = nullptr;

  LogicalResult checkOptions() {
    Location loc = getOperation().getLoc();
    FailureOr<graph::Limits> limits =
        getPlanLimits(loc, timeLimitMs, memoryLimit);
    FailureOr<std::optional<graph::Budget>> peak =
        readLimit(loc, "peak-limit-bytes", peakLimitBytes);
    if (failed(limits) || failed(peak))
      return failure();
    peakLimit = *peak;
    times = TimeShares(*limits, getPlanningWeight(getOperation()));
    return failure(failed(checkRange(loc, iterationLimit, 0, 1)) ||
                   failed(checkRange(loc, dimBound, kNotGiven, 1)));
  }

  static bool dependsOnOthers(FunctionOpInterface function) {
    return function
        ->walk([&](Operation *op) {
          bool hasBlocks = op->getNumRegions() && op != function &&
                           !isa<linalg::LinalgOp>(op);
          return isa<CallOpInterface>(op) || hasBlocks ? WalkResult::interrupt()
                                                       : WalkResult::advance();
        })
        .wasInterrupted();
  }

  LogicalResult measureInput() {
    ProgramContext asItCame(context->getOptions());
    for (Operation *op : functions) {
      auto function = cast<FunctionOpInterface>(op);
      if (function.isExternal() || !dependsOnOthers(function))
        continue;
      FailureOr<int64_t> peak = getFunctionPeak(function, asItCame);
      if (failed(peak))
        return failure();
      inputPeaks[op] = *peak;
    }
    return success();
  }

  LogicalResult orderFunction(FunctionOpInterface function) {
    if (function.isExternal())
      return success();
    if (Operation *call = findRecursiveCall(function)) {
      if (auto remark = remark::missed(
              call->getLoc(),
              remark::RemarkOpts::name("recursion").category(getArgument())))
        remark << "the memory of a recursive call is not known: '" +
                      getProgramName(function) + "' stays as it is";
      mayTakeLess.insert(function);
      return success();
    }
    FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
    if (failed(hierarchy))
      return failure();
    if (objective == OrderObjective::Energy &&
        (!*hierarchy || !hasEnergies(*hierarchy)))
      return emitError(function.getLoc())
             << "an energy objective needs a memory hierarchy with energies; "
                "attach one with pebble-attach-target or --target";
    if (failed(setLimit(function)))
      return failure();
    Outcome outcome;
    insideIsLeast = true;
    OwningOpRef<Operation *> original;
    if (verify)
      original = function->clone();
    AroundBlocks around(function.getFunctionBody(), *context);
    for (Block &block : function.getFunctionBody()) {
      if (succeeded(
              orderBlock(block, *hierarchy, &outcome, around.getBytes(block))))
        continue;
      return refusal ? keepAsItIs(function, *original) : failure();
    }
    if (!insideIsLeast)
      mayTakeLess.insert(function);
    if (auto found = inputPeaks.find(function); found != inputPeaks.end())
      outcome.inputPeak = found->second;
    function->setAttr(attr::kResult, outcome.toAttribute(&getContext()));
    scope->tell(writeOrderLine(getProgramName(function), outcome,
                               objective == OrderObjective::Peak,
                               scope->getSeconds()));
    remarkOnTosa(function, getArgument());
    remarks->emit(function);
    return success();
  }

  /// The order that was found for `function` is not proven, so that it keeps
  /// the one that it came with.
  LogicalResult keepAsItIs(FunctionOpInterface function, Operation *original) {
    putBack(function, original);
    (void)remarks->take(function);
    remarkOnRefusal(function, *std::exchange(refusal, std::nullopt),
                    getArgument(), "stays as it is");
    mayTakeLess.insert(function);
    remarks->emit(function);
    return success();
  }

  LogicalResult setLimit(FunctionOpInterface function) {
    functionLimit.reset();
    if (!peakLimit)
      return success();
    int64_t peak = 0;
    if (peakLimit->kind == graph::Budget::Kind::Percent) {
      auto found = inputPeaks.find(function);
      FailureOr<int64_t> own = found == inputPeaks.end()
                                   ? getFunctionPeak(function, *context)
                                   : FailureOr<int64_t>(found->second);
      if (failed(own))
        return failure();
      peak = *own;
    }
    functionLimit = peakLimit->of(peak);
    return success();
  }

  /// Orders the blocks inside of the ops of `block`: what they need at their
  /// peak is what the op needs.
  LogicalResult orderInside(Block &block, HierarchyAttr hierarchy) {
    return forEachInnerBlock(block, [&](Block &nested) {
      return orderBlock(nested, hierarchy, nullptr);
    });
  }

  /// `outcome` is null for an inner block.
  LogicalResult orderBlock(Block &block, HierarchyAttr hierarchy,
                           Outcome *outcome, int64_t around = 0) {
    bool othersAreLeast = std::exchange(insideIsLeast, true);
    if (failed(orderInside(block, hierarchy)))
      return failure();
    for (auto call : block.getOps<CallOpInterface>())
      insideIsLeast &=
          !mayTakeLess.contains(call.resolveCallableInTable(symbols));
    AnalysedBlock analysed;
    analysed.storage = std::make_unique<StorageAnalysis>(block, *context);
    if (failed(analysed.storage->verify()) ||
        failed(checkFits(*analysed.storage, hierarchy)))
      return failure();
    std::optional<EquivalenceChecker> checker;
    if (verify)
      checker.emplace(*analysed.storage);
    if (failed(applyDictatedOrder(analysed, *context)))
      return failure();
    const StorageAnalysis &storage = *analysed.storage;

    OrderRequest request =
        getRequest(hierarchy, outcome, around,
                   static_cast<int64_t>(block.getOperations().size()));
    request.dictated = analysed.dictated;
    FailureOr<OrderPlan> plan = planOrder(*analysed.dependences, request);
    if (failed(plan))
      return failure();
    insideIsLeast &= othersAreLeast &&
                     request.objective == OrderObjective::Peak &&
                     plan->status == game::Status::Optimal;
    size_t pairs = analysed.dictated.size();
    if (pairs && pairs + 1 == storage.getSteps().size())
      plan->solver = "dictated";
    Explanation explanation;
    bool explains = outcome && getContext().getRemarkEngine();
    if (explains)
      explanation =
          explainOrder(storage, plan->order, hierarchy, request.cacheModel);
    applyOrder(storage, plan->order);
    auto prove = [&] { return checker->verify(); };
    // An order that the user dictates is held to it.
    if (checker &&
        failed(pairs ? prove() : runOrRefuse(&getContext(), refusal, prove)))
      return failure();
    if (explains) {
      emitRemarks(storage, explanation, plan->order, hierarchy, getArgument());
      remarkOnProof(block, *plan);
    }
    if (outcome)
      outcome->add(*plan, request.objective, around);
    return success();
  }

  /// No order makes room for a storage that is larger than its tier.
  static LogicalResult checkFits(const StorageAnalysis &storage,
                                 HierarchyAttr hierarchy) {
    if (!hierarchy)
      return success();
    for (auto [id, entry] : llvm::enumerate(storage.getStorages())) {
      TierAttr tier = entry.tier.empty() ? hierarchy.getComputeTier()
                                         : hierarchy.getTier(entry.tier);
      if (!entry.isCounted() || !tier || !tier.isBounded() ||
          entry.getFootprint() <= tier.getCapacity())
        continue;
      return emitError(entry.root.getLoc())
             << storage.getStorageName(id) << " takes " << entry.getFootprint()
             << " bytes, more than the " << tier.getCapacity()
             << " bytes of tier '" << tier.getName() << "'";
    }
    return success();
  }

  void remarkOnProof(Block &block, const OrderPlan &plan) {
    if (plan.status == game::Status::Optimal)
      return;
    std::string text = "the order is not proven to be the best";
    if (plan.limited)
      text += "; a limit of time or memory ended the search";
    say(block.getParentOp(), {PlanRemark::Missed,
                              block.getParentOp()->getLoc(),
                              "proof",
                              getArgument().str(),
                              std::move(text),
                              {{"Cost", plan.cost}, {"Bound", plan.bound}}});
  }

  OrderRequest getRequest(HierarchyAttr hierarchy, const Outcome *outcome,
                          int64_t around, int64_t weight) {
    OrderRequest request;
    request.hierarchy = hierarchy;
    request.scratchIsLeast = insideIsLeast;
    request.seed = seed;
    request.limits = times.next(weight);
    request.iterationLimit = iterationLimit;
    request.cacheModel = cacheModel;
    // Inside of an op its peak is all that anyone sees of the order.
    request.countArguments = outcome != nullptr;
    if (!outcome)
      return request;
    request.objective = objective;
    request.around = around;
    if (functionLimit)
      request.peakLimit = *functionLimit - around;
    return request;
  }
};
} // namespace
