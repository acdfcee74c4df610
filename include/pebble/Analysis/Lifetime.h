//===- Lifetime.h - when each storage is live, and the peak -----*- C++ -*-===//
//
// Counts bytes as docs/PebbleGame.md says: a storage is live from the step that
// first touches it to its last; while a step runs its operands, its results and
// its scratch are all live; a storage is freed after the step, never before.
// Arguments count throughout, or to their last use if they were donated; what
// outlives the block counts to the end; constants and globals are apart.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_LIFETIME_H
#define PEBBLE_ANALYSIS_LIFETIME_H

#include "pebble/Analysis/Storage.h"

#include "llvm/ADT/StringMap.h"

#include <map>

namespace pebble {

/// Positions of a storage's life in an order, both inclusive. A storage that no
/// step touches has `first > last`.
struct LiveRange {
  unsigned first = std::numeric_limits<unsigned>::max();
  unsigned last = 0;
  bool isEmpty() const { return first > last; }
};

class LifetimeAnalysis {
public:
  /// For the pass manager.
  LifetimeAnalysis(mlir::Operation *op, mlir::AnalysisManager &manager);
  /// The steps in block order, or in `order` (a permutation of their indices).
  explicit LifetimeAnalysis(const StorageAnalysis &storage,
                            llvm::ArrayRef<unsigned> order = {});

  const StorageAnalysis &getStorage() const { return *storage; }
  /// Step index at each position.
  llvm::ArrayRef<unsigned> getOrder() const { return order; }
  LiveRange getRange(StorageId id) const { return ranges[id]; }

  /// Bytes live while the step at `position` runs, in the tier of this name
  /// (empty: the compute tier), scratch included.
  int64_t getLiveBytes(unsigned position, llvm::StringRef tier = "") const;
  /// The maximum over all positions; for a block without steps, what its
  /// arguments take.
  int64_t getPeakBytes(llvm::StringRef tier = "") const;
  /// First position where the peak is reached.
  unsigned getPeakPosition(llvm::StringRef tier = "") const;
  /// Storages live while the step at `position` runs, largest first.
  llvm::SmallVector<StorageId> getLiveStorages(unsigned position) const;
  /// Peak of the compute tier without arguments: what the block itself makes.
  int64_t getIntermediatesPeakBytes() const { return intermediatesPeak; }
  /// The same of the other tiers in which the block makes something.
  const std::map<llvm::StringRef, int64_t> &getSlowIntermediatesPeaks() const {
    return slowIntermediates.peaks;
  }
  /// Peak of what the block frees itself or hands out: intermediates, results
  /// and donated arguments. What a caller sees as the call's own memory.
  int64_t getOwnedPeakBytes() const { return ownedPeak; }
  /// The same of the other tiers in which the block owns something.
  const std::map<llvm::StringRef, int64_t> &getSlowOwnedPeaks() const {
    return slowOwned.peaks;
  }
  /// The two peaks of any tier.
  int64_t getIntermediatesPeakBytes(llvm::StringRef tier) const {
    return tier.empty() ? intermediatesPeak : slowIntermediates.getPeak(tier);
  }
  int64_t getOwnedPeakBytes(llvm::StringRef tier) const {
    return tier.empty() ? ownedPeak : slowOwned.getPeak(tier);
  }
  /// What they count while the step at `position` runs, scratch included.
  int64_t getIntermediatesBytes(unsigned position,
                                llvm::StringRef tier = "") const {
    return tier.empty() ? intermediates[position]
                        : slowIntermediates.get(tier, position);
  }
  int64_t getOwnedBytes(unsigned position, llvm::StringRef tier = "") const {
    return tier.empty() ? owned[position] : slowOwned.get(tier, position);
  }
  /// Bytes of arguments, which are there whatever runs.
  int64_t getIdleBytes() const { return idleBytes; }
  /// Bytes of constants and globals that the block uses.
  int64_t getConstantBytes() const { return constantBytes; }
  /// Names of the tiers in which something lives ("" is the compute tier).
  llvm::SmallVector<llvm::StringRef> getTiers() const;

private:
  void run(llvm::ArrayRef<unsigned> givenOrder);
  bool settleRange(StorageId id);
  void addBytes(StorageId id);
  void addScratch();
  bool touches(StorageId id, unsigned step) const;
  const StorageAnalysis *storage;
  llvm::SmallVector<unsigned, 0> order;
  llvm::SmallVector<LiveRange, 0> ranges;
  /// Live bytes per position, by tier.
  llvm::StringMap<std::vector<int64_t>> live;
  int64_t idleBytes = 0;
  int64_t intermediatesPeak = 0;
  std::vector<int64_t> intermediates, owned;
  /// Bytes per position, and their maximum, by tier other than the compute
  /// tier.
  struct SlowBytes {
    std::map<llvm::StringRef, std::vector<int64_t>> bytes;
    std::map<llvm::StringRef, int64_t> peaks;

    std::vector<int64_t> &open(llvm::StringRef tier, size_t count) {
      bytes[tier].resize(count + 1);
      return bytes[tier];
    }
    int64_t getPeak(llvm::StringRef tier) const {
      auto found = peaks.find(tier);
      return found == peaks.end() ? 0 : found->second;
    }
    int64_t get(llvm::StringRef tier, unsigned position) const {
      auto found = bytes.find(tier);
      return found == bytes.end() ? 0 : found->second[position];
    }
  };
  SlowBytes slowIntermediates, slowOwned;
  int64_t ownedPeak = 0;
  int64_t constantBytes = 0;
};

/// What a planner has to keep within a budget: the peak of the compute tier,
/// or, of a block inside of an op, of what it makes itself.
inline int64_t getCountedPeak(const LifetimeAnalysis &lifetime,
                              bool countArguments) {
  return countArguments ? lifetime.getPeakBytes()
                        : lifetime.getIntermediatesPeakBytes();
}

} // namespace pebble

#endif // PEBBLE_ANALYSIS_LIFETIME_H
