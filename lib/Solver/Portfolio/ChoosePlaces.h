//===- ChoosePlaces.h - in place or out of place? ---------------*- C++ -*-===//
//
// Which updates of a request stay in place. Private to Portfolio.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_PORTFOLIO_CHOOSEPLACES_H
#define PEBBLE_LIB_SOLVER_PORTFOLIO_CHOOSEPLACES_H

#include "pebble/Solver/Portfolio/FindSchedule.h"

#include <functional>

namespace pebble::portfolio {

/// Answers a request that may have updates out of place: `find` answers one in
/// which everything is where its problem says. No dearer than the problem as it
/// is, and as one in which all updates that block something write storages of
/// their own, where no limit ends these searches. Bounds hold for every choice.
Answer choosePlaces(const Request &request,
                    const std::function<Answer(const Request &)> &find);

/// The prices of the transfers that a request allows.
graph::MoveCosts pricesOf(const Request &request);

} // namespace pebble::portfolio

#endif // PEBBLE_LIB_SOLVER_PORTFOLIO_CHOOSEPLACES_H
