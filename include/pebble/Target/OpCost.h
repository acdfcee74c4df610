//===- OpCost.h - what one run of an op costs -------------------*- C++ -*-===//
//
// Counts arithmetic operations and bytes accessed, by an op interface with
// external models for upstream dialects. Counts are of the op alone and know no
// machine: `getComputeEnergy` puts a price on them.
//
// Conventions: an arithmetic operation of a scalar counts 1, a fused
// multiply-add 2, a function that is computed by a polynomial or a series (exp,
// tanh, pow, sin, ...) 10, a conversion, a constant or a copy 0. A view
// accesses no bytes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_OPCOST_H
#define PEBBLE_TARGET_OPCOST_H

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleDialect.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace pebble {

/// What one run of an op costs.
struct OpCost {
  /// Arithmetic operations.
  int64_t flops = 0;
  /// Bytes of shaped values read and written.
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// `pebble.cost`, where the user has given one.
  std::optional<int64_t> given;
  /// Why the counts are not to be relied on ("no cost model for 'a.b'"); empty
  /// if they are.
  std::string doubt;

  bool isKnown() const { return doubt.empty() || given; }
  int64_t getBytes() const { return addCounts(bytesRead, bytesWritten); }

  /// One number for the cost of running the op again: the given cost, else the
  /// arithmetic operations, else, for an op that only moves data or that
  /// nothing is known of, the bytes.
  int64_t getWork() const {
    return given ? *given : flops > 0 ? flops : getBytes();
  }

  /// Adds `times` runs of `other`.
  OpCost &add(const OpCost &other, int64_t times = 1);

  /// The cost of an op that nothing more is known of.
  static OpCost unknown(mlir::Operation *op, const DimBounds &bounds,
                        const llvm::Twine &doubt);
};

/// Energy of one run in femtojoules: the given cost (which is one, in energy
/// objectives), else operations times the energy of an operation.
int64_t getComputeEnergy(const OpCost &cost, HierarchyAttr hierarchy);

/// Nanoseconds of arithmetic at the speed of `hierarchy`, rounded up; 0 where
/// it states none.
int64_t getArithmeticTime(const OpCost &cost, HierarchyAttr hierarchy);

/// Estimates ops of one module, each callee once. For use while the module does
/// not change.
class OpCostModel {
public:
  explicit OpCostModel(DimBounds bounds = {}) : bounds(bounds) {}

  const DimBounds &getBounds() const { return bounds; }

  /// The cost of one run of `op`, nested regions and callees included. An op
  /// without a model costs its bytes and says so in `doubt`.
  OpCost estimate(mlir::Operation *op);

  /// The sum over the ops of all blocks of `region`, each run once.
  OpCost estimateRegion(mlir::Region &region);

private:
  OpCost estimateCall(mlir::Operation *call);

  DimBounds bounds;
  mlir::SymbolTableCollection symbolTables;
  llvm::DenseMap<mlir::Operation *, OpCost> callees;
};

/// `OpCostModel(bounds).estimate(op)`, for one op.
OpCost estimateOpCost(mlir::Operation *op, const DimBounds &bounds = {});

/// Arithmetic operations of one element for an op of arith or math; 0 for all
/// others.
int64_t getScalarFlops(mlir::Operation *op);

} // namespace pebble

#include "pebble/Target/CostOpInterface.h.inc"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pebble {
/// Adds the models for arith, math, tensor, linalg, tosa, scf, memref and
/// bufferization. They come into force when those dialects are loaded.
void registerCostModels(mlir::DialectRegistry &registry);
} // namespace pebble

#endif // PEBBLE_TARGET_OPCOST_H
