//===- OrderOperations.cpp - the pass pebble-order-operations --------------===//
//
// Fix storages, then for each block, inner ones first: read what the user
// dictates, plan, apply, prove that it is still the same program, and say what
// changed.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/DictatedOrder.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Planning/Explain.h"
#include "pebble/Planning/PlanOrder.h"
#include "pebble/Target/TargetHierarchy.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
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
struct Outcome {
  game::Status status = game::Status::Optimal;
  int64_t cost = 0, bound = 0, peak = 0, inputPeak = 0;
  std::string solver;

  void add(const OrderPlan &plan, OrderObjective objective) {
    if (plan.status != game::Status::Optimal)
      status = game::Status::Feasible;
    if (objective == OrderObjective::Peak) {
      cost = std::max(cost, plan.cost);
      bound = std::max(bound, plan.bound);
    } else {
      cost += plan.cost;
      bound += plan.bound;
    }
    peak = std::max(peak, plan.peak);
    inputPeak = std::max(inputPeak, plan.inputPeak);
    if (solver.empty())
      solver = plan.solver;
  }

  DictionaryAttr toAttribute(MLIRContext *context) const {
    Builder builder(context);
    auto number = [&](int64_t n) { return builder.getI64IntegerAttr(n); };
    return builder.getDictionaryAttr(
        {builder.getNamedAttr("status",
                              builder.getStringAttr(toString(status))),
         builder.getNamedAttr("cost", number(cost)),
         builder.getNamedAttr("bound", number(bound)),
         builder.getNamedAttr("peak_bytes", number(peak)),
         builder.getNamedAttr("input_peak_bytes", number(inputPeak)),
         builder.getNamedAttr("solver", builder.getStringAttr(solver))});
  }
};

struct OrderOperationsPass
    : pebble::impl::OrderOperationsPassBase<OrderOperationsPass> {
  using OrderOperationsPassBase::OrderOperationsPassBase;

  void runOnOperation() override {
    AnalysisOptions options = AnalysisOptions::getDefault();
    for (const std::string &name : pure)
      options.pure.insert(name);
    if (dimBound > 0)
      options.dynamicDimBound = dimBound;
    if (failed(checkOptions()))
      return signalPassFailure();
    // What is written in place must not depend on the order any more.
    if (materialize && failed(materializeStorage(getOperation(), options)))
      return signalPassFailure();
    ProgramContext programContext(std::move(options));
    context = &programContext;
    functions = getCalleesFirst(getOperation());
    inputPeaks.clear();
    if (failed(measureInput()))
      return signalPassFailure();
    for (Operation *function : functions)
      if (failed(orderFunction(cast<FunctionOpInterface>(function))))
        return signalPassFailure();
  }

private:
  /// Of the run in progress.
  ProgramContext *context = nullptr;
  /// Callees before callers: what a call needs inside depends on the order of
  /// its callee.
  llvm::SetVector<Operation *> functions;

  /// Peaks before anything moves, of functions whose peak depends on what is
  /// ordered before them: loop bodies and callees.
  llvm::DenseMap<Operation *, int64_t> inputPeaks;

  LogicalResult checkOptions() {
    if (peakLimitBytes < 0 || timeLimitMs < 0 || iterationLimit < 0 ||
        dimBound < 0)
      return getOperation().emitError() << "peak-limit-bytes, time-limit-ms, "
                                           "iteration-limit and dim-bound "
                                           "must not be negative";
    return success();
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
      int64_t &peak = inputPeaks[op];
      for (Block &block : function.getFunctionBody()) {
        StorageAnalysis storage(block, asItCame);
        if (failed(storage.verify()))
          return failure();
        peak = std::max(peak, LifetimeAnalysis(storage).getPeakBytes());
      }
    }
    return success();
  }

  LogicalResult orderFunction(FunctionOpInterface function) {
    if (function.isExternal())
      return success();
    FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
    if (failed(hierarchy))
      return failure();
    if (objective == OrderObjective::Energy &&
        (!*hierarchy || !hasEnergies(*hierarchy)))
      return function.emitError()
             << "an energy objective needs a memory hierarchy with energies; "
                "attach one with pebble-attach-target or --pebble-target";
    Outcome outcome;
    for (Block &block : function.getFunctionBody())
      if (failed(orderBlock(block, *hierarchy, &outcome)))
        return failure();
    if (auto found = inputPeaks.find(function); found != inputPeaks.end())
      outcome.inputPeak = found->second;
    function->setAttr(attr::kResult, outcome.toAttribute(&getContext()));
    return success();
  }

  /// Orders the blocks inside of the ops of `block`: what they need at their
  /// peak is what the op needs.
  LogicalResult orderInside(Block &block, HierarchyAttr hierarchy) {
    for (Operation &op : block) {
      if (!op.isRegistered() ||
          isa<linalg::LinalgOp, FunctionOpInterface>(op) ||
          op.hasTrait<OpTrait::IsIsolatedFromAbove>())
        continue;
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          if (failed(orderBlock(nested, hierarchy, nullptr)))
            return failure();
    }
    return success();
  }

  /// `outcome` is null for an inner block.
  LogicalResult orderBlock(Block &block, HierarchyAttr hierarchy,
                           Outcome *outcome) {
    if (failed(orderInside(block, hierarchy)))
      return failure();
    auto storage = std::make_unique<StorageAnalysis>(block, *context);
    if (failed(storage->verify()) || failed(checkFits(*storage, hierarchy)))
      return failure();
    std::optional<EquivalenceChecker> checker;
    if (verify)
      checker.emplace(*storage);
    auto dependences = std::make_unique<DependenceGraph>(*storage);
    FailureOr<std::optional<DictatedOrder>> dictated =
        readDictatedOrder(*dependences);
    if (failed(dictated))
      return failure();
    SmallVector<std::pair<unsigned, unsigned>> pairs;
    if (*dictated) {
      applyOrder(*storage, (*dictated)->order);
      // The steps are renumbered by their new places.
      std::vector<unsigned> place((*dictated)->order.size());
      for (auto [at, step] : llvm::enumerate((*dictated)->order))
        place[step] = at;
      for (auto [before, after] : (*dictated)->pairs)
        pairs.push_back({place[before], place[after]});
      storage = std::make_unique<StorageAnalysis>(block, *context);
      dependences = std::make_unique<DependenceGraph>(*storage);
    }

    OrderRequest request = getRequest(hierarchy, outcome);
    request.dictated = pairs;
    FailureOr<OrderPlan> plan = planOrder(*dependences, request);
    if (failed(plan))
      return failure();
    if (!pairs.empty() && pairs.size() + 1 == storage->getSteps().size())
      plan->solver = "dictated";
    Explanation explanation;
    bool explains = outcome && getContext().getRemarkEngine();
    if (explains)
      explanation =
          explainOrder(*storage, plan->order, hierarchy, request.cacheModel);
    applyOrder(*storage, plan->order);
    if (checker && failed(checker->verify()))
      return failure();
    if (explains) {
      emitRemarks(*storage, explanation, plan->order, hierarchy, getArgument());
      remarkOnProof(block, *plan);
    }
    if (outcome)
      outcome->add(*plan, request.objective);
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
    auto remark = remark::missed(
        block.getParentOp()->getLoc(),
        remark::RemarkOpts::name("proof").category(getArgument()));
    if (!remark)
      return;
    std::string text = "the order is not proven to be the best";
    if (plan.limited)
      text += "; the time limit ended the search";
    remark << text << remark::detail::Remark::Arg("Cost", plan.cost)
           << remark::detail::Remark::Arg("Bound", plan.bound);
  }

  OrderRequest getRequest(HierarchyAttr hierarchy, const Outcome *outcome) {
    OrderRequest request;
    request.hierarchy = hierarchy;
    request.seed = seed;
    request.timeLimitMs = timeLimitMs;
    request.iterationLimit = iterationLimit;
    request.cacheModel = cacheModel;
    // Inside of an op its peak is all that anyone sees of the order.
    request.countArguments = outcome != nullptr;
    if (!outcome)
      return request;
    request.objective = objective;
    if (peakLimitBytes > 0)
      request.peakLimit = peakLimitBytes;
    return request;
  }
};
} // namespace
