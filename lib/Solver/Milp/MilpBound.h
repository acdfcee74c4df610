//===- MilpBound.h - a bound that adds up several moments -------*- C++ -*-===//
//
// A lower bound on the cost of every schedule with recomputation, free order
// included. It looks at a chain of moments: the first runs of steps that every
// schedule runs one after another. For each moment the relaxation says which
// values are there, and for each gap between two of them which steps that have
// run before run again:
//
//   room     what is there fits beside the step of the moment
//   reads    what a step reads whose first run is in the gap was there at its
//            beginning, or its maker runs in the gap
//   closure  so does what a step reads that runs again in the gap
//   carry    what is there at the next moment was there at this one, or its
//            maker runs between
//
// Every schedule satisfies all of these, in whole numbers. Unlike the knapsack
// (RematBound.h) it counts a step once for each gap in which it has to run,
// adds up what different moments ask for, and counts what a repeated step needs
// in turn. What happens inside a gap is left out.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_MILP_MILPBOUND_H
#define PEBBLE_LIB_SOLVER_MILP_MILPBOUND_H

#include "pebble/Solver/Game/Problem.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Milp/Model.h"

namespace pebble::milp {

struct MilpBoundOptions {
  /// Live bytes.
  int64_t budget = 0;
  /// First runs keep the given order: then all steps are one chain.
  bool fixedOrder = false;
  /// Moments at most; 0: as many as make a model that is solved in seconds.
  size_t moments = 0;
  /// Whether to go on from the relaxation to whole numbers.
  bool whole = false;
  /// Without a deadline whole numbers have a limit of nodes.
  graph::Limits limits;
  uint64_t seed = 0;
};

/// The relaxation as a model, its integrality included.
Model boundModel(const game::Problem &problem, const MilpBoundOptions &options);

/// No schedule without transfers within the budget costs less; every step once
/// if HiGHS is missing or finds nothing better. The relaxation's value is
/// worked out from its dual values and trusts nobody
/// (Model::lagrangianBound()); that of whole numbers is HiGHS's.
int64_t milpBound(const game::Problem &problem,
                  const MilpBoundOptions &options);

} // namespace pebble::milp

#endif // PEBBLE_LIB_SOLVER_MILP_MILPBOUND_H
