//===- Comparison.cpp - what changed between two programs -----------------===//

#include "pebble/Report/Comparison.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

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
      bool isStore = step.op == "pebble.store";
      bool isHidden = step.op == "pebble.load" || step.op == "pebble.wait";
      if (again)
        result.recomputed.push_back(at);
      else if (isStore)
        result.offloaded.push_back(at);
      else if (!isHidden)
        result.added.push_back(at);
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

/// Arguments are the first storages, in their order.
static bool isArgument(const StorageEntry &entry) {
  return entry.kind == StorageKind::Argument ||
         entry.kind == StorageKind::Donated;
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

/// Whether a name is of the file in which it stands, and of no other.
static bool isOfFile(StringRef name) {
  return name.starts_with("%") || name.contains(" at ");
}

namespace {
class NameAdopter {
public:
  NameAdopter(const FunctionReport &before, FunctionReport &after)
      : before(before), after(after) {}

  void run() {
    for (unsigned id = 0;
         id < std::min(before.storages.size(), after.storages.size()); ++id)
      if (isArgument(before.storages[id]) && isArgument(after.storages[id]))
        adopt(id, before.storages[id].name);
    llvm::DenseMap<uint64_t, const StepEntry *> known;
    for (const StepEntry &step : before.steps)
      known.insert({step.fingerprint, &step});
    for (StepEntry &step : after.steps) {
      if (step.op == "pebble.store" || step.op == "pebble.load")
        adoptMove(step);
      else if (const StepEntry *old = known.lookup(step.fingerprint))
        adoptStep(step, *old);
    }
    for (StepEntry &step : after.steps)
      for (AccessEntry &access : step.accesses)
        if (auto found = adopted.find(access.storage); found != adopted.end())
          access.storage = found->second;
  }

private:
  void adopt(unsigned id, const std::string &name) {
    std::string &own = after.storages[id].name;
    if (!isOfFile(own))
      return;
    adopted[own] = name;
    own = name;
  }

  /// Both copies of what moves are the same value.
  void adoptMove(StepEntry &step) {
    if (step.read.empty() || step.written.empty())
      return;
    const std::string &name = after.storages[step.read.front()].name;
    for (unsigned to : step.written)
      adopt(to, name);
    step.name = step.op + " " + name;
  }

  void adoptStep(StepEntry &step, const StepEntry &old) {
    StringRef own = step.name;
    own.consume_front(step.op + " ");
    if (own.starts_with("%") || own.starts_with("at "))
      step.name = old.name;
    if (step.written.size() == old.written.size())
      for (auto [to, from] : llvm::zip(step.written, old.written))
        adopt(to, before.storages[from].name);
  }

  const FunctionReport &before;
  FunctionReport &after;
  llvm::StringMap<std::string> adopted;
};
} // namespace

void adoptNames(const FunctionReport &before, FunctionReport &after) {
  NameAdopter(before, after).run();
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
