//===- PlanBlocks.cpp - plan a block and the blocks inside ----------------===//

#include "PlanBlocks.h"

#include "ChooseForms.h"
#include "TimeShares.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Analysis/Carried.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/Trips.h"
#include "pebble/Planning/CheckPlan.h"
#include "pebble/Planning/Communication.h"
#include "pebble/Planning/DictatedOrder.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Planning/Explain.h"
#include "pebble/Planning/ExplainSchedule.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Planning/PlanOrder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

/// Of a block inside: whether its op counts the tensors that it carries as
/// memory of its own.
static bool countsGiven(Block &block) {
  return isFunctionBlock(block) || ownsWhatItCarries(block.getParentOp());
}

/// What the op around `block` counts of it.
static int64_t getOwnPeak(Block &block, ProgramContext &context) {
  StorageAnalysis storage(block, context);
  LifetimeAnalysis lifetime(storage);
  return ownsWhatItCarries(block.getParentOp())
             ? lifetime.getOwnedPeakBytes()
             : lifetime.getIntermediatesPeakBytes();
}

/// The ops of `block` whose blocks are planned by themselves.
static SmallVector<Operation *> getHolders(Block &block) {
  llvm::SetVector<Operation *> holders;
  (void)forEachInnerBlock(block, [&](Block &nested) {
    holders.insert(nested.getParentOp());
    return success();
  });
  return holders.takeVector();
}

bool hasInnerMemory(Block &block, ProgramContext &context) {
  return failed(forEachInnerBlock(block, [&](Block &nested) {
    return success(getOwnPeak(nested, context) <= 0);
  }));
}

FailureOr<int64_t> getCostOnce(Block &block, const PlanOptions &options) {
  ProgramContext context(options.analysis);
  StorageAnalysis storage(block, context);
  return getCostOnce(storage, options.objective, options.hierarchy,
                     options.cacheModel);
}

namespace {
class BlockPlanner {
public:
  BlockPlanner(Block &block, const BlockTask &task, const PlanOptions &options)
      : block(block), task(task), options(options),
        isOutermost(isFunctionBlock(block)), shared(options.analysis) {}

  FailureOr<PlannedBlock> run() {
    times = TimeShares(task.limits, getPlanningWeight(block));
    if (task.inside == Inside::Ordered || getHolders(block).empty()) {
      if (failed(orderInside(block)))
        return failure();
      return planAndApply();
    }
    return planWithInside();
  }

private:
  //===--------------------------------------------------------------------===//
  // Blocks inside that are ordered
  //===--------------------------------------------------------------------===//

  LogicalResult orderInside(Block &around) {
    return forEachInnerBlock(around, [&](Block &nested) {
      return success(succeeded(orderInside(nested)) &&
                     succeeded(orderForPeak(nested)));
    });
  }

  LogicalResult orderForPeak(Block &nested) {
    StorageAnalysis storage(nested, shared);
    if (failed(storage.verify()))
      return failure();
    EquivalenceChecker checker(storage);
    DependenceGraph dependences(storage);
    OrderRequest request;
    request.seed = options.seed;
    request.limits = times.next(getOwnWeight(nested)).observedBy(nullptr);
    request.countArguments = false;
    FailureOr<OrderPlan> plan = planOrder(dependences, request);
    if (failed(plan))
      return failure();
    applyOrder(storage, plan->order);
    return runProven([&] { return checker.verify(); });
  }

  //===--------------------------------------------------------------------===//
  // Blocks inside that are planned
  //===--------------------------------------------------------------------===//

  /// A region whose block is planned by itself, and its op as it was before.
  struct Inner {
    Region *region;
    std::shared_ptr<OwningOpRef<Operation *>> original;
    /// Of its leanest plan.
    ValueCounts leanest = {};

    Block &getBlock() const { return region->front(); }
    void putBack() const {
      OwningOpRef<Operation *> copy = (*original)->clone();
      region->takeBody(copy->getRegion(region->getRegionNumber()));
    }
  };

  FailureOr<PlannedBlock> planWithInside() {
    FailureOr<int64_t> once = getCostOnce(block, options);
    if (failed(once))
      return failure();
    // What is inside is planned for the least first, and then for what the
    // block leaves.
    const int64_t all = getPlanningWeight(block);
    if (task.aim == Aim::Cheapest)
      times = TimeShares(task.limits, 2 * all - getOwnWeight(block));
    SmallVector<Inner> inside;
    bool isLeast = true;
    for (Operation *op : getHolders(block)) {
      auto original = std::make_shared<OwningOpRef<Operation *>>(op->clone());
      for (Region &region : op->getRegions()) {
        if (!region.hasOneBlock()) {
          isLeast = false;
          if (failed(orderBlocks(region)))
            return failure();
          continue;
        }
        inside.push_back({&region, original});
        isLeast &= makeLeanest(inside.back());
      }
    }
    if (task.aim != Aim::Cheapest) {
      FailureOr<PlannedBlock> planned = planAndApply();
      if (succeeded(planned))
        planned->isLeast &= isLeast;
      return planned;
    }
    AnalysedBlock analysed;
    ProgramContext context(options.analysis);
    FailureOr<SchedulePlan> plan = makePlan(analysed, context, isLeast);
    if (failed(plan) || failed(moveOutOfPlace(analysed, context, *plan)))
      return failure();
    // What each op takes inside, before any of it changes.
    llvm::DenseMap<Operation *, int64_t> most;
    for (const Inner &inner : inside) {
      int64_t &bytes = most[inner.region->getParentOp()];
      bytes = std::max(bytes, getOwnPeak(inner.getBlock(), context));
    }
    bool isChanged = false;
    this->inside = ValueCounts();
    for (const Inner &inner : inside)
      isChanged |= fitInside(inner, most[inner.region->getParentOp()],
                             *analysed.storage, *plan);
    FailureOr<PlannedBlock> planned =
        applyAnew(*analysed.storage, *plan, *once);
    if (succeeded(planned))
      planned->isChanged |= isChanged;
    return planned;
  }

  LogicalResult orderBlocks(Region &region) {
    for (Block &nested : region)
      if (failed(orderInside(nested)) || failed(orderForPeak(nested)))
        return failure();
    return success();
  }

  /// Plans what is inside for the fewest live bytes; true if no schedule takes
  /// less. What cannot be planned is ordered, with a remark.
  bool makeLeanest(Inner &inner) {
    BlockTask lean = getInnerTask();
    lean.budget = kNoLimit;
    lean.aim = Aim::Leanest;
    if (std::optional<PlannedBlock> planned = planInner(inner, lean)) {
      inner.leanest = planned->counts;
      inside.add(inner.leanest);
      return planned->isLeast;
    }
    inner.putBack();
    if (failed(runQuietly(block.getParentOp()->getContext(),
                          [&] { return orderBlocks(*inner.region); })))
      inner.putBack();
    Operation *op = inner.region->getParentOp();
    auto remark = remark::missed(
        op->getLoc(),
        remark::RemarkOpts::name("inside").category(options.category));
    if (remark)
      remark << "the inside of '" + op->getName().getStringRef().str() +
                    "' is only ordered: it cannot be planned";
    return false;
  }

  BlockTask getInnerTask() const {
    BlockTask inner;
    inner.inside = Inside::Planned;
    inner.slowTaken = task.slowTaken;
    inner.calleesAreLeast = task.calleesAreLeast;
    return inner;
  }

  std::optional<PlannedBlock> planInner(const Inner &inner,
                                        const BlockTask &wanted) {
    FailureOr<PlannedBlock> planned = failure();
    (void)runQuietly(block.getParentOp()->getContext(), [&] {
      BlockTask within = wanted;
      within.limits =
          times.next(getPlanningWeight(inner.getBlock())).observedBy(nullptr);
      planned = planBlock(inner.getBlock(), within, options);
      return success(succeeded(planned));
    });
    if (failed(planned))
      return std::nullopt;
    return *planned;
  }

  /// Plans what is inside, which is the leanest, for the least cost within what
  /// `plan` leaves; true if something has changed there.
  bool fitInside(const Inner &inner, int64_t most,
                 const StorageAnalysis &storage, const SchedulePlan &plan) {
    Operation *op = inner.region->getParentOp();
    std::optional<unsigned> step = storage.getStepIndex(op);
    if (!step)
      return false;
    ProgramContext context(options.analysis);
    BlockTask wanted = getInnerTask();
    wanted.budget = most + task.budget - plan.stepPeaks[*step];
    if (countsGiven(inner.getBlock())) {
      StorageAnalysis inside(inner.getBlock(), context);
      for (const Storage &entry : inside.getStorages())
        if (entry.kind == StorageKind::Argument && entry.tier.empty())
          wanted.budget += entry.getFootprint();
    }
    LifetimeAnalysis lifetime(storage);
    for (StringRef tier : lifetime.getTiers())
      wanted.slowTaken[tier.str()] += lifetime.getPeakBytes(tier);
    for (const auto &[tier, bytes] : plan.slowPeaks)
      wanted.slowTaken[tier] += bytes;
    Inner leanest = inner;
    leanest.original = std::make_shared<OwningOpRef<Operation *>>(op->clone());
    inner.putBack();
    if (std::optional<PlannedBlock> planned = planInner(inner, wanted)) {
      inside.add(planned->counts);
      return planned->isChanged;
    }
    // The leanest is known to fit. Searched again, it may come out fatter: a
    // clock may end that search earlier.
    leanest.putBack();
    inside.add(leanest.leanest);
    return true;
  }

  /// Writes `plan`, which was made for other blocks inside than there are now:
  /// `planned` is what the block was then.
  FailureOr<PlannedBlock> applyAnew(const StorageAnalysis &planned,
                                    SchedulePlan &plan, int64_t once) {
    ProgramContext context(options.analysis);
    StorageAnalysis storage(block, context);
    if (failed(storage.verify()))
      return failure();
    FailureOr<std::vector<int64_t>> costs = getStepCosts(
        storage, options.objective, options.hierarchy, options.cacheModel);
    if (failed(costs))
      return failure();
    for (unsigned step : plan.runs)
      plan.cost += (*costs)[step] - plan.costs[step];
    plan.peak = plan.transferPeak;
    for (unsigned step : plan.runs)
      plan.peak = std::max(plan.peak, plan.stepPeaks[step] +
                                          storage.getSteps()[step].scratch -
                                          planned.getSteps()[step].scratch);
    plan.peakIsExact &= !plan.runs.empty();
    if (plan.isOrder())
      plan.peak = getCountedPeak(LifetimeAnalysis(storage, plan.runs),
                                 countsGiven(block));
    EquivalenceChecker checker(storage);
    FailureOr<PlannedBlock> result = apply(storage, checker, plan);
    if (failed(result))
      return failure();
    // What else might have been kept inside nobody has searched.
    SchedulePlan &written = result->plan;
    game::certify(written, once);
    return result;
  }

  //===--------------------------------------------------------------------===//
  // The block itself
  //===--------------------------------------------------------------------===//

  FailureOr<PlannedBlock> planAndApply() {
    AnalysedBlock analysed;
    bool isLeast =
        task.inside == Inside::Planned || !hasInnerMemory(block, shared);
    FailureOr<SchedulePlan> plan = options.forms
                                       ? planWithForms(analysed)
                                       : makePlan(analysed, shared, isLeast);
    if (failed(plan) || failed(moveOutOfPlace(analysed, shared, *plan)))
      return failure();
    EquivalenceChecker checker(*analysed.storage);
    return apply(*analysed.storage, checker, *plan);
  }

  /// With derived forms of what the block keeps.
  FailureOr<SchedulePlan> planWithForms(AnalysedBlock &analysed) {
    const int64_t weight = getOwnWeight(block);
    times = TimeShares(
        times.next(weight),
        (options.forms.undone ? kFormAndInversePlans : kFormPlans) * weight);
    auto plan = [&](AnalysedBlock &into, int64_t &leastKnown) {
      return makePlan(into, shared, /*isLeast=*/false, &leastKnown);
    };
    return chooseForms(
        {block, shared, options.forms, task.aim != Aim::Cheapest, plan},
        analysed);
  }

  FailureOr<SchedulePlan> makePlan(AnalysedBlock &analysed,
                                   ProgramContext &context, bool isLeast,
                                   int64_t *leastKnown = nullptr) {
    const graph::Limits limits = times.next(getOwnWeight(block));
    const auto begun = graph::Limits::Clock::now();
    analysed.storage = std::make_unique<StorageAnalysis>(block, context);
    if (failed(analysed.storage->verify()))
      return failure();
    if (failed(takeDictatedOrder(analysed, context)))
      return failure();
    ScheduleRequest request;
    request.objective = options.objective;
    request.cacheModel = options.cacheModel;
    request.hierarchy = options.hierarchy;
    request.budget = task.budget;
    request.around = task.around;
    request.functionPeak = task.functionPeak;
    request.countArguments = countsGiven(block);
    request.slowTaken = task.slowTaken;
    request.scratchIsLeast = isLeast && task.calleesAreLeast;
    request.recompute = game::mayRecompute(options.means);
    request.offload = game::mayOffload(options.means) && runsAreCounted();
    request.outOfPlace = options.outOfPlace;
    request.greedyPacking = options.greedyPacking;
    request.leastKnown = leastKnown;
    request.solver = options.solver;
    request.seed = options.seed;
    // Time is kept for writing and proving what is planned, which takes about
    // as long as looking at the block did.
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(
                           graph::Limits::Clock::now() - begun)
                           .count();
    request.limits = limits.part(1, spent);
    request.dictated = analysed.dictated;
    request.saved = task.saved;
    request.keepsPlan = options.keepsPlans;
    request.leanest = task.aim != Aim::Cheapest;
    if (task.aim != Aim::Fallback && isOutermost)
      request.hasAddresses = [&] {
        ProgramContext fresh(options.analysis);
        return collectBuffers(cast<FunctionOpInterface>(block.getParentOp()),
                              fresh)
            .refusal.empty();
      };
    if (isOutermost) // of the others nobody hears
      request.isProven = [&](const SchedulePlan &found) {
        return isProvenOfCopy(block, found, options.analysis);
      };
    return planSchedule(*analysed.dependences, request);
  }

  static int64_t getOwnWeight(Block &of) {
    return static_cast<int64_t>(of.getOperations().size());
  }

  /// What moves in a loop can be foretold only if it is known how often that
  /// runs.
  bool runsAreCounted() const {
    for (Operation *op = block.getParentOp(); !isa<FunctionOpInterface>(op);
         op = op->getParentOp()) {
      if (isa<LoopLikeOpInterface>(op) && !getStaticTrips(op))
        return false;
    }
    return true;
  }

  /// A rewrite that the user has asked for is held to it.
  LogicalResult runProven(llvm::function_ref<LogicalResult()> rewrite) {
    if (!task.refusal || task.saved)
      return rewrite();
    return runOrRefuse(block.getParentOp()->getContext(), *task.refusal,
                       rewrite);
  }

  LogicalResult moveOutOfPlace(AnalysedBlock &analysed, ProgramContext &context,
                               SchedulePlan &plan) {
    return runProven(
        [&] { return writeOutOfPlace(analysed.storage, context, plan); });
  }

  FailureOr<PlannedBlock> apply(const StorageAnalysis &storage,
                                EquivalenceChecker &checker,
                                SchedulePlan &plan) {
    int64_t leastEnergy = options.objective == ScheduleObjective::Energy
                              ? getLeastEnergy(storage, options.hierarchy)
                              : 0;
    if (task.aim == Aim::Cheapest || isOutermost)
      explain(storage, plan);
    PlannedBlock result;
    result.counts = countValues(storage, plan);
    result.counts.add(inside);
    if (failed(measure(storage, plan, result)))
      return failure();
    auto rewrite = [&] {
      applyActions(storage, plan.actions);
      return failure(failed(hideCollectives(plan, result)) ||
                     failed(checker.verify()) || failed(hideInLoops(plan)) ||
                     failed(judge(leastEnergy, plan)));
    };
    if (failed(runProven(rewrite)))
      return failure();
    result.isChanged = !plan.isGivenOrder();
    // What might have been moved, or kept in another form, is not proven to be
    // needed.
    bool mayMove = game::mayOffload(options.means);
    result.isLeast = plan.isLeast && task.calleesAreLeast && !options.forms &&
                     (!mayMove || runsAreCounted());
    result.plan = std::move(plan);
    return result;
  }

  /// How long the steps take before and after, one after the other.
  LogicalResult measure(const StorageAnalysis &storage,
                        const SchedulePlan &plan, PlannedBlock &result) {
    if (!isOutermost || !hasStepTimes(storage) || !plan.moves.empty())
      return success();
    FailureOr<std::vector<int64_t>> times =
        getMessageTimes(storage, options.hierarchy);
    if (failed(times))
      return failure();
    result.inputTime = result.time = 0;
    for (auto [time, computing] : llvm::zip(*times, getStepTimes(storage))) {
      time = addCounts(time, computing.nanoseconds);
      result.inputTime = addCounts(*result.inputTime, time);
    }
    for (unsigned step : plan.runs)
      result.time = addCounts(*result.time, (*times)[step]);
    return success();
  }

  bool hidesCollectives() const {
    return isOutermost && options.objective == ScheduleObjective::Time &&
           task.aim == Aim::Cheapest;
  }

  /// Starts early, and waits late for, what ranks do together.
  LogicalResult hideCollectives(SchedulePlan &plan, PlannedBlock &result) {
    if (!hidesCollectives())
      return success();
    ProgramContext fresh(options.analysis);
    FailureOr<OverlappedTimes> times = overlapCollectives(
        block, fresh, {options.hierarchy, options.cacheModel, task.budget});
    if (failed(times))
      return failure();
    result.collectives = *times;
    plan.peakIsExact &= !times->isChanged; // what is under way lives longer
    return success();
  }

  LogicalResult hideInLoops(SchedulePlan &plan) {
    if (!hidesCollectives())
      return success();
    ProgramContext fresh(options.analysis);
    FailureOr<bool> isChanged = overlapInLoops(
        block, fresh, {options.hierarchy, options.cacheModel, task.budget});
    plan.peakIsExact &= failed(isChanged) || !*isChanged;
    return isChanged;
  }

  void explain(const StorageAnalysis &storage, const SchedulePlan &plan) {
    if (task.aim == Aim::Fallback)
      return;
    if (block.getParentOp()->getContext()->getRemarkEngine()) {
      remarkOnUpdates(storage, plan, options.category);
      remarkOnForms(block.getParentOp(), plan.derived, options.category);
      if (!plan.isOrder())
        emitScheduleRemarks(storage, plan, options.category);
      else if (isOutermost)
        emitRemarks(storage,
                    explainOrder(storage, plan.runs, options.hierarchy,
                                 options.cacheModel),
                    plan.runs, options.hierarchy, options.category);
    }
    if (options.objective == ScheduleObjective::Time && isOutermost)
      explainStepTimes(storage, options.category);
  }

  /// What the program moves itself is not planned, so that a block with such
  /// transfers has to keep the capacities and no more.
  LogicalResult judgeTransfers(const StorageAnalysis &storage,
                               const SchedulePlan &plan) {
    if (!options.hierarchy)
      return success();
    Location loc = block.getParentOp()->getLoc();
    LifetimeAnalysis lifetime(storage);
    for (TierAttr tier : options.hierarchy.getTiers().drop_front(
             options.hierarchy.getComputeTierIndex() + 1)) {
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
    TrafficAnalysis traffic(lifetime, HierarchyCosts::get(options.hierarchy),
                            options.cacheModel);
    if (plan.movesAll && traffic.getMovedBytes() != plan.moved)
      return emitError(loc) << "internal error: the bytes moved between tiers "
                               "are not those that were planned";
    return success();
  }

  /// Looks at what was written as if nobody had planned it.
  LogicalResult judge(int64_t leastEnergy, SchedulePlan &plan) {
    ProgramContext fresh(options.analysis);
    StorageAnalysis storage(block, fresh);
    if (failed(storage.verify()))
      return failure();
    int64_t peak =
        getCountedPeak(LifetimeAnalysis(storage), countsGiven(block));
    if (peak > task.budget || (plan.peakIsExact && peak != plan.peak))
      return emitError(block.getParentOp()->getLoc())
             << "internal error: the planned peak is " << plan.peak
             << " bytes, the analysed one " << peak << " bytes";
    if (failed(judgeTransfers(storage, plan)))
      return failure();
    hideDuplicates(storage);
    plan.peak = peak;
    if (options.objective != ScheduleObjective::Energy)
      return success();
    // Caches make an access cheaper or dearer where it now stands.
    plan.cost = getBlockEnergy(storage, options.hierarchy, options.cacheModel);
    bool hasCaches = options.hierarchy.getComputeTierIndex() > 0;
    game::certify(plan, hasCaches ? leastEnergy : plan.bound);
    return success();
  }

  Block &block;
  const BlockTask &task;
  /// Of the time that there is for the block.
  TimeShares times;
  const PlanOptions &options;
  const bool isOutermost;
  /// Values of the blocks inside that are planned.
  ValueCounts inside;
  /// Of what is only moved, so that names and callees stay what they are.
  ProgramContext shared;
};
} // namespace

FailureOr<PlannedBlock> planBlock(Block &block, const BlockTask &task,
                                  const PlanOptions &options) {
  return BlockPlanner(block, task, options).run();
}

} // namespace pebble
