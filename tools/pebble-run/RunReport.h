//===- RunReport.h - what the meter read in a run ---------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_RUNREPORT_H
#define PEBBLE_TOOLS_PEBBLE_RUN_RUNREPORT_H

#include "Links.h"
#include "Predict.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace pebble {

/// How long a run took, and what of it went to transfers and to messages.
struct Times {
  double seconds = 0, transfers = 0, stalls = 0;
  LinkTimes links;
  /// Until the last rank had ended, where ranks tell each other; else
  /// `seconds`.
  double makespan = 0;
};

/// The JSON object of --json: of the meter as the run left it, with the compute
/// tier, which is named `compute`, before the others.
void writeRunReport(llvm::raw_ostream &os, const Times &times,
                    const std::string &digest, const std::string &compute,
                    const Prediction &prediction);

/// What all ranks took, in one object with a list for each figure. All ranks
/// must call it; rank 0 writes, where `os` is not null.
void writeRanksReport(llvm::raw_ostream *os, const Times &times,
                      const std::string &compute, const Prediction &prediction);

/// What the run of `function` took, in one line: peaks, moves and times beside
/// what was predicted.
std::string summarizeRun(llvm::StringRef function, const Times &times,
                         const std::string &compute,
                         const Prediction &prediction);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_RUNREPORT_H
