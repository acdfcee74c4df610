//===- Placement.h - which tier a value lives in ----------------*- C++ -*-===//
//
// Reads a value's tier off its type or its op, finds the hierarchy that an op
// stands under, and says whether an argument was given away. The one place that
// knows how these are written down.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PLACEMENT_H
#define PEBBLE_DIALECT_PLACEMENT_H

#include "pebble/Dialect/PebbleDialect.h"

namespace pebble {

/// The placement that `type` carries as a tensor's encoding or a memref's
/// memory space; null if it carries none.
AtAttr getPlacement(mlir::Type type);

/// `type` with placement `at` (null: without one). A tensor whose encoding is
/// taken by something else, and a type that is neither tensor nor memref, come
/// back null.
mlir::Type withPlacement(mlir::Type type, AtAttr at);

/// The tier that `value` is placed in: by its type, else by the `pebble.tier`
/// of the op that defines it or of the function argument that it is. Empty: the
/// compute tier.
llvm::StringRef getTierName(mlir::Value value);

/// `pebble.hierarchy` of `op` or of the nearest op around it; null if there is
/// none. Does not look at upstream target specs: `Target` does.
HierarchyAttr lookupHierarchy(mlir::Operation *op);

/// Whether argument `index` of function `func` was given away by the caller:
/// `pebble.donated`, `bufferization.writable = true`, `tf.aliasing_output` or
/// `jax.buffer_donor = true`.
bool isDonatedArgument(mlir::Operation *func, unsigned index);

/// Whether `value` is an argument of a function's entry block.
bool isFunctionArgument(mlir::Value value);

/// Checks every type and every cast under `root` against `hierarchy`: rules D9
/// and D10. Nested ops with a hierarchy of their own are left to that one. The
/// verifier of `pebble.hierarchy` calls it.
mlir::LogicalResult verifyPlacements(mlir::Operation *root,
                                     HierarchyAttr hierarchy);

} // namespace pebble

#endif // PEBBLE_DIALECT_PLACEMENT_H
