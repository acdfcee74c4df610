//===- CheckShardings.cpp - the pass pebble-check-shardings ---------------===//

#include "pebble/Transforms/Passes.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"

namespace pebble {
#define GEN_PASS_DEF_CHECKSHARDINGSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;

/// How many parts `axes` of `grid` make; 0 where that is not known or wrong,
/// which other passes say.
static int64_t countParts(shard::GridOp grid, ArrayRef<int16_t> axes) {
  int64_t parts = 1;
  for (int16_t axis : axes) {
    if (axis < 0 || static_cast<size_t>(axis) >= grid.getShape().size() ||
        ShapedType::isDynamic(grid.getShape()[axis]))
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
  auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(
      sharding, sharding.getGridAttr());
  // Parts of other sizes, and halos, are said beside the axes.
  if (!grid || !sharding.getStaticShardedDimsOffsets().empty() ||
      !sharding.getStaticHaloSizes().empty())
    return success();
  for (auto [dim, axes] : llvm::enumerate(sharding.getSplitAxes().getAxes())) {
    const int64_t parts = countParts(grid, axes.asArrayRef());
    if (parts == 0 || static_cast<int64_t>(dim) >= type.getRank() ||
        type.isDynamicDim(dim) || type.getDimSize(dim) % parts == 0)
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
    bool isGood = true;
    getOperation().walk(
        [&](shard::ShardOp op) { isGood &= succeeded(check(op)); });
    if (!isGood)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
