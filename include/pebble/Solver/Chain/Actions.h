//===- Actions.h - the reversal of a loop, action by action -----*- C++ -*-===//
//
// What whoever executes the reversal of a loop of n equal steps is told to do
// next. Step i = 0..n-1 turns state i into state i+1; its adjoint step reads
// state i and the adjoint of state i+1 and makes the adjoint of state i. The
// executor has one working state, one adjoint, and snapshots in slots of
// tiers: tier 0 is the fastest, slots of a tier are numbered from 0.
//
// At the start the working state is state 0. A stream gives its actions one by
// one, in time and memory that do not depend on n where its header says so.
//
// replayActions() judges a stream by the rules A1 to A6 of
// docs/solvers/Binomial.md, and knows no generator.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_ACTIONS_H
#define PEBBLE_SOLVER_CHAIN_ACTIONS_H

#include "pebble/Solver/Game/Problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pebble::chain {

enum class ActionKind {
  /// Run the steps from..to-1 on the working state, which becomes state `to`.
  Advance,
  /// Copy the working state, which is state `from`, into the slot.
  Snapshot,
  /// Copy the slot, which holds state `from`, into the working state.
  Restore,
  /// Once, before the first Backward: here the final state, state `to`, can be
  /// had and the adjoint of it has to be there. `from` is the working state and
  /// stays it: `to` or, where nobody might ask for the final state, the one
  /// before, so that whoever wants it runs step `from` on a copy.
  Turn,
  /// Run the adjoint of step `from`. It reads the tape of that step, which is
  /// free then, or, if there is none, the working state, which is state `from`
  /// and may be overwritten.
  Backward,
  /// The slot, which holds state `from`, is not read again.
  Free,
  /// Run step `from` on the working state, which becomes state `to`, the next
  /// one, and keep all that its adjoint step reads. Only in streams whose
  /// header says so.
  Tape
};

struct Action {
  ActionKind kind = ActionKind::Advance;
  int64_t from = 0;
  /// Of Advance, Turn and Tape alone; otherwise equal to `from`.
  int64_t to = 0;
  /// Of Snapshot, Restore and Free alone.
  int32_t tier = 0;
  int64_t slot = 0;

  bool operator==(const Action &o) const {
    return kind == o.kind && from == o.from && to == o.to && tier == o.tier &&
           slot == o.slot;
  }
};

/// Actions one by one. Every stream ends.
class ActionStream {
public:
  virtual ~ActionStream() = default;
  /// The next action, or false at the end.
  virtual bool next(Action &action) = 0;
};

/// One action for messages: "advance 3..7", "snapshot 7 to tier 1 slot 0".
std::string toString(const Action &action);

/// What a stream did. Steps count single steps, those of Turn left out.
struct ActionReplay {
  game::Verdict verdict;
  /// Actions read; `verdict` is about the last of them if it is bad.
  int64_t actions = 0;
  int64_t advanced = 0, backward = 0, taped = 0;
  /// By tier: snapshots taken, snapshots read, and most slots in use.
  std::vector<int64_t> snapshots, restores, slots;
  /// Most tapes at a time, and most memory in tier 0 for snapshots and tapes of
  /// the sizes given.
  int64_t tapes = 0, memory = 0;
};

/// What a snapshot and a tape take.
struct ActionSizes {
  int64_t snapshot = 1, tape = 1;
};

/// Reads the stream to its end, or to the first action that breaks a rule, as
/// the reversal of `steps` steps with `slots[t]` slots in tier t. Memory grows
/// with the slots in use alone.
ActionReplay replayActions(ActionStream &stream, int64_t steps,
                           const std::vector<int64_t> &slots,
                           const ActionSizes &sizes = {});

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_ACTIONS_H
