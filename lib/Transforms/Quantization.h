//===- Quantization.h - quantised values as integers ------------*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_QUANTIZATION_H
#define PEBBLE_LIB_TRANSFORMS_QUANTIZATION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

namespace pebble {

/// Lowers the `quant` dialect with upstream's passes, where `module` has any of
/// it: a quantised value becomes the integer that holds it. `run` runs a
/// pipeline on an operation. Fails with an error.
llvm::LogicalResult
lowerQuantization(mlir::ModuleOp module, mlir::RewriterBase &rewriter,
                  llvm::function_ref<llvm::LogicalResult(mlir::OpPassManager &,
                                                         mlir::Operation *)>
                      run);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_QUANTIZATION_H
