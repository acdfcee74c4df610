//===- CallRegions.cpp - regions and callees of a program that runs -------===//

#include "CallExecution.h"

#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

//===----------------------------------------------------------------------===//
// Where a comparison begins and ends
//===----------------------------------------------------------------------===//

CallExecution::Id CallExecution::getArgument(func::FuncOp function,
                                             unsigned number) {
  Type type = function.getArgumentTypes()[number];
  Id id = table.get(ExpressionTable::Argument, {number, toWord(type)});
  if (!isa<BaseMemRefType>(type))
    return id;
  Id place =
      isAlone(function, number) ? memory.addOwn(id) : memory.addNamed(id);
  ofArguments[memory.find(place)->buffer] = number;
  return place;
}

bool CallExecution::isAlone(func::FuncOp function, unsigned number) {
  return function.getArgAttr(number, "llvm.noalias") ||
         isDonatedArgument(function, number);
}

CallExecution::Id CallExecution::describe(Id id) {
  if (auto tensor = memory.findTensor(id))
    return getTensor(*tensor);
  auto place = memory.find(id);
  if (!place)
    return id;
  const unsigned buffer = place->buffer;
  memory.identify(buffer);
  // Arguments are those that were given, and constants those that were there.
  // Two others that hold the same are two.
  uint64_t who = 0;
  if (auto argument = ofArguments.find(buffer); argument != ofArguments.end())
    who = argument->second;
  else if (memory.getName(buffer) || memory.isConstant(buffer))
    who = memory.getName(buffer).value_or(memory.getBirth(buffer));
  else
    who = shown.try_emplace(buffer, shown.size()).first->second;
  return table.get(ExpressionTable::Crossing,
                   {who, ofArguments.contains(buffer),
                    memory.getName(buffer).has_value(),
                    memory.isConstant(buffer), place->path,
                    memory.isFreed(buffer), memory.read(*place)});
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// What is on the stack ends with the function, or the region.
void CallExecution::endStack(size_t outer) {
  for (unsigned buffer : ArrayRef<unsigned>(onStack).drop_front(outer))
    memory.end(buffer);
  onStack.truncate(outer);
}

/// What stands in the region runs once, where the op stands.
void CallExecution::runInPlace(scf::ExecuteRegionOp region, Values &values) {
  Block &body = region.getRegion().front();
  const size_t outerStack = onStack.size();
  for (Operation &op : body.without_terminator())
    runOp(op, values);
  endStack(outerStack);
  for (auto [result, value] :
       llvm::zip(region.getResults(), body.getTerminator()->getOperands())) {
    values[result] = values.lookup(value);
    origins.set(result, value);
  }
}

/// An op that does what is in its regions has the effects that happen there.
void CallExecution::runRegions(Operation &op, CallDoing &doing, Values &values,
                               Words &words) {
  const bool outerEffects = std::exchange(hasInnerEffects, false);
  const bool outerAssertions = std::exchange(hasInnerAssertions, false);
  doing.frame.isReadOnly = readsOnly(op, doing);
  const Id outer = where;
  const Id here = table.get(ExpressionTable::Guard, words);
  for (auto [number, region] : llvm::enumerate(op.getRegions())) {
    where = table.get(ExpressionTable::Guard, {outer, here, number});
    words.push_back(runRegion(region, values, doing.frame));
  }
  where = outer;
  if (op.getNumRegions() && doing.isRecursive && !isa<CallOpInterface>(op)) {
    doing.isBarrier = hasInnerEffects;
    doing.isAssertion = hasInnerAssertions && !hasInnerEffects;
  }
  if (doing.isTask)
    doing.isBarrier |=
        hasInnerEffects || hasInnerAssertions || !doing.frame.touched.empty();
  hasInnerEffects = outerEffects;
  hasInnerAssertions = outerAssertions;
  if (op.getNumRegions())
    addLateText(op, values, words);
}

/// What happens the next time round is not what `words` say if a tensor was
/// written by then. It is the same wherever the text, and all that it names, is
/// the same.
void CallExecution::addLateText(Operation &op, Values &values, Words &words) {
  if (!memory.late)
    return;
  addText(op, values, words);
  if (!memory.isRepeated())
    memory.late = nullptr;
}

void CallExecution::addText(Operation &top, Values &values, Words &words) {
  llvm::DenseMap<unsigned, unsigned> which;
  auto getCaptured = [&](OpOperand &operand) {
    const Id id = values.lookup(operand.get());
    auto place = memory.find(id);
    if (auto tensor = memory.findTensor(id))
      place = tensor->first;
    if (!place)
      return id;
    memory.identify(place->buffer);
    return table.get(
        ExpressionTable::Place,
        {memory.getIdentity(place->buffer), place->path,
         which.try_emplace(place->buffer, which.size()).first->second,
         toWord(operand.get().getType())});
  };
  llvm::SetVector<Operation *> tops;
  tops.insert(&top);
  for (size_t i = 0; i < tops.size(); ++i) {
    for (Region &region : tops[i]->getRegions())
      words.push_back(getRegionExpression(region, table, getCaptured));
    tops[i]->walk([&](Operation *inner) {
      if (auto call = dyn_cast<CallOpInterface>(inner))
        if (Operation *callee = context.resolveCallee(call))
          tops.insert(callee);
    });
  }
}

/// What a region does, given its arguments and what it captures.
CallExecution::Id CallExecution::runRegion(Region &region, Values &values,
                                           CallMemory::Frame &frame) {
  SmallVector<uint64_t> words;
  if (region.empty())
    return table.get(ExpressionTable::Region, words);
  ++depth;
  // A block comes after those that it takes values from.
  llvm::ReversePostOrderTraversal<Region *> blocks(&region);
  Blocks numbers;
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
  const bool mayRepeat =
      !region.hasOneBlock() ||
      !isa<scf::IfOp, scf::ExecuteRegionOp, scf::IndexSwitchOp>(
          region.getParentOp());
  if (mayRepeat)
    memory.beginRepeated(origins.getCount());
  for (Block *block : blocks)
    runBlock(*block, numbers, values, words, frame);
  if (mayRepeat)
    memory.endRepeated();
  --depth;
  return table.get(ExpressionTable::Region, words);
}

/// Adds to `words` what a block of a region does.
void CallExecution::runBlock(Block &block, Blocks &numbers, Values &values,
                             Words &words, CallMemory::Frame &frame) {
  words.push_back(numbers[&block]);
  words.push_back(block.getNumArguments());
  for (Type type : block.getArgumentTypes())
    words.push_back(toWord(type));
  // Effects inside are counted from where the block begins; those of the
  // whole op are its own.
  Id before = table.get(ExpressionTable::Epoch,
                        {epoch, uint64_t(effects.size()), numbers[&block]});
  Id outerEpoch = std::exchange(epoch, before);
  Id outerWhere = std::exchange(
      where, table.get(ExpressionTable::Guard, {where, numbers[&block]}));
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
  where = outerWhere;
  Operation *end = block.empty() ? nullptr : &block.back();
  if (end && end->hasTrait<OpTrait::IsTerminator>())
    runTerminator(*end, numbers, values, words, frame);
  memory.leave(words);
}

void CallExecution::runTerminator(Operation &end, Blocks &numbers,
                                  Values &values, Words &words,
                                  CallMemory::Frame &frame) {
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
    memory.escape(place.buffer,
                  table.get(ExpressionTable::Crossing, {epoch, depth, number}));
    words.push_back(place.path);
  }
  for (Block *successor : end.getSuccessors())
    words.push_back(numbers[successor]);
  for (Region &inner : end.getRegions())
    words.push_back(runRegion(inner, values, frame));
}

/// What buffers from outside hold where the op stands, and their names: a
/// region may have handed them on.
void CallExecution::addTouched(const CallMemory::Frame &frame, Words &words) {
  for (unsigned buffer : frame.touched) {
    words.push_back(frame.isReadOnly ? memory.getWhole(buffer)
                                     : memory.getContent(buffer));
    words.push_back(frame.isReadOnly ? 0 : memory.getName(buffer).value_or(0));
  }
}

/// Whether what stands in `op` reads buffers and does nothing else with them.
bool CallExecution::readsOnly(Operation &op, const CallDoing &doing) {
  if (!op.getNumRegions() || doing.isWriter)
    return false;
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  return !op.walk([&](Operation *inner) {
              const bool isKnown =
                  isa<memref::LoadOp, memref::DimOp, memref::GetGlobalOp>(
                      inner) ||
                  StorageAnalysis::getViewSource(inner);
              const bool hasBuffers =
                  llvm::any_of(inner->getOperandTypes(), isBuffer) ||
                  llvm::any_of(inner->getResultTypes(), isBuffer);
              return (hasBuffers && !isKnown) || isa<CallOpInterface>(inner)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Callees
//===----------------------------------------------------------------------===//

std::vector<CallExecution::Id>
CallExecution::run(func::FuncOp function, const std::vector<Id> &arguments) {
  return runBody(function, arguments).returned;
}

CallExecution::Known CallExecution::runBody(func::FuncOp function,
                                            const std::vector<Id> &arguments) {
  // What regions of the function are depends on how deep it is called, and what
  // may fail in it on what runs around it.
  const std::tuple<Operation *, uint64_t, Id, std::vector<Id>> key = {
      function, depth, where, arguments};
  if (auto known = results.find(key); known != results.end())
    return known->second;
  const size_t number = function.getNumResults();
  const bool isOuter = running.empty();
  if (!running.insert(function).second) {
    endless = function;
    return {std::vector<Id>(number, 0),
            std::vector<std::optional<unsigned>>(number), true};
  }
  const size_t before = effects.size();
  const uint64_t usesBefore = memory.getUses();
  Block &body = function.getBody().front();
  Values values;
  // Only where a comparison begins: calls of such functions are not looked
  // into.
  if (!function.getBody().hasOneBlock()) {
    CallMemory::Frame frame;
    SmallVector<uint64_t> words = {
        runRegion(function.getBody(), values, frame)};
    addLateText(*function, values, words);
    addTouched(frame, words);
    return {{table.get(ExpressionTable::Region, words)}, {std::nullopt}, true};
  }
  for (auto [argument, id] : llvm::zip(body.getArguments(), arguments))
    values[argument] = id;
  const size_t outerStack = onStack.size();
  for (Operation &op : body.without_terminator())
    runOp(op, values);
  endStack(outerStack);
  Known known;
  for (Value value : body.getTerminator()->getOperands()) {
    const Id id = values.lookup(value);
    known.returned.push_back(
        isa<TensorType>(value.getType()) && isOuter ? lookAt(value, id) : id);
    auto lender = llvm::find_if(body.getArguments(), [&](Value argument) {
      return isa<TensorType>(value.getType()) &&
             isa<TensorType>(argument.getType()) &&
             origins.get(argument) == origins.get(value);
    });
    known.lenders.push_back(
        lender == body.getArguments().end()
            ? std::nullopt
            : std::optional<unsigned>(lender->getArgNumber()));
  }
  running.erase(function);
  if (effects.size() == before && memory.getUses() == usesBefore)
    results[key] = known;
  known.isNew = true;
  return known;
}

void CallExecution::runCall(func::CallOp call, func::FuncOp callee,
                            Values &values) {
  std::vector<Id> arguments;
  Block &body = callee.getBody().front();
  memory.running = call;
  for (auto [operand, inside] :
       llvm::zip(call.getOperands(), body.getArguments())) {
    if (isa<BaseMemRefType>(operand.getType()))
      memory.handOver(getPlace(operand, values).buffer);
    origins.set(inside, operand);
    // What ran before is not run again, and looks at it all the same.
    const Id id = values.lookup(operand);
    arguments.push_back(isa<TensorType>(operand.getType()) ? lookAt(operand, id)
                                                           : id);
  }
  addPromises(callee, call, values);
  Known known = runBody(callee, arguments);
  for (auto [result, id, lender, value] :
       llvm::zip(call.getResults(), known.returned, known.lenders,
                 body.getTerminator()->getOperands())) {
    values[result] = id;
    // What was not run again made its tensors anew all the same.
    origins.set(result, known.isNew ? value
                        : lender    ? body.getArgument(*lender)
                                    : Value());
  }
  giveAway(callee, call, values);
}

/// What `callee` promises of what it is given.
void CallExecution::addPromises(func::FuncOp callee, func::CallOp call,
                                Values &values) {
  llvm::DenseMap<unsigned, unsigned> times;
  auto findBuffer = [&](Value value) -> std::optional<unsigned> {
    if (isa<BaseMemRefType>(value.getType()))
      return getPlace(value, values).buffer;
    auto tensor = memory.findTensor(values.lookup(value));
    return tensor ? std::optional(tensor->first.buffer) : std::nullopt;
  };
  for (Value operand : call.getOperands())
    if (std::optional<unsigned> buffer = findBuffer(operand))
      ++times[*buffer];
  SmallVector<CalleePromises::Argument> arguments;
  for (Value operand : call.getOperands()) {
    std::optional<unsigned> buffer = findBuffer(operand);
    arguments.push_back(
        {buffer ? memory.getBirth(*buffer) : values.lookup(operand),
         isa<BaseMemRefType>(operand.getType()),
         buffer && !memory.getName(*buffer) && times[*buffer] == 1 &&
             !memory.isFromOutside(*buffer)});
  }
  promises.add(call, callee, arguments);
}

/// Nobody looks again at a buffer that the callee owned, unless it is handed
/// back.
void CallExecution::giveAway(func::FuncOp callee, func::CallOp call,
                             Values &values) {
  if (depth)
    return;
  llvm::DenseSet<unsigned> back;
  for (Value result : call.getResults())
    if (auto place = memory.find(values.lookup(result)))
      back.insert(place->buffer);
  for (auto [number, operand] : llvm::enumerate(call.getOperands()))
    if (isa<BaseMemRefType>(operand.getType()) &&
        isDonatedArgument(callee, number))
      if (unsigned buffer = getPlace(operand, values).buffer;
          !back.contains(buffer))
        memory.end(buffer);
}

} // namespace pebble
