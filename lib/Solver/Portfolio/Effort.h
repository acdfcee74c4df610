//===- Effort.h - what attempts may spend at first --------------*- C++ -*-===//
//
// What is tried before anybody looks at the clock, wherever a search begins.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_PORTFOLIO_EFFORT_H
#define PEBBLE_LIB_SOLVER_PORTFOLIO_EFFORT_H

#include <cstdint>

namespace pebble {

/// Positions of a first exact search.
inline constexpr uint64_t kQuickEffort = 20000;

/// Effort of the search for orders: times steps, and at most.
inline constexpr uint64_t kFirstOrders = 2000000, kMostOfOrders = 20000;

/// Attempts to mend an order: times steps, and at most; edges that an attempt
/// may look at, times steps.
inline constexpr uint64_t kFirstMends = 2000, kMostMends = 12;
inline constexpr uint64_t kFirstWork = 1000;

} // namespace pebble

#endif // PEBBLE_LIB_SOLVER_PORTFOLIO_EFFORT_H
