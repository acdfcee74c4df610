//===- HiddenEffects.cpp - what an op does besides its effects ------------===//

#include "pebble/Analysis/HiddenEffects.h"

#include "Together.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleStarts.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace pebble {

/// Those whose answer follows from their operands on all who take part, so that
/// two of them may change places.
static bool isStateless(Operation *op) {
  if (isCollective(op))
    return isRunByAllRanks(op);
  StringRef name = op->getName().getStringRef();
  name = name.substr(name.rfind('.') + 1);
  return name.starts_with("all_") || name.contains("collective") ||
         name.starts_with("reduce_scatter") || name == "partition_id" ||
         name == "replica_id" || name == "rng_bit_generator";
}

static bool isShapedType(Type type) {
  return isa<TensorType, BaseMemRefType>(type);
}

/// A constant, also where a plan hides it from folds.
static bool isConstant(Value value) {
  while (auto opaque = value.getDefiningOp<OpaqueOp>())
    value = opaque.getInput();
  return matchPattern(value, m_Constant());
}

/// True for an access of elements at an index that is no constant.
static bool isAtUnknownIndex(Operation *op) {
  if (StorageAnalysis::isFree(op) || !op->isRegistered() ||
      llvm::none_of(op->getOperandTypes(), isShapedType))
    return false;
  return llvm::any_of(op->getOperands(), [](Value operand) {
    return isa<IndexType>(operand.getType()) && !isConstant(operand);
  });
}

/// True for a view whose place or size is no constant.
static bool isUnknownView(Operation *op) {
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  auto isKnown = [](Value value) { return isConstant(value); };
  return slice && !(llvm::all_of(slice.getOffsets(), isKnown) &&
                    llvm::all_of(slice.getSizes(), isKnown));
}

static bool isKnownToSucceed(Operation *op) {
  auto conditional = dyn_cast<ConditionallySpeculatable>(op);
  return !conditional ||
         conditional.getSpeculatability() != Speculation::NotSpeculatable;
}

static bool mayFail(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *view = operand.getDefiningOp();
    while (view && StorageAnalysis::getViewSource(view)) {
      if (isUnknownView(view))
        return true;
      view = StorageAnalysis::getViewSource(view).getDefiningOp();
    }
  }
  // What loops and branches do is asked of what they hold.
  if (op->getNumRegions() || isa<CallOpInterface>(op))
    return false;
  return isAtUnknownIndex(op) || !isKnownToSucceed(op);
}

static void collect(Operation *top, ProgramContext &context,
                    llvm::DenseSet<Operation *> &seen, HiddenEffects &found) {
  top->walk([&](Operation *op) {
    if (isNeverRecomputable(op)) {
      if (!found.runsOnce)
        found.runsOnce = op;
      if (!found.runsOnceForAll && !isCollective(op) &&
          !isa<CollectiveWaitOp>(op))
        found.runsOnceForAll = op;
      found.movesState |= !isStateless(op);
    }
    found.mayFail |= mayFail(op);
    found.mayNotEnd |= isa<LoopLikeOpInterface>(op) && !isKnownToSucceed(op);
    auto call = dyn_cast<CallOpInterface>(op);
    Operation *callee = call ? context.resolveCallee(call) : nullptr;
    if (callee && seen.insert(callee).second)
      collect(callee, context, seen, found);
  });
}

HiddenEffects collectHiddenEffects(Operation *op, ProgramContext &context) {
  llvm::DenseSet<Operation *> seen;
  HiddenEffects found;
  collect(op, context, seen, found);
  return found;
}

} // namespace pebble
