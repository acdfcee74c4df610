//===- Collective.cpp - what ranks do together ----------------------------===//
//
// Rules D64 to D67 of docs/PebbleGame.md, and how the op becomes one on
// buffers.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace pebble;

/// How often the extent of the input along the axis goes into the result.
static std::pair<int64_t, int64_t> getRatio(CollectiveOp op) {
  switch (op.getKind()) {
  case CollectiveKind::AllGather:
    return {static_cast<int64_t>(op.getGroup()), 1};
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllSlice:
    return {1, static_cast<int64_t>(op.getGroup())};
  case CollectiveKind::AllReduce:
  case CollectiveKind::Broadcast:
    return {1, 1};
  }
  llvm_unreachable("covered switch");
}

static LogicalResult verifyGroups(CollectiveOp op) {
  const int64_t group = op.getGroup(), stride = op.getStride(),
                ranks = op.getRanks();
  if (ranks < 1 || ranks > kMostRanks || group < 1 || stride < 1)
    return op.emitOpError("[D64] has 1 to ")
           << kMostRanks << " ranks, and groups and strides of at least 1, not "
           << ranks << ", " << group << " and " << stride;
  if (group > ranks || stride > ranks || ranks % (group * stride) != 0)
    return op.emitOpError("[D64] cannot divide ")
           << ranks << " ranks into groups of " << group << " with stride "
           << stride;
  return success();
}

static LogicalResult verifyShapes(CollectiveOp op) {
  auto from = cast<ShapedType>(op.getInput().getType());
  auto to = cast<ShapedType>(op.getInit().getType());
  if (from.getElementType() != to.getElementType() ||
      from.getRank() != to.getRank())
    return op.emitOpError("[D65] takes and gives elements of one type, and as "
                          "many dimensions");
  const int64_t axis = op.getAxis();
  if (op.getKind() == CollectiveKind::Broadcast) {
    if (axis < 0 || axis >= static_cast<int64_t>(op.getGroup()))
      return op.emitOpError("[D65] a group of ")
             << op.getGroup() << " ranks has no rank number " << axis;
  } else if (axis < 0 || (axis >= from.getRank() && axis != 0)) {
    return op.emitOpError("[D65] the input has no dimension ") << axis;
  }
  auto [more, fewer] = getRatio(op);
  if (more * fewer != 1 && from.getRank() == 0)
    return op.emitOpError("[D65] the input has no dimension ") << axis;
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    const int64_t in = from.getDimSize(dim), out = to.getDimSize(dim);
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(out))
      continue;
    const bool isAxis = dim == axis && more * fewer != 1;
    if (isAxis ? in * more != out * fewer : in != out)
      return op.emitOpError("[D65] dimension ")
             << dim << " has " << in << " elements in the input and " << out
             << " in the result, in a group of " << op.getGroup() << " ranks";
  }
  return success();
}

static LogicalResult verifyElements(CollectiveOp op) {
  Type element = cast<ShapedType>(op.getInput().getType()).getElementType();
  if (!element.isIntOrIndexOrFloat())
    return op.emitOpError("[D66] moves numbers, not elements of type ")
           << element;
  if (!op.isReduction())
    return success();
  auto integer = dyn_cast<IntegerType>(element);
  const bool isKnown =
      isa<Float32Type, Float64Type, IndexType>(element) ||
      (integer && !integer.isUnsigned() &&
       llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth()));
  if (!isKnown)
    return op.emitOpError("[D66] cannot put elements of type ")
           << element << " together: MPI has no such reduction";
  if (op.getKind() == CollectiveKind::ReduceScatter && op.getAxis() != 0)
    return op.emitOpError("[D66] the parts of a reduce_scatter lie one behind "
                          "the other: they are along dimension 0, not ")
           << op.getAxis();
  return success();
}

LogicalResult CollectiveOp::verify() {
  if (failed(verifyGroups(*this)) || failed(verifyShapes(*this)) ||
      failed(verifyElements(*this)))
    return failure();
  const bool onTensors = isa<TensorType>(getInit().getType());
  if (isa<TensorType>(getInput().getType()) != onTensors ||
      (onTensors ? !getResult() || getResult().getType() != getInit().getType()
                 : static_cast<bool>(getResult())))
    return emitOpError("[D67] on tensors has a result of the type of its "
                       "destination, and on memrefs none");
  return success();
}

void CollectiveOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isa<TensorType>(getInit().getType()))
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getInitMutable());
  effects.emplace_back(MemoryEffects::Write::get(), RanksResource::get());
}

bool CollectiveOp::bufferizesToMemoryRead(OpOperand &operand,
                                          const AnalysisState &) {
  return &operand == &getInputMutable();
}

bool CollectiveOp::bufferizesToMemoryWrite(OpOperand &operand,
                                           const AnalysisState &) {
  return &operand == &getInitMutable();
}

AliasingValueList CollectiveOp::getAliasingValues(OpOperand &operand,
                                                  const AnalysisState &) {
  if (&operand != &getInitMutable())
    return {};
  return {{getResult(), BufferRelation::Equivalent}};
}

LogicalResult CollectiveOp::bufferize(RewriterBase &rewriter,
                                      const BufferizationOptions &options,
                                      BufferizationState &state) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(*this);
  FailureOr<Value> from = getBuffer(rewriter, getInput(), options, state);
  FailureOr<Value> to = getBuffer(rewriter, getInit(), options, state);
  if (failed(from) || failed(to))
    return failure();
  auto onBuffers = CollectiveOp::create(rewriter, getLoc(), Type(), getKind(),
                                        *from, *to, getGroup(), getStride(),
                                        getRanks(), getAxis(), getReduction());
  onBuffers->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  replaceOpWithBufferizedValues(rewriter, *this, *to);
  return success();
}
