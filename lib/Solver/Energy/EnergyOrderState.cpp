//===- EnergyOrderState.cpp - an order's energy, kept up to date ----------===//
//
// The arithmetic of exchanging two neighbouring steps. Notation in comments: r
// runs first and s second before the exchange; for an item u, P(u) is the time
// of its last access before both steps (-infinity if one of them makes it) and
// N(u) the time of its first access after both (infinity if it has none but
// stays, -infinity if it is dead by then). Neither changes with the exchange.
//
//===----------------------------------------------------------------------===//

#include "EnergyOrderState.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace pebble;
using namespace pebble::graph;

namespace {

template <typename Word>
constexpr Word kNeverBefore = std::numeric_limits<Word>::min();
template <typename Word>
constexpr Word kDead = std::numeric_limits<Word>::min();
template <typename Word>
constexpr Word kForever = std::numeric_limits<Word>::max();

/// Entries of a vector register of the baseline machine.
template <typename Word>
constexpr int32_t kLanes = 16 / sizeof(Word);

/// A vector register of it.
template <typename Word>
struct Lanes {
  typedef Word Type
      __attribute__((vector_size(16), aligned(sizeof(Word)), may_alias));
};

} // namespace

template <typename Word>
EnergyOrderState<Word>::EnergyOrderState(const TouchTable &t,
                                         const std::vector<Id> &order,
                                         int64_t peakLimit)
    : table(t), limit(peakLimit) {
  reach.push_back(-1);
  for (size_t i = 0; i + 1 < table.prices.size(); ++i)
    reach.push_back(static_cast<Word>(std::min<int64_t>(
        table.prices.reach[i] / table.unit, kForever<Word> - 1)));
  reach.push_back(kForever<Word>);
  for (size_t i = 0; i < table.prices.size(); ++i) {
    price.push_back(table.prices.read[i]);
    price.push_back(table.prices.write[i]);
  }
  for (Side *side : {&first, &second})
    for (auto *list :
         {&side->size, &side->own, &side->first, &side->last, &side->previous,
          &side->next, &side->above, &side->below, &side->partnerLast})
      list->resize(table.widest + kLanes<Word>);
  for (Side *side : {&first, &second})
    side->partner.resize(table.widest);
  reset(order);
}

template <typename Word>
void EnergyOrderState<Word>::reset(const std::vector<Id> &order) {
  steps = order;
  at.resize(steps.size());
  for (size_t i = 0; i < steps.size(); ++i)
    at[steps[i]] = i;
  forget();
  first.step = second.step = kNone;
  link();
  computeDistances();
  if (limit != kUnbounded)
    computePeak();
}

template <typename Word>
void EnergyOrderState<Word>::link() {
  hot.resize(table.touches.size());
  std::vector<Id> newest(table.items.size(), kNone);
  for (Id step : steps)
    for (Id t = table.begin[step]; t < table.begin[step + 1]; ++t) {
      const auto &touch = table.touches[t];
      const auto &item = table.items[touch.item];
      Hot &h = hot[t];
      h = {};
      h.size = static_cast<Word>(item.size);
      h.before = newest[touch.item];
      h.step = step;
      h.first = touch.first;
      h.last = touch.last;
      h.born = touch.born;
      h.stays = item.stays;
      h.isWrite = touch.isWrite;
      h.bytes = touch.bytes;
      if (h.before != kNone)
        hot[h.before].after = t;
      newest[touch.item] = t;
    }
}

template <typename Word>
void EnergyOrderState<Word>::computeDistances() {
  // Moments: the initial stack, then one per touch in order of last access; a
  // step's first accesses see what the step accessed before.
  const size_t initial = table.items.size();
  std::vector<Word> tree(initial + hot.size() * 2 + 1, 0);
  Word all = 0;
  auto add = [&](size_t moment, Word size) {
    all += size;
    for (size_t i = moment + 1; i < tree.size(); i += i & -i)
      tree[i] += size;
  };
  auto since = [&](size_t moment) {
    Word before = 0;
    for (size_t i = moment; i > 0; i -= i & -i)
      before += tree[i];
    return static_cast<Word>(all - before);
  };
  std::vector<size_t> moment(table.items.size(), SIZE_MAX);
  for (size_t i = 0; i < table.items.size(); ++i)
    if (table.items[i].initialRank >= 0) {
      moment[i] = initial - 1 - table.items[i].initialRank;
      add(moment[i], table.items[i].size);
    }
  total = std::accumulate(table.fixedPerStep.begin(), table.fixedPerStep.end(),
                          int64_t(0));
  size_t now = initial;
  std::vector<std::pair<int32_t, Id>> events;
  for (Id step : steps) {
    events.clear();
    for (Id t = table.begin[step]; t < table.begin[step + 1]; ++t) {
      events.push_back({hot[t].first, t});
      if (hot[t].last != hot[t].first)
        events.push_back({hot[t].last, t});
    }
    std::sort(events.begin(), events.end());
    for (auto [rank, t] : events) {
      const Id item = table.touches[t].item;
      Hot &h = hot[t];
      if (moment[item] != SIZE_MAX) {
        if (rank == h.first) {
          h.distance = since(moment[item]);
          setTier(h, tierAt(h.distance));
          total += energyOf(h);
        }
        add(moment[item], -h.size);
      }
      moment[item] = now++;
      add(moment[item], h.size);
    }
    for (Id t = table.begin[step]; t < table.begin[step + 1]; ++t)
      if (hot[t].after == kNone && !hot[t].stays) {
        const Id item = table.touches[t].item;
        add(moment[item], -hot[t].size);
        moment[item] = SIZE_MAX;
      }
  }
}

template <typename Word>
void EnergyOrderState<Word>::computePeak() {
  liveBefore.assign(steps.size() + 1, 0);
  liveDuring.assign(steps.size(), 0);
  overLimit = 0;
  int64_t live = table.initialLive;
  for (size_t i = 0; i < steps.size(); ++i) {
    const Id step = steps[i];
    liveBefore[i] = live;
    for (Id t = table.begin[step]; t < table.begin[step + 1]; ++t)
      if (hot[t].born)
        live += table.items[table.touches[t].item].footprint;
    liveDuring[i] = live + table.scratch[step];
    overLimit += std::max<int64_t>(0, liveDuring[i] - limit);
    for (Id t = table.begin[step]; t < table.begin[step + 1]; ++t) {
      const auto &item = table.items[table.touches[t].item];
      if (hot[t].after == kNone && !item.kept)
        live -= item.footprint;
    }
  }
  liveBefore[steps.size()] = live;
}

template <typename Word>
Id EnergyOrderState<Word>::earliest(Id step) const {
  Id bound = 0;
  for (Id p : table.graph.predecessors(step))
    bound = std::max(bound, at[p] + 1);
  return bound;
}

template <typename Word>
Id EnergyOrderState<Word>::latest(Id step) const {
  Id bound = steps.size() - 1;
  for (Id s : table.graph.successors(step))
    bound = std::min(bound, at[s] - 1);
  return bound;
}

template <typename Word>
inline void EnergyOrderState<Word>::loadTouch(Side &side, int32_t i) {
  const Hot &h = hot[side.begin + i];
  const Word ranks = table.ranks;
  side.size[i] = side.own[i] = h.size;
  side.first[i] = h.first;
  side.last[i] = h.last;
  side.partner[i] = -1;
  side.partnerLast[i] = -1;
  if (h.before != kNone) {
    const Hot &b = hot[h.before];
    side.previous[i] = static_cast<Word>(at[b.step]) * ranks + b.last;
  } else if (h.born) {
    side.previous[i] = kNeverBefore<Word>;
  } else {
    const Id item = table.touches[side.begin + i].item;
    side.previous[i] = -2 - table.items[item].initialRank;
  }
  if (h.after != kNone) {
    const Hot &a = hot[h.after];
    side.next[i] = static_cast<Word>(at[a.step]) * ranks + a.first;
  } else {
    side.next[i] = h.stays ? kForever<Word> : kDead<Word>;
  }
}

template <typename Word>
void EnergyOrderState<Word>::load(Side &side, Id step) {
  side.alive = 0;
  // A step that is carried along is loaded already: since its last exchange
  // only the items that it shared then have other neighbours in time.
  if (side.step == step) {
    for (int32_t i = 0; i < side.count; ++i)
      if (side.partner[i] >= 0)
        loadTouch(side, i);
    return;
  }
  side.step = step;
  side.begin = table.begin[step];
  side.count = table.begin[step + 1] - side.begin;
  for (int32_t i = 0; i < side.count; ++i)
    loadTouch(side, i);
  for (int32_t i = side.count; i % kLanes<Word>; ++i)
    side.size[i] = side.own[i] = 0;
}

template <typename Word>
void EnergyOrderState<Word>::joinSides() {
  shared.clear();
  const Id begin = second.begin;
  const Id count = second.count;
  for (int32_t x = 0; x < first.count; ++x) {
    const Id y = hot[first.begin + x].after - begin;
    if (y < count) {
      shared.push_back({x, y});
      first.partner[x] = y;
      second.partner[y] = x;
      first.partnerLast[x] = second.last[y];
      second.partnerLast[y] = first.last[x];
      first.next[x] = second.next[y];
      second.previous[y] = first.previous[x];
      first.own[x] = second.own[y] = 0;
    }
  }
  for (Side *side : {&first, &second})
    for (int32_t i = 0; i < side->count; ++i)
      side->alive += side->next[i] != kDead<Word> ? side->own[i] : 0;
}

/// For all touches v of `side` at once, over the items u of `other`:
///   above[v]: the items with P(u) > P(v)
///   below[v]: the items with N(u) > N(v)
/// An item u that both touch is above v before and after the exchange if `side`
/// touches it before v, and left out of above[v] otherwise where P(u) < P(v);
/// likewise it is below v only if `side` touches it last before v.
template <typename Word>
void EnergyOrderState<Word>::compare(Side &side, const Side &other) {
  using Vector = typename Lanes<Word>::Type;
  const bool isFirst = &side == &first;
  for (int32_t v = 0; v < side.count; v += kLanes<Word>) {
    auto lanes = [v](std::vector<Word> &list) -> Vector & {
      return *reinterpret_cast<Vector *>(&list[v]);
    };
    const Vector previous = lanes(side.previous), next = lanes(side.next);
    Vector above = {}, below = {};
    for (int32_t u = 0; u < other.count; ++u) {
      const Vector own = Vector{} + other.own[u];
      above += own & (Vector{} + other.previous[u] > previous);
      below += own & (Vector{} + other.next[u] > next);
    }
    for (auto [x, y] : shared) {
      const int32_t u = isFirst ? x : y;
      const Vector size = Vector{} + side.size[u];
      above -= size & (Vector{} + side.first[u] > lanes(side.first)) &
               (Vector{} + side.previous[u] < previous);
      below += size & (Vector{} + side.last[u] < lanes(side.last)) &
               (Vector{} + side.next[u] > next);
    }
    lanes(side.above) = above;
    lanes(side.below) = below;
  }
}

template <typename Word>
uint8_t EnergyOrderState<Word>::tierAt(Word distance) const {
  uint8_t tier = 0;
  while (distance > reach[tier + 1])
    ++tier;
  return tier;
}

template <typename Word>
void EnergyOrderState<Word>::setTier(Hot &h, uint8_t tier) {
  h.tier = tier;
  h.low = reach[tier];
  h.high = reach[tier + 1];
}

template <typename Word>
inline void EnergyOrderState<Word>::addDistance(Id touch, Word delta) {
  if (!delta)
    return;
  Hot &h = hot[touch];
  changes[changed++] = {touch, h.distance, h.tier};
  h.distance += delta;
  if (h.distance > h.low && h.distance <= h.high)
    return;
  total -= energyOf(h);
  setTier(h, tierAt(h.distance));
  total += energyOf(h);
}

/// Items that one of the two steps touches. Touches of s come before r now:
/// what r touched is no longer above them for that, only where it was already;
/// and it is above their items from now on. The other way round for touches of
/// r.
template <typename Word>
void EnergyOrderState<Word>::moveOthers() {
  for (int32_t y = 0; y < second.count; ++y) {
    if (second.partner[y] >= 0)
      continue;
    const Hot &h = hot[second.begin + y];
    const Id after = h.after;
    if (!h.born)
      addDistance(second.begin + y, second.above[y] - first.alive);
    if (after != kNone)
      addDistance(after, second.below[y]);
  }
  for (int32_t x = 0; x < first.count; ++x) {
    if (first.partner[x] >= 0)
      continue;
    const Hot &h = hot[first.begin + x];
    const Id after = h.after;
    if (!h.born)
      addDistance(first.begin + x, second.alive - first.above[x]);
    if (after != kNone)
      addDistance(after, -first.below[x]);
  }
}

/// Items v that both steps touch. Where v stood before both, with what r
/// touches before v taken back and what s touches before v put on, gives its
/// distance in s; what lies between its two touches gives its distance in r;
/// and what r or s touches after v is above v at its next touch.
template <typename Word>
void EnergyOrderState<Word>::moveShared() {
  using Vector = typename Lanes<Word>::Type;
  auto lanes = [](const std::vector<Word> &list, int32_t u) {
    return *reinterpret_cast<const Vector *>(&list[u]);
  };
  for (auto [x, y] : shared) {
    const Word previous = first.previous[x], next = first.next[x];
    const Word lastRank = second.last[y];
    Vector inFirst = {}, inSecond = {}, later = {};
    for (int32_t u = 0; u < first.count; u += kLanes<Word>) {
      const Vector size = lanes(first.size, u);
      const Vector isBefore = lanes(first.first, u) < first.first[x];
      inSecond -= size & isBefore & (lanes(first.previous, u) < previous);
      inFirst += size & isBefore & (lanes(first.partnerLast, u) < lastRank);
      later += size & (lanes(first.last, u) > first.last[x]) &
               (lanes(first.next, u) > next);
    }
    for (int32_t u = 0; u < second.count; u += kLanes<Word>) {
      const Vector size = lanes(second.size, u);
      const Vector isAfter = lanes(second.last, u) > lastRank;
      const Vector isAlive = (lanes(second.partnerLast, u) >= 0) |
                             (lanes(second.next, u) != kDead<Word>);
      inSecond += size & (lanes(second.first, u) < second.first[y]) &
                  (lanes(second.previous, u) < previous);
      inFirst += size & isAfter & isAlive;
      later -= size & isAfter & (lanes(second.next, u) > next);
    }
    Word sums[3] = {0, 0, 0};
    for (int32_t l = 0; l < kLanes<Word>; ++l) {
      sums[0] += inFirst[l];
      sums[1] += inSecond[l];
      sums[2] += later[l];
    }
    const Id r = first.begin + x, s = second.begin + y;
    if (hot[s].after != kNone)
      addDistance(hot[s].after, sums[2]);
    const Word distance = hot[r].distance;
    addDistance(r, first.size[x] + sums[0] - distance);
    addDistance(s, distance + sums[1] - hot[s].distance);
  }
}

template <typename Word>
void EnergyOrderState<Word>::swap(Id i) {
  const Id r = steps[i], s = steps[i + 1];
  load(first, r);
  load(second, s);
  joinSides();
  compare(first, second);
  compare(second, first);
  swaps.push_back({i, changed, total, overLimit, 0, 0, 0});
  if (changed + 4 * table.widest > changes.size())
    changes.resize(2 * changes.size() + 4 * table.widest);
  moveOthers();
  if (limit != kUnbounded)
    swapPeak(i);
  if (!shared.empty()) {
    moveShared();
    relink(r, s);
  }
  std::swap(steps[i], steps[i + 1]);
  at[r] = i + 1;
  at[s] = i;
}

template <typename Word>
void EnergyOrderState<Word>::relink(Id r, Id s) {
  const Id begin = table.begin[s], end = table.begin[s + 1];
  for (Id x = table.begin[r]; x < table.begin[r + 1]; ++x) {
    const Id y = hot[x].after;
    if (y < begin || y >= end)
      continue;
    const Id previous = hot[x].before, next = hot[y].after;
    hot[y].before = previous;
    hot[y].after = x;
    hot[x].before = y;
    hot[x].after = next;
    if (previous != kNone)
      hot[previous].after = y;
    if (next != kNone)
      hot[next].before = x;
  }
}

template <typename Word>
void EnergyOrderState<Word>::swapPeak(Id i) {
  Swap &undo = swaps.back();
  undo.before = liveBefore[i + 1];
  undo.during = liveDuring[i];
  undo.duringNext = liveDuring[i + 1];
  int64_t live = liveBefore[i];
  int64_t made[2] = {0, 0}, freed = 0;
  for (int32_t y = 0; y < second.count; ++y) {
    const Hot &h = hot[second.begin + y];
    const auto &item = table.items[table.touches[second.begin + y].item];
    if (h.born)
      made[1] += item.footprint;
    if (h.after == kNone && second.partner[y] < 0 && !item.kept)
      freed += item.footprint;
  }
  for (int32_t x = 0; x < first.count; ++x)
    if (hot[first.begin + x].born)
      made[0] += table.items[table.touches[first.begin + x].item].footprint;
  auto over = [&](Id k) { return std::max<int64_t>(0, liveDuring[k] - limit); };
  overLimit -= over(i) + over(i + 1);
  liveDuring[i] = live + made[1] + table.scratch[steps[i + 1]];
  liveBefore[i + 1] = live + made[1] - freed;
  liveDuring[i + 1] = liveBefore[i + 1] + made[0] + table.scratch[steps[i]];
  overLimit += over(i) + over(i + 1);
}

template <typename Word>
void EnergyOrderState<Word>::undoTo(size_t count) {
  if (swaps.size() > count)
    first.step = second.step = kNone;
  while (swaps.size() > count) {
    const Swap &swap = swaps.back();
    while (changed > swap.changes) {
      const Change &change = changes[--changed];
      Hot &h = hot[change.touch];
      h.distance = change.distance;
      if (h.tier != change.tier)
        setTier(h, change.tier);
    }
    total = swap.total;
    const Id i = swap.at;
    if (limit != kUnbounded) {
      overLimit = swap.overLimit;
      liveBefore[i + 1] = swap.before;
      liveDuring[i] = swap.during;
      liveDuring[i + 1] = swap.duringNext;
    }
    relink(steps[i], steps[i + 1]);
    std::swap(steps[i], steps[i + 1]);
    at[steps[i]] = i;
    at[steps[i + 1]] = i + 1;
    swaps.pop_back();
  }
}

template class pebble::graph::EnergyOrderState<int32_t>;
template class pebble::graph::EnergyOrderState<int64_t>;
