//===- CallEquivalence.cpp - the same program, calls and all --------------===//

#include "pebble/Planning/CallEquivalence.h"

#include "Expressions.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/RunAgain.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

#include <map>

using namespace mlir;

namespace pebble {

namespace {
class Execution {
public:
  using Id = ExpressionTable::Id;

  explicit Execution(ExpressionTable &table) : table(table) {}

  /// What happened, with the operation, in order.
  std::vector<std::pair<Id, Operation *>> effects;
  /// A function that calls itself cannot be run to its end.
  Operation *endless = nullptr;

  std::vector<Id> run(func::FuncOp function, const std::vector<Id> &arguments) {
    auto known = results.find({function, arguments});
    if (known != results.end())
      return known->second;
    if (!running.insert(function).second) {
      endless = function;
      return std::vector<Id>(function.getNumResults(), 0);
    }
    const size_t before = effects.size();
    Block &body = function.getBody().front();
    llvm::DenseMap<Value, Id> values;
    for (auto [argument, id] : llvm::zip(body.getArguments(), arguments))
      values[argument] = id;
    for (Operation &op : body.without_terminator())
      runOp(op, values);
    std::vector<Id> returned;
    for (Value value : body.getTerminator()->getOperands())
      returned.push_back(values.lookup(value));
    running.erase(function);
    if (effects.size() == before && !readsMemory.contains(function))
      results[{function, arguments}] = returned;
    return returned;
  }

private:
  ExpressionTable &table;
  ProgramContext context;
  std::map<std::pair<Operation *, std::vector<Id>>, std::vector<Id>> results;
  llvm::DenseSet<Operation *> running;
  /// Regions around what runs.
  uint64_t depth = 0;
  /// Functions whose results may differ from call to call.
  llvm::DenseSet<Operation *> readsMemory;

  void runOp(Operation &op, llvm::DenseMap<Value, Id> &values) {
    if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee =
              dyn_cast_if_present<func::FuncOp>(context.resolveCallee(call)))
        if (!callee.isExternal() && callee.getBody().hasOneBlock())
          return runCall(call, callee, values);
    auto lookup = [&](OpOperand &operand) -> Id {
      // A destination that is overwritten matters by its type alone.
      if (isa<TensorType>(operand.get().getType()) && !readsContent(operand))
        return table.get(ExpressionTable::Undefined,
                         toWord(operand.get().getType()));
      return values.lookup(operand.get());
    };
    SmallVector<uint64_t> words;
    addIdentity(&op, words);
    for (OpOperand &operand : op.getOpOperands())
      words.push_back(lookup(operand));
    for (Type type : op.getResultTypes())
      words.push_back(toWord(type));
    for (Region &region : op.getRegions())
      words.push_back(runRegion(region, values));
    bool mayDiffer = depends(op);
    if (mayDiffer) {
      words.push_back(effects.size());
      for (Operation *function : running)
        readsMemory.insert(function);
    }
    Id id = table.get(ExpressionTable::Operation, words);
    if (mayDiffer && hasEffects(op))
      effects.push_back({id, &op});
    for (OpResult result : op.getResults())
      values[result] = table.get(ExpressionTable::Result,
                                 {id, uint64_t(result.getResultNumber())});
  }

  /// What a region does, given its arguments and what it captures.
  Id runRegion(Region &region, llvm::DenseMap<Value, Id> &values) {
    if (!region.hasOneBlock())
      return getRegionExpression(region, table, [&](OpOperand &operand) {
        return values.lookup(operand.get());
      });
    Block &block = region.front();
    SmallVector<uint64_t> words;
    ++depth;
    for (BlockArgument argument : block.getArguments()) {
      words.push_back(toWord(argument.getType()));
      values[argument] = table.get(ExpressionTable::Argument,
                                   {depth, uint64_t(argument.getArgNumber()),
                                    toWord(argument.getType())});
    }
    // Effects inside are counted from where the region begins; those of the
    // whole op are its own.
    auto outer = std::exchange(effects, {});
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>())
        runOp(op, values);
    for (const auto &effect : effects)
      words.push_back(effect.first);
    words.push_back(effects.size());
    effects = std::move(outer);
    Operation *end = block.empty() ? nullptr : &block.back();
    if (end && end->hasTrait<OpTrait::IsTerminator>()) {
      addIdentity(end, words);
      for (Value operand : end->getOperands())
        words.push_back(values.lookup(operand));
      for (Region &inner : end->getRegions())
        words.push_back(runRegion(inner, values));
    }
    --depth;
    return table.get(ExpressionTable::Region, words);
  }

  void runCall(func::CallOp call, func::FuncOp callee,
               llvm::DenseMap<Value, Id> &values) {
    std::vector<Id> arguments;
    for (Value operand : call.getOperands())
      arguments.push_back(values.lookup(operand));
    std::vector<Id> returned = run(callee, arguments);
    if (readsMemory.contains(callee))
      for (Operation *function : running)
        readsMemory.insert(function);
    for (auto [result, id] : llvm::zip(call.getResults(), returned))
      values[result] = id;
  }

  /// Whether what happened before matters to `op`.
  bool depends(Operation &op) {
    OpEffects found = collectEffects(&op, context);
    return !found.barrier.empty() || !found.accesses.empty() ||
           findStateMover(&op, context) ||
           llvm::any_of(op.getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  }

  bool hasEffects(Operation &op) {
    OpEffects found = collectEffects(&op, context);
    return !found.barrier.empty() || findStateMover(&op, context) ||
           llvm::any_of(
               found.accesses,
               [](const MemoryAccess &access) { return access.isWrite; }) ||
           llvm::any_of(op.getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  }
};
} // namespace

/// Where `values` begin.
static std::vector<ExpressionTable::Id> getArguments(func::FuncOp function,
                                                     ExpressionTable &table) {
  std::vector<ExpressionTable::Id> arguments;
  for (Type type : function.getArgumentTypes())
    arguments.push_back(table.get(ExpressionTable::Argument,
                                  {uint64_t(arguments.size()), toWord(type)}));
  return arguments;
}

LogicalResult checkCallEquivalence(func::FuncOp before, func::FuncOp after) {
  ExpressionTable table;
  Execution first(table), second(table);
  if (before.getFunctionType() != after.getFunctionType())
    return after.emitError("this function had another type before");
  auto expected = first.run(before, getArguments(before, table));
  auto found = second.run(after, getArguments(after, table));
  if (first.endless || second.endless)
    return after.emitError("this function cannot be compared with what it was: "
                           "it calls a function that calls itself");
  Operation *end = after.getBody().front().getTerminator();
  for (size_t i = 0; i != expected.size(); ++i)
    if (expected[i] != found[i])
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
  return success();
}

} // namespace pebble
