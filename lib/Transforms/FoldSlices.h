//===- FoldSlices.h - slices that are what was inserted ---------*- C++ -*-===//
//
// Private to Transforms.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_FOLDSLICES_H
#define PEBBLE_LIB_TRANSFORMS_FOLDSLICES_H

#include "mlir/IR/Operation.h"

namespace pebble {

/// Folds insertions in `root` that cover all into what is inserted, and hides
/// from slices that take out what was just inserted that they do.
void foldSlices(mlir::Operation *root);

/// Hides from upstream's folds that an op in `root` hands on what it reads of a
/// slice. The op stays what it was. Its body gets an identity (OpaqueOp).
void hideSliceCopies(mlir::Operation *root);

/// True if the buffer of `value` is part of a larger one, so that its rows need
/// not be adjacent.
bool isSlice(mlir::Value value);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_FOLDSLICES_H
