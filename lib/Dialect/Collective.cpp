//===- Collective.cpp - what ranks do together ----------------------------===//
//
// Rules D64 to D67 of docs/PebbleGame.md, and how the op becomes one on
// buffers. Starts.cpp has the op that goes on at once, which keeps these rules.
//
//===----------------------------------------------------------------------===//

#include "CollectiveRules.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace pebble;

/// How often the extent of the input along the axis goes into the result.
static std::pair<int64_t, int64_t> getRatio(const CollectiveParts &parts) {
  switch (parts.kind) {
  case CollectiveKind::AllGather:
    return {parts.group, 1};
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllSlice:
    return {1, parts.group};
  case CollectiveKind::AllReduce:
  case CollectiveKind::Broadcast:
    return {1, 1};
  }
  llvm_unreachable("covered switch");
}

static LogicalResult verifyGroups(Operation *op, const CollectiveParts &parts) {
  const auto [group, stride, ranks] =
      std::tuple(parts.group, parts.stride, parts.ranks);
  if (ranks < 1 || ranks > kMostRanks || group < 1 || stride < 1)
    return op->emitOpError("[D64] has 1 to ")
           << kMostRanks << " ranks, and groups and strides of at least 1, not "
           << ranks << ", " << group << " and " << stride;
  if (group > ranks || stride > ranks || ranks % (group * stride) != 0)
    return op->emitOpError("[D64] cannot divide ")
           << ranks << " ranks into groups of " << group << " with stride "
           << stride;
  return success();
}

static LogicalResult verifyShapes(Operation *op, const CollectiveParts &parts) {
  auto from = cast<ShapedType>(parts.input.getType());
  auto to = cast<ShapedType>(parts.init.getType());
  if (from.getElementType() != to.getElementType() ||
      from.getRank() != to.getRank())
    return op->emitOpError("[D65] takes and gives elements of one type, and as "
                           "many dimensions");
  const int64_t axis = parts.axis;
  if (parts.kind == CollectiveKind::Broadcast) {
    if (axis < 0 || axis >= parts.group)
      return op->emitOpError("[D65] a group of ")
             << parts.group << " ranks has no rank number " << axis;
  } else if (axis < 0 || (axis >= from.getRank() && axis != 0)) {
    return op->emitOpError("[D65] the input has no dimension ") << axis;
  }
  auto [more, fewer] = getRatio(parts);
  if (more * fewer != 1 && from.getRank() == 0)
    return op->emitOpError("[D65] the input has no dimension ") << axis;
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    const int64_t in = from.getDimSize(dim), out = to.getDimSize(dim);
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(out))
      continue;
    const bool isAxis = dim == axis && more * fewer != 1;
    if (isAxis ? in * more != out * fewer : in != out)
      return op->emitOpError("[D65] dimension ")
             << dim << " has " << in << " elements in the input and " << out
             << " in the result, in a group of " << parts.group << " ranks";
  }
  return success();
}

static LogicalResult verifyElements(Operation *op,
                                    const CollectiveParts &parts) {
  Type element = cast<ShapedType>(parts.input.getType()).getElementType();
  if (!element.isIntOrIndexOrFloat())
    return op->emitOpError("[D66] moves numbers, not elements of type ")
           << element;
  if (!parts.isReduction())
    return success();
  auto integer = dyn_cast<IntegerType>(element);
  const bool isKnown =
      isa<Float32Type, Float64Type, IndexType>(element) ||
      (integer && !integer.isUnsigned() &&
       llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth()));
  if (!isKnown)
    return op->emitOpError("[D66] cannot put elements of type ")
           << element << " together: MPI has no such reduction";
  if (parts.kind == CollectiveKind::ReduceScatter && parts.axis != 0)
    return op->emitOpError("[D66] the parts of a reduce_scatter lie one behind "
                           "the other: they are along dimension 0, not ")
           << parts.axis;
  return success();
}

std::optional<CollectiveParts> pebble::getCollective(Operation *op) {
  auto read = [](auto op) -> CollectiveParts {
    return {op.getKind(),
            op.getInput(),
            op.getInit(),
            static_cast<int64_t>(op.getGroup()),
            static_cast<int64_t>(op.getStride()),
            static_cast<int64_t>(op.getRanks()),
            static_cast<int64_t>(op.getAxis()),
            op.getReduction()};
  };
  if (auto collective = dyn_cast<CollectiveOp>(op))
    return read(collective);
  if (auto start = dyn_cast<CollectiveStartOp>(op))
    return read(start);
  return std::nullopt;
}

LogicalResult pebble::verifyCollective(Operation *op, Value result) {
  const CollectiveParts parts = *getCollective(op);
  if (failed(verifyGroups(op, parts)) || failed(verifyShapes(op, parts)) ||
      failed(verifyElements(op, parts)))
    return failure();
  const bool onTensors = isa<TensorType>(parts.init.getType());
  if (isa<TensorType>(parts.input.getType()) != onTensors ||
      (onTensors ? !result || result.getType() != parts.init.getType()
                 : static_cast<bool>(result)))
    return op->emitOpError("[D67] on tensors has a result of the type of its "
                           "destination, and on memrefs none");
  return success();
}

LogicalResult CollectiveOp::verify() {
  return verifyCollective(*this, getResult());
}

void CollectiveOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addBufferEffects(*this, effects);
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
  FailureOr<CollectiveOp> onBuffers =
      bufferizeCollective(*this, rewriter, options, state);
  if (failed(onBuffers))
    return failure();
  replaceOpWithBufferizedValues(rewriter, *this, onBuffers->getInit());
  return success();
}
