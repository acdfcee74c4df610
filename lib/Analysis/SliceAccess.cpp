//===- SliceAccess.cpp - parts of tensors that ops write and read ---------===//

#include "pebble/Analysis/LoopPairs.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace pebble {

static bool isNamed(Operation *op, StringRef name) {
  return op && op->getName().getStringRef() == name;
}

static std::vector<LinearForm> evaluateAll(ArrayRef<OpFoldResult> values,
                                           RecurrenceAnalysis &analysis) {
  std::vector<LinearForm> forms;
  for (OpFoldResult value : values)
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      forms.push_back({*constant, {}});
    else
      forms.push_back(analysis.evaluate(cast<Value>(value)));
  return forms;
}

/// Fills in offsets and sizes of a slice op with unit strides.
template <typename SliceOp>
static bool takeSlice(SliceOp op, RecurrenceAnalysis &analysis,
                      SliceAccess &access) {
  if (!llvm::all_of(op.getMixedStrides(), [](OpFoldResult stride) {
        return isConstantIntValue(stride, 1);
      }))
    return false;
  for (OpFoldResult size : op.getMixedSizes()) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    if (!constant)
      return false;
    access.sizes.push_back(*constant);
  }
  access.offsets = evaluateAll(op.getMixedOffsets(), analysis);
  return true;
}

/// One element.
static SliceAccess getElement(Operation *op, Value whole, Value part,
                              ValueRange indices,
                              RecurrenceAnalysis &analysis) {
  SliceAccess access{op, whole, part, {}, {}};
  for (Value index : indices)
    access.offsets.push_back(analysis.evaluate(index));
  access.sizes.assign(access.offsets.size(), 1);
  return access;
}

/// A part of static shape at dynamic indices, as StableHLO has it.
static std::optional<SliceAccess>
getDynamicSlice(Operation *op, Value whole, Value part, ValueRange indices,
                RecurrenceAnalysis &analysis) {
  auto type = dyn_cast<RankedTensorType>(part.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  SliceAccess access{op, whole, part, {}, {}};
  for (Value index : indices)
    access.offsets.push_back(analysis.evaluate(index));
  access.sizes.assign(type.getShape().begin(), type.getShape().end());
  return access;
}

/// A tensor that is written to a part of a memref, or read from it.
static std::optional<SliceAccess> getSubview(Operation *op, Value buffer,
                                             Value part,
                                             RecurrenceAnalysis &analysis) {
  auto view = buffer.getDefiningOp<memref::SubViewOp>();
  if (!view || !part)
    return std::nullopt;
  SliceAccess access{op, view.getSource(), part, {}, {}};
  if (!takeSlice(view, analysis, access))
    return std::nullopt;
  return access;
}

std::optional<SliceAccess> SliceAccess::getWrite(Operation *op,
                                                 RecurrenceAnalysis &analysis) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return getElement(op, store.getMemRef(), store.getValueToStore(),
                      store.getIndices(), analysis);
  if (auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    if (isa<MemRefType>(write.getDest().getType()))
      return getSubview(op, write.getDest(), write.getSource(), analysis);
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto source = copy.getSource().getDefiningOp<bufferization::ToBufferOp>();
    return getSubview(op, copy.getTarget(),
                      source ? source.getTensor() : Value(), analysis);
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    SliceAccess access{op, insert.getDest(), insert.getSource(), {}, {}};
    if (!takeSlice(insert, analysis, access))
      return std::nullopt;
    return access;
  }
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return getElement(op, insert.getDest(), insert.getScalar(),
                      insert.getIndices(), analysis);
  if (!isNamed(op, "stablehlo.dynamic_update_slice") ||
      op->getNumOperands() < 2)
    return std::nullopt;
  return getDynamicSlice(op, op->getOperand(0), op->getOperand(1),
                         op->getOperands().drop_front(2), analysis);
}

std::optional<SliceAccess> SliceAccess::getRead(Operation *op,
                                                RecurrenceAnalysis &analysis) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return getElement(op, load.getMemRef(), load.getResult(), load.getIndices(),
                      analysis);
  if (auto read = dyn_cast<bufferization::ToTensorOp>(op))
    return getSubview(op, read.getBuffer(), read.getResult(), analysis);
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SliceAccess access{op, extract.getSource(), extract.getResult(), {}, {}};
    if (!takeSlice(extract, analysis, access))
      return std::nullopt;
    return access;
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return getElement(op, extract.getTensor(), extract.getResult(),
                      extract.getIndices(), analysis);
  if (!isNamed(op, "stablehlo.dynamic_slice") || op->getNumOperands() < 1 ||
      op->getNumResults() != 1)
    return std::nullopt;
  return getDynamicSlice(op, op->getOperand(0), op->getResult(0),
                         op->getOperands().drop_front(), analysis);
}

} // namespace pebble
