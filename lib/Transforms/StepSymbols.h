//===- StepSymbols.h - who names the functions of a step --------*- C++ -*-===//
//
// Private to pebble-pipeline-stages.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_STEPSYMBOLS_H
#define PEBBLE_LIB_TRANSFORMS_STEPSYMBOLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// `name`, or one like it that no symbol of `module` has.
std::string getFreeName(mlir::ModuleOp module, std::string name);

/// Erases private functions that nobody names any more.
void eraseUnused(mlir::ModuleOp module);

/// Whoever names the step would call something else afterwards: an error.
llvm::LogicalResult checkIsUnused(mlir::func::FuncOp function,
                                  mlir::ModuleOp module);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_STEPSYMBOLS_H
