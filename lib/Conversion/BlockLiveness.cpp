//===- BlockLiveness.cpp - in which blocks a buffer is needed -------------===//

#include "BlockLiveness.h"

#include "Ownership.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace pebble;

BlockLiveness::BlockLiveness(Block *maker, ArrayRef<Value> names)
    : maker(maker) {
  Region *region = maker->getParent();
  SmallVector<Block *> worklist;
  auto need = [&](Block *block) {
    if (block != maker && liveIn.insert(block).second)
      worklist.push_back(block);
  };
  for (Value name : names)
    for (Operation *user : name.getUsers())
      if (Block *block = region->findAncestorBlockInRegion(*user->getBlock()))
        need(block);
  while (!worklist.empty())
    for (Block *before : worklist.pop_back_val()->getPredecessors()) {
      liveOut.insert(before);
      need(before);
    }
}

void pebble::splitBranches(Operation *root) {
  SmallVector<BranchOpInterface> branches;
  root->walk([&](BranchOpInterface branch) {
    if (branch->getNumSuccessors() > 1)
      branches.push_back(branch);
  });
  for (BranchOpInterface branch : branches)
    for (unsigned i = 0, e = branch->getNumSuccessors(); i != e; ++i) {
      Block *target = branch->getSuccessor(i);
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      if (operands.getProducedOperandCount())
        continue;
      bool takesBuffers = llvm::any_of(
          operands.getForwardedOperands().getTypes(), mayNameBuffer);
      if (target->getSinglePredecessor() && !takesBuffers)
        continue;
      SmallVector<Value> values(operands.getForwardedOperands());
      OpBuilder builder(branch->getContext());
      Block *between = builder.createBlock(target);
      cf::BranchOp::create(builder, branch->getLoc(), target, values);
      operands.getMutableForwardedOperands().clear();
      branch->setSuccessor(between, i);
    }
}
