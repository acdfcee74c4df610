//===- FreshBuffers.cpp - clones, reallocations and their frees -----------===//
//
// A clone and a reallocation may hand on the old buffer or make a new one. Here
// they always make one: what a program takes must not depend on where a buffer
// happens to lie.
//
//===----------------------------------------------------------------------===//

#include "FreshBuffers.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

LogicalResult pebble::lowerClone(bufferization::CloneOp op,
                                 RewriterBase &rewriter) {
  auto type = dyn_cast<MemRefType>(op.getType());
  auto from = dyn_cast<MemRefType>(op.getInput().getType());
  if (!type || !from)
    return op.emitError("cannot clone a buffer whose rank is not known");
  // A layout that says nothing fits an allocation too.
  auto plain =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  if (!memref::CastOp::areCastCompatible(plain, type))
    return op.emitError("cannot clone a buffer of ")
           << type << ": no allocation has its layout";
  Location loc = op.getLoc();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(rewriter, loc, op.getInput(), dim));
  Value fresh = memref::AllocOp::create(rewriter, loc, plain, sizes);
  memref::CopyOp::create(rewriter, loc, op.getInput(), fresh);
  if (plain != type)
    fresh = memref::CastOp::create(rewriter, loc, type, fresh);
  rewriter.replaceOp(op, fresh);
  return success();
}

/// The first `size` elements of a buffer of one dimension.
static Value getFirst(Value buffer, OpFoldResult size, RewriterBase &rewriter,
                      Location loc) {
  auto type = cast<MemRefType>(buffer.getType());
  if (getConstantIntValue(size) == type.getDimSize(0))
    return buffer;
  OpFoldResult zero = rewriter.getIndexAttr(0), one = rewriter.getIndexAttr(1);
  return memref::SubViewOp::create(rewriter, loc, buffer, zero, size, one);
}

void pebble::lowerRealloc(memref::ReallocOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  auto from = cast<MemRefType>(op.getSource().getType());
  MemRefType type = op.getType();
  auto fresh = memref::AllocOp::create(
      rewriter, loc, type,
      op.getDynamicResultSize() ? ValueRange(op.getDynamicResultSize())
                                : ValueRange(),
      op.getAlignmentAttr());
  OpFoldResult size;
  if (from.hasStaticShape() && type.hasStaticShape()) {
    size =
        rewriter.getIndexAttr(std::min(from.getDimSize(0), type.getDimSize(0)));
  } else {
    Value before = memref::DimOp::create(rewriter, loc, op.getSource(), 0);
    Value after = memref::DimOp::create(rewriter, loc, fresh, 0);
    size = arith::MinUIOp::create(rewriter, loc, before, after).getResult();
  }
  memref::CopyOp::create(rewriter, loc,
                         getFirst(op.getSource(), size, rewriter, loc),
                         getFirst(fresh, size, rewriter, loc));
  rewriter.replaceOp(op, fresh);
}

void pebble::lowerDealloc(bufferization::DeallocOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  for (auto [result, retained] :
       llvm::zip_equal(op.getUpdatedConditions(), op.getRetained())) {
    if (result.use_empty())
      continue;
    Value isOwned;
    for (auto [freed, condition] :
         llvm::zip_equal(op.getMemrefs(), op.getConditions())) {
      Value one = condition;
      if (freed != retained)
        one = arith::AndIOp::create(
            rewriter, loc, condition,
            SameBufferOp::create(rewriter, loc, freed, retained));
      isOwned =
          isOwned
              ? arith::OrIOp::create(rewriter, loc, isOwned, one).getResult()
              : one;
    }
    if (!isOwned)
      isOwned = arith::ConstantIntOp::create(rewriter, loc, 0, 1);
    rewriter.replaceAllUsesWith(result, isOwned);
  }
  rewriter.eraseOp(op);
}
