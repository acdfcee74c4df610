//===- Internal.h - shared by the files of Report (private) -----*- C++ -*-===//

#ifndef PEBBLE_LIB_REPORT_INTERNAL_H
#define PEBBLE_LIB_REPORT_INTERNAL_H

#include "pebble/Report/FunctionReport.h"
#include "pebble/Report/Units.h"

namespace pebble {

/// Fingerprint of each step (StepEntry::fingerprint).
std::vector<uint64_t> fingerprintSteps(const StorageAnalysis &storage);

/// Gives every storage of `report` its role, and the report its turning point.
/// Storages and steps are filled in and stand at the analyses' indices.
void assignRoles(FunctionReport &report, const LifetimeAnalysis &lifetime);

/// Calls with `pebble.call_mode` in `function`, and in what they call; each
/// callee once.
std::vector<CallEntry> listCalls(mlir::Operation *function,
                                 ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_LIB_REPORT_INTERNAL_H
