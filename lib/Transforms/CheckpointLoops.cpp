//===- CheckpointLoops.cpp - the pass pebble-checkpoint-loops -------------===//
//
// Checks that each loop with an adjoint can be reversed within the slots that
// there are, and has its driver written, inner loops first.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "PlanPasses.h"
#include "ReversalDriver.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Solver/Chain/Binomial.h"
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
    ProgramContext context(getAnalysisOptions(pure, 0));
    SmallVector<AdjointLoopOp> loops;
    getOperation().walk([&](AdjointLoopOp loop) { loops.push_back(loop); });
    for (AdjointLoopOp loop : loops)
      if (failed(checkStates(loop)) || failed(checkSteps(loop, context)))
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
  FailureOr<ReversalPlan> makePlan(AdjointLoopOp loop, ProgramContext &context);
  LogicalResult checkOptions(AdjointLoopOp loop);
  LogicalResult checkCompression(AdjointLoopOp loop, bool hasSlowStates);
  FailureOr<TierAttr> findSlowTier(AdjointLoopOp loop, HierarchyAttr hierarchy);
  LogicalResult choosePlaces(AdjointLoopOp loop, ReversalPlan &plan);
  static LogicalResult checkRoom(AdjointLoopOp loop, TierAttr tier,
                                 int64_t states, ProgramContext &context,
                                 ArrayRef<AtAttr> places = {});
  DictionaryAttr count(AdjointLoopOp loop, const ReversalPlan &plan);
  void report(size_t numLoops);
  static LogicalResult checkStates(AdjointLoopOp loop);
  static LogicalResult checkSteps(AdjointLoopOp loop, ProgramContext &context);
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
                    how == Compression::Bitmask ? slowDensityPercent : 0,
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

LogicalResult CheckpointLoopsPass::checkCompression(AdjointLoopOp loop,
                                                    bool hasSlowStates) {
  if (!slowCompress.empty() && !hasSlowStates)
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
  int64_t density = slowDensityPercent;
  if (hasBitmask ? density < 1 || density > 100 : density != 0)
    return loop.emitError(hasBitmask
                              ? "'slow-compress=bitmask' needs a "
                                "'slow-density-percent' of 1 to 100, got "
                              : "'slow-density-percent' belongs to "
                                "'slow-compress=bitmask', got ")
           << density;
  return success();
}

LogicalResult CheckpointLoopsPass::checkOptions(AdjointLoopOp loop) {
  constexpr int64_t kMostSlots = int64_t(1) << 20;
  int64_t fast = slots, slow = slowSlots;
  bool isAll = schedule == LoopSchedule::StoreAll;
  bool isPeriodic = schedule == LoopSchedule::Periodic;
  if (isAll && (fast != -1 || slow != 0))
    return loop.emitError("'schedule=store-all' keeps every state, so that "
                          "'slots' has nothing to say");
  if (isPeriodic != (period != 0))
    return loop.emitError("'period' and 'schedule=periodic' belong together");
  if (isPeriodic && slow != 0)
    return loop.emitError("'schedule=periodic' takes as many states in the "
                          "slower tier as there are periods, so that "
                          "'slow-slots' has nothing to say");
  if (period < 0)
    return loop.emitError("a period has at least one step, got ")
           << int64_t(period);
  if (failed(checkCompression(loop, isPeriodic || slow > 0)))
    return failure();
  if (isAll)
    return success();
  if (fast == -1)
    return loop.emitError("say how many states of this loop may be kept: "
                          "'slots=N', or 'schedule=store-all'");
  if (fast < 1)
    return loop.emitError("a loop cannot be reversed with ")
           << fast << " slots: the state before the first step takes one";
  if (slow < 0)
    return loop.emitError("'slow-slots' may not be negative, got ") << slow;
  if (fast > kMostSlots || slow > kMostSlots - fast) {
    InFlightDiagnostic error = loop.emitError("at most ")
                               << kMostSlots << " slots, got " << fast;
    if (slow)
      error << " and " << slow;
    return error;
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
  bool isPeriodic = schedule == LoopSchedule::Periodic;
  if (isPeriodic)
    plan.keeps = ReversalPlan::Periodic;
  plan.period = period;
  // No more than there are states to keep: that before the last step is used
  // at once. What fits is kept in the compute tier.
  plan.slots = slots + slowSlots;
  std::optional<int64_t> length = isPeriodic ? plan.period : steps;
  if (length)
    plan.slots = std::clamp<int64_t>(*length - 1, 1, plan.slots);
  plan.slowSlots = std::max<int64_t>(0, plan.slots - slots);
  int64_t slowStates = plan.slowSlots;
  if (isPeriodic)
    slowStates = steps ? llvm::divideCeil(*steps, plan.period) : 1;
  if (isPeriodic || slowSlots != 0) {
    FailureOr<TierAttr> slow = findSlowTier(loop, hierarchy);
    if (failed(slow))
      return failure();
    plan.slowTier = AtAttr::get(&getContext(), slow->getName());
    if (failed(choosePlaces(loop, plan)) ||
        failed(checkRoom(loop, *slow, slowStates, context, plan.slowPlaces)))
      return failure();
  }
  // The first state is in the compute tier like the others.
  if (failed(checkRoom(loop, compute, plan.slots - plan.slowSlots, context)))
    return failure();
  return plan;
}

/// How often `plan` runs a step forward; nothing where 64 bits do not hold it.
static std::optional<int64_t>
countForwardSteps(int64_t steps, const ReversalPlan &plan, bool needsFinal) {
  if (steps == 0 || plan.keeps == ReversalPlan::All)
    return steps;
  if (plan.keeps == ReversalPlan::Binomial) {
    std::optional<int64_t> cost = chain::binomialCost(steps, plan.slots);
    // The last step is run where somebody needs what it makes.
    return cost && needsFinal ? std::optional(*cost + 1) : cost;
  }
  // All steps once, and each period again.
  std::optional<int64_t> whole = chain::binomialCost(plan.period, plan.slots),
                         rest = chain::binomialCost(steps % plan.period,
                                                    plan.slots);
  int64_t again;
  if (!whole || !rest ||
      llvm::MulOverflow(*whole, steps / plan.period, again) ||
      llvm::AddOverflow(again, steps + *rest, again))
    return std::nullopt;
  return again;
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
  add("slots", keepsAll ? steps : plan.slots - plan.slowSlots);
  if (plan.slowSlots)
    add("slow_slots", plan.slowSlots);
  if (plan.keeps == ReversalPlan::Periodic)
    add("period", plan.period);
  add("steps", steps);
  if (!steps)
    return counts.getDictionary(&getContext());
  add("backward_steps", steps);
  bool needsFinal = loop.needsFinalStates() && *steps > 0;
  add("forward_steps", countForwardSteps(*steps, plan, needsFinal));
  // With as many slots, and no cost of moving states, no schedule does less.
  ReversalPlan ideal;
  ideal.slots = plan.slots;
  if (keepsAll)
    ideal.slots = std::max<int64_t>(*steps, 1);
  if (plan.keeps == ReversalPlan::Periodic)
    ideal.slots += llvm::divideCeil(*steps, plan.period);
  add("bound", countForwardSteps(*steps, ideal, needsFinal));
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
      peaks[function.getName()] = *peak;
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
    auto peak = peaks.find(function.getName());
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

LogicalResult CheckpointLoopsPass::checkStates(AdjointLoopOp loop) {
  for (auto [index, state] : llvm::enumerate(loop.getStates()))
    if (!isSlotType(state.getType()))
      return loop.emitError("state ")
             << index << " is of type " << state.getType()
             << ", which no slot can hold: a slot holds numbers, and tensors "
                "of "
                "known shape without an encoding";
  return success();
}

/// Steps run again, in an order of their own: nobody may notice.
LogicalResult CheckpointLoopsPass::checkSteps(AdjointLoopOp loop,
                                              ProgramContext &context) {
  auto isOutside = [&](Value value) {
    return !loop->isAncestor(value.getParentRegion()->getParentOp());
  };
  bool adjointWrites = false;
  for (Region *region : {&loop.getTurn(), &loop.getAdjoint()})
    for (Operation &op : region->getOps()) {
      OpEffects effects = collectEffects(&op, context);
      adjointWrites |= !effects.barrier.empty();
      for (const MemoryAccess &access : effects.accesses)
        adjointWrites |=
            access.isWrite && (!access.value || isOutside(access.value));
    }
  auto refuse = [&](Operation &op, const Twine &why) -> LogicalResult {
    InFlightDiagnostic error =
        op.emitError("a step of this loop may run more than once, and ") << why;
    error.attachNote(loop.getLoc()) << "the loop is here";
    return error;
  };
  for (Operation &op : loop.getPrimal().front().without_terminator()) {
    OpEffects effects = collectEffects(&op, context);
    if (!effects.barrier.empty())
      return refuse(op, effects.barrier);
    bool isRandom = op.walk([](Operation *nested) {
                        return isNeverRecomputable(nested)
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      }).wasInterrupted();
    if (isRandom)
      return refuse(op, "'" + op.getName().getStringRef() +
                            "' does not give the same result twice");
    for (const MemoryAccess &access : effects.accesses) {
      if (access.value && !isOutside(access.value))
        continue;
      if (access.isWrite)
        return refuse(op, "'" + op.getName().getStringRef() +
                              "' writes memory that outlives the step");
      if (adjointWrites)
        return refuse(op, "'" + op.getName().getStringRef() +
                              "' reads memory that the adjoint may write");
    }
  }
  return success();
}
