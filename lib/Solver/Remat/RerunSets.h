//===- RerunSets.h - which steps run again, by hitting sets -----*- C++ -*-===//
//
// Least cost with recomputation, by what a budget forces. Some set of steps may
// run again, as often as anybody likes, and yet no order fits
// (RerunRelaxation.h). So every schedule runs one of the other steps again: a
// *core*. The cheapest choice of runs that hits every core is a lower bound. If
// an order fits with just these runs, they are the cheapest schedule. If none
// does, that is a further core. Cores are made small before they are kept: as
// many steps as possible are set free, the cheapest first.
//
// Implicit hitting sets, as solvers for MaxSAT do it; the oracle, in which
// orders with copies are split read by read, is this project's. Optimal where
// it ends; otherwise the bound so far holds. Exponential, for problems of some
// hundred steps in which few steps have to run again.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_RERUNSETS_H
#define PEBBLE_LIB_SOLVER_REMAT_RERUNSETS_H

#include "pebble/Solver/Game/Problem.h"
#include "pebble/Solver/Graph/Limits.h"

#include <string>
#include <vector>

namespace pebble::graph {

struct RerunSetsOptions {
  /// Live bytes.
  int64_t budget = 0;
  /// The cost of the best schedule that is known. Cheaper ones are looked for.
  int64_t known = INT64_MAX;
  /// Steps that one order search may try; 0: its default here.
  uint64_t effort = 0;
  /// Questions about orders that may be asked; 0: as many as it takes.
  uint64_t questions = 0;
  uint64_t seed = 0;
  Limits limits;
};

struct RerunSetsAnswer {
  /// No schedule costs less; at most `known`.
  int64_t bound = 0;
  /// Runs that fit and cost what the bound says; empty if none were found.
  std::vector<game::Id> runs;
  /// How many cores were found, and how many questions were asked.
  size_t cores = 0;
  uint64_t questions = 0;
};

/// Why the problem is refused; empty if it is not.
std::string rerunSetsRefusal(const game::Problem &problem);

/// `problem` is checked and not refused.
RerunSetsAnswer rerunSets(const game::Problem &problem,
                          const RerunSetsOptions &options);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_RERUNSETS_H
