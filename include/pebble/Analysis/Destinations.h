//===- Destinations.h - what an op leaves of what it writes -----*- C++ -*-===//
//
// Says whether an operation overwrites a destination in full. What it leaves
// untouched is read later, so the old content is then an operand of the op like
// any other.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_DESTINATIONS_H
#define PEBBLE_ANALYSIS_DESTINATIONS_H

#include "mlir/IR/Operation.h"

namespace pebble {

/// True only if it is proven that nothing of what `destination`, an operand
/// that its op writes (a tensor or a memref) or that a loop begins with, held
/// before is in it, or in the result that is tied to it, afterwards:
///
/// - structured ops of linalg whose payload does not look at it, and whose
///   iterations reach every element of it;
/// - vector writes without a mask that cover all of a static shape;
/// - insertions of a whole tensor;
/// - loops that run at least once and whose body overwrites it in full;
/// - moves, and copies into a destination.
bool overwritesInFull(mlir::OpOperand &destination);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_DESTINATIONS_H
