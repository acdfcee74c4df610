//===- ShownTensors.cpp - tensors that buffers show -----------------------===//

#include "ShownTensors.h"

#include "FoldSlices.h"

#include "pebble/Analysis/Carried.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Analysis/Views.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

static bool isBuffer(Type type) { return isa<BaseMemRefType>(type); }

/// The tensors that `op` shows, or may show, as buffers.
static SmallVector<OpOperand *> getShown(Operation *op) {
  bool shows = isa<bufferization::ToBufferOp>(op) ||
               (isa<CallOpInterface>(op) &&
                llvm::any_of(op->getResultTypes(), isBuffer));
  SmallVector<OpOperand *> shown;
  if (shows)
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()))
        shown.push_back(&operand);
  return shown;
}

static void copy(OpOperand *operand) {
  OpBuilder builder(operand->getOwner());
  operand->set(bufferization::AllocTensorOp::create(
      builder, operand->getOwner()->getLoc(),
      cast<RankedTensorType>(operand->get().getType()), ValueRange(),
      operand->get()));
}

//===----------------------------------------------------------------------===//
// What has to be copied
//===----------------------------------------------------------------------===//

/// Whether an iteration hands on, at the end of `body`, a buffer that shows
/// what the loop carries in place.
static bool handsOnCarried(Block &body, ArrayRef<BlockArgument> carried,
                           ProgramContext &context) {
  Operation *end = body.getTerminator();
  if (llvm::none_of(end->getOperandTypes(), isBuffer))
    return false;
  StorageAnalysis storage(body, context);
  llvm::SmallDenseSet<StorageId> overwritten;
  for (BlockArgument argument : carried)
    if (argument.getOwner() == &body)
      overwritten.insert_range(storage.lookup(argument));
  return llvm::any_of(end->getOperands(), [&](Value operand) {
    return isBuffer(operand.getType()) &&
           llvm::any_of(storage.lookup(operand),
                        [&](StorageId id) { return overwritten.contains(id); });
  });
}

static void copyShownIn(LoopLikeOpInterface loop) {
  SmallVector<OpOperand *> shown;
  loop->walk([&](Operation *op) {
    for (OpOperand *operand : getShown(op))
      if (!loop.isDefinedOutsideOfLoop(operand->get()))
        shown.push_back(operand);
  });
  llvm::for_each(shown, copy);
}

void copyShownTensors(Operation *root, ProgramContext &context) {
  SmallVector<OpOperand *> slices;
  root->walk([&](CallOpInterface call) {
    for (OpOperand *operand : getShown(call))
      if (isSlice(operand->get()))
        slices.push_back(operand);
  });
  llvm::for_each(slices, copy);
  root->walk([&](LoopLikeOpInterface loop) {
    SmallVector<BlockArgument> carried;
    for (OpResult result : loop->getResults())
      if (isa<TensorType>(result.getType()))
        llvm::append_range(carried, getCarriedArguments(result));
    if (carried.empty())
      return;
    for (Region *region : loop.getLoopRegions())
      for (Block &body : *region)
        if (body.mightHaveTerminator() &&
            handsOnCarried(body, carried, context))
          return copyShownIn(loop);
  });
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

bool showsTensors(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return getShown(op).empty() ? WalkResult::advance()
                                    : WalkResult::interrupt();
      })
      .wasInterrupted();
}

void copyAllShownTensors(Operation *root) {
  SmallVector<OpOperand *> shown;
  root->walk([&](Operation *op) {
    for (OpOperand *operand : getShown(op)) {
      // What shows a buffer may be written through the other one.
      Value viewed = getViewed(operand->get());
      bool isOwn = viewed == operand->get() && viewed.hasOneUse() &&
                   viewed.getDefiningOp<bufferization::AllocTensorOp>();
      if (!isBuffer(viewed.getType()) && !isOwn)
        shown.push_back(operand);
    }
  });
  llvm::for_each(shown, copy);
}

} // namespace pebble
