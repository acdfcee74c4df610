//===- Online.h - loops whose trip count is known at the end ----*- C++ -*-===//
//
// Reverses a loop that says only at its end how many steps it had, in a fixed
// number of slots. While the loop runs, snapshots are placed, and given up for
// later ones, by the minimal repetition rule (Wang, Moin and Iaccarino 2009):
// the newest snapshot is the working state itself; it moves on, and its level
// rises by one, only where no older one has a lower level than a later one, and
// otherwise takes such a one's slot. So after beta(c, r) steps (Binomial.h) no
// level is above r. Once the loop has ended, every gap is reversed by the
// optimal schedule for the slots that are free by then.
//
// Optimal in that no step runs more often than the optimal schedule for a known
// length needs. The forward steps in all are not the least:
// docs/solvers/Online.md has figures.
//
// O(1) time for each step while the loop runs, O(slots) for a snapshot, O(1)
// for each action later; memory for the snapshots in use. A copy that was given
// up the step after is never made.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_CHAIN_ONLINE_H
#define PEBBLE_LIB_SOLVER_CHAIN_ONLINE_H

#include "pebble/Solver/Chain/Binomial.h"

#include <memory>

namespace pebble::chain {

/// Until finish(), the actions are those around one more step: perhaps Free and
/// Snapshot, then Advance by one. Whoever executes them asks for the next ones
/// only if the loop has one more step, and calls finish() if it has not, right
/// after an Advance or at the start. From then on the stream is that of the
/// reversal, which starts with the turn at the final state.
class OnlineActions : public ActionStream {
public:
  /// In slots 0..slots - 1 of tier `tier`; `slots` is at least 1.
  explicit OnlineActions(int64_t slots, int32_t tier = 0);
  bool next(Action &action) override;
  /// The loop has ended.
  void finish();
  /// Steps so far.
  int64_t steps() const { return state; }

private:
  struct Kept {
    int64_t state, level, slot;
  };
  enum class Phase { Decide, Snapshot, Advance, Turn, Reverse };

  int64_t freshSlot();
  int64_t physicalSlot(int64_t innerSlot) const;
  bool reverse(Action &action);

  const int64_t slots;
  const int32_t tier;
  /// The working state while the loop runs, and its level.
  int64_t state = 0, level = INT64_MAX;
  Phase phase = Phase::Decide;
  /// Oldest first.
  std::vector<Kept> kept;
  /// Those of `kept` that have a lower level than a later one.
  size_t firstIdle = 0, lastIdle = 0;
  /// Slots that are free again, then those that have never been used.
  std::vector<int64_t> freed;
  int64_t unused = 0;
  std::unique_ptr<BinomialActions> inner;
  /// Of the gap that is being reversed.
  Kept base{0, 0, 0};
};

} // namespace pebble::chain

#endif // PEBBLE_LIB_SOLVER_CHAIN_ONLINE_H
