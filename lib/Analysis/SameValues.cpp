//===- SameValues.cpp - do two functions of tensors agree? ----------------===//

#include "pebble/Analysis/SameValues.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace pebble {

namespace {
using Id = uint64_t;

/// Expressions by structure: equal word lists have equal numbers. Exact.
class Numbers {
public:
  enum Tag : uint64_t { Argument, Operation, Result, Region, Unknown };

  Id get(Tag tag, ArrayRef<uint64_t> words) {
    SmallVector<uint64_t, 32> all = {tag};
    llvm::append_range(all, words);
    StringRef key(reinterpret_cast<const char *>(all.data()),
                  all.size() * sizeof(uint64_t));
    return ids.try_emplace(key, ids.size()).first->second;
  }

private:
  llvm::StringMap<Id> ids;
};

/// What a function, or a region, comes to.
struct Outcome {
  SmallVector<Id> returned;
  /// What has an effect, in order.
  SmallVector<std::pair<Id, mlir::Operation *>> effects;
};

class Evaluator {
public:
  Evaluator(Numbers &numbers, ProgramContext &context)
      : numbers(numbers), context(context) {}

  Outcome run(FunctionOpInterface function) {
    Outcome outcome;
    Block &block = function.getFunctionBody().front();
    bindArguments(block);
    runBlock(block, outcome);
    outcome.returned = getAll(block.getTerminator()->getOperands());
    return outcome;
  }

private:
  using Op = mlir::Operation;

  /// A value that no op made is like no other.
  Id get(Value value) const {
    auto found = known.find(value);
    if (found != known.end())
      return found->second;
    return numbers.get(Numbers::Unknown, {reinterpret_cast<uint64_t>(
                                             value.getAsOpaquePointer())});
  }
  SmallVector<Id> getAll(ValueRange values) const {
    return llvm::map_to_vector(values, [&](Value value) { return get(value); });
  }

  /// The arguments of a region are told apart by how deep it stands.
  void bindArguments(Block &block, uint64_t number = 0) {
    for (BlockArgument argument : block.getArguments())
      known[argument] = numbers.get(
          Numbers::Argument,
          {depth, number, argument.getArgNumber(), toWord(argument.getType())});
  }

  static uint64_t toWord(Type type) {
    return reinterpret_cast<uint64_t>(type.getAsOpaquePointer());
  }
  static uint64_t toWord(Attribute attribute) {
    return reinterpret_cast<uint64_t>(attribute.getAsOpaquePointer());
  }

  void runBlock(Block &block, Outcome &outcome) {
    for (Op &op : block.without_terminator())
      runOp(&op, outcome);
  }

  void runOp(Op *op, Outcome &outcome) {
    const hlo::Op *row = hlo::lookup(op);
    bool isIdentity = row && row->kind == hlo::Kind::Identity &&
                      op->getNumOperands() == op->getNumResults();
    // Where a value lies is no part of what it is.
    isIdentity |= hlo::getCallTarget(op) == hlo::kPlacementCall &&
                  op->getNumOperands() == op->getNumResults();
    if (isIdentity || isa<OpaqueOp>(op))
      return bind(op->getResults(), getAll(op->getOperands()));
    if (isa<StoreOp, LoadOp>(op) && op->getNumResults() == 2)
      return bind(op->getResults().take_front(), get(op->getOperand(0)));
    if (Value there = getWaitedFor(op))
      return bind(op->getResults(), get(there));
    if (isa<DropOp, WaitOp, CollectiveWaitOp>(op))
      return;
    if (auto step = dyn_cast<StepOp>(op))
      return open(step.getBlock(), op->getOperands(), op, outcome);
    if (auto call = dyn_cast<CallOpInterface>(op))
      if (Block *body = getBody(call)) {
        callees.push_back(body);
        open(*body, call.getArgOperands(), op, outcome);
        callees.pop_back();
        return;
      }
    runPlain(op, outcome);
  }

  void bind(ResultRange results, ArrayRef<Id> ids) {
    for (auto [result, id] : llvm::zip_equal(results, ids))
      known[result] = id;
  }

  void open(Block &block, ValueRange operands, Op *op, Outcome &outcome) {
    bindAll(block.getArguments(), getAll(operands));
    runBlock(block, outcome);
    bind(op->getResults(), getAll(block.getTerminator()->getOperands()));
  }
  void bindAll(Block::BlockArgListType arguments, ArrayRef<Id> ids) {
    for (auto [argument, id] : llvm::zip_equal(arguments, ids))
      known[argument] = id;
  }

  /// The body of what is called, unless it calls itself or is of many blocks.
  Block *getBody(CallOpInterface call) {
    auto callee =
        dyn_cast_if_present<FunctionOpInterface>(context.resolveCallee(call));
    if (!callee || callee.isExternal() ||
        !callee.getFunctionBody().hasOneBlock())
      return nullptr;
    Block *body = &callee.getFunctionBody().front();
    return llvm::is_contained(callees, body) ? nullptr : body;
  }

  void runPlain(Op *op, Outcome &outcome) {
    SmallVector<uint64_t> words;
    words.push_back(
        reinterpret_cast<uint64_t>(op->getName().getAsOpaquePointer()));
    words.push_back(toWord(op->getPropertiesAsAttribute()));
    size_t start = words.size();
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (!attr::isBookkeeping(attribute.getName())) {
        words.push_back(toWord(attribute.getName()));
        words.push_back(toWord(attribute.getValue()));
      }
    words.push_back(words.size() - start);
    words.push_back(op->getNumOperands());
    llvm::append_range(words, getAll(op->getOperands()));
    for (Type type : op->getResultTypes())
      words.push_back(toWord(type));
    for (Region &region : op->getRegions())
      words.push_back(runRegion(region));
    // What an effect hands out depends on those before it.
    bool hasEffect = !collectEffects(op, context).barrier.empty();
    if (hasEffect)
      words.push_back(outcome.effects.size());
    Id id = numbers.get(Numbers::Operation, words);
    if (hasEffect)
      outcome.effects.push_back({id, op});
    for (OpResult result : op->getResults())
      known[result] =
          numbers.get(Numbers::Result, {id, result.getResultNumber()});
  }

  Id runRegion(mlir::Region &region) {
    SmallVector<uint64_t> words;
    ++depth;
    for (auto [number, block] : llvm::enumerate(region)) {
      bindArguments(block, number);
      for (Type type : block.getArgumentTypes())
        words.push_back(toWord(type));
      Outcome inside;
      runBlock(block, inside);
      for (auto [id, op] : inside.effects)
        words.push_back(id);
      words.push_back(inside.effects.size());
      if (!block.mightHaveTerminator())
        continue;
      Op *end = block.getTerminator();
      words.push_back(
          reinterpret_cast<uint64_t>(end->getName().getAsOpaquePointer()));
      words.push_back(toWord(end->getAttrDictionary()));
      words.push_back(end->getNumOperands());
      llvm::append_range(words, getAll(end->getOperands()));
      for (Block *successor : end->getSuccessors())
        words.push_back(
            std::distance(region.begin(), successor->getIterator()));
    }
    --depth;
    return numbers.get(Numbers::Region, words);
  }

  Numbers &numbers;
  ProgramContext &context;
  llvm::DenseMap<Value, Id> known;
  SmallVector<Block *> callees;
  uint64_t depth = 0;
};
} // namespace

LogicalResult checkSameValues(Operation *before, Operation *after,
                              ProgramContext &context) {
  Numbers numbers;
  Outcome was =
      Evaluator(numbers, context).run(cast<FunctionOpInterface>(before));
  // What the first run knows of callees is not true of the second module.
  ProgramContext fresh(context.getOptions());
  Outcome is = Evaluator(numbers, fresh).run(cast<FunctionOpInterface>(after));
  size_t common = std::min(was.effects.size(), is.effects.size());
  for (size_t i = 0; i < common; ++i)
    if (was.effects[i].first != is.effects[i].first)
      return is.effects[i].second->emitError(
          "the rewrite changed the program: this effect is another one than "
          "before, or comes at another place");
  if (was.effects.size() != is.effects.size())
    return after->emitError("the rewrite changed the number of effects from ")
           << was.effects.size() << " to " << is.effects.size();
  if (was.returned.size() != is.returned.size())
    return after->emitError("the rewrite changed the number of results from ")
           << was.returned.size() << " to " << is.returned.size();
  for (auto [index, ids] :
       llvm::enumerate(llvm::zip(was.returned, is.returned)))
    if (std::get<0>(ids) != std::get<1>(ids))
      return after->emitError("the rewrite changed the program: result #")
             << index << " is another expression than before";
  return success();
}

} // namespace pebble
