//===- TierProblem.h - small problems with several slower tiers -*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_TIERPROBLEM_H
#define PEBBLE_TEST_UNIT_SOLVER_TIERPROBLEM_H

#include "RandomProblem.h"

#include "pebble/Solver/Graph/MoveSequence.h"

namespace pebble::test {

/// A problem with prices for its slower tiers.
struct TierProblem {
  game::Problem problem;
  graph::MoveCosts costs;
};

/// A random graph of `steps` ops with one result each, of which the last one is
/// required. Nearly all results are read late as well as soon, as in a training
/// step.
inline game::Problem randomGraph(uint64_t seed, size_t steps) {
  graph::Random random(seed * 7919 + 29);
  game::Problem p;
  p.name = "graph";
  std::vector<game::Id> late;
  for (game::Id i = 0; i < steps; ++i) {
    const auto size = static_cast<int64_t>(1 + random.below(6));
    p.storages.push_back({"s" + std::to_string(i), size, size, false, false});
    game::Value v;
    v.name = "v" + std::to_string(i);
    v.storage = v.producer = i;
    v.required = i + 1 == steps;
    p.values.push_back(v);
    game::Step s;
    s.name = "op" + std::to_string(i);
    s.cost = static_cast<int64_t>(random.below(20));
    s.writes = {{i, size}};
    auto read = [&](game::Id from) {
      for (const game::Access &a : s.reads)
        if (a.value == from)
          return;
      s.reads.push_back({from, p.storages[from].bytes});
    };
    if (i && random.below(6))
      read(i - 1);
    // The latest that waits is read first.
    if (2 * i >= steps && !late.empty()) {
      read(late.back());
      late.pop_back();
    } else if (i && random.below(3) == 0) {
      read(static_cast<game::Id>(random.below(i)));
    }
    if (2 * i < steps)
      late.push_back(i);
    p.steps.push_back(s);
  }
  return p;
}

/// Gives `p` slower tiers with these capacities. A store costs between 0 and
/// `dear` per byte and a load as well, by tier.
inline TierProblem withSlowTiers(game::Problem p,
                                 const std::vector<int64_t> &capacities,
                                 uint64_t seed, uint64_t dear = 3) {
  graph::Random random(seed * 31 + 5);
  TierProblem t;
  p.hierarchy.tiers.assign(1, {"fast"});
  t.costs.stores.resize(capacities.size() + 1);
  t.costs.loads.resize(capacities.size() + 1);
  for (size_t tier = 1; tier <= capacities.size(); ++tier) {
    game::Tier slow;
    slow.name = "slow" + std::to_string(tier);
    slow.capacity = capacities[tier - 1];
    p.hierarchy.tiers.push_back(slow);
    const auto store = static_cast<int64_t>(random.below(dear + 1)),
               load = static_cast<int64_t>(random.below(dear + 1));
    for (const game::Value &v : p.values) {
      t.costs.stores[tier].push_back(store * p.storages[v.storage].bytes);
      t.costs.loads[tier].push_back(load * p.storages[v.storage].bytes);
    }
  }
  t.problem = std::move(p);
  return t;
}

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_TIERPROBLEM_H
