//===- FoldSlices.cpp - slices that are what was inserted -----------------===//
//
// Upstream's folds replace an insertion that covers all, and a slice that takes
// out what was just inserted, by what was inserted. After a plan that would
// read a buffer beyond the end that was planned for it. The first is folded
// before anything is planned. The second would make what was inserted live
// beside the whole, so the fold is kept from seeing it. The same is done for an
// op that copies a slice by handing on what it reads: without the copy, the
// whole would live for as long as the part.
//
//===----------------------------------------------------------------------===//

#include "FoldSlices.h"

#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace pebble {

/// What `op` would be folded into, if that is a value; else null.
static Value getFold(Operation *op) {
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(results)) || results.size() != 1)
    return {};
  auto value = dyn_cast_if_present<Value>(results.front());
  Value result = op->getResult(0);
  return value && value != result && value.getType() == result.getType()
             ? value
             : Value();
}

bool isSlice(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<tensor::ExtractSliceOp>(op))
      return true;
    value = StorageAnalysis::getViewSource(op);
    if (!value)
      return false;
  }
  return false;
}

void hideSliceCopies(Operation *root) {
  SmallVector<OpOperand *> yields;
  root->walk([&](linalg::GenericOp op) {
    Operation *yield = op.getBody()->getTerminator();
    if (!op.hasPureTensorSemantics() || !llvm::hasSingleElement(*op.getBody()))
      return;
    for (OpOperand &yielded : yield->getOpOperands()) {
      auto argument = dyn_cast<BlockArgument>(yielded.get());
      if (argument && argument.getOwner() == op.getBody() &&
          isSlice(op->getOperand(argument.getArgNumber())))
        yields.push_back(&yielded);
    }
  });
  for (OpOperand *yielded : yields) {
    OpBuilder builder(yielded->getOwner());
    yielded->set(OpaqueOp::create(builder, yielded->getOwner()->getLoc(),
                                  yielded->get()));
  }
}

void foldSlices(Operation *root) {
  SmallVector<Operation *> slices;
  root->walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op) &&
        llvm::none_of(op->getDiscardableAttrs(), [](NamedAttribute attribute) {
          return attribute.getName().getValue().starts_with("pebble.");
        }))
      slices.push_back(op);
  });
  for (Operation *op : slices) {
    if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (extract.getSource().getDefiningOp<tensor::InsertSliceOp>() &&
          getFold(op)) {
        OpBuilder builder(op);
        extract.getSourceMutable().set(OpaqueOp::create(
            builder, extract.getSource().getLoc(), extract.getSource()));
      }
    } else if (Value value = getFold(op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
}

} // namespace pebble
