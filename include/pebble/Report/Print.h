//===- Print.h - what the analyses found, as stable text --------*- C++ -*-===//
//
// For FileCheck: one fact a line, no alignment, storages as `s0`, `s1`, ... in
// the analysis's order, sizes unrounded unless it says footprint.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_REPORT_PRINT_H
#define PEBBLE_REPORT_PRINT_H

#include "pebble/Analysis/Traffic.h"

namespace pebble {

/// Storages, and what every step reads, writes, overwrites and needs.
void printStorage(llvm::raw_ostream &os, llvm::StringRef function,
                  const StorageAnalysis &storage);
/// Live bytes at every step, and how long each storage lives.
void printFootprint(llvm::raw_ostream &os, llvm::StringRef function,
                    const LifetimeAnalysis &lifetime);
/// Every access with the tier that serves it.
void printTraffic(llvm::raw_ostream &os, llvm::StringRef function,
                  const LifetimeAnalysis &lifetime,
                  const TrafficAnalysis &traffic, CacheModel model);

} // namespace pebble

#endif // PEBBLE_REPORT_PRINT_H
