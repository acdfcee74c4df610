//===- FreshBuffers.h - buffers whose owner upstream writes down -*- C++ -*-==//

#ifndef PEBBLE_LIB_TRANSFORMS_FRESHBUFFERS_H
#define PEBBLE_LIB_TRANSFORMS_FRESHBUFFERS_H

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace pebble {

/// Writes the clone as an allocation and a copy. Fails, with an error, where no
/// allocation has the layout of its result.
mlir::LogicalResult lowerClone(mlir::bufferization::CloneOp op,
                               mlir::RewriterBase &rewriter);

/// Writes the realloc as an allocation and a copy of what fits. The old buffer
/// ends with its last use, like others.
void lowerRealloc(mlir::memref::ReallocOp op, mlir::RewriterBase &rewriter);

/// Takes away frees that are asked for where the run knows whose a buffer is:
/// frees are placed by what owns it. Whether what is retained was among the
/// buffers to free is still said.
void lowerDealloc(mlir::bufferization::DeallocOp op,
                  mlir::RewriterBase &rewriter);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_FRESHBUFFERS_H
