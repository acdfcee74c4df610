//===- EnergyBound.cpp - what no order can do without ---------------------===//
//
// Soundness rests on one fact: an item u counts towards the distance of a touch
// of v by s if u is accessed between the touch of v before and this one, and is
// alive at s. Everything that is added up here is so in every legal order in
// which the touch by p is the one before.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Energy/EnergyBound.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Step;

namespace {

constexpr int64_t kImpossible = INT64_MAX / 4096;

/// Least cost of giving every row a column of its own (Hungarian method, by
/// shortest augmenting paths). Rows never outnumber columns. O(rows^2 columns).
int64_t assign(const std::vector<std::vector<int64_t>> &cost, size_t columns) {
  const size_t rows = cost.size();
  std::vector<int64_t> u(rows + 1, 0), v(columns + 1, 0);
  std::vector<size_t> owner(columns + 1, 0), way(columns + 1, 0);
  for (size_t row = 1; row <= rows; ++row) {
    owner[0] = row;
    size_t column = 0;
    std::vector<int64_t> least(columns + 1, INT64_MAX);
    std::vector<bool> used(columns + 1, false);
    do {
      used[column] = true;
      size_t next = 0;
      int64_t delta = INT64_MAX;
      for (size_t j = 1; j <= columns; ++j) {
        if (used[j])
          continue;
        int64_t reduced =
            cost[owner[column] - 1][j - 1] - u[owner[column]] - v[j];
        if (reduced < least[j]) {
          least[j] = reduced;
          way[j] = column;
        }
        if (least[j] < delta) {
          delta = least[j];
          next = j;
        }
      }
      for (size_t j = 0; j <= columns; ++j)
        if (used[j]) {
          u[owner[j]] += delta;
          v[j] -= delta;
        } else if (least[j] != INT64_MAX) {
          least[j] -= delta;
        }
      column = next;
    } while (owner[column]);
    do {
      owner[column] = owner[way[column]];
      column = way[column];
    } while (column);
  }
  int64_t sum = 0;
  for (size_t j = 1; j <= columns; ++j)
    if (owner[j])
      sum += cost[owner[j] - 1][j - 1];
  return sum;
}

/// Adds up distinct items.
class Union {
public:
  explicit Union(const TouchTable &table)
      : table(table), seen(table.items.size(), 0) {}
  void clear() {
    sum = 0;
    ++round;
  }
  void add(Id item) {
    if (seen[item] == round)
      return;
    seen[item] = round;
    sum += table.items[item].size;
  }
  int64_t bytes() const { return sum * table.unit; }

private:
  const TouchTable &table;
  std::vector<uint64_t> seen;
  uint64_t round = 0;
  int64_t sum = 0;
};

class Bounder {
public:
  Bounder(const Problem &p, const TouchTable &t, CacheModel m)
      : problem(p), table(t), model(m), between(t), byItem(t.items.size()) {
    for (Id touch = 0; touch < table.touches.size(); ++touch)
      byItem[table.touches[touch].item].push_back(touch);
    const auto &reach = table.prices.reach;
    if (reach.size() > 1)
      farthest = reach[reach.size() - 2];
  }

  EnergyBound run() {
    bound.perTouch.assign(table.touches.size(), 0);
    setFixed();
    const bool pairs = table.steps() <= kPairLimit;
    if (pairs)
      prepare();
    for (Id item = 0; item < table.items.size(); ++item)
      bound.total += pairs ? chain(item) : alone(item);
    for (int64_t f : bound.fixedPerStep)
      bound.total += f;
    return std::move(bound);
  }

private:
  /// What no order changes. A value read again by the same step may find other
  /// values of the step above it or not in the model `sutro`, as their age
  /// says: there only its own size is sure.
  void setFixed() {
    bound.fixedPerStep = table.fixedPerStep;
    if (model == CacheModel::Lru)
      return;
    std::vector<Id> readBy(problem.values.size(), kNone);
    for (size_t s = 0; s < problem.steps.size(); ++s) {
      const Step &step = problem.steps[s];
      auto size = [&](const Access &a) {
        return problem.storages[problem.values[a.value].storage].bytes;
      };
      int64_t &sum = bound.fixedPerStep[s] = 0;
      for (const Access &a : step.reads) {
        if (readBy[a.value] == s)
          sum += least(a, /*isWrite=*/false, size(a));
        readBy[a.value] = s;
      }
      for (const Access &a : step.writes)
        sum += a.bytes * table.prices.write[table.prices.tierForNew(size(a))];
    }
  }

  /// Least energy of an access at `distance` or farther. All slower tiers
  /// count: a slower one need not be the dearer one.
  int64_t least(const Access &a, bool isWrite, int64_t distance) const {
    const auto &price = isWrite ? table.prices.write : table.prices.read;
    return a.bytes * *std::min_element(
                         price.begin() + table.prices.tierAtDistance(distance),
                         price.end());
  }
  int64_t energyAt(const TouchTable::Touch &t, int64_t distance) const {
    return least({kNone, t.bytes}, t.isWrite, distance);
  }

  /// Counts what the step accesses up to the touched item.
  void startAt(const TouchTable::Touch &t) {
    between.clear();
    for (Id u = table.begin[t.step]; u < table.begin[t.step + 1]; ++u)
      if (table.touches[u].first <= t.first)
        between.add(table.touches[u].item);
  }

  int64_t alone(Id item) {
    int64_t sum = 0;
    for (Id touch : byItem[item]) {
      const auto &t = table.touches[touch];
      if (t.born)
        continue;
      startAt(t);
      sum += bound.perTouch[touch] = energyAt(t, between.bytes());
    }
    return sum;
  }

  void prepare() {
    reach.emplace(table.graph);
    const size_t n = table.steps();
    words = (n + 63) / 64;
    // Bit s of row u: item u is alive at step s in every order, once made.
    alive.assign(table.items.size() * words, 0);
    for (const auto &t : table.touches) {
      uint64_t *row = &alive[t.item * words];
      const uint64_t *earlier = reach->ancestors.row(t.step);
      for (size_t w = 0; w < words; ++w)
        row[w] |= earlier[w];
      row[t.step / 64] |= uint64_t(1) << (t.step % 64);
    }
    for (size_t item = 0; item < table.items.size(); ++item) {
      if (table.items[item].stays)
        std::fill_n(alive.begin() + item * words, words, ~uint64_t(0));
      if (table.items[item].initialRank >= 0)
        initial.push_back(item);
    }
    std::sort(initial.begin(), initial.end(), [&](Id a, Id b) {
      return table.items[a].initialRank < table.items[b].initialRank;
    });
  }
  bool isAlive(Id item, Id step) const {
    return alive[item * words + step / 64] >> (step % 64) & 1;
  }
  bool precedes(Id a, Id b) const { return reach->descendants.test(a, b); }

  void addStep(Id x, Id s) {
    for (Id u = table.begin[x]; u < table.begin[x + 1]; ++u)
      if (isAlive(table.touches[u].item, s))
        between.add(table.touches[u].item);
  }
  /// Steps in both rows lie between; stops once no tier is left to lose.
  void addSteps(const uint64_t *after, const uint64_t *beforeRow, Id s) {
    for (size_t w = 0; w < words; ++w) {
      uint64_t bits = beforeRow[w] & (after ? after[w] : ~uint64_t(0));
      for (; bits; bits &= bits - 1) {
        addStep(w * 64 + __builtin_ctzll(bits), s);
        if (between.bytes() > farthest)
          return;
      }
    }
  }

  /// Least energy of touch `t` right after touch `p` of the same item (kNone:
  /// the initial stack).
  int64_t following(const TouchTable::Touch &t, Id before) {
    const auto &touches = byItem[t.item];
    const Id p = before == kNone ? kNone : table.touches[before].step;
    if (p != kNone && precedes(t.step, p))
      return kImpossible;
    for (Id other : touches) {
      const Id x = table.touches[other].step;
      if (x != p && x != t.step && precedes(x, t.step) &&
          (p == kNone || precedes(p, x)))
        return kImpossible;
    }
    startAt(t);
    if (p == kNone) {
      // What stood above it at the start never leaves.
      for (Id u : initial) {
        between.add(u);
        if (u == t.item)
          break;
      }
      addSteps(nullptr, reach->ancestors.row(t.step), t.step);
    } else {
      if (model == CacheModel::Lru)
        for (Id u = table.begin[p]; u < table.begin[p + 1]; ++u)
          if (table.touches[u].last > table.touches[before].last &&
              isAlive(table.touches[u].item, t.step))
            between.add(table.touches[u].item);
      if (precedes(p, t.step))
        addSteps(reach->descendants.row(p), reach->ancestors.row(t.step),
                 t.step);
    }
    return energyAt(t, between.bytes());
  }

  int64_t chain(Id item) {
    // Pairs and the assignment are cubic; items touched everywhere do without.
    if (byItem[item].size() > 128)
      return alone(item);
    std::vector<Id> before;
    if (table.items[item].initialRank >= 0)
      before.push_back(kNone);
    before.insert(before.end(), byItem[item].begin(), byItem[item].end());
    std::vector<std::vector<int64_t>> cost;
    int64_t sum = 0;
    for (Id touch : byItem[item]) {
      const auto &t = table.touches[touch];
      if (t.born)
        continue;
      std::vector<int64_t> row;
      for (Id p : before)
        row.push_back(p == touch ? kImpossible : following(t, p));
      int64_t least = *std::min_element(row.begin(), row.end());
      sum += bound.perTouch[touch] = least;
      cost.push_back(std::move(row));
    }
    return cost.size() < 2 ? sum : std::max(sum, assign(cost, before.size()));
  }

  const Problem &problem;
  const TouchTable &table;
  CacheModel model;
  Union between;
  std::vector<std::vector<Id>> byItem;
  std::vector<Id> initial;
  int64_t farthest = kUnbounded;
  std::optional<Reachability> reach;
  size_t words = 0;
  std::vector<uint64_t> alive;
  EnergyBound bound;
};

} // namespace

EnergyBound pebble::graph::boundEnergy(const Problem &problem,
                                       const TouchTable &table,
                                       CacheModel model) {
  return Bounder(problem, table, model).run();
}
