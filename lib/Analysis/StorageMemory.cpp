//===- StorageMemory.cpp - storages of buffers that ops hand out ----------===//

#include "StorageBuilder.h"

#include "pebble/Dialect/Trips.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

bool StorageAnalysis::Builder::isSurelyMade(OpResult result) const {
  Operation *op = result.getOwner();
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return true;
  if (isa<LoopLikeOpInterface>(op) && !surelyRuns(op))
    return false;
  for (Region &region : op->getRegions())
    for (Block &nested : region) {
      auto end = dyn_cast<RegionBranchTerminatorOpInterface>(
          nested.mightHaveTerminator() ? nested.getTerminator() : nullptr);
      if (!end || end->getNumOperands() != op->getNumResults())
        return false;
      Value yielded = end->getOperand(result.getResultNumber());
      if (llvm::any_of(reach.get(yielded), [&](ReachAnalysis::Id id) {
            return !reach.getOrigin(id).isMadeInside(op);
          }))
        return false;
    }
  return true;
}

/// True if what `op` hands out may be a buffer that a callee made: who calls
/// it, or stands around the call, must free it.
bool StorageAnalysis::Builder::mayHandOutOurs(Operation *op) const {
  return op
      ->walk([&](CallOpInterface call) {
        return context.hasKnownCallee(call) ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

void StorageAnalysis::Builder::visitMemoryResults(Operation *op) {
  // What nested ops make and a result hands out gets a storage of its own. Two
  // results that may be the same buffer share both of theirs.
  llvm::DenseMap<Value, SmallVector<ReachAnalysis::Id, 1>> made;
  for (OpResult result : op->getResults()) {
    if (!leadsToMemory(result))
      continue;
    for (ReachAnalysis::Id id : reach.get(result))
      if (reach.getOrigin(id).isMadeInside(op))
        made[result].push_back(id);
    if (made.contains(result)) {
      StorageId own = addStorage(StorageKind::Local, result);
      analysis.storages[own].mayBeMissing = !isSurelyMade(result);
      for (ReachAnalysis::Id id : made[result]) {
        // What two results hand out is there once.
        analysis.storages[own].mayBeMissing |= !handedOut[id].empty();
        handedOut[id].push_back(own);
      }
    }
  }
  for (OpResult result : op->getResults()) {
    if (!leadsToMemory(result))
      continue;
    for (ReachAnalysis::Id id : made.lookup(result))
      for (StorageId other : handedOut[id])
        mergeClasses(handedOut[id][0], other);
    // Memory of which nothing is known is told by the buffer that names it.
    llvm::SmallSetVector<StorageId, 4> ids;
    for (ReachAnalysis::Id id : reach.get(result))
      if (id == ReachAnalysis::kAnywhere &&
          isa<BaseMemRefType>(result.getType())) {
        ids.insert(addStorage(StorageKind::Unknown, result));
        mergeOutside(ids.back());
        if (mayHandOutOurs(op)) {
          Storage &entry = analysis.storages[ids.back()];
          entry.mayBeOurs = entry.mayBeMissing = entry.outlives = true;
        }
      } else {
        SmallVector<StorageId, 2> found = resolveOrigin(id);
        ids.insert(found.begin(), found.end());
      }
    analysis.valueStorages[result] = {ids.begin(), ids.end()};
  }
}

void StorageAnalysis::Builder::markMemory() {
  for (StorageId id = 0; id < analysis.storages.size(); ++id) {
    Storage &storage = analysis.storages[id];
    storage.isMemory |= storage.kind == StorageKind::Global || !storage.root ||
                        isa<BaseMemRefType>(storage.root.getType());
  }
  auto isFromOutside = [&](StorageId id) {
    return outside && findClass(id) == findClass(*outside);
  };
  for (ReachAnalysis::Id id = 1; id < reach.size(); ++id) {
    const Origin &origin = reach.getOrigin(id);
    bool isTensor =
        origin.value && isa<TensorType, TupleType>(origin.value.getType());
    if (!origin.escaped && !(isTensor && origin.isNamedByMemory))
      continue;
    SmallVector<StorageId, 2> ids =
        origin.kind == Origin::Global || origin.kind == Origin::Made
            ? resolveOrigin(id)
            : llvm::to_vector<2>(analysis.lookup(origin.value));
    for (StorageId storage : ids) {
      analysis.storages[storage].isMemory = true;
      // What else got hold of it is memory like that from outside.
      if (origin.escaped && !isFromOutside(storage))
        mergeClasses(getAnywhere(), storage);
    }
  }
}

} // namespace pebble
