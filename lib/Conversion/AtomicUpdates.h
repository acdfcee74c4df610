//===- AtomicUpdates.h - updates that upstream can lower --------*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_ATOMICUPDATES_H
#define PEBBLE_LIB_CONVERSION_ATOMICUPDATES_H

#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// An atomic update with loops or branches in it becomes a load, what it
/// computes, and a store: one thread runs a program, and upstream lowers no
/// region inside of an update.
void writeUpdatesWithRegions(mlir::Operation *root);

/// Rewrites each `memref.generic_atomic_rmw` that upstream cannot lower as it
/// is. Fails, with an error, where there is no way.
llvm::LogicalResult prepareUpdates(mlir::ModuleOp module);

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_ATOMICUPDATES_H
