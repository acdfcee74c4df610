//===- PlanLimits.h - the limits of a planning pass -------------*- C++ -*-===//
//
// Limits as users write them, on a pass or (`--memory-limit=4GB`) on a tool.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_PLANLIMITS_H
#define PEBBLE_PLANNING_PLANLIMITS_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "pebble/Solver/Graph/Limits.h"

namespace pebble {

/// Puts `--memory-limit` on the command line of the tool that asks.
void registerPlanningCLOptions();

/// The bytes that tables of searches may take: what the pass says, else what
/// the command line says, else the default. Emits an error and fails if it is
/// no number of bytes.
llvm::FailureOr<uint64_t> getTableBytes(mlir::Location loc,
                                        llvm::StringRef ofPass);

} // namespace pebble

#endif // PEBBLE_PLANNING_PLANLIMITS_H
