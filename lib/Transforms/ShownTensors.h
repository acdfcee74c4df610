//===- ShownTensors.h - tensors that buffers show (private) -----*- C++ -*-===//
//
// A tensor may be shown as a buffer, by `bufferization.to_buffer` or by a
// callee. The buffer may be read long after the tensor. Where the storage of
// the tensor is overwritten before that, what is shown must be a copy.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_SHOWNTENSORS_H
#define PEBBLE_LIB_TRANSFORMS_SHOWNTENSORS_H

#include "pebble/Analysis/ProgramContext.h"

namespace pebble {

/// Copies what has to be: what a loop under `root` carries in one buffer, where
/// an iteration hands on a buffer that shows it; and slices that are handed to
/// a callee that may show them, for callees are handed whole tensors.
void copyShownTensors(mlir::Operation *root, ProgramContext &context);

/// Whether a tensor under `root` is shown as a buffer.
bool showsTensors(mlir::Operation *root);

/// Copies every tensor under `root` that is shown, so that nothing but the
/// buffer names its storage.
void copyAllShownTensors(mlir::Operation *root);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_SHOWNTENSORS_H
