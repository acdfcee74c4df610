//===- TrafficStack.h - what the accounts of traffic share ------*- C++ -*-===//
//
// Private to this library: the stack of storages as sums over a suffix, and
// which accesses count.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_ANALYSIS_TRAFFICSTACK_H
#define PEBBLE_LIB_ANALYSIS_TRAFFICSTACK_H

#include "pebble/Analysis/Storage.h"

namespace pebble {

/// Sums over a suffix of slots, updated in place (Fenwick 1994).
class SuffixSums {
public:
  explicit SuffixSums(size_t count) : sums(count + 1) {}

  void add(size_t slot, int64_t value) {
    total += value;
    for (size_t i = slot + 1; i < sums.size(); i += i & -i)
      sums[i] += value;
  }
  /// Sum of the slots from `slot` on.
  int64_t from(size_t slot) const {
    int64_t before = 0;
    for (size_t i = slot; i > 0; i -= i & -i)
      before += sums[i];
    return total - before;
  }

private:
  std::vector<int64_t> sums;
  int64_t total = 0;
};

/// Storages that exist before the first step, in order: the arguments, then
/// constants and globals.
inline llvm::SmallVector<StorageId>
getInitialStorages(const StorageAnalysis &s) {
  llvm::SmallVector<StorageId> initial;
  for (StorageId id = 0; id < s.getStorages().size(); ++id)
    if (s.getStorage(id).kind != StorageKind::Local)
      initial.push_back(id);
  return initial;
}

/// A transfer between tiers; priced as a move and not by its accesses.
inline bool isTransfer(const Step &step) {
  llvm::StringRef name = step.op->getName().getStringRef();
  return name == "pebble.store" || name == "pebble.load";
}

/// Whether an access has a price of its own.
inline bool isPriced(const Step &step, const Access &access) {
  return access.kind != AccessKind::Hold && access.bytes != 0 &&
         !isTransfer(step);
}

} // namespace pebble

#endif // PEBBLE_LIB_ANALYSIS_TRAFFICSTACK_H
