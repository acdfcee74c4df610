//===- Comparison.cpp - what changed between two programs -----------------===//

#include "pebble/Report/Comparison.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>

using namespace mlir;

namespace pebble {

/// Indices of one longest increasing subsequence of `values` (Fredman 1975).
static std::vector<size_t> findIncreasing(ArrayRef<unsigned> values) {
  std::vector<size_t> tails; // by length: index of the least last value
  std::vector<std::optional<size_t>> previous(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    auto at = llvm::partition_point(
        tails, [&](size_t tail) { return values[tail] < values[i]; });
    if (at != tails.begin())
      previous[i] = *std::prev(at);
    if (at == tails.end())
      tails.push_back(i);
    else
      *at = i;
  }
  std::vector<size_t> result;
  if (tails.empty())
    return result;
  for (std::optional<size_t> i = tails.back(); i; i = previous[*i])
    result.push_back(*i);
  std::reverse(result.begin(), result.end());
  return result;
}

static void matchSteps(Comparison &result) {
  const FunctionReport &before = *result.before, &after = *result.after;
  llvm::DenseMap<uint64_t, std::deque<unsigned>> waiting;
  llvm::DenseMap<uint64_t, bool> known;
  for (auto [at, step] : llvm::enumerate(before.steps)) {
    waiting[step.fingerprint].push_back(at);
    known[step.fingerprint] = true;
  }
  result.origin.resize(after.steps.size());
  std::vector<bool> isMatched(before.steps.size(), false);
  std::vector<unsigned> positions, origins;
  for (auto [at, step] : llvm::enumerate(after.steps)) {
    auto found = waiting.find(step.fingerprint);
    if (found == waiting.end() || found->second.empty()) {
      bool again = known.lookup(step.fingerprint);
      (again ? result.recomputed : result.added).push_back(at);
      continue;
    }
    unsigned origin = found->second.front();
    found->second.pop_front();
    result.origin[at] = origin;
    isMatched[origin] = true;
    positions.push_back(at);
    origins.push_back(origin);
  }
  for (unsigned at = 0; at < before.steps.size(); ++at)
    if (!isMatched[at])
      result.removed.push_back(at);
  size_t next = 0;
  std::vector<size_t> kept = findIncreasing(origins);
  for (size_t i = 0; i < positions.size(); ++i) {
    if (next < kept.size() && kept[next] == i)
      ++next;
    else
      result.moved.push_back(positions[i]);
  }
}

static void findTierChanges(Comparison &result) {
  for (auto [at, origin] : llvm::enumerate(result.origin)) {
    if (!origin)
      continue;
    const auto &old = result.before->steps[*origin].accesses;
    const auto &now = result.after->steps[at].accesses;
    // A step that changed its accesses (a copy that was saved) has no pairs.
    if (old.size() != now.size())
      continue;
    for (auto [a, b] : llvm::zip(old, now)) {
      StringRef from = result.before->tiers[a.tier].name;
      StringRef to = result.after->tiers[b.tier].name;
      if (a.isWrite == b.isWrite && a.bytes == b.bytes && from != to)
        result.tierChanges.push_back({*origin, unsigned(at), b.storage,
                                      b.isWrite, b.bytes, from.str(), to.str(),
                                      b.energy - a.energy});
    }
  }
}

Comparison compareReports(const FunctionReport &before,
                          const FunctionReport &after) {
  Comparison result;
  result.before = &before;
  result.after = &after;
  matchSteps(result);
  findTierChanges(result);
  return result;
}

} // namespace pebble
