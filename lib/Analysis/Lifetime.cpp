//===- Lifetime.cpp - when each storage is live, and the peak -------------===//

#include "pebble/Analysis/Lifetime.h"

#include <numeric>

using namespace mlir;

namespace pebble {

LifetimeAnalysis::LifetimeAnalysis(Operation *op, AnalysisManager &manager)
    : storage(&manager.getAnalysis<StorageAnalysis>()) {
  run({});
}

LifetimeAnalysis::LifetimeAnalysis(const StorageAnalysis &storage,
                                   ArrayRef<unsigned> order)
    : storage(&storage) {
  run(order);
}

/// Positions covered, as +bytes at the first and -bytes after the last; summed
/// up afterwards.
static void addRange(std::vector<int64_t> &deltas, LiveRange range,
                     int64_t bytes) {
  deltas[range.first] += bytes;
  deltas[range.last + 1] -= bytes;
}

void LifetimeAnalysis::run(ArrayRef<unsigned> givenOrder) {
  ArrayRef<Step> steps = storage->getSteps();
  order.assign(givenOrder.begin(), givenOrder.end());
  if (order.empty()) {
    order.resize(steps.size());
    std::iota(order.begin(), order.end(), 0);
  }
  ArrayRef<Storage> storages = storage->getStorages();
  ranges.resize(storages.size());
  for (auto [at, step] : llvm::enumerate(order))
    for (const Access &access : steps[step].accesses) {
      LiveRange &range = ranges[access.storage];
      range.first = std::min(range.first, unsigned(at));
      range.last = std::max(range.last, unsigned(at));
    }

  size_t count = order.size();
  intermediates.assign(count + 1, 0);
  owned.assign(count + 1, 0);
  live[""].resize(count + 1);
  for (StorageId id = 0; id < storages.size(); ++id)
    if (settleRange(id))
      addBytes(id);

  addScratch();
  // Donated arguments are there on entry, used or not.
  int64_t donated = 0;
  for (const Storage &entry : storages)
    if (entry.kind == StorageKind::Donated && entry.tier.empty())
      donated += entry.getFootprint();
  ownedPeak = count ? std::max(ownedPeak, donated) : ownedPeak + donated;
}

/// Widens the range of storage `id` to what is there from the start or to the
/// end. False if no position is to be counted for it; what counts all the same
/// is added here.
bool LifetimeAnalysis::settleRange(StorageId id) {
  const Storage &entry = storage->getStorages()[id];
  const size_t count = order.size();
  const unsigned end = count ? count - 1 : 0;
  LiveRange &range = ranges[id];
  int64_t bytes = entry.getFootprint();
  if (!entry.isCounted()) {
    constantBytes += bytes;
    return false;
  }
  bool isArgument = entry.kind != StorageKind::Local;
  if (isArgument && entry.tier.empty() && !entry.mayBeMissing)
    idleBytes += bytes;
  if (isArgument)
    range.first = 0;
  if (entry.outlives) {
    range.first = std::min(range.first, end);
    range.last = end;
  }
  if (count == 0) {
    // Nothing runs; what is returned as it came was counted above.
    if (!isArgument && entry.outlives) {
      idleBytes += bytes;
      intermediatesPeak += bytes;
      ownedPeak += bytes;
    }
    return false;
  }
  bool isDonatedUnused = entry.kind == StorageKind::Donated &&
                         !entry.outlives && range.last == 0 &&
                         !touches(id, order[0]);
  if (!range.isEmpty() && !isDonatedUnused)
    return true;
  range = LiveRange();
  return false;
}

void LifetimeAnalysis::addBytes(StorageId id) {
  const Storage &entry = storage->getStorages()[id];
  const size_t count = order.size();
  int64_t bytes = entry.getFootprint();
  std::vector<int64_t> &tier = live[entry.tier];
  tier.resize(count + 1);
  addRange(tier, ranges[id], bytes);
  const bool isFast = entry.tier.empty();
  if (entry.kind == StorageKind::Local)
    addRange(isFast ? intermediates : slowIntermediates.open(entry.tier, count),
             ranges[id], bytes);
  if (entry.kind != StorageKind::Argument)
    addRange(isFast ? owned : slowOwned.open(entry.tier, count), ranges[id],
             bytes);
}

/// Sums up what begins and ends, and adds what steps take for themselves.
void LifetimeAnalysis::addScratch() {
  auto sum = [](std::vector<int64_t> &bytes) {
    std::partial_sum(bytes.begin(), bytes.end(), bytes.begin());
  };
  for (auto &tier : live)
    sum(tier.second);
  sum(intermediates);
  sum(owned);
  for (SlowBytes *slow : {&slowIntermediates, &slowOwned})
    for (auto &[tier, bytes] : slow->bytes)
      sum(bytes);
  for (auto [at, index] : llvm::enumerate(order)) {
    const Step &step = storage->getSteps()[index];
    for (std::vector<int64_t> *bytes : {&live[""], &intermediates, &owned})
      (*bytes)[at] += step.scratch;
    intermediatesPeak = std::max(intermediatesPeak, intermediates[at]);
    ownedPeak = std::max(ownedPeak, owned[at]);
    for (auto [tier, bytes] : step.slowScratch) {
      live[tier].resize(order.size() + 1);
      live[tier][at] += bytes;
      for (SlowBytes *slow : {&slowIntermediates, &slowOwned}) {
        slow->bytes[tier].resize(order.size() + 1);
        slow->bytes[tier][at] += bytes;
      }
    }
  }
  for (SlowBytes *slow : {&slowIntermediates, &slowOwned})
    for (auto &[tier, bytes] : slow->bytes)
      slow->peaks[tier] = *std::max_element(bytes.begin(), bytes.end());
}

bool LifetimeAnalysis::touches(StorageId id, unsigned step) const {
  return llvm::any_of(
      storage->getSteps()[step].accesses,
      [&](const Access &access) { return access.storage == id; });
}

int64_t LifetimeAnalysis::getLiveBytes(unsigned position,
                                       StringRef tier) const {
  auto found = live.find(tier);
  return found == live.end() ? 0 : found->second[position];
}

int64_t LifetimeAnalysis::getPeakBytes(StringRef tier) const {
  int64_t peak = tier.empty() ? idleBytes : 0;
  for (unsigned at = 0; at < order.size(); ++at)
    peak = std::max(peak, getLiveBytes(at, tier));
  return peak;
}

unsigned LifetimeAnalysis::getPeakPosition(StringRef tier) const {
  unsigned best = 0;
  for (unsigned at = 1; at < order.size(); ++at)
    if (getLiveBytes(at, tier) > getLiveBytes(best, tier))
      best = at;
  return best;
}

SmallVector<StorageId>
LifetimeAnalysis::getLiveStorages(unsigned position) const {
  SmallVector<StorageId> result;
  for (StorageId id = 0; id < ranges.size(); ++id)
    if (storage->getStorage(id).isCounted() && !ranges[id].isEmpty() &&
        ranges[id].first <= position && position <= ranges[id].last)
      result.push_back(id);
  llvm::sort(result, [&](StorageId a, StorageId b) {
    int64_t left = storage->getStorage(a).bytes;
    int64_t right = storage->getStorage(b).bytes;
    return left != right ? left > right : a < b;
  });
  return result;
}

SmallVector<StringRef> LifetimeAnalysis::getTiers() const {
  SmallVector<StringRef> names;
  for (const auto &tier : live)
    names.push_back(tier.first());
  llvm::sort(names);
  return names;
}

} // namespace pebble
