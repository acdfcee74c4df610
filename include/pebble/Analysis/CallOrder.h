//===- CallOrder.h - callees before callers ---------------------*- C++ -*-===//
//
// Who calls whom in a module, and in which order that asks for plans.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_CALLORDER_H
#define PEBBLE_ANALYSIS_CALLORDER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace pebble {

/// All functions under `root`, each after those that it calls and otherwise in
/// the order in which they stand. In a circle of calls the function that is met
/// first comes last. Depth of calls costs no stack.
llvm::SetVector<mlir::Operation *> getCalleesFirst(mlir::Operation *root);

/// `outermost` and the modules inside of it, the inner ones first. Each is a
/// world of its own: a name means a symbol of the module that it stands in.
llvm::SmallVector<mlir::ModuleOp> getModules(mlir::ModuleOp outermost);

/// By function: those of `functions` that call it.
llvm::DenseMap<mlir::Operation *, llvm::SetVector<mlir::Operation *>>
getCallers(llvm::ArrayRef<mlir::Operation *> functions);

/// `function` and all that it calls, directly or not.
llvm::SetVector<mlir::Operation *> getCallees(mlir::Operation *function);

/// Whether anything beside `symbol` in the table that it stands in spells its
/// name. Looks into operations that are not registered as well, where upstream
/// cannot say what a name means. Time linear in operations.
bool isReferenced(mlir::Operation *symbol);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_CALLORDER_H
