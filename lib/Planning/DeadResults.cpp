//===- DeadResults.cpp - regions without results nobody uses --------------===//

#include "DeadResults.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

bool isDivisible(Operation *op, ProgramContext &context) {
  if (!isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::ExecuteRegionOp,
           scf::IndexSwitchOp>(op))
    return false;
  OpEffects effects = collectEffects(op, context);
  return effects.barrier.empty() && effects.accesses.empty() &&
         !collectHiddenEffects(op, context).runsOnce;
}

namespace {
/// What some values rest on, through divisible ops result by result.
class Needs {
public:
  explicit Needs(ProgramContext &context) : context(context) {}

  void add(Value value) {
    push(value);
    while (!open.empty()) {
      Value next = open.pop_back_val();
      enter(next.getParentBlock());
      if (auto argument = dyn_cast<BlockArgument>(next))
        addArgument(argument);
      else
        addResult(cast<OpResult>(next));
    }
  }
  bool has(Value value) const { return needed.contains(value); }
  /// Whether result `number` of `op` stays: what a loop carries does with it.
  bool hasResult(Operation *op, unsigned number) const {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return has(loop.getRegionIterArgs()[number]);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return has(loop.getResult(number)) ||
             has(loop.getAfterArguments()[number]);
    return has(op->getResult(number));
  }
  bool divides(Operation *op) {
    auto [known, isNew] = divisible.try_emplace(op, false);
    if (isNew)
      known->second = isDivisible(op, context);
    return known->second;
  }

private:
  ProgramContext &context;
  llvm::DenseSet<Value> needed;
  llvm::SmallPtrSet<Block *, 8> entered;
  llvm::DenseMap<Operation *, bool> divisible;
  SmallVector<Value> open;

  void push(Value value) {
    if (needed.insert(value).second)
      open.push_back(value);
  }

  /// Whether, and how often, `block` runs.
  void enter(Block *block) {
    Operation *parent = block->getParentOp();
    if (!entered.insert(block).second || !parent || !divides(parent))
      return;
    pushControl(parent);
    if (parent->getBlock())
      enter(parent->getBlock());
  }

  void pushControl(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        push(bound);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      push(loop.getConditionOp().getCondition());
    } else {
      for (Value operand : op->getOperands())
        push(operand);
      // Which of several blocks runs.
      for (Region &region : op->getRegions())
        if (!region.empty() && !region.hasOneBlock())
          for (Block &block : region)
            for (Value operand : block.getTerminator()->getOperands())
              push(operand);
    }
  }

  void addResult(OpResult result) {
    Operation *op = result.getOwner();
    const unsigned number = result.getResultNumber();
    if (!divides(op)) {
      for (Value operand : op->getOperands())
        push(operand);
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(op->getRegions(), captured);
      for (Value value : captured)
        push(value);
      return;
    }
    pushControl(op);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      push(loop.getRegionIterArgs()[number]);
      return;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      push(loop.getConditionOp().getArgs()[number]);
      return;
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (auto end = dyn_cast<scf::YieldOp>(block.getTerminator()))
          push(end.getOperand(number));
  }

  void addArgument(BlockArgument argument) {
    Block *block = argument.getOwner();
    Operation *op = block->getParentOp();
    const unsigned number = argument.getArgNumber();
    if (!op || !divides(op))
      return;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (argument == loop.getInductionVar())
        return;
      push(loop.getInitArgs()[number - 1]);
      push(loop.getBody()->getTerminator()->getOperand(number - 1));
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      if (block == loop.getAfterBody()) {
        push(loop.getConditionOp().getArgs()[number]);
        return;
      }
      push(loop.getInits()[number]);
      push(loop.getYieldOp().getOperand(number));
    }
  }
};

/// Rewrites divisible ops so that what `needs` has is left.
class Eraser {
public:
  Eraser(Needs &needs) : needs(needs) {}

  /// From the end, so that users go before what they use. `isAll`: nothing in
  /// the block has effects.
  void run(Block &block, bool isAll) {
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(block.getOperations()))) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        continue;
      if (isAll && op.use_empty())
        op.erase();
      else if (needs.divides(&op))
        run(&op);
    }
  }

  Operation *run(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return runFor(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return runWhile(loop);
    llvm::BitVector dead = getDeadResults(op);
    Operation *made = rebuild(op, dead, {});
    for (Region &region : made->getRegions())
      for (Block &block : region)
        if (auto end = dyn_cast<scf::YieldOp>(block.getTerminator()))
          end->eraseOperands(dead);
    runRegions(made);
    return made;
  }

private:
  Needs &needs;

  llvm::BitVector getDeadResults(Operation *op) {
    llvm::BitVector dead(op->getNumResults());
    for (unsigned i = 0; i != dead.size(); ++i)
      dead[i] = !needs.hasResult(op, i);
    return dead;
  }

  llvm::BitVector getDead(ValueRange values) {
    llvm::BitVector dead(values.size());
    for (auto [index, value] : llvm::enumerate(values))
      dead[index] = !needs.has(value);
    return dead;
  }

  void runRegions(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : llvm::reverse(region))
        run(block, /*isAll=*/true);
  }

  /// `op` without some results and operands, in its place. Its regions are
  /// those of `op`.
  static Operation *rebuild(Operation *op, const llvm::BitVector &results,
                            const llvm::BitVector &operands) {
    if (results.none() && operands.none())
      return op;
    OpBuilder builder(op);
    OperationState state(op->getLoc(), op->getName());
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (index >= operands.size() || !operands[index])
        state.addOperands(operand);
    for (OpResult result : op->getResults())
      if (!results[result.getResultNumber()])
        state.addTypes(result.getType());
    state.addAttributes(op->getAttrs());
    for (unsigned i = 0, e = op->getNumRegions(); i != e; ++i)
      state.addRegion();
    Operation *made = builder.create(state);
    for (auto [region, old] : llvm::zip(made->getRegions(), op->getRegions()))
      region.takeBody(old);
    unsigned next = 0;
    for (OpResult result : op->getResults())
      if (!results[result.getResultNumber()])
        result.replaceAllUsesWith(made->getResult(next++));
    op->erase();
    return made;
  }

  Operation *runFor(scf::ForOp loop) {
    llvm::BitVector dead = getDeadResults(loop);
    llvm::BitVector behind(loop.getNumControlOperands()), arguments(1);
    for (unsigned i = 0; i != dead.size(); ++i) {
      behind.push_back(dead[i]);
      arguments.push_back(dead[i]);
    }
    Operation *made = rebuild(loop, dead, behind);
    Block &body = made->getRegion(0).front();
    body.getTerminator()->eraseOperands(dead);
    runRegions(made);
    body.eraseArguments(arguments);
    return made;
  }

  Operation *runWhile(scf::WhileOp loop) {
    llvm::BitVector carried = getDead(loop.getBeforeArguments());
    llvm::BitVector passed = getDeadResults(loop);
    auto made = cast<scf::WhileOp>(rebuild(loop, passed, carried));
    llvm::BitVector operands(1);
    for (unsigned i = 0; i != passed.size(); ++i)
      operands.push_back(passed[i]);
    made.getConditionOp()->eraseOperands(operands);
    made.getYieldOp()->eraseOperands(carried);
    runRegions(made);
    made.getBeforeBody()->eraseArguments(carried);
    made.getAfterBody()->eraseArguments(passed);
    return made;
  }
};
} // namespace

OpResult keepResult(Operation *op, unsigned number, ProgramContext &context) {
  Needs needs(context);
  needs.add(op->getResult(number));
  unsigned position = 0;
  for (unsigned i = 0; i != number; ++i)
    position += needs.hasResult(op, i);
  return Eraser(needs).run(op)->getResult(position);
}

void eraseDeadResults(Block &block, ProgramContext &context) {
  Needs needs(context);
  for (Operation &op : block) {
    if (needs.divides(&op))
      continue;
    // What has no users of its own, or effects, is not looked into.
    for (Value operand : op.getOperands())
      needs.add(operand);
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    for (Value value : captured)
      needs.add(value);
  }
  Eraser(needs).run(block, /*isAll=*/false);
}

} // namespace pebble
