//===- DestinationModels.h - who overwrites what it is given ----*- C++ -*-===//

#ifndef PEBBLE_DIALECT_DESTINATIONMODELS_H
#define PEBBLE_DIALECT_DESTINATIONMODELS_H

namespace mlir {
class DialectRegistry;
}

namespace pebble {

/// Tells of operations that become buffers by overwriting an operand, and do
/// not say so, which operand that is.
void registerDestinationModels(mlir::DialectRegistry &registry);

} // namespace pebble

#endif // PEBBLE_DIALECT_DESTINATIONMODELS_H
