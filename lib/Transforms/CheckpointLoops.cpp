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
      FailureOr<ReversalPlan> plan = makePlan(loop);
      if (failed(plan))
        return signalPassFailure();
      DictionaryAttr counts = count(loop, *plan);
      // An inner driver is cloned with the step that it stands in, and its
      // counts with it.
      writeReversal(loop, *plan)->setAttr(attr::kReversal, counts);
    }
    report(loops.size());
  }

private:
  FailureOr<ReversalPlan> makePlan(AdjointLoopOp loop);
  DictionaryAttr count(AdjointLoopOp loop, const ReversalPlan &plan);
  void report(size_t numLoops);
  static LogicalResult checkStates(AdjointLoopOp loop);
  static LogicalResult checkSteps(AdjointLoopOp loop, ProgramContext &context);
};
} // namespace

FailureOr<ReversalPlan> CheckpointLoopsPass::makePlan(AdjointLoopOp loop) {
  ReversalPlan plan;
  if (schedule == LoopSchedule::StoreAll) {
    if (slots != -1)
      return loop.emitError("'schedule=store-all' keeps every state, so that "
                            "'slots' has nothing to say");
    plan.keepsAll = true;
    return plan;
  }
  if (slots == -1)
    return loop.emitError("say how many states of this loop may be kept: "
                          "'slots=N', or 'schedule=store-all'");
  if (slots < 1)
    return loop.emitError("a loop cannot be reversed with ")
           << int64_t(slots)
           << " slots: the state before the first step takes one";
  constexpr int64_t kMostSlots = int64_t(1) << 20;
  if (slots > kMostSlots)
    return loop.emitError("at most ")
           << kMostSlots << " slots, got " << int64_t(slots);
  plan.slots = slots;
  // No more than there are states to keep: that before the last step is used
  // at once.
  if (std::optional<int64_t> steps = loop.getConstantSteps())
    plan.slots = std::clamp<int64_t>(*steps - 1, 1, slots);
  return plan;
}

/// What is known of the schedule before the program runs. No schedule with as
/// many slots takes fewer steps, so that the bound is what is run.
DictionaryAttr CheckpointLoopsPass::count(AdjointLoopOp loop,
                                          const ReversalPlan &plan) {
  Builder builder(loop);
  NamedAttrList counts;
  auto add = [&](StringRef name, std::optional<int64_t> count) {
    if (count)
      counts.append(name, builder.getI64IntegerAttr(*count));
  };
  std::optional<int64_t> steps = loop.getConstantSteps();
  add("slots", plan.keepsAll ? steps : plan.slots);
  add("steps", steps);
  if (!steps)
    return counts.getDictionary(&getContext());
  add("backward_steps", steps);
  bool needsFinal = loop.needsFinalStates();
  // The last step is run where somebody needs what it makes.
  std::optional<int64_t> forward =
      plan.keepsAll ? steps : chain::binomialCost(*steps, plan.slots);
  if (forward && !plan.keepsAll && needsFinal && *steps)
    ++*forward;
  add("forward_steps", forward);
  add("bound", plan.keepsAll ? *steps - !needsFinal * (*steps > 0) : forward);
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
    if (!counts || !function)
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
