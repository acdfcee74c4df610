//===- Flags.h - what flags leave open --------------------------*- C++ -*-===//

#ifndef PEBBLE_DIALECT_FLAGS_H
#define PEBBLE_DIALECT_FLAGS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace pebble {

/// Whether a flag of `op` leaves its result open. It may say more of the
/// operands than is known, such as that a sum does not overflow: without that,
/// the result is anything. Or it lets a compiler compute something else, such
/// as a sum in another order: then two kernels with the same `op` may differ.
bool hasFlags(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_DIALECT_FLAGS_H
