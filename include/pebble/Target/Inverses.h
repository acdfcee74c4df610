//===- Inverses.h - what an operation was given -----------------*- C++ -*-===//
//
// An operand may follow from what an operation made of it: x is y - k where y
// is x + k. An op interface says so, with external models for upstream
// dialects; functions say so by an attribute.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_INVERSES_H
#define PEBBLE_TARGET_INVERSES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace pebble {

/// How an operand follows from results and other operands.
enum class Inversion {
  None,
  Exact,  ///< to the bit
  Rounded ///< up to rounding
};

/// The lesser of two.
inline Inversion getWorse(Inversion one, Inversion other) {
  if (one == Inversion::None || other == Inversion::None)
    return Inversion::None;
  return one == Inversion::Exact ? other : one;
}

/// Whether a symbol table around `op` allows values to come back rounded
/// (`pebble.allow_rounding`).
bool mayRound(mlir::Operation *op);

/// As the interface says; none where the op lacks it, or where the operand
/// comes back rounded and the module does not allow that.
Inversion getInversion(mlir::OpOperand &operand);

/// Writes the inverse, as the interface says. `results` stand for the results
/// of the op of `operand`.
mlir::Value buildInverse(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::OpOperand &operand, mlir::ValueRange results);

/// Checks that functions with `pebble.inverse` and those that they name fit.
/// Emits an error at each that does not.
llvm::LogicalResult checkDeclaredInverses(mlir::ModuleOp module);

/// Adds the models for arith, linalg and func. They come into force when those
/// dialects are loaded.
void registerInverseModels(mlir::DialectRegistry &registry);

} // namespace pebble

#include "pebble/Target/InvertibleOpInterface.h.inc"

#endif // PEBBLE_TARGET_INVERSES_H
