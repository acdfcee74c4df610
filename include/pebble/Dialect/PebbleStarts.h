//===- PebbleStarts.h - what ranks do together, in two ----------*- C++ -*-===//
//
// The ops that start a collective and wait for it.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLESTARTS_H
#define PEBBLE_DIALECT_PEBBLESTARTS_H

#include "pebble/Dialect/PebbleOps.h"

#define GET_OP_CLASSES
#include "pebble/Dialect/PebbleStarts.h.inc"

namespace pebble {

/// Whether `op` is, or starts, what ranks do together.
inline bool isCollective(mlir::Operation *op) {
  return llvm::isa_and_present<CollectiveOp, CollectiveStartOp>(op);
}

/// The start of what `wait` waits for.
inline CollectiveStartOp getStart(CollectiveWaitOp wait) {
  return wait.getToken().getDefiningOp<CollectiveStartOp>();
}

/// The wait for what was started; null while the IR is being built.
CollectiveWaitOp getWait(CollectiveStartOp start);

/// What comes out of a wait for a transfer or a collective, on tensors: the
/// operand that names the same storage. Null for other ops.
mlir::Value getWaitedFor(mlir::Operation *op);

/// What a collective, started or not, consists of.
struct CollectiveParts {
  CollectiveKind kind;
  mlir::Value input, init;
  int64_t group, stride, ranks, axis;
  Reduction reduction;

  bool isReduction() const {
    return kind == CollectiveKind::AllReduce ||
           kind == CollectiveKind::ReduceScatter;
  }
};

/// Of a collective or the start of one; nothing for other ops.
std::optional<CollectiveParts> getCollective(mlir::Operation *op);

/// Makes a start and a wait of `op`, which is on tensors, side by side, and
/// erases it. Returns the start.
CollectiveStartOp splitCollective(mlir::RewriterBase &rewriter,
                                  CollectiveOp op);

/// Makes a collective, where the wait stands, of each start on tensors in `op`.
void mergeCollectives(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_DIALECT_PEBBLESTARTS_H
