//===- LoopChecks.cpp - whether a loop can be reversed --------------------===//

#include "Loops/LoopChecks.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/RunAgain.h"

using namespace mlir;

namespace pebble {

bool isSlotType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape() && !tensor.getEncoding() &&
           tensor.getElementType().isIntOrIndexOrFloat();
  return type.isIntOrIndexOrFloat();
}

LogicalResult checkLoopStates(AdjointLoopOp loop) {
  for (auto [index, state] : llvm::enumerate(loop.getStates()))
    if (!isSlotType(state.getType()))
      return loop.emitError("state ")
             << index << " is of type " << state.getType()
             << ", which no slot can hold: a slot holds numbers, and tensors "
                "of "
                "known shape without an encoding";
  return success();
}

LogicalResult checkLoopSteps(AdjointLoopOp loop, ProgramContext &context) {
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
  RunOnceReason reason = getRunOnceReason(
      loop.getPrimal(),
      adjointWrites ? OuterMemory::Changes : OuterMemory::Stays, context);
  if (!reason)
    return success();
  InFlightDiagnostic error =
      reason.op->emitError("a step of this loop may run more than once, and ")
      << reason.text;
  error.attachNote(loop.getLoc()) << "the loop is here";
  if (!reason.way.empty())
    error.attachNote(reason.op->getLoc()) << reason.way;
  return error;
}

} // namespace pebble
