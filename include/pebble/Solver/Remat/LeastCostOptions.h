//===- LeastCostOptions.h - what is asked of a solver -----------*- C++ -*-===//
//
// The options that all solvers for the least cost within a budget understand.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_REMAT_LEASTCOSTOPTIONS_H
#define PEBBLE_SOLVER_REMAT_LEASTCOSTOPTIONS_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Remat/RematGame.h"

#include <functional>
#include <optional>
#include <string>

namespace pebble::milp {
class Model;
} // namespace pebble::milp

namespace pebble::graph {

struct LeastCostOptions {
  RematMeans means;
  /// Prices of stores and loads by tier and value; none: `means.offloadRate`
  /// per byte in every slower tier.
  std::optional<MoveCosts> transfers;
  /// Live bytes of the compute tier; none: unbounded.
  std::optional<int64_t> budget;
  /// Empty: whatever suits. Otherwise one of RematSolvers.h alone.
  std::string solver;
  uint64_t seed = 0;
  /// Limits each solver in its own unit. 0: its default.
  uint64_t effort = 0;
  /// For all together. An answer that they cut off says `limited`.
  Limits limits;
  /// A valid schedule within the budget to start from, where a solver can use
  /// one; empty: none.
  std::vector<game::Move> start;
  /// What is known already where values may be offloaded: lists of runs and
  /// loads (RunIds.h), within the budget or not. The search goes on from those
  /// that make schedules, and looks for no others to start from.
  std::vector<std::vector<game::Id>> known;
  /// Attempts (portfolio::attemptNames()) that are left out, to see what each
  /// of them is good for.
  std::vector<std::string> without;
  /// Called with the MILP that a solver builds, before it is solved.
  std::function<void(const milp::Model &)> onModel;
};

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_REMAT_LEASTCOSTOPTIONS_H
