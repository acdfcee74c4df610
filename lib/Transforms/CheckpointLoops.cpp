//===- CheckpointLoops.cpp - the pass pebble-checkpoint-loops -------------===//
//
// Checks that each loop with an adjoint can be reversed within the slots that
// there are, and has its driver written, inner loops first.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Transforms/Passes.h"

#include "Loops/LoopChecks.h"
#include "Loops/ReversalCosts.h"
#include "Loops/ReversalDriver.h"
#include "Loops/ReversalSlots.h"
#include "OptionRange.h"
#include "PlanPasses.h"

#include "pebble/Analysis/Remarks.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Solver/Chain/Binomial.h"
#include "pebble/Solver/Chain/Periodic.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace pebble {
#define GEN_PASS_DEF_CHECKPOINTLOOPSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct CheckpointLoopsPass
    : pebble::impl::CheckpointLoopsPassBase<CheckpointLoopsPass> {
  using CheckpointLoopsPassBase::CheckpointLoopsPassBase;

  void runOnOperation() override {
    if (failed(checkRanges()))
      return signalPassFailure();
    ProgramContext context(getAnalysisOptions(pure, 0));
    SmallVector<AdjointLoopOp> loops;
    getOperation().walk([&](AdjointLoopOp loop) { loops.push_back(loop); });
    if (loops.empty())
      remarkOnNothing(getOperation(), getArgument(),
                      "there is no pebble.adjoint_loop, which "
                      "pebble-raise-loops makes of a loop and its adjoint");
    for (AdjointLoopOp loop : loops)
      if (failed(checkLoopStates(loop)) ||
          failed(checkLoopSteps(loop, context)))
        return signalPassFailure();
    for (AdjointLoopOp loop : loops) {
      FailureOr<ReversalPlan> plan = makePlan(loop, context);
      if (failed(plan))
        return signalPassFailure();
      // An inner driver is cloned with the step that it stands in, and what it
      // says of itself with it.
      writeReversal(loop, *plan, count(loop, *plan));
    }
    report(loops.size());
  }

private:
  static constexpr int64_t kMostSlots = int64_t(1) << 20;

  FailureOr<ReversalPlan> makePlan(AdjointLoopOp loop, ProgramContext &context);
  LogicalResult planPeriods(AdjointLoopOp loop, ReversalPlan &plan,
                            std::optional<int64_t> mostStates);
  LogicalResult planTiers(AdjointLoopOp loop, ReversalPlan &plan,
                          std::optional<int64_t> mostStates);
  LogicalResult checkRanges();
  LogicalResult readDensity(Location loc);
  /// What slow-density-percent says; 0: nothing.
  int64_t density = 0;
  LogicalResult checkOptions(AdjointLoopOp loop);
  LogicalResult checkCompression(AdjointLoopOp loop);
  FailureOr<TierAttr> findSlowTier(AdjointLoopOp loop, HierarchyAttr hierarchy);
  LogicalResult choosePlaces(AdjointLoopOp loop, ReversalPlan &plan);
  LogicalResult checkPrices(AdjointLoopOp loop, ReversalPlan &plan,
                            TierAttr slow, ProgramContext &context);
  static LogicalResult checkRoom(AdjointLoopOp loop, TierAttr tier,
                                 int64_t states, ProgramContext &context,
                                 ArrayRef<AtAttr> places = {});
  /// Whether states go to a slower tier, if it pays.
  bool usesSlowTier() const {
    return schedule == LoopSchedule::Periodic ||
           schedule == LoopSchedule::TwoTier || slowSlots > 0;
  }
  DictionaryAttr count(AdjointLoopOp loop, const ReversalPlan &plan);
  void report(size_t numLoops);
};
} // namespace

/// What one state takes in a slot; kept as `places` say, one for each state, if
/// there are any.
static int64_t getStateBytes(AdjointLoopOp loop, ArrayRef<AtAttr> places,
                             ProgramContext &context) {
  int64_t bytes = 0;
  for (auto [index, state] : llvm::enumerate(loop.getStates())) {
    Type type = state.getType();
    if (!isa<ShapedType>(type))
      continue;
    if (!places.empty())
      type = withPlacement(type, places[index].getRowPlacement());
    bytes += context.getBytes(type).value_or(0);
  }
  return bytes;
}

/// How each state is kept in the slower tier.
LogicalResult CheckpointLoopsPass::choosePlaces(AdjointLoopOp loop,
                                                ReversalPlan &plan) {
  if (slowCompress.empty())
    return success();
  for (auto [index, state] : llvm::enumerate(loop.getStates())) {
    Compression how = *symbolizeCompression(
        slowCompress[slowCompress.size() == 1 ? 0 : index]);
    auto tensor = dyn_cast<RankedTensorType>(state.getType());
    if (!tensor || how == Compression::None) {
      plan.slowPlaces.push_back(plan.slowTier);
      continue;
    }
    if (!AtAttr::canCompress(tensor.getElementType()))
      return loop.emitError("state ")
             << index << " is of type " << tensor
             << ", whose elements cannot be kept compressed";
    plan.slowPlaces.push_back(
        AtAttr::get(&getContext(), plan.slowTier.getTier(), how,
                    how == Compression::Bitmask ? density : 0,
                    /*rows=*/true));
  }
  return success();
}

LogicalResult CheckpointLoopsPass::checkRoom(AdjointLoopOp loop, TierAttr tier,
                                             int64_t states,
                                             ProgramContext &context,
                                             ArrayRef<AtAttr> places) {
  int64_t bytes = getStateBytes(loop, places, context);
  if (!tier || !tier.isBounded() || states == 0)
    return success();
  if (bytes > tier.getCapacity())
    return loop.emitError("a state takes ")
           << bytes << " bytes, and tier '" << tier.getName() << "' holds "
           << tier.getCapacity();
  if (states > tier.getCapacity() / bytes)
    return loop.emitError("tier '")
           << tier.getName() << "' holds " << tier.getCapacity()
           << " bytes, and " << states << " states of " << bytes
           << " bytes do not fit";
  return success();
}

/// The tier of the slow slots.
FailureOr<TierAttr> CheckpointLoopsPass::findSlowTier(AdjointLoopOp loop,
                                                      HierarchyAttr hierarchy) {
  unsigned compute = hierarchy ? hierarchy.getComputeTierIndex() : 0;
  if (slowTier.empty()) {
    if (hierarchy && compute + 1 < hierarchy.getTiers().size())
      return hierarchy.getTiers()[compute + 1];
    return loop.emitError("states cannot be kept in a slower tier: ")
           << (hierarchy ? "the hierarchy has none"
                         : "the module has no hierarchy, which "
                           "pebble-attach-target puts on it");
  }
  std::optional<unsigned> index =
      hierarchy ? hierarchy.getTierIndex(slowTier) : std::nullopt;
  if (!index || *index <= compute)
    return loop.emitError("there is no tier '")
           << slowTier.getValue() << "' slower than the compute tier";
  return hierarchy.getTiers()[*index];
}

LogicalResult CheckpointLoopsPass::checkCompression(AdjointLoopOp loop) {
  if (!slowCompress.empty() && !usesSlowTier())
    return loop.emitError("'slow-compress' is of states in a slower tier, and "
                          "none is to be kept there");
  if (slowCompress.size() > 1 && slowCompress.size() != loop.getStates().size())
    return loop.emitError("'slow-compress' has ")
           << slowCompress.size() << " entries, and the loop "
           << loop.getStates().size() << " states";
  bool hasBitmask = false;
  for (StringRef word : slowCompress) {
    std::optional<Compression> how = symbolizeCompression(word);
    if (!how)
      return loop.emitError(
                 "'slow-compress' takes none, bitmask or bits, got '")
             << word << "'";
    hasBitmask |= how == Compression::Bitmask;
  }
  if (hasBitmask != (density != 0))
    return loop.emitError(hasBitmask
                              ? "'slow-compress=bitmask' needs a "
                                "'slow-density-percent' of 1 to 100, got "
                              : "'slow-density-percent' belongs to "
                                "'slow-compress=bitmask', got ")
           << density;
  return success();
}

LogicalResult CheckpointLoopsPass::checkOptions(AdjointLoopOp loop) {
  int64_t fast = slots, slow = slowSlots;
  bool isAll = schedule == LoopSchedule::StoreAll;
  bool isPeriodic = schedule == LoopSchedule::Periodic;
  if (isAll && (fast != kNotGiven || slow != kNotGiven))
    return loop.emitError("'schedule=store-all' keeps every state, so that "
                          "'slots' has nothing to say");
  if (!isPeriodic && period != 0)
    return loop.emitError("'period' belongs to 'schedule=periodic'");
  if (isPeriodic && slow != kNotGiven)
    return loop.emitError("'schedule=periodic' takes as many states in the "
                          "slower tier as there are periods, so that "
                          "'slow-slots' has nothing to say");
  if (failed(checkCompression(loop)))
    return failure();
  if (!usesSlowTier() && (storeCost != kNotGiven || loadCost != kNotGiven))
    return loop.emitError("'store-cost' and 'load-cost' are of states in a "
                          "slower tier, and none is to be kept there");
  if (objective == ScheduleObjective::Recompute)
    return loop.emitError("'objective' is time or energy: the number of steps "
                          "alone says nothing of transfers");
  if (isAll)
    return success();
  if (fast == kNotGiven)
    return loop.emitError("say how many states of this loop may be kept: "
                          "'slots=N', or 'schedule=store-all'");
  slow = std::max<int64_t>(slow, 0);
  if (slow > kMostSlots - fast)
    return loop.emitError("at most ")
           << kMostSlots << " slots, got " << fast << " and " << slow;
  return success();
}

LogicalResult CheckpointLoopsPass::readDensity(Location loc) {
  StringRef text = slowDensityPercent;
  text.consume_back("%");
  density = 0;
  if (slowDensityPercent.empty() || text == "0")
    return success();
  if (text.getAsInteger(10, density) || density < 1 || density > 100)
    return emitError(loc) << "'slow-density-percent' takes a whole number from "
                             "1 to 100, or that as 5%, got "
                          << slowDensityPercent;
  return success();
}

LogicalResult CheckpointLoopsPass::checkRanges() {
  Location loc = getOperation().getLoc();
  // The state before the first step takes a slot.
  return success(
      succeeded(checkRange(loc, slots, kNotGiven, 1, kMostSlots)) &&
      succeeded(checkRange(loc, slowSlots, kNotGiven, 0, kMostSlots)) &&
      succeeded(checkRange(loc, forwardCost, kNotGiven, 1, kMostCost)) &&
      succeeded(checkRange(loc, storeCost, kNotGiven, 0, kMostCost)) &&
      succeeded(checkRange(loc, loadCost, kNotGiven, 0, kMostCost)) &&
      succeeded(readDensity(loc)) && succeeded(checkRange(loc, period, 0, 1)));
}

/// What steps and transfers cost beside each other. A schedule that is chosen
/// by it is an error where nobody knows.
LogicalResult CheckpointLoopsPass::checkPrices(AdjointLoopOp loop,
                                               ReversalPlan &plan,
                                               TierAttr slow,
                                               ProgramContext &context) {
  auto given = [](int64_t cost) {
    return cost == kNotGiven ? std::nullopt : std::optional(cost);
  };
  FailureOr<std::optional<ReversalCosts>> costs = priceReversal(
      loop, {given(forwardCost), given(storeCost), given(loadCost)}, slow,
      getStateBytes(loop, plan.slowPlaces, context), objective, context);
  if (failed(costs))
    return failure();
  bool isChosen = schedule == LoopSchedule::TwoTier ||
                  (schedule == LoopSchedule::Periodic && period == 0);
  if (!*costs && isChosen)
    return loop.emitError("what to keep in tier '")
           << slow.getName()
           << "' depends on what moving a state costs beside a forward step: "
              "give 'store-cost' and 'load-cost' in forward steps, or a "
              "hierarchy with the "
           << (objective == ScheduleObjective::Energy
                   ? "energies of its tiers"
                   : "bandwidths of both tiers");
  plan.costs = *costs;
  return success();
}

/// A state in the slower tier every so many steps.
LogicalResult
CheckpointLoopsPass::planPeriods(AdjointLoopOp loop, ReversalPlan &plan,
                                 std::optional<int64_t> mostStates) {
  std::optional<int64_t> steps = loop.getConstantSteps();
  int64_t length = period;
  if (length == 0) {
    chain::PeriodicChain policy;
    policy.slots = slots;
    policy.forward = plan.costs->forward;
    policy.store = plan.costs->store;
    policy.load = plan.costs->load;
    policy.steps = steps.value_or(0);
    // That of the first state is none of them.
    if (mostStates)
      policy.slowSlots = *mostStates + 1;
    std::optional<int64_t> best = steps ? chain::bestPeriodFromPinned(policy)
                                        : chain::steadyPeriod(policy);
    if (!best)
      return loop.emitError("no period lets this loop be reversed with ")
             << int64_t(slots) << " slots and what the slower tier holds";
    length = *best;
  }
  plan.keeps = ReversalPlan::Tiers;
  plan.period = length;
  // That before the last step of a period is used at once.
  int64_t most = std::max<int64_t>(length - 1, 1);
  plan.slots = 1 + std::min<int64_t>(most, slots);
  plan.segments = chain::makePeriods(length, plan.slots - 1);
  if (steps)
    plan.table = chain::makeSegmentTable(*plan.segments, *steps);
  return success();
}

/// Slots in both tiers at the least cost of steps and transfers.
LogicalResult
CheckpointLoopsPass::planTiers(AdjointLoopOp loop, ReversalPlan &plan,
                               std::optional<int64_t> mostStates) {
  std::optional<int64_t> steps = loop.getConstantSteps();
  chain::TwoTiers problem;
  problem.slots = slots;
  problem.slowSlots = mostStates;
  if (slowSlots != kNotGiven)
    problem.slowSlots = slowSlots;
  problem.forward = plan.costs->forward;
  problem.store = plan.costs->store;
  problem.load = plan.costs->load;
  if (!steps) {
    if (slowSlots != kNotGiven) {
      plan.slots = slots + slowSlots;
      plan.slowSlots = slowSlots;
      return success();
    }
    if (slots == 1)
      return loop.emitError("where the number of steps is known at run time "
                            "alone 'schedule=two-tier' takes at least 2 slots");
    plan.segments = chain::findTierSegments(problem);
    plan.slots = slots;
    if (plan.segments)
      plan.keeps = ReversalPlan::Tiers;
    return success();
  }
  int64_t useful = std::max<int64_t>(*steps - 1, 1);
  plan.slots = std::min<int64_t>(slots, useful);
  if (*steps < 2)
    return success();
  problem.steps = *steps;
  plan.table = chain::solveTwoTiers(problem);
  if (plan.table) {
    plan.keeps = ReversalPlan::Tiers;
    return success();
  }
  // Too many steps for the slots: the bottom of a binomial stack, as much of it
  // as pays.
  std::optional<int64_t> least;
  int64_t fast = plan.slots;
  int64_t most = std::min(problem.slowSlots.value_or(useful), useful - fast);
  for (int64_t slow = std::min<int64_t>(most, 1 << 12);; slow /= 2) {
    chain::SlowAccesses moves =
        chain::countSlowAccesses(*steps, fast + slow, slow);
    std::optional<int64_t> forwards = chain::binomialCost(*steps, fast + slow);
    std::optional<int64_t> cost;
    if (forwards)
      cost = chain::TierCounts{*forwards, moves.saved, moves.savedFirst,
                               moves.restored}
                 .cost(problem);
    if (cost && (!least || *cost < *least)) {
      least = cost;
      plan.slots = fast + slow;
      plan.slowSlots = slow;
    }
    if (slow == 0)
      break;
  }
  return success();
}

FailureOr<ReversalPlan> CheckpointLoopsPass::makePlan(AdjointLoopOp loop,
                                                      ProgramContext &context) {
  if (failed(checkOptions(loop)))
    return failure();
  ReversalPlan plan;
  HierarchyAttr hierarchy = lookupHierarchy(loop);
  TierAttr compute = hierarchy ? hierarchy.getComputeTier() : TierAttr();
  std::optional<int64_t> steps = loop.getConstantSteps();
  if (schedule == LoopSchedule::StoreAll) {
    plan.keeps = ReversalPlan::All;
    if (failed(checkRoom(loop, compute, steps.value_or(1), context)))
      return failure();
    return plan;
  }
  TierAttr slow;
  std::optional<int64_t> mostStates;
  if (usesSlowTier()) {
    FailureOr<TierAttr> found = findSlowTier(loop, hierarchy);
    if (failed(found))
      return failure();
    slow = *found;
    plan.slowTier = AtAttr::get(&getContext(), slow.getName());
    if (failed(choosePlaces(loop, plan)) ||
        failed(checkPrices(loop, plan, slow, context)))
      return failure();
    int64_t bytes = getStateBytes(loop, plan.slowPlaces, context);
    if (slow.isBounded() && bytes > 0)
      mostStates = slow.getCapacity() / bytes;
    if (failed(checkRoom(loop, slow, 1, context, plan.slowPlaces)))
      return failure();
  }
  int64_t slowStates = 1;
  switch (schedule) {
  case LoopSchedule::Periodic:
    if (failed(planPeriods(loop, plan, mostStates)))
      return failure();
    break;
  case LoopSchedule::TwoTier:
    if (failed(planTiers(loop, plan, mostStates)))
      return failure();
    break;
  default:
    // No more than there are states to keep: that before the last step is used
    // at once. What fits is kept in the compute tier.
    plan.slots = slots + std::max<int64_t>(slowSlots, 0);
    if (steps)
      plan.slots = std::clamp<int64_t>(*steps - 1, 1, plan.slots);
    plan.slowSlots = std::max<int64_t>(0, plan.slots - slots);
  }
  if (plan.keeps == ReversalPlan::Binomial)
    slowStates = plan.slowSlots;
  else if (plan.table)
    slowStates = plan.table->slowSlots;
  if (slow &&
      failed(checkRoom(loop, slow, slowStates, context, plan.slowPlaces)))
    return failure();
  // The first state is in the compute tier like the others.
  int64_t fastStates = plan.slots - plan.slowSlots;
  if (failed(checkRoom(loop, compute, fastStates, context)))
    return failure();
  return plan;
}

/// What `plan` runs and moves; nothing where 64 bits do not hold it.
static std::optional<chain::TierCounts>
countSteps(int64_t steps, const ReversalPlan &plan, bool needsFinal) {
  if (plan.keeps == ReversalPlan::All || steps == 0)
    return chain::TierCounts{steps, 0, 0, 0};
  if (plan.keeps == ReversalPlan::Tiers && !plan.table)
    return std::nullopt;
  chain::TierCounts counts;
  if (plan.table) {
    counts = plan.table->counts;
  } else {
    std::optional<int64_t> forwards = chain::binomialCost(steps, plan.slots);
    if (!forwards)
      return std::nullopt;
    counts.forwards = *forwards;
    if (plan.slowSlots) {
      chain::SlowAccesses moves =
          chain::countSlowAccesses(steps, plan.slots, plan.slowSlots);
      counts.stores = moves.saved;
      counts.loads = moves.restored;
    }
  }
  // The last step is run where somebody needs what it makes.
  counts.forwards += needsFinal;
  return counts;
}

/// What is known of the schedule before the program runs.
DictionaryAttr CheckpointLoopsPass::count(AdjointLoopOp loop,
                                          const ReversalPlan &plan) {
  Builder builder(loop);
  NamedAttrList counts;
  auto add = [&](StringRef name, std::optional<int64_t> count) {
    if (count)
      counts.append(name, builder.getI64IntegerAttr(*count));
  };
  std::optional<int64_t> steps = loop.getConstantSteps();
  bool keepsAll = plan.keeps == ReversalPlan::All;
  int64_t slowStates = plan.table ? plan.table->slowSlots : plan.slowSlots;
  int64_t fastStates = plan.slots - plan.slowSlots;
  // Those of a period begin with a state of their own.
  add("slots", keepsAll ? steps : fastStates - (plan.period > 0));
  if (slowStates)
    add("slow_slots", slowStates);
  if (plan.period)
    add("period", plan.period);
  else if (plan.segments)
    add("segment", plan.segments->length);
  if (plan.costs) {
    add("forward_cost", plan.costs->forward);
    add("store_cost", plan.costs->store);
    add("load_cost", plan.costs->load);
  }
  add("steps", steps);
  if (!steps)
    return counts.getDictionary(&getContext());
  add("backward_steps", steps);
  bool needsFinal = loop.needsFinalStates() && *steps > 0;
  std::optional<chain::TierCounts> done = countSteps(*steps, plan, needsFinal);
  if (done)
    add("forward_steps", done->forwards);
  if (!plan.costs || *steps == 0) {
    // With as many slots, and no cost of moving states, no schedule does less.
    ReversalPlan ideal;
    ideal.slots =
        keepsAll ? std::max<int64_t>(*steps, 1) : fastStates + slowStates;
    if (std::optional<chain::TierCounts> least =
            countSteps(*steps, ideal, needsFinal))
      add("bound", least->forwards);
    return counts.getDictionary(&getContext());
  }
  chain::TwoTiers problem{*steps,
                          fastStates,
                          slowStates,
                          plan.costs->forward,
                          plan.costs->store,
                          plan.costs->load};
  if (done) {
    add("stores", done->stores);
    add("loads", done->loads);
    add("cost", done->cost(problem));
  }
  // As many slow slots as the schedule was free to take.
  if (schedule == LoopSchedule::TwoTier)
    problem.slowSlots = slowSlots == kNotGiven
                            ? std::nullopt
                            : std::optional<int64_t>(slowSlots);
  int64_t bound = plan.table && plan.table->bound > 0
                      ? plan.table->bound
                      : chain::boundTwoTiers(problem);
  add("bound", addCounts(bound, needsFinal ? problem.forward : 0));
  return counts.getDictionary(&getContext());
}

/// Peak of each function with a driver, as it will be when its storages are
/// decided; nothing where that is not known.
static llvm::StringMap<int64_t> predictPeaks(ModuleOp module,
                                             const AnalysisOptions &options) {
  llvm::StringMap<int64_t> peaks;
  OwningOpRef<ModuleOp> copy = module.clone();
  // What is unknown of sizes is an error of whoever needs them.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(materializeStorage(*copy, options)))
    return peaks;
  ProgramContext context(options);
  copy->walk([&](FunctionOpInterface function) {
    WalkResult found = function->walk([](LoopLikeOpInterface loop) {
      return loop->hasAttr(attr::kReversal) ? WalkResult::interrupt()
                                            : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return;
    FailureOr<int64_t> peak = getFunctionPeak(function, context);
    if (succeeded(peak))
      peaks[getProgramName(function, *copy)] = *peak;
  });
  return peaks;
}

/// Says on each driver, and in a remark, what it runs and takes.
void CheckpointLoopsPass::report(size_t numLoops) {
  if (!numLoops)
    return;
  llvm::StringMap<int64_t> peaks =
      predictPeaks(getOperation(), getAnalysisOptions(pure, 0));
  getOperation().walk([&](LoopLikeOpInterface loop) {
    auto counts = loop->getAttrOfType<DictionaryAttr>(attr::kReversal);
    auto function = loop->getParentOfType<FunctionOpInterface>();
    if (!counts || counts.empty() || !function)
      return;
    auto peak = peaks.find(getProgramName(function, getOperation()));
    if (peak != peaks.end()) {
      NamedAttrList more(counts);
      more.set("peak_bytes", Builder(loop).getI64IntegerAttr(peak->second));
      counts = more.getDictionary(&getContext());
      loop->setAttr(attr::kReversal, counts);
    }
    auto remark = remark::passed(
        loop.getLoc(),
        remark::RemarkOpts::name("reversal").category(getArgument()));
    if (!remark)
      return;
    remark << "this loop is reversed";
    for (NamedAttribute entry : counts)
      remark << remark::detail::Remark::Arg(
          entry.getName().str(), cast<IntegerAttr>(entry.getValue()).getInt());
  });
}
