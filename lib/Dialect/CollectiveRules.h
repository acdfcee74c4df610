//===- CollectiveRules.h - rules of two ops (private) -----------*- C++ -*-===//

#ifndef PEBBLE_LIB_DIALECT_COLLECTIVERULES_H
#define PEBBLE_LIB_DIALECT_COLLECTIVERULES_H

#include "pebble/Dialect/PebbleStarts.h"

namespace pebble {

/// Rules D64 to D67 of `op`, which is a collective or starts one; `result` is
/// null on memrefs.
llvm::LogicalResult verifyCollective(mlir::Operation *op, mlir::Value result);

} // namespace pebble

#endif // PEBBLE_LIB_DIALECT_COLLECTIVERULES_H
