//===- LinalgToLoops.cpp - structured operations to loops -----------------===//
//
// One kernel for an operation wherever it stands in the schedule: what the
// loops compute does not depend on the order of the program.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "AtomicUpdates.h"
#include "Kernels.h"
#include "TierCalls.h"

#include "pebble/Analysis/CallOrder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pebble {
#define GEN_PASS_DEF_LINALGTOLOOPSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct LinalgToLoopsPass
    : pebble::impl::LinalgToLoopsPassBase<LinalgToLoopsPass> {
  void runOnOperation() override;
};
} // namespace

/// How far apart, in elements, one step of each loop is in an operand's memory;
/// a step of unknown size counts as far.
static SmallVector<int64_t> getSteps(OpOperand &operand, AffineMap map) {
  constexpr int64_t kFar = 1 << 20;
  SmallVector<int64_t> steps(map.getNumDims(), 0);
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type)
    return steps;
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    strides.assign(type.getRank(), kFar);
  for (auto [result, stride] : llvm::zip(map.getResults(), strides)) {
    int64_t step = ShapedType::isDynamic(stride) ? kFar : std::abs(stride);
    result.walk([&](AffineExpr expr) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        steps[dim.getPosition()] += step;
    });
  }
  return steps;
}

/// An order of the loops that walks memory well: wide steps outside, and
/// innermost the loop over which most operands are contiguous or do not move.
/// The reductions keep their order among each other, so that what is computed
/// does not depend on layouts.
static SmallVector<unsigned> orderLoops(linalg::GenericOp op) {
  unsigned count = op.getNumLoops();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<int64_t> width(count, 0), cost(count, 0);
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<int64_t> steps =
        getSteps(operand, op.getMatchingIndexingMap(&operand));
    for (unsigned i = 0; i < count; ++i) {
      width[i] += steps[i];
      cost[i] += steps[i] == 0 ? 0 : steps[i] == 1 ? 1 : 8;
    }
  }
  SmallVector<unsigned> reductions;
  for (unsigned i = 0; i < count; ++i) {
    if (linalg::isReductionIterator(kinds[i])) {
      reductions.push_back(i);
      cost[i] += 6; // each step waits for the one before
    }
    if (!ShapedType::isDynamic(extents[i]) && extents[i] < 8)
      cost[i] += 4; // too short to run as vectors
  }
  std::optional<unsigned> innermost;
  for (unsigned i = 0; i < count; ++i)
    if (linalg::isParallelIterator(kinds[i]) ||
        (!reductions.empty() && i == reductions.back()))
      if (!innermost || cost[i] <= cost[*innermost])
        innermost = i;

  SmallVector<unsigned> order;
  for (unsigned i = 0; i < count; ++i)
    if (i != innermost)
      order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_pair(-width[a], a) < std::make_pair(-width[b], b);
  });
  if (innermost)
    order.push_back(*innermost);
  unsigned next = 0;
  for (unsigned &loop : order)
    if (linalg::isReductionIterator(kinds[loop]))
      loop = reductions[next++];
  return order;
}

static LogicalResult lower(linalg::LinalgOp op, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(op);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic && op.getNumLoops() > 1) {
    FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
    if (succeeded(made)) {
      generic = *made;
      op = cast<linalg::LinalgOp>(generic.getOperation());
    }
  }
  if (generic && generic.getNumLoops() > 1) {
    SmallVector<unsigned> order = orderLoops(generic);
    if (!llvm::is_sorted(order)) {
      FailureOr<linalg::GenericOp> made =
          linalg::interchangeGenericOp(rewriter, generic, order);
      if (succeeded(made))
        op = cast<linalg::LinalgOp>(made->getOperation());
    }
  }
  rewriter.setInsertionPoint(op);
  if (failed(linalg::linalgOpToLoops(rewriter, op)))
    return op.emitError("this operation cannot be turned into loops");
  rewriter.eraseOp(op);
  return success();
}

/// Lowers what stands in `module` and in no module inside of it.
static LogicalResult lowerModule(ModuleOp module, IRRewriter &rewriter) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op->getParentOfType<ModuleOp>() == module)
      ops.push_back(op);
  });
  if (ops.empty())
    return success();
  Kernels kernels(module);
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureBufferSemantics())
      return op.emitError("this operation does not work on memrefs");
    op = kernels.outline(op);
    if (op && failed(lower(op, rewriter)))
      return failure();
  }
  return success();
}

void LinalgToLoopsPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  SmallVector<memref::CopyOp> copies;
  getOperation().walk([&](memref::CopyOp op) {
    auto from = dyn_cast<MemRefType>(op.getSource().getType());
    auto to = dyn_cast<MemRefType>(op.getTarget().getType());
    if (from && to && !(isContiguous(from) && isContiguous(to)))
      copies.push_back(op);
  });
  for (memref::CopyOp op : copies) {
    rewriter.setInsertionPoint(op);
    linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(),
                             op.getTarget());
    rewriter.eraseOp(op);
  }
  writeUpdatesWithRegions(getOperation());
  for (ModuleOp module : getModules(getOperation()))
    if (failed(lowerModule(module, rewriter)))
      return signalPassFailure();
}
