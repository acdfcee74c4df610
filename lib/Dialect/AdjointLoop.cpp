//===- AdjointLoop.cpp - a loop and its adjoint ---------------------------===//
//
// Rules D35 to D39 of docs/PebbleGame.md: what the regions of a
// pebble.adjoint_loop take and yield. What a slot can hold, and which effects a
// step may have, is for the pass that decides what is kept.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pebble;

std::optional<int64_t> AdjointLoopOp::getConstantSteps() {
  APInt steps;
  if (!matchPattern(getSteps(), m_ConstantInt(&steps)))
    return std::nullopt;
  return steps.getSExtValue();
}

bool AdjointLoopOp::needsFinalStates() {
  return !getTurn().empty() || llvm::any_of(getFinalStates(), [](Value result) {
    return !result.use_empty();
  });
}

LogicalResult AdjointLoopOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &inferred) {
  // All but the number of steps come back.
  llvm::append_range(inferred, operands.drop_front().getTypes());
  return success();
}

/// D35: every result has the type of the value that it began as.
LogicalResult AdjointLoopOp::verify() {
  auto inits = (*this)->getOperands().drop_front();
  if (inits.size() != getNumResults())
    return emitError("[D35] the loop returns a value for each of its ")
           << inits.size() << " initial values, and this one returns "
           << getNumResults();
  for (auto [index, init, result] : llvm::enumerate(inits, getResults()))
    if (init.getType() != result.getType())
      return emitError("[D35] result ")
             << index << " has type " << result.getType()
             << ", but began as a value of type " << init.getType();
  if (getStates().empty() || (getAdjoints().empty() && getGradients().empty()))
    return emitError(
        "[D36] a loop without a state, or without an adjoint and a "
        "gradient, has nothing to reverse");
  std::optional<int64_t> steps = getConstantSteps();
  if (steps && *steps < 0)
    return emitError("[D37] the trip count is ")
           << *steps << ", which may not be negative";
  return success();
}

/// D38 and D39: the types that the region's block takes and yields.
static LogicalResult verifyStep(Operation *op, Region &region, StringRef name,
                                ArrayRef<Type> taken, TypeRange yielded) {
  Block &block = region.front();
  if (!llvm::equal(block.getArgumentTypes(), taken)) {
    InFlightDiagnostic error = op->emitError("[D38] the block of '")
                               << name << "' takes ("
                               << block.getArgumentTypes() << "), wanted ("
                               << taken << ")";
    return error;
  }
  Operation *end = block.empty() ? nullptr : &block.back();
  if (!isa_and_present<YieldOp>(end))
    return op->emitError("[D39] the block of '")
           << name << "' does not end with pebble.yield";
  if (!llvm::equal(end->getOperandTypes(), yielded))
    return end->emitError("[D39] '")
           << name << "' yields (" << end->getOperandTypes() << "), wanted ("
           << yielded << ")";
  return success();
}

LogicalResult AdjointLoopOp::verifyRegions() {
  TypeRange states = getStates().getTypes();
  SmallVector<Type> adjoints(getAdjoints().getTypes());
  llvm::append_range(adjoints, getGradients().getTypes());
  SmallVector<Type> inPrimal = {getSteps().getType()};
  llvm::append_range(inPrimal, states);
  SmallVector<Type> inTurn(states);
  llvm::append_range(inTurn, adjoints);
  SmallVector<Type> inAdjoint(inPrimal);
  llvm::append_range(inAdjoint, adjoints);
  if (failed(verifyStep(*this, getPrimal(), "primal", inPrimal, states)))
    return failure();
  if (!getTurn().empty() &&
      failed(verifyStep(*this, getTurn(), "turn", inTurn, adjoints)))
    return failure();
  return verifyStep(*this, getAdjoint(), "adjoint", inAdjoint, adjoints);
}
