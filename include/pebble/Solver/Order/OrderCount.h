//===- OrderCount.h - how many orders are legal -----------------*- C++ -*-===//
//
// Counts the linear extensions of the dependences exactly, by dynamic
// programming over the sets of steps that can have run: as many states as there
// are such sets, exponential in the width of the graph at worst.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ORDER_ORDERCOUNT_H
#define PEBBLE_SOLVER_ORDER_ORDERCOUNT_H

#include "pebble/Solver/Game/Problem.h"

#include <cstdint>
#include <optional>

namespace pebble::graph {

/// The number of legal orders of a checked problem; nothing if it does not fit
/// 64 bits or if more than `stateLimit` sets are live at once. Without
/// `antiDependences` the orders that SSA form admits are counted, the ones that
/// read what was overwritten included.
std::optional<uint64_t> countOrders(const game::Problem &problem,
                                    size_t stateLimit = 2000000,
                                    bool antiDependences = true);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_ORDER_ORDERCOUNT_H
