//===- OpKnowledge.cpp - what is known of a kind of op --------------------===//

#include "pebble/Analysis/OpKnowledge.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace pebble {

StringRef toString(OpKnowledge knowledge) {
  switch (knowledge) {
  case OpKnowledge::Call:
    return "call";
  case OpKnowledge::Branches:
    return "branches";
  case OpKnowledge::Jump:
    return "jump";
  case OpKnowledge::View:
    return "view";
  case OpKnowledge::Measure:
    return "measure";
  case OpKnowledge::Global:
    return "global";
  case OpKnowledge::Quiet:
    return "quiet";
  case OpKnowledge::Effects:
    return "effects";
  case OpKnowledge::Recursive:
    return "recursive";
  case OpKnowledge::Anything:
    return "anything";
  }
  llvm_unreachable("covered switch");
}

template <typename... Ops>
static bool isOneOf(TypeID id) {
  return ((id == TypeID::get<Ops>()) || ...);
}

OpKnowledge getKnowledge(OperationName name) {
  if (!name.isRegistered())
    return OpKnowledge::Anything;
  TypeID id = name.getTypeID();
  if (isOneOf<memref::DimOp, memref::RankOp, tensor::DimOp, tensor::RankOp>(id))
    return OpKnowledge::Measure;
  if (isOneOf<memref::GetGlobalOp>(id))
    return OpKnowledge::Global;
  if (name.hasInterface<CallOpInterface>())
    return OpKnowledge::Call;
  if (name.hasInterface<RegionBranchOpInterface>())
    return OpKnowledge::Branches;
  if (name.hasInterface<BranchOpInterface>() ||
      name.hasInterface<RegionBranchTerminatorOpInterface>() ||
      name.hasTrait<OpTrait::ReturnLike>())
    return OpKnowledge::Jump;
  if (name.hasInterface<ViewLikeOpInterface>() ||
      isOneOf<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
              tensor::CollapseShapeOp, tensor::CastOp, tensor::ReshapeOp,
              bufferization::ToTensorOp, bufferization::ToBufferOp>(id))
    return OpKnowledge::View;
  if (isOneOf<bufferization::AllocTensorOp, bufferization::DeallocTensorOp,
              tensor::ParallelInsertSliceOp>(id))
    return OpKnowledge::Quiet;
  if (name.hasInterface<MemoryEffectOpInterface>())
    return OpKnowledge::Effects;
  if (name.hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return OpKnowledge::Recursive;
  return OpKnowledge::Anything;
}

} // namespace pebble
