//===- ApplySchedule.h - rewrite a block as a schedule says -----*- C++ -*-===//
//
// The way down from the solvers: puts the operations of a block in the order of
// a schedule. Decides nothing: what is no step of the schedule (constants,
// destinations, allocations, views, drops) has a place that follows from the
// steps.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_APPLYSCHEDULE_H
#define PEBBLE_PLANNING_APPLYSCHEDULE_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Solver/Game/Schedule.h"

namespace pebble {

/// Moves the operations of the block so that its steps stand in `order`, a
/// permutation of the steps of `storage` that breaks no dependence.
///
/// An op that is no step stands right before the first step that needs its
/// result, after the ops that it needs itself, in the order of operands; what
/// no step needs stands at the end, in the order that came in. A deallocation
/// or drop stands right after the last step that touches the storage (or may
/// touch it under another name). A buffer that an op with unknown effects has
/// seen is not freed before any such op that came before its deallocation.
///
/// The same order gives the same block however often it is applied. Time linear
/// in operations and operands. The op pointers of `storage` stay valid.
void applyOrder(const StorageAnalysis &storage, llvm::ArrayRef<unsigned> order);

/// Applies a schedule that runs each step once. Stores, loads and repeated runs
/// are failures: the block is left as it is.
llvm::LogicalResult applySchedule(const StorageAnalysis &storage,
                                  const game::Schedule &schedule);

} // namespace pebble

#endif // PEBBLE_PLANNING_APPLYSCHEDULE_H
