//===- Bufferize.cpp - the ops on tensors become the ops on memrefs -------===//
//
// What One-Shot Bufferize needs to know of each op, and the memref form that
// stands exactly where the tensor form stood. A transfer without a destination
// brings an allocation in the tier of its copy; nothing else allocates.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace pebble;

/// Both sides are one buffer.
static AliasingValueList equivalentTo(Value value) {
  return {{value, BufferRelation::Equivalent}};
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

template <typename TransferOp>
static bool isDest(TransferOp op, OpOperand &operand) {
  return operand.getOperandNumber() != op.getSourceMutable().getOperandNumber();
}

/// The buffer of a copy: its destination's, or a new one in the tier that its
/// encoding names.
template <typename TransferOp>
static FailureOr<BufferLikeType>
getCopyBufferType(TransferOp op, const BufferizationOptions &options,
                  const BufferizationState &state,
                  SmallVector<Value> &invocationStack) {
  if (op.getDest())
    return bufferization::getBufferType(op.getDest(), options, state,
                                        invocationStack);
  auto tensor = cast<TensorType>(op.getCopy().getType());
  Attribute space = getPlacement(tensor);
  if (!space) {
    std::optional<Attribute> chosen = options.defaultMemorySpaceFn(tensor);
    if (!chosen)
      return op->emitError("could not infer the memory space of the copy");
    space = *chosen;
  }
  return cast<BufferLikeType>(
      getMemRefTypeWithStaticIdentityLayout(tensor, space));
}

template <typename TransferOp>
static LogicalResult bufferizeTransfer(TransferOp op, RewriterBase &rewriter,
                                       const BufferizationOptions &options,
                                       BufferizationState &state) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  FailureOr<Value> source = getBuffer(rewriter, op.getSource(), options, state);
  if (failed(source))
    return failure();

  Value dest;
  if (op.getDest()) {
    FailureOr<Value> buffer = getBuffer(rewriter, op.getDest(), options, state);
    if (failed(buffer))
      return failure();
    dest = *buffer;
  } else {
    FailureOr<BufferLikeType> type =
        bufferization::getBufferType(op.getCopy(), options, state);
    if (failed(type))
      return failure();
    auto memref = cast<MemRefType>(*type);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < memref.getRank(); ++dim)
      if (memref.isDynamicDim(dim))
        sizes.push_back(
            memref::DimOp::create(rewriter, op.getLoc(), *source, dim));
    FailureOr<Value> buffer =
        options.createAlloc(rewriter, op.getLoc(), memref, sizes);
    if (failed(buffer))
      return failure();
    dest = *buffer;
    // Where the copy lies is the business of what allocates it.
    if (Attribute offset = op->getAttr(attr::kOffset))
      dest.getDefiningOp()->setAttr(attr::kOffset, offset);
  }

  auto onBuffers = TransferOp::create(rewriter, op.getLoc(), *source, dest);
  onBuffers->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  onBuffers->removeAttr(attr::kOffset);
  replaceOpWithBufferizedValues(rewriter, op, {dest, onBuffers.getToken()});
  return success();
}

#define PEBBLE_BUFFERIZABLE_TRANSFER(TransferOp)                               \
  bool TransferOp::bufferizesToAllocation(Value value) { return !getDest(); }  \
  bool TransferOp::bufferizesToMemoryRead(OpOperand &operand,                  \
                                          const AnalysisState &) {             \
    return !isDest(*this, operand);                                            \
  }                                                                            \
  bool TransferOp::bufferizesToMemoryWrite(OpOperand &operand,                 \
                                           const AnalysisState &) {            \
    return isDest(*this, operand);                                             \
  }                                                                            \
  AliasingValueList TransferOp::getAliasingValues(OpOperand &operand,          \
                                                  const AnalysisState &) {     \
    return isDest(*this, operand) ? equivalentTo(getCopy())                    \
                                  : AliasingValueList();                       \
  }                                                                            \
  FailureOr<BufferLikeType> TransferOp::getBufferType(                         \
      Value value, const BufferizationOptions &options,                        \
      const BufferizationState &state, SmallVector<Value> &invocationStack) {  \
    return getCopyBufferType(*this, options, state, invocationStack);          \
  }                                                                            \
  LogicalResult TransferOp::bufferize(RewriterBase &rewriter,                  \
                                      const BufferizationOptions &options,     \
                                      BufferizationState &state) {             \
    return bufferizeTransfer(*this, rewriter, options, state);                 \
  }

PEBBLE_BUFFERIZABLE_TRANSFER(StoreOp)
PEBBLE_BUFFERIZABLE_TRANSFER(LoadOp)
#undef PEBBLE_BUFFERIZABLE_TRANSFER

//===----------------------------------------------------------------------===//
// Wait
//===----------------------------------------------------------------------===//

bool WaitOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return false;
}

bool WaitOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return false;
}

AliasingValueList WaitOp::getAliasingValues(OpOperand &,
                                            const AnalysisState &) {
  return equivalentTo(getResult());
}

LogicalResult WaitOp::bufferize(RewriterBase &rewriter,
                                const BufferizationOptions &options,
                                BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, getCopy(), options, state);
  if (failed(buffer))
    return failure();
  auto onBuffers = WaitOp::create(rewriter, getLoc(), getToken());
  onBuffers->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  replaceOpWithBufferizedValues(rewriter, *this, *buffer);
  return success();
}

//===----------------------------------------------------------------------===//
// Drop
//===----------------------------------------------------------------------===//

bool DropOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return true;
}

bool DropOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return false;
}

AliasingValueList DropOp::getAliasingValues(OpOperand &,
                                            const AnalysisState &) {
  return {};
}

LogicalResult DropOp::bufferize(RewriterBase &rewriter,
                                const BufferizationOptions &options,
                                BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, getValue(), options, state);
  if (failed(buffer))
    return failure();
  auto onBuffers = DropOp::create(rewriter, getLoc(), *buffer);
  onBuffers->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  rewriter.eraseOp(*this);
  return success();
}

//===----------------------------------------------------------------------===//
// Opaque
//===----------------------------------------------------------------------===//

bool OpaqueOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return false;
}

bool OpaqueOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return false;
}

AliasingValueList OpaqueOp::getAliasingValues(OpOperand &,
                                              const AnalysisState &) {
  return equivalentTo(getResult());
}

LogicalResult OpaqueOp::bufferize(RewriterBase &rewriter,
                                  const BufferizationOptions &options,
                                  BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, getInput(), options, state);
  if (failed(buffer))
    return failure();
  auto onBuffers = OpaqueOp::create(rewriter, getLoc(), *buffer);
  onBuffers->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  replaceOpWithBufferizedValues(rewriter, *this, onBuffers.getResult());
  return success();
}
