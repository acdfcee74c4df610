//===- ExplainSchedule.h - what became of each large value ------*- C++ -*-===//
//
// Remarks on a schedule that recomputes or offloads: for each large value
// whether it was kept, made again, or away in a slower tier, at what cost, and
// what stood in the way. Decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_EXPLAINSCHEDULE_H
#define PEBBLE_PLANNING_EXPLAINSCHEDULE_H

#include "pebble/Planning/PlanSchedule.h"

namespace pebble {

/// Emits remarks of category `category` on `plan`, which is not applied yet: a
/// value that takes at least a hundredth of the peak is large. Names
///   recomputed  (passed)   how often, the cost, the bytes
///   offloaded   (passed)   where to, between what, the bytes, those moved
///   kept        (analysis) from where to where
///   kept        (missed)   why it could not be recomputed, or offloaded
///   timeline    (analysis) how long steps, transfers, and waits for them take
///   proof       (missed)   cost and bound, if the plan is not proven optimal
/// Does nothing if nobody listens.
void emitScheduleRemarks(const StorageAnalysis &storage,
                         const SchedulePlan &plan, llvm::StringRef category);

} // namespace pebble

#endif // PEBBLE_PLANNING_EXPLAINSCHEDULE_H
