//===- PebbleTransformOps.h - plans from transform scripts ------*- C++ -*-===//
//
// `transform.pebble.order`, `.schedule` and `.checkpoint_loops`. Needs Pebble's
// passes to be registered.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TRANSFORMOPS_PEBBLETRANSFORMOPS_H
#define PEBBLE_TRANSFORMOPS_PEBBLETRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpDefinition.h"

#define GET_OP_CLASSES
#include "pebble/TransformOps/PebbleTransformOps.h.inc"

namespace pebble {

/// Adds the operations to the transform dialect of `registry`.
void registerTransformOps(mlir::DialectRegistry &registry);

} // namespace pebble

#endif // PEBBLE_TRANSFORMOPS_PEBBLETRANSFORMOPS_H
