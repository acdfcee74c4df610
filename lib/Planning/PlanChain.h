//===- PlanChain.h - straight-line chains of equal steps --------*- C++ -*-===//
//
// A block that is a chain of equal layers and its backward pass is a game with
// programs of its own (Solver/Chain), which know every schedule of its steps
// and answer at once. Private to Planning.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_PLANCHAIN_H
#define PEBBLE_LIB_PLANNING_PLANCHAIN_H

#include "Infeasible.h"

#include "pebble/Planning/BuildProblem.h"

namespace pebble {

/// The cheapest schedule of the steps, or of the smallest budget that does with
/// status Infeasible, proven. Nothing if the block is no such chain.
std::optional<game::Schedule> planChain(const BlockProblem &built,
                                        const std::vector<std::string> &runOnce,
                                        graph::LeastCostOptions options);

/// The same for whoever reports it. `offset` is what the game counts on top of
/// the block's bytes.
LeastBudget getLeastOfChain(const game::Schedule &found, int64_t offset);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_PLANCHAIN_H
