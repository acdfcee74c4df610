//===- CallEquivalence.cpp - the same program, calls and all --------------===//

#include "pebble/Planning/CallEquivalence.h"

#include "CallDoing.h"
#include "CallValues.h"
#include "DeadResults.h"

#include "pebble/Analysis/Destinations.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Analysis/Views.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Planning/Equivalence.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

#include <map>

using namespace mlir;

namespace pebble {

namespace {
class CallExecution : public CallValues {
public:
  /// `tellsApart`: buffers that begin with the same content are told apart by
  /// the order in which they are first shown.
  CallExecution(ExpressionTable &table, const AnalysisOptions &options,
                bool tellsApart)
      : CallValues(table, options), tellsApart(tellsApart) {}

  /// What was named, and not looked into.
  llvm::SetVector<SymbolRefAttr> symbols;
  /// A function that calls itself cannot be run to its end.
  Operation *endless = nullptr;

  std::vector<Id> run(func::FuncOp function, const std::vector<Id> &arguments) {
    // What regions of the function are depends on how deep it is called.
    auto known = results.find({function, depth, arguments});
    isRunAnew = known == results.end();
    if (!isRunAnew)
      return known->second;
    if (!running.insert(function).second) {
      endless = function;
      return std::vector<Id>(function.getNumResults(), 0);
    }
    const size_t before = effects.size();
    const uint64_t usesBefore = memory.getUses();
    Block &body = function.getBody().front();
    Values values;
    // Only where a comparison begins: calls of such functions are not looked
    // into.
    if (!function.getBody().hasOneBlock()) {
      CallMemory::Frame frame;
      return {runRegion(function.getBody(), values, frame)};
    }
    for (auto [argument, id] : llvm::zip(body.getArguments(), arguments))
      values[argument] = id;
    for (Operation &op : body.without_terminator())
      runOp(op, values);
    std::vector<Id> returned;
    for (Value value : body.getTerminator()->getOperands())
      returned.push_back(values.lookup(value));
    running.erase(function);
    isRunAnew = true;
    if (effects.size() == before && memory.getUses() == usesBefore)
      results[{function, depth, arguments}] = returned;
    return returned;
  }

  /// What an argument of the function where a comparison begins is.
  Id getArgument(func::FuncOp function, unsigned number) {
    Type type = function.getArgumentTypes()[number];
    Id id = table.get(ExpressionTable::Argument, {number, toWord(type)});
    if (!isa<BaseMemRefType>(type))
      return id;
    return isAlone(function, number) ? memory.addOwn(id) : memory.addNamed(id);
  }

  /// Whether the caller promises that nobody else names the argument.
  static bool isAlone(func::FuncOp function, unsigned number) {
    return function.getArgAttr(number, "llvm.noalias") ||
           isDonatedArgument(function, number);
  }

  /// `id`, which a function returned, for others to compare.
  Id describe(Id id) {
    if (auto tensor = memory.findTensor(id))
      return getTensor(*tensor);
    auto place = memory.find(id);
    if (!place)
      return id;
    memory.identify(place->buffer);
    // Two buffers that hold the same are two.
    unsigned number =
        shown.try_emplace(place->buffer, shown.size()).first->second;
    return table.get(ExpressionTable::Crossing,
                     {memory.getName(place->buffer).value_or(number),
                      memory.getName(place->buffer).has_value(), place->path,
                      memory.isFreed(place->buffer), memory.read(*place)});
  }

private:
  using Words = SmallVectorImpl<uint64_t>;
  std::map<std::tuple<Operation *, uint64_t, std::vector<Id>>, std::vector<Id>>
      results;
  llvm::DenseSet<Operation *> running;
  llvm::DenseMap<unsigned, unsigned> shown;
  /// Tokens of tasks that touch no memory, and values that they make.
  llvm::DenseSet<Id> quiet;
  /// Of branches and loops, by result: values are known by where they are.
  std::vector<OwningOpRef<Operation *>> parts;
  const bool tellsApart;
  /// By what a buffer begins with, who made those that begin with it, in order.
  llvm::DenseMap<Id, SmallVector<uint64_t, 1>> alike;
  /// What was asserted before, outside of regions.
  llvm::DenseSet<Id> asserted;
  /// Regions around what runs.
  uint64_t depth = 0;
  /// The last function was run, and its result was not known from before.
  bool isRunAnew = false;
  /// Which block runs, and what had happened when it began. Effects are counted
  /// from there.
  Id epoch = 0;

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  void runOp(Operation &op, Values &values) {
    if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee =
              dyn_cast_if_present<func::FuncOp>(context.resolveCallee(call)))
        if (!callee.isExternal() && callee.getBody().hasOneBlock())
          return runCall(call, callee, values);
    collectSymbols(&op, symbols);
    memory.running = &op;
    origins.visit(op);
    if (runTransparent(op, values) || runView(op, values))
      return;
    if (auto region = dyn_cast<scf::ExecuteRegionOp>(op);
        region && region.getRegion().hasOneBlock())
      return runInPlace(region, values);
    if (op.getNumResults() && isDivisible(&op, context))
      return runDivided(op, values);
    runAny(op, values);
  }

  /// What stands in the region runs once, where the op stands.
  void runInPlace(scf::ExecuteRegionOp region, Values &values) {
    Block &body = region.getRegion().front();
    for (Operation &op : body.without_terminator())
      runOp(op, values);
    for (auto [result, value] :
         llvm::zip(region.getResults(), body.getTerminator()->getOperands())) {
      values[result] = values.lookup(value);
      origins.set(result, value);
    }
  }

  /// Each result of `op`, a branch or a loop without effects, is what is left
  /// of it for that result alone: whoever drops the others leaves it the same.
  void runDivided(Operation &op, Values &values) {
    for (OpResult result : op.getResults()) {
      Operation *whole = OpBuilder(&op).clone(op);
      OpResult part = keepResult(whole, result.getResultNumber(), context);
      runAny(*part.getOwner(), values);
      values[result] = values.lookup(part);
      part.getOwner()->remove();
      parts.emplace_back(part.getOwner());
    }
  }

  CallDoing getDoing(Operation &op) {
    CallDoing doing;
    doing.effects = collectEffects(&op, context);
    doing.isRecursive = op.hasTrait<OpTrait::HasRecursiveMemoryEffects>();
    doing.isAssertion =
        !doing.effects.barrier.empty() && hasOnlyAssertions(&op, context);
    const HiddenEffects hidden = collectHiddenEffects(&op, context);
    doing.isBarrier = (!doing.effects.barrier.empty() && !doing.isAssertion) ||
                      hidden.runsOnce;
    doing.mayFail = hidden.mayFail;
    for (const MemoryAccess &access : doing.effects.accesses)
      doing.isBarrier |=
          access.value ? !isShaped(access.value) : !access.symbol;
    doing.isTask = isa<async::ExecuteOp, async::AwaitOp>(op);
    return doing;
  }

  /// Adds what an operand is: to an op that writes memory it also matters which
  /// of its buffers are one.
  void addOperand(OpOperand &operand, CallDoing &doing, Values &values,
                  Words &words) {
    Value value = operand.get();
    if (isa<TensorType>(value.getType()) && !readsContent(operand)) {
      // A destination that is overwritten matters by its type alone.
      words.push_back(
          table.get(ExpressionTable::Undefined, toWord(value.getType())));
      return;
    }
    if (!isa<BaseMemRefType>(value.getType())) {
      words.push_back(getContent(value, values));
      return;
    }
    Place place = getPlace(value, values);
    words.push_back(doing.which.try_emplace(place.buffer, doing.which.size())
                        .first->second);
    words.push_back(toWord(value.getType()));
    if (!doing.reads(value) && !doing.writes(value))
      words.push_back(memory.getBirth(place.buffer));
    // A result may be this very buffer, seen in this very way.
    auto identity = doing.identities.find(operand.getOperandNumber());
    if (identity != doing.identities.end()) {
      memory.identify(place.buffer);
      words.push_back(identity->second);
      words.push_back(place.path);
    }
    if (doing.reads(value))
      words.push_back(memory.read(place));
  }

  /// An op that does what is in its regions has the effects that happen there.
  void runRegions(Operation &op, CallDoing &doing, Values &values,
                  Words &words) {
    const bool outerEffects = std::exchange(hasInnerEffects, false);
    const bool outerAssertions = std::exchange(hasInnerAssertions, false);
    for (Region &region : op.getRegions())
      words.push_back(runRegion(region, values, doing.frame));
    if (op.getNumRegions() && doing.isRecursive && !isa<CallOpInterface>(op)) {
      doing.isBarrier = hasInnerEffects;
      doing.isAssertion = hasInnerAssertions && !hasInnerEffects;
    }
    if (doing.isTask)
      doing.isBarrier |=
          hasInnerEffects || hasInnerAssertions || !doing.frame.touched.empty();
    hasInnerEffects = outerEffects;
    hasInnerAssertions = outerAssertions;
  }

  void runAny(Operation &op, Values &values) {
    CallDoing doing = getDoing(op);
    SmallVector<uint64_t> words;
    addIdentity(&op, words);
    if (doing.handsOn(op)) {
      escapeOperands(op, values);
      // Their new names: two that are made alike are two.
      for (OpOperand &operand : op.getOpOperands())
        if (isa<BaseMemRefType>(operand.get().getType()))
          doing.identities[operand.getOperandNumber()] =
              memory.getIdentity(getPlace(operand.get(), values).buffer);
    }
    for (OpOperand &operand : op.getOpOperands())
      addOperand(operand, doing, values, words);
    if (doing.isTask)
      doing.isBarrier = llvm::any_of(op.getOperands(), [&](Value operand) {
        return isTokenType(operand.getType()) &&
               !quiet.contains(values.lookup(operand));
      });
    for (const MemoryAccess &access : doing.effects.accesses)
      if (!access.value && access.symbol && !access.isWrite &&
          !doing.isRecursive)
        words.push_back(
            memory.read(*memory.find(getGlobal(&op, access.symbol))));
    for (Type type : op.getResultTypes())
      words.push_back(toWord(type));
    runRegions(op, doing, values, words);
    memory.running = &op;
    for (unsigned buffer : doing.frame.touched) {
      words.push_back(memory.getContent(buffer));
      // A region may have handed it on.
      words.push_back(memory.getName(buffer).value_or(0));
    }
    if (doing.isBarrier) {
      words.push_back(epoch);
      words.push_back(effects.size());
      words.push_back(memory.getOutside());
    }
    Id id = table.get(ExpressionTable::Operation, words);
    if (doing.mayFail && !depth)
      guarded.insert({id, {effects.size(), &op}});
    // Of what held once nobody notices that it is asked again.
    const bool isNew =
        doing.isAssertion && (depth || asserted.insert(id).second);
    // What a thread hands out has neither results nor effects.
    if (doing.isBarrier || isNew || standsInTerminator(op))
      effects.push_back({id, &op});
    hasInnerEffects |= doing.isBarrier;
    hasInnerAssertions |= isNew;
    writeMemory(op, doing, id, values);
    makeResults(op, doing, id, values);
  }

  static bool standsInTerminator(Operation &op) {
    return op.getParentOp()->hasTrait<OpTrait::IsTerminator>();
  }

  void escapeOperands(Operation &op, Values &values) {
    for (Value operand : op.getOperands())
      if (isa<BaseMemRefType>(operand.getType())) {
        unsigned buffer = getPlace(operand, values).buffer;
        memory.escape(buffer, memory.getIdentity(buffer));
      }
  }

  /// What `op`, the expression `id`, leaves in buffers.
  void writeMemory(Operation &op, CallDoing &doing, Id id, Values &values) {
    unsigned ordinal = 0;
    auto write = [&](const Place &place, bool isFull) {
      SmallVector<uint64_t> words = {id, ordinal++};
      if (!isFull)
        words.push_back(memory.read(place));
      memory.write(place, table.get(ExpressionTable::Written, words));
    };
    for (unsigned buffer : doing.frame.touched) {
      ++ordinal;
      if (doing.frame.changed.contains(buffer))
        memory.setContent(buffer,
                          table.get(ExpressionTable::Written, {id, ordinal}));
    }
    for (OpOperand &operand : op.getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      if (doing.writes(operand.get()))
        write(getPlace(operand.get(), values),
              !doing.reads(operand.get()) && overwritesInFull(operand));
    }
    for (const MemoryAccess &access : doing.effects.accesses)
      if (!access.value && access.symbol && access.isWrite &&
          !doing.isRecursive)
        write(*memory.find(getGlobal(&op, access.symbol)), /*isFull=*/false);
    // What is kept is nobody's own any more.
    if (doing.isBarrier)
      escapeOperands(op, values);
    if (doing.isBarrier)
      memory.setOutside(table.get(ExpressionTable::Written,
                                  {id, ordinal++, memory.getOutside()}));
  }

  void makeResults(Operation &op, const CallDoing &doing, Id id,
                   Values &values) {
    for (OpResult result : op.getResults()) {
      Id made = table.get(ExpressionTable::Result,
                          {id, uint64_t(result.getResultNumber())});
      values[result] = made;
      if (isa<BaseMemRefType>(result.getType())) {
        uint64_t origin = getBufferOrigin(op);
        values[result] = memory.addNamed(getBufferName(made, origin));
        memory.addOrigin(values[result], origin);
      }
      if (doing.isTask && !doing.isBarrier)
        quiet.insert(made);
    }
  }

  /// Whose buffers `op` hands out: those of the tensor that it shows, those
  /// that it was given, or its own.
  uint64_t getBufferOrigin(Operation &op) {
    if (isa<bufferization::ToBufferOp>(op))
      return origins.get(op.getOperand(0));
    bool isMade = !isMemoryEffectFree(&op) ||
                  llvm::any_of(op.getOperandTypes(), llvm::IsaPred<TensorType>);
    return isMade ? origins.makeNew() : 0;
  }

  Id getBufferName(Id made, uint64_t origin) {
    if (!tellsApart)
      return made;
    SmallVector<uint64_t, 1> &known = alike[made];
    auto found = llvm::find(known, origin);
    const uint64_t number = found - known.begin();
    if (found == known.end())
      known.push_back(origin);
    return table.get(ExpressionTable::Crossing, {made, number});
  }

  //===--------------------------------------------------------------------===//
  // Regions and callees
  //===--------------------------------------------------------------------===//

  /// What a region does, given its arguments and what it captures.
  Id runRegion(Region &region, Values &values, CallMemory::Frame &frame) {
    SmallVector<uint64_t> words;
    if (region.empty())
      return table.get(ExpressionTable::Region, words);
    ++depth;
    // A block comes after those that it takes values from.
    llvm::ReversePostOrderTraversal<Region *> blocks(&region);
    llvm::DenseMap<Block *, uint64_t> numbers;
    for (Block *block : blocks)
      for (BlockArgument argument : block->getArguments()) {
        uint64_t number =
            numbers.try_emplace(block, numbers.size()).first->second;
        values[argument] =
            table.get(ExpressionTable::Argument,
                      {depth, number, uint64_t(argument.getArgNumber()),
                       toWord(argument.getType())});
        origins.set(argument);
      }
    for (Block *block : blocks)
      numbers.try_emplace(block, numbers.size());
    for (Block *block : blocks)
      runBlock(*block, numbers, values, words, frame);
    --depth;
    return table.get(ExpressionTable::Region, words);
  }

  /// Adds to `words` what a block of a region does.
  void runBlock(Block &block, llvm::DenseMap<Block *, uint64_t> &numbers,
                Values &values, Words &words, CallMemory::Frame &frame) {
    words.push_back(numbers[&block]);
    words.push_back(block.getNumArguments());
    for (Type type : block.getArgumentTypes())
      words.push_back(toWord(type));
    // Effects inside are counted from where the block begins; those of the
    // whole op are its own.
    Id before = table.get(ExpressionTable::Epoch,
                          {epoch, uint64_t(effects.size()), numbers[&block]});
    Id outerEpoch = std::exchange(epoch, before);
    auto outer = std::exchange(effects, {});
    memory.enter(frame, before);
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>())
        runOp(op, values);
    for (const auto &effect : effects)
      words.push_back(effect.first);
    words.push_back(effects.size());
    effects = std::move(outer);
    epoch = outerEpoch;
    Operation *end = block.empty() ? nullptr : &block.back();
    if (end && end->hasTrait<OpTrait::IsTerminator>())
      runTerminator(*end, numbers, values, words, frame);
    memory.leave(words);
  }

  void runTerminator(Operation &end, llvm::DenseMap<Block *, uint64_t> &numbers,
                     Values &values, Words &words, CallMemory::Frame &frame) {
    memory.running = &end;
    addIdentity(&end, words);
    for (auto [number, operand] : llvm::enumerate(end.getOperands())) {
      if (!isa<BaseMemRefType>(operand.getType())) {
        words.push_back(getContent(operand, values));
        continue;
      }
      // From here on it has another name.
      Place place = getPlace(operand, values);
      memory.identify(place.buffer);
      words.push_back(memory.getIdentity(place.buffer));
      memory.escape(place.buffer, table.get(ExpressionTable::Crossing,
                                            {epoch, depth, number}));
      words.push_back(place.path);
    }
    for (Block *successor : end.getSuccessors())
      words.push_back(numbers[successor]);
    for (Region &inner : end.getRegions())
      words.push_back(runRegion(inner, values, frame));
  }

  void runCall(func::CallOp call, func::FuncOp callee, Values &values) {
    std::vector<Id> arguments;
    Block &body = callee.getBody().front();
    for (auto [operand, inside] :
         llvm::zip(call.getOperands(), body.getArguments())) {
      if (isa<BaseMemRefType>(operand.getType()))
        (void)getPlace(operand, values);
      origins.set(inside, operand);
      arguments.push_back(values.lookup(operand));
    }
    std::vector<Id> returned = run(callee, arguments);
    for (auto [result, id, value] :
         llvm::zip(call.getResults(), returned,
                   body.getTerminator()->getOperands())) {
      values[result] = id;
      // What was not run again made its tensors anew all the same.
      Value viewed = getViewed(value);
      origins.set(result,
                  isRunAnew || isa<BlockArgument>(viewed) ? viewed : Value());
    }
  }
};
} // namespace

/// Compares what both runs leave in the arguments of a function, in globals,
/// and in all that others know.
static LogicalResult compareMemory(func::FuncOp after, CallExecution &first,
                                   CallExecution &second,
                                   ArrayRef<ExpressionTable::Id> before,
                                   ArrayRef<ExpressionTable::Id> behind) {
  Operation *end = after.getBody().front().getTerminator();
  for (unsigned i = 0, e = before.size(); i != e; ++i) {
    auto one = first.memory.find(before[i]),
         other = second.memory.find(behind[i]);
    // What was given away is nobody else's.
    if (!one || isDonatedArgument(after, i))
      continue;
    if (first.memory.isFreed(one->buffer) !=
        second.memory.isFreed(other->buffer))
      return end->emitError("the buffer of argument ")
             << i << " of this function is freed in one of both alone";
    if (first.memory.read(*one) != second.memory.read(*other))
      return end->emitError("the buffer of argument ")
             << i << " of this function is not proven to hold what it held";
  }
  if (first.memory.getOutside() != second.memory.getOutside())
    return end->emitError("memory that others see is not proven to hold what "
                          "it held");
  return success();
}

/// Compares results, effects and memory. `isMixedUp` is set, and nothing
/// compared, where it matters which of several buffers with one content is
/// which.
static LogicalResult compareRuns(func::FuncOp before, func::FuncOp after,
                                 const AnalysisOptions &options,
                                 bool tellsApart, bool &isMixedUp) {
  ExpressionTable table;
  CallExecution first(table, options, tellsApart),
      second(table, options, tellsApart);
  std::vector<ExpressionTable::Id> given, taken;
  for (unsigned i = 0, e = before.getNumArguments(); i != e; ++i) {
    given.push_back(first.getArgument(before, i));
    taken.push_back(second.getArgument(after, i));
  }
  auto expected = first.run(before, given);
  auto found = second.run(after, taken);
  if (first.endless || second.endless)
    return after.emitError("this function cannot be compared with what it was: "
                           "it calls a function that calls itself");
  if (second.memory.fault)
    return second.memory.fault->emitError(
        "this uses a buffer that was freed before");
  first.useReturned(*before.getBody().front().getTerminator());
  second.useReturned(*after.getBody().front().getTerminator());
  if (second.memory.late && !first.memory.late)
    return second.memory.late->emitError(
        "this uses a tensor after a buffer that shows it was written");
  for (auto [one, other] : llvm::zip(expected, found)) {
    one = first.describe(one);
    other = second.describe(other);
  }
  isMixedUp = first.memory.isMixedUp() || second.memory.isMixedUp();
  if (isMixedUp && !tellsApart)
    return success();
  Operation *end = after.getBody().front().getTerminator();
  for (auto [i, one, other] : llvm::enumerate(expected, found))
    if (one != other)
      return end->emitError("result ")
             << i << " of this function is not proven to be what it was";
  for (size_t i = 0, e = first.effects.size(); i != e; ++i)
    if (i >= second.effects.size() ||
        first.effects[i].first != second.effects[i].first)
      return (i < second.effects.size() ? second.effects[i].second : end)
                 ->emitError("effect ")
             << i << " of this function is not proven to be what it was";
  if (second.effects.size() > first.effects.size())
    return second.effects[first.effects.size()].second->emitError(
        "this effect was not there before");
  if (Operation *early = second.findEarlier(first))
    return early->emitError("this may fail, and runs before an effect that "
                            "came first");
  if (failed(compareMemory(after, first, second, given, taken)))
    return failure();
  ProgramContext context(options);
  return checkSymbols(before, after, second.symbols.getArrayRef(), context);
}

LogicalResult checkCallEquivalence(func::FuncOp before, func::FuncOp after,
                                   const AnalysisOptions &options) {
  if (before.getFunctionType() != after.getFunctionType())
    return after.emitError("this function had another type before");
  for (unsigned i = 0, e = before.getNumArguments(); i != e; ++i)
    if (CallExecution::isAlone(before, i) != CallExecution::isAlone(after, i))
      return after.emitError("the rewrite changed who owns argument ") << i;
  // A second run of what only reads such a buffer reads the same.
  bool isMixedUp = false;
  if (failed(
          compareRuns(before, after, options, /*tellsApart=*/false, isMixedUp)))
    return failure();
  return isMixedUp ? compareRuns(before, after, options, /*tellsApart=*/true,
                                 isMixedUp)
                   : success();
}

} // namespace pebble
