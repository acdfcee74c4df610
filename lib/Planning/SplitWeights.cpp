//===- SplitWeights.cpp - gradients of weights as tasks of their own ------===//

#include "SplitWeights.h"

#include "pebble/Analysis/Effects.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

LateOps findLateOps(StagedStep &step, unsigned stage) {
  LateOps late;
  func::CallOp call = step.stages[stage].backward;
  Operation *end = step.getBody().getTerminator();
  const StageTask task{stage, /*isBackward=*/true};
  auto isLate = [&](Value value) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      Operation *reader = step.getBody().findAncestorOpInBlock(*user);
      return reader == end || late.ops.contains(reader);
    });
  };
  for (Operation &op : llvm::reverse(step.getBody().without_terminator())) {
    auto found = step.tasks.find(&op);
    if (found != step.tasks.end() && found->second == task && &op != call &&
        llvm::all_of(op.getResults(), isLate))
      late.ops.insert(&op);
  }
  for (Value result : call.getResults())
    late.results.push_back(isLate(result));
  return late;
}

namespace {

/// Divides the operations of a backward function, and writes both parts.
class WeightSplitter {
public:
  WeightSplitter(func::FuncOp backward, const BitVector &late)
      : backward(backward), body(backward.getBody().front()),
        end(body.getTerminator()), late(late) {}

  /// Why there are no two parts; empty if there are.
  std::string divide(const AnalysisOptions &options) {
    ProgramContext context(options);
    for (Operation &op : body.without_terminator()) {
      OpEffects effects = collectEffects(&op, context);
      if (!effects.barrier.empty() ||
          llvm::any_of(effects.accesses, [](const MemoryAccess &access) {
            return access.isWrite &&
                   !(access.value && isa<TensorType>(access.value.getType()));
          }))
        return "'" + op.getName().getStringRef().str() +
               "' in it has effects, whose order a split would change";
      if (llvm::all_of(getAllOperands(&op), [&](Value operand) {
            return free.contains(operand.getDefiningOp());
          }))
        free.insert(&op);
    }
    if (late.none())
      return "others wait for all of its results";
    for (auto [index, value] : llvm::enumerate(end->getOperands()))
      if (!late.test(index))
        need(value, early);
    if (!hasWork(early))
      return "nobody waits for any of its results";
    for (auto [index, value] : llvm::enumerate(end->getOperands()))
      if (late.test(index))
        needLate(value);
    return hasWork(rest) ? "" : "others wait for all that it computes";
  }

  BackwardParts write(SymbolTable &symbols) {
    BackwardParts parts;
    parts.numHeld = held.size();
    for (unsigned i = 0, e = end->getNumOperands(); i != e; ++i)
      (late.test(i) ? parts.weightResults : parts.firstResults).push_back(i);
    llvm::SetVector<Value> none;
    parts.first = writePart(".first", early, parts.firstResults, none, held,
                            parts.firstArguments);
    parts.weights = writePart(".weights", rest, parts.weightResults, held, none,
                              parts.weightArguments);
    // Who takes an argument last may overwrite it.
    for (auto [place, argument] : llvm::enumerate(parts.firstArguments))
      if (llvm::is_contained(parts.weightArguments, argument))
        parts.first.setArgAttrs(place, ArrayRef<NamedAttribute>());
    for (func::FuncOp part : {parts.weights, parts.first})
      symbols.insert(part, std::next(Block::iterator(backward)));
    return parts;
  }

private:
  using Ops = llvm::DenseSet<Operation *>;

  bool hasWork(const Ops &ops) const {
    return llvm::any_of(ops, [&](Operation *op) { return !free.contains(op); });
  }

  /// Adds all that `value` is made of.
  void need(Value value, Ops &ops) {
    Operation *maker = value.getDefiningOp();
    if (!maker || !ops.insert(maker).second)
      return;
    for (Value operand : getAllOperands(maker))
      need(operand, ops);
  }

  /// The same, as far as the first part has not made it. What is made of
  /// nothing is made twice.
  void needLate(Value value) {
    Operation *maker = value.getDefiningOp();
    if (!maker)
      return;
    if (early.contains(maker) && !free.contains(maker)) {
      held.insert(value);
      return;
    }
    if (!rest.insert(maker).second)
      return;
    for (Value operand : getAllOperands(maker))
      needLate(operand);
  }

  /// A function of `ops`. It takes the arguments of the backward function that
  /// it needs, and then `more`; it gives results of these numbers, and then
  /// `handed`.
  func::FuncOp writePart(StringRef suffix, const Ops &ops,
                         ArrayRef<unsigned> results,
                         const llvm::SetVector<Value> &more,
                         const llvm::SetVector<Value> &handed,
                         SmallVector<unsigned> &arguments) {
    SmallVector<Value> given;
    for (unsigned number : results)
      given.push_back(end->getOperand(number));
    llvm::append_range(given, handed);
    llvm::DenseSet<Value> read(given.begin(), given.end());
    for (Operation *op : ops)
      for (Value operand : getAllOperands(op))
        read.insert(operand);
    SmallVector<Value> taken;
    SmallVector<DictionaryAttr> attributes;
    for (BlockArgument argument : backward.getArguments())
      if (read.contains(argument)) {
        arguments.push_back(argument.getArgNumber());
        attributes.push_back(backward.getArgAttrDict(argument.getArgNumber()));
        taken.push_back(argument);
      }
    llvm::append_range(taken, more);
    OpBuilder builder(backward.getContext());
    auto part = func::FuncOp::create(
        backward.getLoc(), (backward.getName() + suffix).str(),
        builder.getFunctionType(TypeRange(ValueRange(taken)),
                                TypeRange(ValueRange(given))));
    part.setPrivate();
    for (auto [place, all] : llvm::enumerate(attributes))
      part.setArgAttrs(place, all);
    for (auto [place, number] : llvm::enumerate(results))
      part.setResultAttrs(place, backward.getResultAttrDict(number));
    Block *block = part.addEntryBlock();
    builder.setInsertionPointToStart(block);
    IRMapping mapping;
    mapping.map(ValueRange(taken), block->getArguments());
    for (Operation &op : body.without_terminator())
      if (ops.contains(&op))
        builder.clone(op, mapping);
    SmallVector<Value> returned;
    for (Value value : given)
      returned.push_back(mapping.lookup(value));
    func::ReturnOp::create(builder, end->getLoc(), returned);
    return part;
  }

  func::FuncOp backward;
  Block &body;
  Operation *end;
  const BitVector &late;
  /// Made of nothing; of the first part; of the second.
  Ops free, early, rest;
  llvm::SetVector<Value> held;
};

} // namespace

std::optional<BackwardParts> splitBackward(func::FuncOp backward,
                                           const BitVector &late,
                                           SymbolTable &symbols,
                                           const AnalysisOptions &options,
                                           std::string &why) {
  WeightSplitter splitter(backward, late);
  why = splitter.divide(options);
  if (!why.empty())
    return std::nullopt;
  return splitter.write(symbols);
}

} // namespace pebble
