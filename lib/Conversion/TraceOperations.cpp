//===- TraceOperations.cpp - the pass pebble-trace-operations -------------===//
//
// Says to the runtime when an operation begins and when it is done. The calls
// stand between the operations as the schedule has them, before tensors become
// buffers: below, one operation is several, and none has its name.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "RuntimeCalls.h"

#include "pebble/Analysis/Remarks.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Analysis/ValueNames.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_TRACEOPERATIONSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

/// Whether `op` reads or writes one element of a tensor or a buffer.
static bool isElementAccess(Operation *op) {
  return isa<tensor::ExtractOp, tensor::InsertOp, memref::LoadOp,
             memref::StoreOp, affine::AffineLoadOp, affine::AffineStoreOp>(op);
}

/// Whether `op` works on a whole tensor or buffer, or calls a function.
static bool isWhole(Operation *op) {
  if (isa<CallOpInterface>(op))
    return true;
  if (isElementAccess(op))
    return false;
  auto isShaped = [](Type type) { return isa<ShapedType>(type); };
  return llvm::any_of(op->getOperandTypes(), isShaped) ||
         llvm::any_of(op->getResultTypes(), isShaped);
}

namespace {
struct TraceOperationsPass
    : pebble::impl::TraceOperationsPassBase<TraceOperationsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      collect(function.getBody(), /*isInside=*/false);
    if (traced.empty()) {
      remarkOnNothing(getOperation(), getArgument(),
                      "no function has an operation on tensors or buffers, or "
                      "a call");
      return;
    }
    for (auto [number, op] : llvm::enumerate(traced))
      surround(op, static_cast<int64_t>(number));
  }

private:
  /// Lists what is traced in `region`; true if there is something. `isInside`:
  /// an operation of a block above runs it.
  bool collect(Region &region, bool isInside) {
    const size_t before = traced.size();
    for (Operation &op : region.getOps())
      if (!op.hasTrait<OpTrait::IsTerminator>() &&
          !StorageAnalysis::isFree(&op))
        collect(&op, isInside);
    return traced.size() > before;
  }

  void collect(Operation *op, bool isInside) {
    const size_t place = traced.size();
    bool hasTraced = false;
    const bool isBranch = isa<RegionBranchOpInterface>(op);
    if (isBranch)
      for (Region &inner : op->getRegions())
        hasTraced |= collect(inner, /*isInside=*/true);
    // Loops over single elements are one operation, however deep the nest.
    const bool isTraced = isBranch ? hasTraced || !isInside : isWhole(op);
    if (isTraced)
      traced.insert(traced.begin() + place, op);
  }

  void surround(Operation *op, int64_t number) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value id = arith::ConstantIntOp::create(builder, loc, number, 64);
    func::CallOp begin =
        callRuntime(builder, loc, "pebble_rt_begin_operation", {}, id);
    begin->setAttr(kTracedOperationAttr,
                   builder.getStringAttr(pebble::getOpName(op)));
    builder.setInsertionPointAfter(op);
    callRuntime(builder, loc, "pebble_rt_end_operation", {}, id);
  }

  /// In the order of the text: an operation before those in its regions.
  std::vector<Operation *> traced;
};
} // namespace
