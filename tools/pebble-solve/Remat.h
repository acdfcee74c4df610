//===- Remat.h - the cost objective of pebble-solve -------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_REMAT_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_REMAT_H

#include "Options.h"
#include "Pricing.h"

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Portfolio/FindSchedule.h"

namespace pebble::solve_tool {

/// Whether more than ordering is asked for: means other than none (which for
/// the peak have to be named), no solver of orders by name.
bool asksForRemat(const Options &options);

/// What is wrong with the options for this problem; empty if nothing is.
std::string rematError(const Pricing &pricing, const Options &options);

/// The curve of least cost over budgets, printed. The exit code.
int runSweep(const Pricing &pricing, const Options &options);

/// The means that options ask for, recomputation by default.
graph::RematMeans meansOf(const Options &options);

/// The fastest program that the solvers find.
portfolio::Answer solveForTime(const Pricing &pricing, const Options &options,
                               std::optional<int64_t> budget);

/// The least cost within the budget, or the least peak, that the solvers find.
/// With options.mps the MILP that the solver builds goes into that file;
/// `error` says what went wrong with it and is empty otherwise.
portfolio::Answer solveByRemat(const Pricing &pricing, const Options &options,
                               std::optional<int64_t> budget,
                               std::string &error);

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_REMAT_H
