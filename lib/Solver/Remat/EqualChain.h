//===- EqualChain.h - chains of equal steps inside a problem ----*- C++ -*-===//
//
// Finds out whether a problem is the reversal of a chain of equal steps:
// forward steps that read the state before, one step that turns the last state
// into an adjoint, backward steps that read an adjoint, the state before their
// step and perhaps the state behind it; one size for all that is made. Then the
// game of ChainGame.h has the same schedules and the same costs, and its
// dynamic programs answer: optimal, whatever the length.
//
// What is always there besides (parameters that are arguments) takes its bytes
// off the budget and is read by whoever likes. O(steps) to recognise.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_EQUALCHAIN_H
#define PEBBLE_LIB_SOLVER_REMAT_EQUALCHAIN_H

#include "pebble/Solver/Remat/LeastCostOptions.h"

#include <string>

namespace pebble::graph {

/// Why it does not take a checked problem, as the rest of a sentence that
/// starts with "it"; empty if it does.
std::string equalChainRefusal(const game::Problem &problem,
                              const LeastCostOptions &options);

/// The cheapest schedule: Optimal, or Infeasible with the smallest budget that
/// does; Unknown for a problem that is refused.
game::Schedule equalChain(const game::Problem &problem,
                          const LeastCostOptions &options);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_EQUALCHAIN_H
