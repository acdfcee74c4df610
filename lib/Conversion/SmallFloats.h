//===- SmallFloats.h - floats that no machine computes with -----*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_SMALLFLOATS_H
#define PEBBLE_LIB_CONVERSION_SMALLFLOATS_H

#include "mlir/IR/Operation.h"

namespace pebble {

/// Whether `type` is a float of 8 bits or less, or a vector of them.
bool isSmallFloat(mlir::Type type);

/// Computes in f32 what `top` computes in small floats, and rounds it.
void emulateSmallFloats(mlir::Operation *top);

/// Writes conversions from and to small floats inside of `top` as operations on
/// their bits. They give the bits that LLVM's APFloat gives.
void expandSmallFloats(mlir::Operation *top);

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_SMALLFLOATS_H
