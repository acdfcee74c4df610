//===- PayloadTrees.cpp - element by element ------------------------------===//

#include "PayloadTrees.h"

#include "pebble/Dialect/Flags.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace pebble {

/// What a node of a tree is; its first word.
enum NodeKind : uint64_t { Read, Held, Place, Computed, Captured };

/// What may fail is told by the operation as it stands. So is what flags leave
/// open: a payload of the same operations and others may compute something
/// else.
static bool isPlainPayload(linalg::GenericOp op) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || tensor.hasStaticShape();
  };
  return op.hasPureTensorSemantics() &&
         llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op.getBlock()->without_terminator(), [](Operation &op) {
           return op.getNumResults() == 1 && op.getNumRegions() == 0 &&
                  isPure(&op) && !hasFlags(&op);
         });
}

PayloadTrees::Id
PayloadTrees::getElement(const Mask &in, BlockArgument argument, AffineMap at) {
  const unsigned number = argument.getArgNumber();
  linalg::GenericOp op = in.op;
  AffineMap place = op.getIndexingMapsArray()[number].compose(at);
  const bool isHeld = number >= op.getNumDpsInputs();
  if (auto mask = masks.find(in.operands[number]);
      !isHeld && mask != masks.end())
    return getNode(mask->second,
                   mask->second.op.getBlock()->getTerminator()->getOperand(0),
                   place);
  return table.get(ExpressionTable::Payload,
                   {isHeld ? Held : Read, in.operands[number],
                    toWord(place.getAsOpaquePointer()),
                    toWord(argument.getType())});
}

PayloadTrees::Id PayloadTrees::getNode(const Mask &in, Value value,
                                       AffineMap at) {
  auto key = std::pair(value, at);
  if (auto found = known.find(key); found != known.end())
    return found->second;
  Id id;
  linalg::GenericOp generic = in.op;
  Operation *op = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == generic.getBlock()) {
    id = getElement(in, argument, at);
  } else if (op && op->hasTrait<OpTrait::ConstantLike>()) {
    // Wherever it stands.
    id =
        table.get(ExpressionTable::Payload, {Captured, getConstant(op, table)});
  } else if (!op || op->getBlock() != generic.getBlock()) {
    return table.get(ExpressionTable::Payload,
                     {Captured, in.captured.lookup(value)});
  } else if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    AffineMap place =
        AffineMap::get(at.getNumDims(), 0, at.getResult(index.getDim()));
    id = table.get(ExpressionTable::Payload,
                   {Place, toWord(place.getAsOpaquePointer())});
  } else {
    SmallVector<uint64_t> words = {Computed};
    addIdentity(op, words);
    for (Value operand : op->getOperands())
      words.push_back(getNode(in, operand, at));
    words.push_back(toWord(value.getType()));
    id = table.get(ExpressionTable::Payload, words);
  }
  known.try_emplace(key, id);
  return id;
}

PayloadTrees::Mask PayloadTrees::getMask(linalg::GenericOp op,
                                         ArrayRef<Id> operands) {
  Mask mask;
  mask.op = op;
  mask.operands.assign(operands.begin(), operands.end());
  for (Operation &inner : *op.getBlock())
    for (Value value : inner.getOperands()) {
      Operation *maker = value.getDefiningOp();
      bool isInside = value.getParentBlock() == op.getBlock();
      if (!isInside && !(maker && maker->hasTrait<OpTrait::ConstantLike>()))
        mask.captured.try_emplace(value, getCaptured(value));
    }
  return mask;
}

std::optional<PayloadTrees::Id> PayloadTrees::get(Operation *op,
                                                  ArrayRef<Id> operands) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !isPlainPayload(generic))
    return std::nullopt;
  known.clear();
  Mask self = getMask(generic, operands);
  SmallVector<uint64_t> words = {
      toWord(generic.getIteratorTypes().getAsOpaquePointer())};
  llvm::append_range(words, generic.getStaticLoopRanges());
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (!attr::isBookkeeping(attribute.getName())) {
      words.push_back(toWord(attribute.getName().getAsOpaquePointer()));
      words.push_back(toWord(attribute.getValue().getAsOpaquePointer()));
    }
  words.push_back(generic.getNumDpsInits());
  for (OpOperand &init : generic.getDpsInitsMutable()) {
    words.push_back(operands[init.getOperandNumber()]);
    words.push_back(
        toWord(generic.getMatchingIndexingMap(&init).getAsOpaquePointer()));
    words.push_back(toWord(init.get().getType()));
  }
  AffineMap at = AffineMap::getMultiDimIdentityMap(generic.getNumLoops(),
                                                   op->getContext());
  for (Value yielded : generic.getBlock()->getTerminator()->getOperands())
    words.push_back(getNode(self, yielded, at));
  return table.get(ExpressionTable::Payload, words);
}

void PayloadTrees::note(OpResult result, ArrayRef<Id> operands, Id content) {
  auto op = dyn_cast<linalg::GenericOp>(result.getOwner());
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (op && type && type.getElementType().isInteger(1) &&
      op->getNumResults() == 1 && isPlainPayload(op) &&
      op.getNumLoops() == op.getNumParallelLoops() &&
      op.getIndexingMapsArray().back().isIdentity() &&
      op.getBlock()->getArguments().back().use_empty())
    masks.try_emplace(content, getMask(op, operands));
}

} // namespace pebble
