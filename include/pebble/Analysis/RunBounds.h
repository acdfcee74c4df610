//===- RunBounds.h - what a run surely takes --------------------*- C++ -*-===//
//
// The analyses count what a program takes if every branch is taken and every
// loop runs. This says where a run may take less: the least that it surely
// takes, and how often what moves between tiers inside of an op does so.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_RUNBOUNDS_H
#define PEBBLE_ANALYSIS_RUNBOUNDS_H

#include "pebble/Analysis/Lifetime.h"

#include <map>

namespace pebble {

/// Bytes moved between tiers, by the names of the two (empty: the compute
/// tier).
struct InnerMoves {
  std::map<std::pair<llvm::StringRef, llvm::StringRef>, int64_t> bytes;
  /// False if something moves in a loop of which nobody knows how often it
  /// runs: that is left out.
  bool areKnown = true;
  /// Some of it is in a branch or a loop that may not run.
  bool areBound = false;
};

/// What moves while `op` runs, inside of it and in the functions that it calls.
/// If `op` itself is a transfer it is not counted.
InnerMoves collectInnerMoves(mlir::Operation *op, ProgramContext &context);

/// True if a run may take less than the peaks that `lifetime` says, because
/// something that decides them may not run, or is smaller than its bound.
bool peaksAreBounds(const LifetimeAnalysis &lifetime);

/// The first call, in the order of the program, by which what `function` runs
/// comes back to itself; null if there is none. The memory of such a program is
/// not known.
mlir::Operation *findRecursiveCall(mlir::Operation *function);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_RUNBOUNDS_H
