//===- ElementwiseToLinalg.cpp - elementwise tensor ops --------------------===//

#include "ElementwiseToLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace pebble {

static bool isElementwiseOnTensors(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() > 0 &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// The shape of `like`, with the element type of `type`.
static Value makeEmpty(OpBuilder &builder, Location loc, Value like,
                       RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc,
                                 tensor::getMixedSizes(builder, loc, like),
                                 type.getElementType(), type.getEncoding());
}

static void convertElementwise(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  unsigned rank = cast<RankedTensorType>(op->getResultTypes()[0]).getRank();
  // Scalar operands (a select's condition) are read by every iteration.
  SmallVector<AffineMap> maps;
  Value like;
  for (Value operand : op->getOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    if (isTensor)
      like = operand;
    maps.push_back(isTensor
                       ? builder.getMultiDimIdentityMap(rank)
                       : AffineMap::get(rank, 0, {}, builder.getContext()));
  }
  SmallVector<Value> empties;
  SmallVector<Type> elements;
  for (Type result : op->getResultTypes()) {
    auto type = cast<RankedTensorType>(result);
    maps.push_back(builder.getMultiDimIdentityMap(rank));
    empties.push_back(makeEmpty(builder, loc, like, type));
    elements.push_back(type.getElementType());
  }
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, op->getResultTypes(), op->getOperands(), empties, maps,
      iterators, [&](OpBuilder &body, Location bodyLoc, ValueRange arguments) {
        Operation *scalar =
            body.create(bodyLoc, op->getName().getIdentifier(),
                        arguments.take_front(op->getNumOperands()), elements,
                        op->getAttrs());
        linalg::YieldOp::create(body, bodyLoc, scalar->getResults());
      });
  generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (Operation &scalar : generic.getRegion().front().without_terminator())
    for (NamedAttribute attr : op->getDiscardableAttrs())
      scalar.removeDiscardableAttr(attr.getName());
  op->replaceAllUsesWith(generic);
  op->erase();
}

/// The bits of each element are those of another type.
static void convertBitcast(tensor::BitcastOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Value empty = makeEmpty(builder, loc, op.getSource(), type);
  SmallVector<AffineMap> maps(2,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, type, op.getSource(), empty, maps, iterators,
      [&](OpBuilder &body, Location bodyLoc, ValueRange arguments) {
        Value bits = arith::BitcastOp::create(
            body, bodyLoc, type.getElementType(), arguments[0]);
        linalg::YieldOp::create(body, bodyLoc, bits);
      });
  generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(generic);
  op->erase();
}

/// Whether scalars of these types can be cast so; signs are for others.
static bool isScalarBitcast(tensor::BitcastOp op) {
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto isNumber = [](Type element) {
    return element.isSignlessInteger() || isa<FloatType>(element);
  };
  return source && type && isNumber(source.getElementType()) &&
         isNumber(type.getElementType());
}

static void convertSplat(tensor::SplatOp op) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getType());
  Value empty =
      tensor::EmptyOp::create(builder, op.getLoc(), type, op.getDynamicSizes());
  auto fill =
      linalg::FillOp::create(builder, op.getLoc(), op.getInput(), empty);
  fill->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(fill);
  op->erase();
}

static void convertFromElements(tensor::FromElementsOp op) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getType());
  Value tensor =
      tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                              type.getElementType(), type.getEncoding());
  ArrayRef<int64_t> shape = type.getShape();
  for (auto [linear, element] : llvm::enumerate(op.getElements())) {
    SmallVector<Value> indices(shape.size());
    int64_t rest = linear;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      indices[dim] = arith::ConstantIndexOp::create(builder, op.getLoc(),
                                                    rest % shape[dim]);
    tensor = tensor::InsertOp::create(builder, op.getLoc(), element, tensor,
                                      indices);
  }
  op->replaceAllUsesWith(ValueRange(tensor));
  op->erase();
}

void convertElementwiseToLinalg(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    auto cast = dyn_cast<tensor::BitcastOp>(op);
    if (isElementwiseOnTensors(op) || (cast && isScalarBitcast(cast)) ||
        isa<tensor::SplatOp, tensor::FromElementsOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto splat = dyn_cast<tensor::SplatOp>(op))
      convertSplat(splat);
    else if (auto elements = dyn_cast<tensor::FromElementsOp>(op))
      convertFromElements(elements);
    else if (auto cast = dyn_cast<tensor::BitcastOp>(op))
      convertBitcast(cast);
    else
      convertElementwise(op);
  }
}

} // namespace pebble
