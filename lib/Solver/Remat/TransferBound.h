//===- TransferBound.h - what no schedule with transfers beats --*- C++ -*-===//
//
// The knapsack of RematBound.h where values may also be loaded: what is wanted
// after a step and not resident beside it is made again or comes from a slower
// tier, so each maker's price is the least of its own cost and of a store and a
// load of any of its results.
//
// The other bounds of RematBound.h rest on what making a value again needs.
// A load needs nothing, so they do not hold here.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_TRANSFERBOUND_H
#define PEBBLE_LIB_SOLVER_REMAT_TRANSFERBOUND_H

#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/MoveSequence.h"

namespace pebble::graph {

/// No schedule within `budget` costs less, with or without transfers and, if
/// `recompute`, with steps that run again. INT64_MAX if nothing fits at all.
/// Complexity as rematBound(), and `stop` as there.
int64_t transferBound(const game::Problem &problem, int64_t budget,
                      const MoveCosts &costs, bool recompute,
                      const StopSign *stop = nullptr);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_TRANSFERBOUND_H
