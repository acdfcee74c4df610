//===- CheckPlan.cpp - does a planned block keep what it says? ------------===//
//
// Duplicates are found as upstream's elimination of common subexpressions finds
// them: ops without effects, equal up to locations, with operands that are
// equal or that it would have made equal before.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/CheckPlan.h"

#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Planning/Equivalence.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace pebble {

namespace {
/// Numbers the values of a block: equal values have the same representative.
class ValueNumbering {
public:
  /// The earlier op that `op` is equal to, or null.
  Operation *add(Operation *op) {
    if (!mayMerge(op))
      return nullptr;
    llvm::hash_code hash = OperationEquivalence::computeHash(
        op,
        [&](Value value) {
          return llvm::hash_value(get(value).getAsOpaquePointer());
        },
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
    SmallVector<Operation *, 1> &candidates = known[hash];
    for (Operation *other : candidates)
      if (isEqual(other, op)) {
        for (auto [old, result] :
             llvm::zip(other->getResults(), op->getResults()))
          representative[result] = get(old);
        return other;
      }
    candidates.push_back(op);
    return nullptr;
  }

private:
  Value get(Value value) const {
    auto found = representative.find(value);
    return found == representative.end() ? value : found->second;
  }

  static bool mayMerge(Operation *op) {
    return op->getNumResults() && isMemoryEffectFree(op) &&
           llvm::all_of(op->getRegions(), [](Region &region) {
             return region.empty() || region.hasOneBlock();
           });
  }

  bool isEqual(Operation *one, Operation *other) const {
    // What is nested is equal if it is one after the other.
    llvm::DenseMap<Value, Value> inside;
    return OperationEquivalence::isEquivalentTo(
        one, other,
        [&](Value a, Value b) {
          auto found = inside.find(a);
          return success(found != inside.end() ? found->second == b
                                               : get(a) == get(b));
        },
        [&](Value a, Value b) { inside[a] = b; },
        OperationEquivalence::IgnoreLocations);
  }

  llvm::DenseMap<Value, Value> representative;
  llvm::DenseMap<llvm::hash_code, SmallVector<Operation *, 1>> known;
};
} // namespace

SmallVector<std::pair<Operation *, Operation *>>
findDuplicates(const StorageAnalysis &storage) {
  SmallVector<std::pair<Operation *, Operation *>> pairs;
  ValueNumbering numbering;
  for (Operation &op : *storage.getBlock()) {
    Operation *first = numbering.add(&op);
    if (first && !StorageAnalysis::isFree(&op) &&
        llvm::any_of(op.getResultTypes(), llvm::IsaPred<TensorType>))
      pairs.push_back({first, &op});
  }
  return pairs;
}

bool mayHide(Value operand, bool isOnly) {
  Type type = operand.getType();
  Operation *op = operand.getDefiningOp();
  bool isConstantTensor =
      op && op->hasTrait<OpTrait::ConstantLike>() && isa<TensorType>(type);
  return (isa<ShapedType, ComplexType>(type) || type.isIntOrIndexOrFloat()) &&
         (isOnly || !isConstantTensor);
}

void hideDuplicates(const StorageAnalysis &storage) {
  for (auto [first, again] : findDuplicates(storage)) {
    OpBuilder builder(again);
    for (OpOperand &operand : again->getOpOperands())
      if (!isa_and_present<tensor::EmptyOp, bufferization::AllocTensorOp>(
              operand.get().getDefiningOp()) &&
          mayHide(operand.get(), again->getNumOperands() == 1))
        operand.set(
            OpaqueOp::create(builder, operand.get().getLoc(), operand.get()));
  }
}

LogicalResult checkPlannedBlock(const StorageAnalysis &storage) {
  if (failed(EquivalenceChecker(storage).verify()))
    return failure();
  auto duplicates = findDuplicates(storage);
  for (auto [first, again] : duplicates)
    (emitError(again->getLoc())
     << "'" << storage.getStepName(*storage.getStepIndex(again))
     << "' runs again but is equal to the first: its operands must come "
        "through pebble.opaque")
            .attachNote(first->getLoc())
        << "the first stands here";
  return success(duplicates.empty());
}

} // namespace pebble
