//===- Jumps.cpp - what jumps hand to the blocks behind them --------------===//

#include "pebble/Analysis/Jumps.h"

using namespace mlir;

namespace pebble {

void forEachPassed(BranchOpInterface jump,
                   llvm::function_ref<void(OpOperand &, BlockArgument)> visit) {
  for (unsigned i = 0, e = jump->getNumSuccessors(); i != e; ++i) {
    SuccessorOperands operands = jump.getSuccessorOperands(i);
    unsigned produced = operands.getProducedOperandCount();
    MutableOperandRange forwarded = operands.getMutableForwardedOperands();
    for (unsigned j = 0, n = forwarded.size(); j != n; ++j)
      visit(forwarded[j], jump->getSuccessor(i)->getArgument(produced + j));
  }
}

bool mustOwn(BlockArgument argument, Value root, Block *maker) {
  return root != argument && !maker->isEntryBlock() &&
         maker->getParent() == argument.getOwner()->getParent();
}

bool staysWithOwner(BlockArgument argument, Value root,
                    const BlockLiveness &liveness) {
  return root != argument && liveness.isLiveIn(argument.getOwner());
}

} // namespace pebble
