//===- MilpSolvers.h - least cost through a MILP ----------------*- C++ -*-===//
//
// Solvers for recomputation, and one for transfers beside it, within a budget,
// all over StageModel.h and HiGHS (Highs.h):
//
//   checkmate            one pass a stage, the given order: what Checkmate's
//                        MILP can express (Jain et al. 2020). For comparison:
//                        no warm start, no other help.
//   retention-intervals  more passes a stage, the order of the best schedule
//                        that walks find, which is where HiGHS starts.
//   lp-rounding          the relaxation of checkmate, rounded (section 5 of the
//                        same paper): which values are carried is rounded, what
//                        has to run follows.
//   poet                 checkmate, and values that leave for the first slower
//                        tier and come back between stages, at a cost for each
//                        transfer: what POET's MILP can express (Patil et al.
//                        2022). For comparison, as checkmate is; a schedule to
//                        start from says what is too dear to be of interest.
//
// A formulation expresses some schedules and not all, so its optimum is no
// optimum of the problem. `status`, `bound` speak of the problem, as for every
// solver (bounds from RematGreedy.h); `modelStatus`, `modelBound` of the model.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_MILP_MILPSOLVERS_H
#define PEBBLE_LIB_SOLVER_MILP_MILPSOLVERS_H

#include "pebble/Solver/Remat/LeastCostOptions.h"

namespace pebble::milp {

/// Why none of the first three takes a checked problem, as the rest of a
/// sentence that starts with "it"; empty if they do. HiGHS missing is a reason,
/// unless `options.onModel` wants the model alone.
std::string milpRefusal(const game::Problem &problem,
                        const graph::LeastCostOptions &options);

game::Schedule checkmate(const game::Problem &problem,
                         const graph::LeastCostOptions &options);
/// Goes on from `known`, which may be unanswered: what other searches found.
game::Schedule retentionIntervals(const game::Problem &problem,
                                  const graph::LeastCostOptions &options,
                                  game::Schedule known);
game::Schedule lpRounding(const game::Problem &problem,
                          const graph::LeastCostOptions &options);

/// The same for poet, which takes problems with one unbounded slower tier.
std::string poetRefusal(const game::Problem &problem,
                        const graph::LeastCostOptions &options);
game::Schedule poet(const game::Problem &problem,
                    const graph::LeastCostOptions &options);

} // namespace pebble::milp

#endif // PEBBLE_LIB_SOLVER_MILP_MILPSOLVERS_H
