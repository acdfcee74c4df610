//===- CallOrder.h - callees before callers ---------------------*- C++ -*-===//

#ifndef PEBBLE_ANALYSIS_CALLORDER_H
#define PEBBLE_ANALYSIS_CALLORDER_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace pebble {

/// All functions under `root`, each after those that it calls and otherwise in
/// the order in which they stand. In a circle of calls the function that is met
/// first comes last. Depth of calls costs no stack.
llvm::SetVector<mlir::Operation *> getCalleesFirst(mlir::Operation *root);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_CALLORDER_H
