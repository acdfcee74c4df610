//===- RunOnce.h - steps that must not run a second time --------*- C++ -*-===//
//
// Effects, hidden state, buffers with names of their own: says of each step of
// a block why it cannot run again, if it cannot. Changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_RUNONCE_H
#define PEBBLE_PLANNING_RUNONCE_H

#include "pebble/Analysis/Storage.h"

#include <string>
#include <vector>

namespace pebble {

/// For each step of the block, why it cannot run a second time; empty if it
/// can. Updating in place is no reason here: a unit of steps may do what its
/// members may not (Solver/Portfolio/StepUnits.h). Time linear in operations,
/// uses and accesses.
std::vector<std::string> getRunOnceReasons(const StorageAnalysis &storage);

} // namespace pebble

#endif // PEBBLE_PLANNING_RUNONCE_H
