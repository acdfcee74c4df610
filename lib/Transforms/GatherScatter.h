//===- GatherScatter.h - slices by coordinates ------------------*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_GATHERSCATTER_H
#define PEBBLE_LIB_TRANSFORMS_GATHERSCATTER_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace pebble {

/// Writes the gather as the `tensor.generate` of its elements, and takes its
/// place.
mlir::tensor::GenerateOp lowerGather(mlir::tensor::GatherOp op,
                                     mlir::RewriterBase &rewriter);

/// Writes the scatter as loops that insert each element into the destination.
void lowerScatter(mlir::tensor::ScatterOp op, mlir::RewriterBase &rewriter);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_GATHERSCATTER_H
