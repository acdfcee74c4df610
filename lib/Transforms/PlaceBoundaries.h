//===- PlaceBoundaries.h - arguments and results in slower tiers -*- C++ -*-===//
//
// A step of training may begin and end with its weights or the state of its
// optimiser in a slower tier. Whoever wrote it says so on arguments and
// results; the loads and stores that this takes are written here, as ordinary
// operations, for planning to place.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_PLACEBOUNDARIES_H
#define PEBBLE_LIB_TRANSFORMS_PLACEBOUNDARIES_H

#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// For each function of `module` with a body: an argument with `pebble.tier`
/// takes the placement in its type, and what used it uses what a
/// `pebble.load` in front of the first use brings; a result with `pebble.tier`
/// takes the placement in its type, and `pebble.store` at the end puts it
/// there. The store writes over a donated argument in that tier of the same
/// type (the one that names the result in `tf.aliasing_output`, else the first
/// that is left), else makes a storage. The attributes are taken off; a tier
/// that is the compute tier asks for nothing.
///
/// Emits an error and fails where a type cannot say where it is, where the
/// function has several blocks, or where others call it.
llvm::LogicalResult placeBoundaries(mlir::ModuleOp module);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_PLACEBOUNDARIES_H
