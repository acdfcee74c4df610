//===- LowerSubviews.cpp - parts of fewer dimensions, with steps ----------===//
//
// Upstream finds the dimensions that a memref.subview drops by the strides of
// the source, and not by those of the part. Where a step is not one it finds
// none, and its passes read what is not there. Such parts become views that
// spell out offset, sizes and strides.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace pebble {
#define GEN_PASS_DEF_LOWERSUBVIEWSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;

namespace {
/// Which dimensions of the source a part keeps, by its sizes and strides.
class KeptDims {
public:
  explicit KeptDims(memref::SubViewOp part)
      : sizes(part.getStaticSizes()), whole(inferType(part)) {
    (void)part.getType().getStridesAndOffset(strides, offset);
    (void)whole.getStridesAndOffset(wholeStrides, offset);
    shape = part.getType().getShape();
  }

  std::optional<SmallVector<unsigned>> find() {
    SmallVector<unsigned> kept;
    if (!match(0, kept))
      return std::nullopt;
    return kept;
  }

private:
  static MemRefType inferType(memref::SubViewOp part) {
    return memref::SubViewOp::inferResultType(
        part.getSourceType(), part.getStaticOffsets(), part.getStaticSizes(),
        part.getStaticStrides());
  }

  bool match(unsigned dim, SmallVectorImpl<unsigned> &kept) const {
    if (dim == sizes.size())
      return kept.size() == shape.size();
    if (kept.size() < shape.size() && shape[kept.size()] == sizes[dim] &&
        strides[kept.size()] == wholeStrides[dim]) {
      kept.push_back(dim);
      if (match(dim + 1, kept))
        return true;
      kept.pop_back();
    }
    return sizes[dim] == 1 && match(dim + 1, kept);
  }

  ArrayRef<int64_t> sizes, shape;
  MemRefType whole;
  SmallVector<int64_t> strides, wholeStrides;
  int64_t offset = 0;
};

void lower(memref::SubViewOp part) {
  std::optional<SmallVector<unsigned>> kept = KeptDims(part).find();
  if (!kept)
    return;
  OpBuilder builder(part);
  Location loc = part.getLoc();
  auto toValue = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  auto source =
      memref::ExtractStridedMetadataOp::create(builder, loc, part.getSource());
  Value offset = source.getOffset();
  SmallVector<Value> strides;
  for (auto [stride, step, from] :
       llvm::zip(source.getStrides(), part.getMixedStrides(),
                 part.getMixedOffsets())) {
    offset = arith::AddIOp::create(
        builder, loc, offset,
        arith::MulIOp::create(builder, loc, stride, toValue(from)));
    strides.push_back(
        arith::MulIOp::create(builder, loc, stride, toValue(step)));
  }
  // What the type says stands in the view.
  SmallVector<int64_t> known;
  int64_t knownOffset = 0;
  (void)part.getType().getStridesAndOffset(known, knownOffset);
  auto orKnown = [&](int64_t number, OpFoldResult other) -> OpFoldResult {
    return ShapedType::isDynamic(number)
               ? other
               : OpFoldResult(builder.getIndexAttr(number));
  };
  SmallVector<OpFoldResult> sizes, keptStrides;
  for (auto [i, dim] : llvm::enumerate(*kept)) {
    sizes.push_back(part.getMixedSizes()[dim]);
    keptStrides.push_back(orKnown(known[i], strides[dim]));
  }
  auto view = memref::ReinterpretCastOp::create(
      builder, loc, part.getType(), source.getBaseBuffer(),
      orKnown(knownOffset, offset), sizes, keptStrides);
  part.replaceAllUsesWith(view.getResult());
  part.erase();
}

struct LowerSubviews : pebble::impl::LowerSubviewsPassBase<LowerSubviews> {
  void runOnOperation() override {
    SmallVector<memref::SubViewOp> parts;
    getOperation()->walk([&](memref::SubViewOp part) {
      bool hasSteps = llvm::any_of(part.getStaticStrides(),
                                   [](int64_t step) { return step != 1; });
      if (hasSteps && part.getType().getRank() < part.getSourceType().getRank())
        parts.push_back(part);
    });
    llvm::for_each(parts, lower);
  }
};
} // namespace
