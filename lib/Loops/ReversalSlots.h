//===- ReversalSlots.h - where a reversed loop keeps its states -*- C++ -*-===//
//
// Slot 0 is the first state, which stays where it is and is read there. The
// tensors of the slots above it are in an array for each tier; numbers stay in
// the compute tier.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_LOOPS_REVERSALSLOTS_H
#define PEBBLE_LIB_LOOPS_REVERSALSLOTS_H

#include "Loops/LoopWriter.h"
#include "Loops/ReversalPlan.h"

#include "pebble/Solver/Chain/SlowAccesses.h"

namespace pebble {

/// Slots `low` to `high` - 1; to the last one, where there is no `high`.
struct SlotRange {
  int64_t low = 1;
  std::optional<int64_t> high;
};

/// The slots above slot 0 of each tier.
struct SlotRanges {
  SlotRange slow, fast;
};
SlotRanges getSlotRanges(const ReversalPlan &plan);

class Slots {
public:
  /// `first`: the state of slot 0. `count`: of all slots, that one included.
  /// `accesses`: what is known of the slow ones.
  Slots(LoopWriter &w, mlir::ValueRange first, const ReversalPlan &plan,
        const SlotRanges &ranges, mlir::OpFoldResult count,
        std::optional<chain::SlowAccesses> accesses);

  Values getFirst() const { return first; }

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
  /// Slots in one tier: an array for each of some of the values of a state.
  struct Group {
    SlotRange range;
    llvm::SmallVector<unsigned> values;
    llvm::SmallVector<StateArray> arrays;
    bool isSlow;
  };
  void addGroup(const SlotRange &range, bool numbers,
                const ReversalPlan *slow = nullptr);
  mlir::Value isIn(const Group &group, mlir::Value slot);

  LoopWriter &w;
  Values first;
  mlir::OpFoldResult count;
  StateArray positions;
  std::vector<Group> groups;
  std::optional<chain::SlowAccesses> accesses;
};

} // namespace pebble

#endif // PEBBLE_LIB_LOOPS_REVERSALSLOTS_H
