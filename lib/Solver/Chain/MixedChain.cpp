//===- MixedChain.cpp - snapshots and tapes in one memory -----------------===//

#include "pebble/Solver/Chain/MixedChain.h"

#include "LeastSum.h"

#include "pebble/Solver/Chain/TieredChain.h"

#include <cassert>
#include <numeric>

using namespace pebble;
using namespace pebble::chain;

namespace {

/// Entries of the table, 12 bytes each.
constexpr int64_t kMostMixedEntries = 200000000;
/// Sizes, costs and numbers of steps are below these.
constexpr int64_t kMostSize = INT64_C(1) << 50, kMostCost = INT64_C(1) << 30,
                  kMostSteps = 10000000;

/// Units of memory that are of any use: all tapes, and a snapshot.
int64_t usefulUnits(const MixedGame &g, int64_t unit) {
  const int64_t tape = g.tape / unit, snapshot = g.snapshot / unit;
  const __int128 all = static_cast<__int128>(g.steps) * tape + snapshot;
  const int64_t budget = g.budget / unit;
  return budget < all ? budget : static_cast<int64_t>(all);
}

} // namespace

std::string pebble::chain::mixedGameError(const MixedGame &g) {
  if (g.steps < 1)
    return "a chain has at least one step";
  if (g.steps > kMostSteps)
    return "a chain with tapes has at most ten million steps";
  if (g.snapshot < 1 || g.tape < 1 || g.snapshot > kMostSize ||
      g.tape > kMostSize)
    return "a snapshot and a tape take at least 1 and at most 2^50";
  if (g.budget < 0 || g.forward < 0 || g.taping < g.forward || g.backward < 0)
    return "budget and costs are not negative, and a step with a tape costs no "
           "less than one without";
  if (g.taping > kMostCost || g.backward > kMostCost)
    return "costs are at most 2^30";
  const auto n = static_cast<__int128>(g.steps);
  if (n * (n + 1) / 2 * g.taping + n * g.backward > INT64_MAX / 8)
    return "the costs of a schedule may exceed 64 bits";
  const int64_t unit = std::gcd(g.snapshot, g.tape);
  if (static_cast<__int128>(usefulUnits(g, unit) + 1) * (g.steps + 1) >
      kMostMixedEntries)
    return "the table of " + std::to_string(g.steps) + " steps and " +
           std::to_string(usefulUnits(g, unit)) +
           " units of memory is too large: give sizes with a larger common "
           "divisor";
  return "";
}

MixedChain::MixedChain(const MixedGame &game) : g(game) {
  assert(mixedGameError(g).empty());
  const int64_t unit = std::gcd(g.snapshot, g.tape);
  snapshot = g.snapshot / unit;
  tape = g.tape / unit;
  rows.resize(static_cast<size_t>(usefulUnits(g, unit)) + 1);
  for (size_t m = 0; m < rows.size(); ++m)
    build(m);
}

void MixedChain::build(size_t m) {
  const auto n = static_cast<size_t>(g.steps);
  const auto units = static_cast<int64_t>(m);
  Row &row = rows[m];
  row.cost.assign(n + 1, kImpossible);
  row.split.assign(n + 1, 0);
  row.cost[0] = 0;
  if (units < tape)
    return;
  const Row &taped = rows[m - static_cast<size_t>(tape)];
  const Row *kept =
      units < snapshot ? nullptr : &rows[m - static_cast<size_t>(snapshot)];
  const Row &above = kept ? *kept : row;
  SplitSearch search(above.cost, 1, above.convex);
  std::vector<int64_t> lower(n + 1, kImpossible);
  for (size_t l = 1; l <= n; ++l) {
    const int64_t tapeFirst =
        std::min(kImpossible, taped.cost[l - 1] + g.taping);
    BestSplit best{tapeFirst};
    if (kept)
      search.offer(best, lower, static_cast<int64_t>(l), row.convex);
    row.cost[l] = best.cost;
    row.split[l] = best.split;
    lower[l] =
        std::min(kImpossible, best.cost + static_cast<int64_t>(l) * g.forward);
    if (l > 2 && lower[l] < kImpossible)
      row.convex &= lower[l] - lower[l - 1] >= lower[l - 1] - lower[l - 2];
    // No longer part can be reversed if this one cannot.
    if (best.cost >= kImpossible)
      return;
  }
}

int64_t MixedChain::cost() const {
  return std::min(kImpossible, rows.back().cost[static_cast<size_t>(g.steps)] +
                                   g.steps * g.backward);
}

int64_t MixedChain::leastBudget() const {
  // One tape, and from two steps on the first state as well; or all tapes.
  if (g.steps == 1)
    return g.tape;
  return g.tape + std::min((g.steps - 1) * g.tape, g.snapshot);
}

int64_t MixedChain::splitOf(int64_t length, int64_t units) const {
  return rows[static_cast<size_t>(units)].split[static_cast<size_t>(length)];
}

namespace {

class MixedActions : public ActionStream {
public:
  explicit MixedActions(const MixedChain &chain) : chain(chain) {
    assert(chain.cost() < kImpossible);
    tasks.push_back(
        {Kind::Reverse, {}, 0, chain.game().steps, chain.units(), -1});
  }

  bool next(Action &action) override {
    while (!tasks.empty()) {
      const Task task = tasks.back();
      tasks.pop_back();
      if (task.kind == Kind::Reverse) {
        expand(task);
        continue;
      }
      action = task.action;
      return true;
    }
    return false;
  }

private:
  enum class Kind { Act, Reverse };
  struct Task {
    Kind kind;
    Action action;
    int64_t at, length, units;
    /// Of the state at hand; -1 if it has no snapshot.
    int64_t slot;
  };

  void act(ActionKind kind, int64_t from, int64_t to, int64_t slot = 0) {
    tasks.push_back({Kind::Act, {kind, from, to, 0, slot}, 0, 0, 0, -1});
  }
  void reverse(int64_t at, int64_t length, int64_t units, int64_t slot) {
    tasks.push_back({Kind::Reverse, {}, at, length, units, slot});
  }

  /// What is done first is pushed last.
  void expand(const Task &t) {
    if (t.length == 0) {
      if (!turned)
        act(ActionKind::Turn, t.at, t.at);
      turned = true;
      return;
    }
    const int64_t split = chain.splitOf(t.length, t.units);
    if (split == 0) {
      act(ActionKind::Backward, t.at, t.at);
      reverse(t.at + 1, t.length - 1, t.units - chain.tapeUnits(), -1);
      act(ActionKind::Tape, t.at, t.at + 1);
      if (t.slot >= 0) {
        --used;
        act(ActionKind::Free, t.at, t.at, t.slot);
      }
      return;
    }
    const int64_t slot = t.slot < 0 ? used++ : t.slot;
    reverse(t.at, split, t.units, slot);
    act(ActionKind::Restore, t.at, t.at, slot);
    reverse(t.at + split, t.length - split, t.units - chain.snapshotUnits(),
            -1);
    act(ActionKind::Advance, t.at, t.at + split);
    if (t.slot < 0)
      act(ActionKind::Snapshot, t.at, t.at, slot);
  }

  const MixedChain &chain;
  int64_t used = 0;
  bool turned = false;
  std::vector<Task> tasks;
};

} // namespace

std::unique_ptr<ActionStream> MixedChain::actions() const {
  return std::make_unique<MixedActions>(*this);
}
