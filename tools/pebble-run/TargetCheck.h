//===- TargetCheck.h - functions that are for another machine ---*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_TARGETCHECK_H
#define PEBBLE_TOOLS_PEBBLE_RUN_TARGETCHECK_H

#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// Emits an error at each function of `module`, lowered, that says it is for a
/// CPU, or for features of one, that this machine cannot run, and at the first
/// operation on vectors of scalable length where the machine has none: LLVM
/// ends the process at such code, or the code does.
mlir::LogicalResult checkTargets(mlir::ModuleOp module);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_TARGETCHECK_H
