//===- Packing.h - what a packed tensor gives back (private) ----*- C++ -*-===//
//
// Knows operations that write several elements of a tensor into one number, and
// those that read them back, as they stand in a program, whoever wrote them.
// That the one undoes the other is proven by trying all values that elements
// may take.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_PACKING_H
#define PEBBLE_LIB_PLANNING_PACKING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace pebble {

/// How a tensor is packed: `count` elements that stand side by side along `dim`
/// become one.
struct Packing {
  unsigned dim = 0;
  int64_t count = 1;
  bool operator==(const Packing &other) const {
    return count == other.count && (count == 1 || dim == other.dim);
  }
};

/// The map of the i-th input of a pack of `rank` dimensions.
mlir::AffineMap getPackMap(mlir::MLIRContext *context, unsigned rank,
                           Packing packing, int64_t i);
/// The map of the input of an unpack.
mlir::AffineMap getUnpackMap(mlir::MLIRContext *context, unsigned rank,
                             Packing packing);

/// If `op` packs what all of its inputs are (whether they are one tensor it
/// does not ask).
std::optional<Packing> matchPack(mlir::linalg::GenericOp op);
std::optional<Packing> matchUnpack(mlir::linalg::GenericOp op);

/// Whether what `op` widens can be had back from its result, to the bit: NaNs
/// too.
bool isExactWidening(mlir::Operation *op);

/// Whether `unpack` reads what `pack` wrote, as far as places and types go.
bool isPair(mlir::linalg::GenericOp pack, mlir::linalg::GenericOp unpack);
/// Whether `pack` narrows numbers that `maker` widened, and `unpack` widens
/// them in the same way: of a pair that nothing is lost is known without
/// trying.
bool isNarrowedAgain(mlir::linalg::GenericOp pack,
                     mlir::linalg::GenericOp unpack, mlir::OpResult maker);
/// Whether `unpack` reads back what `pack` wrote, a pair, whatever of `values`
/// the elements are. Tries at most kMaxElementValues times.
bool isUndone(mlir::linalg::GenericOp pack, mlir::linalg::GenericOp unpack,
              llvm::ArrayRef<mlir::Attribute> values);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_PACKING_H
