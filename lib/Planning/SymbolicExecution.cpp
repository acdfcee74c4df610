//===- SymbolicExecution.cpp - a block as expressions ---------------------===//

#include "SymbolicExecution.h"

#include "Expressions.h"

#include "pebble/Analysis/Destinations.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace pebble {

static bool reads(const Step &step, Value value) {
  return llvm::any_of(step.accesses, [&](const Access &access) {
    return access.kind == AccessKind::Read && access.value == value;
  });
}

namespace {
class Executor {
public:
  using Id = ExpressionTable::Id;
  using Table = ExpressionTable;

  Executor(Block &block, const StorageAnalysis &analysis, Table &table,
           bool identityByPosition)
      : block(block), analysis(analysis), table(table),
        identityByPosition(identityByPosition) {}

  Execution run() {
    size_t count = analysis.getStorages().size();
    holder.resize(count);
    identity.resize(count, 0);
    freedBy.resize(count, nullptr);
    root = table.get(Table::Root, {});
    epoch = table.get(Table::Epoch, {});
    findExposed();
    setUpStorages();
    for (BlockArgument argument : block.getArguments())
      expression[argument] =
          isShaped(argument)
              ? root
              : table.get(Table::Argument, {argument.getArgNumber()});
    for (Operation &op : block) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        finish(&op);
      else if (StorageAnalysis::isFree(&op))
        runFree(&op);
      else
        runStep(&op);
      if (execution.hazard)
        return std::move(execution);
    }
    for (StorageId id = 0; id < count; ++id)
      if (isOutlivingMemory(id)) {
        ClassState &state = classes[getClass(id)];
        execution.finals[state.initial] = {state.content, state.writer};
      }
    return std::move(execution);
  }

private:
  /// What the storages of one alias class hold together.
  struct ClassState {
    Id initial = 0;
    Id content = 0;
    /// The op that wrote last.
    Operation *writer = nullptr;
    unsigned members = 0;
    /// Others may see it: an argument, a global, or seen by a barrier.
    bool exposed = false;
  };

  unsigned getClass(StorageId id) const {
    return analysis.getStorage(id).aliasClass;
  }
  ClassState &getState(StorageId id) { return classes[getClass(id)]; }

  /// Memory in the narrow sense: a buffer that has a name of its own.
  bool isMemory(StorageId id) const { return analysis.getStorage(id).isMemory; }
  bool isOutlivingMemory(StorageId id) const {
    StorageKind kind = analysis.getStorage(id).kind;
    return isMemory(id) && kind != StorageKind::Local &&
           kind != StorageKind::Constant && kind != StorageKind::Unknown &&
           kind != StorageKind::Anywhere;
  }

  //===--------------------------------------------------------------------===//
  // Storages before the first op
  //===--------------------------------------------------------------------===//

  void findExposed() {
    for (const Step &step : analysis.getSteps()) {
      if (step.barrier.empty() || isPebbleOp(step.op))
        continue;
      for (const Access &access : step.accesses)
        if (isMemory(access.storage))
          getState(access.storage).exposed = true;
    }
    for (StorageId id = 0; id < analysis.getStorages().size(); ++id)
      if (isMemory(id) && analysis.getStorage(id).kind != StorageKind::Local)
        getState(id).exposed = true;
  }

  /// Who a storage is, whatever it holds.
  Id getInitialIdentity(StorageId id) {
    const Storage &storage = analysis.getStorage(id);
    if (storage.kind == StorageKind::Anywhere)
      return table.get(Table::Memory, {});
    if (StringAttr symbol = analysis.getGlobal(id))
      return table.get(Table::Global, {toWord(symbol.getAsOpaquePointer())});
    if (auto argument = dyn_cast<BlockArgument>(storage.root);
        argument && argument.getOwner() == &block)
      return table.get(Table::Argument, {argument.getArgNumber()});
    Operation *op = storage.root.getDefiningOp();
    bool isInside = op && op->getBlock() == &block;
    if (!isInside) {
      if (op && op->hasTrait<OpTrait::ConstantLike>())
        return getConstant(op, table);
      return table.get(Table::Outside,
                       {toWord(storage.root.getAsOpaquePointer())});
    }
    if (storage.kind == StorageKind::Constant)
      return getConstant(op, table);
    return table.get(Table::Undefined, {toWord(storage.root.getType())});
  }

  void setUpStorages() {
    llvm::DenseMap<unsigned, SmallVector<uint64_t>> members;
    for (StorageId id = 0; id < analysis.getStorages().size(); ++id) {
      identity[id] = getInitialIdentity(id);
      holder[id] = analysis.getStorage(id).root;
      members[getClass(id)].push_back(id);
    }
    for (auto &[number, ids] : members) {
      ClassState &state = classes[number];
      state.members = ids.size();
      if (ids.size() == 1) {
        state.initial = state.content = identity[ids[0]];
        continue;
      }
      SmallVector<uint64_t> initial;
      unsigned made = 0;
      for (StorageId id : ids) {
        StorageKind kind = analysis.getStorage(id).kind;
        if (kind != StorageKind::Local && kind != StorageKind::Unknown) {
          initial.push_back(identity[id]);
          continue;
        }
        // Made inside, so not part of what is there at the start, but must be
        // told apart from its like.
        uint64_t who =
            identityByPosition
                ? made++
                : toWord(analysis.getStorage(id).root.getAsOpaquePointer());
        identity[id] = table.get(Table::Undefined, {identity[id], who});
      }
      llvm::sort(initial);
      state.initial = state.content = table.get(Table::Memory, initial);
    }
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// The expression of a scalar, or how a shaped value is seen from its base.
  Id getExpression(Value value) {
    if (auto found = expression.find(value); found != expression.end())
      return found->second;
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == &block) {
      execution.hazard = {running, op, Hazard::NotYetMade, ""};
      return 0;
    }
    // From outside of the block.
    Id id;
    if (isShaped(value) && !analysis.lookup(value).empty())
      id = root;
    else if (op && op->hasTrait<OpTrait::ConstantLike>())
      id = getConstant(op, table);
    else
      id = table.get(Table::Outside, {toWord(value.getAsOpaquePointer())});
    return expression[value] = id;
  }

  /// The value that is viewed, through all views.
  Value getBase(Value value) const {
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

  void fail(Hazard::Kind kind, Operation *writer, StorageId id) {
    if (!execution.hazard)
      execution.hazard = {running, writer, kind, analysis.getStorageName(id)};
  }

  /// Checks that the storages of `value` still hold what it names.
  void checkAlive(Value value) {
    Value base = getBase(value);
    ArrayRef<StorageId> ids = analysis.lookup(value);
    // A value that names one of several storages may name one that is left.
    size_t freed =
        llvm::count_if(ids, [&](StorageId id) { return freedBy[id]; });
    if (freed && freed == ids.size())
      return fail(Hazard::Freed, freedBy[ids[0]], ids[0]);
    doubtful += freed;
    for (StorageId id : ids)
      if (isa<TensorType>(base.getType()) && holder[id] != base)
        return fail(Hazard::Overwritten, getState(id).writer, id);
  }

  void noteDoubts(Id expression) {
    if (doubtful)
      execution.doubtful[expression] += doubtful;
    doubtful = 0;
  }

  /// Where a shaped value is, whatever is there.
  Id getPlace(Value value) {
    SmallVector<uint64_t> words = {getExpression(value)};
    for (StorageId id : analysis.lookup(value))
      if (getState(id).members > 1)
        words.push_back(identity[id]);
    return words.size() == 1 ? words[0] : table.get(Table::Place, words);
  }

  /// What a value is at this moment.
  Id getContent(Value value) {
    Id path = getExpression(value);
    if (!isShaped(value))
      return path;
    ArrayRef<StorageId> ids = analysis.lookup(value);
    if (ids.empty())
      return isa<TensorType>(value.getType()) && getBase(value) != value
                 ? getUndefined(value)
                 : path;
    checkAlive(value);
    ClassState &first = getState(ids[0]);
    if (ids.size() == 1 && path == root && first.members == 1 && !first.exposed)
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

  /// What `base` was when it was made, whatever its storage holds by now.
  Id getOrigin(Value base) {
    if (auto found = origin.find(base); found != origin.end())
      return found->second;
    ArrayRef<StorageId> ids = analysis.lookup(base);
    return ids.empty() ? getExpression(base) : getState(ids[0]).initial;
  }

  Id getUndefined(Value value) {
    return table.get(Table::Undefined, {toWord(value.getType())});
  }

  Operation *getWriter(Value value) {
    ArrayRef<StorageId> ids = analysis.lookup(value);
    return ids.empty() ? nullptr : getState(ids[0]).writer;
  }

  void setContent(StorageId id, Id content, Operation *writer) {
    ClassState &state = getState(id);
    // Siblings that may be the same memory keep a say in what is there.
    state.content =
        state.members == 1
            ? content
            : table.get(Table::Written, {content, identity[id], state.content});
    state.writer = writer;
    if (state.exposed)
      execution.exposedWrites.push_back(
          {table.get(Table::Written, {state.initial, state.content, epoch}),
           writer});
  }

  //===--------------------------------------------------------------------===//
  // Ops that are no steps
  //===--------------------------------------------------------------------===//

  void runFree(Operation *op) {
    running = op;
    if (op->getNumResults() == 0) {
      // The end of a storage.
      ArrayRef<StorageId> ids = analysis.lookup(op->getOperand(0));
      getExpression(op->getOperand(0));
      if (ids.size() != 1)
        return;
      if (freedBy[ids[0]])
        return fail(Hazard::Freed, freedBy[ids[0]], ids[0]);
      freedBy[ids[0]] = op;
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
      for (Value operand : op->getOperands())
        words.push_back(isShaped(operand) ? getExpression(operand)
                                          : getContent(operand));
      expression[result] = table.get(Table::View, words);
      setSizes(op, source, words);
      return;
    }
    if (!isShaped(result)) {
      for (Value operand : op->getOperands())
        words.push_back(isShaped(operand) ? toWord(operand.getType())
                                          : getContent(operand));
      // The extent of a dimension follows from the type unless it is dynamic.
      if (op->getNumOperands() && isShaped(op->getOperand(0)) &&
          !cast<ShapedType>(op->getOperand(0).getType()).hasStaticShape()) {
        words.push_back(getExpression(op->getOperand(0)));
        words.push_back(getOrigin(getBase(op->getOperand(0))));
      }
      expression[result] = table.get(Table::Operation, words);
      return;
    }
    for (Value operand : op->getOperands())
      getContent(operand);
    expression[result] =
        analysis.lookup(result).empty() ? getUndefined(result) : root;
  }

  /// A view may say of its source, too, where it begins and how it is laid out.
  void setSizes(Operation *op, Value source, SmallVectorImpl<uint64_t> &words) {
    if (op->getNumResults() == 1)
      return;
    words.push_back(getOrigin(getBase(source)));
    Id sizes = table.get(Table::Operation, words);
    for (OpResult result : op->getResults().drop_front())
      expression[result] =
          table.get(Table::Result, {sizes, result.getResultNumber()});
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  void runStep(Operation *op) {
    running = op;
    if (runTransparent(op) || execution.hazard)
      return;
    const Step &step = analysis.getSteps()[*analysis.getStepIndex(op)];
    ExecutedStep record{op, 0, {}, {}};
    SmallVector<uint64_t> words;
    addIdentity(op, words);
    addOperands(op, step, record, words);
    for (Region &region : op->getRegions())
      words.push_back(getRegion(region, record));
    addHiddenReads(op, step, words);
    for (Type type : op->getResultTypes())
      words.push_back(toWord(type));
    record.expression = table.get(Table::Operation, words);
    noteDoubts(record.expression);
    if (execution.hazard)
      return;
    writeMemory(op, step, record.expression);
    writeResults(op, step, record.expression);
    if (!step.barrier.empty() && !isPebbleOp(op)) {
      execution.effects.push_back({record.expression, op});
      epoch = table.get(Table::Epoch, {epoch, record.expression});
    }
    execution.steps.push_back(std::move(record));
  }

  void addOperands(Operation *op, const Step &step, ExecutedStep &record,
                   SmallVectorImpl<uint64_t> &words) {
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      Id id;
      if (isa<TensorType>(value.getType())) {
        getExpression(value);
        id = readsContent(operand) ? getContent(value) : getUndefined(value);
      } else if (isa<BaseMemRefType>(value.getType())) {
        checkAlive(value);
        id = reads(step, value) ? getContent(value) : getExpression(value);
        words.push_back(toWord(value.getType()));
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
      if (state.members > 1)
        words.push_back(identity[access.storage]);
      if (state.exposed)
        words.push_back(epoch);
    }
  }

  /// What a region captures is an operand like any other.
  Id getRegion(Region &region, ExecutedStep &record) {
    return getRegionExpression(region, table, [&](Value value) {
      Id id = isa<BaseMemRefType>(value.getType()) ? getPlace(value)
                                                   : getContent(value);
      if (isShaped(value))
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
        words.push_back(access.value ? getPlace(access.value) : root);
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

  void writeResults(Operation *op, const Step &step, Id id) {
    for (OpResult result : op->getResults()) {
      Id content = table.get(Table::Result, {id, result.getResultNumber()});
      expression[result] = content;
      if (!isShaped(result))
        continue;
      origin[result] = content;
      bool isWritten = llvm::any_of(step.accesses, [&](const Access &access) {
        return access.kind == AccessKind::Write && access.value == result;
      });
      ArrayRef<StorageId> ids = analysis.lookup(result);
      if (!isWritten) {
        // Hands out something that was there already.
        if (isa<TensorType>(result.getType()) && ids.size() == 1) {
          baseOf[result] = holder[ids[0]];
          expression[result] = root;
        }
        continue;
      }
      expression[result] = root;
      for (StorageId storage : ids) {
        holder[storage] = result;
        freedBy[storage] = nullptr;
        if (analysis.getStorage(storage).root == result &&
            getState(storage).members > 1)
          identity[storage] = content;
        setContent(storage, content, op);
      }
      if (analysis.getDestination(result).overwrites)
        execution.inPlace.insert({content, op});
    }
  }

  /// Copies and transfers: the same content in another place.
  bool runTransparent(Operation *op) {
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
        holder[id] = result;
        freedBy[id] = nullptr;
        setContent(id, content, op);
        if (analysis.getDestination(result).overwrites)
          execution.inPlace.insert({content, op});
      }
    if (op->getNumOperands() < 2 ||
        !isa<BaseMemRefType>(op->getOperand(1).getType()))
      return true;
    Value target = op->getOperand(1);
    checkAlive(target);
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

  void finish(Operation *op) {
    running = op;
    SmallVector<uint64_t> words;
    addIdentity(op, words);
    for (Value operand : op->getOperands()) {
      execution.results.push_back(getContent(operand));
      words.push_back(execution.results.back());
    }
    for (Block *successor : op->getSuccessors())
      words.push_back(identityByPosition
                          ? std::distance(block.getParent()->begin(),
                                          successor->getIterator())
                          : toWord(successor));
    execution.terminator = table.get(Table::Operation, words);
    noteDoubts(execution.terminator);
  }

  Block &block;
  const StorageAnalysis &analysis;
  Table &table;
  bool identityByPosition;
  Execution execution;

  Id root = 0;
  Id epoch = 0;
  Operation *running = nullptr;
  /// Storages that the op in progress may use although they were freed.
  size_t doubtful = 0;
  llvm::DenseMap<Value, Id> expression;
  llvm::DenseMap<Value, Id> origin;
  /// Results that are the content of another value.
  llvm::DenseMap<Value, Value> baseOf;
  llvm::DenseMap<unsigned, ClassState> classes;
  /// By storage: the tensor whose content it holds, who it is, who freed it.
  std::vector<Value> holder;
  std::vector<Id> identity;
  std::vector<Operation *> freedBy;
};
} // namespace

Execution execute(Block &block, const StorageAnalysis &analysis,
                  ExpressionTable &table, bool identityByPosition) {
  return Executor(block, analysis, table, identityByPosition).run();
}

} // namespace pebble
