//===- BlockLiveness.cpp - in which blocks a buffer is needed -------------===//

#include "pebble/Analysis/BlockLiveness.h"

using namespace mlir;

namespace pebble {

BlockLiveness::BlockLiveness(Block *maker, ArrayRef<Value> names,
                             bool (*skipped)(Operation *))
    : maker(maker) {
  Region *region = maker->getParent();
  SmallVector<Block *> worklist;
  auto need = [&](Block *block) {
    if (block != maker && liveIn.insert(block).second)
      worklist.push_back(block);
  };
  for (Value name : names)
    for (Operation *user : name.getUsers()) {
      if (skipped && skipped(user))
        continue;
      if (Block *block = region->findAncestorBlockInRegion(*user->getBlock()))
        need(block);
    }
  while (!worklist.empty())
    for (Block *before : worklist.pop_back_val()->getPredecessors()) {
      liveOut.insert(before);
      need(before);
    }
}

} // namespace pebble
