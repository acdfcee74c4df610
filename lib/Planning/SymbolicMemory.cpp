//===- SymbolicMemory.cpp - storages of a symbolic run --------------------===//

#include "SymbolicMemory.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <functional>

using namespace mlir;

namespace pebble {

SymbolicMemory::SymbolicMemory(Block &block, const StorageAnalysis &analysis,
                               Table &table, ExecutionScope &scope)
    : block(block), analysis(analysis), table(table), scope(scope) {
  size_t count = analysis.getStorages().size();
  holder.resize(count);
  identity.resize(count, 0);
  freedBy.resize(count, nullptr);
  root = table.get(Table::Root, {});
  epoch = drawn = table.get(Table::Epoch, {});
  findNamedOutside();
  findExposed();
  setUpStorages();
  for (BlockArgument argument : block.getArguments())
    expression[argument] = isShaped(argument) ? root : getArgument(argument);
}

bool SymbolicMemory::isMemory(StorageId id) const {
  return analysis.getStorage(id).isMemory;
}

/// Nobody else sees what was a donated tensor, although part of the block looks
/// at it as a buffer.
bool SymbolicMemory::isGivenTensor(StorageId id) const {
  const Storage &storage = analysis.getStorage(id);
  return storage.kind == StorageKind::Donated && storage.root &&
         isa<TensorType>(storage.root.getType());
}

bool SymbolicMemory::isOutlivingMemory(StorageId id) const {
  const Storage &storage = analysis.getStorage(id);
  if (!isMemory(id) || storage.kind == StorageKind::Constant ||
      storage.kind == StorageKind::Anywhere)
    return false;
  bool isMadeHere = storage.kind == StorageKind::Local ||
                    storage.kind == StorageKind::Unknown || isGivenTensor(id);
  return !isMadeHere || (storage.outlives && namedOutside.contains(id));
}

void SymbolicMemory::findNamedOutside() {
  auto note = [&](Value value) {
    if (!isa<TensorType>(value.getType()))
      namedOutside.insert_range(analysis.lookup(value));
  };
  if (block.mightHaveTerminator())
    llvm::for_each(block.getTerminator()->getOperands(), note);
  if (block.getParent()->hasOneBlock())
    return;
  for (Operation &op : block)
    for (Value result : op.getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !block.findAncestorOpInBlock(*user);
          }))
        note(result);
}

//===----------------------------------------------------------------------===//
// Storages before the first op
//===----------------------------------------------------------------------===//

void SymbolicMemory::findExposed() {
  for (const Step &step : analysis.getSteps()) {
    if (step.barrier.empty() || isPebbleOp(step.op))
      continue;
    for (const Access &access : step.accesses)
      if (isMemory(access.storage))
        getState(access.storage).exposed = true;
  }
  for (StorageId id = 0; id < analysis.getStorages().size(); ++id)
    if (isMemory(id) && analysis.getStorage(id).kind != StorageKind::Local &&
        !isGivenTensor(id))
      getState(id).exposed = true;
}

SymbolicMemory::Id SymbolicMemory::getArgument(BlockArgument argument) {
  return table.get(Table::Argument, {argument.getArgNumber(), scope.block});
}

SymbolicMemory::Id SymbolicMemory::getGlobal(StringAttr symbol) {
  return table.get(Table::Global, {toWord(symbol.getAsOpaquePointer())});
}

/// True for a tensor of static shape that nobody wrote. (Another one's extents
/// are its own.)
static bool isUndefined(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto alloc = value.getDefiningOp<bufferization::AllocTensorOp>();
  return type && type.hasStaticShape() &&
         (value.getDefiningOp<tensor::EmptyOp>() ||
          (alloc && !alloc.getCopy()));
}

SymbolicMemory::Id SymbolicMemory::getInitialIdentity(StorageId id) {
  const Storage &storage = analysis.getStorage(id);
  if (storage.kind == StorageKind::Anywhere)
    return table.get(Table::Memory, {});
  if (StringAttr symbol = analysis.getGlobal(id))
    return getGlobal(symbol);
  if (auto argument = dyn_cast<BlockArgument>(storage.root);
      argument && argument.getOwner() == &block)
    return getArgument(argument);
  Operation *op = storage.root.getDefiningOp();
  bool isInside = op && op->getBlock() == &block;
  if (!isInside) {
    if (op && op->hasTrait<OpTrait::ConstantLike>())
      return getConstant(op, table);
    // What nobody wrote is the same wherever it is made.
    if (isUndefined(storage.root))
      return getUndefined(storage.root);
    return getOutside(storage.root);
  }
  if (storage.kind == StorageKind::Constant)
    return getConstant(op, table);
  return getUndefined(storage.root);
}

/// True if the storage may be any memory from elsewhere. All such storages have
/// one alias class, whichever of them the block happens to name.
bool SymbolicMemory::mayBeOutside(StorageId id) const {
  const Storage &storage = analysis.getStorage(id);
  switch (storage.kind) {
  case StorageKind::Anywhere:
  case StorageKind::Unknown:
    return true;
  case StorageKind::Global:
    return isa_and_present<BaseMemRefType>(analysis.getContext().getGlobalType(
        block.getParentOp(), analysis.getGlobal(id)));
  case StorageKind::Argument: {
    auto argument = dyn_cast<BlockArgument>(storage.root);
    auto function = dyn_cast<FunctionOpInterface>(block.getParentOp());
    bool isOwn = argument && argument.getOwner() == &block &&
                 block.isEntryBlock() && function &&
                 function.getArgAttr(argument.getArgNumber(), "llvm.noalias");
    return isa<BaseMemRefType>(storage.root.getType()) && !isOwn;
  }
  case StorageKind::Donated:
  case StorageKind::Constant:
  case StorageKind::Local:
    return false;
  }
  llvm_unreachable("covered switch");
}

void SymbolicMemory::setUpStorages() {
  llvm::MapVector<unsigned, SmallVector<StorageId, 1>> members;
  for (StorageId id = 0; id < analysis.getStorages().size(); ++id) {
    identity[id] = getInitialIdentity(id);
    holder[id] = analysis.getStorage(id).root;
    members[getClass(id)].push_back(id);
  }
  unsigned made = 0;
  for (auto &[number, ids] : members) {
    ClassState &state = classes[number];
    bool isOutside =
        llvm::any_of(ids, [&](StorageId id) { return mayBeOutside(id); });
    state.isShared = ids.size() > 1 || isOutside;
    state.holdsOutside = isOutside;
    if (!state.isShared) {
      state.initial = state.content = identity[ids[0]];
      continue;
    }
    SmallVector<uint64_t> initial;
    for (StorageId id : ids) {
      StorageKind kind = analysis.getStorage(id).kind;
      // Made inside, and must be told apart from its like.
      if (kind == StorageKind::Local || kind == StorageKind::Unknown) {
        uint64_t who =
            scope.byPosition
                ? made++
                : toWord(analysis.getStorage(id).root.getAsOpaquePointer());
        identity[id] = table.get(Table::Undefined, {identity[id], who});
      }
      initial.push_back(identity[id]);
    }
    // Which of the memory from elsewhere the block names, if only in views that
    // nobody uses, does not change what is there.
    if (isOutside)
      initial.clear();
    llvm::sort(initial);
    state.initial = state.content = table.get(Table::Memory, initial);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

SymbolicMemory::Id SymbolicMemory::getOutside(Value value) {
  // Of two functions, what the block that made it says; a value that is not
  // known there is itself alone.
  if (auto found = scope.crossing.find(value); found != scope.crossing.end())
    return table.get(Table::Crossing, {found->second});
  return table.get(Table::Outside, {toWord(value.getAsOpaquePointer())});
}

SymbolicMemory::Id SymbolicMemory::getExpression(Value value) {
  if (auto found = expression.find(value); found != expression.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  if (op && op->getBlock() == &block) {
    execution.hazard = {running, op, Hazard::NotYetMade, ""};
    return 0;
  }
  // From outside of the block.
  Id id;
  if (op && op->hasTrait<OpTrait::ConstantLike>())
    id = isShaped(value) && !analysis.lookup(value).empty()
             ? root
             : getConstant(op, table);
  else if (ArrayRef<StorageId> ids = analysis.lookup(value);
           isShaped(value) && ids.size() == 1 &&
           (analysis.getStorage(ids[0]).root == value ||
            isa_and_nonnull<memref::GetGlobalOp>(op)))
    id = root;
  else
    id = getOutside(value);
  return expression[value] = id;
}

Value SymbolicMemory::getBase(Value value) const {
  while (true) {
    if (auto found = baseOf.find(value); found != baseOf.end())
      value = found->second;
    Operation *op = value.getDefiningOp();
    Value source = op ? StorageAnalysis::getViewSource(op) : Value();
    if (!source)
      return value;
    value = source;
  }
}

void SymbolicMemory::fail(Hazard::Kind kind, Operation *writer, StorageId id) {
  if (!execution.hazard)
    execution.hazard = {running, writer, kind, analysis.getStorageName(id)};
}

void SymbolicMemory::checkAlive(Value value) {
  Value base = getBase(value);
  ArrayRef<StorageId> ids = analysis.lookup(value);
  for (StorageId id : ids)
    checkAtRest(id, /*isRead=*/true);
  // A value that names one of several storages may name one that is left.
  size_t freed = llvm::count_if(ids, [&](StorageId id) { return freedBy[id]; });
  if (freed && freed == ids.size())
    return fail(Hazard::Freed, freedBy[ids[0]], ids[0]);
  doubtful += freed;
  for (StorageId id : ids)
    doubtful += countDoubts(id);
  for (StorageId id : ids)
    if (isa<TensorType>(base.getType()) && holder[id] != base)
      return fail(Hazard::Overwritten, getState(id).writer, id);
}

void SymbolicMemory::hold(StorageId id, OpResult result) {
  Value made = analysis.getStorage(id).root;
  bool begins = made && made.getDefiningOp() == result.getOwner();
  if (freedBy[id] && !begins)
    fail(Hazard::Freed, freedBy[id], id);
  holder[id] = result;
  freedBy[id] = nullptr;
}

void SymbolicMemory::noteDoubts(Id expression) {
  if (doubtful)
    execution.doubtful[expression] += doubtful;
  doubtful = 0;
}

SymbolicMemory::Id SymbolicMemory::getPlace(Value value) {
  SmallVector<uint64_t> words = {getExpression(value)};
  for (StorageId id : analysis.lookup(value))
    if (getState(id).isShared)
      words.push_back(identity[id]);
  return words.size() == 1 ? words[0] : table.get(Table::Place, words);
}

SymbolicMemory::Id SymbolicMemory::getContent(Value value) {
  Id path = getExpression(value);
  if (!isShaped(value))
    return path;
  ArrayRef<StorageId> ids = analysis.lookup(value);
  if (ids.empty())
    return isa<TensorType>(value.getType()) && getBase(value) != value
               ? getUndefined(value)
               : path;
  checkAlive(value);
  if (std::optional<Id> content = findHandedOut(value))
    return path == root ? *content
                        : table.get(Table::Use, {getPlace(value), *content});
  if (std::optional<Id> content = findUnchanged(value))
    return path == root ? *content : table.get(Table::Use, {path, *content});
  ClassState &first = getState(ids[0]);
  if (ids.size() == 1 && path == root && !first.isShared && !first.exposed)
    return first.content;
  SmallVector<uint64_t> words = {getPlace(value)};
  for (StorageId id : ids) {
    ClassState &state = getState(id);
    words.push_back(state.content);
    if (state.exposed)
      words.push_back(epoch);
  }
  return table.get(Table::Use, words);
}

std::optional<SymbolicMemory::Id>
SymbolicMemory::findHandedOut(Value value) const {
  while (true) {
    if (auto found = handedOut.find(value); found != handedOut.end())
      return found->second;
    Operation *op = value.getDefiningOp();
    value = op ? StorageAnalysis::getViewSource(op) : Value();
    if (!value)
      return std::nullopt;
  }
}

SymbolicMemory::Id SymbolicMemory::getOrigin(Value base) {
  if (auto found = origin.find(base); found != origin.end())
    return found->second;
  ArrayRef<StorageId> ids = analysis.lookup(base);
  if (ids.size() != 1)
    return getExpression(base);
  // Not what all of its class hold together: two buffers have two extents.
  ClassState &state = getState(ids[0]);
  return state.isShared ? identity[ids[0]] : state.initial;
}

bool SymbolicMemory::isKnownHere(Value value) const {
  Operation *op = value.getDefiningOp();
  return !scope.byPosition || value.getParentBlock() == &block ||
         (op && op->hasTrait<OpTrait::ConstantLike>()) ||
         scope.crossing.contains(value);
}

SymbolicMemory::Id SymbolicMemory::getExtent(Value value, int64_t dim) {
  while (cast<ShapedType>(value.getType()).isDynamicDim(dim)) {
    Operation *op = value.getDefiningOp();
    Value source;
    auto alloc = dyn_cast_or_null<bufferization::AllocTensorOp>(op);
    if (alloc && alloc.getCopy()) {
      source = alloc.getCopy();
    } else if (alloc || isa_and_nonnull<tensor::EmptyOp, memref::AllocOp,
                                        memref::AllocaOp>(op)) {
      Value size = op->getOperand(
          cast<ShapedType>(value.getType()).getDynamicDimIndex(dim));
      if (isKnownHere(size))
        return getExpression(size);
    } else if (isa_and_nonnull<tensor::CastOp, memref::CastOp>(op) ||
               (op && op->getName().getStringRef() == "pebble.opaque")) {
      source = op->getOperand(0);
    } else if (auto dps = dyn_cast_or_null<DestinationStyleOpInterface>(op)) {
      source = dps.getTiedOpOperand(cast<OpResult>(value))->get();
    }
    auto type = source ? dyn_cast<ShapedType>(source.getType()) : ShapedType();
    if (!type || !type.hasRank() || op->getBlock() != &block)
      return table.get(Table::Extent, {uint64_t(dim), getExpression(value),
                                       getOrigin(getBase(value))});
    value = source;
  }
  return table.get(
      Table::Extent,
      {uint64_t(cast<ShapedType>(value.getType()).getDimSize(dim))});
}

void SymbolicMemory::addExtents(Value value, SmallVectorImpl<uint64_t> &words) {
  auto type = cast<ShapedType>(value.getType());
  if (!type.hasRank()) {
    words.push_back(getExpression(value));
    words.push_back(getOrigin(getBase(value)));
    return;
  }
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      words.push_back(getExtent(value, dim));
}

SymbolicMemory::Id SymbolicMemory::getUndefined(Value value) {
  SmallVector<uint64_t, 3> words = {toWord(value.getType())};
  // Who is handed its address sees how it is aligned, and when it ends.
  if (Operation *op = value.getDefiningOp();
      isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(op))
    addMaking(op, words);
  return table.get(Table::Undefined, words);
}

Operation *SymbolicMemory::getWriter(Value value) {
  ArrayRef<StorageId> ids = analysis.lookup(value);
  return ids.empty() ? nullptr : getState(ids[0]).writer;
}

/// True if the storage begins with what `op` makes, so that no other name can
/// have led there before.
static bool begins(const Storage &storage, Operation *op) {
  return storage.kind == StorageKind::Local && storage.root &&
         storage.root.getDefiningOp() == op && op->isRegistered() &&
         !isa<CallOpInterface, RegionBranchOpInterface>(op) &&
         !op->hasTrait<OpTrait::IsTerminator>() && !isa<StepOp>(op);
}

std::optional<SymbolicMemory::Id>
SymbolicMemory::findUnchanged(Value value) const {
  ArrayRef<StorageId> ids = analysis.lookup(value);
  if (ids.size() != 1 || !isa<TensorType>(value.getType()))
    return std::nullopt;
  auto found = last.find(ids[0]);
  const ClassState &state = classes.at(getClass(ids[0]));
  if (found == last.end() || found->second.changes != state.changes ||
      (state.exposed && found->second.epoch != epoch))
    return std::nullopt;
  return found->second.content;
}

void SymbolicMemory::setContent(StorageId id, Id content, Operation *writer) {
  ClassState &state = getState(id);
  if (!begins(analysis.getStorage(id), writer))
    ++state.changes;
  last[id] = {content, state.changes, epoch};
  checkAtRest(id, /*isRead=*/false);
  // Siblings that may be the same memory keep a say in what is there.
  state.content =
      state.isShared
          ? table.get(Table::Written, {content, identity[id], state.content})
          : content;
  state.writer = writer;
  if (state.exposed)
    execution.exposedWrites.push_back(
        {table.get(Table::Written, {state.initial, state.content, epoch}),
         writer});
}

void SymbolicMemory::noteStart(CollectiveStartOp start) {
  for (StorageId id : analysis.lookup(start.getInput()))
    sources[getClass(id)].push_back(start);
  Value filled = start.getResult() ? start.getResult() : start.getInit();
  for (StorageId id : analysis.lookup(filled))
    destinations[getClass(id)].push_back(start);
}

void SymbolicMemory::noteWait(CollectiveStartOp start) {
  for (auto *underWay : {&sources, &destinations})
    for (auto &[number, starts] : *underWay)
      llvm::erase(starts, start);
}

void SymbolicMemory::checkAtRest(StorageId id, bool isRead) {
  auto check = [&](auto &underWay) {
    auto found = underWay.find(getClass(id));
    if (found != underWay.end() && !found->second.empty())
      fail(Hazard::UnderWay, found->second.front(), id);
  };
  check(destinations);
  if (!isRead)
    check(sources);
}

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

SymbolicMemory::Id SymbolicMemory::nameBuffer(StorageId id, Id content) {
  // Of two tensors of one content it does not matter which is which. Of two
  // buffers it does: one of them may be written.
  unsigned before = isMemory(id) ? numNamed[content]++ : 0;
  return before ? table.get(Table::Place, {content, before}) : content;
}

SymbolicMemory::Id SymbolicMemory::getWho(StorageId id) {
  const Storage &storage = analysis.getStorage(id);
  if (storage.kind != StorageKind::Local || getState(id).isShared)
    return isOnStack(id) ? table.get(Table::Place, {identity[id]})
                         : identity[id];
  // Two that are made alike are two all the same.
  uint64_t who =
      scope.byPosition
          ? appearance.try_emplace(id, appearance.size()).first->second
          : toWord(storage.root.getAsOpaquePointer());
  return table.get(Table::Place, {identity[id], who, isOnStack(id)});
}

void SymbolicMemory::noteFinals() {
  for (StorageId id = 0; id < analysis.getStorages().size(); ++id) {
    if (!isOutlivingMemory(id))
      continue;
    ClassState &state = getState(id);
    bool isLocal =
        analysis.getStorage(id).kind == StorageKind::Local && !state.isShared;
    // What nobody wrote need not even be named.
    if (state.content != state.initial)
      execution.finals[isLocal ? getWho(id) : state.initial] = {state.content,
                                                                state.writer};
  }
  for (StorageId id = 0; id < analysis.getStorages().size(); ++id)
    if (freedBy[id] && isEndSeen(id)) {
      SmallVector<uint64_t> words = {getWho(id)};
      if (analysis.getStorage(id).kind != StorageKind::Local)
        words.push_back(endEpoch.lookup(id));
      execution.finals[table.get(Table::Freed, words)] = {root, freedBy[id]};
    }
}

void SymbolicMemory::noteCrossing() {
  if (block.getParent()->hasOneBlock())
    return;
  llvm::DenseSet<Value> noted;
  std::function<void(Value, bool)> note = [&](Value value, bool isViewed) {
    if (!isViewed && llvm::all_of(value.getUsers(), [&](Operation *user) {
          return block.findAncestorOpInBlock(*user);
        }))
      return;
    if (value.getParentBlock() != &block || !noted.insert(value).second)
      return;
    // Who uses a view asks what it views.
    if (Operation *op = value.getDefiningOp())
      if (Value source = StorageAnalysis::getViewSource(op))
        note(source, /*isViewed=*/true);
    SmallVector<uint64_t> words = {scope.block};
    if (isa<BaseMemRefType>(value.getType())) {
      words.push_back(getExpression(value));
      for (StorageId id : analysis.lookup(value))
        words.push_back(getWho(id));
    } else {
      words.push_back(getContent(value));
    }
    words.push_back(isShaped(value) ? getOrigin(getBase(value)) : root);
    Id id = table.get(Table::Crossing, words);
    execution.crossing.push_back({value, id});
    if (scope.byPosition)
      scope.crossing[value] = id;
  };
  for (BlockArgument argument : block.getArguments())
    note(argument, false);
  for (Operation &op : block)
    for (Value result : op.getResults())
      note(result, false);
}

} // namespace pebble
