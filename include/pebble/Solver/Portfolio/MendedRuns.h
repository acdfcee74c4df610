//===- MendedRuns.h - runs of another plan as a list of runs ----*- C++ -*-===//

#ifndef PEBBLE_SOLVER_PORTFOLIO_MENDEDRUNS_H
#define PEBBLE_SOLVER_PORTFOLIO_MENDEDRUNS_H

#include "pebble/Solver/Portfolio/StepUnits.h"

namespace pebble::portfolio {

/// The runs of the contracted problem that are as near as possible to `steps`,
/// runs of steps of the problem that the units were made of, from anywhere:
/// each unit runs, and every run finds what it reads. Whether they fit a budget
/// is not looked at.
std::vector<game::Id> mendRuns(const UnitProblem &units,
                               const std::vector<game::Id> &steps);

} // namespace pebble::portfolio

#endif // PEBBLE_SOLVER_PORTFOLIO_MENDEDRUNS_H
