//===- MoveSequence.h - schedules with transfers, tidied and priced -*- C++ -*-//
//
// What stores and loads cost, by value and tier, and the canonical form of a
// schedule: nothing is moved for nobody, and every copy is dropped right after
// its last use, in every tier.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GRAPH_MOVESEQUENCE_H
#define PEBBLE_SOLVER_GRAPH_MOVESEQUENCE_H

#include "pebble/Solver/Game/Schedule.h"

#include <cstdint>
#include <vector>

namespace pebble::graph {

/// Cost of one store and of one load, by explicit tier (entry 0 unused) and
/// value, in the unit of the steps' costs. Nothing is negative.
struct MoveCosts {
  std::vector<std::vector<int64_t>> stores, loads;
};

/// Whether `move` is a store or a load.
bool isTransfer(const game::Move &move);

/// `parts` of `whole` of all costs, rounded up.
MoveCosts shareOf(MoveCosts costs, int64_t parts, int64_t whole);

/// Summed cost of all runs, stores and loads; sums stay below 2^63.
int64_t costOfMoves(const game::Problem &problem,
                    const std::vector<game::Move> &moves,
                    const MoveCosts &costs);

/// The runs, stores and loads of `moves`, a schedule that game::verify()
/// accepts, in the same order, without the stores and loads that serve nobody,
/// and with drops right after last uses. It is accepted as well, and no tier
/// ever holds more. Time O(moves + accesses).
std::vector<game::Move> canonicalMoves(const game::Problem &problem,
                                       const std::vector<game::Move> &moves);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_GRAPH_MOVESEQUENCE_H
