//===- CheckShardings.cpp - the pass pebble-check-shardings ---------------===//

#include "pebble/Transforms/Passes.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"

namespace pebble {
#define GEN_PASS_DEF_CHECKSHARDINGSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;

/// How many ranks `grid` has, as far as its extents are known.
static LogicalResult check(shard::GridOp grid) {
  int64_t ranks = 1;
  for (int64_t extent : grid.getShape()) {
    if (ShapedType::isDynamic(extent))
      continue;
    if (extent < 1 || extent > pebble::kMostRanks / ranks)
      return grid.emitError()
             << "grid '@" << grid.getSymName() << "' has 1 to "
             << pebble::kMostRanks << " ranks, and extents of at least 1";
    ranks *= extent;
  }
  return success();
}

static shard::GridOp getGrid(shard::ShardingOp sharding) {
  return SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(
      sharding, sharding.getGridAttr());
}

/// Upstream takes axes that the grid does not have for some of no extent.
static LogicalResult check(shard::ShardingOp sharding) {
  shard::GridOp grid = getGrid(sharding);
  if (!grid)
    return success();
  const auto count = static_cast<int64_t>(grid.getShape().size());
  for (shard::GridAxesAttr axes : sharding.getSplitAxes().getAxes())
    for (int16_t axis : axes.asArrayRef())
      if (axis < 0 || axis >= count)
        return sharding.emitError()
               << "grid '@" << grid.getSymName() << "' has no axis " << axis;
  return success();
}

/// How many parts `axes` of `grid` make; 0 where that is not known.
static int64_t countParts(shard::GridOp grid, ArrayRef<int16_t> axes) {
  int64_t parts = 1;
  for (int16_t axis : axes) {
    if (ShapedType::isDynamic(grid.getShape()[axis]))
      return 0;
    parts *= grid.getShape()[axis];
  }
  return parts;
}

static LogicalResult check(shard::ShardOp op) {
  auto sharding = op.getSharding().getDefiningOp<shard::ShardingOp>();
  auto type = dyn_cast<RankedTensorType>(op.getSrc().getType());
  if (!sharding || !type)
    return success();
  shard::GridOp grid = getGrid(sharding);
  // Parts of other sizes, and halos, are said beside the axes.
  if (!grid || !sharding.getStaticShardedDimsOffsets().empty() ||
      !sharding.getStaticHaloSizes().empty())
    return success();
  for (auto [dim, axes] : llvm::enumerate(sharding.getSplitAxes().getAxes())) {
    const int64_t parts = countParts(grid, axes.asArrayRef());
    if (static_cast<int64_t>(dim) >= type.getRank()) {
      if (axes.empty())
        continue;
      InFlightDiagnostic error = op.emitError() << "there is no dimension "
                                                << dim << " to divide";
      error.attachNote(sharding.getLoc()) << "this sharding divides it";
      return error;
    }
    if (parts == 0 || type.isDynamicDim(dim) ||
        type.getDimSize(dim) % parts == 0)
      continue;
    InFlightDiagnostic error =
        op.emitError() << "dimension " << dim << " has " << type.getDimSize(dim)
                       << " elements, which " << parts << " ranks of grid '@"
                       << grid.getSymName() << "' cannot divide";
    error.attachNote(sharding.getLoc()) << "this sharding divides it";
    return error;
  }
  return success();
}

namespace {
struct CheckShardings : pebble::impl::CheckShardingsPassBase<CheckShardings> {
  void runOnOperation() override {
    // What the shardings of values are made of comes first.
    bool isGood = true;
    getOperation().walk(
        [&](shard::GridOp op) { isGood &= succeeded(check(op)); });
    getOperation().walk(
        [&](shard::ShardingOp op) { isGood &= succeeded(check(op)); });
    if (!isGood)
      return signalPassFailure();
    getOperation().walk(
        [&](shard::ShardOp op) { isGood &= succeeded(check(op)); });
    if (!isGood)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
