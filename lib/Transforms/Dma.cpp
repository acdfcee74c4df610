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
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// Where the element at `indices` of a contiguous memref lies.
static Value getOffset(Value memref, ValueRange indices, OpBuilder &builder,
                       Location loc) {
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
  return offset;
}

/// `count` elements of a memref, one after the other from `offset` on.
static Value getPart(Value memref, Value offset, Value count,
                     OpBuilder &builder, Location loc) {
  auto type = cast<MemRefType>(memref.getType());
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

/// In which steps one side of a transfer goes on; the other side is contiguous.
struct Stride {
  Value between, elements;
  bool isOfSource = false;
};

static void copyElements(Operation *op, Value source, ValueRange from,
                         Value target, ValueRange to, Value count,
                         std::optional<Stride> stride, RewriterBase &rewriter) {
  Location loc = op->getLoc();
  Value read = getOffset(source, from, rewriter, loc);
  Value written = getOffset(target, to, rewriter, loc);
  auto copy = [&](Value first, Value other, Value elements) {
    memref::CopyOp::create(rewriter, loc,
                           getPart(source, first, elements, rewriter, loc),
                           getPart(target, other, elements, rewriter, loc));
  };
  if (!stride)
    return copy(read, written, count);
  // Piece by piece; the last one may be shorter.
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  auto loop = scf::ForOp::create(rewriter, loc, zero, count, stride->elements);
  rewriter.setInsertionPointToStart(loop.getBody());
  Value done = loop.getInductionVar();
  Value piece = arith::DivUIOp::create(rewriter, loc, done, stride->elements);
  Value far = arith::MulIOp::create(rewriter, loc, piece, stride->between);
  Value left = arith::SubIOp::create(rewriter, loc, count, done);
  Value elements =
      arith::MinUIOp::create(rewriter, loc, left, stride->elements);
  auto add = [&](Value begin, Value way) -> Value {
    return arith::AddIOp::create(rewriter, loc, begin, way);
  };
  copy(add(read, stride->isOfSource ? far : done),
       add(written, stride->isOfSource ? done : far), elements);
}

static int64_t getSpace(Value memref) {
  return cast<MemRefType>(memref.getType()).getMemorySpaceAsInt();
}

/// The stride of `start`, which is that of the slower memory: the one of the
/// lower number.
template <typename StartOp>
static std::optional<Stride> getStride(StartOp start) {
  if (!start.isStrided())
    return std::nullopt;
  return Stride{start.getStride(), start.getNumElementsPerStride(),
                getSpace(start.getSrcMemRef()) <
                    getSpace(start.getDstMemRef())};
}

/// Whether it is known where the elements lie that `op` moves.
static bool isKnown(Operation *op) {
  auto areIdentity = [](ArrayRef<Value> memrefs) {
    return llvm::all_of(memrefs, [](Value memref) {
      return cast<MemRefType>(memref.getType()).getLayout().isIdentity();
    });
  };
  // In one memory nobody knows whose the stride is.
  auto isKnownStart = [&](auto start) {
    return (!start.isStrided() ||
            getSpace(start.getSrcMemRef()) != getSpace(start.getDstMemRef())) &&
           areIdentity({start.getSrcMemRef(), start.getDstMemRef()});
  };
  if (auto start = dyn_cast<memref::DmaStartOp>(op))
    return isKnownStart(start);
  if (auto start = dyn_cast<affine::AffineDmaStartOp>(op))
    return isKnownStart(start);
  return true;
}

static void lower(Operation *op, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  if (auto start = dyn_cast<memref::DmaStartOp>(op))
    copyElements(op, start.getSrcMemRef(), start.getSrcIndices(),
                 start.getDstMemRef(), start.getDstIndices(),
                 start.getNumElements(), getStride(start), rewriter);
  else if (auto start = dyn_cast<affine::AffineDmaStartOp>(op))
    copyElements(
        op, start.getSrcMemRef(),
        expand(start.getSrcMap(), start.getSrcIndices(), rewriter, loc),
        start.getDstMemRef(),
        expand(start.getDstMap(), start.getDstIndices(), rewriter, loc),
        start.getNumElements(), getStride(start), rewriter);
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
  if (!llvm::all_of(ops, isKnown))
    return;
  for (Operation *op : ops)
    lower(op, rewriter);
}
