//===- Destinations.cpp - what an op leaves of what it writes -------------===//

#include "pebble/Analysis/Destinations.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

/// Every element of an output is written if the output's map takes each of its
/// dimensions from a loop of its own, and all other loops run at least once. (A
/// loop of the output that does not run means that the output is empty.)
static bool overwritesInFull(linalg::LinalgOp op, OpOperand &output) {
  if (!op.isDpsInit(&output) || op.payloadUsesValueFromOperand(&output))
    return false;
  AffineMap map = op.getMatchingIndexingMap(&output);
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/false))
    return false;
  // Where the output has them all, there is no other loop.
  if (map.getNumResults() == map.getNumDims())
    return true;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    bool isOfOutput = map.isFunctionOfDim(loop);
    if (!isOfOutput && (ShapedType::isDynamic(range) || range == 0))
      return false;
  }
  return true;
}

/// Upstream does not look at the mask, be it an operand or around the write.
static bool overwritesInFull(vector::TransferWriteOp op) {
  auto target = cast<ShapedType>(op.getBase().getType());
  return !op.getMask() && !op.isMasked() && target.hasRank() &&
         target.hasStaticShape() &&
         op.getVectorType().getShape() == target.getShape() &&
         llvm::none_of(op.getVectorType().getScalableDims(),
                       [](bool isScalable) { return isScalable; }) &&
         op.getPermutationMap().isIdentity() &&
         llvm::all_of(op.getIndices(),
                      [](Value index) { return isConstantIntValue(index, 0); });
}

static bool overwritesInFull(tensor::InsertSliceOp op) {
  RankedTensorType target = op.getDestType();
  if (!target.hasStaticShape() ||
      op.getSourceType().getNumElements() != target.getNumElements())
    return false;
  auto areAll = [](ArrayRef<OpFoldResult> values, int64_t number) {
    return llvm::all_of(values, [&](OpFoldResult value) {
      return isConstantIntValue(value, number);
    });
  };
  return areAll(op.getMixedOffsets(), 0) && areAll(op.getMixedStrides(), 1);
}

/// Whether the bounds of an `scf.for` are in the order that upstream compares
/// them in: as signed numbers, whatever the loop does.
static bool areSignedBounds(scf::ForOp loop) {
  auto isSigned = [](Value bound) {
    std::optional<int64_t> known = getConstantIntValue(bound);
    return known && *known >= 0;
  };
  return !loop.getUnsignedCmp() ||
         (isSigned(loop.getLowerBound()) && isSigned(loop.getUpperBound()));
}

/// Upstream says whether the loop runs and whether its body looks at what it
/// begins with, but takes writes of a part for writes of the whole.
static bool overwritesInFull(LoopLikeOpInterface loop, OpOperand &init) {
  auto bufferizable =
      dyn_cast<bufferization::BufferizableOpInterface>(loop.getOperation());
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState state(options);
  if (!bufferizable || bufferizable.bufferizesToMemoryRead(init, state))
    return false;
  if (loop->walk([](scf::ForOp counted) {
            return areSignedBounds(counted) ? WalkResult::advance()
                                            : WalkResult::interrupt();
          })
          .wasInterrupted())
    return false;
  WalkResult result = loop->walk([&](DestinationStyleOpInterface nested) {
    if (nested.getOperation() == loop.getOperation())
      return WalkResult::advance();
    for (OpOperand &other : nested.getDpsInitsMutable()) {
      auto known = dyn_cast<bufferization::BufferizableOpInterface>(*nested);
      if (isa<TensorType>(other.get().getType()) && known &&
          !known.bufferizesToMemoryRead(other, state) &&
          !overwritesInFull(other))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

bool overwritesInFull(OpOperand &destination) {
  Operation *op = destination.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return overwritesInFull(linalgOp, destination);
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return &destination == &write.getBaseMutable() && overwritesInFull(write);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return &destination == &insert.getDestMutable() && overwritesInFull(insert);
  if (isa<memref::CopyOp, StoreOp, LoadOp>(op))
    return destination.getOperandNumber() == 1;
  if (auto into = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return &destination == &into.getDestMutable();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return overwritesInFull(loop, destination);
  // Pebble's own ops answer for themselves.
  bufferization::BufferizationOptions options;
  auto own = dyn_cast<bufferization::BufferizableOpInterface>(op);
  return own && isa_and_nonnull<PebbleDialect>(op->getDialect()) &&
         !own.bufferizesToMemoryRead(destination,
                                     bufferization::AnalysisState(options));
}

} // namespace pebble
