//===- RichGraph.h - random graphs with what programs have besides --------===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_RICHGRAPH_H
#define PEBBLE_TEST_UNIT_SOLVER_RICHGRAPH_H

#include "TierProblem.h"

namespace pebble::test {

/// A random graph with what programs have besides: steps with two results,
/// scratch, arguments that may be freed, results that are required and read,
/// precedences, costs of nothing, and steps that run once.
inline game::Problem richGraph(uint64_t seed, size_t steps) {
  game::Problem p = randomGraph(seed, steps);
  graph::Random random(seed * 6151 + 3);
  auto add = [&](game::Id producer) {
    const auto v = static_cast<game::Id>(p.values.size());
    const auto size = static_cast<int64_t>(1 + random.below(6));
    const bool initial = producer == game::kNone;
    const std::string name = "w" + std::to_string(v);
    p.storages.push_back({name, size, size, initial, false});
    p.storages.back().pinned = initial && random.below(3) == 0;
    game::Value value;
    value.name = name;
    value.storage = v;
    value.producer = producer;
    p.values.push_back(value);
    return v;
  };
  auto read = [&](game::Id step, game::Id value) {
    p.steps[step].reads.push_back({value, p.storages[value].bytes});
  };
  for (size_t i = random.below(3); i > 0; --i) {
    const game::Id argument = add(game::kNone);
    for (size_t k = 1 + random.below(2); k > 0; --k)
      read(static_cast<game::Id>(random.below(steps)), argument);
  }
  for (game::Id s = 0; s < steps; ++s) {
    game::Step &step = p.steps[s];
    step.scratch = random.below(3) ? 0 : random.below(8);
    step.recomputable = random.below(8) != 0;
    if (random.below(12) == 0)
      step.pin = game::Pin::Keep;
    if (random.below(5) == 0)
      step.cost = 0;
    p.values[s].required |= random.below(6) == 0;
    if (s && random.below(6) == 0)
      p.precedences.push_back({static_cast<game::Id>(random.below(s)), s,
                               game::DependenceKind::Effect, game::kNone});
    if (random.below(3) || s + 1 == steps)
      continue;
    const game::Id second = add(s);
    p.steps[s].writes.push_back({second, p.storages[second].bytes});
    p.values[second].required = random.below(6) == 0;
    for (size_t k = random.below(3); k > 0; --k)
      read(static_cast<game::Id>(s + 1 + random.below(steps - s - 1)), second);
  }
  return p;
}

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_RICHGRAPH_H
