//===- LinalgToLoops.cpp - structured operations to loops -----------------===//
//
// One kernel for an operation wherever it stands in the schedule: what the
// loops compute does not depend on the order of the program.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "TierCalls.h"

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

/// The parallel loop to run innermost: the one over the last dimension of the
/// first result. Nothing if there is none, or it is innermost already.
static std::optional<unsigned> findInnermost(linalg::GenericOp op) {
  if (op.getNumDpsInits() == 0 || op.getNumLoops() < 2)
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  if (!last || last.getPosition() + 1 == op.getNumLoops())
    return std::nullopt;
  if (op.getIteratorTypesArray()[last.getPosition()] !=
      utils::IteratorType::parallel)
    return std::nullopt;
  return last.getPosition();
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
  if (generic)
    if (std::optional<unsigned> innermost = findInnermost(generic)) {
      SmallVector<unsigned> order;
      for (unsigned i = 0; i < generic.getNumLoops(); ++i)
        if (i != *innermost)
          order.push_back(i);
      order.push_back(*innermost);
      FailureOr<linalg::GenericOp> made =
          linalg::interchangeGenericOp(rewriter, generic, order);
      if (succeeded(made))
        op = cast<linalg::LinalgOp>(made->getOperation());
    }
  rewriter.setInsertionPoint(op);
  if (failed(linalg::linalgOpToLoops(rewriter, op)))
    return op.emitError("this operation cannot be turned into loops");
  rewriter.eraseOp(op);
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
  SmallVector<linalg::LinalgOp> ops;
  getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureBufferSemantics()) {
      op.emitError("this operation does not work on memrefs");
      return signalPassFailure();
    }
    if (failed(lower(op, rewriter)))
      return signalPassFailure();
  }
}
