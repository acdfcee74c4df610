//===- SplitReader.h - a comparison apart from its use (private) *- C++ -*-===//
//
// An operation that reads a tensor only to compare it may as well read what the
// comparison says. Writes the two operations that it then is. That they
// compute the same is for others to prove.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_SPLITREADER_H
#define PEBBLE_LIB_PLANNING_SPLITREADER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace pebble {

struct SplitReader {
  /// What `reader` reads no more once it is `rest`, each once.
  llvm::SmallVector<mlir::Value, 2> spared;
  /// Makes the mask, whose last operand is its destination.
  mlir::linalg::GenericOp mask;
  /// The reader, which takes the mask. Null where the reader made nothing but
  /// this mask.
  mlir::linalg::GenericOp rest;
  /// Where `rest` reads the mask.
  mlir::OpOperand *use = nullptr;
};

/// Splits `reader` where that spares it a tensor of which `isWanted` holds. The
/// new operations stand where `builder` is. `reader` stays as it is.
std::optional<SplitReader>
splitReader(mlir::OpBuilder &builder, mlir::linalg::GenericOp reader,
            llvm::function_ref<bool(mlir::Value)> isWanted);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_SPLITREADER_H
