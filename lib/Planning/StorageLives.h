//===- StorageLives.h - where storages begin and end ------------*- C++ -*-===//
//
// A storage lives from the action that fills it to the last one that touches
// it. In a schedule it may do so more than once: it is filled again by a run
// that makes it again or by a load. Says after which action each life, in each
// tier, ends: private to Planning.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_STORAGELIVES_H
#define PEBBLE_LIB_PLANNING_STORAGELIVES_H

#include "pebble/Planning/ApplySchedule.h"

#include "llvm/ADT/DenseSet.h"

namespace pebble {

/// True for ops that end the life of the storage of their operand.
bool endsStorage(mlir::Operation *op);

/// True for values that are memory and no content.
bool isUnwritten(mlir::Value value);

class StorageLives {
public:
  /// A copy of a content in a slower tier.
  struct Copy {
    mlir::Value content;
    llvm::StringRef tier;
    bool operator==(const Copy &other) const {
      return content == other.content && tier == other.tier;
    }
  };

  StorageLives(const StorageAnalysis &storage,
               llvm::ArrayRef<BlockAction> actions);

  /// Finds the ends: everything below means something only afterwards.
  void findEnds();
  /// For each action the frees of the program that stand after it.
  std::vector<llvm::SmallVector<mlir::Operation *, 0>> placeFrees() const;

  /// Storages whose life in the compute tier ends with the action at
  /// `position`, and copies that end in their tiers.
  llvm::ArrayRef<StorageId> getEnds(size_t position) const {
    return endsAfter[position];
  }
  llvm::ArrayRef<Copy> getCopyEnds(size_t position) const {
    return copiesEndAfter[position];
  }
  /// Storages that the program frees by a `bufferization.dealloc_tensor` of its
  /// own: every life of theirs ends, by a drop or by being left after the
  /// action at `position`, whose end is then the block's.
  bool isFreed(StorageId id) const { return freed.contains(id); }
  llvm::ArrayRef<StorageId> getLeft(size_t position) const {
    return leftAfter[position];
  }
  /// True if a run of `step` begins the life of memory that nobody wrote.
  bool opens(StorageId id, unsigned step) const { return opener[id] == step; }

private:
  void findForwarded();
  void findFreed();
  bool mayDrop(StorageId id) const;
  bool begins(const Access &access, unsigned step) const;
  /// The action that `action` is about: of a wait, the start.
  const BlockAction &getSubject(const BlockAction &action) const;
  llvm::SmallVector<StorageId> getTouched(const BlockAction &action) const;

  static constexpr size_t kNever = std::numeric_limits<size_t>::max();
  const StorageAnalysis &storage;
  llvm::ArrayRef<BlockAction> actions;
  mlir::Block &block;
  /// Starts of transfers, in order.
  std::vector<const BlockAction *> transfers;
  std::vector<llvm::SmallVector<StorageId, 0>> endsAfter;
  std::vector<llvm::SmallVector<StorageId, 0>> leftAfter;
  std::vector<llvm::SmallVector<Copy, 0>> copiesEndAfter;
  llvm::DenseSet<StorageId> freed;
  /// What a result may turn out to be the same as: no name of it is its last.
  llvm::DenseSet<StorageId> forwarded;
  /// By storage: the step that reads it although nobody wrote it.
  std::vector<size_t> opener;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_STORAGELIVES_H
