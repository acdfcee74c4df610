//===- RankFiles.h - files that are of all ranks ----------------*- C++ -*-===//
//
// --summary and --trace: what all ranks took, and when, in one file that rank 0
// writes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_RANKFILES_H
#define PEBBLE_TOOLS_PEBBLE_RUN_RANKFILES_H

#include "OutputFiles.h"
#include "RunReport.h"

#include "pebble/Dialect/PebbleDialect.h"

#include "llvm/Support/Error.h"

namespace pebble {

/// Whether a file is of all ranks, so that all of them have to write it.
bool writesOfAllRanks();

/// An error where this rank cannot, since its program has no messages, which
/// have been loaded by now.
llvm::Error checkFilesOfAllRanks();

/// An error, on all ranks, where options of theirs would let one wait for
/// another for ever, or where two would write one of the files of `own`.
llvm::Error checkRankOptions(int64_t repeat, HierarchyAttr hierarchy,
                             llvm::ArrayRef<OutputName> own);

/// What this rank writes of --trace and --summary.
std::vector<OutputName> getRankFiles();

/// --trace: of the rank alone where %r is in its name.
bool hasTrace();
std::string getTraceFile();
int64_t getTraceLimit();

/// Writes what was recorded, and warns where there was no room for all of it.
llvm::Error writeTrace(const std::vector<std::string> &operations);

/// Writes --summary, where it is asked for.
llvm::Error writeSummary(const Times &times, const std::string &compute,
                         const Prediction &prediction);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_RANKFILES_H
