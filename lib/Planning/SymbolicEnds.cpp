//===- SymbolicEnds.cpp - ends of storages of a symbolic run --------------===//
//
// Which storages a block frees, which may have been freed under another name,
// and which ends others see.
//
//===----------------------------------------------------------------------===//

#include "SymbolicMemory.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace pebble {

bool SymbolicMemory::isMadeByAlloc(StorageId id) const {
  Value made = analysis.getStorage(id).root;
  return made && made.getDefiningOp<memref::AllocOp>() &&
         made.getParentBlock() == &block;
}

bool SymbolicMemory::isOwnBuffer(StorageId id) const {
  if (isMadeByAlloc(id))
    return true;
  // A tensor is a value: what makes one here makes its buffer, whoever may read
  // that later.
  Value made = analysis.getStorage(id).root;
  return analysis.getStorage(id).kind == StorageKind::Local && made &&
         isa<RankedTensorType>(made.getType()) &&
         made.getDefiningOp<StepOp>() && made.getParentBlock() == &block;
}

bool SymbolicMemory::isEndSeen(StorageId id) {
  const Storage &storage = analysis.getStorage(id);
  // An owner frees its own; of others it is a fact that they see.
  if (!isMemory(id) || storage.kind == StorageKind::Donated ||
      storage.kind == StorageKind::Constant)
    return false;
  if (storage.kind != StorageKind::Local)
    return true;
  return (storage.outlives && namedOutside.contains(id)) ||
         (isMadeByAlloc(id) && getState(id).holdsOutside);
}

void SymbolicMemory::noteFree(Operation *op) {
  Value value = op->getOperand(0);
  getExpression(value);
  ArrayRef<StorageId> ids = analysis.lookup(value);
  if (execution.hazard)
    return;
  if (ids.empty())
    return noteEndOfUnnamed(op);
  if (ids.size() > 1)
    return noteEndOfOneOf(op, ids);
  if (freedBy[ids[0]])
    return fail(Hazard::Freed, freedBy[ids[0]], ids[0]);
  checkAtRest(ids[0], /*isRead=*/false);
  noteEnd(identity[ids[0]], ids);
  freedBy[ids[0]] = op;
  endEpoch[ids[0]] = epoch;
}

void SymbolicMemory::noteEndOfUnnamed(Operation *op) {
  Value base = getBase(op->getOperand(0));
  if (!isa<BaseMemRefType>(base.getType()))
    return;
  auto global = base.getDefiningOp<memref::GetGlobalOp>();
  Id who =
      global ? getGlobal(global.getNameAttr().getAttr()) : getOutside(base);
  auto [earlier, isNew] = unnamedEnds.try_emplace(who, op);
  if (!isNew) {
    execution.hazard = {op, earlier->second, Hazard::Freed,
                        "a buffer from outside of the block"};
    return;
  }
  noteEnd(who, {});
  execution.finals[table.get(Table::Freed, {who, epoch})] = {root, op};
}

void SymbolicMemory::noteEndOfOneOf(Operation *op, ArrayRef<StorageId> ids) {
  SmallVector<uint64_t> words = {getExpression(op->getOperand(0))};
  for (StorageId id : ids)
    words.push_back(getWho(id));
  Id place = table.get(Table::Place, words);
  checkAlive(op->getOperand(0));
  doubtful = 0;
  noteEnd(place, ids);
  for (StorageId id : ids)
    ++possibleEnds[id];
  if (llvm::any_of(ids, [&](StorageId id) { return isEndSeen(id); }))
    execution.finals[table.get(Table::Freed, {place, epoch})] = {root, op};
}

/// What an op of the block makes, inside and out, is no buffer that another op
/// made, or that was there before. Two results of one op may be one buffer.
bool SymbolicMemory::areApart(StorageId one, StorageId other) const {
  const Storage &a = analysis.getStorage(one), &b = analysis.getStorage(other);
  auto isMade = [](const Storage &storage) {
    return storage.kind == StorageKind::Local;
  };
  auto wasThere = [](const Storage &storage) {
    return storage.kind == StorageKind::Argument ||
           storage.kind == StorageKind::Donated ||
           storage.kind == StorageKind::Constant ||
           storage.kind == StorageKind::Global;
  };
  if (isMade(a) && isMade(b))
    return a.root.getDefiningOp() != b.root.getDefiningOp();
  // What an op hands out is no buffer that nobody had touched by then.
  auto isOlder = [&](StorageId handedOut, StorageId made) {
    auto at = begun.find(handedOut), used = firstUse.find(made);
    return analysis.getStorage(handedOut).kind == StorageKind::Unknown &&
           at != begun.end() &&
           (used == firstUse.end() || used->second > at->second);
  };
  return (isMade(a) && (wasThere(b) || isOlder(other, one))) ||
         (isMade(b) && (wasThere(a) || isOlder(one, other)));
}

bool SymbolicMemory::mayEndOneBuffer(const End &one, const End &other) const {
  if (one.ids.empty() || other.ids.empty()) {
    const End &named = one.ids.empty() ? other : one;
    return llvm::any_of(named.ids,
                        [&](StorageId id) { return mayBeOutside(id); });
  }
  return llvm::any_of(one.ids, [&](StorageId a) {
    return llvm::any_of(other.ids, [&](StorageId b) {
      return a == b || (getClass(a) == getClass(b) && !isOwnBuffer(a) &&
                        !isOwnBuffer(b) && !areApart(a, b));
    });
  });
}

/// Two frees that may end one buffer do so in either order.
void SymbolicMemory::noteEnd(Id who, ArrayRef<StorageId> ids) {
  End end{who, llvm::to_vector<1>(ids)};
  for (const End &earlier : ends)
    if (mayEndOneBuffer(earlier, end)) {
      auto [first, second] = std::minmax(earlier.who, who);
      ++execution.doubtful[table.get(Table::Freed, {first, second})];
    }
  ends.push_back(std::move(end));
}

void SymbolicMemory::noteUses(const Step &step) {
  ++time;
  for (const Access &access : step.accesses) {
    Value made = analysis.getStorage(access.storage).root;
    bool begins = made && made.getDefiningOp() == step.op;
    (begins ? begun : firstUse).try_emplace(access.storage, time);
  }
}

size_t SymbolicMemory::countDoubts(StorageId id) const {
  size_t count = possibleEnds.lookup(id);
  if (isMadeByAlloc(id))
    return count;
  // The same memory may have been freed under another name.
  for (StorageId other = 0; other < analysis.getStorages().size(); ++other)
    count += other != id && freedBy[other] && getClass(other) == getClass(id) &&
             !isOwnBuffer(other) && !areApart(id, other);
  return count + (mayBeOutside(id) ? unnamedEnds.size() : 0);
}

} // namespace pebble
