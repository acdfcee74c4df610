//===- GatherScatter.cpp - slices by coordinates, element by element ------===//
//
// Upstream has no lowering of these. Both say of one side, the slices, where
// each lies in the other, the whole: at coordinates of some of its dimensions.
//
//===----------------------------------------------------------------------===//

#include "GatherScatter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// Where the element of the slices at `place` lies in the whole, which has
/// `rank` dimensions. The first dimensions of the slices count them, as those
/// of `coordinates` but the last do; the others are those of the whole, each
/// that has a coordinate being 1 or left out.
static SmallVector<Value> findInWhole(OpBuilder &builder, Location loc,
                                      ValueRange place, Value coordinates,
                                      ArrayRef<int64_t> dims, int64_t rank) {
  int64_t batch = cast<RankedTensorType>(coordinates.getType()).getRank() - 1;
  bool isReduced = static_cast<int64_t>(place.size()) != batch + rank;
  ValueRange inSlice = place.drop_front(batch);
  SmallVector<Value> found;
  for (int64_t dim = 0; dim < rank; ++dim) {
    const auto *given = llvm::find(dims, dim);
    bool hasCoordinate = given != dims.end();
    if (!hasCoordinate) {
      found.push_back(inSlice.front());
      inSlice = inSlice.drop_front();
      continue;
    }
    if (!isReduced)
      inSlice = inSlice.drop_front();
    SmallVector<Value> at(place.take_front(batch));
    at.push_back(
        arith::ConstantIndexOp::create(builder, loc, given - dims.begin()));
    Value number = tensor::ExtractOp::create(builder, loc, coordinates, at);
    if (!number.getType().isIndex())
      number = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                          number);
    found.push_back(number);
  }
  return found;
}

tensor::GenerateOp pebble::lowerGather(tensor::GatherOp op,
                                       RewriterBase &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResultType();
  RankedTensorType whole = op.getSourceType();
  int64_t batch = op.getIndicesType().getRank() - 1;
  bool isReduced = type.getRank() != batch + whole.getRank();
  // The dimension of an operand that each of the result's is.
  SmallVector<std::pair<Value, int64_t>> origins;
  for (int64_t dim = 0; dim < batch; ++dim)
    origins.emplace_back(op.getIndices(), dim);
  for (int64_t dim = 0; dim < whole.getRank(); ++dim)
    if (!isReduced || !llvm::is_contained(op.getGatherDims(), dim))
      origins.emplace_back(op.getSource(), dim);
  SmallVector<Value> sizes;
  for (auto [size, origin] : llvm::zip_equal(type.getShape(), origins))
    if (ShapedType::isDynamic(size))
      sizes.push_back(
          tensor::DimOp::create(rewriter, loc, origin.first, origin.second));
  auto generate = tensor::GenerateOp::create(
      rewriter, loc, type, sizes,
      [&](OpBuilder &builder, Location place, ValueRange indices) {
        SmallVector<Value> found =
            findInWhole(builder, place, indices, op.getIndices(),
                        op.getGatherDims(), whole.getRank());
        tensor::YieldOp::create(
            builder, place,
            tensor::ExtractOp::create(builder, place, op.getSource(), found));
      });
  rewriter.replaceOp(op, generate);
  return generate;
}

void pebble::lowerScatter(tensor::ScatterOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType slices = op.getSourceType();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  SmallVector<Value> first(slices.getRank(), zero), last;
  SmallVector<Value> steps(slices.getRank(), one);
  for (int64_t dim = 0; dim < slices.getRank(); ++dim)
    last.push_back(
        slices.isDynamicDim(dim)
            ? Value(tensor::DimOp::create(rewriter, loc, op.getSource(), dim))
            : arith::ConstantIndexOp::create(rewriter, loc,
                                             slices.getDimSize(dim)));
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, loc, first, last, steps, op.getDest(),
      [&](OpBuilder &builder, Location place, ValueRange indices,
          ValueRange carried) -> scf::ValueVector {
        SmallVector<Value> found =
            findInWhole(builder, place, indices, op.getIndices(),
                        op.getScatterDims(), op.getDestType().getRank());
        Value element =
            tensor::ExtractOp::create(builder, place, op.getSource(), indices);
        return {tensor::InsertOp::create(builder, place, element,
                                         carried.front(), found)};
      });
  rewriter.replaceOp(op, nest.results);
}
