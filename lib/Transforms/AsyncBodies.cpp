//===- AsyncBodies.cpp - what may run beside runs at once -----------------===//
//
// The dialect says that to run a body before what follows it is a legal way to
// run it. Then whoever waits for it need not wait.
//
//===----------------------------------------------------------------------===//

#include "AsyncBodies.h"

#include "mlir/Dialect/Async/IR/Async.h"

using namespace mlir;

static bool isAsync(Type type) {
  return isa<async::TokenType, async::ValueType, async::GroupType>(type);
}

/// Whoever waits for a group in another body than the one that made it waits
/// for what may stand behind that body.
static bool waitsWhereMade(async::AwaitAllOp op) {
  auto made = op.getOperand().getDefiningOp<async::CreateGroupOp>();
  return made && made->getParentOfType<async::ExecuteOp>() ==
                     op->getParentOfType<async::ExecuteOp>();
}

/// True if `op` has nothing to do with what runs beside it, or does no more
/// than start a body, wait, and count in groups.
static bool canRunAtOnce(Operation *op) {
  bool isKnown = isa<async::ExecuteOp, async::AwaitOp, async::CreateGroupOp,
                     async::AddToGroupOp, async::AwaitAllOp>(op);
  for (Value operand : op->getOperands())
    if (isAsync(operand.getType()) &&
        !(isKnown && isa_and_present<async::ExecuteOp, async::CreateGroupOp>(
                         operand.getDefiningOp())))
      return false;
  if (auto execute = dyn_cast<async::ExecuteOp>(op))
    return llvm::all_of(execute.getBodyOperands(), [](Value operand) {
      return isa<async::ValueType>(operand.getType());
    });
  if (auto wait = dyn_cast<async::AwaitAllOp>(op))
    return waitsWhereMade(wait);
  // The number of what is added is that of all before it.
  if (auto add = dyn_cast<async::AddToGroupOp>(op))
    return add.getRank().use_empty();
  if (isKnown || isa<async::YieldOp>(op))
    return true;
  return op->getName().getDialectNamespace() != "async" &&
         llvm::none_of(op->getResultTypes(), isAsync);
}

void pebble::runAsyncBodiesAtOnce(ModuleOp module, RewriterBase &rewriter) {
  SmallVector<Operation *> ops;
  bool canRun = true;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    canRun &= canRunAtOnce(op);
    if (isa<async::ExecuteOp, async::AwaitOp, async::CreateGroupOp,
            async::AddToGroupOp, async::AwaitAllOp>(op))
      ops.push_back(op);
  });
  if (!canRun)
    return;
  // What the body gave, for each value that was to come; it may be what a wait
  // inside of it gives.
  DenseMap<Value, Value> given;
  auto find = [&](Value value) {
    while (Value next = given.lookup(value))
      value = next;
    return value;
  };
  for (Operation *op : ops) {
    if (auto execute = dyn_cast<async::ExecuteOp>(op)) {
      Block *body = execute.getBody();
      SmallVector<Value> arguments;
      for (Value operand : execute.getBodyOperands())
        arguments.push_back(find(operand));
      auto yield = cast<async::YieldOp>(body->getTerminator());
      for (auto [result, value] :
           llvm::zip_equal(execute.getBodyResults(), yield.getOperands())) {
        auto argument = dyn_cast<BlockArgument>(value);
        given[result] = argument && argument.getOwner() == body
                            ? arguments[argument.getArgNumber()]
                            : value;
      }
      rewriter.eraseOp(yield);
      rewriter.inlineBlockBefore(body, execute, arguments);
    } else if (auto wait = dyn_cast<async::AwaitOp>(op)) {
      Value result = wait.getResult();
      if (!result)
        continue;
      given[result] = find(wait.getOperand());
      rewriter.replaceAllUsesWith(result, given[result]);
    }
  }
  // Users stand behind what they use.
  for (Operation *op : llvm::reverse(ops))
    rewriter.eraseOp(op);
}
