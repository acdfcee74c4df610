//===- RematBound.h - what no schedule can cost less than -------*- C++ -*-===//
//
// Lower bounds on the cost of schedules with recomputation, for graphs of any
// size and free order. They know no solver. All look at the first run of one
// step s: what its ancestors made and its descendants will read is either
// resident beside s or made again later, and only so much is resident beside
// what is always there: storages of the caller, contents that nothing makes.
//
//   knapsack   the cheapest set of makers to run again, exactly: the values
//              between the ancestors and the descendants of s
//   cuts       whatever set S of steps has run before s: a minimum cut whose
//              capacities say what each value costs to keep, at a price per
//              byte, or to make again
//   closure    what runs again needs its inputs, which are kept beside s too or
//              made again too: a minimum cut between what is wanted later and
//              what that costs, at a price per byte
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_REMAT_REMATBOUND_H
#define PEBBLE_SOLVER_REMAT_REMATBOUND_H

#include "pebble/Solver/Game/Problem.h"
#include "pebble/Solver/Graph/Limits.h"

#include <cstdint>
#include <vector>

namespace pebble::graph {

/// The cost of every step once, which no schedule is below.
int64_t costOfOneRun(const game::Problem &problem);

/// Whether a step may run more than once, as far as it and its pin say.
bool mayRunAgain(const game::Problem &problem, game::Id step);

/// No schedule without transfers within `budget` costs less: every step once,
/// and the knapsack at the step where it is dearest. Costs are exact up to one
/// part in some ten thousand of the answer, rounded down. INT64_MAX if nothing
/// fits at all. O(n E) and one dynamic program over costs for each of the steps
/// that count.
/// `runs`, if given and something fits, gets the given order with the runs that
/// the knapsack chose there: within the budget at that step, and perhaps at
/// others. `leave`, if given, has for each value that no step makes what it
/// costs at least to have it away for a while (kStays: it cannot be). `stop`
/// ends it early, and its bytes end the tables, with what is proven so far: the
/// steps at which most is live in the given order come first.
int64_t rematBound(const game::Problem &problem, int64_t budget,
                   std::vector<game::Id> *runs = nullptr,
                   const std::vector<int64_t> *leave = nullptr,
                   const StopSign *stop = nullptr);

/// Of rematBound(): what nothing makes again, and nothing brings back.
constexpr int64_t kStays = -1;

/// The same by cuts. For problems without updates in place; 0 for others. The
/// price per byte is the best of some (Lagrangian relaxation of the budget).
/// About 20 cuts for each of at most 64 steps, after one cut for each step.
int64_t rematCutBound(const game::Problem &problem, int64_t budget,
                      const StopSign *stop = nullptr);

/// The same by closures: what runs again after s needs its inputs, and those
/// need theirs. Problems with updates in place are followed: what is there from
/// the start and required in the end takes its room throughout. The price per
/// byte is the best of some (Lagrangian relaxation of the budget). `runs` is as
/// above. One cut for each step that lacks room, and up to 24 for the dearest
/// 24; `stop` ends the search early with what is proven so far. INT64_MAX if
/// there is no room for some step.
int64_t rematClosureBound(const game::Problem &problem, int64_t budget,
                          std::vector<game::Id> *runs = nullptr,
                          const StopSign *stop = nullptr);

/// The runs of the given order when the values `lost` (by value) vanish right
/// before `step` and are made again, with what that needs, when they are
/// missed. Not checked; what cannot be made again must not be lost.
std::vector<game::Id> runsWithLoss(const game::Problem &problem, game::Id step,
                                   const std::vector<bool> &lost);

/// No schedule without transfers has fewer bytes live: the largest working set
/// of a step, with the values that wait beside it and cannot be made again; and
/// what has to be live when the last of a step's inputs is made, and the last
/// of what that needs, and so on for some steps back. O(n E). `stop` as above.
int64_t rematFloor(const game::Problem &problem,
                   const StopSign *stop = nullptr);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_REMAT_REMATBOUND_H
