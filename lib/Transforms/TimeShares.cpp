//===- TimeShares.cpp - one time limit for many jobs ----------------------===//

#include "TimeShares.h"

#include "PlanPasses.h"

using namespace mlir;

namespace pebble {

int64_t getPlanningWeight(Block &block) {
  auto weight = static_cast<int64_t>(block.getOperations().size());
  (void)forEachInnerBlock(block, [&](Block &nested) {
    weight += getPlanningWeight(nested);
    return success();
  });
  return weight;
}

int64_t getPlanningWeight(FunctionOpInterface function) {
  int64_t weight = 0;
  for (Block &block : function.getFunctionBody())
    weight += getPlanningWeight(block);
  return weight;
}

int64_t getPlanningWeight(Operation *op) {
  int64_t weight = 0;
  op->walk([&](FunctionOpInterface function) {
    weight += getPlanningWeight(function);
  });
  return weight;
}

} // namespace pebble
