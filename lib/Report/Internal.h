//===- Internal.h - shared by the files of Report (private) -----*- C++ -*-===//

#ifndef PEBBLE_LIB_REPORT_INTERNAL_H
#define PEBBLE_LIB_REPORT_INTERNAL_H

#include "pebble/Report/FunctionReport.h"

namespace pebble {

/// Fingerprint of each step (StepEntry::fingerprint).
std::vector<uint64_t> fingerprintSteps(const StorageAnalysis &storage);

/// Gives every storage of `report` its role, and the report its turning point.
/// Storages and steps are filled in and stand at the analyses' indices.
void assignRoles(FunctionReport &report, const LifetimeAnalysis &lifetime);

/// "1,234,567".
std::string withSeparators(int64_t value);
/// "5.6 MiB"; exact below 10 KiB.
std::string formatBytes(int64_t bytes);
/// Picojoules with separators, or microjoules where that is long.
std::string formatEnergy(int64_t femtojoules);

} // namespace pebble

#endif // PEBBLE_LIB_REPORT_INTERNAL_H
