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
// and, by name alone, policies that are not optimal, under rules `revolve` and
// `hrevolve`:
//
//   periodic      every L-th state in the slower tier (Periodic.h)
//   bisection     the middle of what is left (Periodic.h)
//   online        as if the number of steps were known at the end (Online.h)
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
  /// Of `periodic`.
  std::optional<int64_t> period;

  std::unique_ptr<GameMoveStream> moves() const { return source->make(); }

  /// Where schedules come from.
  class Source {
  public:
    virtual ~Source() = default;
    virtual std::unique_ptr<GameMoveStream> make() const = 0;
  };
  std::shared_ptr<const Source> source;
};

struct GameSolverOptions {
  /// One of the names above, or empty for whatever is optimal.
  std::string solver;
  /// Of `periodic`; none: the best one.
  std::optional<int64_t> period;
};

/// Why no solver can take a game without error; empty if one can.
std::string chainGameRefusal(const ChainGame &game,
                             const GameSolverOptions &options = {});

/// The best schedule of a game that is not refused. Unknown where a policy does
/// not fit into the slots.
GameSolution solveChainGame(const ChainGame &game,
                            const GameSolverOptions &options = {});

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_CHAINSOLVERS_H
