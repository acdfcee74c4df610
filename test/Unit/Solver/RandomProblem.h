//===- RandomProblem.h - small problems with everything in them -*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_RANDOMPROBLEM_H
#define PEBBLE_TEST_UNIT_SOLVER_RANDOMPROBLEM_H

#include "Solver/Graph/Random.h"
#include "pebble/Solver/Game/Problem.h"

namespace pebble::test {

/// A well-formed problem of `steps` steps: arguments (some donated, some
/// pinned), one or two results, updates in place, scratch, effects, required
/// results. The given order is legal by construction.
inline game::Problem randomProblem(uint64_t seed, size_t steps) {
  using namespace game;
  graph::Random random(seed * 7919 + 17);
  Problem p;
  p.name = "random";
  auto addStorage = [&](bool initial) {
    Storage s;
    s.name = "s" + std::to_string(p.storages.size());
    s.bytes = s.footprint = 1 + random.below(9);
    s.initial = initial;
    s.pinned = initial && random.below(2);
    p.storages.push_back(s);
    return static_cast<Id>(p.storages.size() - 1);
  };
  // The current content of each storage: what a step may still read.
  std::vector<Id> content;
  auto addValue = [&](Id storage, Id producer, Id overwrites) {
    Value v;
    v.name = "v" + std::to_string(p.values.size());
    v.storage = storage;
    v.producer = producer;
    v.overwrites = overwrites;
    p.values.push_back(v);
    content.resize(p.storages.size(), kNone);
    content[storage] = p.values.size() - 1;
    return static_cast<Id>(p.values.size() - 1);
  };
  for (size_t i = random.below(4); i > 0; --i)
    addValue(addStorage(true), kNone, kNone);
  for (Id i = 0; i < steps; ++i) {
    Step s;
    s.name = "op" + std::to_string(i);
    s.cost = random.below(5);
    s.scratch = random.below(5) ? 0 : random.below(6);
    // Reads prefer what was made lately, as programs do.
    for (size_t r = random.below(4); r > 0 && !content.empty(); --r) {
      size_t reach = std::min<size_t>(content.size(), 8);
      Id v = content[random.below(4) ? content.size() - 1 - random.below(reach)
                                     : random.below(content.size())];
      s.reads.push_back({v, p.storages[p.values[v].storage].bytes});
    }
    bool inPlace = !content.empty() && random.below(5) == 0;
    if (inPlace) {
      // Not what the caller keeps, and not a content twice.
      Id storage = random.below(content.size());
      if (!p.storages[storage].pinned) {
        Id v = addValue(storage, i, content[storage]);
        s.writes.push_back({v, p.storages[storage].bytes});
        s.recomputable = false;
      }
    }
    size_t fresh = random.below(8) == 0 ? 2 : s.writes.empty() ? 1 : 0;
    for (size_t k = 0; k < fresh; ++k) {
      Id v = addValue(addStorage(false), i, kNone);
      s.writes.push_back({v, p.storages[p.values[v].storage].bytes});
    }
    if (i && random.below(10) == 0)
      p.precedences.push_back(
          {static_cast<Id>(random.below(i)), i, DependenceKind::Effect, kNone});
    p.steps.push_back(s);
  }
  for (Id v : content)
    if (random.below(6) == 0)
      p.values[v].required = true;
  return p;
}

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_RANDOMPROBLEM_H
