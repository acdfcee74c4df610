//===- TieredChain.cpp - least cost of a chain over k tiers ---------------===//

#include "pebble/Solver/Chain/TieredChain.h"

#include "LeastSum.h"

#include <algorithm>
#include <cassert>

using namespace pebble;
using namespace pebble::chain;

namespace {

/// Entries of all tables, 12 bytes each, and sums for them.
constexpr double kMostEntries = 1e8, kMostSums = 3e11;

int64_t bounded(int64_t cost) { return std::min(cost, kImpossible); }

/// What cannot be, in 32 bits; twice that fits as well.
constexpr int32_t kNarrowImpossible = INT32_MAX / 2;
int32_t narrowed(int64_t cost) {
  return static_cast<int32_t>(std::min<int64_t>(cost, kNarrowImpossible));
}

/// Whether no schedule, however bad, costs as much as that.
bool isSmall(const ChainGame &g) {
  int64_t transfers = 0;
  for (const SlowTier &t : g.tiers)
    transfers = std::max(transfers, t.store + t.load);
  const auto n = static_cast<__int128>(g.steps);
  return n * (n + 3) * g.forward + 2 * n * (g.backwardCost() + transfers) +
             g.seed <
         kNarrowImpossible;
}

/// A tier that can hold every state is as good as unlimited.
bool isUnlimited(const ChainGame &g, const SlowTier &t) {
  return !t.slots || *t.slots >= g.steps;
}

/// Whether the costs of 1, 2, and so on rise by more and more as long as there
/// is a schedule.
bool isConvex(const std::vector<int64_t> &c) {
  for (size_t l = 3; l < c.size() && c[l] < kImpossible; ++l)
    if (c[l] - c[l - 1] < c[l - 1] - c[l - 2])
      return false;
  return true;
}

/// Slots of tier 0 beyond these are of no use.
int64_t usefulRoom(const ChainGame &g) {
  return std::min(g.room(), g.steps + 4);
}

} // namespace

bool TieredChain::isExactFor(const ChainGame &g) {
  if (!g.rules.readsOutput || g.rules.adjointsTakeRoom)
    return true;
  return std::all_of(g.tiers.begin(), g.tiers.end(), [&](const SlowTier &t) {
    return t.load >= g.forward || t.slots == 0;
  });
}

std::string TieredChain::refusal(const ChainGame &g) {
  const auto n = static_cast<double>(g.steps);
  double combinations = 1, scans = 0;
  for (const SlowTier &t : g.tiers)
    if (!isUnlimited(g, t)) {
      combinations *= static_cast<double>(*t.slots) + 1;
      scans += t.slots != 0;
    } else if (g.forward > 0) {
      // About as many splits are left to try as forward steps cost a transfer.
      const double transfer =
          static_cast<double>(t.store) + static_cast<double>(t.load);
      scans += std::min(1.0, 4 * transfer / static_cast<double>(g.forward) / n);
    } else {
      scans += 1;
    }
  scans += g.readOnce + (g.rules.pinned && !g.tiers.empty());
  const double rows = static_cast<double>(usefulRoom(g)) +
                      combinations * (1 + static_cast<double>(g.tiers.size()));
  const double moments =
      g.rules.readsOutput || g.rules.adjointsTakeRoom ? 2 : 1;
  if (rows * n * moments > kMostEntries ||
      combinations * scans * n * n > kMostSums)
    return "the tables of " + std::to_string(g.steps) + " steps and " +
           "these numbers of slots are too large";
  return "";
}

TieredChain::TieredChain(const ChainGame &game) : g(game) {
  assert(chainGameError(g).empty() && refusal(g).empty());
  moments = g.rules.readsOutput || g.rules.adjointsTakeRoom ? 2 : 1;
  isNarrow = isSmall(g);
  buildFast();
  buildLayers();
  if (g.rules.pinned)
    buildPinned();
}

/// Values that stay in tier 0 beside the base while states are computed.
int64_t TieredChain::resident(bool open) const {
  if (open)
    return 0;
  return (g.rules.readsOutput ? 1 : 0) + (g.rules.adjointsTakeRoom ? 1 : 0);
}

/// Reverses the step after the base.
int64_t TieredChain::reverseCost(bool open) const {
  const int64_t cost = g.backwardCost();
  if (!open)
    return cost;
  return cost + g.forward + (g.rules.adjointsTakeRoom ? g.seed : 0);
}

/// Values in tier 0 at that time, the base included.
int64_t TieredChain::reverseRoom() const {
  return 1 + (g.rules.readsOutput ? 1 : 0) + (g.rules.adjointsTakeRoom ? 2 : 0);
}

/// Values on the way while `split` steps are run from a base that stays.
int64_t TieredChain::moving(int64_t split) const {
  return g.rules.slides || split == 1 ? 1 : 2;
}

void TieredChain::buildFast() {
  for (int64_t s = 1; s <= std::max<int64_t>(usefulRoom(g), 1); ++s) {
    fast.emplace_back();
    buildFastRows(static_cast<size_t>(s));
  }
}

void TieredChain::buildFastRows(size_t slots) {
  const auto n = static_cast<size_t>(g.steps);
  const auto room = static_cast<int64_t>(slots);
  Rows &rows = fast[slots - 1];
  std::vector<int64_t> lower(n + 1, kImpossible);
  for (int o = 0; o < moments; ++o) {
    rows[o].cost.assign(n + 1, kImpossible);
    rows[o].split.assign(n + 1, 0);
    if (room >= reverseRoom() && g.room() > 0)
      rows[o].cost[1] = reverseCost(o);
  }
  if (slots == 1)
    return;
  const Rows &less = fast[slots - 2];
  // Where a move of many steps needs more room than one of a single step the
  // latter is tried by itself.
  const int64_t first = moving(2) == 1 ? 1 : 2;
  std::vector<SplitSearch> splits;
  for (int o = 0; o < moments; ++o) {
    const std::vector<int64_t> &above = less[o].cost;
    splits.emplace_back(above, first, isConvex(above));
  }
  bool convex = true;
  for (size_t l = 1; l <= n; ++l) {
    for (int o = moments - 1; l > 1 && o >= 0; --o) {
      BestSplit best{kImpossible};
      if (resident(o) + 1 + moving(1) <= room)
        best.offer(lower[1] + less[o].cost[l - 1], 1);
      if (resident(o) + 1 + moving(2) <= room)
        splits[o].offer(best, lower, static_cast<int64_t>(l), convex);
      rows[o].cost[l] = best.cost;
      rows[o].split[l] = best.split;
    }
    if (l > 1 && mayDropOutput() && rows[1].cost[l] < rows[0].cost[l]) {
      rows[0].cost[l] = rows[1].cost[l];
      rows[0].split[l] = 0;
    }
    lower[l] = bounded(rows[0].cost[l] + static_cast<int64_t>(l) * g.forward);
    // No longer part can be reversed if this one cannot.
    if (rows[0].cost[l] >= kImpossible &&
        rows[moments - 1].cost[l] >= kImpossible)
      return;
    if (l > 2)
      convex &= (l == 3 && first == 2) ||
                lower[l] - lower[l - 1] >= lower[l - 1] - lower[l - 2];
  }
}

void TieredChain::buildLayers() {
  // Mixed radix: free slots of tier 1, then of tier 2, and so on.
  std::vector<size_t> radix;
  size_t count = 1;
  for (const SlowTier &t : g.tiers) {
    radix.push_back(isUnlimited(g, t) ? 1 : static_cast<size_t>(*t.slots) + 1);
    count *= radix.back();
  }
  layers.resize(count);
  for (size_t i = 0; i < count; ++i) {
    Layer &layer = layers[i];
    size_t unit = 1;
    for (size_t t = 0; t < radix.size(); ++t) {
      const bool none = i / unit % radix[t] == 0;
      layer.above.push_back(isUnlimited(g, g.tiers[t]) ? i
                            : none                     ? SIZE_MAX
                                                       : i - unit);
      unit *= radix[t];
    }
    buildLayer(layer);
  }
}

/// What it takes to search the splits of one tier in one layer.
struct TieredChain::Search {
  size_t tier;
  bool unlimited;
  /// Costs below a split of j steps, the way and the load included, and the
  /// same in half the space.
  std::vector<int64_t> lower;
  std::vector<int32_t> narrow;
  /// Of an unlimited tier: the splits that others do not make superfluous.
  std::vector<int64_t> worthwhile;

  BestSplit best(const Layer &above, int o, int64_t l, bool isNarrow) const {
    BestSplit found{kImpossible};
    const std::vector<int64_t> &high = above.held[o].cost;
    if (unlimited) {
      for (auto j = worthwhile.rbegin(); j != worthwhile.rend(); ++j)
        found.offer(lower[static_cast<size_t>(*j)] +
                        high[static_cast<size_t>(l - *j)],
                    *j);
      return found;
    }
    // Where it is will be looked up where somebody wants to know.
    if (!isNarrow) {
      found.offer(leastSum(lower, high, 1, l, kImpossible), -1);
      return found;
    }
    const int32_t least =
        leastSum(narrow, above.narrow[o], 1, l, kNarrowImpossible);
    if (least < kNarrowImpossible)
      found.offer(least, -1);
    return found;
  }
};

std::vector<TieredChain::Search> TieredChain::openLayer(Layer &layer) const {
  const auto n = static_cast<size_t>(g.steps);
  const size_t self = static_cast<size_t>(&layer - layers.data());
  for (int o = 0; o < moments; ++o) {
    layer.held[o] = fastRows()[o];
    if (isNarrow)
      for (int64_t cost : layer.held[o].cost)
        layer.narrow[o].push_back(narrowed(cost));
  }
  layer.stored.resize(g.tiers.size());
  std::vector<Search> searches;
  for (size_t t = 0; t < g.tiers.size(); ++t) {
    if (layer.above[t] == SIZE_MAX)
      continue;
    for (int o = 0; o < moments; ++o) {
      layer.stored[t][o].cost.assign(n + 1, kImpossible);
      layer.stored[t][o].split.assign(n + 1, 0);
    }
    searches.push_back({t,
                        layer.above[t] == self && !g.readOnce,
                        std::vector<int64_t>(n + 1, kImpossible),
                        std::vector<int32_t>(n + 1, kNarrowImpossible),
                        {}});
  }
  return searches;
}

void TieredChain::buildLayer(Layer &layer) {
  const auto n = static_cast<size_t>(g.steps);
  std::vector<Search> searches = openLayer(layer);
  if (searches.empty())
    return;
  for (int o = 0; o < moments; ++o)
    layer.held[o].split.assign(n + 1, 0);
  for (size_t l = 1; l <= n; ++l) {
    for (int o = moments - 1; o >= 0; --o)
      fillLength(layer, searches, l, o);
    for (Search &s : searches)
      offerLower(layer, s, l);
  }
}

/// The costs of a part of `l` steps: the best first split in each tier, or none
/// at all.
void TieredChain::fillLength(Layer &layer, std::vector<Search> &searches,
                             size_t l, int o) {
  const int64_t pace = g.rules.slides ? 1 : 2;
  int64_t &held = layer.held[o].cost[l];
  for (Search &s : searches) {
    Row &row = layer.stored[s.tier][o];
    BestSplit best{kImpossible};
    if (l > 1 && resident(o) + pace <= g.room())
      best = s.best(layers[layer.above[s.tier]], o, static_cast<int64_t>(l),
                    isNarrow);
    row.cost[l] = best.cost;
    row.split[l] = best.split;
    held = std::min(held, bounded(best.cost + g.tiers[s.tier].store));
  }
  if (o == 0 && mayDropOutput())
    held = std::min(held, layer.held[1].cost[l]);
  if (isNarrow)
    layer.narrow[o][l] = narrowed(held);
  for (Search &s : searches) {
    Row &row = layer.stored[s.tier][o];
    if (held < row.cost[l]) {
      row.cost[l] = held;
      row.split[l] = 0;
    }
    if (o == 0 && mayDropOutput() &&
        layer.stored[s.tier][1].cost[l] < row.cost[l]) {
      row.cost[l] = layer.stored[s.tier][1].cost[l];
      row.split[l] = 0;
    }
  }
}

/// What a part of `l` steps costs as the lower one of a longer part, and
/// whether it is worthwhile to look at it as such.
void TieredChain::offerLower(const Layer &layer, Search &s, size_t l) const {
  const auto length = static_cast<int64_t>(l);
  const Row &row = layer.stored[s.tier][0];
  const SlowTier &tier = g.tiers[s.tier];
  const int64_t lower = g.readOnce ? layer.held[0].cost[l] : row.cost[l];
  s.lower[l] = bounded(lower + length * g.forward + tier.load);
  s.narrow[l] = narrowed(s.lower[l]);
  if (!s.unlimited)
    return;
  // If the part below would be left in turn after i steps, then so might the
  // whole at once, for one more store and i forward steps less.
  int64_t i = row.split[l];
  if (i == 0 && mayDropOutput() &&
      row.cost[l] == layer.stored[s.tier][1].cost[l])
    i = layer.stored[s.tier][1].split[l];
  if (i == 0 || i * g.forward < tier.store)
    s.worthwhile.push_back(length);
}

/// The base that is always there takes no slot, and each part above it comes
/// with all slots of all tiers.
void TieredChain::buildPinned() {
  const auto n = static_cast<size_t>(g.steps);
  std::vector<int64_t> lower(n + 1, kImpossible);
  for (int o = 0; o < moments; ++o) {
    pinned[o].cost.assign(n + 1, kImpossible);
    pinned[o].split.assign(n + 1, 0);
    if (g.room() >= reverseRoom() - 1)
      pinned[o].cost[1] = reverseCost(o);
  }
  std::vector<SplitSearch> splits;
  for (int o = 0; o < moments; ++o) {
    const std::vector<int64_t> &above = layers.back().held[o].cost;
    splits.emplace_back(above, 1, isConvex(above));
  }
  bool convex = true;
  for (size_t l = 1; l <= n; ++l) {
    for (int o = moments - 1; l > 1 && o >= 0; --o) {
      BestSplit best{kImpossible};
      if (resident(o) + moving(1) <= g.room())
        best.offer(lower[1] + layers.back().held[o].cost[l - 1], 1);
      if (resident(o) + moving(2) <= g.room())
        splits[o].offer(best, lower, static_cast<int64_t>(l), convex);
      pinned[o].cost[l] = best.cost;
      pinned[o].split[l] = best.split;
    }
    lower[l] = bounded(pinned[0].cost[l] + static_cast<int64_t>(l) * g.forward);
    if (l > 2)
      convex &= lower[l] - lower[l - 1] >= lower[l - 1] - lower[l - 2];
  }
}

int64_t TieredChain::cost() const {
  const int64_t cost = costOf(whole());
  return bounded(cost + (mayDropOutput() ? g.seed : 0));
}

const TieredChain::Row &TieredChain::rowOf(const Part &p) const {
  const size_t o = p.open && moments == 2;
  if (p.base == Base::Pinned)
    return pinned[o];
  if (p.fast > 0)
    return fast[p.fast - 1][o];
  const Layer &layer = layers[p.layer];
  return p.base == Base::Stored ? layer.stored[p.tier][o] : layer.held[o];
}

int64_t TieredChain::costOf(const Part &p) const {
  return rowOf(p).cost[static_cast<size_t>(p.length)];
}

TieredChain::Part TieredChain::whole() const {
  Part p;
  p.base = g.rules.pinned ? Base::Pinned : Base::Held;
  p.open = moments == 2;
  p.layer = layers.size() - 1;
  p.length = g.steps;
  return p;
}

/// The split of a stored part whose cost comes from one.
int64_t TieredChain::findSplit(const Part &p) const {
  const Decision leave{Step::Leave};
  const Row &high = rowOf(above(p, leave)), &low = rowOf(below(p, leave));
  const int64_t cost = costOf(p) - g.tiers[p.tier].load;
  int64_t j = 1;
  while (low.cost[static_cast<size_t>(j)] + j * g.forward +
             high.cost[static_cast<size_t>(p.length - j)] !=
         cost)
    ++j;
  return j;
}

TieredChain::Decision TieredChain::decide(const Part &p) const {
  const int64_t split = rowOf(p).split[static_cast<size_t>(p.length)];
  const int64_t cost = costOf(p);
  assert(cost < kImpossible);
  const Decision dropOutput{Step::DropOutput};
  if (p.base == Base::Pinned || p.fast > 0) {
    if (p.length == 1)
      return {Step::Reverse};
    return split > 0 ? Decision{Step::Keep, split} : dropOutput;
  }
  if (p.base == Base::Stored) {
    if (split != 0)
      return {Step::Leave, split > 0 ? split : findSplit(p), p.tier};
    const Decision dropCopy{Step::DropCopy, 0, p.tier};
    return costOf(after(p, dropCopy)) == cost ? dropCopy : dropOutput;
  }
  if (costOf(after(p, {Step::Fast})) == cost)
    return {Step::Fast};
  for (size_t t = 0; t < g.tiers.size(); ++t) {
    const Decision store{Step::Store, 0, t};
    if (layers[p.layer].above[t] == SIZE_MAX)
      continue;
    const Part stored = after(p, store);
    if (rowOf(stored).split[static_cast<size_t>(p.length)] != 0 &&
        g.tiers[t].store + costOf(stored) == cost)
      return store;
  }
  return dropOutput;
}

TieredChain::Part TieredChain::after(Part p, const Decision &d) const {
  switch (d.step) {
  case Step::Fast:
    p.fast = fast.size();
    break;
  case Step::DropCopy:
    p.base = Base::Held;
    break;
  case Step::DropOutput:
    p.open = true;
    break;
  case Step::Store:
    p.base = Base::Stored;
    p.tier = d.tier;
    break;
  default:
    break;
  }
  return p;
}

TieredChain::Part TieredChain::above(Part p, const Decision &d) const {
  if (p.fast > 0)
    --p.fast;
  else if (p.base == Base::Stored)
    p.layer = layers[p.layer].above[p.tier];
  p.base = Base::Held;
  p.at += d.split;
  p.length -= d.split;
  return p;
}

TieredChain::Part TieredChain::below(Part p, const Decision &d) const {
  if (d.step == Step::Leave && g.readOnce)
    p.base = Base::Held;
  p.open = false;
  p.length = d.split;
  return p;
}
