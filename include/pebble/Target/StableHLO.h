//===- StableHLO.h - the ops of StableHLO, without StableHLO ----*- C++ -*-===//
//
// Pebble does not link StableHLO: its ops come in as unregistered ones, in the
// generic form. This table says of each op of the dialects stablehlo, chlo and
// mhlo (and of what partitions them, sdy) what kind of op it is and what it
// computes, so that nobody has to guess from a name. What the table lacks is
// unknown: a barrier, with a remark, and without a cost model.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_STABLEHLO_H
#define PEBBLE_TARGET_STABLEHLO_H

#include "pebble/Target/OpCost.h"

namespace pebble::hlo {

enum class Kind {
  Constant,    ///< a literal
  Elementwise, ///< each element of the result from those of the operands there
  View,        ///< the same bytes under another type
  Layout,      ///< elements put elsewhere, left out or repeated: no arithmetic
  Reduction,   ///< folds dimensions of its operands by its region
  Product,     ///< contractions: dot_general, convolution
  Window,      ///< reduce_window and select_and_scatter
  Gather,      ///< reads elements at places that operands say
  Update,      ///< dynamic_update_slice: its first operand, a part of it new
  Scatter,     ///< its first operands, elements at given places new
  Algorithm,   ///< whole-array algorithms: sort, fft, cholesky
  Random,      ///< random numbers from a state that it takes and returns
  Loop,        ///< while: condition and body
  Branch,      ///< case, if: one of its regions
  Identity,    ///< optimization_barrier: its operands
  Tuple,       ///< tuple and get_tuple_element
  Draw,        ///< random numbers from a state that nobody sees
  Collective,  ///< an exchange with other devices
  Transfer,    ///< tokens, infeed, outfeed, send, recv
  CustomCall,  ///< code from elsewhere, by its name
  Return       ///< the end of a region
};
llvm::StringRef toString(Kind kind);

/// One row of the table.
struct Op {
  llvm::StringRef name; ///< without its dialect
  Kind kind;
  /// Arithmetic operations for each element: of the result, or for what folds
  /// and updates without a region, of the first operand. What depends on
  /// attributes is counted apart (`estimate`).
  int64_t operations = 0;
};

/// The row of `op`; null for ops of other dialects and for those that the
/// table lacks. Constant time.
const Op *lookup(mlir::Operation *op);
const Op *lookup(mlir::OperationName name);

/// True if `op` is of one of the dialects that the table is about.
bool isOfTable(mlir::Operation *op);

/// Why an op with this row must keep its place; empty if it has no effect
/// beside those of its regions.
llvm::StringRef getEffect(const Op &row);

/// The target that a custom call names; empty for other ops.
llvm::StringRef getCallTarget(mlir::Operation *op);

/// The custom call by which XLA is told in which memory a value is to lie.
inline constexpr llvm::StringLiteral kPlacementCall =
    "annotate_device_placement";

/// How often a while runs its body, if it counts from one constant to another
/// by a third.
std::optional<int64_t> getTrips(mlir::Operation *loop);

/// The cost of `op`, which has `row`.
OpCost estimate(mlir::Operation *op, const Op &row, OpCostModel &model);

/// All rows, for tests and listings.
llvm::ArrayRef<Op> getTable();

} // namespace pebble::hlo

#endif // PEBBLE_TARGET_STABLEHLO_H
