//===- Snapshots.cpp - states kept in a slower tier -----------------------===//
//
// Rules D45 and D49 of docs/PebbleGame.md, and what becomes of pebble.save and
// pebble.restore on memrefs: a copy to or from a part of the array, which the
// way down turns into a counted transfer.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace pebble;

RankedTensorType SaveOp::getStateType() { return getSource().getType(); }
RankedTensorType RestoreOp::getStateType() { return getDest().getType(); }
Value SaveOp::getArray() { return getDest(); }
Value RestoreOp::getArray() { return getSource(); }

/// What one place of an array holds.
static RankedTensorType getPlaceType(RankedTensorType array) {
  AtAttr at = getPlacement(array);
  return RankedTensorType::get(array.getShape().drop_front(),
                               array.getElementType(),
                               at ? at.getRowPlacement() : AtAttr());
}
RankedTensorType SaveOp::getPlaceType() {
  return ::getPlaceType(cast<RankedTensorType>(getDest().getType()));
}
RankedTensorType RestoreOp::getPlaceType() {
  return ::getPlaceType(cast<RankedTensorType>(getSource().getType()));
}

template <typename SnapshotOp>
static void buildSnapshot(OpBuilder &builder, OperationState &state,
                          Value source, Value dest, Value number,
                          std::optional<int64_t> times) {
  SnapshotOp::build(builder, state, dest.getType(), source, dest, number,
                    times ? builder.getI64IntegerAttr(*times) : IntegerAttr());
}

/// D45: the array holds tensors of the state's type. D49: it is in a slower
/// tier, and the state in the compute tier.
template <typename SnapshotOp>
static LogicalResult verifySnapshot(SnapshotOp op) {
  RankedTensorType state = op.getStateType();
  auto array = cast<RankedTensorType>(op.getArray().getType());
  if (array.getRank() != state.getRank() + 1 ||
      array.getElementType() != state.getElementType() ||
      array.getShape().drop_front() != state.getShape() ||
      !state.hasStaticShape())
    return op.emitError("[D45] ")
           << array << " is no array of tensors of type " << state;
  if (IntegerAttr times = op.getTimesAttr(); times && times.getInt() < 0)
    return op.emitError("[D45] 'times' may not be negative");
  if (getPlacement(array) && getPlacement(array).isCompressed() &&
      !getPlacement(array).getRows())
    return op.emitError("[D48] a compressed array keeps each of its states by "
                        "itself: 'rows = true'");
  StringRef slow = getTierName(op.getArray());
  HierarchyAttr hierarchy = lookupHierarchy(op);
  StringRef compute = hierarchy ? hierarchy.getComputeTier().getName() : "";
  if (slow.empty() || slow == compute)
    return op.emitError("[D49] the array is in a tier slower than the compute "
                        "tier, which its type must name");
  if (getPlacement(state) && getPlacement(state).getTier() != compute)
    return op.emitError("[D49] the state is in the compute tier, not in '")
           << getPlacement(state).getTier() << "'";
  return success();
}

/// The place of one state in the buffer of an array.
static Value getPlace(RewriterBase &rewriter, Location loc, Value array,
                      Value number, RankedTensorType state) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<OpFoldResult> offsets = {number};
  SmallVector<OpFoldResult> sizes = {rewriter.getIndexAttr(1)};
  for (int64_t size : state.getShape()) {
    offsets.push_back(rewriter.getIndexAttr(0));
    sizes.push_back(rewriter.getIndexAttr(size));
  }
  SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
  auto place = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      state.getShape(), type, offsets, sizes, strides));
  return memref::SubViewOp::create(rewriter, loc, place, array, offsets, sizes,
                                   strides);
}

template <typename SnapshotOp>
static LogicalResult bufferizeSnapshot(SnapshotOp op, RewriterBase &rewriter,
                                       const BufferizationOptions &options,
                                       BufferizationState &state) {
  FailureOr<Value> source = getBuffer(rewriter, op.getSource(), options, state);
  FailureOr<Value> dest = getBuffer(rewriter, op.getDest(), options, state);
  if (failed(source) || failed(dest))
    return failure();
  bool isSave = std::is_same_v<SnapshotOp, SaveOp>;
  Value place = getPlace(rewriter, op.getLoc(), isSave ? *dest : *source,
                         op.getNumber(), op.getStateType());
  memref::CopyOp::create(rewriter, op.getLoc(), isSave ? *source : place,
                         isSave ? place : *dest);
  replaceOpWithBufferizedValues(rewriter, op, *dest);
  return success();
}

/// Of what an op is given, a saved state leaves the other places of the array
/// as they are; a restored one overwrites all of its destination.
#define PEBBLE_SNAPSHOT(SnapshotOp, readsDest)                                 \
  void SnapshotOp::build(OpBuilder &builder, OperationState &state,            \
                         Value source, Value dest, Value number,               \
                         std::optional<int64_t> times) {                       \
    buildSnapshot<SnapshotOp>(builder, state, source, dest, number, times);    \
  }                                                                            \
  LogicalResult SnapshotOp::inferReturnTypes(                                  \
      MLIRContext *, std::optional<Location>, ValueRange operands,             \
      DictionaryAttr, OpaqueProperties, RegionRange,                           \
      SmallVectorImpl<Type> &inferred) {                                       \
    inferred.push_back(operands[1].getType());                                 \
    return success();                                                          \
  }                                                                            \
  LogicalResult SnapshotOp::verify() { return verifySnapshot(*this); }         \
  bool SnapshotOp::bufferizesToMemoryRead(OpOperand &operand,                  \
                                          const AnalysisState &) {             \
    return operand.getOperandNumber() == 0 || (readsDest);                     \
  }                                                                            \
  bool SnapshotOp::bufferizesToMemoryWrite(OpOperand &operand,                 \
                                           const AnalysisState &) {            \
    return operand.getOperandNumber() == 1;                                    \
  }                                                                            \
  AliasingValueList SnapshotOp::getAliasingValues(OpOperand &operand,          \
                                                  const AnalysisState &) {     \
    if (operand.getOperandNumber() != 1)                                       \
      return {};                                                               \
    return {{getResult(), BufferRelation::Equivalent}};                        \
  }                                                                            \
  LogicalResult SnapshotOp::bufferize(RewriterBase &rewriter,                  \
                                      const BufferizationOptions &options,     \
                                      BufferizationState &state) {             \
    return bufferizeSnapshot(*this, rewriter, options, state);                 \
  }

PEBBLE_SNAPSHOT(SaveOp, true)
PEBBLE_SNAPSHOT(RestoreOp, false)
#undef PEBBLE_SNAPSHOT
