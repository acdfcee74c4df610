//===- StorageSteps.cpp - the steps of a block and what they touch --------===//

#include "StorageBuilder.h"

#include "pebble/Analysis/Carried.h"
#include "pebble/Analysis/InnerMemory.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Target/TargetHierarchy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pebble {

StorageAnalysis::Builder::Builder(StorageAnalysis &analysis)
    : analysis(analysis), block(*analysis.block), context(*analysis.context),
      reach(block, context), bufferizationState(bufferizationOptions) {
  FailureOr<HierarchyAttr> hierarchy = getHierarchy(block.getParentOp());
  if (succeeded(hierarchy) && *hierarchy)
    computeTier = hierarchy->getComputeTier().getName();
}

void StorageAnalysis::Builder::build() {
  // Growing these tables step by step would cost more than filling them.
  size_t count = llvm::range_size(block);
  position.reserve(count);
  lastUse.reserve(count);
  analysis.steps.reserve(count);
  analysis.stepIndex.reserve(count);
  analysis.valueStorages.reserve(count + block.getNumArguments());
  analysis.destinations.reserve(count);
  findContents();
  addArguments();
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (isFree(&op))
      visitFree(&op);
    else
      visitStep(&op);
  }
  finish();
}

void StorageAnalysis::Builder::visitStep(Operation *op) {
  Step step;
  step.op = op;
  OpEffects effects = collectEffects(op, context);
  step.barrier = effects.barrier;
  addOperandAccesses(step, effects);

  // What it takes depends on how many of its states are kept.
  if (isa<AdjointLoopOp>(op))
    analysis.errors.push_back({op->getLoc(),
                               "the memory of this loop is not known before "
                               "pebble-checkpoint-loops has run"});

  unsigned at = position[op];
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    visitCallResults(call, at);
  } else {
    visitTensorResults(op, at);
  }
  visitMemoryResults(op);
  addResultAccesses(step);
  addScratch(step);
  holdOperands(step);
  holdInFlight(step);
  for (const Access &access : step.accesses)
    if (access.kind == AccessKind::Write)
      written.insert(access.storage);
  analysis.stepIndex[op] = analysis.steps.size();
  analysis.steps.push_back(std::move(step));
}

void StorageAnalysis::Builder::addAccess(Step &step, Value value,
                                         AccessKind kind,
                                         std::optional<int64_t> bytes) {
  // Of a view without a size of its own the whole storage is accessed at most,
  // and of a tuple each element.
  if (!bytes)
    bytes = context.getBytes(value.getType());
  for (StorageId id : resolve(value))
    step.accesses.push_back(
        {id, kind, bytes ? *bytes : analysis.storages[id].bytes, value});
}

/// Bytes that an op reads of a tensor operand: one element for an op that
/// extracts one, one state for an op that restores one, otherwise all of it.
static std::optional<int64_t> getReadBytes(Operation *op,
                                           ProgramContext &context) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return context.getBytes(
        RankedTensorType::get({}, extract.getResult().getType()));
  if (auto restore = dyn_cast<RestoreOp>(op))
    return context.getBytes(restore.getPlaceType());
  return std::nullopt;
}

bool StorageAnalysis::Builder::initializes(const OpEffects &effects,
                                           Value value) {
  bool fresh = llvm::all_of(resolve(value), [&](StorageId id) {
    return analysis.storages[id].kind == StorageKind::Local &&
           !written.contains(id);
  });
  return fresh &&
         llvm::any_of(effects.accesses, [&](const MemoryAccess &other) {
           return other.isWrite && other.value == value;
         });
}

void StorageAnalysis::Builder::addMemoryAccesses(Step &step,
                                                 const OpEffects &effects,
                                                 bool writes) {
  Operation *op = step.op;
  llvm::DenseSet<Value> seen;
  for (const MemoryAccess &access : effects.accesses) {
    if (access.isWrite != writes)
      continue;
    if (access.symbol) {
      // Through no handle of this block: which ones stand before is chance.
      StorageId id = getGlobalStorage(access.symbol, {});
      step.accesses.push_back({id,
                               writes ? AccessKind::Write : AccessKind::Read,
                               analysis.storages[id].bytes, Value()});
      continue;
    }
    // A region op accesses a buffer many times; it is told once.
    if (op->getNumRegions() && !isa<linalg::LinalgOp>(op) &&
        !seen.insert(access.value).second)
      continue;
    // A read of what this op is the first to write is part of initialising
    // it.
    if (!writes && initializes(effects, access.value))
      continue;
    addAccess(step, access.value, writes ? AccessKind::Write : AccessKind::Read,
              access.bytes);
  }
}

void StorageAnalysis::Builder::addOperandAccesses(Step &step,
                                                  const OpEffects &effects) {
  Operation *op = step.op;
  llvm::DenseSet<Value> tensors;
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  Value source = getViewSource(op);
  auto visitTensor = [&](OpOperand &operand) {
    Value value = operand.get();
    bool isTransfer = isa<StoreOp, LoadOp>(operand.getOwner());
    // A view shows its source and looks at nothing in it.
    if (value == source)
      return;
    bool isInit =
        isTransfer ? operand.getOperandNumber() == 1
                   : dps && operand.getOwner() == op && dps.isDpsInit(&operand);
    if (isInit && !readsDestination(operand))
      return;
    // An insertion touches the inserted part alone, unless it must copy.
    if (isInit && isa<tensor::InsertSliceOp, tensor::InsertOp, SaveOp>(op) &&
        mayOverwrite(operand, position[op]))
      return;
    bool isEmpty = resolve(value).empty();
    if (isEmpty && isInit)
      return;
    if (isEmpty && isa<TensorType>(value.getType()) && !isOutside(value) &&
        value.getParentBlock() == &block) {
      // A destination that nobody initialised is read (a call's operand, say):
      // its storage begins here.
      analysis.valueStorages[value] = {addStorage(StorageKind::Local, value)};
    }
    // Inside, a destination from outside that is only written is not looked at:
    // another one takes its place there.
    if (!isEmpty && operand.getOwner() != op && isOnlyWritten(operand))
      return;
    tensors.insert(value);
    addAccess(step, value, AccessKind::Read, getReadBytes(op, context));
    if (effects.isUnknown)
      addAccess(step, value, AccessKind::Write, 0);
  };

  // A wait looks at nothing; it keeps alive what is under way.
  if (isa<WaitOp, CollectiveWaitOp>(op))
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<TensorType, TupleType>(operand.get().getType()))
      visitTensor(operand);
  if (op->getNumRegions())
    op->walk([&](Operation *nested) {
      if (nested == op)
        return;
      for (OpOperand &operand : nested->getOpOperands()) {
        Value value = operand.get();
        if (isa<TensorType, TupleType>(value.getType()) &&
            !tensors.contains(value) &&
            (analysis.valueStorages.contains(value) || isOutside(value)))
          visitTensor(operand);
      }
    });
  addMemoryAccesses(step, effects, /*writes=*/false);
  addMemoryAccesses(step, effects, /*writes=*/true);
  addUnspokenAccesses(step, effects);
}

void StorageAnalysis::Builder::addUnspokenAccesses(Step &step,
                                                   const OpEffects &effects) {
  Operation *op = step.op;
  llvm::SmallSetVector<Value, 4> others(op->operand_begin(), op->operand_end());
  if (effects.isUnknown)
    for (Region &region : op->getRegions())
      visitUsedValuesDefinedAbove(
          region, [&](OpOperand *operand) { others.insert(operand->get()); });
  for (Value other : others) {
    if (!leadsToMemory(other) ||
        llvm::any_of(effects.accesses, [&](const MemoryAccess &access) {
          return access.value == other;
        }))
      continue;
    if (effects.isUnknown) {
      addAccess(step, other, AccessKind::Read, std::nullopt);
      addAccess(step, other, AccessKind::Write, std::nullopt);
    } else {
      addAccess(step, other, AccessKind::Hold, 0);
    }
  }
  // Whoever names a buffer's content anew needs the buffer to be there, and
  // reads nothing of it.
  Value source = getViewSource(op), root = source;
  while (root && root.getDefiningOp())
    if (Value next = getViewSource(root.getDefiningOp()))
      root = next;
    else
      break;
  if (source && isa<TensorType>(source.getType()) &&
      isa<BaseMemRefType>(root.getType()))
    for (StorageId id : resolve(source))
      step.accesses.push_back({id, AccessKind::Hold, 0, source});
}

/// Bytes that an op writes of its result's storage, if fewer than all.
static std::optional<int64_t> getWrittenBytes(OpResult result,
                                              const Destination &destination,
                                              ProgramContext &context) {
  if (destination.copies)
    return std::nullopt;
  Operation *op = result.getOwner();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return context.getBytes(insert.getSourceType());
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return context.getBytes(
        RankedTensorType::get({}, insert.getScalar().getType()));
  if (auto save = dyn_cast<SaveOp>(op))
    return context.getBytes(save.getPlaceType());
  return std::nullopt;
}

void StorageAnalysis::Builder::addResultAccesses(Step &step) {
  for (OpResult result : step.op->getResults()) {
    if (isa<TensorType, TupleType>(result.getType())) {
      // A callee that hands its argument back has not written it.
      if (contentBase.contains(result) || getViewSource(step.op))
        continue;
      addAccess(
          step, result, AccessKind::Write,
          getWrittenBytes(result, analysis.getDestination(result), context));
    } else {
      for (StorageId id : analysis.lookup(result))
        if (analysis.storages[id].root == result)
          step.accesses.push_back(
              {id, AccessKind::Write, analysis.storages[id].bytes, result});
    }
  }
}

/// What the inside owns by now, the caller counts already.
static void takeScratch(Step &step, const Storage &entry) {
  if (entry.tier.empty())
    step.scratch -= entry.getFootprint();
  for (auto &[tier, bytes] : step.slowScratch)
    if (tier == entry.tier)
      bytes -= entry.getFootprint();
}

int64_t StorageAnalysis::Builder::getFreshBytes(Operation *op,
                                                StringRef tier) const {
  int64_t bytes = 0;
  for (Value result : op->getResults())
    for (StorageId id : analysis.lookup(result))
      if (const Storage &storage = analysis.storages[id];
          storage.root == result && storage.kind == StorageKind::Local &&
          storage.tier == tier)
        bytes += storage.getFootprint();
  return bytes;
}

void StorageAnalysis::Builder::addCalleeScratch(Step &step,
                                                CallOpInterface call) {
  const FunctionSummary &summary = context.getSummary(call);
  // Of what such a callee hands out nothing is known, its peak apart.
  if (summary.barrier && summary.arguments.empty()) {
    step.scratch = summary.localPeak;
    step.slowScratch = summary.slowPeaks;
    return;
  }
  step.scratch = summary.localPeak - getFreshBytes(call, "");
  for (auto [tier, bytes] : summary.slowPeaks)
    step.slowScratch.push_back({tier, bytes - getFreshBytes(call, tier)});
  for (auto &&[argument, operand] :
       llvm::zip(summary.arguments, call.getArgOperandsMutable()))
    // What is not given away for good was copied first; the copy is the
    // callee's.
    if (argument.donated && (isa<BaseMemRefType>(operand.get().getType()) ||
                             analysis.isConsumed(operand)))
      for (StorageId id : resolve(operand.get()))
        takeScratch(step, analysis.storages[id]);
}

void StorageAnalysis::Builder::addScratch(Step &step) {
  Operation *op = step.op;
  if (auto call = dyn_cast<CallOpInterface>(op))
    return addCalleeScratch(step, call);
  if (auto group = dyn_cast<StepOp>(op)) {
    step.scratch = group.getScratch().value_or(0);
    return;
  }
  if (op->getNumRegions() == 0 || isa<linalg::LinalgOp>(op) ||
      !op->isRegistered())
    return;
  bool ownsState = ownsWhatItCarries(op);
  InnerMemory inside = getInnerMemory(op, context);
  analysis.errors.append(inside.errors.begin(), inside.errors.end());
  step.scratch = inside.peak;
  step.slowScratch = std::move(inside.slowPeaks);
  // What such a loop is given for good it counts inside.
  if (ownsState)
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()) &&
          mayOverwrite(operand, position[op]))
        for (StorageId id : resolve(operand.get()))
          takeScratch(step, analysis.storages[id]);
  // What the inside yields is counted with the results: one buffer, which a
  // loop hands from iteration to iteration. Tensors that a for loop carries are
  // in the buffers that it began with, and made nowhere inside.
  bool carriesTensors =
      isa<LoopLikeOpInterface>(op) && !ownsState &&
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
  if (!isa<RegionBranchOpInterface>(op) || carriesTensors)
    return;
  step.scratch -= getFreshBytes(op, "");
  for (auto &[tier, bytes] : step.slowScratch)
    bytes -= getFreshBytes(op, tier);
  // Of two results that are the same buffer one alone is made inside.
  if (!ownsState && llvm::any_of(op->getResults(), [&](Value result) {
        return llvm::any_of(analysis.lookup(result), [&](StorageId id) {
          return analysis.storages[id].mayBeMissing;
        });
      }))
    step.scratch = std::max<int64_t>(step.scratch, 0);
}

/// True if what an iteration of `loop` is given as `init` is there until its
/// end. Otherwise it is freed on the way, before the peak perhaps.
static bool isUsedToTheEnd(LoopLikeOpInterface loop, OpOperand &init) {
  BlockArgument argument = loop.getTiedLoopRegionIterArg(&init);
  if (!argument)
    return false;
  Block *body = argument.getOwner();
  Operation *end = body->getTerminator();
  return llvm::any_of(argument.getUsers(), [&](Operation *user) {
    Operation *at = body->findAncestorOpInBlock(*user);
    return at == end || at == end->getPrevNode();
  });
}

/// A loop that hands on a buffer which an iteration made frees it in a later
/// one, so that it is there beside what that one makes. Where the loop frees
/// what it began with as well, that was counted in its place.
void StorageAnalysis::Builder::addCarriedBuffers() {
  llvm::DenseMap<StorageId, unsigned> lastStep;
  for (auto [index, step] : llvm::enumerate(analysis.steps))
    for (const Access &access : step.accesses)
      lastStep[access.storage] = index;
  for (unsigned at = 0; at < analysis.steps.size(); ++at) {
    Step &step = analysis.steps[at];
    Operation *op = step.op;
    // A loop that owns the tensors that it carries owns no buffer.
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (!loop)
      continue;
    llvm::SmallDenseSet<StorageId> captured;
    llvm::SmallDenseMap<StorageId, unsigned> given;
    bool isCollected = false;
    auto isTaken = [&](Value init) {
      if (!std::exchange(isCollected, true)) {
        visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *operand) {
          if (leadsToMemory(operand->get()))
            for (StorageId id : resolve(operand->get()))
              captured.insert(id);
        });
        // What is given under two names is not given for good.
        for (Value value : loop.getInits())
          if (leadsToMemory(value))
            for (StorageId id : resolve(value))
              ++given[id];
      }
      SmallVector<StorageId, 2> ids = resolve(init);
      return ids.size() == 1 &&
             analysis.storages[ids[0]].kind == StorageKind::Local &&
             !analysis.storages[ids[0]].outlives &&
             lastStep.lookup(ids[0]) == at && !captured.contains(ids[0]) &&
             given.lookup(ids[0]) == 1;
    };
    for (OpResult result : op->getResults()) {
      if (!isa<BaseMemRefType>(result.getType()))
        continue;
      for (StorageId id : analysis.lookup(result)) {
        Storage &entry = analysis.storages[id];
        if (entry.root != result || entry.kind != StorageKind::Local)
          continue;
        OpOperand *init =
            isa<scf::WhileOp>(op) ? nullptr : loop.getTiedLoopInit(result);
        if (init && isTaken(init->get())) {
          entry.mayBeMissing |= !isUsedToTheEnd(loop, *init);
          continue;
        }
        entry.mayBeMissing = true;
        if (entry.tier.empty())
          step.scratch += entry.getFootprint();
        else
          step.slowScratch.push_back({entry.tier, entry.getFootprint()});
      }
    }
  }
}

/// A view that nothing looks through: the way down erases it, so that it keeps
/// nothing alive.
static bool isDeadView(Operation *op) {
  return StorageAnalysis::getViewSource(op) && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>) &&
         llvm::all_of(op->getUsers(), isDeadView);
}

void StorageAnalysis::Builder::holdOperands(Step &step) {
  auto hold = [&](Value operand) {
    if (!leadsToMemory(operand))
      return;
    for (StorageId id : resolve(operand))
      if (llvm::none_of(step.accesses, [&](const Access &access) {
            return access.storage == id;
          }))
        step.accesses.push_back({id, AccessKind::Hold, 0, operand});
  };
  for (Value operand : step.op->getOperands())
    hold(operand);
  // What is used inside, if only to be passed on, must be there as well.
  for (Region &region : step.op->getRegions())
    region.walk([&](Operation *nested) {
      if (isDeadView(nested))
        return;
      for (Value operand : nested->getOperands())
        if (!region.isAncestor(operand.getParentRegion()))
          hold(operand);
    });
}

// Only the end of a chain of asynchronous ops holds, for all of them: the ops
// between come before it in every order. A flight that one op has waited for is
// over, so that each is held once.
void StorageAnalysis::Builder::holdInFlight(Step &step) {
  SmallVector<Value> tokens;
  for (Value operand : step.op->getOperands())
    if (inFlight.contains(operand))
      tokens.push_back(operand);
  bool goesOn = false;
  for (Value result : step.op->getResults()) {
    if (!isTokenType(result.getType()))
      continue;
    goesOn = true;
    Flight &flight = inFlight[result];
    flight.after.assign(tokens.begin(), tokens.end());
    for (const Access &access : step.accesses)
      if (!llvm::is_contained(flight.storages, access.storage))
        flight.storages.push_back(access.storage);
  }
  if (goesOn)
    return;
  llvm::SmallSetVector<StorageId, 8> held;
  while (!tokens.empty()) {
    auto found = inFlight.find(tokens.pop_back_val());
    if (found == inFlight.end())
      continue;
    held.insert(found->second.storages.begin(), found->second.storages.end());
    tokens.append(found->second.after);
    inFlight.erase(found);
  }
  for (StorageId id : held)
    step.accesses.push_back(
        {id, AccessKind::Hold, 0, analysis.storages[id].root});
}

void StorageAnalysis::Builder::finish() {
  auto ends = block.mightHaveTerminator() ? block.getTerminator()->getOperands()
                                          : OperandRange(nullptr, 0);
  // A destination returned as it is has a storage all the same, and so has what
  // nobody names before.
  for (Value operand : ends)
    if (isa<TensorType>(operand.getType()) && resolve(operand).empty())
      analysis.valueStorages[operand] = {
          addStorage(StorageKind::Local, operand)};
  markMemory();
  for (StorageId id = 0; id < analysis.storages.size(); ++id)
    analysis.storages[id].aliasClass = findClass(id);
  auto outlives = [&](Value value) {
    for (StorageId id : analysis.lookup(value))
      analysis.storages[id].outlives = true;
  };
  llvm::for_each(ends, outlives);
  auto crosses = [&](Value value) {
    if (llvm::any_of(value.getUsers(), [&](Operation *user) {
          return !block.findAncestorOpInBlock(*user);
        }))
      outlives(value);
  };
  if (!block.getParent()->hasOneBlock()) {
    llvm::for_each(block.getArguments(), crosses);
    for (Operation &op : block)
      llvm::for_each(op.getResults(), crosses);
  }
  addCarriedBuffers();
}

} // namespace pebble
