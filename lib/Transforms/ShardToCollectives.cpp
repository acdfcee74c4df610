//===- ShardToCollectives.cpp - the pass pebble-shard-to-collectives ------===//

#include "pebble/Transforms/Passes.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace pebble {
#define GEN_PASS_DEF_SHARDTOCOLLECTIVESPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// Which ranks are together: as in `pebble.collective`.
struct Groups {
  int64_t group = 1, stride = 1, ranks = 1;
};

FailureOr<Groups> getGroups(Operation *op, FlatSymbolRefAttr name,
                            ArrayRef<int16_t> axes) {
  auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(op, name);
  if (!grid)
    return op->emitError("there is no grid '@") << name.getValue() << "'";
  Groups groups;
  ArrayRef<int64_t> shape = grid.getShape();
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent))
      return op->emitError("how many ranks grid '@")
             << name.getValue() << "' has is not known: give all its extents";
    groups.ranks *= extent;
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    if (i > 0 && axes[i] != axes[i - 1] + 1)
      return op->emitError("the ranks of a group stand along grid axes that "
                           "are side by side and in order");
    groups.group *= shape[axes[i]];
  }
  if (!axes.empty())
    for (int64_t extent : shape.drop_front(axes.back() + 1))
      groups.stride *= extent;
  return groups;
}

FailureOr<Reduction> getReduction(Operation *op, shard::ReductionKind kind) {
  switch (kind) {
  case shard::ReductionKind::Sum:
    return Reduction::Sum;
  case shard::ReductionKind::Max:
    return Reduction::Max;
  case shard::ReductionKind::Min:
    return Reduction::Min;
  case shard::ReductionKind::Product:
    return Reduction::Product;
  default:
    return op->emitError("ranks put values together by sum, product, min and "
                         "max, not by ")
           << shard::stringifyReductionKind(kind);
  }
}

class Converter {
public:
  explicit Converter(ModuleOp module) : module(module) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<shard::AllReduceOp, shard::AllGatherOp, shard::ReduceScatterOp,
              shard::AllSliceOp, shard::BroadcastOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (isa<RankedTensorType>(op->getResult(0).getType()) &&
          failed(convert(op)))
        return failure();
    module.walk([](scf::IfOp branch) { foldEqualSides(branch); });
    for (auto grid : llvm::make_early_inc_range(module.getOps<shard::GridOp>()))
      if (SymbolTable::symbolKnownUseEmpty(grid, module))
        grid.erase();
    return success();
  }

private:
  LogicalResult convert(Operation *op) {
    if (auto reduce = dyn_cast<shard::AllReduceOp>(op)) {
      FailureOr<Reduction> kind = getReduction(op, reduce.getReduction());
      return failed(kind)
                 ? failure()
                 : convert(reduce, CollectiveKind::AllReduce, 0, *kind);
    }
    if (auto gather = dyn_cast<shard::AllGatherOp>(op))
      return convert(gather, CollectiveKind::AllGather,
                     gather.getGatherAxis().getSExtValue());
    if (auto slice = dyn_cast<shard::AllSliceOp>(op))
      return convertSlice(slice);
    if (auto scatter = dyn_cast<shard::ReduceScatterOp>(op)) {
      FailureOr<Reduction> kind = getReduction(op, scatter.getReduction());
      return failed(kind)
                 ? failure()
                 : convert(scatter, CollectiveKind::ReduceScatter,
                           scatter.getScatterAxis().getSExtValue(), *kind);
    }
    auto broadcast = cast<shard::BroadcastOp>(op);
    if (broadcast.getRoot().size() != 1 ||
        ShapedType::isDynamic(broadcast.getRoot().front()))
      return op->emitError("the root of a broadcast is one number that is "
                           "known");
    return convert(broadcast, CollectiveKind::Broadcast,
                   broadcast.getRoot().front());
  }

  template <typename Op>
  LogicalResult convert(Op op, CollectiveKind kind, int64_t axis,
                        Reduction reduction = Reduction::Sum) {
    FailureOr<Groups> groups =
        getGroups(op, op.getGridAttr(), op.getGridAxes());
    if (failed(groups))
      return failure();
    Value result = op->getResult(0);
    if (groups->group == 1 && op.getInput().getType() == result.getType()) {
      result.replaceAllUsesWith(op.getInput());
    } else {
      Value made = make(op, kind, op.getInput(), result.getType(), *groups,
                        axis, reduction);
      if (!made)
        return failure();
      result.replaceAllUsesWith(made);
    }
    op->erase();
    return success();
  }

  /// Null, with an error, where the op cannot be.
  Value make(Operation *op, CollectiveKind kind, Value input, Type type,
             const Groups &groups, int64_t axis, Reduction reduction) {
    auto tensor = cast<RankedTensorType>(type);
    if (!tensor.hasStaticShape()) {
      op->emitError("the shape of what ranks exchange is not known");
      return {};
    }
    OpBuilder builder(op);
    Value init =
        tensor::EmptyOp::create(builder, op->getLoc(), tensor, ValueRange());
    auto made = CollectiveOp::create(builder, op->getLoc(), type, kind, input,
                                     init, groups.group, groups.stride,
                                     groups.ranks, axis, reduction);
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if (failed(verify(made)))
      return {};
    return made.getResult();
  }

  /// Says what is wrong where the user can still see it.
  static LogicalResult verify(CollectiveOp op) { return op.verifyInvariants(); }

  /// The slices of a sum that nobody needs as a whole come out of the exchange
  /// by themselves.
  LogicalResult convertSlice(shard::AllSliceOp slice) {
    const int64_t axis = slice.getSliceAxis().getSExtValue();
    FailureOr<Groups> groups =
        getGroups(slice, slice.getGridAttr(), slice.getGridAxes());
    if (failed(groups))
      return failure();
    auto sum = slice.getInput().getDefiningOp<CollectiveOp>();
    const bool isScatter =
        sum && sum.getKind() == CollectiveKind::AllReduce && axis == 0 &&
        sum->hasOneUse() &&
        static_cast<int64_t>(sum.getGroup()) == groups->group &&
        static_cast<int64_t>(sum.getStride()) == groups->stride;
    if (!isScatter)
      return convert(slice, CollectiveKind::AllSlice, axis);
    Value part =
        make(slice, CollectiveKind::ReduceScatter, sum.getInput(),
             slice.getResult().getType(), *groups, 0, sum.getReduction());
    if (!part)
      return failure();
    slice.getResult().replaceAllUsesWith(part);
    slice->erase();
    sum->erase();
    return success();
  }

  /// Upstream starts a product that is divided between ranks from its
  /// destination on the first of them, and from zero on the others. Mostly
  /// that is one value.
  static void foldEqualSides(scf::IfOp branch) {
    if (branch.getElseRegion().empty() || branch.getNumResults() == 0)
      return;
    auto isEmptyBut = [](Block *block) {
      return block->getOperations().size() == 1;
    };
    if (!isEmptyBut(branch.thenBlock()) || !isEmptyBut(branch.elseBlock()))
      return;
    auto yes = branch.thenYield().getOperands(),
         no = branch.elseYield().getOperands();
    if (!llvm::equal(yes, no))
      return;
    for (auto [result, value] : llvm::zip(branch.getResults(), yes))
      result.replaceAllUsesWith(value);
    Operation *condition = branch.getCondition().getDefiningOp();
    branch.erase();
    eraseUnused(condition);
  }

  /// Nobody asks any more which rank this is.
  static void eraseUnused(Operation *op) {
    if (!op || !isOpTriviallyDead(op))
      return;
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    llvm::SmallPtrSet<Operation *, 4> seen;
    for (Value operand : operands)
      if (Operation *maker = operand.getDefiningOp();
          maker && seen.insert(maker).second)
        eraseUnused(maker);
  }

  ModuleOp module;
};

struct ShardToCollectives
    : pebble::impl::ShardToCollectivesPassBase<ShardToCollectives> {
  void runOnOperation() override {
    if (failed(Converter(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
