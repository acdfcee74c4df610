//===- RegionFaults.cpp - mistakes inside of what an op does ---------------===//
//
// The same mistakes as outside, made in loops, branches and payloads, of steps
// whose results matter.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace pebble;

/// Calls `visit` with each op in a region whose results reach what is returned,
/// both in its region and from there.
static void walkLive(Block &body, llvm::function_ref<void(Operation *)> visit) {
  llvm::DenseSet<Operation *> live;
  SmallVector<Operation *> work;
  auto add = [&](Operation *op) {
    if (op && live.insert(op).second)
      work.push_back(op);
  };
  add(body.getTerminator());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    for (Value operand : op->getOperands())
      add(operand.getDefiningOp());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getTerminator());
    if (op->getBlock() != &body && !op->hasTrait<OpTrait::IsTerminator>())
      visit(op);
  }
}

/// Whether two values are one number, read twice: of one tensor at one place.
static bool isReadTwice(Value one, Value other) {
  auto first = dyn_cast<BlockArgument>(one),
       second = dyn_cast<BlockArgument>(other);
  if (!first || !second || first.getOwner() != second.getOwner())
    return false;
  auto op = dyn_cast<linalg::LinalgOp>(first.getOwner()->getParentOp());
  if (!op)
    return false;
  auto getSource = [&](BlockArgument argument) {
    Value source = op->getOperand(argument.getArgNumber());
    while (auto opaque = source.getDefiningOp<OpaqueOp>())
      source = opaque->getOperand(0);
    return std::pair(source,
                     op.getIndexingMapsArray()[argument.getArgNumber()]);
  };
  return getSource(first) == getSource(second);
}

static std::vector<Fault> findSwapped(func::FuncOp function,
                                      const StorageAnalysis &) {
  std::vector<Fault> faults;
  walkLive(function.getBody().front(), [&](Operation *op) {
    if (isa<arith::SubFOp>(op) && op->getOperand(0) != op->getOperand(1) &&
        !isReadTwice(op->getOperand(0), op->getOperand(1)))
      faults.push_back([op] {
        Value first = op->getOperand(0);
        op->setOperand(0, op->getOperand(1));
        op->setOperand(1, first);
      });
  });
  return faults;
}

static std::vector<Fault> findOtherOperation(func::FuncOp function,
                                             const StorageAnalysis &) {
  std::vector<Fault> faults;
  walkLive(function.getBody().front(), [&](Operation *op) {
    if (isa<arith::AddFOp>(op))
      faults.push_back([op] {
        OpBuilder builder(op);
        Value other = arith::SubFOp::create(
            builder, op->getLoc(), op->getOperand(0), op->getOperand(1));
        op->replaceAllUsesWith(ValueRange(other));
        op->erase();
      });
  });
  return faults;
}

/// A step that is computed and not taken: what it was to change goes on as it
/// was.
static std::vector<Fault> findOmitted(func::FuncOp function,
                                      const StorageAnalysis &) {
  std::vector<Fault> faults;
  walkLive(function.getBody().front(), [&](Operation *op) {
    if (isMemoryEffectFree(op) && op->getNumResults() == 1 &&
        op->getNumOperands() && isa<FloatType>(op->getResult(0).getType()) &&
        op->getOperand(0).getType() == op->getResult(0).getType())
      faults.push_back(
          [op] { op->getResult(0).replaceAllUsesWith(op->getOperand(0)); });
  });
  return faults;
}

/// A slice inside of a loop or branch, read or written elsewhere.
static std::vector<Fault> findMovedSlice(func::FuncOp function,
                                         const StorageAnalysis &) {
  std::vector<Fault> faults;
  walkLive(function.getBody().front(), [&](Operation *op) {
    auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
    if (!slice || slice.getStaticOffsets().empty() ||
        ShapedType::isDynamic(slice.getStaticOffsets()[0]) ||
        slice.getStaticOffsets()[0] == 0)
      return;
    faults.push_back([op, slice]() mutable {
      SmallVector<int64_t> offsets(slice.getStaticOffsets());
      --offsets[0];
      op->setAttr("static_offsets",
                  DenseI64ArrayAttr::get(op->getContext(), offsets));
    });
  });
  return faults;
}

std::vector<ProgramFaultKind> pebble::getRegionFaults() {
  return {{"swapped operands in a region", findSwapped},
          {"other operation in a region", findOtherOperation},
          {"omitted operation in a region", findOmitted},
          {"moved slice in a region", findMovedSlice}};
}
