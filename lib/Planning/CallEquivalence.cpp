//===- CallEquivalence.cpp - the same program, calls and all --------------===//

#include "pebble/Planning/CallEquivalence.h"

#include "Expressions.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Analysis/RunAgain.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

#include <map>

using namespace mlir;

namespace pebble {

namespace {
class Execution {
public:
  using Id = ExpressionTable::Id;

  Execution(ExpressionTable &table, const AnalysisOptions &options)
      : table(table), context(options) {}

  /// What happened, with the operation, in order.
  std::vector<std::pair<Id, Operation *>> effects;
  /// A function that calls itself cannot be run to its end.
  Operation *endless = nullptr;

  std::vector<Id> run(func::FuncOp function, const std::vector<Id> &arguments) {
    // What regions of the function are depends on how deep it is called.
    auto known = results.find({function, depth, arguments});
    if (known != results.end())
      return known->second;
    if (!running.insert(function).second) {
      endless = function;
      return std::vector<Id>(function.getNumResults(), 0);
    }
    const size_t before = effects.size();
    Block &body = function.getBody().front();
    llvm::DenseMap<Value, Id> values;
    // Only where a comparison begins: calls of such functions are not looked
    // into.
    if (!function.getBody().hasOneBlock())
      return {runRegion(function.getBody(), values)};
    for (auto [argument, id] : llvm::zip(body.getArguments(), arguments))
      values[argument] = id;
    for (Operation &op : body.without_terminator())
      runOp(op, values);
    std::vector<Id> returned;
    for (Value value : body.getTerminator()->getOperands())
      returned.push_back(values.lookup(value));
    running.erase(function);
    if (effects.size() == before && !readsMemory.contains(function))
      results[{function, depth, arguments}] = returned;
    return returned;
  }

private:
  ExpressionTable &table;
  ProgramContext context;
  std::map<std::tuple<Operation *, uint64_t, std::vector<Id>>, std::vector<Id>>
      results;
  llvm::DenseSet<Operation *> running;
  /// Regions around what runs.
  uint64_t depth = 0;
  /// Which block runs, and what had happened when it began. Effects are counted
  /// from there.
  Id epoch = 0;
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
      words.push_back(epoch);
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
      }
    for (Block *block : blocks)
      numbers.try_emplace(block, numbers.size());
    for (Block *block : blocks)
      runBlock(*block, numbers, values, words);
    --depth;
    return table.get(ExpressionTable::Region, words);
  }

  /// Adds to `words` what a block of a region does.
  void runBlock(Block &block, llvm::DenseMap<Block *, uint64_t> &numbers,
                llvm::DenseMap<Value, Id> &values,
                SmallVectorImpl<uint64_t> &words) {
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
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>())
        runOp(op, values);
    for (const auto &effect : effects)
      words.push_back(effect.first);
    words.push_back(effects.size());
    effects = std::move(outer);
    epoch = outerEpoch;
    Operation *end = block.empty() ? nullptr : &block.back();
    if (!end || !end->hasTrait<OpTrait::IsTerminator>())
      return;
    addIdentity(end, words);
    for (Value operand : end->getOperands())
      words.push_back(values.lookup(operand));
    for (Block *successor : end->getSuccessors())
      words.push_back(numbers[successor]);
    for (Region &inner : end->getRegions())
      words.push_back(runRegion(inner, values));
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
    return !found.barrier.empty() ||
           !llvm::all_of(found.accesses,
                         [&](const MemoryAccess &access) {
                           return readsConstant(&op, access);
                         }) ||
           collectHiddenEffects(&op, context).runsOnce || makesBuffer(op);
  }

  bool hasEffects(Operation &op) {
    OpEffects found = collectEffects(&op, context);
    return !found.barrier.empty() ||
           collectHiddenEffects(&op, context).runsOnce ||
           llvm::any_of(
               found.accesses,
               [](const MemoryAccess &access) { return access.isWrite; }) ||
           makesBuffer(op);
  }

  /// The name of a global is the same each time.
  static bool makesBuffer(Operation &op) {
    return !isa<memref::GetGlobalOp>(op) &&
           llvm::any_of(op.getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  }

  bool readsConstant(Operation *op, const MemoryAccess &access) {
    return !access.isWrite && access.symbol &&
           isConstantGlobal(op, access.symbol, context);
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

LogicalResult checkCallEquivalence(func::FuncOp before, func::FuncOp after,
                                   const AnalysisOptions &options) {
  ExpressionTable table;
  Execution first(table, options), second(table, options);
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
