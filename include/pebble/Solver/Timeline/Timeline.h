//===- Timeline.h - transfers beside computation, by the clock --*- C++ -*-===//
//
// A schedule says what happens; a timeline also says when. Two workers take
// part: one runs the steps in the order in which they stand, one moves data in
// the order in which transfers were started. A transfer is a start and a wait;
// in between the program goes on, and the storage is live in both tiers. A wait
// for a transfer that has not ended is a stall.
//
// replay() is the judge of such programs and their clock. It knows nobody who
// makes them (Overlap.h).
//
// Rules beside those of a schedule (docs/PebbleGame.md):
//
//   T1  A wait names a transfer that was started and not waited for yet.
//   T2  While a transfer is under way its source is neither dropped nor
//       overwritten, and its destination is not dropped.
//   T3  What a transfer brings is neither read nor moved on before the wait.
//   T4  At the end every transfer has been waited for.
//
// A start counts as the whole move in the rules of a schedule: the bytes of the
// destination are live from then on.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_TIMELINE_TIMELINE_H
#define PEBBLE_SOLVER_TIMELINE_TIMELINE_H

#include "pebble/Solver/Game/Schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pebble::timeline {

enum class ActionKind {
  Run,   ///< run the step `subject`
  Store, ///< start a copy of the value `subject` to `tier`
  Load,  ///< start a copy of the value `subject` from `tier`
  Wait,  ///< until the transfer number `subject`, in the order of starts, ends
  Drop   ///< free the copy of the value `subject` in `tier`
};

struct Action {
  ActionKind kind = ActionKind::Run;
  uint32_t subject = game::kNone;
  game::Id tier = 0;
};

/// How long everything takes, in nanoseconds. Nothing is negative.
struct Durations {
  /// By step, of one run.
  std::vector<int64_t> steps;
  /// By explicit tier (entry 0 unused) and value.
  std::vector<std::vector<int64_t>> stores, loads;
};

/// The sum of two times of at least 0; INT64_MAX if it is more.
int64_t addTimes(int64_t a, int64_t b);

/// Nanoseconds of `bytes` bytes at `bandwidth` bytes per microsecond, rounded
/// up, after `latency` nanoseconds. The bandwidth is more than 0. INT64_MAX if
/// they are more.
int64_t getAccessTime(int64_t bytes, int64_t bandwidth, int64_t latency);

/// Durations of transfers by the figures of the tiers: the latency of the
/// slower one and the storage's bytes at its bandwidth, rounded up. Where a
/// bandwidth is unknown (0), nothing.
std::optional<Durations> getDurations(const game::Problem &problem,
                                      std::vector<int64_t> steps);

/// What the clock says of a program that keeps the rules.
struct Timeline {
  game::Verdict verdict;
  /// From the first action to the end of the last one.
  int64_t makespan = 0;
  /// Summed over all runs, all transfers, and all waits that had to wait.
  int64_t computing = 0, moving = 0, stalled = 0;
  /// By action: when it begins, and for a wait or a run, when it ends; for the
  /// start of a transfer, when the transfer ends.
  std::vector<int64_t> begins, ends;
  /// Peak bytes by explicit tier.
  std::vector<int64_t> peak;
};

/// Plays `actions` by the rules above and those of game::verify(), and reads
/// the clock. Without `overlap` each transfer is carried out where it starts.
/// Time O(actions + accesses).
Timeline replay(const game::Problem &problem,
                const std::vector<Action> &actions, const Durations &durations,
                std::optional<int64_t> budget = std::nullopt,
                bool overlap = true);

/// The moves that a program makes, each transfer where it starts.
std::vector<game::Move> movesOf(const std::vector<Action> &actions);

/// The moves of a schedule with each transfer waited for where it starts.
std::vector<Action> waitAtOnce(const std::vector<game::Move> &moves);

} // namespace pebble::timeline

#endif // PEBBLE_SOLVER_TIMELINE_TIMELINE_H
