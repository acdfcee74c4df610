//===- DivideHalves.cpp - where the backward half begins ------------------===//
//
// The boundary is no later than the first operation that depends on an argument
// which the forward function does not have (the gradient of the loss), and no
// earlier than the last one before it that the forward function's own results
// need; between the two, where the fewest bytes are alive. What stands after it
// belongs to the backward half, recomputed operations of the forward pass
// included, except what the forward function's own results need.
//
//===----------------------------------------------------------------------===//

#include "Halves.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace pebble;

bool pebble::isDrop(Operation *op) {
  return isa<DropOp, bufferization::DeallocTensorOp>(op);
}

void pebble::forEachUse(Operation *op, llvm::function_ref<void(Value)> visit) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      visit(operand);
  });
}

namespace {
class Divider {
public:
  Divider(const StorageAnalysis &storage, unsigned numArguments,
          unsigned numResults)
      : storage(storage), body(*storage.getBlock()), numArguments(numArguments),
        numResults(numResults) {}

  LogicalResult divide();

  llvm::DenseSet<Operation *> forwardOps;

private:
  Operation *getFunction() const { return body.getParentOp(); }
  LogicalResult collectNeeded(Value value, unsigned result);
  unsigned chooseBoundary(ArrayRef<Operation *> ops, unsigned first,
                          unsigned last) const;

  const StorageAnalysis &storage;
  Block &body;
  unsigned numArguments, numResults;
  /// Operations that depend on arguments of the backward half.
  llvm::DenseSet<Operation *> dependent;
  /// Operations that the forward function's own results need.
  llvm::DenseSet<Operation *> needed;
};
} // namespace

/// Notes down what `value`, which result `result` of the forward function is,
/// needs.
LogicalResult Divider::collectNeeded(Value value, unsigned result) {
  SmallVector<Value> work = {value};
  while (!work.empty()) {
    Value current = work.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(current)) {
      if (argument.getOwner() == &body &&
          argument.getArgNumber() >= numArguments)
        return emitError(getFunction()->getLoc())
               << "result " << result
               << " is one of the forward function, and depends on argument "
               << argument.getArgNumber() << ", which that one does not have";
      continue;
    }
    Operation *op = current.getDefiningOp();
    if (op->getBlock() != &body || needed.contains(op))
      continue;
    if (dependent.contains(op))
      return op->emitError()
             << "result " << result
             << " of the forward function needs this operation, which depends "
                "on an argument that the forward function does not have";
    needed.insert(op);
    forEachUse(op, [&](Value operand) { work.push_back(operand); });
  }
  return success();
}

/// The boundary in [first, last] across which the fewest bytes are alive: a
/// boundary i is before operation i. The last of equals.
unsigned Divider::chooseBoundary(ArrayRef<Operation *> ops, unsigned first,
                                 unsigned last) const {
  struct Life {
    unsigned start, end;
  };
  llvm::MapVector<StorageId, Life> lives;
  auto use = [&](Value value, unsigned position) {
    for (StorageId id : storage.lookup(value)) {
      auto [it, isNew] = lives.insert({id, {position, position}});
      it->second.end = position;
    }
  };
  for (unsigned i = 0, e = ops.size(); i != e; ++i) {
    if (!isDrop(ops[i]))
      forEachUse(ops[i], [&](Value value) { use(value, i); });
    if (!StorageAnalysis::isFree(ops[i]))
      for (Value result : ops[i]->getResults())
        use(result, i);
  }
  for (Value value : body.getTerminator()->getOperands().drop_front(numResults))
    use(value, ops.size());
  // Boundary i is within a life from start < i to end >= i.
  std::vector<int64_t> change(ops.size() + 2, 0);
  for (auto &[id, life] : lives)
    if (storage.getStorage(id).kind == StorageKind::Local) {
      change[life.start + 1] += storage.getStorage(id).getFootprint();
      change[life.end + 1] -= storage.getStorage(id).getFootprint();
    }
  int64_t alive = 0, least = std::numeric_limits<int64_t>::max();
  unsigned best = last;
  for (unsigned i = 0; i <= last; ++i) {
    alive += change[i];
    if (i >= first && alive <= least) {
      least = alive;
      best = i;
    }
  }
  return best;
}

/// Decides for each operation to which half it belongs.
LogicalResult Divider::divide() {
  if (numArguments == body.getNumArguments())
    return emitError(
        getFunction()->getLoc(),
        "the backward function has no argument of its own, such as the "
        "gradient of the loss, so nothing tells where it begins");
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  unsigned firstDependent = ops.size();
  for (auto [i, op] : llvm::enumerate(ops)) {
    bool depends = false;
    forEachUse(op, [&](Value operand) {
      if (auto argument = dyn_cast<BlockArgument>(operand))
        depends |= argument.getOwner() == &body &&
                   argument.getArgNumber() >= numArguments;
      else
        depends |= dependent.contains(operand.getDefiningOp());
    });
    if (!depends)
      continue;
    dependent.insert(op);
    if (firstDependent == ops.size() && !StorageAnalysis::isFree(op))
      firstDependent = i;
  }
  for (unsigned i = 0; i != numResults; ++i)
    if (failed(collectNeeded(body.getTerminator()->getOperand(i), i)))
      return failure();
  unsigned lastNeeded = 0;
  for (unsigned i = 0; i != firstDependent; ++i)
    if (needed.contains(ops[i]) && !StorageAnalysis::isFree(ops[i]))
      lastNeeded = i + 1;
  unsigned boundary = chooseBoundary(ops, lastNeeded, firstDependent);
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (dependent.contains(op))
      continue;
    if (i < boundary) {
      forwardOps.insert(op);
      continue;
    }
    if (!needed.contains(op))
      continue;
    // To allocate what it makes is no effect that anybody could see.
    OpEffects effects = collectEffects(op, storage.getContext());
    if (!StorageAnalysis::isFree(op) &&
        (!effects.barrier.empty() || !effects.accesses.empty()))
      return op->emitError(
          "the results of the forward function need this operation, which has "
          "effects and stands after operations of the backward function");
    forwardOps.insert(op);
  }
  return success();
}

FailureOr<llvm::DenseSet<Operation *>>
pebble::divideHalves(const StorageAnalysis &storage, unsigned numArguments,
                     unsigned numResults) {
  Divider divider(storage, numArguments, numResults);
  if (failed(divider.divide()))
    return failure();
  return std::move(divider.forwardOps);
}
