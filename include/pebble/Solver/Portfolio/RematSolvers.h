//===- RematSolvers.h - the solvers for least cost, by name -----*- C++ -*-===//
//
// The one table of solvers that find cheap schedules within a budget. Whoever
// takes the name of a solver looks here, and a new solver is one more line in
// RematSolvers.cpp. Choosing among them is the portfolio's part (LeastCost.h).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_PORTFOLIO_REMATSOLVERS_H
#define PEBBLE_SOLVER_PORTFOLIO_REMATSOLVERS_H

#include "pebble/Solver/Portfolio/LeastCost.h"

#include <string>
#include <vector>

namespace pebble::graph {

struct RematSolver {
  const char *name;
  /// What it is, in a line of at most 50 characters.
  const char *help;
  /// Why it does not take a checked problem, as the rest of a sentence that
  /// starts with "it" ("has more than 64 steps"); empty if it takes it.
  std::string (*refusal)(const game::Problem &problem,
                         const LeastCostOptions &options);
  /// Its best schedule for a problem that it takes. It honours every option but
  /// `solver`. Infeasible, and a bound, only if proven; no schedule: Unknown,
  /// with the least peak that it reached in `peak` (0: none).
  game::Schedule (*solve)(const game::Problem &problem,
                          const LeastCostOptions &options);
};

/// All of them, in the order in which help lists them.
const std::vector<RematSolver> &rematSolvers();

/// The one with this name; null if there is none.
const RematSolver *findRematSolver(const std::string &name);

/// That there is no solver of this name, and which there are; empty if there is
/// one, or no name.
std::string unknownSolver(const std::string &name);

/// What the solver that `options` names answers to a problem that it takes,
/// with the bound of any schedule where that holds.
game::Schedule solveByName(const game::Problem &problem,
                           const LeastCostOptions &options);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_PORTFOLIO_REMATSOLVERS_H
