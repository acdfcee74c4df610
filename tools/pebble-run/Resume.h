//===- Resume.h - the journal of a run --------------------------*- C++ -*-===//
//
// The option --resume: a program whose loops take snapshots has a journal in
// the directory of --slow-dir, from which it goes on after it was killed.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_RESUME_H
#define PEBBLE_TOOLS_PEBBLE_RUN_RESUME_H

#include "Npy.h"
#include "Predict.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pebble {

/// The snapshots of one loop of a program.
struct LoopSnapshots {
  int64_t every = 1;
  bool last = false; ///< one is taken at the end as well
  /// Iterations, and bytes of the values in a snapshot, where they are known.
  std::optional<int64_t> trips, bytes;

  /// How many are due after at most `done` iterations, of `trips`.
  int64_t countDue(int64_t done) const;
};

/// By the number of their loop.
using SnapshotPlan = std::map<int64_t, LoopSnapshots>;
SnapshotPlan findSnapshots(mlir::FunctionOpInterface entry);

/// What tells one program, with its inputs and how it runs (`runs`), from
/// others; zeros where there is no directory for a journal.
using RunIdentity = std::array<uint8_t, 32>;
RunIdentity identifyRun(mlir::ModuleOp module, llvm::StringRef entry,
                        uint64_t seed, llvm::StringRef runs,
                        const std::map<unsigned, NpyArray> &arrays);

/// --resume.
bool isResuming();

/// Opens the journal if the program takes snapshots and has a directory for
/// them; the files of slower tiers are then made in it. With --resume it says
/// in notes where the program goes on, and it is an error if it never could.
/// `prediction` is then of what is left to do. Comes after addTiers.
/// `isOfRuns`: the snapshots are taken between whole runs.
llvm::Error openJournal(const SnapshotPlan &plan, const RunIdentity &identity,
                        unsigned repeat, bool isOfRuns, Prediction &prediction);

/// With --mtbf, a line for each loop that took snapshots in this run: how many
/// iterations from one to the next cost the least time. Empty without.
std::string adviseSnapshots(const SnapshotPlan &plan);

/// Removes the journal: the results are safe.
void finishJournal();

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_RESUME_H
