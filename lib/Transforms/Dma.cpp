//===- Dma.cpp - transfers of elements as copies --------------------------===//
//
// Between its start and the wait for it nobody may look at what a transfer
// reads and writes, so it may as well be made at once.
//
//===----------------------------------------------------------------------===//

#include "Dma.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

/// `count` elements of a contiguous memref, from the one at `indices` on.
static Value getPart(Value memref, ValueRange indices, Value count,
                     OpBuilder &builder, Location loc) {
  auto type = cast<MemRefType>(memref.getType());
  Value offset = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value size =
        type.isDynamicDim(dim)
            ? memref::DimOp::create(builder, loc, memref, dim).getResult()
            : arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim))
                  .getResult();
    offset = arith::MulIOp::create(builder, loc, offset, size);
    offset = arith::AddIOp::create(builder, loc, offset, index);
  }
  OpFoldResult size = getAsOpFoldResult(count);
  std::optional<int64_t> known = getConstantIntValue(size);
  auto layout =
      StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, {1});
  auto part =
      MemRefType::get({known.value_or(ShapedType::kDynamic)},
                      type.getElementType(), layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      builder, loc, part, memref, OpFoldResult(offset), {size},
      {OpFoldResult(builder.getIndexAttr(1))});
}

/// The indices that an affine map makes of its operands.
static SmallVector<Value> expand(AffineMap map, ValueRange operands,
                                 OpBuilder &builder, Location loc) {
  SmallVector<Value> indices;
  if (auto expanded = affine::expandAffineMap(builder, loc, map, operands))
    indices.assign(expanded->begin(), expanded->end());
  return indices;
}

static void copyElements(Operation *op, Value source, ValueRange from,
                         Value target, ValueRange to, Value count,
                         RewriterBase &rewriter) {
  Location loc = op->getLoc();
  Value read = getPart(source, from, count, rewriter, loc);
  Value written = getPart(target, to, count, rewriter, loc);
  memref::CopyOp::create(rewriter, loc, read, written);
}

/// Whether what `op` moves lies one element after the other, here and there.
static bool isContiguous(Operation *op) {
  auto areIdentity = [](ArrayRef<Value> memrefs) {
    return llvm::all_of(memrefs, [](Value memref) {
      return cast<MemRefType>(memref.getType()).getLayout().isIdentity();
    });
  };
  if (auto start = dyn_cast<memref::DmaStartOp>(op))
    return !start.isStrided() &&
           areIdentity({start.getSrcMemRef(), start.getDstMemRef()});
  if (auto start = dyn_cast<affine::AffineDmaStartOp>(op))
    return !start.isStrided() &&
           areIdentity({start.getSrcMemRef(), start.getDstMemRef()});
  return true;
}

static void lower(Operation *op, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  if (auto start = dyn_cast<memref::DmaStartOp>(op))
    copyElements(op, start.getSrcMemRef(), start.getSrcIndices(),
                 start.getDstMemRef(), start.getDstIndices(),
                 start.getNumElements(), rewriter);
  else if (auto start = dyn_cast<affine::AffineDmaStartOp>(op))
    copyElements(
        op, start.getSrcMemRef(),
        expand(start.getSrcMap(), start.getSrcIndices(), rewriter, loc),
        start.getDstMemRef(),
        expand(start.getDstMap(), start.getDstIndices(), rewriter, loc),
        start.getNumElements(), rewriter);
  rewriter.eraseOp(op);
}

void pebble::makeTransfersAtOnce(ModuleOp module, RewriterBase &rewriter) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<memref::DmaStartOp, memref::DmaWaitOp, affine::AffineDmaStartOp,
            affine::AffineDmaWaitOp>(op))
      ops.push_back(op);
  });
  // Who waits for which transfer is not known, so none may stay.
  if (!llvm::all_of(ops, isContiguous))
    return;
  for (Operation *op : ops)
    lower(op, rewriter);
}
