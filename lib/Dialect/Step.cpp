//===- Step.cpp - one step of a plan --------------------------------------===//
//
// Rules D51 to D54 of docs/PebbleGame.md.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/PebbleStarts.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace pebble;

bool pebble::isMoveOrMark(Operation *op) {
  return isa_and_nonnull<PebbleDialect>(op->getDialect()) &&
         !isa<CollectiveOp, CollectiveStartOp, StepOp>(op);
}

OpOperand *StepOp::getOverwritten(OpResult result) {
  std::optional<ArrayRef<int64_t>> overwrites = getOverwrites();
  if (!overwrites)
    return nullptr;
  int64_t input = (*overwrites)[result.getResultNumber()];
  return input < 0 ? nullptr : &getOperation()->getOpOperand(input);
}

LogicalResult StepOp::verify() {
  if (getScratch() && static_cast<int64_t>(*getScratch()) < 0)
    return emitOpError("[D54] needs no fewer than 0 bytes of scratch");
  std::optional<ArrayRef<int64_t>> overwrites = getOverwrites();
  if (!overwrites)
    return success();
  if (overwrites->size() != getNumResults())
    return emitOpError("[D53] has ")
           << getNumResults() << " results, and 'overwrites' speaks of "
           << overwrites->size();
  llvm::SmallSet<int64_t, 4> taken;
  for (auto [result, input] : llvm::zip(getResults(), *overwrites)) {
    if (input == -1)
      continue;
    if (input < 0 || input >= static_cast<int64_t>(getInputs().size()))
      return emitOpError("[D53] has no input #") << input << " to overwrite";
    if (getInputs()[input].getType() != result.getType())
      return emitOpError("[D53] cannot put ")
             << result.getType() << " in the place of "
             << getInputs()[input].getType();
    if (!taken.insert(input).second)
      return emitOpError("[D53] overwrites input #") << input << " twice";
  }
  return success();
}

LogicalResult StepOp::verifyRegions() {
  Block &block = getBlock();
  if (block.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("[D51] has inputs of other types than its block takes");
  auto yield = block.mightHaveTerminator()
                   ? dyn_cast<YieldOp>(block.getTerminator())
                   : YieldOp();
  if (!yield || yield.getValues().getTypes() != getResultTypes())
    return emitOpError(
        "[D52] has results of other types than its block yields");
  return success();
}
