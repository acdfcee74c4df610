//===- Relayouts.h - packed layouts and back --------------------*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_RELAYOUTS_H
#define PEBBLE_LIB_TRANSFORMS_RELAYOUTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace pebble {

/// Writes the pack as one `linalg.generic` over its destination, and takes its
/// place.
void lowerPack(mlir::linalg::PackOp op, mlir::RewriterBase &rewriter);

/// The same of an unpack.
void lowerUnpack(mlir::linalg::UnPackOp op, mlir::RewriterBase &rewriter);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_RELAYOUTS_H
