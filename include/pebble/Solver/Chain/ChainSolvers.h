//===- ChainSolvers.h - least cost of the game on a chain -------*- C++ -*-===//
//
// Chooses the solver for a game of ChainGame.h:
//
//   binomial      Revolve's closed form: rules `revolve` and `hrevolve` without
//                 slower tiers, any length (Binomial.h)
//   tiered-chain  dynamic programs over all tiers (TieredChain.h)
//   cheap-tier    dynamic programs for backward steps that read their step's
//                 result, with one slower tier, for any costs
//                 (CheapTierChain.h)
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_CHAINSOLVERS_H
#define PEBBLE_SOLVER_CHAIN_CHAINSOLVERS_H

#include "pebble/Solver/Chain/ChainGame.h"
#include "pebble/Solver/Game/Schedule.h"

#include <memory>

namespace pebble::chain {

/// An answer with its certificate; `moves` makes a schedule as often as it is
/// asked to, where there is one.
struct GameSolution {
  game::Status status = game::Status::Unknown;
  int64_t cost = 0, bound = 0;
  /// The least number of fast slots that any schedule needs.
  int64_t leastFastSlots = 0;
  std::string solver;

  std::unique_ptr<GameMoveStream> moves() const { return source->make(); }

  /// Where schedules come from.
  class Source {
  public:
    virtual ~Source() = default;
    virtual std::unique_ptr<GameMoveStream> make() const = 0;
  };
  std::shared_ptr<const Source> source;
};

/// Why no solver can take a game without error; empty if one can. `solver` is
/// one of the names above, or empty for whatever suits.
std::string chainGameRefusal(const ChainGame &game,
                             const std::string &solver = "");

/// The best schedule of a game that is not refused.
GameSolution solveChainGame(const ChainGame &game,
                            const std::string &solver = "");

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_CHAINSOLVERS_H
