//===- Messages.h - buffers as what MPI takes -------------------*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_MESSAGES_H
#define PEBBLE_LIB_CONVERSION_MESSAGES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// A dense buffer, as its address and the number of its elements.
struct Message {
  mlir::Value address, count;
  unsigned bits = 0;
};

/// Emits an error at `op` and fails if `buffer` is no dense one of numbers.
mlir::FailureOr<Message> getMessage(mlir::OpBuilder &builder,
                                    mlir::Operation *op, mlir::Value buffer);

/// Replaces every `pebble.collective_start` in `module`, and the wait for it,
/// by calls. A token does not cross from one function to another, as it would
/// where long functions are divided.
llvm::LogicalResult lowerCollectiveStarts(mlir::ModuleOp module);

/// Replaces every `pebble.collective`, and what is left of the above, in
/// `module`, which is on buffers, by a call of libpebble_mpi.
llvm::LogicalResult lowerCollectives(mlir::ModuleOp module);

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_MESSAGES_H
