//===- CopiedOperands.cpp - operands that go once they are copied ---------===//

#include "CopiedOperands.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace pebble {

/// The convolution that `step` yields, and that alone computes in it.
static Operation *getConvolution(StepOp step) {
  Operation *found = nullptr;
  for (Operation &op : step.getBlock().without_terminator()) {
    const hlo::Op *row = hlo::lookup(&op);
    if (!row || found)
      return nullptr;
    if (op.getName().stripDialect() == "convolution")
      found = &op;
    else if (row->kind != hlo::Kind::View && row->kind != hlo::Kind::Layout)
      return nullptr;
  }
  return found && found->getNumOperands() == 2 ? found : nullptr;
}

/// The input of `step` behind views and layouts of the same size.
static BlockArgument getInput(Value value, ProgramContext &context) {
  while (Operation *op = value.getDefiningOp()) {
    if (op->getNumOperands() != 1 ||
        context.getBytes(op->getOperand(0).getType()) !=
            context.getBytes(value.getType()))
      return {};
    value = op->getOperand(0);
  }
  return cast<BlockArgument>(value);
}

/// Of the inputs of a convolution that copies both, the one that may go first:
/// made by a step, no larger than the other one, and of two like that the one
/// that fewer steps read.
static BlockArgument chooseInput(StepOp step, BlockArgument a, BlockArgument b,
                                 ProgramContext &context) {
  std::optional<int64_t> sizeOfA = context.getBytes(a.getType());
  std::optional<int64_t> sizeOfB = context.getBytes(b.getType());
  if (!sizeOfA || !sizeOfB || a == b)
    return {};
  auto getGiven = [&](BlockArgument input) {
    return step->getOperand(input.getArgNumber());
  };
  auto countUsers = [&](BlockArgument input) {
    Value given = getGiven(input);
    return std::distance(given.user_begin(), given.user_end());
  };
  auto isFree = [&](BlockArgument input) {
    std::optional<ArrayRef<int64_t>> taken = step.getOverwrites();
    return getGiven(input).getDefiningOp<StepOp>() &&
           !(taken && llvm::is_contained(*taken, input.getArgNumber()));
  };
  bool mayA = *sizeOfA <= *sizeOfB && isFree(a);
  bool mayB = *sizeOfB <= *sizeOfA && isFree(b);
  if (mayA && mayB)
    return countUsers(b) < countUsers(a) ? b : a;
  return mayA ? a : mayB ? b : BlockArgument();
}

/// `step` with one result more, which is written over `input`.
static StepOp addPlace(StepOp step, BlockArgument input) {
  SmallVector<Type> types(step->getResultTypes());
  types.push_back(input.getType());
  SmallVector<int64_t> overwrites(step->getNumResults(), -1);
  if (std::optional<ArrayRef<int64_t>> old = step.getOverwrites())
    overwrites.assign(old->begin(), old->end());
  overwrites.push_back(input.getArgNumber());
  OpBuilder builder(step);
  auto changed = StepOp::create(builder, step.getLoc(), types,
                                step->getOperands(), step.getScratchAttr(),
                                builder.getDenseI64ArrayAttr(overwrites));
  changed->setDiscardableAttrs(step->getDiscardableAttrDictionary());
  changed.getBody().takeBody(step.getBody());
  cast<YieldOp>(changed.getBlock().getTerminator())
      .getValuesMutable()
      .append(ValueRange(input));
  step->replaceAllUsesWith(changed->getResults().drop_back());
  step->erase();
  return changed;
}

StepOp freeCopiedOperand(StepOp step, int64_t &scratch, const Backend &backend,
                         ProgramContext &context) {
  if (!backend.getRule(hlo::Kind::Product).freesCopied)
    return step;
  Operation *convolution = getConvolution(step);
  if (!convolution)
    return step;
  BlockArgument a = getInput(convolution->getOperand(0), context);
  BlockArgument b = getInput(convolution->getOperand(1), context);
  if (!a || !b)
    return step;
  BlockArgument input = chooseInput(step, a, b, context);
  if (!input)
    return step;
  int64_t both =
      *context.getBytes(a.getType()) + *context.getBytes(b.getType());
  if (scratch < both)
    return step;
  scratch -= *context.getBytes(input.getType());
  return addPlace(step, input);
}

} // namespace pebble
