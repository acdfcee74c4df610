//===- EnergyFixtures.h - problems that energy tests share ------*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_ENERGYFIXTURES_H
#define PEBBLE_TEST_UNIT_SOLVER_ENERGYFIXTURES_H

#include "SparseParity.h"

#include "pebble/Solver/Game/Problem.h"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace pebble::test {

using namespace game;

/// The machine of the published sparse-parity experiment.
inline Hierarchy sutro() {
  Hierarchy h;
  h.name = "sutro";
  h.inclusion = Inclusion::Exclusive;
  auto add = [&](const char *name, TierKind kind, int64_t capacity,
                 int64_t energy) {
    Tier tier;
    tier.name = name;
    tier.kind = kind;
    tier.capacity = capacity;
    tier.readEnergy = tier.writeEnergy = energy;
    h.tiers.push_back(tier);
  };
  add("register", TierKind::Cache, 256, 1250);
  add("l1", TierKind::Cache, 64 << 10, 5000);
  add("l2", TierKind::Cache, 256 << 10, 25000);
  add("hbm", TierKind::Explicit, kUnbounded, 160000);
  return h;
}

/// The sparse-parity training step on that machine.
inline Problem parityOnSutro() {
  Problem p = sparseParity();
  p.hierarchy = sutro();
  return p;
}

/// The first five steps of the sparse-parity step, then `rest` by name.
inline std::vector<Id> parityOrder(const Problem &p,
                                   const std::vector<std::string> &rest) {
  std::vector<Id> order = {0, 1, 2, 3, 4};
  for (Id s : orderByNames(p, rest))
    order.push_back(s);
  return order;
}

/// Calls `visit` with every order that respects `edges`.
inline void
forEachOrder(size_t steps, const std::vector<Precedence> &edges,
             const std::function<void(const std::vector<Id> &)> &visit) {
  std::vector<std::vector<Id>> after(steps);
  std::vector<unsigned> missing(steps, 0);
  for (const Precedence &e : edges) {
    after[e.before].push_back(e.after);
    ++missing[e.after];
  }
  std::vector<Id> order;
  std::vector<bool> done(steps, false);
  std::function<void()> extend = [&] {
    if (order.size() == steps)
      return visit(order);
    for (Id s = 0; s < steps; ++s) {
      if (done[s] || missing[s])
        continue;
      done[s] = true;
      order.push_back(s);
      for (Id next : after[s])
        --missing[next];
      extend();
      for (Id next : after[s])
        ++missing[next];
      order.pop_back();
      done[s] = false;
    }
  };
  extend();
}

/// A random problem that uses everything a problem can say: initial storages,
/// several results, updates in place, partial and repeated reads, dead and
/// required results, effects. Sizes fit caches of 8, 24 and 64 bytes.
inline Problem randomProblem(unsigned seed, size_t steps,
                             bool updatesInPlace = true) {
  std::mt19937 rng(seed);
  auto roll = [&](unsigned n) { return static_cast<unsigned>(rng() % n); };
  Problem p;
  p.hierarchy = sutro();
  p.hierarchy.inclusion = roll(2) ? Inclusion::Exclusive : Inclusion::Inclusive;
  const int64_t capacities[] = {8, 24, 64};
  for (unsigned i = 0; i < 3; ++i) {
    p.hierarchy.tiers[i].capacity = capacities[i];
    p.hierarchy.tiers[i].writeEnergy += roll(500);
  }
  std::vector<Id> live;
  auto fresh = [&](Id producer) {
    Storage s;
    s.bytes = 1 + roll(16);
    s.footprint = roll(8) ? s.bytes : 0;
    s.initial = producer == kNone;
    s.pinned = s.initial && roll(2);
    Value v;
    v.storage = p.storages.size();
    v.producer = producer;
    v.required = !roll(6);
    p.storages.push_back(s);
    p.values.push_back(v);
    live.push_back(p.values.size() - 1);
    return live.back();
  };
  for (unsigned i = roll(4); i > 0; --i)
    fresh(kNone);
  for (Id s = 0; s < steps; ++s) {
    Step step;
    for (unsigned i = live.empty() ? 0 : roll(4); i > 0; --i) {
      Id v = live[roll(live.size())];
      int64_t all = p.storages[p.values[v].storage].bytes;
      step.reads.push_back({v, roll(4) ? all : 1 + roll(all)});
    }
    step.scratch = roll(3) ? 0 : roll(10);
    unsigned results = roll(5) ? 1 : roll(3);
    for (unsigned i = 0; i < results; ++i) {
      Id v = fresh(s);
      step.writes.push_back({v, p.storages[p.values[v].storage].bytes});
    }
    if (updatesInPlace && live.size() > results && !roll(4)) {
      unsigned at = roll(live.size() - results);
      Id old = live[at];
      if (!p.values[old].required) {
        Value v;
        v.storage = p.values[old].storage;
        v.producer = s;
        v.overwrites = old;
        v.required = !roll(6);
        p.values.push_back(v);
        live[at] = p.values.size() - 1;
        step.writes.push_back({live[at], p.storages[v.storage].bytes});
        step.recomputable = false;
      }
    }
    if (s && !roll(8))
      p.precedences.push_back({roll(s), s, DependenceKind::Effect, kNone});
    p.steps.push_back(step);
  }
  return p;
}

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_ENERGYFIXTURES_H
