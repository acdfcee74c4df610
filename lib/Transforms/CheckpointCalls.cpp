//===- CheckpointCalls.cpp - the pass pebble-checkpoint-calls -------------===//
//
// Has the call tree of each root built and solved, tries the choices on copies
// of the module, the cheapest first, until one fits as it is written, and
// proves that it computes what the program did before.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "BudgetOption.h"
#include "OptionRange.h"
#include "PlanPasses.h"
#include "Refusals.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/BuildCallTree.h"
#include "pebble/Planning/CallEquivalence.h"
#include "pebble/Planning/LiftGlobals.h"
#include "pebble/Planning/OutlineSegments.h"
#include "pebble/Planning/RemarkQueue.h"
#include "pebble/Planning/WriteCalls.h"
#include "pebble/Target/CostProfile.h"
#include "pebble/Target/TargetHierarchy.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"

#include <map>

namespace pebble {
#define GEN_PASS_DEF_CHECKPOINTCALLSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// A choice for one root, as it turned out.
struct Written {
  OwningOpRef<ModuleOp> module;
  int64_t peak = 0;
  unsigned snapshots = 0;
  int64_t snapshotBytes = 0;
};

/// Puts what stands in `other` in the place of what stands in `module`.
void replaceBody(ModuleOp module, ModuleOp other) {
  Block &body = *module.getBody(), &from = *other.getBody();
  body.clear();
  body.getOperations().splice(body.end(), from.getOperations());
}

struct CheckpointCallsPass
    : pebble::impl::CheckpointCallsPassBase<CheckpointCallsPass> {
  using CheckpointCallsPassBase::CheckpointCallsPassBase;

  void runOnOperation() override {
    options = getAnalysisOptions(pure, dimBound);
    ModuleOp module = getOperation();
    if (failed(checkRange(module.getLoc(), dimBound, kNotGiven, 1)))
      return signalPassFailure();
    FailureOr<std::optional<graph::Budget>> read =
        readBudget(module.getLoc(), budget, budgetBytes, budgetPercent);
    if (failed(read) || failed(options.readCosts(module.getLoc())))
      return signalPassFailure();
    wanted = *read;
    // What it was, if nothing is to be done, and to compare with.
    OwningOpRef<ModuleOp> copy = module.clone();
    before = *copy;
    planned.clear();
    told.clear();
    roots.clear();
    SegmentOutliner outliner(module, options);
    outliner.outlineRegions();
    outliner.growCalls();
    const bool isChanged = liftGlobals(module) || !outliner.isEmpty();
    if (failed(findRoots(module, outliner)))
      return signalPassFailure();
    if (wanted && roots.empty())
      emitWarning(module.getLoc(), "the budget is kept nowhere: there is no "
                                   "function with both calls of a function "
                                   "and its 'pebble.adjoint'");
    for (const Root &root : roots)
      if (failed(plan(root.function, root.number, root.callees)))
        return signalPassFailure();
    if (planned.empty()) {
      if (isChanged)
        replaceBody(module, before);
      return;
    }
    outliner.undo();
    auto prove = [&] {
      for (auto &[function, outcome] : planned)
        if (failed(finish(function, outcome)))
          return failure();
      for (const Root &root : roots)
        if (!planned.contains(root.function) && isChanged &&
            failed(check(root.function)))
          return failure();
      return success();
    };
    if (failed(mayGiveUp() ? proveOrGiveUp(prove) : prove()))
      return signalPassFailure();
    for (const PlanRemark &remark : told)
      remark.emit();
  }

private:
  /// A function that holds both halves of calls: by name, for planning others
  /// changes the module.
  struct Root {
    std::string function;
    unsigned number;
    std::vector<std::string> callees;
  };

  LogicalResult findRoots(ModuleOp module, const SegmentOutliner &outliner) {
    ProgramContext context(options);
    FailureOr<AdjointCalls> found = AdjointCalls::find(module, context);
    if (failed(found))
      return failure();
    tellWhatStays(*found);
    for (const SegmentOutliner::Refusal &refusal : outliner.getRefusals())
      tellOneThatStays(refusal.loc, refusal.segment, refusal.reason);
    for (CallRoot &root : found->roots) {
      roots.push_back({root.function.getName().str(), root.number, {}});
      for (CallPair &pair : root.pairs)
        roots.back().callees.push_back(pair.forward.getCallee().str());
    }
    return success();
  }

  AnalysisOptions options;
  std::vector<Root> roots;
  std::optional<graph::Budget> wanted;
  ModuleOp before;
  /// By name of the function: how its last root turned out.
  llvm::MapVector<StringRef, PlanOutcome> planned;
  /// What there is to say of these plans, once all of them are proven.
  RemarkQueue::Remarks told;
  /// The root that is planned: a block of a function.
  std::string rootFunction;
  unsigned rootNumber = 0;
  /// Where snapshots of buffers go.
  AtAttr place;
  /// What is live around it.
  int64_t around = 0;
  /// All calls of it run again.
  calls::Plan joint;

  void tellWhatStays(AdjointCalls &found);
  LogicalResult plan(StringRef function, unsigned number,
                     ArrayRef<std::string> callees);
  FailureOr<CallTreePrices> getPrices(func::FuncOp root);
  LogicalResult solve(const calls::CallTree &tree, calls::Curve &curve);
  FailureOr<const calls::Plan *> choose(func::FuncOp root,
                                        const calls::Curve &curve,
                                        std::optional<int64_t> budget,
                                        Written &written);
  FailureOr<Written> write(const calls::Plan &plan);
  /// By their peaks as they are written, rising.
  using TriedPlans = std::multimap<int64_t, const calls::Plan *>;
  FailureOr<const calls::Plan *> chooseProven(const calls::Curve &curve,
                                              int64_t budget, TriedPlans &tried,
                                              Written &written);
  bool isProven(ModuleOp after);
  FailureOr<int64_t> getLeastProven(func::FuncOp root, const TriedPlans &tried);
  LogicalResult check(StringRef function) {
    return check(function, getOperation());
  }
  LogicalResult check(StringRef function, ModuleOp after);
  bool mayGiveUp();
  LogicalResult proveOrGiveUp(llvm::function_ref<LogicalResult()> prove);
  LogicalResult finish(StringRef function, PlanOutcome &outcome);
  void tellOneThatStays(Location loc, const Twine &segment, const Twine &why);
  void tell(func::FuncOp root, const calls::Plan &plan, int64_t inputPeak,
            const Written &written, ArrayRef<std::string> callees);
};
} // namespace

void CheckpointCallsPass::tellOneThatStays(Location loc, const Twine &segment,
                                           const Twine &why) {
  if (auto remark = remark::missed(
          loc, remark::RemarkOpts::name("call").category(getArgument())))
    remark << segment.str() + " keeps its tape: " + why.str();
}

void CheckpointCallsPass::tellWhatStays(AdjointCalls &found) {
  auto tell = [&](Location loc, StringRef callee, const Twine &why) {
    tellOneThatStays(loc, "the call of '@" + callee + "'", why);
  };
  if (found.halves.empty())
    if (auto remark = remark::missed(
            getOperation().getLoc(),
            remark::RemarkOpts::name("none").category(getArgument())))
      remark << "no function has a 'pebble.adjoint', so there is no call to "
                "decide on";
  for (ModuleOp module : getModules(getOperation()))
    if (module != getOperation())
      for (auto function : module.getOps<func::FuncOp>())
        if (function->hasAttr(attr::kAdjoint))
          tell(function.getLoc(), function.getName(),
               "its module stands inside of another");
  for (LooseCall &loose : found.loose)
    tell(loose.call.getLoc(), loose.call.getCallee(), loose.reason);
  auto tellPair = [&](CallPair &pair) {
    if (!pair.runsOnce.empty())
      tell(pair.forward.getLoc(), pair.forward.getCallee(), pair.runsOnce);
  };
  for (auto &entry : found.halves)
    llvm::for_each(entry.second.calls, tellPair);
  for (CallRoot &root : found.roots)
    llvm::for_each(root.pairs, tellPair);
}

FailureOr<CallTreePrices> CheckpointCallsPass::getPrices(func::FuncOp root) {
  FailureOr<HierarchyAttr> hierarchy = getHierarchy(root);
  if (failed(hierarchy))
    return failure();
  if (options.costs)
    hierarchy = options.costs->applyTo(*hierarchy);
  CallTreePrices prices{objective, CacheModel::Lru, *hierarchy, {}};
  if (snapshotTier.empty())
    return prices;
  std::optional<unsigned> index =
      *hierarchy ? hierarchy->getTierIndex(snapshotTier) : std::nullopt;
  if (!index || *index <= hierarchy->getComputeTierIndex())
    return emitError(root.getLoc(), "there is no tier '")
           << snapshotTier.getValue() << "' slower than the compute tier";
  prices.snapshotTier =
      AtAttr::get(&getContext(), hierarchy->getTiers()[*index].getName());
  return prices;
}

FailureOr<Written> CheckpointCallsPass::write(const calls::Plan &plan) {
  Written written;
  written.module = getOperation().clone();
  ModuleOp module = *written.module;
  auto function = module.lookupSymbol<func::FuncOp>(rootFunction);
  {
    ProgramContext context(options);
    FailureOr<AdjointCalls> found = AdjointCalls::find(module, context);
    if (failed(found))
      return failure();
    CallWriter writer(module, *found, options, place);
    writer.writeRoot(*found->findRoot(rootFunction, rootNumber), plan.choices);
    writer.eraseUnused();
    written.snapshots = writer.getNumSnapshots();
    written.snapshotBytes = writer.getSnapshotBytes();
  }
  ProgramContext context(options);
  FailureOr<int64_t> peak = getFunctionPeak(function, context);
  if (failed(peak))
    return failure();
  written.peak = *peak;
  return written;
}

/// The cheapest plan that is within the budget as it is written.
FailureOr<const calls::Plan *>
CheckpointCallsPass::choose(func::FuncOp root, const calls::Curve &curve,
                            std::optional<int64_t> budget, Written &written) {
  // By rising peak and falling cost. What the curve says of peaks is nearly
  // what they are, where the root is the function's own block; otherwise it
  // leaves out what is around. The search begins there.
  const std::vector<calls::Plan> &plans = curve.plans;
  size_t at = 0;
  while (budget && at + 1 < plans.size() &&
         plans[at + 1].peak + around <= *budget)
    ++at;
  const calls::Plan *best = nullptr;
  std::optional<int64_t> least;
  TriedPlans all;
  auto tryOne = [&](const calls::Plan &plan) -> FailureOr<bool> {
    FailureOr<Written> tried = write(plan);
    if (failed(tried))
      return failure();
    // For the least, each that takes less is better than those before.
    bool isGood =
        budget ? tried->peak <= *budget : !least || tried->peak < *least;
    least = std::min(least.value_or(tried->peak), tried->peak);
    all.insert({tried->peak, &plan});
    if (isGood) {
      best = &plan;
      written = std::move(*tried);
    }
    return isGood;
  };
  FailureOr<bool> fits = tryOne(plans[at]);
  if (budget) {
    while (succeeded(fits) && !*fits && at > 0)
      fits = tryOne(plans[--at]);
    while (succeeded(fits) && *fits && ++at < plans.size())
      fits = tryOne(plans[at]);
  }
  // The curve leaves out what seems to take no less.
  if (succeeded(fits) && (!budget || !best))
    fits = tryOne(joint);
  if (failed(fits))
    return failure();
  // What is asked for by name is taken, or refused.
  const bool isFree = budget && mode == CallTreeMode::Chosen;
  if (best && (!isFree || isProven(*written.module)))
    return best;
  if (best) {
    FailureOr<const calls::Plan *> next =
        chooseProven(curve, *budget, all, written);
    if (failed(next) || *next)
      return next;
  }
  FailureOr<int64_t> known = getLeastProven(root, all);
  if (failed(known))
    return failure();
  return emitError(root.getLoc(),
                   "no choice of calls that keep their tape keeps to the "
                   "budget of ")
         << *budget << " bytes: the smallest known to do is " << *known
         << " bytes; pebble-schedule may do with less";
}

/// The cheapest plan within the budget that is proven; null if there is none.
/// Leaves in `tried` those that take more.
FailureOr<const calls::Plan *>
CheckpointCallsPass::chooseProven(const calls::Curve &curve, int64_t budget,
                                  TriedPlans &tried, Written &written) {
  SmallVector<const calls::Plan *> byCost;
  for (const calls::Plan &plan : llvm::reverse(curve.plans))
    byCost.push_back(&plan);
  byCost.push_back(&joint);
  tried.clear();
  for (const calls::Plan *plan : byCost) {
    FailureOr<Written> next = write(*plan);
    if (failed(next))
      return failure();
    if (next->peak > budget) {
      tried.insert({next->peak, plan});
    } else if (isProven(*next->module)) {
      written = std::move(*next);
      return plan;
    }
  }
  return nullptr;
}

bool CheckpointCallsPass::isProven(ModuleOp after) {
  std::optional<Refusal> refusal;
  return succeeded(runOrRefuse(&getContext(), refusal,
                               [&] { return check(rootFunction, after); }));
}

/// The fewest bytes of a plan that is proven, or of the program as it is.
FailureOr<int64_t>
CheckpointCallsPass::getLeastProven(func::FuncOp root,
                                    const TriedPlans &tried) {
  for (auto [peak, plan] : tried) {
    FailureOr<Written> written = write(*plan);
    if (succeeded(written) && isProven(*written->module))
      return peak;
  }
  ProgramContext context(options);
  return getFunctionPeak(before.lookupSymbol<func::FuncOp>(root.getName()),
                         context);
}

/// Proves that `function` is what it was.
LogicalResult CheckpointCallsPass::check(StringRef function, ModuleOp after) {
  return checkCallEquivalence(before.lookupSymbol<func::FuncOp>(function),
                              after.lookupSymbol<func::FuncOp>(function),
                              options);
}

/// Proves that `function` is what it was, and notes down how it turned out.
LogicalResult CheckpointCallsPass::finish(StringRef function,
                                          PlanOutcome &outcome) {
  auto is = getOperation().lookupSymbol<func::FuncOp>(function);
  ProgramContext context(options);
  FailureOr<int64_t> peak = getFunctionPeak(is, context);
  if (failed(peak) || failed(check(function)))
    return failure();
  outcome.peak = *peak;
  is->setAttr(attr::kResult, outcome.toAttribute(&getContext()));
  return success();
}

/// Whether the program may stay as it came: nobody has said how a call is to be
/// made, and it keeps to the budget as it is.
bool CheckpointCallsPass::mayGiveUp() {
  if (mode != CallTreeMode::Chosen || !wanted || !wanted->isLeast())
    return false;
  return !before
              .walk([](Operation *op) {
                return op->hasAttr(attr::kCallMode) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
              })
              .wasInterrupted();
}

LogicalResult
CheckpointCallsPass::proveOrGiveUp(llvm::function_ref<LogicalResult()> prove) {
  std::optional<Refusal> refusal;
  if (succeeded(runOrRefuse(&getContext(), refusal, prove)))
    return success();
  SmallVector<std::string> names;
  for (auto &[function, outcome] : planned)
    names.push_back(function.str());
  told.clear();
  replaceBody(getOperation(), before);
  for (const std::string &name : names)
    remarkOnRefusal(getOperation().lookupSymbol<func::FuncOp>(name), *refusal,
                    getArgument(), "stays as it is");
  return success();
}

static size_t countCalls(const std::vector<calls::Choice> &choices,
                         calls::Mode mode) {
  size_t count = 0;
  for (const calls::Choice &choice : choices)
    count += (choice.mode == mode) +
             (choice.variant ? countCalls(choice.variant->choices, mode) : 0);
  return count;
}

void CheckpointCallsPass::tell(func::FuncOp root, const calls::Plan &plan,
                               int64_t inputPeak, const Written &written,
                               ArrayRef<std::string> callees) {
  std::string text;
  for (auto [callee, choice] : llvm::zip(callees, plan.choices))
    text += (text.empty() ? "" : ", ") + callee +
            (choice.mode == calls::Mode::Joint ? " joint" : " split");
  PlanRemark remark{PlanRemark::Passed,
                    root.getLoc(),
                    "call_tree",
                    getArgument().str(),
                    "calls of '@" + root.getName().str() + "': " + text,
                    {}};
  auto add = [&](const char *name, int64_t value) {
    remark.metrics.emplace_back(name, value);
  };
  add("split", countCalls(plan.choices, calls::Mode::Split));
  add("joint", countCalls(plan.choices, calls::Mode::Joint));
  add("input_peak_bytes", inputPeak);
  add("peak_bytes", written.peak);
  add("extra_cost", plan.extraCost);
  if (written.snapshots) {
    add("snapshots", written.snapshots);
    add("snapshot_bytes", written.snapshotBytes);
  }
  told.push_back(std::move(remark));
}

/// The curve of the root, or the one plan that `mode` asks for.
LogicalResult CheckpointCallsPass::solve(const calls::CallTree &tree,
                                         calls::Curve &curve) {
  calls::Plan split = calls::getUniform(tree, calls::Mode::Split);
  joint = calls::getUniform(tree, calls::Mode::Joint);
  if (mode == CallTreeMode::Joint)
    curve.plans = {joint};
  else if (mode == CallTreeMode::Split)
    curve.plans = {split};
  else
    curve = calls::solve(tree);
  around = 0;
  if (rootNumber == 0)
    return success();
  FailureOr<Written> whole = write(split);
  if (failed(whole))
    return failure();
  around = std::max<int64_t>(0, whole->peak - split.peak);
  return success();
}

LogicalResult CheckpointCallsPass::plan(StringRef name, unsigned number,
                                        ArrayRef<std::string> callees) {
  rootFunction = name.str();
  rootNumber = number;
  auto root = getOperation().lookupSymbol<func::FuncOp>(name);
  ProgramContext context(options);
  auto was = before.lookupSymbol<func::FuncOp>(name);
  FailureOr<int64_t> inputPeak = getFunctionPeak(was, context);
  FailureOr<CallTreePrices> prices = getPrices(root);
  if (failed(inputPeak) || failed(prices))
    return failure();
  place = prices->snapshotTier;
  int64_t most = 0;
  const bool isLeast = wanted && wanted->isLeast();
  if (!isLeast && mode == CallTreeMode::Chosen) {
    FailureOr<int64_t> bytes = getBudget(root, wanted, *inputPeak);
    if (failed(bytes))
      return failure();
    most = *bytes;
    if (*inputPeak <= most)
      return success();
  }
  FailureOr<int64_t> once = getCostOnce(was, context, *prices);
  FailureOr<calls::CallTree> tree =
      buildCallTree(getOperation(), name, number, options, *prices);
  if (failed(once) || failed(tree))
    return failure();
  calls::Curve curve;
  if (failed(solve(*tree, curve)))
    return failure();
  // There is one plan where all calls are to be made alike.
  std::optional<int64_t> limit = std::numeric_limits<int64_t>::max();
  if (mode == CallTreeMode::Chosen)
    limit = isLeast ? std::nullopt : std::optional(most);
  Written written;
  FailureOr<const calls::Plan *> chosen = choose(root, curve, limit, written);
  if (failed(chosen))
    return failure();
  replaceBody(getOperation(), *written.module);
  root = getOperation().lookupSymbol<func::FuncOp>(name);
  ProgramContext fresh(options);
  FailureOr<int64_t> cost = getCostOnce(root, fresh, *prices);
  if (failed(cost))
    return failure();
  PlanOutcome outcome;
  outcome.cost = *cost;
  game::certify(outcome, *once);
  outcome.peak = written.peak;
  outcome.inputPeak = *inputPeak;
  outcome.solver = mode == CallTreeMode::Chosen ? "call-tree" : "given";
  planned[was.getName()] = outcome;
  tell(root, **chosen, *inputPeak, written, callees);
  return success();
}
