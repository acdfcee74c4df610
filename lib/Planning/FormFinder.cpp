//===- FormFinder.cpp - what forms are found by ---------------------------===//

#include "FormFinder.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace pebble {

bool isAskedFor(Operation *op) {
  return llvm::any_of(
      ArrayRef{attr::kKeep, attr::kRecompute, attr::kOffload, attr::kOrder},
      [&](StringRef name) { return op->hasAttr(name); });
}

FormFinder::FormFinder(const StorageAnalysis &storage) : storage(storage) {
  for (Operation &op : *storage.getBlock())
    position.try_emplace(&op, position.size());
  touches.resize(storage.getStorages().size());
  for (auto [index, step] : llvm::enumerate(storage.getSteps()))
    for (const Access &access : step.accesses)
      touches[access.storage].push_back(index);
}

bool FormFinder::isFree(Value value) const {
  ArrayRef<StorageId> ids = storage.lookup(value);
  Operation *maker = value.getDefiningOp();
  if (ids.size() != 1 || !maker || isAskedFor(maker))
    return false;
  const Storage &entry = storage.getStorage(ids[0]);
  return entry.kind == StorageKind::Local && !entry.isMemory &&
         !entry.outlives && !entry.mayBeMissing && entry.tier.empty();
}

bool FormFinder::collectUses(Value value, SmallVectorImpl<OpOperand *> &uses,
                             const Block *beside) const {
  for (OpOperand &use : value.getUses()) {
    Operation *op = use.getOwner();
    if (beside && op->getBlock() == beside)
      continue;
    if (!position.contains(op) || op->hasTrait<OpTrait::IsTerminator>())
      return false;
    if (StorageAnalysis::isFree(op)) {
      if (StorageAnalysis::getViewSource(op) != value ||
          op->getNumOperands() != 1 || op->getNumResults() != 1 ||
          !collectUses(op->getResult(0), uses, beside))
        return false;
      continue;
    }
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (StorageAnalysis::getViewSource(op) || (dps && dps.isDpsInit(&use)))
      return false;
    uses.push_back(&use);
  }
  return true;
}

SmallVector<OpOperand *>
FormFinder::getLate(OpResult value, SmallVector<OpOperand *> uses) const {
  llvm::sort(uses, [&](OpOperand *a, OpOperand *b) {
    return std::pair(getPosition(a->getOwner()), a->getOperandNumber()) <
           std::pair(getPosition(b->getOwner()), b->getOperandNumber());
  });
  unsigned last = getPosition(value.getOwner()), longest = kLongAgo;
  size_t begin = uses.size();
  for (auto [index, use] : llvm::enumerate(uses)) {
    const unsigned now = getPosition(use->getOwner());
    if (now - last > longest) {
      longest = now - last;
      begin = index;
    }
    last = now;
  }
  return SmallVector<OpOperand *>(llvm::drop_begin(uses, begin));
}

Value FormFinder::cloneViews(OpBuilder &builder, Value seen, IRMapping &views) {
  if (!views.contains(seen)) {
    Operation *view = seen.getDefiningOp();
    cloneViews(builder, view->getOperand(0), views);
    builder.clone(*view, views);
  }
  return views.lookup(seen);
}

} // namespace pebble
