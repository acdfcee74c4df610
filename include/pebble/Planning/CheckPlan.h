//===- CheckPlan.h - does a planned block keep what it says? ----*- C++ -*-===//
//
// What must hold of a block that was planned, whoever planned it and whatever
// ran since: no storage is used after its end, and no operation that runs again
// is equal to the first, so that nobody merges the two. Changes nothing, but
// for hideDuplicates().
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_CHECKPLAN_H
#define PEBBLE_PLANNING_CHECKPLAN_H

#include "pebble/Analysis/Storage.h"

namespace pebble {

/// Steps that make a tensor and are equal, to common subexpression elimination,
/// to an earlier op of the block: pairs of the earlier op and the later one. To
/// merge them would undo a recomputation. Time near-linear in operations.
llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>>
findDuplicates(const StorageAnalysis &storage);

/// True for operands that an op may take through `pebble.opaque`. Others say at
/// compile time what the op is (a shape, a zero point). Constant tensors may,
/// so they are hidden only where the op has no other operand.
bool mayHide(mlir::Value operand, bool isOnly);

/// Takes the operands of what findDuplicates() finds through `pebble.opaque`.
void hideDuplicates(const StorageAnalysis &storage);

/// Emits an error and fails unless every storage of the block is used before
/// its end alone, nothing is read after it was overwritten, and there are no
/// duplicates.
llvm::LogicalResult checkPlannedBlock(const StorageAnalysis &storage);

} // namespace pebble

#endif // PEBBLE_PLANNING_CHECKPLAN_H
