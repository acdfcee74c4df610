//===- PayloadTrees.h - element by element (private) ------------*- C++ -*-===//
//
// What a structured operation computes for an element, as an expression of the
// elements that it reads. A mask that another operation made is opened: it is
// what it was computed from. So an operation that compares what it reads, and
// one that reads what a comparison before it made, have one expression.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_PAYLOADTREES_H
#define PEBBLE_LIB_PLANNING_PAYLOADTREES_H

#include "Expressions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <functional>
#include <optional>

namespace pebble {

class PayloadTrees {
public:
  using Id = ExpressionTable::Id;

  /// `getCaptured` says what a value from outside of a payload is.
  PayloadTrees(ExpressionTable &table,
               std::function<Id(mlir::Value)> getCaptured)
      : table(table), getCaptured(std::move(getCaptured)) {}

  /// The expression of `op`, whose operands are `operands`, if it is one whose
  /// elements can be told: of static tensors, and with a payload of single
  /// operations on numbers.
  std::optional<Id> get(mlir::Operation *op, llvm::ArrayRef<Id> operands);

  /// Notes that `result` is `content`, so that it is opened where it is a mask
  /// that is written element by element.
  void note(mlir::OpResult result, llvm::ArrayRef<Id> operands, Id content);

private:
  struct Mask {
    mlir::linalg::GenericOp op;
    llvm::SmallVector<Id, 4> operands;
    /// What the values from outside of the payload were when it ran: a tensor
    /// may have been overwritten since.
    llvm::SmallDenseMap<mlir::Value, Id> captured;
  };

  /// Of `op`, now.
  Mask getMask(mlir::linalg::GenericOp op, llvm::ArrayRef<Id> operands);

  Id getNode(const Mask &in, mlir::Value value, mlir::AffineMap at);
  Id getElement(const Mask &in, mlir::BlockArgument argument,
                mlir::AffineMap at);

  ExpressionTable &table;
  std::function<Id(mlir::Value)> getCaptured;
  llvm::DenseMap<Id, Mask> masks;
  /// By value of a payload and where its loops are: what it is. For the
  /// operation in progress.
  llvm::DenseMap<std::pair<mlir::Value, mlir::AffineMap>, Id> known;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_PAYLOADTREES_H
