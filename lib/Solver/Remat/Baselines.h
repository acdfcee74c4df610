//===- Baselines.h - the heuristics that people know ------------*- C++ -*-===//
//
// What Pebble's answers are measured against, by the names that papers and
// compilers give them. Each runs in a moment, proves nothing, and answers
// Unknown with the peak that it reached where that exceeds the budget.
//
// Checkpointing needs to know what is forward and what is backward. The turning
// point is the step beside which most bytes wait for later readers; it and its
// ancestors are forward. Values of forward steps that are not checkpoints are
// dropped after their last forward reader, and made again, from the nearest
// checkpoints, when a backward step reads them; then they stay until their last
// reader. Without a turning point (nothing waits) nothing is dropped.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_BASELINES_H
#define PEBBLE_LIB_SOLVER_REMAT_BASELINES_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Remat/LeastCostOptions.h"

namespace pebble::graph {

/// The given order; nothing is made again.
game::Schedule keepAll(const game::Problem &problem,
                       const LeastCostOptions &options);

/// The list order that leaves the fewest bytes live at every step
/// (ListSchedule.h); nothing is made again.
game::Schedule leastPeakFirst(const game::Problem &problem,
                              const LeastCostOptions &options);

/// Of f forward steps every sqrt(f)-th is a checkpoint. T. Chen, B. Xu, C.
/// Zhang, C. Guestrin, Training Deep Nets with Sublinear Memory Cost (2016).
/// O(n + accesses) and one replay.
game::Schedule sqrtCheckpoints(const game::Problem &problem,
                               const LeastCostOptions &options);

/// The greedy of the same paper: along the forward steps, a checkpoint at the
/// first articulation point after every b bytes. The cheapest of some forty b
/// that fits.
game::Schedule chenGreedy(const game::Problem &problem,
                          const LeastCostOptions &options);

/// As XLA's pass HloRematerialization does it: along the given order, wherever
/// bytes exceed the budget, the value (or block of up to eight steps) is made
/// again before its next reader that frees most bytes there for its cost.
/// O(n) trial changes for each of at most 4 n changes; `effort` limits trials.
game::Schedule xlaGreedy(const game::Problem &problem,
                         const LeastCostOptions &options);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_BASELINES_H
