//===- AtomicUpdates.h - updates that upstream can lower --------*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_ATOMICUPDATES_H
#define PEBBLE_LIB_CONVERSION_ATOMICUPDATES_H

#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// Rewrites each `memref.generic_atomic_rmw` that upstream cannot lower as it
/// is. Fails, with an error, where there is no way.
llvm::LogicalResult prepareUpdates(mlir::ModuleOp module);

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_ATOMICUPDATES_H
