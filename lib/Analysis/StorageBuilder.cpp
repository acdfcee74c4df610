//===- StorageBuilder.cpp - builds StorageAnalysis ------------------------===//

#include "StorageBuilder.h"

#include "pebble/Analysis/Carried.h"
#include "pebble/Analysis/Destinations.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

//===----------------------------------------------------------------------===//
// First pass: contents
//===----------------------------------------------------------------------===//

Value StorageAnalysis::Builder::getContent(Value value) const {
  auto found = contentBase.find(value);
  return found == contentBase.end() ? value : found->second;
}

void StorageAnalysis::Builder::findReturnedArguments(CallOpInterface call) {
  const FunctionSummary &summary = context.getSummary(call);
  for (auto [result, origin] : llvm::zip(call->getResults(), summary.results))
    if (isa<TensorType>(result.getType()) &&
        origin.origin == FunctionSummary::ResultOrigin::Argument &&
        !summary.arguments[origin.argument].donated)
      contentBase[result] = getContent(call.getArgOperands()[origin.argument]);
}

void StorageAnalysis::Builder::findContents() {
  unsigned next = 0;
  bool oneBlock = block.getParent()->hasOneBlock();
  auto keepForOthers = [&](Value value) {
    for (Operation *user : value.getUsers())
      if (!block.findAncestorOpInBlock(*user))
        lastUse[getContent(value)] = kEnd;
  };
  if (!oneBlock)
    llvm::for_each(block.getArguments(), keepForOthers);
  for (Operation &op : block) {
    unsigned at = op.hasTrait<OpTrait::IsTerminator>() ? kEnd : next++;
    position[&op] = at;
    if (Value source = getViewSource(&op)) {
      contentBase[op.getResult(0)] = getContent(source);
      if (isa<tensor::ExtractSliceOp>(op) || partialViews.contains(source))
        partialViews.insert(op.getResult(0));
    } else if (isTupleOp(&op)) {
      // A tuple holds the contents of all of its operands; what stands in one
      // is never overwritten.
      for (Value operand : op.getOperands())
        lastUse[getContent(operand)] = kEnd;
    } else if (!isFree(&op)) {
      // What comes out of a wait is what went in.
      if (Value there = getWaitedFor(&op))
        contentBase[op.getResult(0)] = getContent(there);
      // A collective reads its input until it was waited for.
      if (auto wait = dyn_cast<CollectiveWaitOp>(op))
        lastUse[getContent(getStart(wait).getInput())] = at;
      if (auto call = dyn_cast<CallOpInterface>(&op))
        findReturnedArguments(call);
      for (OpResult result : op.getResults())
        if (isOtherName(result))
          contentBase[result] =
              getContent(op.getOperand(result.getResultNumber()));
      op.walk([&](Operation *nested) {
        for (OpOperand &operand : nested->getOpOperands()) {
          // A destination that is only written needs no content.
          if (!isa<TensorType, TupleType>(operand.get().getType()) ||
              isOnlyWritten(operand))
            continue;
          unsigned &last = lastUse[getContent(operand.get())];
          last = std::max(last, at);
        }
      });
    }
    if (!oneBlock)
      llvm::for_each(op.getResults(), keepForOthers);
  }
}

//===----------------------------------------------------------------------===//
// Storages
//===----------------------------------------------------------------------===//

StorageId StorageAnalysis::Builder::addStorage(StorageKind kind, Value root) {
  return addStorage(kind, root, root.getType());
}

SmallVector<StorageId, 1>
StorageAnalysis::Builder::addStorages(StorageKind kind, Value root) {
  SmallVector<StorageId, 1> ids;
  for (Type type : getShapedElements(root.getType())) {
    ids.push_back(addStorage(kind, root, type));
    if (type != root.getType())
      analysis.storages[ids.back()].element = ids.size() - 1;
  }
  return ids;
}

StorageId StorageAnalysis::Builder::addStorage(StorageKind kind, Value root,
                                               Type type) {
  StorageId id = analysis.storages.size();
  Storage storage;
  storage.kind = kind;
  storage.root = root;
  storage.bytes = isCountedAround(kind, root)
                      ? context.getBytes(type).value_or(0)
                      : getBytes(root, type, kind);
  storage.aliasClass = id;
  storage.outlives = kind == StorageKind::Argument;
  storage.tier = getTierName(root);
  if (storage.tier == computeTier)
    storage.tier = {};
  analysis.storages.push_back(storage);
  classes.grow(id + 1);
  return id;
}

bool StorageAnalysis::Builder::isCountedAround(StorageKind kind,
                                               Value root) const {
  // What an async.value or a pointer leads to is counted where it is made.
  if (!hasStorage(root.getType()))
    return true;
  if (kind != StorageKind::Argument)
    return false;
  // What the caller holds without telling its rank, only the caller can count.
  if (isa<UnrankedMemRefType, UnrankedTensorType>(root.getType()))
    return true;
  bool isFunction = isa<FunctionOpInterface>(block.getParentOp());
  return !isFunction && isa<BaseMemRefType>(root.getType());
}

StorageId StorageAnalysis::Builder::getGlobalStorage(StringAttr symbol,
                                                     Value handle) {
  auto [it, isNew] = globalStorages.try_emplace(symbol, 0);
  if (!isNew)
    return it->second;
  StorageId id = analysis.storages.size();
  Storage storage;
  storage.kind = StorageKind::Global;
  storage.root = handle;
  Type type = handle ? handle.getType()
                     : context.getGlobalType(block.getParentOp(), symbol);
  if (handle)
    storage.bytes = getBytes(handle, type, StorageKind::Global);
  else if (type)
    storage.bytes = context.getBytes(type).value_or(0);
  storage.aliasClass = id;
  storage.outlives = true;
  analysis.storages.push_back(storage);
  classes.grow(id + 1);
  analysis.globals[id] = symbol;
  if (type && isa<BaseMemRefType>(type))
    mergeOutside(id);
  return globalStorages[symbol] = id;
}

unsigned StorageAnalysis::Builder::findClass(StorageId id) {
  return classes.findLeader(id);
}

void StorageAnalysis::Builder::mergeClasses(StorageId a, StorageId b) {
  classes.join(a, b);
}

void StorageAnalysis::Builder::mergeOutside(StorageId id) {
  if (outside)
    mergeClasses(*outside, id);
  else
    outside = id;
}

bool StorageAnalysis::Builder::isOutside(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() != &block &&
           !block.findAncestorOpInBlock(*argument.getOwner()->getParentOp());
  return !block.findAncestorOpInBlock(*value.getDefiningOp());
}

StorageId StorageAnalysis::Builder::getAnywhere() {
  if (anywhere)
    return *anywhere;
  StorageId id = analysis.storages.size();
  Storage storage;
  storage.kind = StorageKind::Anywhere;
  storage.isMemory = true;
  storage.aliasClass = id;
  storage.outlives = true;
  analysis.storages.push_back(storage);
  classes.grow(id + 1);
  mergeOutside(id);
  return *(anywhere = id);
}

bool StorageAnalysis::Builder::leadsToMemory(Value value) const {
  Type type = value.getType();
  return isa<BaseMemRefType>(type) ||
         (!isa<TensorType, TupleType>(type) && !ReachAnalysis::isData(type) &&
          !reach.get(value).empty());
}

SmallVector<StorageId, 2>
StorageAnalysis::Builder::resolveOutside(Value value) {
  // Constants and handles of globals often stand outside the block.
  Operation *op = value.getDefiningOp();
  if (auto global = dyn_cast_or_null<memref::GetGlobalOp>(op)) {
    StorageId id = getGlobalStorage(global.getNameAttr().getAttr(), value);
    analysis.valueStorages[value] = {id};
    return {id};
  }
  if (op)
    if (Value source = getViewSource(op))
      return selectViewed(op, resolve(source));
  bool constant = op && op->hasTrait<OpTrait::ConstantLike>();
  SmallVector<StorageId, 1> made = addStorages(
      constant ? StorageKind::Constant : StorageKind::Argument, value);
  analysis.valueStorages[value] = made;
  if (isa<BaseMemRefType>(value.getType()))
    mergeOutside(made[0]);
  return {made.begin(), made.end()};
}

SmallVector<StorageId, 2>
StorageAnalysis::Builder::resolveOrigin(ReachAnalysis::Id id) {
  const Origin &origin = reach.getOrigin(id);
  switch (origin.kind) {
  case Origin::Anywhere:
    return {getAnywhere()};
  case Origin::Global:
    return {getGlobalStorage(origin.symbol, origin.value)};
  case Origin::Named:
    return resolve(origin.value);
  case Origin::Made: {
    if (auto found = handedOut.find(id); found != handedOut.end())
      return llvm::to_vector<2>(found->second);
    return llvm::to_vector<2>(analysis.lookup(origin.value));
  }
  }
  llvm_unreachable("covered switch");
}

SmallVector<StorageId, 2> StorageAnalysis::Builder::resolveMemory(Value value) {
  llvm::SmallSetVector<StorageId, 4> ids;
  for (ReachAnalysis::Id id : reach.get(value)) {
    SmallVector<StorageId, 2> found = resolveOrigin(id);
    ids.insert(found.begin(), found.end());
  }
  return {ids.begin(), ids.end()};
}

SmallVector<StorageId, 2> StorageAnalysis::Builder::resolve(Value value) {
  if (auto found = analysis.valueStorages.find(value);
      found != analysis.valueStorages.end())
    return llvm::to_vector<2>(found->second);
  if (hasStorage(value.getType()) && isOutside(value))
    return resolveOutside(value);
  if (leadsToMemory(value))
    return resolveMemory(value);
  if (!hasStorage(value.getType()))
    return {};
  SmallVector<StorageId, 2> ids;
  auto add = [&](Value other) {
    for (StorageId id : resolve(other))
      if (!llvm::is_contained(ids, id))
        ids.push_back(id);
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<LoopLikeOpInterface>(parent);
        loop && !isa<scf::WhileOp>(parent))
      if (OpOperand *init = loop.getTiedLoopInit(argument)) {
        add(init->get());
        return ids;
      }
    for (Value operand : parent->getOperands())
      if (operand.getType() == value.getType())
        add(operand);
    return ids;
  }
  Operation *op = value.getDefiningOp();
  if (op->getBlock() == &block)
    return {}; // an uninitialised destination
  if (Value source = getViewSource(op))
    return selectViewed(op, resolve(source));
  return {}; // made and used inside
}

//===----------------------------------------------------------------------===//
// Second pass
//===----------------------------------------------------------------------===//

static bool isLoopOfTable(Operation *op) {
  const hlo::Op *row = hlo::lookup(op);
  return row && row->kind == hlo::Kind::Loop;
}

void StorageAnalysis::Builder::addArguments() {
  Operation *parent = block.getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(parent);
  bool isEntry = function && block.isEntryBlock();
  for (BlockArgument argument : block.getArguments()) {
    Type type = argument.getType();
    if (!hasStorage(type))
      continue;
    unsigned index = argument.getArgNumber();
    // A loop's own copy of its state may be written; other arguments belong to
    // whoever passes them.
    bool donated =
        isEntry ? isDonatedArgument(parent, index)
                : isa<TensorType>(type) && (isa<LoopLikeOpInterface>(parent) ||
                                            isLoopOfTable(parent));
    SmallVector<StorageId, 1> ids = addStorages(
        donated ? StorageKind::Donated : StorageKind::Argument, argument);
    bool noalias =
        isEntry && (function.getArgAttr(index, "llvm.noalias") || donated);
    if (isa<BaseMemRefType>(type) && !noalias)
      mergeOutside(ids[0]);
    analysis.valueStorages[argument] = std::move(ids);
  }
}

void StorageAnalysis::Builder::visitFree(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  if (Value source = getViewSource(op)) {
    SmallVector<StorageId, 2> ids = selectViewed(op, resolve(source));
    if (!ids.empty())
      analysis.valueStorages[result] = {ids.begin(), ids.end()};
    return;
  }
  if (isTupleOp(op)) {
    SmallVector<StorageId, 1> ids;
    for (Value operand : op->getOperands())
      ids.append(resolve(operand));
    analysis.valueStorages[result] = std::move(ids);
    return;
  }
  if (!isa<TensorType, BaseMemRefType>(result.getType()))
    return;
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    analysis.valueStorages[result] = {
        getGlobalStorage(global.getNameAttr().getAttr(), result)};
    return;
  }
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    analysis.valueStorages[result] = {addStorage(StorageKind::Local, result)};
    return;
  }
  // Destinations get no storage before something writes or reads them.
  if (isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op))
    return;
  analysis.valueStorages[result] = {addStorage(StorageKind::Constant, result)};
}

/// Whether nobody reorders the block: it is of an operation that others run.
bool StorageAnalysis::Builder::isInOrder() const {
  return !block.getParentOp()->isRegistered();
}

/// Whether a loop hands on one of its operands under this name.
bool StorageAnalysis::Builder::isOtherName(OpResult result) const {
  return isInOrder() && isCarriedUnchanged(result);
}

OpOperand *StorageAnalysis::Builder::getTied(OpResult result) const {
  Operation *op = result.getOwner();
  if (isa<StoreOp, LoadOp>(op))
    return op->getNumOperands() == 2 ? &op->getOpOperand(1) : nullptr;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return dps.getTiedOpOperand(result);
  if (auto step = dyn_cast<StepOp>(op))
    return step.getOverwritten(result);
  // Where nobody reorders a block, what updates an array works in it, and a
  // loop in what it begins with.
  const hlo::Op *row = hlo::lookup(op);
  if (row && isInOrder() &&
      (row->kind == hlo::Kind::Update || row->kind == hlo::Kind::Scatter ||
       row->kind == hlo::Kind::Loop) &&
      result.getResultNumber() < op->getNumOperands())
    return &op->getOpOperand(result.getResultNumber());
  return getCarriedInit(result);
}

bool StorageAnalysis::Builder::readsDestination(OpOperand &operand) const {
  return !overwritesInFull(operand);
}

bool StorageAnalysis::Builder::isOnlyWritten(OpOperand &operand) const {
  auto dps = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  return dps && dps.isDpsInit(&operand) && !readsDestination(operand);
}

bool StorageAnalysis::Builder::mayOverwrite(OpOperand &operand,
                                            unsigned at) const {
  Operation *op = operand.getOwner();
  ArrayRef<StorageId> ids = analysis.lookup(operand.get());
  if (ids.size() != 1 || partialViews.contains(operand.get()))
    return false;
  StorageKind kind = analysis.storages[ids[0]].kind;
  if (kind != StorageKind::Local && kind != StorageKind::Donated)
    return false;
  // What the storage holds by now: the operand's content, or a later one where
  // the operand is a mere name of the storage (a loop's state, say).
  auto held = current.find(ids[0]);
  Value content =
      held == current.end() ? getContent(operand.get()) : held->second;
  if (content != getContent(operand.get()) && readsDestination(operand))
    return false;
  auto last = lastUse.find(content);
  if (last != lastUse.end() && last->second > at)
    return false;
  // The op itself may read the content through another operand; that is safe
  // only if it reads each element where it writes it.
  bool safe = true;
  op->walk([&](Operation *nested) {
    for (OpOperand &other : nested->getOpOperands()) {
      if (&other == &operand || !isa<TensorType>(other.get().getType()) ||
          getContent(other.get()) != content)
        continue;
      auto bufferizable =
          dyn_cast<bufferization::BufferizableOpInterface>(nested);
      SmallVector<OpOperand *> pair = {const_cast<OpOperand *>(&operand),
                                       &other};
      // A second destination with the same content is never safe.
      auto dps = dyn_cast<DestinationStyleOpInterface>(nested);
      if (nested != op || !bufferizable || (dps && dps.isDpsInit(&other)) ||
          other.get() != operand.get() ||
          !bufferizable.bufferizesToElementwiseAccess(bufferizationState, pair))
        safe = false;
    }
  });
  return safe;
}

void StorageAnalysis::Builder::visitTensorResults(Operation *op, unsigned at) {
  if (Value there = getWaitedFor(op)) {
    analysis.valueStorages[op->getResult(0)] = {analysis.lookup(there)[0]};
    return;
  }
  for (OpResult result : op->getResults()) {
    if (isa<TupleType>(result.getType()))
      analysis.valueStorages[result] = addStorages(StorageKind::Local, result);
    if (!isa<TensorType>(result.getType()))
      continue;
    if (Value source = getViewSource(op)) {
      SmallVector<StorageId, 2> ids = resolve(source);
      analysis.valueStorages[result] = {ids.begin(), ids.end()};
      continue;
    }
    if (isOtherName(result)) {
      SmallVector<StorageId, 2> ids =
          resolve(op->getOperand(result.getResultNumber()));
      analysis.valueStorages[result] = {ids.begin(), ids.end()};
      continue;
    }
    Destination destination;
    if (OpOperand *tied = getTied(result)) {
      bool hasContent = !resolve(tied->get()).empty();
      if (hasContent && mayOverwrite(*tied, at))
        destination.overwrites = tied;
      else if (hasContent && readsDestination(*tied) && op->isRegistered() &&
               !isa<StepOp>(op))
        destination.copies = tied;
    }
    analysis.destinations[result] = destination;
    if (destination.overwrites) {
      SmallVector<StorageId, 2> ids = resolve(destination.overwrites->get());
      analysis.valueStorages[result] = {ids.begin(), ids.end()};
      current[ids[0]] = result;
    } else {
      analysis.valueStorages[result] = {addStorage(StorageKind::Local, result)};
    }
  }
}

void StorageAnalysis::Builder::visitCallResults(CallOpInterface call,
                                                unsigned at) {
  const FunctionSummary &summary = context.getSummary(call);
  for (auto [index, argument] : llvm::enumerate(summary.arguments)) {
    OpOperand &operand = call.getArgOperandsMutable()[index];
    if (argument.donated && isa<TensorType>(operand.get().getType()) &&
        mayOverwrite(operand, at))
      analysis.consumed.insert(&operand);
  }
  for (OpResult result : call->getResults()) {
    Type type = result.getType();
    if (isa<TupleType>(type))
      analysis.valueStorages[result] = addStorages(StorageKind::Local, result);
    if (!isa<TensorType>(type))
      continue;
    unsigned index = result.getResultNumber();
    FunctionSummary::Result origin;
    if (index < summary.results.size())
      origin = summary.results[index];
    if (origin.origin == FunctionSummary::ResultOrigin::Argument) {
      // An argument handed back. A tensor that the callee may write in place
      // comes back in its storage only if nobody here still needs it.
      unsigned position = origin.argument;
      OpOperand &operand = call.getArgOperandsMutable()[position];
      SmallVector<StorageId, 2> ids = resolve(operand.get());
      bool taken =
          !summary.arguments[position].donated || analysis.isConsumed(operand);
      if (!ids.empty() && taken) {
        analysis.valueStorages[result] = {ids.begin(), ids.end()};
        if (summary.arguments[position].donated) {
          analysis.destinations[result].overwrites = &operand;
          current[ids[0]] = result;
        }
        continue;
      }
    }
    analysis.valueStorages[result] = {addStorage(StorageKind::Local, result)};
  }
}

} // namespace pebble
