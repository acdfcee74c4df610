//===- StorageLives.cpp - where storages begin and end --------------------===//

#include "StorageLives.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace pebble {

bool endsStorage(Operation *op) {
  return isa<memref::DeallocOp, bufferization::DeallocTensorOp, DropOp>(op);
}

bool isUnwritten(Value value) {
  return isa_and_present<bufferization::AllocTensorOp, tensor::EmptyOp>(
      value.getDefiningOp());
}

/// True if canonicalisation, or a lowering, may find that a result of `op` is
/// its operand: a drop of one would then come before a use of the other.
static bool mayForward(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    Block &body = op->getRegion(0).front();
    unsigned inputs = linalgOp.getNumDpsInputs();
    return llvm::any_of(body.getTerminator()->getOperands(), [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument && argument.getOwner() == &body &&
             argument.getArgNumber() < inputs;
    });
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getSourceType() == insert.getDestType();
  return op->isRegistered() && !isa<DestinationStyleOpInterface, StepOp>(op) &&
         isMemoryEffectFree(op);
}

StorageLives::StorageLives(const StorageAnalysis &storage,
                           ArrayRef<BlockAction> actions)
    : storage(storage), actions(actions), block(*storage.getBlock()) {
  for (const BlockAction &action : actions)
    if (action.kind == BlockAction::Store || action.kind == BlockAction::Load)
      transfers.push_back(&action);
  findForwarded();
  findFreed();
}

void StorageLives::findForwarded() {
  for (const Step &step : storage.getSteps())
    if (mayForward(step.op))
      for (const Access &access : step.accesses)
        forwarded.insert(access.storage);
}

void StorageLives::findFreed() {
  for (auto op : block.getOps<bufferization::DeallocTensorOp>()) {
    ArrayRef<StorageId> ids = storage.lookup(op.getTensor());
    StorageKind kind = ids.size() == 1 ? storage.getStorage(ids[0]).kind
                                       : StorageKind::Unknown;
    if (kind == StorageKind::Local || kind == StorageKind::Donated)
      freed.insert(ids[0]);
  }
}

const BlockAction &StorageLives::getSubject(const BlockAction &action) const {
  return action.kind == BlockAction::Wait ? *transfers[action.index] : action;
}

SmallVector<StorageId>
StorageLives::getTouched(const BlockAction &action) const {
  SmallVector<StorageId> ids;
  if (action.kind == BlockAction::Run)
    for (const Access &access : storage.getSteps()[action.index].accesses)
      ids.push_back(access.storage);
  else
    ids.push_back(storage.lookup(getSubject(action).content)[0]);
  return ids;
}

std::vector<SmallVector<Operation *, 0>> StorageLives::placeFrees() const {
  ArrayRef<Step> steps = storage.getSteps();
  std::vector<SmallVector<Operation *, 0>> freesAfter(actions.size());
  if (llvm::none_of(block, [](Operation &op) { return endsStorage(&op); }))
    return freesAfter;
  auto getClass = [&](StorageId id) {
    return storage.getStorage(id).aliasClass;
  };
  llvm::DenseMap<unsigned, unsigned> lastTouch;
  std::vector<unsigned> positionOf(steps.size());
  for (auto [position, action] : llvm::enumerate(actions)) {
    if (action.kind == BlockAction::Run)
      positionOf[action.index] = position;
    for (StorageId id : getTouched(action))
      lastTouch[getClass(id)] = position;
  }
  llvm::DenseSet<unsigned> seenByBarrier;
  std::optional<unsigned> lastBarrier;
  for (Operation &op : block) {
    if (std::optional<unsigned> step = storage.getStepIndex(&op);
        step && steps[*step].op == &op) {
      if (steps[*step].barrier.empty())
        continue;
      lastBarrier = positionOf[*step];
      for (const Access &access : steps[*step].accesses)
        seenByBarrier.insert(getClass(access.storage));
    } else if (endsStorage(&op)) {
      // At the end of the block no name of it is left.
      if (isa<TensorType>(op.getOperand(0).getType()) &&
          llvm::any_of(storage.lookup(op.getOperand(0)),
                       [&](StorageId id) { return forwarded.contains(id); }))
        continue;
      std::optional<unsigned> after;
      for (StorageId id : storage.lookup(op.getOperand(0))) {
        if (auto found = lastTouch.find(getClass(id)); found != lastTouch.end())
          after = std::max(after.value_or(0), found->second);
        if (seenByBarrier.contains(getClass(id)))
          after = std::max(after.value_or(0), *lastBarrier);
      }
      if (after)
        freesAfter[*after].push_back(&op);
    }
  }
  return freesAfter;
}

/// True if a drop may end what the program itself made of the storage: its
/// buffer belongs to the block whatever bufferization does.
bool StorageLives::mayDrop(StorageId id) const {
  const Storage &entry = storage.getStorage(id);
  if (!entry.root || !isa<RankedTensorType>(entry.root.getType()))
    return false;
  if (entry.kind == StorageKind::Donated)
    return isa<FunctionOpInterface>(block.getParentOp());
  Operation *op = entry.root.getDefiningOp();
  bool isPlain = op &&
                 (isa<DestinationStyleOpInterface, StepOp>(op) ||
                  op->getNumRegions() == 0) &&
                 !isa<CallOpInterface>(op) && !isMoveOrMark(op);
  return entry.kind == StorageKind::Local && isPlain &&
         op->getBlock() == &block;
}

/// A step that gives a storage its first content begins a new life of it.
bool StorageLives::begins(const Access &access, unsigned step) const {
  auto result = dyn_cast_if_present<OpResult>(access.value);
  return opens(access.storage, step) ||
         (access.kind == AccessKind::Write && result &&
          result.getOwner() == storage.getSteps()[step].op &&
          result == storage.getStorage(access.storage).root);
}

void StorageLives::findEnds() {
  // What reads memory that nobody wrote begins its life, by first touch.
  opener.assign(storage.getStorages().size(), kNever);
  for (auto [index, step] : llvm::enumerate(storage.getSteps()))
    for (const Access &access : step.accesses)
      if (Value root = storage.getStorage(access.storage).root;
          root && isUnwritten(root) && opener[access.storage] == kNever)
        opener[access.storage] = index;

  struct Life {
    size_t last = kNever;
    /// A load began it, so that the buffer is nobody else's.
    bool isLoaded = false;
  };
  endsAfter.resize(actions.size());
  leftAfter.resize(actions.size());
  copiesEndAfter.resize(actions.size());
  std::vector<Life> lives(storage.getStorages().size());
  auto end = [&](StorageId id, bool isLast) {
    Life &life = lives[id];
    // What other blocks use, they use by the name that it was made under.
    bool isNeeded = storage.getStorage(id).outlives &&
                    (isLast || !block.getParent()->hasOneBlock());
    if (life.last != kNever && !isNeeded) {
      if ((life.isLoaded || mayDrop(id)) && !forwarded.contains(id))
        endsAfter[life.last].push_back(id);
      else if (isFreed(id))
        leftAfter[life.last].push_back(id);
    }
    life = {};
  };
  llvm::MapVector<std::pair<Value, StringRef>, size_t> copies;
  for (auto [position, action] : llvm::enumerate(actions)) {
    const BlockAction &subject = getSubject(action);
    if (action.kind == BlockAction::Run) {
      for (const Access &access : storage.getSteps()[action.index].accesses)
        if (begins(access, action.index))
          end(access.storage, /*isLast=*/false);
    } else if (action.kind == BlockAction::Load) {
      StorageId id = storage.lookup(action.content)[0];
      end(id, /*isLast=*/false);
      lives[id].isLoaded = true;
    } else if (action.kind == BlockAction::Store) {
      if (auto found = copies.find({action.content, action.tier});
          found != copies.end())
        copiesEndAfter[found->second].push_back({action.content, action.tier});
    }
    if (action.kind != BlockAction::Run)
      copies[{subject.content, subject.tier}] = position;
    for (StorageId id : getTouched(action))
      lives[id].last = position;
  }
  for (StorageId id = 0; id < lives.size(); ++id)
    end(id, /*isLast=*/true);
  for (auto &[copy, position] : copies)
    copiesEndAfter[position].push_back({copy.first, copy.second});
}

} // namespace pebble
