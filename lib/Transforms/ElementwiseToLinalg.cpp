//===- ElementwiseToLinalg.cpp - elementwise tensor ops --------------------===//

#include "ElementwiseToLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace pebble {

static bool isElementwiseOnTensors(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 &&
         isa<RankedTensorType>(op->getResult(0).getType());
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
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  unsigned rank = type.getRank();
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
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  Value empty = makeEmpty(builder, loc, like, type);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, type, op->getOperands(), empty, maps, iterators,
      [&](OpBuilder &body, Location bodyLoc, ValueRange arguments) {
        Operation *scalar =
            body.create(bodyLoc, op->getName().getIdentifier(),
                        arguments.take_front(op->getNumOperands()),
                        type.getElementType(), op->getAttrs());
        linalg::YieldOp::create(body, bodyLoc, scalar->getResults());
      });
  generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (Operation &scalar : generic.getRegion().front().without_terminator())
    for (NamedAttribute attr : op->getDiscardableAttrs())
      scalar.removeDiscardableAttr(attr.getName());
  op->replaceAllUsesWith(generic);
  op->erase();
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
    if (isElementwiseOnTensors(op) ||
        isa<tensor::SplatOp, tensor::FromElementsOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto splat = dyn_cast<tensor::SplatOp>(op))
      convertSplat(splat);
    else if (auto elements = dyn_cast<tensor::FromElementsOp>(op))
      convertFromElements(elements);
    else
      convertElementwise(op);
  }
}

} // namespace pebble
