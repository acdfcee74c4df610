//===- Schedule.h - a list of moves, and its judge --------------*- C++ -*-===//
//
// The answer of every solver, whatever it decides: order, recomputation and
// offload are all moves. verify() replays them one by one and shares no code
// with any solver.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GAME_SCHEDULE_H
#define PEBBLE_SOLVER_GAME_SCHEDULE_H

#include "pebble/Solver/Game/Problem.h"

#include <optional>

namespace pebble::game {

enum class MoveKind {
  Compute, ///< run a step; all its results come to the compute tier
  Store,   ///< copy a value from the compute tier to `tier`; both stay
  Load,    ///< copy a value from `tier` to the compute tier; both stay
  Drop     ///< free the copy of a value in `tier`
};

/// One move. `subject` is a step for Compute and a value otherwise; `tier`
/// counts explicit tiers from the compute tier (0).
struct Move {
  MoveKind kind = MoveKind::Compute;
  Id subject = kNone;
  Id tier = 0;
};

/// How sure a solver is.
enum class Status { Optimal, Feasible, Infeasible, Unknown };
const char *toString(Status status);

/// Whether there is a schedule.
inline bool isAnswered(Status status) {
  return status == Status::Optimal || status == Status::Feasible;
}

/// An answer with its certificate.
struct Schedule {
  Status status = Status::Unknown;
  std::vector<Move> moves;
  /// Value of the objective, and a proven lower bound on it.
  int64_t cost = 0;
  int64_t bound = 0;
  /// Peak bytes in the compute tier (live units).
  int64_t peak = 0;
  /// Smallest feasible budget, where one was proven.
  std::optional<int64_t> minBudget;
  /// The solver that found the moves.
  std::string solver;
  /// True if a limit (time, iterations) stopped it.
  bool limited = false;
  /// Of solvers that solve a model which expresses some schedules and not all:
  /// how the model ended, and a bound on what it expresses. Unlike `status` and
  /// `bound`, neither speaks of the problem.
  std::optional<Status> modelStatus;
  std::optional<int64_t> modelBound;
};

/// Notes that nothing costs less than `bound`: what costs no more is optimal.
/// Of anything with a cost, a bound and a status.
template <typename AnyAnswer>
void certify(AnyAnswer &answer, int64_t bound) {
  answer.bound = std::min(bound, answer.cost);
  answer.status =
      answer.bound == answer.cost ? Status::Optimal : Status::Feasible;
}

/// What a replay measured.
struct Replay {
  Verdict verdict;
  /// Sum of the steps' costs, every run counted.
  int64_t cost = 0;
  /// Peak bytes per explicit tier.
  std::vector<int64_t> peak;
  /// Bytes stored to and loaded from each explicit tier (entry 0 unused).
  std::vector<int64_t> stored, loaded;
  /// Live bytes in the compute tier while each move runs.
  std::vector<int64_t> live;
};

/// Replays `schedule` move by move under the rules of docs/PebbleGame.md.
/// `budget` bounds the compute tier (live units). Time O(moves + accesses).
Replay verify(const Problem &problem, const std::vector<Move> &moves,
              std::optional<int64_t> budget = std::nullopt);

/// The schedule that runs each step once in `order` and drops every value right
/// after its last use. `order` lists all steps; it is not checked here.
std::vector<Move> scheduleOfOrder(const Problem &problem,
                                  const std::vector<Id> &order);

/// Steps 0, 1, 2, ...: the order that came in.
std::vector<Id> givenOrder(const Problem &problem);

} // namespace pebble::game

#endif // PEBBLE_SOLVER_GAME_SCHEDULE_H
