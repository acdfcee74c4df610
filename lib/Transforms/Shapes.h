//===- Shapes.h - computations on shapes as those on numbers ----*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_SHAPES_H
#define PEBBLE_LIB_TRANSFORMS_SHAPES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

namespace pebble {

/// Lowers the `shape` dialect with upstream's passes, where `module` has any of
/// it: shapes become tensors of sizes, and what is assumed of them is asserted.
/// `run` runs a pipeline on an operation. Fails with an error.
llvm::LogicalResult
lowerShapes(mlir::ModuleOp module, mlir::RewriterBase &rewriter,
            llvm::function_ref<llvm::LogicalResult(mlir::OpPassManager &,
                                                   mlir::Operation *)>
                run);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_SHAPES_H
