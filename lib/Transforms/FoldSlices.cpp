//===- FoldSlices.cpp - what upstream would fold after a plan -------------===//
//
// Upstream's folds replace an insertion that covers all, and a slice that takes
// out what was just inserted, by what was inserted. After a plan that would
// read a buffer beyond the end that was planned for it. The first is folded
// before anything is planned. The second would make what was inserted live
// beside the whole, so the fold is kept from seeing it. So it is with ops that
// compute nothing, and with transpositions of transpositions.
//
//===----------------------------------------------------------------------===//

#include "FoldSlices.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

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

/// True for a copy, a transposition that leaves all dimensions where they are,
/// or a broadcast along none.
static bool isNamedIdentity(Operation *op) {
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return llvm::equal(transpose.getPermutation(),
                       llvm::seq<int64_t>(transpose.getPermutation().size()));
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op))
    return broadcast.getDimensions().empty();
  return isa<linalg::CopyOp>(op);
}

/// Takes what the body of `op` hands on, if it does nothing else, through
/// identities that no fold sees through.
static void hideYielded(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  if (!llvm::all_equal(op.getIndexingMapsArray()) ||
      !llvm::hasSingleElement(*body) ||
      !llvm::all_of(body->getTerminator()->getOperands(),
                    llvm::IsaPred<BlockArgument>))
    return;
  OpBuilder builder(body->getTerminator());
  for (OpOperand &yielded : body->getTerminator()->getOpOperands())
    yielded.set(
        OpaqueOp::create(builder, yielded.get().getLoc(), yielded.get()));
}

void hideIdentities(Operation *root) {
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) {
    // What a loop carries is copied into its place, wherever it comes from.
    bool isCarried = llvm::any_of(op.getDpsInits(), [&](Value init) {
      auto argument = dyn_cast<BlockArgument>(init);
      return argument && argument.getOwner()->getParentOp() != root;
    });
    if (op.hasPureTensorSemantics() && !isCarried)
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : ops) {
    if (isNamedIdentity(op)) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> generic =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic))
        continue;
      op = *generic;
    }
    if (isa<linalg::GenericOp>(op)) {
      hideYielded(op);
    } else if (isa<linalg::TransposeOp, linalg::BroadcastOp>(op) &&
               isa_and_present<linalg::TransposeOp, linalg::BroadcastOp>(
                   op->getOperand(0).getDefiningOp())) {
      rewriter.setInsertionPoint(op);
      op->setOperand(
          0, OpaqueOp::create(rewriter, op->getLoc(), op->getOperand(0)));
    }
  }
}

} // namespace pebble
