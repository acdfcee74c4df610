//===- WriteStages.cpp - the tasks of a pipeline as programs --------------===//

#include "pebble/Planning/WriteStages.h"

#include "StageSplit.h"
#include "StageTransfers.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace pebble::pipeline;

namespace pebble {

StageWriter::StageWriter(StagedStep &step, AdjointCalls &calls,
                         const AnalysisOptions &options, unsigned ranks,
                         unsigned microBatches, AtAttr slowTier)
    : module(step.function->getParentOfType<ModuleOp>()), step(step),
      calls(module, calls, options), options(options), ranks(ranks),
      microBatches(microBatches), slowTier(slowTier),
      splits(step.stages.size()) {}

StageWriter::~StageWriter() = default;

LogicalResult StageWriter::splitWeights() {
  SymbolTable symbols(module);
  bool isSplit = false;
  SmallVector<std::string> reasons(splits.size());
  for (unsigned stage = 0; stage < splits.size(); ++stage) {
    auto backward =
        symbols.lookup<func::FuncOp>(step.stages[stage].backward.getCallee());
    auto split = std::make_unique<Split>();
    split->late = findLateOps(step, stage);
    // Stages of one function share its parts.
    auto known = llvm::find_if(splits, [&](const std::unique_ptr<Split> &one) {
      return one && one->backward == backward &&
             one->late.results == split->late.results;
    });
    split->backward = backward;
    std::optional<BackwardParts> parts;
    if (known != splits.end())
      parts = (*known)->parts;
    else
      parts = splitBackward(backward, split->late.results, symbols, options,
                            reasons[stage]);
    if (!parts)
      continue;
    split->parts = std::move(*parts);
    splits[stage] = std::move(split);
    isSplit = true;
  }
  if (isSplit)
    return success();
  InFlightDiagnostic diagnostic = step.function.emitError(
      "no stage has gradients of weights that could be a task of their own");
  for (auto [stage, reason] : llvm::enumerate(reasons))
    diagnostic.attachNote(step.stages[stage].backward.getLoc())
        << "the backward function of stage " << stage << ": " << reason;
  return diagnostic;
}

/// One more dimension in front.
static RankedTensorType getStacked(Type type, int64_t size) {
  SmallVector<int64_t> shape = {size};
  Type element = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    shape.append(tensor.getShape().begin(), tensor.getShape().end());
    element = tensor.getElementType();
  }
  return RankedTensorType::get(shape, element);
}

//===----------------------------------------------------------------------===//
// All ranks
//===----------------------------------------------------------------------===//

/// Writes one task after the other.
class StageWriter::Whole {
public:
  Whole(StageWriter &writer, func::FuncOp function)
      : writer(writer), step(writer.step), function(function),
        builder(OpBuilder::atBlockEnd(&function.getBody().front())),
        transfers(builder, writer.slowTier), values(writer.microBatches),
        held(writer.microBatches), sums(step.function.getNumResults()),
        added(step.function.getNumResults(), 0) {
    for (BlockArgument argument : step.function.getArguments())
      if (!step.isOfMicroBatch(argument))
        shared.map(argument, function.getArgument(argument.getArgNumber()));
  }

  /// `time`: when `task` begins and ends.
  void write(const Task &task, std::pair<int64_t, int64_t> time) {
    const unsigned rank = getRank(task.stage);
    auto note = [&](Operation *op) { writer.rankOf[op] = rank; };
    switch (task.kind) {
    case TaskKind::Store:
      return transfers.store(task, time, getTape(task),
                             step.stages[task.stage].forward.getLoc(), note);
    case TaskKind::Wait:
      return transfers.finishStore(task, note);
    case TaskKind::Load:
      return transfers.load(task, time);
    default:
      transfers.settle(
          task, time.first,
          [&](unsigned stage) { return getRank(stage) == rank; },
          [&](const Task &of, unsigned number, Value now) {
            values[of.microBatch].map(getTapeResult(of.stage, number), now);
          },
          note);
      compute(task);
    }
  }

  void finish() {
    SmallVector<Value> results;
    for (auto [index, sum] : llvm::enumerate(sums))
      results.push_back(sum);
    func::ReturnOp::create(builder, function.getLoc(), results);
  }

private:
  unsigned getRank(unsigned stage) const { return stage % writer.ranks; }

  Value getTapeResult(unsigned stage, unsigned number) {
    return step.stages[stage].forward.getResult(step.numResults[stage] +
                                                number);
  }

  SmallVector<Value> getTape(const Task &task) {
    SmallVector<Value> tape;
    const unsigned count = step.stages[task.stage].forward.getNumResults() -
                           step.numResults[task.stage];
    for (unsigned number = 0; number < count; ++number)
      tape.push_back(
          values[task.microBatch].lookup(getTapeResult(task.stage, number)));
    return tape;
  }

  void compute(const Task &task) {
    if (task.kind == TaskKind::Weight)
      return writeWeights(task);
    const bool isBackward = task.kind == TaskKind::Backward;
    const StageTask home{task.stage, isBackward};
    CallPair &pair = step.stages[task.stage];
    const unsigned numResults = step.numResults[task.stage];
    if (task.kind == TaskKind::Recompute) {
      Operation *again = clone(pair.forward, task.microBatch);
      for (unsigned i = numResults; i < again->getNumResults(); ++i)
        values[task.microBatch].map(pair.forward.getResult(i),
                                    again->getResult(i));
      return;
    }
    const Split *split = isBackward ? writer.splits[task.stage].get() : nullptr;
    for (Operation &op : step.getBody()) {
      auto found = step.tasks.find(&op);
      if (found == step.tasks.end() || !(found->second == home) ||
          (split && split->late.ops.contains(&op)))
        continue;
      if (split && &op == pair.backward) {
        writeFirst(*split, task);
        continue;
      }
      const bool isPlain = task.kind == TaskKind::Plain && &op == pair.forward;
      Operation *copy = isPlain
                            ? cloneWithoutTape(pair.forward, task.microBatch)
                            : clone(&op, task.microBatch);
      for (auto [old, result] :
           llvm::zip_first(copy->getResults(), op.getResults()))
        values[task.microBatch].map(result, old);
    }
    addUp();
  }

  /// A call of a part of the backward function of `task`'s stage; its results
  /// of these numbers are known.
  func::CallOp callPart(const Task &task, func::FuncOp part,
                        ArrayRef<unsigned> arguments,
                        ArrayRef<unsigned> results, ArrayRef<Value> more) {
    func::CallOp whole = step.stages[task.stage].backward;
    SmallVector<Value> operands;
    for (unsigned number : arguments)
      operands.push_back(get(whole.getOperand(number), task.microBatch));
    llvm::append_range(operands, more);
    auto call = func::CallOp::create(builder, whole.getLoc(), part, operands);
    writer.rankOf[call] = getRank(task.stage);
    for (auto [place, number] : llvm::enumerate(results))
      values[task.microBatch].map(whole.getResult(number),
                                  call.getResult(place));
    return call;
  }

  void writeFirst(const Split &split, const Task &task) {
    const BackwardParts &parts = split.parts;
    auto call = callPart(task, parts.first, parts.firstArguments,
                         parts.firstResults, {});
    held[task.microBatch][task.stage] =
        llvm::to_vector_of<Value>(call.getResults().take_back(parts.numHeld));
  }

  void writeWeights(const Task &task) {
    const Split &split = *writer.splits[task.stage];
    const BackwardParts &parts = split.parts;
    callPart(task, parts.weights, parts.weightArguments, parts.weightResults,
             held[task.microBatch][task.stage]);
    for (Operation &op : step.getBody())
      if (split.late.ops.contains(&op)) {
        Operation *copy = clone(&op, task.microBatch);
        values[task.microBatch].map(op.getResults(), copy->getResults());
      }
    addUp();
  }

  Operation *clone(Operation *op, unsigned batch) {
    IRMapping mapping;
    for (Value operand : getAllOperands(op))
      mapping.map(operand, get(operand, batch));
    Operation *copy = builder.clone(*op, mapping);
    copy->removeAttr(attr::kStage);
    if (auto task = step.tasks.find(op); task != step.tasks.end())
      writer.rankOf[copy] = getRank(task->second.stage);
    return copy;
  }

  Operation *cloneWithoutTape(func::CallOp call, unsigned batch) {
    Operation *callee = SymbolTable::lookupNearestSymbolFrom(
        writer.module, call.getCalleeAttr());
    SmallVector<Value> operands;
    for (Value operand : call.getOperands())
      operands.push_back(get(operand, batch));
    auto plain = func::CallOp::create(builder, call.getLoc(),
                                      writer.calls.getPlain(callee), operands);
    writer.rankOf[plain] = getRank(step.tasks.lookup(call).stage);
    return plain;
  }

  /// The value of the step for a micro-batch. What no stage makes is made here.
  Value get(Value value, unsigned batch) {
    IRMapping &of = step.differs(value) ? values[batch] : shared;
    if (Value known = of.lookupOrNull(value))
      return known;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Value slice = getSlice(function.getArgument(argument.getArgNumber()),
                             value.getType(), batch);
      of.map(value, slice);
      return slice;
    }
    Operation *copy = clone(value.getDefiningOp(), batch);
    for (auto [old, result] : llvm::zip_equal(
             value.getDefiningOp()->getResults(), copy->getResults()))
      of.map(old, result);
    return of.lookup(value);
  }

  Value getSlice(Value stacked, Type type, unsigned batch) {
    Location loc = function.getLoc();
    auto slice = dyn_cast<RankedTensorType>(type);
    if (!slice)
      return tensor::ExtractOp::create(
          builder, loc, stacked,
          ValueRange(arith::ConstantIndexOp::create(builder, loc, batch)));
    SmallVector<OpFoldResult> offsets, sizes, strides;
    getPlace(slice, batch, offsets, sizes, strides);
    return tensor::ExtractSliceOp::create(builder, loc, slice, stacked, offsets,
                                          sizes, strides);
  }

  void getPlace(RankedTensorType slice, unsigned batch,
                SmallVector<OpFoldResult> &offsets,
                SmallVector<OpFoldResult> &sizes,
                SmallVector<OpFoldResult> &strides) {
    offsets.assign(slice.getRank() + 1, builder.getIndexAttr(0));
    offsets[0] = builder.getIndexAttr(batch);
    sizes = {builder.getIndexAttr(1)};
    for (int64_t size : slice.getShape())
      sizes.push_back(builder.getIndexAttr(size));
    strides.assign(slice.getRank() + 1, builder.getIndexAttr(1));
  }

  /// Whether all that `value` needs was made for a micro-batch. What runs with
  /// no task needs nothing that a task makes.
  bool isThere(Value value, unsigned batch) {
    Operation *maker = value.getDefiningOp();
    return !maker || !step.tasks.contains(maker) ||
           values[batch].contains(value);
  }

  /// Adds results of micro-batches to the sums, in their order.
  void addUp() {
    Operation *end = step.getBody().getTerminator();
    for (auto [index, value] : llvm::enumerate(end->getOperands())) {
      Operation *maker = value.getDefiningOp();
      auto task = maker ? step.tasks.find(maker) : step.tasks.end();
      const unsigned rank =
          task == step.tasks.end() ? 0 : getRank(task->second.stage);
      writer.resultRanks[index] = rank;
      unsigned &batch = added[index];
      for (; batch < writer.microBatches && isThere(value, batch); ++batch)
        add(index, get(value, batch), batch, rank);
    }
  }

  void add(unsigned index, Value value, unsigned batch, unsigned rank) {
    Location loc = step.function.getLoc();
    Value &sum = sums[index];
    if (step.isResultOfMicroBatch(index)) {
      RankedTensorType type = getStacked(value.getType(), writer.microBatches);
      if (!sum)
        sum = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                      type.getElementType());
      if (auto slice = dyn_cast<RankedTensorType>(value.getType())) {
        SmallVector<OpFoldResult> offsets, sizes, strides;
        getPlace(slice, batch, offsets, sizes, strides);
        sum = tensor::InsertSliceOp::create(builder, loc, value, sum, offsets,
                                            sizes, strides);
      } else {
        sum = tensor::InsertOp::create(
            builder, loc, value, sum,
            ValueRange(arith::ConstantIndexOp::create(builder, loc, batch)));
      }
    } else if (!sum) {
      sum = value;
      return;
    } else if (isa<FloatType>(getElementTypeOrSelf(value.getType()))) {
      sum = arith::AddFOp::create(builder, loc, sum, value);
    } else {
      sum = arith::AddIOp::create(builder, loc, sum, value);
    }
    writer.rankOf[sum.getDefiningOp()] = rank;
  }

  StageWriter &writer;
  StagedStep &step;
  func::FuncOp function;
  OpBuilder builder;
  StageTransfers transfers;
  /// What is the same for all micro-batches, and what each has.
  IRMapping shared;
  std::vector<IRMapping> values;
  /// By micro-batch and stage: what the task of the weights takes from the
  /// backward task.
  std::vector<std::map<unsigned, SmallVector<Value>>> held;
  /// By result, and how many micro-batches are in it.
  SmallVector<Value> sums;
  SmallVector<unsigned> added;
};

namespace {
struct TimedTask {
  Task task;
  std::pair<int64_t, int64_t> time;
};
} // namespace

static bool isCopy(const Task &task) {
  return task.kind == TaskKind::Store || task.kind == TaskKind::Wait ||
         task.kind == TaskKind::Load;
}

/// All tasks by when they begin. A task does not come before what it waits for:
/// those that take no time may begin together. Copies run beside tasks, and
/// come right after the task before them.
static std::vector<TimedTask> getSequence(const Tasks &tasks,
                                          const Timing &timing, unsigned stages,
                                          unsigned microBatches) {
  std::vector<TimedTask> sequence;
  std::vector<size_t> at(tasks.size());
  std::vector<bool> forward(size_t(stages) * microBatches);
  std::vector<bool> backward = forward;
  auto isReady = [&](const Task &task) {
    const size_t index = size_t(task.stage) * microBatches + task.microBatch;
    switch (task.kind) {
    case TaskKind::Forward:
    case TaskKind::Plain:
      return task.stage == 0 || forward[index - microBatches];
    case TaskKind::Backward:
      return task.stage + 1 == stages || backward[index + microBatches];
    default:
      return true;
    }
  };
  while (true) {
    std::optional<size_t> next;
    for (size_t rank = 0; rank < tasks.size(); ++rank)
      if (at[rank] < tasks[rank].size() && isReady(tasks[rank][at[rank]]) &&
          (!next || timing.times[rank][at[rank]].first <
                        timing.times[*next][at[*next]].first))
        next = rank;
    if (!next)
      return sequence;
    const size_t place = at[*next]++;
    const Task &task = tasks[*next][place];
    const size_t index = size_t(task.stage) * microBatches + task.microBatch;
    if (task.kind == TaskKind::Backward)
      backward[index] = true;
    else if (task.kind == TaskKind::Forward || task.kind == TaskKind::Plain)
      forward[index] = true;
    sequence.push_back({task, timing.times[*next][place]});
    while (at[*next] < tasks[*next].size() && isCopy(tasks[*next][at[*next]])) {
      const size_t copy = at[*next]++;
      sequence.push_back({tasks[*next][copy], timing.times[*next][copy]});
    }
  }
}

func::FuncOp StageWriter::writeWhole(StringRef name, const Tasks &tasks,
                                     const Timing &timing) {
  func::FuncOp from = step.function;
  SmallVector<Type> arguments, results;
  for (BlockArgument argument : from.getArguments())
    arguments.push_back(step.isOfMicroBatch(argument)
                            ? getStacked(argument.getType(), microBatches)
                            : argument.getType());
  for (auto [index, type] : llvm::enumerate(from.getResultTypes()))
    results.push_back(step.isResultOfMicroBatch(index)
                          ? getStacked(type, microBatches)
                          : type);
  OpBuilder builder(module.getBodyRegion());
  builder.setInsertionPointAfter(from);
  whole = func::FuncOp::create(builder, from.getLoc(), name,
                               builder.getFunctionType(arguments, results));
  auto keep = [&](DictionaryAttr all) {
    NamedAttrList kept(all);
    kept.erase(attr::kMicroBatch);
    return kept.getDictionary(builder.getContext());
  };
  for (unsigned i = 0, e = arguments.size(); i != e; ++i)
    if (DictionaryAttr all = from.getArgAttrDict(i))
      whole.setArgAttrs(i, keep(all));
  for (unsigned i = 0, e = results.size(); i != e; ++i)
    if (DictionaryAttr all = from.getResultAttrDict(i))
      whole.setResultAttrs(i, keep(all));
  whole.addEntryBlock();
  rankOf.clear();
  resultRanks.assign(results.size(), 0);
  Whole writing(*this, whole);
  std::string plan = std::to_string(ranks);
  for (const TimedTask &timed :
       getSequence(tasks, timing, step.stages.size(), microBatches)) {
    writing.write(timed.task, timed.time);
    plan += toString(timed.task);
  }
  // Its negative is a number, too.
  fingerprint = static_cast<int64_t>(llvm::xxh3_64bits(plan) >> 2);
  writing.finish();
  return whole;
}

} // namespace pebble
