//===- MaterializeStorage.cpp - write storage decisions down ---------------===//

#include "pebble/Transforms/MaterializeStorage.h"

#include "BindExtent.h"
#include "ElementwiseToLinalg.h"
#include "FoldSlices.h"
#include "Refusals.h"
#include "ShownTensors.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Carried.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Planning/RemarkQueue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace pebble {

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

/// A storage of its own for a value that looks like `like`.
static Value makeAlloc(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<Value> dynamicSizes;
  for (OpFoldResult size : tensor::getMixedSizes(builder, loc, like))
    if (auto value = dyn_cast<Value>(size))
      dynamicSizes.push_back(value);
  return bufferization::AllocTensorOp::create(builder, loc, type, dynamicSizes);
}

/// A copy of `value` in a storage of its own.
static Value makeCopy(OpBuilder &builder, Location loc, Value value) {
  return bufferization::AllocTensorOp::create(
      builder, loc, cast<RankedTensorType>(value.getType()), ValueRange(),
      value);
}

/// The scalar that every element of `value` is, if that is known: initialising
/// with it is cheaper than copying, and keeps nothing alive.
static Value getFillValue(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return fill.value();
  return {};
}

namespace {
class Materializer {
public:
  Materializer(FunctionOpInterface function, ProgramContext &context)
      : context(context) {
    AroundBlocks around(function.getFunctionBody(), context);
    returnedCopies.insert(around.getReturnedCopies().begin(),
                          around.getReturnedCopies().end());
  }

  /// Each block is proven by itself, before what stands inside of its ops
  /// changes: to the block around it, an op with regions is one expression.
  LogicalResult visitBlock(Block &block) {
    StorageAnalysis storage(block, context);
    EquivalenceChecker checker(storage);
    // The analysis names ops that stay; what is inserted on the way is new.
    for (const Step &step : storage.getSteps())
      visitStep(step.op, storage);
    if (block.mightHaveTerminator())
      visitTerminator(block.getTerminator(), storage);
    if (failed(checker.verify()))
      return failure();
    for (const Step &step : storage.getSteps())
      // Inside of a step its backend decides.
      if (step.op->isRegistered() && !isa<linalg::LinalgOp, StepOp>(step.op))
        for (Region &region : step.op->getRegions())
          for (Block &nested : region)
            if (failed(visitBlock(nested)))
              return failure();
    return success();
  }

private:
  ProgramContext &context;
  llvm::DenseSet<OpOperand *> returnedCopies;

  void visitStep(Operation *op, const StorageAnalysis &storage) {
    OpBuilder builder(op);
    if (auto call = dyn_cast<CallOpInterface>(op))
      return visitCall(call, storage);
    if (auto group = dyn_cast<StepOp>(op))
      return settleOverwrites(group, storage);
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpResult result : op->getResults()) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      if (OpOperand *tied =
              dps ? dps.getTiedOpOperand(result) : getCarriedInit(result))
        setDestination(builder, *tied, storage.getDestination(result));
    }
    // What is neither a destination nor initialised still needs a storage.
    if (!dps && op->isRegistered())
      for (OpOperand &operand : op->getOpOperands())
        if (operand.get().getDefiningOp<tensor::EmptyOp>())
          operand.set(makeAlloc(builder, op->getLoc(), operand.get()));
  }

  /// What a step does not overwrite in this order, it overwrites in none.
  static void settleOverwrites(StepOp step, const StorageAnalysis &storage) {
    std::optional<ArrayRef<int64_t>> overwrites = step.getOverwrites();
    if (!overwrites)
      return;
    SmallVector<int64_t> settled(*overwrites);
    for (OpResult result : step->getResults())
      if (!storage.getDestination(result).overwrites)
        settled[result.getResultNumber()] = -1;
    step.setOverwrites(settled);
  }

  /// True if `value` is a storage that was written down for `op` and for nobody
  /// else, be it in another shape. It begins right before `op`.
  static bool takeDestination(Operation *op, Value value) {
    SmallVector<Operation *> chain;
    while (Operation *made = value.getDefiningOp()) {
      if (!value.hasOneUse() || made->getBlock() != op->getBlock())
        return false;
      chain.push_back(made);
      if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(made)) {
        if (alloc.getCopy())
          return false;
        for (Operation *link : llvm::reverse(chain))
          link->moveBefore(op);
        return true;
      }
      if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(
              made) ||
          !StorageAnalysis::getViewSource(made))
        return false;
      value = made->getOperand(0);
    }
    return false;
  }

  void setDestination(OpBuilder &builder, OpOperand &tied,
                      const Destination &destination) {
    if (destination.overwrites)
      return;
    Operation *op = tied.getOwner();
    Location loc = op->getLoc();
    Value old = tied.get();
    if (destination.copies) {
      // What was filled outside of this block is, to the block, a value like
      // others, and a fill of its own one that nobody asked for.
      Value filled =
          old.getParentBlock() == op->getBlock() ? getFillValue(old) : Value();
      if (!filled)
        return tied.set(makeCopy(builder, loc, old));
      Value alloc = makeAlloc(builder, loc, old);
      return tied.set(
          linalg::FillOp::create(builder, loc, filled, alloc).getResult(0));
    }
    // A destination that was written down and then hidden from CSE stays.
    if (auto opaque = old.getDefiningOp<OpaqueOp>();
        opaque && old.hasOneUse() && opaque.getInput().hasOneUse() &&
        opaque.getInput().getDefiningOp<bufferization::AllocTensorOp>())
      return;
    if (takeDestination(op, old))
      return;
    tied.set(makeAlloc(builder, loc, old));
  }

  void visitCall(CallOpInterface call, const StorageAnalysis &storage) {
    OpBuilder builder(call);
    const FunctionSummary &summary = context.getSummary(call);
    for (auto [index, operand] :
         llvm::enumerate(call.getArgOperandsMutable())) {
      Value value = operand.get();
      if (!isa<RankedTensorType>(value.getType()))
        continue;
      bool donated =
          index < summary.arguments.size() && summary.arguments[index].donated;
      if (value.getDefiningOp<tensor::EmptyOp>())
        operand.set(makeAlloc(builder, call.getLoc(), value));
      else if (isSlice(value) || (donated && !storage.isConsumed(operand)))
        operand.set(makeCopy(builder, call.getLoc(), value));
    }
  }

  void visitTerminator(Operation *terminator, const StorageAnalysis &storage) {
    Operation *parent = terminator->getParentOp();
    if (isa<LoopLikeOpInterface>(parent) && !ownsWhatItCarries(parent))
      return yieldIntoLoop(terminator, storage);
    if (isa<FunctionOpInterface>(parent))
      return giveToCaller(terminator, storage);
    if (isa<RegionBranchOpInterface>(parent))
      return giveToParent(terminator, storage);
  }

  /// What a loop yields must be in the buffer that the next iteration reads.
  void yieldIntoLoop(Operation *terminator, const StorageAnalysis &storage) {
    OpBuilder builder(terminator);
    Location loc = terminator->getLoc();
    auto targets = getCarriedTargets(terminator);
    llvm::DenseMap<StorageId, BlockArgument> argumentOf;
    for (auto [operand, argument] : targets)
      for (StorageId id : storage.lookup(argument))
        argumentOf[id] = argument;
    // First save what stands in a buffer that is about to be written, then
    // write: a rotation of buffers would lose one otherwise.
    SmallVector<std::pair<OpOperand *, Value>> copies;
    for (auto [operand, argument] : targets) {
      Value value = operand->get();
      ArrayRef<StorageId> ids = storage.lookup(value);
      auto owner = ids.size() == 1 ? argumentOf.find(ids[0]) : argumentOf.end();
      if (owner != argumentOf.end()) {
        if (owner->second == argument && !isSlice(value))
          continue;
        operand->set(makeCopy(builder, loc, value));
      }
      copies.push_back({operand, argument});
    }
    for (auto [operand, target] : copies)
      operand->set(linalg::CopyOp::create(builder, loc, operand->get(),
                                          getHandedBack(target, storage))
                       .getResult(0));
  }

  /// `carried`, or what a call handed back in its place: who is given a buffer
  /// for good may free it, and the same buffer is known by its result alone.
  static Value getHandedBack(Value carried, const StorageAnalysis &storage) {
    ArrayRef<StorageId> ids = storage.lookup(carried);
    if (ids.size() != 1)
      return carried;
    Value name = carried;
    for (const Step &step : storage.getSteps()) {
      auto call = dyn_cast<CallOpInterface>(step.op);
      const bool isGiven =
          call &&
          llvm::any_of(call.getArgOperandsMutable(), [&](OpOperand &operand) {
            return storage.isConsumed(operand) &&
                   storage.lookup(operand.get()) == ids;
          });
      if (!isGiven)
        continue;
      for (Value result : step.op->getResults())
        if (result.getType() == carried.getType() &&
            storage.lookup(result) == ids)
          name = result;
    }
    return name;
  }

  /// What a function returns is a buffer that the caller may own: its own,
  /// once, and laid out as the type says. An argument may go back as it came.
  void giveToCaller(Operation *terminator, const StorageAnalysis &storage) {
    OpBuilder builder(terminator);
    llvm::DenseSet<StorageId> given;
    for (OpOperand &operand : terminator->getOpOperands()) {
      Value value = operand.get();
      if (!isa<RankedTensorType>(value.getType()))
        continue;
      if (value.getDefiningOp<tensor::EmptyOp>()) {
        operand.set(makeAlloc(builder, value.getLoc(), value));
        continue;
      }
      if (returnedCopies.contains(&operand)) {
        operand.set(makeCopy(builder, value.getLoc(), value));
        continue;
      }
      for (StorageId id : storage.lookup(value)) {
        StorageKind kind = storage.getStorage(id).kind;
        bool twice = kind != StorageKind::Argument && !given.insert(id).second;
        if (kind == StorageKind::Constant || kind == StorageKind::Global ||
            twice || isSlice(value))
          operand.set(makeCopy(builder, value.getLoc(), value));
      }
    }
  }

  /// What a branch yields becomes the parent's result: a buffer of its own.
  void giveToParent(Operation *terminator, const StorageAnalysis &storage) {
    OpBuilder builder(terminator);
    llvm::DenseSet<StorageId> given;
    for (OpOperand &operand : terminator->getOpOperands()) {
      Value value = operand.get();
      if (!isa<RankedTensorType>(value.getType()))
        continue;
      ArrayRef<StorageId> ids = storage.lookup(value);
      bool owned = ids.size() == 1 &&
                   storage.getStorage(ids[0]).kind == StorageKind::Local &&
                   given.insert(ids[0]).second && !isSlice(value) &&
                   !value.getDefiningOp<tensor::EmptyOp>();
      if (!owned)
        operand.set(makeCopy(builder, terminator->getLoc(), value));
    }
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Programs that went through CSE share one fill among many accumulations. Each
/// needs its own; a fill right before its use is no more work than a copy.
static void splitSharedFills(Operation *root) {
  SmallVector<linalg::FillOp> fills;
  root->walk([&](linalg::FillOp fill) {
    if (fill->getNumResults() == 1 && !fill->hasOneUse())
      fills.push_back(fill);
  });
  for (linalg::FillOp fill : fills)
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (!dps || !dps.isDpsInit(&use))
        continue;
      OpBuilder builder(use.getOwner());
      use.set(builder.clone(*fill)->getResult(0));
    }
}

/// What is overwritten inside of a loop or branch, and holds nothing, need not
/// be made outside of it: as a value from outside it would be copied.
static void sinkUnwritten(Operation *root) {
  SmallVector<Operation *> fresh;
  root->walk([&](Operation *op) {
    auto alloc = dyn_cast<bufferization::AllocTensorOp>(op);
    if (isa<tensor::EmptyOp>(op) || (alloc && !alloc.getCopy()))
      fresh.push_back(op);
  });
  for (Operation *op : fresh)
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (!dps || !dps.isDpsInit(&use) || dps->getBlock() == op->getBlock())
        continue;
      OpBuilder builder(dps);
      use.set(builder.clone(*op)->getResult(0));
    }
}

static void eraseDead(Operation *root) {
  SmallVector<Operation *> candidates;
  root->walk([&](Operation *op) {
    if (isa<tensor::EmptyOp, bufferization::AllocTensorOp, linalg::FillOp,
            arith::ConstantOp>(op) &&
        op->getNumResults())
      candidates.push_back(op);
  });
  for (Operation *op : llvm::reverse(candidates))
    if (op->use_empty())
      op->erase();
}

/// Memory whose content nobody looks at may be read all the same (a window's
/// shape). Left as it is, it would be merged with others like it by common
/// subexpression elimination, and live longer than is planned.
static void keepReadApart(Operation *root) {
  SmallVector<tensor::EmptyOp> read;
  root->walk([&](tensor::EmptyOp empty) {
    if (llvm::any_of(empty->getUses(), [](OpOperand &use) {
          auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
          return dps && !dps.isDpsInit(&use);
        }))
      read.push_back(empty);
  });
  for (tensor::EmptyOp empty : read) {
    OpBuilder builder(empty);
    Value alloc = bufferization::AllocTensorOp::create(
        builder, empty.getLoc(), empty.getType(), empty.getDynamicSizes());
    empty.replaceAllUsesWith(alloc);
    empty.erase();
  }
}

/// Views that nobody uses name buffers, which would count as needed where they
/// stand. From the last one back: views of views are dead together.
static void eraseDeadViews(Operation *root) {
  SmallVector<Operation *> candidates;
  root->walk([&](Operation *op) {
    if (isa<tensor::DimOp, memref::DimOp>(op) ||
        (StorageAnalysis::getViewSource(op) && isMemoryEffectFree(op)))
      candidates.push_back(op);
  });
  for (Operation *op : llvm::reverse(candidates))
    if (op->use_empty())
      op->erase();
}

/// A slice whose rows lie apart cannot be viewed as one row, or in another
/// shape: it is copied first.
static void copyReshapedSlices(Operation *root) {
  SmallVector<Operation *> reshapes;
  root->walk([&](Operation *op) {
    if (isa<tensor::CollapseShapeOp, tensor::ReshapeOp>(op) &&
        isa<RankedTensorType>(op->getOperand(0).getType()) &&
        !StorageAnalysis::getViewSource(op))
      reshapes.push_back(op);
  });
  for (Operation *op : reshapes) {
    OpBuilder builder(op);
    op->setOperand(0, makeCopy(builder, op->getLoc(), op->getOperand(0)));
  }
}

static void markArguments(FunctionOpInterface function) {
  Builder builder(function.getContext());
  // All at once: each single change would make a new array of all.
  SmallVector<DictionaryAttr> all;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    NamedAttrList attrs(function.getArgAttrDict(i));
    if (isa<TensorType>(function.getArgument(i).getType())) {
      bool donated = isDonatedArgument(function, i);
      attrs.set(attr::kWritable, builder.getBoolAttr(donated));
      if (donated)
        attrs.set(attr::kDonated, builder.getUnitAttr());
    }
    all.push_back(attrs.getDictionary(function.getContext()));
  }
  function.setAllArgAttrs(all);
}

static LogicalResult decideStorages(FunctionOpInterface function,
                                    ProgramContext &context) {
  Materializer materializer(function, context);
  for (Block &block : function.getFunctionBody())
    if (failed(materializer.visitBlock(block)))
      return failure();
  eraseDead(function);
  keepReadApart(function);
  return success();
}

LogicalResult materializeStorage(FunctionOpInterface function,
                                 ProgramContext &context) {
  if (function.isExternal())
    return success();
  WalkResult found = function->walk([](AdjointLoopOp loop) {
    loop.emitError("nobody has decided yet which states of this loop are kept: "
                   "run pebble-checkpoint-loops first");
    return WalkResult::interrupt();
  });
  if (found.wasInterrupted())
    return failure();
  convertElementwiseToLinalg(function);
  foldSlices(function);
  hideSliceCopies(function);
  splitSharedFills(function);
  sinkUnwritten(function);
  copyReshapedSlices(function);
  copyShownTensors(function, context);
  markArguments(function);
  eraseDeadViews(function);
  OwningOpRef<Operation *> original;
  if (showsTensors(function))
    original = function->clone();
  std::vector<Diagnostic> refusals;
  {
    HeldErrors held(function->getContext());
    if (succeeded(decideStorages(function, context)))
      return success();
    refusals = held.take();
  }
  if (original && !refusals.empty()) {
    putBack(function, *original);
    copyAllShownTensors(function);
    say(function, {PlanRemark::Missed,
                   function.getLoc(),
                   "shown-tensors",
                   "pebble-materialize-storage",
                   "every tensor of '" + getProgramName(function) +
                       "' that is shown as a buffer is copied first, for "
                       "without copies it is not proven that " +
                       refusals.front().str(),
                   {}});
    return decideStorages(function, context);
  }
  for (Diagnostic &refusal : refusals)
    function->getContext()->getDiagEngine().emit(std::move(refusal));
  return failure();
}

LogicalResult materializeStorage(Operation *module,
                                 const AnalysisOptions &options) {
  ProgramContext context(options);
  for (Operation *function : getCalleesFirst(module))
    if (failed(
            materializeStorage(cast<FunctionOpInterface>(function), context)))
      return failure();
  return success();
}

} // namespace pebble
