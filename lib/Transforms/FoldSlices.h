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

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_FOLDSLICES_H
