//===- Layouts.cpp - layouts of views before bufferization -----------------===//
//
// What bufferization would make of a chain of views, as far as Storage must
// know it: whether rows of a slice lie side by side.
//
//===----------------------------------------------------------------------===//

#include "StorageBuilder.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace pebble {

/// The type of the buffer that bufferization would give `value`, as far as
/// views within the block decide it. Chains of views are short.
static MemRefType inferBufferType(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  MemRefType plain = MemRefType::get(type.getShape(), type.getElementType());
  Operation *op = value.getDefiningOp();
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op))
    return memref::SubViewOp::inferRankReducedResultType(
        type.getShape(), inferBufferType(slice.getSource()),
        slice.getMixedOffsets(), slice.getMixedSizes(),
        slice.getMixedStrides());
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    FailureOr<MemRefType> expanded = memref::ExpandShapeOp::computeExpandedType(
        inferBufferType(expand.getSrc()), type.getShape(),
        expand.getReassociationIndices());
    return succeeded(expanded) ? *expanded : plain;
  }
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op)) {
    if (isa<RankedTensorType>(cast.getSource().getType()))
      return MemRefType::get(type.getShape(), type.getElementType(),
                             inferBufferType(cast.getSource()).getLayout());
    return plain;
  }
  if (auto toTensor = dyn_cast_or_null<bufferization::ToTensorOp>(op)) {
    auto buffer = dyn_cast<MemRefType>(toTensor.getBuffer().getType());
    return buffer ? buffer : plain;
  }
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
    if (collapsesInPlace(collapse))
      return memref::CollapseShapeOp::computeCollapsedType(
          inferBufferType(collapse.getSrc()),
          collapse.getReassociationIndices());
  return plain;
}

bool collapsesInPlace(tensor::CollapseShapeOp op) {
  // Only below a slice can rows lie apart; most programs have none.
  Value source = op.getSrc();
  while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::CastOp>(source.getDefiningOp()) &&
         isa<RankedTensorType>(source.getDefiningOp()->getOperand(0).getType()))
    source = source.getDefiningOp()->getOperand(0);
  if (!isa_and_present<tensor::ExtractSliceOp, bufferization::ToTensorOp>(
          source.getDefiningOp()))
    return true;
  return memref::CollapseShapeOp::isGuaranteedCollapsible(
      inferBufferType(op.getSrc()), op.getReassociationIndices());
}

bool reshapesInPlace(tensor::ReshapeOp op) {
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  return source && inferBufferType(op.getSource()).getLayout().isIdentity();
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

static void collectShaped(Type type, SmallVectorImpl<Type> &elements) {
  if (isa<TensorType, BaseMemRefType>(type))
    elements.push_back(type);
  if (auto tuple = dyn_cast<TupleType>(type))
    for (Type element : tuple.getTypes())
      collectShaped(element, elements);
}

SmallVector<Type, 1> getShapedElements(Type type) {
  SmallVector<Type, 1> elements;
  collectShaped(type, elements);
  return elements;
}

bool hasStorage(Type type) {
  return isa<TensorType, BaseMemRefType>(type) ||
         (isa<TupleType>(type) && !getShapedElements(type).empty());
}

// No upstream dialect has ops on tuples; those that import from XLA name them
// alike.
bool isTupleOp(Operation *op) {
  return !op->isRegistered() && op->getNumResults() == 1 &&
         isa<TupleType>(op->getResult(0).getType()) &&
         op->getName().getStringRef().ends_with(".tuple");
}

bool isTupleElementOp(Operation *op) {
  return !op->isRegistered() && op->getNumOperands() == 1 &&
         isa<TupleType>(op->getOperand(0).getType()) &&
         op->getAttrOfType<IntegerAttr>("index") &&
         op->getName().getStringRef().ends_with(".get_tuple_element");
}

SmallVector<StorageId, 2>
StorageAnalysis::Builder::selectViewed(Operation *op,
                                       ArrayRef<StorageId> ids) const {
  if (!isTupleElementOp(op))
    return llvm::to_vector<2>(ids);
  auto tuple = cast<TupleType>(op->getOperand(0).getType());
  size_t index = op->getAttrOfType<IntegerAttr>("index").getInt();
  size_t first = 0;
  for (size_t i = 0; i < std::min(index, tuple.size()); ++i)
    first += getShapedElements(tuple.getType(i)).size();
  size_t count = getShapedElements(op->getResult(0).getType()).size();
  if (first + count > ids.size())
    return llvm::to_vector<2>(ids);
  return llvm::to_vector<2>(ids.slice(first, count));
}

} // namespace pebble
