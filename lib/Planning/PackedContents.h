//===- PackedContents.h - contents that are read back (private) -*- C++ -*-===//
//
// While a block runs over expressions: which contents are others, packed, and
// whether an operation reads one of those back. What it hands out is then the
// content that was packed.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_PACKEDCONTENTS_H
#define PEBBLE_LIB_PLANNING_PACKEDCONTENTS_H

#include "Expressions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <functional>
#include <optional>

namespace pebble {

class PackedContents {
public:
  using Id = ExpressionTable::Id;

  /// `getPayload` says what the region of an operation computes.
  PackedContents(ExpressionTable &table,
                 std::function<Id(mlir::Operation *)> getPayload)
      : table(table), getPayload(std::move(getPayload)) {}

  /// The content that `op`, whose operands are `operands`, reads back.
  std::optional<Id> findUnpacked(mlir::Operation *op,
                                 llvm::ArrayRef<Id> operands);
  /// Notes that `result` is `content`.
  void note(mlir::OpResult result, llvm::ArrayRef<Id> operands, Id content);

private:
  struct Packed {
    mlir::linalg::GenericOp op;
    Id source = 0;
  };

  bool isProven(mlir::linalg::GenericOp pack, mlir::linalg::GenericOp unpack,
                mlir::OpResult maker);

  ExpressionTable &table;
  std::function<Id(mlir::Operation *)> getPayload;
  /// By content: who made it first, and what it is packed of.
  llvm::DenseMap<Id, mlir::OpResult> makers;
  llvm::DenseMap<Id, Packed> packed;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_PACKEDCONTENTS_H
