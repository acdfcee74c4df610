//===- WantedTiers.h - follow wishes to offload -----------------*- C++ -*-===//

#ifndef PEBBLE_LIB_SOLVER_PORTFOLIO_WANTEDTIERS_H
#define PEBBLE_LIB_SOLVER_PORTFOLIO_WANTEDTIERS_H

#include "pebble/Solver/Game/Schedule.h"

namespace pebble::portfolio {

/// `schedule`, but that each value with a wanted tier (by value, 0: none) is
/// taken there from each run that makes or needs it to the next that does. No
/// tier but the wanted one ever holds more for it.
std::vector<game::Move>
followWantedTiers(const game::Problem &problem,
                  const std::vector<game::Move> &schedule,
                  const std::vector<game::Id> &wanted);

} // namespace pebble::portfolio

#endif // PEBBLE_LIB_SOLVER_PORTFOLIO_WANTEDTIERS_H
