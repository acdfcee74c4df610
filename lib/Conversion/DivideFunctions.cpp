//===- DivideFunctions.cpp - the pass pebble-divide-functions -------------===//
//
// Code generators take some kilobytes for each operation of a function, all at
// once. So a long straight function becomes one that calls its parts. It is cut
// where the fewest values cross.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "Kernels.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace pebble {
#define GEN_PASS_DEF_DIVIDEFUNCTIONSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// Divides one function whose body is one block.
class Divider {
public:
  Divider(func::FuncOp function, SymbolTable &symbols, size_t length)
      : function(function), block(function.getFunctionBody().front()),
        symbols(symbols), length(length) {}

  void run() {
    collect();
    countCrossing();
    size_t from = 0;
    // What is left over stays with the last part.
    while (ops.size() - from > 2 * length) {
      const size_t to = findCut(from);
      if (to == ops.size())
        break;
      cuts.push_back({from, to});
      from = to;
    }
    if (cuts.empty())
      return;
    cuts.push_back({from, ops.size()});
    for (auto [begin, end] : cuts)
      takeOut(begin, end);
    for (Operation &op : llvm::make_early_inc_range(block))
      if (isConstant(&op) && op.use_empty())
        op.erase();
  }

private:
  /// More values than that are dearer to hand over than a long function is.
  static constexpr int64_t kMaxCrossing = 256;

  static bool isConstant(Operation *op) {
    return op && op->hasTrait<OpTrait::ConstantLike>();
  }

  /// Constants stay where they are: each part makes those anew that it uses.
  void collect() {
    for (Operation &op : block)
      if (!isConstant(&op)) {
        positions[&op] = ops.size();
        ops.push_back(&op);
      }
    ops.pop_back(); // the terminator
  }

  size_t getPosition(Operation *user) const {
    return positions.lookup(block.findAncestorOpInBlock(*user));
  }

  size_t getLastUse(Value value, size_t position) const {
    for (Operation *user : value.getUsers())
      position = std::max(position, getPosition(user));
    return position;
  }

  /// How many values cross the place before each operation.
  void countCrossing() {
    crossing.assign(ops.size() + 1, 0);
    auto add = [&](Value value, size_t made) {
      const size_t last = getLastUse(value, made);
      if (last > made) {
        ++crossing[made + 1];
        if (last + 1 < crossing.size())
          --crossing[last + 1];
      }
    };
    for (auto [position, op] : llvm::enumerate(ops))
      for (Value result : op->getResults())
        add(result, position);
    for (size_t i = 1; i < crossing.size(); ++i)
      crossing[i] += crossing[i - 1];
  }

  /// Where the part from `from` on ends: after `length` operations or up to
  /// twice as many, where the fewest values cross; later if those are many.
  size_t findCut(size_t from) const {
    size_t best = from + length;
    for (size_t i = best; i < ops.size(); ++i) {
      if (i > from + 2 * length && crossing[best] <= kMaxCrossing)
        break;
      if (crossing[i] < crossing[best])
        best = i;
    }
    return crossing[best] <= kMaxCrossing ? best : ops.size();
  }

  void takeOut(size_t begin, size_t end) {
    llvm::SetVector<Value> inputs;
    llvm::SetVector<Operation *> constants;
    SmallVector<Value> results;
    ArrayRef<Operation *> part = ArrayRef(ops).slice(begin, end - begin);
    auto isInside = [&](Operation *op) {
      const size_t position = getPosition(op);
      return position >= begin && position < end;
    };
    for (Operation *op : part) {
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (operand.getParentBlock() != &block)
            continue;
          else if (Operation *maker = operand.getDefiningOp();
                   isConstant(maker))
            constants.insert(maker);
          else if (!maker || !isInside(maker))
            inputs.insert(operand);
      });
      for (Value result : op->getResults())
        if (!llvm::all_of(result.getUsers(), isInside))
          results.push_back(result);
    }
    OpBuilder builder(function);
    auto type = builder.getFunctionType(
        llvm::to_vector(ValueRange(inputs.getArrayRef()).getTypes()),
        llvm::to_vector(ValueRange(results).getTypes()));
    auto made =
        func::FuncOp::create(builder, part.front()->getLoc(),
                             (function.getName() + ".part").str(), type);
    made.setPrivate();
    made->setAttr(kPartAttr, builder.getUnitAttr());
    symbols.insert(made, std::next(Block::iterator(function)));
    Block *body = made.addEntryBlock();
    builder.setInsertionPoint(part.front());
    auto call = func::CallOp::create(builder, made.getLoc(), made,
                                     inputs.getArrayRef());
    for (Operation *op : part)
      op->moveBefore(body, body->end());
    builder.setInsertionPointToStart(body);
    auto isInPart = [&](OpOperand &use) {
      return made->isAncestor(use.getOwner());
    };
    for (Operation *op : constants)
      op->replaceUsesWithIf(builder.clone(*op), isInPart);
    builder.setInsertionPointToEnd(body);
    func::ReturnOp::create(builder, made.getLoc(), results);
    for (auto [index, input] : llvm::enumerate(inputs.getArrayRef()))
      Value(input).replaceUsesWithIf(body->getArgument(index), isInPart);
    for (auto [result, value] : llvm::zip(results, call.getResults()))
      result.replaceUsesWithIf(value,
                               [&](OpOperand &use) { return !isInPart(use); });
  }

  func::FuncOp function;
  Block &block;
  SymbolTable &symbols;
  const size_t length;
  std::vector<Operation *> ops;
  llvm::DenseMap<Operation *, size_t> positions;
  std::vector<int64_t> crossing;
  std::vector<std::pair<size_t, size_t>> cuts;
};

struct DivideFunctionsPass
    : pebble::impl::DivideFunctionsPassBase<DivideFunctionsPass> {
  using DivideFunctionsPassBase::DivideFunctionsPassBase;

  void runOnOperation() override {
    if (length <= 0) {
      emitError(getOperation().getLoc())
          << "'length' takes a number of operations, above 0, but is "
          << length.getValue();
      return signalPassFailure();
    }
    bool isDivided = false;
    for (ModuleOp module : getModules(getOperation())) {
      SymbolTable symbols(module);
      for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
        if (isLong(function)) {
          Divider(function, symbols, length).run();
          isDivided = true;
        }
    }
    if (!isDivided)
      remarkOnNothing(getOperation(), getArgument(),
                      "there is no function of one block with more than " +
                          std::to_string(2 * length) +
                          " operations, none of which takes memory on the "
                          "stack");
  }

private:
  static bool usesStack(Operation *op) {
    if (isa<LLVM::AllocaOp, LLVM::StackSaveOp, LLVM::StackRestoreOp>(op))
      return true;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    SmallVector<MemoryEffects::EffectInstance> all;
    if (effects)
      effects.getEffects(all);
    return llvm::any_of(all, [](const MemoryEffects::EffectInstance &effect) {
      return isa<SideEffects::AutomaticAllocationScopeResource>(
          effect.getResource());
    });
  }

  /// What lies on the stack goes with the function that put it there.
  bool isLong(func::FuncOp function) {
    if (function.isExternal() || !function.getFunctionBody().hasOneBlock() ||
        function.getFunctionBody().front().getOperations().size() <=
            2 * size_t(length))
      return false;
    return !function
                .walk([](Operation *op) {
                  return usesStack(op) ? WalkResult::interrupt()
                                       : WalkResult::advance();
                })
                .wasInterrupted();
  }
};
} // namespace
