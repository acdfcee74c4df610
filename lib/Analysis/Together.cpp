//===- Together.cpp - whether all ranks come to a collective --------------===//

#include "Together.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace pebble {

using Functions = llvm::SmallPtrSetImpl<Operation *>;

static bool isAlwaysReached(Operation *op, Functions &seen);

/// Whether everything that names `function` is a call that is always reached.
static bool isAlwaysCalled(Operation *function, Functions &seen) {
  // One that calls itself decides how often.
  if (!seen.insert(function).second)
    return false;
  Operation *top = function;
  while (Operation *parent = top->getParentOp())
    top = parent;
  std::optional<SymbolTable::UseRange> uses =
      top == function ? std::nullopt
                      : SymbolTable::getSymbolUses(function, top);
  if (!uses)
    return true;
  for (SymbolTable::SymbolUse use : *uses) {
    Operation *user = use.getUser();
    if (!isa<FunctionOpInterface>(user) &&
        !(isa<CallOpInterface>(user) && isAlwaysReached(user, seen)))
      return false;
  }
  seen.erase(function);
  return true;
}

static bool isAlwaysReached(Operation *op, Functions &seen) {
  for (;; op = op->getParentOp()) {
    Operation *parent = op->getParentOp();
    if (!parent)
      return true;
    if (isa<FunctionOpInterface>(parent))
      return op->getParentRegion()->hasOneBlock() &&
             isAlwaysCalled(parent, seen);
    auto loop = dyn_cast<LoopLikeOpInterface>(parent);
    if (!isa<StepOp>(parent) && !(loop && loop.getStaticTripCount()))
      return false;
  }
}

bool isRunByAllRanks(Operation *op) {
  llvm::SmallPtrSet<Operation *, 4> seen;
  return isAlwaysReached(op, seen);
}

} // namespace pebble
