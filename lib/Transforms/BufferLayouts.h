//===- BufferLayouts.h - layouts of buffers as strides ----------*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_BUFFERLAYOUTS_H
#define PEBBLE_LIB_TRANSFORMS_BUFFERLAYOUTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

namespace pebble {

/// Writes the layouts of memrefs that are affine maps as strides, where they
/// can be: below here nothing else is known of a layout. Others become the
/// plain layout of other dimensions where upstream's pass does that. `run` runs
/// a pipeline on an operation. Fails with an error.
llvm::LogicalResult
lowerLayouts(mlir::ModuleOp module, mlir::RewriterBase &rewriter,
             llvm::function_ref<llvm::LogicalResult(mlir::OpPassManager &,
                                                    mlir::Operation *)>
                 run);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_BUFFERLAYOUTS_H
