//===- Storage.cpp - which values share a buffer --------------------------===//

#include "pebble/Analysis/Storage.h"

#include "StorageBuilder.h"

#include "pebble/Analysis/Views.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace pebble {

StringRef toString(StorageKind kind) {
  switch (kind) {
  case StorageKind::Argument:
    return "argument";
  case StorageKind::Donated:
    return "donated";
  case StorageKind::Constant:
    return "constant";
  case StorageKind::Global:
    return "global";
  case StorageKind::Local:
    return "local";
  case StorageKind::Unknown:
    return "unknown";
  case StorageKind::Anywhere:
    return "anywhere";
  }
  llvm_unreachable("covered switch");
}

StorageAnalysis::StorageAnalysis(Operation *op)
    : ownContext(std::make_unique<ProgramContext>()),
      context(ownContext.get()) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || function.isExternal())
    return;
  block = &function.getFunctionBody().front();
  run();
}

StorageAnalysis::StorageAnalysis(Block &block, ProgramContext &context)
    : block(&block), context(&context) {
  run();
}

StorageAnalysis::~StorageAnalysis() = default;

void StorageAnalysis::run() { Builder(*this).build(); }

LogicalResult StorageAnalysis::verify() const {
  for (const auto &[loc, message] : errors)
    emitError(loc) << message;
  return success(errors.empty());
}

std::optional<unsigned> StorageAnalysis::getStepIndex(Operation *op) const {
  Operation *ancestor = block ? block->findAncestorOpInBlock(*op) : nullptr;
  auto found = stepIndex.find(ancestor);
  if (!ancestor || found == stepIndex.end())
    return std::nullopt;
  return found->second;
}

ArrayRef<StorageId> StorageAnalysis::lookup(Value value) const {
  auto found = valueStorages.find(value);
  if (found == valueStorages.end())
    return {};
  return found->second;
}

StringAttr StorageAnalysis::getGlobal(StorageId id) const {
  return globals.lookup(id);
}

bool StorageAnalysis::isConsumed(OpOperand &operand) const {
  return consumed.contains(&operand);
}

Destination StorageAnalysis::getDestination(OpResult result) const {
  return destinations.lookup(result);
}

/// A dialect's own constant op that is not registered here.
static bool isUnregisteredConstant(Operation *op) {
  return !op->isRegistered() && op->getNumOperands() == 0 &&
         op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         op->getName().getStringRef().ends_with(".constant");
}

/// True for a view that takes its extents from what another operand holds. That
/// must be there even where the result's type tells all of them.
static bool readsShape(Operation *op) {
  return isa<tensor::ReshapeOp, memref::ReshapeOp>(op);
}

bool StorageAnalysis::isFree(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isUnregisteredConstant(op))
    return true;
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return !alloc.getCopy();
  if (isa<tensor::EmptyOp, tensor::DimOp, memref::DimOp, memref::AllocOp,
          memref::AllocaOp, memref::DeallocOp, memref::GetGlobalOp,
          bufferization::DeallocTensorOp>(op))
    return true;
  if (isa<DropOp, OpaqueOp>(op) || isTupleOp(op))
    return true;
  return getViewSource(op) && !readsShape(op);
}

Value StorageAnalysis::getViewSource(Operation *op) {
  if (isTupleElementOp(op))
    return op->getOperand(0);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return collapsesInPlace(collapse) ? collapse.getSrc() : Value();
  if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CastOp,
          bufferization::ToTensorOp, bufferization::ToBufferOp>(op))
    return op->getOperand(0);
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    return reshapesInPlace(reshape) ? reshape.getSource() : Value();
  if (const hlo::Op *row = hlo::lookup(op))
    return row->kind == hlo::Kind::View && op->getNumOperands() == 1
               ? op->getOperand(0)
               : Value();
  if (isa<OpaqueOp>(op))
    return isa<ShapedType>(op->getResult(0).getType()) ? op->getOperand(0)
                                                       : Value();
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    if (op->getNumResults() == 1 &&
        isa<BaseMemRefType>(op->getResult(0).getType()) &&
        isa<BaseMemRefType>(view.getViewSource().getType()))
      return view.getViewSource();
  return {};
}

Value getViewed(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    Value source = StorageAnalysis::getViewSource(op);
    if (!source)
      break;
    value = source;
  }
  return value;
}

} // namespace pebble
