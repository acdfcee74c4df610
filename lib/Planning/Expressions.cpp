//===- Expressions.cpp - what makes two ops the same ----------------------===//

#include "Expressions.h"

#include "pebble/Analysis/Destinations.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

ExpressionTable::Id ExpressionTable::get(Tag tag, ArrayRef<uint64_t> words) {
  SmallVector<uint64_t, 32> all = {tag};
  llvm::append_range(all, words);
  StringRef key(reinterpret_cast<const char *>(all.data()),
                all.size() * sizeof(uint64_t));
  return ids.try_emplace(key, Id(ids.size())).first->second;
}

uint64_t toWord(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

uint64_t toWord(Type type) {
  if (getPlacement(type))
    if (Type plain = withPlacement(type, {}))
      type = plain;
  return toWord(type.getAsOpaquePointer());
}

void addIdentity(Operation *op, SmallVectorImpl<uint64_t> &words) {
  // What starts early and is waited for late computes the same.
  OperationName name =
      isa<CollectiveStartOp>(op)
          ? OperationName(CollectiveOp::getOperationName(), op->getContext())
          : op->getName();
  words.push_back(toWord(name.getAsOpaquePointer()));
  // Those of a step say what it takes, not what it computes.
  if (!isa<StepOp>(op))
    words.push_back(
        toWord(op->getPropertiesAsAttribute().getAsOpaquePointer()));
  size_t start = words.size();
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    if (attr::isBookkeeping(attribute.getName()))
      continue;
    words.push_back(toWord(attribute.getName().getAsOpaquePointer()));
    words.push_back(toWord(attribute.getValue().getAsOpaquePointer()));
  }
  words.push_back(words.size() - start);
  words.push_back(op->getNumOperands());
}

void addMaking(Operation *op, SmallVectorImpl<uint64_t> &words) {
  auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
  words.push_back(alignment ? alignment.getInt() : 0);
  words.push_back(isa<memref::AllocaOp>(op));
}

std::optional<uint64_t> getReliedAlignment(Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return std::nullopt;
  auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
  return alignment ? std::optional<uint64_t>(alignment.getInt()) : std::nullopt;
}

void collectSymbols(Operation *op, llvm::SetVector<SymbolRefAttr> &names) {
  for (NamedAttribute attribute : op->getAttrs())
    if (!attr::isBookkeeping(attribute.getName()))
      attribute.getValue().walk(
          [&](SymbolRefAttr name) { names.insert(name); });
}

bool isCopy(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return static_cast<bool>(alloc.getCopy());
  if (auto copy = dyn_cast<linalg::CopyOp>(op))
    return getElementTypeOrSelf(copy.getInputs()[0].getType()) ==
           getElementTypeOrSelf(copy.getOutputs()[0].getType());
  return isa<memref::CopyOp, bufferization::CloneOp>(op) ||
         name == "pebble.store" || name == "pebble.load";
}

bool isShaped(Value value) {
  return isa<TensorType, BaseMemRefType>(value.getType());
}

bool isPebbleOp(Operation *op) { return isMoveOrMark(op); }

bool readsContent(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  bool isDestination =
      (dps && dps.isDpsInit(&operand)) ||
      (loop && llvm::any_of(loop.getInitsMutable(), [&](OpOperand &init) {
         return &init == &operand;
       }));
  return !isDestination || !overwritesInFull(operand);
}

bool isSizedByInputs(OpOperand &operand) {
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  if (!op)
    return false;
  auto type = cast<ShapedType>(operand.get().getType());
  auto inputs = op.getDpsInputOperands();
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return llvm::all_of(llvm::enumerate(map.getResults()), [&](auto dim) {
    return !type.isDynamicDim(dim.index()) ||
           llvm::any_of(inputs, [&](OpOperand *input) {
             return llvm::is_contained(
                 op.getMatchingIndexingMap(input).getResults(), dim.value());
           });
  });
}

ExpressionTable::Id getConstant(Operation *op, ExpressionTable &table) {
  SmallVector<uint64_t> words;
  addIdentity(op, words);
  for (Type type : op->getResultTypes())
    words.push_back(toWord(type));
  return table.get(ExpressionTable::Constant, words);
}

ExpressionTable::Id getRegionExpression(
    Region &region, ExpressionTable &table,
    llvm::function_ref<ExpressionTable::Id(OpOperand &)> getCaptured) {
  SmallVector<uint64_t> words;
  // Numbers first: a loop's back edges use what stands further down.
  llvm::DenseMap<Value, unsigned> numbers;
  llvm::DenseMap<Block *, unsigned> blockNumbers;
  region.walk<WalkOrder::PreOrder>([&](Block *nested) {
    blockNumbers.try_emplace(nested, blockNumbers.size());
    words.push_back(nested->getNumArguments());
    for (Value argument : nested->getArguments()) {
      numbers.try_emplace(argument, numbers.size());
      words.push_back(toWord(argument.getType()));
    }
    for (Operation &op : *nested)
      for (Value result : op.getResults())
        numbers.try_emplace(result, numbers.size());
  });
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    words.push_back(blockNumbers[op->getBlock()]);
    addIdentity(op, words);
    for (OpOperand &operand : op->getOpOperands()) {
      auto found = numbers.find(operand.get());
      bool isInside = found != numbers.end();
      words.push_back(isInside);
      words.push_back(isInside ? found->second : getCaptured(operand));
    }
    for (Type type : op->getResultTypes())
      words.push_back(toWord(type));
    for (Block *successor : op->getSuccessors())
      words.push_back(blockNumbers[successor]);
    // Which block stands in which region: one of them may have none.
    words.push_back(op->getNumRegions());
    for (Region &nested : op->getRegions())
      words.push_back(nested.getBlocks().size());
  });
  return table.get(ExpressionTable::Region, words);
}

} // namespace pebble
