//===- InvertedContents.h - contents that come back (private) ---*- C++ -*-===//
//
// While a block runs over expressions: which operation made a content, and
// whether another one undoes it. What that one hands out is then the content
// that the first was given. What undoes it the first operation says
// (Target/Inverses.h): its inverse is written anew and compared.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_INVERTEDCONTENTS_H
#define PEBBLE_LIB_PLANNING_INVERTEDCONTENTS_H

#include "PayloadTrees.h"

namespace pebble {

class InvertedContents {
public:
  using Id = ExpressionTable::Id;

  explicit InvertedContents(PayloadTrees &trees) : trees(trees) {}

  /// The content that `op`, whose operands are `operands`, gives back.
  std::optional<Id> find(mlir::Operation *op, llvm::ArrayRef<Id> operands);
  /// Notes that `result` is `content`.
  void note(mlir::OpResult result, llvm::ArrayRef<Id> operands, Id content);

private:
  struct Maker {
    mlir::OpResult result;
    llvm::SmallVector<Id, 4> operands;
  };

  bool isUndone(const Maker &maker, Id made, mlir::OpOperand &operand,
                mlir::Operation *by, llvm::ArrayRef<Id> operands);

  PayloadTrees &trees;
  /// By content: who made it first.
  llvm::DenseMap<Id, Maker> makers;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_INVERTEDCONTENTS_H
