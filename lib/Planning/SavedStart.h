//===- SavedStart.h - a search that starts from a saved plan ----*- C++ -*-===//

#ifndef PEBBLE_LIB_PLANNING_SAVEDSTART_H
#define PEBBLE_LIB_PLANNING_SAVEDSTART_H

#include "pebble/Planning/SavedPlan.h"
#include "pebble/Planning/StepUnits.h"

namespace pebble {

/// True if `saved` is a schedule of `problem` within `budget`.
bool fitsBudget(const SavedPlan &saved, const game::Problem &problem,
                int64_t budget);

/// `saved` as a schedule of `units`, of a block whose steps are known by
/// `steps`. Empty if it does not fit into `budget`.
std::vector<game::Move> getStart(const SavedPlan &saved,
                                 const std::vector<StepKey> &steps,
                                 const UnitProblem &units, int64_t budget);

/// Puts `start` into `found` where no solver found what costs no more: whatever
/// a solver makes of its start, the answer is no worse. `once` is what every
/// step once costs.
void takeIfBetter(const std::vector<game::Move> &start,
                  const game::Problem &problem, int64_t once,
                  game::Schedule &found);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_SAVEDSTART_H
