//===- UniformValues.cpp - what is the same on all ranks ------------------===//
//
// All values are taken to be the same. Then those that may differ are taken
// out, and what is computed of them, until nothing changes any more.
//
//===----------------------------------------------------------------------===//

#include "pebble/Analysis/UniformValues.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Dialect/PebbleStarts.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pebble {

namespace {
class Finder {
public:
  Finder(Operation *root, llvm::DenseSet<Value> &differing)
      : root(root), differing(differing) {}

  void run() {
    markFunctionsOfOthers();
    do {
      isChanged = false;
      root->walk([&](Operation *op) { visit(op); });
    } while (isChanged);
  }

private:
  bool differs(Value value) const { return differing.contains(value); }
  bool anyDiffers(ValueRange values) const {
    return llvm::any_of(values, [&](Value value) { return differs(value); });
  }
  void mark(Value value) { isChanged |= differing.insert(value).second; }
  void markAll(ValueRange values) {
    for (Value value : values)
      mark(value);
  }
  void markIf(bool condition, ValueRange values) {
    if (condition)
      markAll(values);
  }
  /// By place; `from` may have more behind.
  void hand(ValueRange from, ValueRange to) {
    for (auto [value, next] : llvm::zip(from, to))
      markIf(differs(value), next);
  }

  /// Who calls a function that others see, or that is named elsewhere than in a
  /// call, is not known.
  void markFunctionsOfOthers() {
    auto markArguments = [&](func::FuncOp function) {
      if (!function.isExternal())
        markAll(function.getArguments());
    };
    root->walk([&](func::FuncOp function) {
      if (!function.isPrivate())
        markArguments(function);
    });
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(&root->getRegion(0));
    if (!uses) {
      root->walk(markArguments);
      return;
    }
    for (SymbolTable::SymbolUse use : *uses)
      if (!isa<func::CallOp>(use.getUser()))
        if (auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                use.getUser(), use.getSymbolRef()))
          markArguments(function);
  }

  void visit(Operation *op) {
    if (std::optional<CollectiveParts> parts = getCollective(op))
      return markIf(mayDiffer(*parts), op->getResults());
    if (isa<CollectiveWaitOp, WaitOp, StoreOp, LoadOp, OpaqueOp>(op))
      return markIf(anyDiffers(op->getOperands()), op->getResults());
    if (isa<mpi::CommWorldOp>(op))
      return;
    if (auto size = dyn_cast<mpi::CommSizeOp>(op))
      return markIf(!size.getComm().getDefiningOp<mpi::CommWorldOp>(),
                    op->getResults());
    // They ask which rank this is, or what it was sent.
    if (isa_and_present<mpi::MPIDialect, shard::ShardDialect>(op->getDialect()))
      return markAll(op->getResults());
    if (auto call = dyn_cast<func::CallOp>(op))
      return visitCall(call);
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
      return visitBranch(op);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return visitFor(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return visitWhile(loop);
    if (isa<StepOp, scf::ExecuteRegionOp>(op) &&
        op->getRegion(0).hasOneBlock() &&
        op->getRegion(0).getNumArguments() == 0)
      return hand(op->getRegion(0).front().getTerminator()->getOperands(),
                  op->getResults());
    if (!isa<func::FuncOp>(op))
      visitOther(op);
  }

  /// A group of all ranks has one result, but for parts of it. So have smaller
  /// groups that all put in the same.
  bool mayDiffer(const CollectiveParts &parts) const {
    switch (parts.kind) {
    case CollectiveKind::AllReduce:
    case CollectiveKind::AllGather:
    case CollectiveKind::Broadcast:
      return parts.group != parts.ranks && differs(parts.input);
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllSlice:
      return true;
    }
    llvm_unreachable("covered switch");
  }

  void visitCall(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return markAll(call.getResults());
    hand(call.getOperands(), callee.getArguments());
    if (!callee.getBody().hasOneBlock())
      return markAll(call.getResults());
    hand(callee.getBody().front().getTerminator()->getOperands(),
         call.getResults());
  }

  void visitBranch(Operation *op) {
    markIf(differs(op->getOperand(0)), op->getResults());
    for (Region &region : op->getRegions())
      if (!region.empty())
        hand(region.front().getTerminator()->getOperands(), op->getResults());
  }

  void visitFor(scf::ForOp loop) {
    ValueRange yielded = loop.getBody()->getTerminator()->getOperands();
    markIf(differs(loop.getLowerBound()) || differs(loop.getStep()),
           loop.getInductionVar());
    hand(loop.getInitArgs(), loop.getRegionIterArgs());
    hand(yielded, loop.getRegionIterArgs());
    hand(loop.getRegionIterArgs(), loop.getResults());
    markIf(differs(loop.getLowerBound()) || differs(loop.getStep()) ||
               differs(loop.getUpperBound()),
           loop.getResults());
  }

  void visitWhile(scf::WhileOp loop) {
    hand(loop.getInits(), loop.getBeforeArguments());
    hand(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    hand(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    hand(loop.getConditionOp().getArgs(), loop.getResults());
    markIf(differs(loop.getConditionOp().getCondition()), loop.getResults());
  }

  /// What is computed of the same gives the same.
  void visitOther(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        markAll(block.getArguments());
    if (op->getNumResults() == 0)
      return;
    const bool isNew = isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op);
    bool mayDiffer =
        (!isNew && !isFreeOfEffects(op)) || anyDiffers(op->getOperands());
    // What is made of nothing asks somebody, unless it is a constant.
    mayDiffer |= !isNew && op->getNumOperands() == 0 &&
                 op->getNumRegions() == 0 &&
                 !op->hasTrait<OpTrait::ConstantLike>();
    if (!mayDiffer && op->getNumRegions() != 0) {
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(op->getRegions(), captured);
      mayDiffer = anyDiffers(captured.getArrayRef());
    }
    markIf(mayDiffer, op->getResults());
  }

  Operation *root;
  llvm::DenseSet<Value> &differing;
  bool isChanged = false;
};
} // namespace

UniformValues::UniformValues(Operation *root) { Finder(root, differing).run(); }

} // namespace pebble
