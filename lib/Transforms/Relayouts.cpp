//===- Relayouts.cpp - packed layouts and back, element by element --------===//
//
// Upstream pads, reshapes and transposes, each into a buffer of its own. Here
// each element of the destination is looked up in the source, so that nothing
// but the two is in memory, and tiles may have sizes that only the run knows.
//
//===----------------------------------------------------------------------===//

#include "Relayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

/// Writes `op` as a loop nest over its destination. `find` says what belongs at
/// a place there.
static void
replaceByLookUp(Operation *op, Value destination, RewriterBase &rewriter,
                llvm::function_ref<Value(OpBuilder &, ValueRange)> find) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(destination.getType());
  SmallVector<AffineMap> maps = {
      rewriter.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> kinds(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, TypeRange(type), ValueRange(), destination, maps, kinds,
      [&](OpBuilder &builder, Location place, ValueRange) {
        SmallVector<Value> indices;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          indices.push_back(linalg::IndexOp::create(builder, place, dim));
        linalg::YieldOp::create(builder, place, find(builder, indices));
      });
  generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, generic);
}

/// Of each dimension that is not packed, the outer dimension that it becomes.
template <typename OpTy>
static SmallVector<int64_t> getOuterDims(OpTy op, int64_t rank) {
  SmallVector<int64_t> outer = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (auto [i, dim] : llvm::enumerate(op.getOuterDimsPerm()))
    outer[dim] = static_cast<int64_t>(i);
  return outer;
}

/// Of each dimension that is not packed, the number of its tile or none.
template <typename OpTy>
static SmallVector<std::optional<size_t>> getTileNumbers(OpTy op,
                                                         int64_t rank) {
  SmallVector<std::optional<size_t>> numbers(rank);
  for (auto [i, dim] : llvm::enumerate(op.getInnerDimsPos()))
    numbers[dim] = i;
  return numbers;
}

/// The element of `source` at `indices` where `isWithin` holds, else `padding`.
/// Of a source that may be empty nothing is read otherwise.
static Value extractOr(OpBuilder &builder, Location loc, Value source,
                       ValueRange indices, Value isWithin, Value padding,
                       bool mayBeEmpty) {
  auto extract = [&](OpBuilder &there) -> Value {
    return tensor::ExtractOp::create(there, loc, source, indices);
  };
  if (!mayBeEmpty)
    return arith::SelectOp::create(builder, loc, isWithin, extract(builder),
                                   padding);
  return scf::IfOp::create(
             builder, loc, isWithin,
             [&](OpBuilder &then, Location) {
               scf::YieldOp::create(then, loc, extract(then));
             },
             [&](OpBuilder &otherwise, Location) {
               scf::YieldOp::create(otherwise, loc, padding);
             })
      .getResult(0);
}

void pebble::lowerPack(linalg::PackOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value source = op.getSource();
  int64_t rank = op.getSourceRank();
  SmallVector<int64_t> outer = getOuterDims(op, rank);
  SmallVector<std::optional<size_t>> tiles = getTileNumbers(op, rank);
  SmallVector<OpFoldResult> sizes = op.getMixedTiles();
  SmallVector<OpFoldResult> extents =
      tensor::getMixedSizes(rewriter, loc, source);
  const bool mayBeEmpty =
      llvm::any_of(op.getSourceType().getShape(), [](int64_t extent) {
        return extent == 0 || ShapedType::isDynamic(extent);
      });
  auto find = [&](OpBuilder &builder, ValueRange place) -> Value {
    Value isWithin;
    SmallVector<Value> indices;
    for (int64_t dim = 0; dim < rank; ++dim) {
      Value index = place[outer[dim]];
      if (tiles[dim]) {
        Value size =
            getValueOrCreateConstantIndexOp(builder, loc, sizes[*tiles[dim]]);
        index = arith::MulIOp::create(builder, loc, index, size);
        index = arith::AddIOp::create(builder, loc, index,
                                      place[rank + *tiles[dim]]);
      }
      if (tiles[dim] && op.getPaddingValue()) {
        Value extent =
            getValueOrCreateConstantIndexOp(builder, loc, extents[dim]);
        Value within = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, index, extent);
        isWithin = isWithin
                       ? arith::AndIOp::create(builder, loc, isWithin, within)
                             .getResult()
                       : within;
        // What lies beyond the source is read at its last element, and not
        // taken.
        if (!mayBeEmpty) {
          Value one = arith::ConstantIndexOp::create(builder, loc, 1);
          Value last = arith::SubIOp::create(builder, loc, extent, one);
          index = arith::MinUIOp::create(builder, loc, index, last);
        }
      }
      indices.push_back(index);
    }
    if (!isWithin)
      return tensor::ExtractOp::create(builder, loc, source, indices);
    return extractOr(builder, loc, source, indices, isWithin,
                     op.getPaddingValue(), mayBeEmpty);
  };
  replaceByLookUp(op, op.getDest(), rewriter, find);
}

void pebble::lowerUnpack(linalg::UnPackOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  int64_t rank = op.getDestRank();
  SmallVector<int64_t> outer = getOuterDims(op, rank);
  SmallVector<std::optional<size_t>> tiles = getTileNumbers(op, rank);
  SmallVector<OpFoldResult> sizes = op.getMixedTiles();
  auto find = [&](OpBuilder &builder, ValueRange place) -> Value {
    SmallVector<Value> indices(op.getSourceRank());
    for (int64_t dim = 0; dim < rank; ++dim) {
      Value index = place[dim];
      if (tiles[dim]) {
        Value size =
            getValueOrCreateConstantIndexOp(builder, loc, sizes[*tiles[dim]]);
        indices[rank + *tiles[dim]] =
            arith::RemUIOp::create(builder, loc, index, size);
        index = arith::DivUIOp::create(builder, loc, index, size);
      }
      indices[outer[dim]] = index;
    }
    return tensor::ExtractOp::create(builder, loc, op.getSource(), indices);
  };
  replaceByLookUp(op, op.getDest(), rewriter, find);
}
