//===- EqualityTests.cpp - numbers tested for being equal -----------------===//

#include "EqualityTests.h"

#include "pebble/Target/StableHLO.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace pebble {

/// A value that is tested against itself is tested for being a number: rounding
/// does not tell.
static bool isEqualityTest(Operation *op) {
  if (!hlo::isOfTable(op) || op->getName().stripDialect() != "compare" ||
      op->getNumOperands() != 2 || op->getOperand(0) == op->getOperand(1) ||
      !isa<FloatType>(getElementTypeOrSelf(op->getOperand(0))))
    return false;
  std::string direction;
  llvm::raw_string_ostream os(direction);
  if (Attribute attribute = op->getAttr("comparison_direction"))
    attribute.print(os);
  return StringRef(direction).contains("EQ") ||
         StringRef(direction).contains("NE");
}

/// Picks one of its operands, or changes its sign.
static bool isExactArithmetic(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"maximum", "minimum", "select", "clamp", "negate", "abs"}, true)
      .Default(false);
}

/// Every element of a result is one that the operation reads, but for its sign.
static bool isExact(Operation *op, const hlo::Op &row) {
  switch (row.kind) {
  case hlo::Kind::View:
  case hlo::Kind::Layout:
  case hlo::Kind::Identity:
    return true;
  case hlo::Kind::Elementwise:
    return isExactArithmetic(op->getName().stripDialect());
  case hlo::Kind::Reduction:
  case hlo::Kind::Window:
    return llvm::all_of(op->getRegions(), [](Region &region) {
      return llvm::all_of(region.getOps(), [](Operation &inner) {
        return inner.hasTrait<OpTrait::IsTerminator>() ||
               inner.getName().stripDialect() == "return" ||
               isExactArithmetic(inner.getName().stripDialect());
      });
    });
  default:
    return false;
  }
}

/// Adds the elementwise operations of `block` that round on the way to `value`,
/// each the last of its way.
static void addRounding(Value value, Block &block,
                        llvm::SmallSetVector<Operation *, 8> &found) {
  llvm::SmallSetVector<Operation *, 16> behind;
  auto add = [&](Value input) {
    Operation *op = input.getDefiningOp();
    if (op && op->getBlock() == &block)
      behind.insert(op);
  };
  add(value);
  for (unsigned i = 0; i < behind.size(); ++i) {
    const hlo::Op *row = hlo::lookup(behind[i]);
    if (row && isExact(behind[i], *row))
      llvm::for_each(behind[i]->getOperands(), add);
    else if (row && row->kind == hlo::Kind::Elementwise)
      found.insert(behind[i]);
  }
}

llvm::DenseSet<Operation *> findTestedForEquality(Block &block) {
  llvm::DenseSet<Operation *> tested;
  for (Operation &op : block) {
    if (!isEqualityTest(&op))
      continue;
    llvm::SmallSetVector<Operation *, 8> left, right;
    addRounding(op.getOperand(0), block, left);
    addRounding(op.getOperand(1), block, right);
    for (Operation *rounds : left)
      if (right.contains(rounds))
        tested.insert(rounds);
  }
  return tested;
}

} // namespace pebble
