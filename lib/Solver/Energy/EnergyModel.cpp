//===- EnergyModel.cpp - what the accesses of an order cost ---------------===//
//
// Both models keep a stack sorted by recency and ask how many bytes stand above
// an entry. The stack is a Fenwick tree over moments: the size of an entry
// stands at the moment of its last touch, so bytes above it are a suffix sum.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Energy/EnergyModel.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Inclusion;
using game::Step;
using game::Tier;
using game::TierKind;
using game::Value;

const char *pebble::graph::toString(CacheModel model) {
  return model == CacheModel::Lru ? "lru" : "sutro";
}

std::optional<CacheModel>
pebble::graph::parseCacheModel(const std::string &name) {
  for (CacheModel model : {CacheModel::Lru, CacheModel::Sutro})
    if (name == toString(model))
      return model;
  return std::nullopt;
}

TierPrices::TierPrices(const Hierarchy &hierarchy) {
  int64_t sum = 0;
  size_t count = std::min(hierarchy.computeTier() + 1, hierarchy.tiers.size());
  for (size_t i = 0; i < count; ++i) {
    const Tier &tier = hierarchy.tiers[i];
    int64_t capacity =
        tier.kind == TierKind::Cache ? tier.capacity : kUnbounded;
    sum = capacity > kUnbounded - sum ? kUnbounded : sum + capacity;
    reach.push_back(hierarchy.inclusion == Inclusion::Exclusive ? sum
                                                                : capacity);
    room.push_back(capacity);
    read.push_back(tier.readEnergy);
    write.push_back(tier.writeEnergy);
  }
  if (reach.empty()) {
    reach = room = {kUnbounded};
    read = write = {0};
  }
}

namespace {

/// Sums over moments. Moments count from 0.
class Moments {
public:
  explicit Moments(size_t count) : tree(count + 1, 0) {}
  void add(size_t moment, int64_t bytes) {
    total += bytes;
    for (size_t i = moment + 1; i < tree.size(); i += i & -i)
      tree[i] += bytes;
  }
  /// Bytes at `moment` and later.
  int64_t since(size_t moment) const {
    int64_t before = 0;
    for (size_t i = moment; i > 0; i -= i & -i)
      before += tree[i];
    return total - before;
  }

private:
  std::vector<int64_t> tree;
  int64_t total = 0;
};

/// Adds up what accesses cost.
class Meter {
public:
  Meter(const Problem &problem, bool keepAccesses)
      : prices(problem.hierarchy), keep(keepAccesses) {
    report.perTier.assign(prices.size(), 0);
  }
  void reuse(Id step, const Access &a, bool isWrite, int64_t distance) {
    charge(step, a, isWrite, distance, prices.tierAtDistance(distance));
  }
  void fresh(Id step, const Access &a, int64_t bytes) {
    charge(step, a, /*isWrite=*/true, bytes, prices.tierForNew(bytes));
  }
  EnergyReport report;

private:
  void charge(Id step, const Access &a, bool isWrite, int64_t distance,
              size_t tier) {
    int64_t energy =
        a.bytes * (isWrite ? prices.write[tier] : prices.read[tier]);
    report.total += energy;
    report.perTier[tier] += energy;
    if (keep)
      report.accesses.push_back(
          {step, a.value, isWrite, distance, tier, energy});
  }
  TierPrices prices;
  bool keep;
};

constexpr size_t kNever = SIZE_MAX;

EnergyReport priceLru(const Problem &p, const std::vector<Id> &order,
                      bool keepAccesses) {
  const size_t count = p.storages.size();
  size_t accesses = 0;
  std::vector<size_t> lastStep(count, kNever);
  for (size_t i = 0; i < order.size(); ++i) {
    const Step &step = p.steps[order[i]];
    for (const auto *list : {&step.reads, &step.writes})
      for (const Access &a : *list)
        lastStep[p.values[a.value].storage] = i, ++accesses;
  }
  std::vector<bool> stays(count, false);
  for (const Value &v : p.values)
    if (v.required)
      stays[v.storage] = true;

  Moments stack(accesses + count);
  std::vector<size_t> at(count, kNever);
  size_t now = 0;
  // The first initial storage is the newest of them.
  for (size_t s = count; s-- > 0;)
    if (p.storages[s].initial) {
      stays[s] = true;
      at[s] = now++;
      stack.add(at[s], p.storages[s].bytes);
    }

  Meter meter(p, keepAccesses);
  for (size_t i = 0; i < order.size(); ++i) {
    const Step &step = p.steps[order[i]];
    for (const auto *list : {&step.reads, &step.writes}) {
      const bool isWrite = list == &step.writes;
      for (const Access &a : *list) {
        const Id s = p.values[a.value].storage;
        const int64_t bytes = p.storages[s].bytes;
        if (at[s] == kNever) {
          meter.fresh(order[i], a, bytes);
        } else {
          meter.reuse(order[i], a, isWrite, stack.since(at[s]));
          stack.add(at[s], -bytes);
        }
        at[s] = now++;
        stack.add(at[s], bytes);
      }
    }
    for (const auto *list : {&step.reads, &step.writes})
      for (const Access &a : *list) {
        const Id s = p.values[a.value].storage;
        if (lastStep[s] == i && !stays[s] && at[s] != kNever) {
          stack.add(at[s], -p.storages[s].bytes);
          at[s] = kNever;
        }
      }
  }
  return std::move(meter.report);
}

/// Prices an order as the published experiment does (SutroYaro,
/// exp_pebble_game). What stands on the stack is known beforehand, so every
/// touch of a value has its moment before the first one is priced.
class SutroPricing {
public:
  SutroPricing(const Problem &p, const std::vector<Id> &order)
      : problem(p), order(order), made(p.values.size(), kNever),
        touched(order.size()), leaving(order.size()), base(order.size()),
        at(p.values.size(), kNever) {
    followValues();
    giveMoments();
  }

  EnergyReport run(bool keepAccesses) {
    Moments stack(moments);
    for (size_t i = 0; i < initial.size(); ++i)
      touch(stack, initial[i], i);
    Meter meter(problem, keepAccesses);
    for (size_t i = 0; i < order.size(); ++i) {
      const Step &step = problem.steps[order[i]];
      for (const Access &a : step.reads) {
        meter.reuse(order[i], a, /*isWrite=*/false, stack.since(at[a.value]));
        touch(stack, a.value, momentOf(i, a.value));
      }
      for (const Access &a : step.writes) {
        meter.fresh(order[i], a, size(a.value));
        touch(stack, a.value, momentOf(i, a.value));
      }
      for (Id v : leaving[i]) {
        stack.add(at[v], -size(v));
        at[v] = kNever;
      }
    }
    return std::move(meter.report);
  }

private:
  /// When each value was made (its rank among all), what each position
  /// touches, and what leaves after it: a value goes with its last reader, at
  /// least one step after its producer.
  void followValues() {
    const size_t steps = order.size();
    std::vector<size_t> leaves(made.size(), kNever);
    size_t rank = 0;
    for (size_t v = 0; v < made.size(); ++v)
      if (problem.values[v].producer == kNone) {
        made[v] = rank++;
        initial.push_back(v);
      }
    for (size_t i = 0; i < steps; ++i) {
      const Step &step = problem.steps[order[i]];
      for (const Access &a : step.writes) {
        made[a.value] = rank++;
        leaves[a.value] = i + 1;
      }
      for (const Access &a : step.reads)
        if (problem.values[a.value].producer != kNone)
          leaves[a.value] = std::max(leaves[a.value], i);
      for (const auto *list : {&step.reads, &step.writes})
        for (const Access &a : *list)
          touched[i].push_back(a.value);
    }
    for (size_t v = 0; v < leaves.size(); ++v)
      if (leaves[v] < steps)
        leaving[leaves[v]].push_back(v);
  }

  /// A moment for each value that a step touches, the one made first latest, so
  /// that moments sort as the model's stack does.
  void giveMoments() {
    auto later = [&](Id a, Id b) { return madeLater(a, b); };
    std::sort(initial.begin(), initial.end(), later);
    moments = initial.size();
    for (size_t i = 0; i < order.size(); ++i) {
      auto &list = touched[i];
      std::sort(list.begin(), list.end(), later);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      base[i] = moments;
      moments += list.size();
    }
  }

  bool madeLater(Id a, Id b) const { return made[a] > made[b]; }
  size_t momentOf(size_t position, Id v) const {
    const auto &list = touched[position];
    auto it = std::lower_bound(list.begin(), list.end(), v,
                               [&](Id a, Id b) { return madeLater(a, b); });
    return base[position] + (it - list.begin());
  }
  int64_t size(Id v) const {
    return problem.storages[problem.values[v].storage].bytes;
  }
  void touch(Moments &stack, Id v, size_t moment) {
    if (at[v] != kNever)
      stack.add(at[v], -size(v));
    at[v] = moment;
    stack.add(moment, size(v));
  }

  const Problem &problem;
  const std::vector<Id> &order;
  std::vector<size_t> made;
  std::vector<Id> initial;
  std::vector<std::vector<Id>> touched, leaving;
  std::vector<size_t> base;
  size_t moments = 0;
  std::vector<size_t> at; ///< moment of the last touch of each value
};

EnergyReport priceSutro(const Problem &p, const std::vector<Id> &order,
                        bool keepAccesses) {
  return SutroPricing(p, order).run(keepAccesses);
}

EnergyReport price(const Problem &problem, const std::vector<Id> &order,
                   CacheModel model, bool keepAccesses) {
  return model == CacheModel::Lru ? priceLru(problem, order, keepAccesses)
                                  : priceSutro(problem, order, keepAccesses);
}

} // namespace

EnergyReport pebble::graph::evaluateEnergy(const Problem &problem,
                                           const std::vector<Id> &order,
                                           CacheModel model) {
  return price(problem, order, model, /*keepAccesses=*/true);
}

int64_t pebble::graph::energyOfOrder(const Problem &problem,
                                     const std::vector<Id> &order,
                                     CacheModel model) {
  return price(problem, order, model, /*keepAccesses=*/false).total;
}

double pebble::graph::averageReuseDistance(const Problem &p,
                                           const std::vector<Id> &order) {
  int64_t clock = 0;
  std::vector<int64_t> written(p.storages.size(), 0);
  for (size_t s = 0; s < p.storages.size(); ++s)
    if (p.storages[s].initial) {
      written[s] = clock;
      clock += p.storages[s].bytes;
    }
  __int128 weighted = 0;
  int64_t readBytes = 0;
  for (Id id : order) {
    const Step &step = p.steps[id];
    for (const Access &a : step.reads) {
      weighted += static_cast<__int128>(a.bytes) *
                  (clock - written[p.values[a.value].storage]);
      readBytes += a.bytes;
      clock += a.bytes;
    }
    for (const Access &a : step.writes) {
      written[p.values[a.value].storage] = clock;
      clock += a.bytes;
    }
  }
  return readBytes
             ? static_cast<double>(weighted) / static_cast<double>(readBytes)
             : 0.0;
}
