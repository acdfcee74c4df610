//===- Trips.h - how often loops run ----------------------------*- C++ -*-===//

#ifndef PEBBLE_DIALECT_TRIPS_H
#define PEBBLE_DIALECT_TRIPS_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/APInt.h"

#include <optional>

namespace pebble {

/// How often the loop `op` runs each time that it is reached, where its bounds
/// say so; nothing for `scf.while`, and for what is no loop.
std::optional<llvm::APInt> getStaticTrips(mlir::Operation *op);

/// True for a loop that runs at least once each time that it is reached.
bool surelyRuns(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_DIALECT_TRIPS_H
