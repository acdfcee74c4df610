//===- Dma.h - transfers of elements as copies ------------------*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_DMA_H
#define PEBBLE_LIB_TRANSFORMS_DMA_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace pebble {

/// Makes each transfer of memref and affine a copy where it starts; then
/// whoever waits for it need not wait. A module stays as it is if the elements
/// that one moves do not lie one after the other.
void makeTransfersAtOnce(mlir::ModuleOp module, mlir::RewriterBase &rewriter);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_DMA_H
