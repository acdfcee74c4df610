//===- Pricing.h - what runs and transfers cost in pebble-solve -*- C++ -*-===//
//
// Objectives price the same moves in different units:
//
//   cost    the file's own, and --offload-rate per unit of size for transfers
//           (or, without it, what the file says of its tiers)
//   energy  femtojoules on a target, or on the file's own hierarchy
//   time    nanoseconds, likewise
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_PRICING_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_PRICING_H

#include "Options.h"

#include "pebble/Solver/Game/Formats.h"
#include "pebble/Solver/Graph/MoveSequence.h"

#include <optional>

namespace pebble::solve_tool {

/// A problem with everything priced in the unit of the objective.
struct Pricing {
  /// The problem of the file with these costs of steps and this hierarchy.
  game::Problem problem;
  graph::MoveCosts transfers;
  /// Costs are multiples of 1 / scale, so that a rate may have decimal places.
  int64_t scale = 1;
  /// Updates that need not be in place, with these costs of copies, and by step
  /// why it cannot run again; empty where all updates stay in place.
  std::vector<game::Update> updates;
  std::vector<std::string> runOnce;
};

/// The problem that schedules with `outOfPlace` are judged by.
game::Problem judgedProblem(const Pricing &pricing,
                            const std::vector<game::Update> &outOfPlace);

/// Prices a checked problem, or says why that cannot be.
///
/// With a target sizes are floats of 4 bytes, and a step of cost c makes c
/// arithmetic operations (energy; its accesses are served as the given order
/// has them) or takes c nanoseconds (time). The target's compute tier has no
/// capacity of its own: that is what the budget says.
/// Prices what was read of a file that holds a problem.
std::optional<Pricing> priceProblem(const game::ParsedProblem &parsed,
                                    const Options &options, std::string &error);

/// The same problem on options.target, with sizes and capacities as above and
/// costs as they were.
game::Problem onTarget(const game::Problem &problem, const Options &options);

/// Names of the targets, for messages.
std::string targetNames();

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_PRICING_H
