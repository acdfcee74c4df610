//===- ReversalSlots.h - where a reversed loop keeps its states -*- C++ -*-===//
//
// Slot 0 is the first state, which stays where it is and is read there. The
// tensors of the slots above it are in an array for each tier, first those of
// the slower tier; numbers stay in the compute tier.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_REVERSALSLOTS_H
#define PEBBLE_LIB_TRANSFORMS_REVERSALSLOTS_H

#include "LoopWriter.h"
#include "ReversalDriver.h"

namespace pebble {

/// How often the slots of a slower tier are written and read while a loop is
/// reversed.
struct SlowAccesses {
  int64_t savedFirst = 0; ///< in the first sweep
  int64_t saved = 0;      ///< in all sweeps
  int64_t restored = 0;
};

/// The same for `steps` steps, and `slots` slots of which the first `slow`
/// above slot 0 are slow. Takes time and memory in the number of different
/// lengths that the schedule cuts the loop into, which is hundreds for a
/// billion steps.
SlowAccesses countSlowAccesses(int64_t steps, int64_t slots, int64_t slow);

class Slots {
public:
  /// `first`: the state of slot 0. `steps`: how many there are to reverse, if
  /// that is known.
  Slots(LoopWriter &w, mlir::ValueRange first, const ReversalPlan &plan,
        std::optional<int64_t> steps);

  Values getFirst() const { return first; }
  int64_t getCount() const { return count; }

  /// Empty slots, but for slot 0, whose state is the one before step `low`.
  Values make(mlir::Value low);
  /// The step before which the state in `slot` is.
  mlir::Value getPosition(mlir::ValueRange kept, mlir::Value slot);
  /// Under `condition`, keeps `state` in `slot`, which is not 0.
  Values save(mlir::ValueRange kept, mlir::Value slot, mlir::Value position,
              mlir::ValueRange state, mlir::Value condition, bool isFirstSweep);
  /// The state in `slot`, in the buffers of `into`.
  Values restore(mlir::ValueRange kept, mlir::Value slot,
                 mlir::ValueRange into);

private:
  /// Slots `low` to `high` - 1, in one tier: an array for each of some of the
  /// values of a state.
  struct Group {
    int64_t low, high;
    llvm::SmallVector<unsigned> values;
    llvm::SmallVector<StateArray> arrays;
    bool isSlow;
  };
  void addGroup(int64_t low, int64_t high, bool numbers,
                const ReversalPlan *slow = nullptr);
  mlir::Value isIn(const Group &group, mlir::Value slot);

  LoopWriter &w;
  Values first;
  int64_t count;
  StateArray positions;
  std::vector<Group> groups;
  std::optional<SlowAccesses> accesses;
};

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_REVERSALSLOTS_H
