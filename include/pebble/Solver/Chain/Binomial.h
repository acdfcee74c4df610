//===- Binomial.h - Revolve's closed form, streaming ------------*- C++ -*-===//
//
// Reverses a chain of equal steps with a fixed number of snapshots, all in one
// tier, and minimises the forward steps that are run: Revolve (Griewank and
// Walther 2000, Algorithm 799; optimal among all schedules by Grimm, Pottier
// and Rostaing-Schmidt 1996). With beta(c, r) = C(c + r, r) and r the least
// number with beta(c, r) >= l, the least number of forward steps is
//
//   t(l, c) = min over j of  j + t(l - j, c - 1) + t(j, c)
//           = r * l - beta(c + 1, r - 1),
//
// and a split j is optimal exactly where
//
//   beta(c, r - 2) <= j <= beta(c, r - 1)   and
//   beta(c - 1, r - 1) <= l - j <= beta(c - 1, r).
//
// The stream keeps one frame for each snapshot in use and steps its binomial
// coefficients from frame to frame: O(1) time for each action, no table.
// Lengths and numbers of slots are any 64-bit numbers.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_BINOMIAL_H
#define PEBBLE_SOLVER_CHAIN_BINOMIAL_H

#include "pebble/Solver/Chain/Actions.h"

#include <optional>
#include <vector>

namespace pebble::chain {

/// C(c + r, r), the longest chain that c slots reverse with no step run more
/// than r times; INT64_MAX where it is larger than that. 1 for r = 0, and 0 for
/// r < 0. `c` is not negative.
int64_t binomialReach(int64_t c, int64_t r);

/// The least r with binomialReach(slots, r) >= steps; `steps` and `slots` are
/// at least 1. O(64^2) at most.
int64_t binomialRepetitions(int64_t steps, int64_t slots);

/// t(steps, slots): the least number of forward steps in the reversal of
/// `steps` steps, those that are part of a backward step left out. `slots`
/// counts the slot of the initial state. Nothing where no number of forward
/// steps will do (no slot for more than one step, or a negative argument) and
/// where the number does not fit into 64 bits.
std::optional<int64_t> binomialCost(int64_t steps, int64_t slots);

/// An optimal number of steps to the first snapshot after the one that is held,
/// the largest; `steps` >= 2, `slots` >= 1.
int64_t binomialSplit(int64_t steps, int64_t slots);

/// The optimal reversal in `slots` slots of tier `tier`, numbered from
/// `firstSlot`. The initial state takes the first slot where there is more than
/// one step: an executor that has it anyway gives one slot more and keeps the
/// first one where it is.
class BinomialActions : public ActionStream {
public:
  /// Whether it can be done: at least one slot, or at most one step.
  static bool isPossible(int64_t steps, int64_t slots) {
    return steps >= 0 && slots >= 0 && (slots >= 1 || steps <= 1);
  }
  /// Asks for isPossible(). O(64^2) at most; all later work is O(1) each.
  BinomialActions(int64_t steps, int64_t slots, int32_t tier = 0,
                  int64_t firstSlot = 0);
  /// Before the first action: the initial state is in the first slot already,
  /// the working state is another one, and the turn has been. `slots` is at
  /// least 1.
  void resume();
  bool next(Action &action) override;

private:
  /// A snapshot in use, and what is to be reversed above it: with c the slots
  /// from its own on, beta(c, r - 1) <= length <= beta(c, r).
  struct Frame {
    int64_t at, r;
    /// beta(c, r - 1).
    int64_t reach;
  };
  enum class Phase { Start, Decide, Deposit, Turn, Step, Done };

  int64_t slotOf(size_t frame) const {
    return firstSlot + static_cast<int64_t>(frame);
  }
  Action split();

  int64_t end, slots;
  int32_t tier;
  int64_t firstSlot;
  /// The working state; -1 after a backward step.
  int64_t working = 0;
  bool turned = false;
  Phase phase = Phase::Start;
  Frame above{0, 0, 0};
  std::vector<Frame> frames;
};

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_BINOMIAL_H
