//===- SymbolicExecution.cpp - a block as expressions ---------------------===//

#include "InvertedContents.h"
#include "PackedContents.h"
#include "PayloadTrees.h"
#include "SymbolicMemory.h"

#include "pebble/Analysis/Destinations.h"
#include "pebble/Analysis/HiddenEffects.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ParallelCombiningOpInterface.h"

using namespace mlir;

namespace pebble {

static bool reads(const Step &step, Value value) {
  return llvm::any_of(step.accesses, [&](const Access &access) {
    return access.kind == AccessKind::Read && access.value == value;
  });
}

static bool isDynamic(Value value, int64_t dim) {
  auto type = cast<ShapedType>(value.getType());
  return type.hasRank() && dim >= 0 && dim < type.getRank() &&
         type.isDynamicDim(dim);
}

namespace {
class Executor : SymbolicMemory {
public:
  Executor(Block &block, const StorageAnalysis &analysis, Table &table,
           ExecutionScope &scope)
      : SymbolicMemory(block, analysis, table, scope) {}

  Execution run() {
    for (Operation &op : block) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        finish(&op);
      else if (StorageAnalysis::isFree(&op))
        runFree(&op);
      else
        runStep(&op);
      if (execution.hazard)
        return std::move(execution);
      notePromise(&op);
    }
    noteCrossing();
    noteFinals();
    return std::move(execution);
  }

private:
  //===--------------------------------------------------------------------===//
  // Ops that are no steps
  //===--------------------------------------------------------------------===//

  void runFree(Operation *op) {
    running = op;
    if (op->getNumResults() == 0) {
      noteFree(op);
      return;
    }
    Value result = op->getResult(0);
    if (op->getName().getStringRef() == "pebble.opaque" && !isShaped(result)) {
      expression[result] = getContent(op->getOperand(0));
      return;
    }
    SmallVector<uint64_t> words;
    addIdentity(op, words);
    words.push_back(toWord(result.getType()));
    if (Value source = StorageAnalysis::getViewSource(op)) {
      if (op->getName().getStringRef() == "pebble.opaque") {
        expression[result] = getExpression(source);
        return;
      }
      for (Value operand : op->getOperands()) {
        words.push_back(isShaped(operand) ? getExpression(operand)
                                          : getContent(operand));
        // The layout says where an element is.
        if (isShaped(operand))
          words.push_back(toWord(operand.getType()));
      }
      expression[result] = table.get(Table::View, words);
      return;
    }
    if (!isShaped(result)) {
      expression[result] = getMeasure(op, words);
      return;
    }
    SmallVector<uint64_t> sizes = {toWord(result.getType())};
    for (Value operand : op->getOperands())
      sizes.push_back(getContent(operand));
    // What nobody wrote matters by its extents alone.
    Id made = table.get(Table::Undefined, sizes);
    if (sizes.size() > 1)
      origin[result] = made;
    expression[result] = analysis.lookup(result).empty() ? made : root;
  }

  /// A number that is no step: a constant, or what is asked of a shape. `words`
  /// says what `op` is.
  Id getMeasure(Operation *op, SmallVectorImpl<uint64_t> &words) {
    if (isa<tensor::DimOp, memref::DimOp>(op))
      if (std::optional<int64_t> dim = getConstantIntValue(op->getOperand(1));
          dim && isDynamic(op->getOperand(0), *dim))
        return getExtent(op->getOperand(0), *dim);
    for (Value operand : op->getOperands())
      words.push_back(isShaped(operand) ? toWord(operand.getType())
                                        : getContent(operand));
    // The extent of a dimension follows from the type unless it is dynamic.
    if (op->getNumOperands() && isShaped(op->getOperand(0)) &&
        !cast<ShapedType>(op->getOperand(0).getType()).hasStaticShape()) {
      words.push_back(getExpression(op->getOperand(0)));
      words.push_back(getOrigin(getBase(op->getOperand(0))));
    }
    return table.get(Table::Operation, words);
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  void runStep(Operation *op) {
    running = op;
    const Step &step = analysis.getSteps()[*analysis.getStepIndex(op)];
    noteUses(step);
    if (runTransparent(op) || execution.hazard)
      return;
    ExecutedStep record{op, 0, {}, {}};
    SmallVector<uint64_t> words;
    which.clear();
    addIdentity(op, words);
    addOperands(op, step, record, words);
    for (Region &region : op->getRegions())
      words.push_back(getRegion(region, step, record, words));
    addHiddenReads(op, step, words);
    addPlacesReliedOn(op, step, words);
    auto start = dyn_cast<CollectiveStartOp>(op);
    for (Type type : op->getResultTypes())
      if (!start || isa<TensorType>(type))
        words.push_back(toWord(type));
    record.expression = table.get(Table::Operation, words);
    if (std::optional<Id> tree = trees.get(op, record.operands))
      record.expression = table.unify(*tree, record.expression);
    noteDoubts(record.expression);
    if (execution.hazard)
      return;
    HiddenEffects hidden = collectHiddenEffects(op, analysis.getContext());
    bool isBarrier = !step.barrier.empty() && !isPebbleOp(op);
    // What an effect, or a draw, hands out depends on those before.
    SmallVector<uint64_t, 3> done = {record.expression};
    if (isBarrier)
      done.push_back(epoch);
    if (hidden.movesState)
      done.push_back(drawn);
    Id outcome = done.size() == 1 ? record.expression
                                  : table.get(Table::Operation, done);
    writeMemory(op, step, outcome);
    writeResults(op, step, outcome, record.operands);
    noteHidden(op, hidden, record.expression);
    if (start)
      noteStart(start);
    if (isBarrier) {
      execution.effects.push_back({record.expression, op});
      epoch = table.get(Table::Epoch, {epoch, record.expression});
    }
    execution.steps.push_back(std::move(record));
  }

  /// Whether types alone do not say that `op`, or what stands in it, stays
  /// within its buffers.
  static bool mayReachBeyond(Operation *op) {
    auto isOpen = [](Operation *inner) {
      bool hasBuffer = false, hasPlace = false;
      for (Type type : inner->getOperandTypes()) {
        auto shaped = dyn_cast<ShapedType>(type);
        if (shaped && !isa<VectorType>(type)) {
          hasBuffer = true;
          hasPlace |= !shaped.hasStaticShape();
        }
        hasPlace |= isa<IndexType>(type);
      }
      return hasBuffer && hasPlace;
    };
    return op
        ->walk([&](Operation *inner) {
          return isOpen(inner) ? WalkResult::interrupt()
                               : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Whether `top`, a region op or a function, frees what it did not make.
  bool endsOuterBuffer(Operation *top, llvm::DenseSet<Operation *> &seen) {
    auto isEnd = [&](Operation *inner) {
      auto call = dyn_cast<CallOpInterface>(inner);
      Operation *callee =
          call ? analysis.getContext().resolveCallee(call) : nullptr;
      if (callee && seen.insert(callee).second && endsOuterBuffer(callee, seen))
        return true;
      if (inner == top || !isa<memref::DeallocOp, DropOp>(inner))
        return false;
      Operation *made = getBase(inner->getOperand(0)).getDefiningOp();
      return isa<BaseMemRefType>(inner->getOperand(0).getType()) &&
             !(made && top->isAncestor(made));
    };
    return top
        ->walk([&](Operation *inner) {
          return isEnd(inner) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void noteHidden(Operation *op, const HiddenEffects &hidden, Id id) {
    if (hidden.mayFail)
      execution.guarded.try_emplace(id, execution.effects.size(), op);
    if (hidden.mayNotEnd)
      execution.endless.push_back({id, op});
    if (mayReachBeyond(op))
      execution.reaching.push_back({id, op});
    notePromisesInside(op, id);
    // What a thread puts into a result shows in no value of the block, and a
    // buffer that nobody looks at again is freed once all the same.
    llvm::DenseSet<Operation *> seen;
    if (hidden.runsOnce || isa<ParallelCombiningOpInterface>(op) ||
        endsOuterBuffer(op, seen))
      execution.once.push_back({id, op});
    if (!hidden.movesState)
      return;
    execution.ordered.push_back({id, op});
    drawn = table.get(Table::Epoch, {drawn, id});
  }

  /// Which of the buffers of the op in progress `value` names: an op that
  /// writes one of two alike sees it in the other only if they are one.
  void addWhich(Value value, SmallVectorImpl<uint64_t> &words) {
    for (StorageId id : analysis.lookup(value))
      words.push_back(which.try_emplace(id, which.size()).first->second);
    addExtents(value, words);
  }

  /// A destination that is overwritten matters by its extents.
  Id getDestination(OpOperand &operand) {
    Value value = operand.get();
    auto type = cast<TensorType>(value.getType());
    if ((type.hasRank() && type.hasStaticShape()) || isSizedByInputs(operand))
      return getUndefined(value);
    SmallVector<uint64_t> words = {toWord(type)};
    addExtents(value, words);
    return table.get(Table::Undefined, words);
  }

  /// How buffers are made whose addresses matter: to an access that relies on
  /// an alignment, and to a task, which may run when the function has ended.
  void addPlacesReliedOn(Operation *op, const Step &step,
                         SmallVectorImpl<uint64_t> &words) {
    if (!getReliedAlignment(op) && !isa<async::ExecuteOp>(op))
      return;
    for (const Access &access : step.accesses)
      addMakingOf(access.storage, words);
  }

  void addMakingOf(StorageId id, SmallVectorImpl<uint64_t> &words) {
    Value root = analysis.getStorage(id).root;
    Operation *made = root ? root.getDefiningOp() : nullptr;
    if (isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(made))
      addMaking(made, words);
  }

  void addOperands(Operation *op, const Step &step, ExecutedStep &record,
                   SmallVectorImpl<uint64_t> &words) {
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      Id id;
      if (isa<TensorType>(value.getType())) {
        getExpression(value);
        // A view shows its source and looks at nothing in it.
        bool isShown = value == StorageAnalysis::getViewSource(op);
        id = isShown                 ? getPlace(value)
             : readsContent(operand) ? getContent(value)
                                     : getDestination(operand);
        if (isShown)
          words.push_back(toWord(value.getType()));
        if (isWrittenAsBuffer(step, value))
          addWhich(value, words);
      } else if (isa<BaseMemRefType>(value.getType())) {
        checkAlive(value);
        id = reads(step, value) ? getContent(value) : getExpression(value);
        words.push_back(toWord(value.getType()));
        addWhich(value, words);
      } else {
        id = getContent(value);
      }
      record.operands.push_back(id);
      record.writers.push_back(getWriter(value));
      words.push_back(id);
    }
  }

  /// Memory that an op reads without an operand that says so: globals, and
  /// buffers that its regions capture.
  void addHiddenReads(Operation *op, const Step &step,
                      SmallVectorImpl<uint64_t> &words) {
    for (const Access &access : step.accesses) {
      if (freedBy[access.storage] && analysis.lookup(access.value).size() < 2)
        fail(Hazard::Freed, freedBy[access.storage], access.storage);
      // What a tensor shows of a buffer, its content has told.
      if (access.kind != AccessKind::Read || !isMemory(access.storage) ||
          (access.value && isa<TensorType>(access.value.getType())))
        continue;
      ClassState &state = getState(access.storage);
      words.push_back(state.content);
      if (state.isShared)
        words.push_back(identity[access.storage]);
      if (state.exposed)
        words.push_back(epoch);
    }
  }

  /// Whether the step may write a tensor through a buffer that shows it before
  /// it looks at it, or the next time round.
  bool isWrittenAsBuffer(const Step &step, Value tensor) const {
    return isa<TensorType>(tensor.getType()) &&
           llvm::any_of(step.accesses, [&](const Access &access) {
             return access.kind == AccessKind::Write && access.value &&
                    isa<BaseMemRefType>(access.value.getType()) &&
                    llvm::is_contained(analysis.lookup(tensor), access.storage);
           });
  }

  /// What a region captures is an operand like any other.
  Id getRegion(Region &region, const Step &step, ExecutedStep &record,
               SmallVectorImpl<uint64_t> &words) {
    return getRegionExpression(region, table, [&](OpOperand &operand) {
      Value value = operand.get();
      bool isMemRef = isa<BaseMemRefType>(value.getType());
      bool isRead = !isa<TensorType>(value.getType()) || readsContent(operand);
      Id id = isMemRef ? getPlace(value)
              : isRead ? getContent(value)
                       : getDestination(operand);
      if (isMemRef || isWrittenAsBuffer(step, value))
        addWhich(value, words);
      if (isShaped(value) && isRead)
        checkAlive(value);
      record.operands.push_back(id);
      record.writers.push_back(getWriter(value));
      return id;
    });
  }

  void writeMemory(Operation *op, const Step &step, Id expression) {
    unsigned ordinal = 0;
    for (const Access &access : step.accesses) {
      if (access.kind != AccessKind::Write ||
          (access.value && access.value.getDefiningOp() == op))
        continue;
      SmallVector<uint64_t> words = {expression, ordinal++};
      if (!overwritesAll(op, access, step)) {
        // Where an op writes through a value of its regions, they say.
        bool isOutside =
            access.value &&
            !op->isAncestor(
                Value(access.value).getParentBlock()->getParentOp());
        words.push_back(isOutside ? getPlace(access.value) : root);
        words.push_back(getState(access.storage).content);
      }
      setContent(access.storage, table.get(Table::Written, words), op);
    }
  }

  /// True if nothing of the old content is left.
  bool overwritesAll(Operation *op, const Access &access, const Step &step) {
    return access.value && expression.lookup(access.value) == root &&
           analysis.lookup(access.value).size() == 1 &&
           !reads(step, access.value) &&
           llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
             return operand.get() == access.value && overwritesInFull(operand);
           });
  }

  void writeResults(Operation *op, const Step &step, Id id,
                    ArrayRef<Id> operands) {
    std::optional<Id> unpacked = packed.findUnpacked(op, operands);
    if (!unpacked)
      unpacked = inverted.find(op, operands);
    for (OpResult result : op->getResults()) {
      Id content = table.get(Table::Result, {id, result.getResultNumber()});
      if (unpacked)
        content = *unpacked;
      expression[result] = content;
      if (!isShaped(result))
        continue;
      packed.note(result, operands, content);
      inverted.note(result, operands, content);
      trees.note(result, operands, content);
      origin[result] = content;
      // Of a result that may be one of several buffers, only what the op makes
      // begins here.
      SmallVector<StorageId, 1> made;
      for (const Access &access : step.accesses)
        if (access.kind == AccessKind::Write && access.value == result)
          made.push_back(access.storage);
      ArrayRef<StorageId> ids = analysis.lookup(result);
      if (made.empty()) {
        // Hands out something that was there already. A view keeps its way of
        // looking at it.
        if (StorageAnalysis::getViewSource(op)) {
          expression[result] = table.get(Table::View, {id});
          continue;
        }
        if (isa<TensorType>(result.getType()) && ids.size() == 1) {
          // The storage may hold more than that, as where an operand was a
          // slice. So it is what the op computes of its operands. Memory may
          // change: there it is also what the storage holds.
          baseOf[result] = holder[ids[0]];
          if (isMemory(ids[0]) || getState(ids[0]).isShared)
            continue;
          expression[result] = root;
          handedOut[result] = content;
        }
        continue;
      }
      if (made.size() == ids.size())
        expression[result] = root;
      for (StorageId storage : made) {
        hold(storage, result);
        if (getState(storage).isShared && isToldByContent(storage, result))
          identity[storage] = nameBuffer(storage, content);
        setContent(storage, content, op);
      }
      if (analysis.getDestination(result).overwrites)
        execution.inPlace.insert({content, op});
    }
  }

  /// Whether a buffer of the block is told by what `result` is: it begins
  /// there, or is that of a tensor, which may as well be written out of place.
  bool isToldByContent(StorageId id, OpResult result) const {
    const Storage &storage = analysis.getStorage(id);
    return storage.root == result || (storage.kind == StorageKind::Local &&
                                      isa<TensorType>(storage.root.getType()));
  }

  /// Copies and transfers: the same content in another place.
  bool runTransparent(Operation *op) {
    if (auto wait = dyn_cast<CollectiveWaitOp>(op)) {
      runWait(wait);
      return true;
    }
    if (op->getName().getStringRef() == "pebble.opaque") {
      expression[op->getResult(0)] = getContent(op->getOperand(0));
      return true;
    }
    bool isWait = op->getName().getStringRef() == "pebble.wait";
    if (!isCopy(op) && !isWait)
      return false;
    for (Value operand : op->getOperands())
      getExpression(operand);
    for (Value result : op->getResults())
      expression[result] = root;
    if (execution.hazard)
      return true;
    if (isWait) {
      for (Value result : op->getResults())
        for (StorageId id : analysis.lookup(result))
          holder[id] = result;
      return true;
    }
    Value source = op->getOperand(0);
    if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
      source = alloc.getCopy();
    Id content = getContent(source);
    for (OpResult result : op->getResults())
      for (StorageId id : analysis.lookup(result)) {
        hold(id, result);
        setContent(id, content, op);
        if (analysis.getDestination(result).overwrites)
          execution.inPlace.insert({content, op});
      }
    if (op->getNumOperands() < 2 ||
        !isa<BaseMemRefType>(op->getOperand(1).getType()))
      return true;
    Value target = op->getOperand(1);
    checkAlive(target);
    if (mayOverlap(source, target)) {
      // Elements that were copied are read again: it shows in which order.
      SmallVector<uint64_t> words;
      addIdentity(op, words);
      words.append({content, getPlace(source), getPlace(target),
                    toWord(source.getType()), toWord(target.getType())});
      content = table.get(Table::Operation, words);
    }
    ArrayRef<StorageId> ids = analysis.lookup(target);
    bool isWhole = ids.size() == 1 && getExpression(target) == root;
    for (StorageId id : ids)
      setContent(id,
                 isWhole ? content
                         : table.get(Table::Written, {content, getPlace(target),
                                                      getState(id).content}),
                 op);
    return true;
  }

  /// The input must still be what it was, and the result is what the start has
  /// put there.
  void runWait(CollectiveWaitOp wait) {
    getExpression(wait.getToken());
    if (execution.hazard)
      return;
    CollectiveStartOp start = getStart(wait);
    noteWait(start);
    checkAlive(start.getInput());
    if (!wait.getResult())
      return;
    expression[wait.getResult()] = getExpression(wait.getCopy());
    for (StorageId id : analysis.lookup(wait.getResult()))
      holder[id] = wait.getResult();
  }

  /// Whether what is written at `target` may be part of what is read at
  /// `source`, and not the same element each time.
  bool mayOverlap(Value source, Value target) {
    if (getPlace(source) == getPlace(target))
      return false;
    return llvm::any_of(analysis.lookup(source), [&](StorageId read) {
      return llvm::any_of(analysis.lookup(target), [&](StorageId written) {
        return getClass(read) == getClass(written);
      });
    });
  }

  void finish(Operation *op) {
    running = op;
    SmallVector<uint64_t> words;
    addIdentity(op, words);
    for (Value operand : op->getOperands()) {
      // What a buffer from elsewhere holds by now, the finals tell.
      bool isOutside = isa<BaseMemRefType>(operand.getType()) &&
                       operand.getParentBlock() != &block;
      execution.results.push_back(isOutside ? getOutside(operand)
                                            : getContent(operand));
      words.push_back(execution.results.back());
      if (isOutside) {
        checkAlive(operand);
        continue;
      }
      if (isa<BaseMemRefType>(operand.getType()))
        for (StorageId id : analysis.lookup(operand))
          words.push_back(getWho(id));
    }
    for (Region &region : op->getRegions())
      words.push_back(
          getRegionExpression(region, table, [&](OpOperand &operand) {
            return getContent(operand.get());
          }));
    for (Block *successor : op->getSuccessors())
      words.push_back(scope.byPosition
                          ? std::distance(block.getParent()->begin(),
                                          successor->getIterator())
                          : toWord(successor));
    execution.terminator = table.get(Table::Operation, words);
    noteDoubts(execution.terminator);
  }

  Id getPayload(Operation *op) {
    return getRegionExpression(
        op->getRegion(0), table,
        [&](OpOperand &operand) { return getContent(operand.get()); });
  }

  PayloadTrees trees{table, [this](Value value) { return getContent(value); }};
  PackedContents packed{table,
                        [this](Operation *op) { return getPayload(op); }};
  InvertedContents inverted{trees};
  /// Buffers of the op in progress, in the order in which it names them.
  llvm::DenseMap<StorageId, unsigned> which;
};
} // namespace

Execution execute(Block &block, const StorageAnalysis &analysis,
                  ExpressionTable &table, ExecutionScope &scope) {
  return Executor(block, analysis, table, scope).run();
}

} // namespace pebble
