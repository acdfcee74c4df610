//===- Tiers.h - what stands behind the tiers of a run ----------*- C++ -*-===//
//
// The options --slow-dir, --file-tier, --no-overlap and --pace, and the tiers
// of the runtime as they say.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_TIERS_H
#define PEBBLE_TOOLS_PEBBLE_RUN_TIERS_H

#include "Predict.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace pebble {

/// The directory of --slow-dir; empty without it.
std::string getSlowDir();

/// Adds the tiers of the module's hierarchy to the runtime; files are those
/// behind the compute tier, if there is a directory for them.
llvm::Error addTiers(mlir::ModuleOp module);

/// Makes blocks ready for what `prediction` says of extents.
llvm::Error reserveBlocks(const Prediction &prediction);

/// Whether transfers run beside the program: not with --no-overlap.
bool hasOverlap();

/// --pace
bool isPaced();

/// What can be known of the files before the run: that they can be made, and
/// that there is room for as much as the program will keep in them.
llvm::Error checkFiles(const Prediction &prediction);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_TIERS_H
