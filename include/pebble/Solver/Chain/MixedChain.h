//===- MixedChain.h - snapshots and tapes in one memory ---------*- C++ -*-===//
//
// Reverses a chain of equal steps in a memory that holds snapshots, from which
// steps are run again, and tapes, which hold all that one adjoint step reads,
// so that nothing is run again for it. Both have a size of their own. Minimises
// the forward steps: f for a plain one, g for one that makes a tape; with l
// steps to reverse and m units of memory free,
//
//   V(l, m) = min of g + V(l - 1, m - tape)
//             and, over j, j f + V(l - j, m - snapshot) + V(j, m).
//
// The first tapes the first step and goes on, the second keeps the state at
// hand, reverses what is above j steps, and comes back. Classical checkpointing
// (Binomial.h) tapes a step only right before its adjoint; keeping tapes where
// there is room saves what it runs twice. Equal sizes are the mixed schedules
// of Maddison (2024), unequal ones the persistent schedules of Beaumont et al.
// (2019) on equal layers; the recurrence in units of both sizes is written for
// this project.
//
// Best among schedules that keep a snapshot until the step after it has been
// reversed; docs/solvers/MixedChain.md says where that was checked to be the
// best of all. Time: O(n) for each unit of memory as long as rows are convex,
// which is checked; otherwise O(n^2).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_MIXEDCHAIN_H
#define PEBBLE_SOLVER_CHAIN_MIXEDCHAIN_H

#include "pebble/Solver/Chain/Actions.h"

#include <memory>
#include <vector>

namespace pebble::chain {

struct MixedGame {
  int64_t steps = 0;
  /// Units of memory beside the working state, and what both kinds take.
  int64_t budget = 0, snapshot = 1, tape = 1;
  /// Costs of a step: plain, with a tape, and its adjoint.
  int64_t forward = 1, taping = 1, backward = 1;

  int64_t costOfOneRun() const { return steps * (taping + backward); }
};

/// Why the game makes no sense or its tables would be too large; empty if
/// neither.
std::string mixedGameError(const MixedGame &game);

class MixedChain {
public:
  /// Builds the tables of a game without error. A budget that holds no tape
  /// has no schedule.
  explicit MixedChain(const MixedGame &game);

  /// The least cost; a quarter of INT64_MAX or more if there is no schedule.
  int64_t cost() const;
  /// The least budget of any schedule.
  int64_t leastBudget() const;
  /// A schedule of that cost, with Tape actions; snapshots in slots of tier 0.
  /// The tables have to outlive it.
  std::unique_ptr<ActionStream> actions() const;

  /// 0: tape the next step. Otherwise the distance to the next snapshot.
  int64_t splitOf(int64_t length, int64_t units) const;
  /// In units of the greatest common divisor of both sizes.
  int64_t units() const { return static_cast<int64_t>(rows.size()) - 1; }
  int64_t snapshotUnits() const { return snapshot; }
  int64_t tapeUnits() const { return tape; }
  const MixedGame &game() const { return g; }

private:
  struct Row {
    std::vector<int64_t> cost;
    std::vector<int32_t> split;
    bool convex = true;
  };
  void build(size_t units);

  const MixedGame g;
  int64_t snapshot = 1, tape = 1;
  std::vector<Row> rows;
};

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_MIXEDCHAIN_H
