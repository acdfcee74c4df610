//===- ChainGames.h - games on a chain for tests ----------------*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_CHAINGAMES_H
#define PEBBLE_TEST_UNIT_SOLVER_CHAINGAMES_H

#include "pebble/Solver/Chain/ChainGame.h"

namespace pebble::test {

/// A game by the name of its rules; costs as ChainGame has them.
inline chain::ChainGame gameOf(const char *rules, int64_t steps,
                               int64_t fastSlots,
                               std::vector<chain::SlowTier> tiers = {}) {
  chain::ChainGame g;
  g.rules = *chain::findChainRules(rules);
  g.steps = steps;
  g.fastSlots = fastSlots;
  g.tiers = std::move(tiers);
  return g;
}

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_CHAINGAMES_H
