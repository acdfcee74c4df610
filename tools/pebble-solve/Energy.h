//===- Energy.h - the energy objective of pebble-solve ----------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_ENERGY_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_ENERGY_H

#include "Options.h"

#include "pebble/Solver/Game/Schedule.h"

namespace pebble::solve_tool {

/// What is wrong with the options for orders of least energy; empty if nothing
/// is.
std::string energyError(const Options &options);

/// Orders `problem` for least energy on options.target, sizes taken as floats
/// of 4 bytes. Cost and bound are femtojoules; the budget binds the peak, in
/// the file's units.
game::Schedule solveForEnergy(const game::Problem &problem,
                              const Options &options,
                              std::optional<int64_t> budget);

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_ENERGY_H
