//===- StridedBuffers.h - allocations with gaps -----------------*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_STRIDEDBUFFERS_H
#define PEBBLE_LIB_CONVERSION_STRIDEDBUFFERS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace pebble {

/// What a descriptor says of a buffer, and the number of elements that it has
/// to be allocated for: as many as reach to the highest one from the place that
/// the offset counts from.
struct StridedBuffer {
  llvm::SmallVector<mlir::Value> sizes, strides;
  mlir::Value offset;
  mlir::Value elements;
};

/// How `type`, which is strided, is laid out. `dynamicSizes` and `symbols` are
/// what an allocation is given for what the type leaves open. All are values of
/// LLVM's type `index`.
StridedBuffer layOutBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::MemRefType type, mlir::ValueRange dynamicSizes,
                           mlir::ValueRange symbols, mlir::Type index);

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_STRIDEDBUFFERS_H
