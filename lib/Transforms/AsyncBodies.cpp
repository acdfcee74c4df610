//===- AsyncBodies.cpp - what may run beside runs at once -----------------===//
//
// The dialect says that to run a body before what follows it is a legal way to
// run it. Then whoever waits for it need not wait.
//
//===----------------------------------------------------------------------===//

#include "AsyncBodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

static bool isAsync(Type type) {
  return isa<async::TokenType, async::ValueType, async::GroupType>(type);
}

static bool holdsAsync(Type type) {
  return type
      .walk([](Type inner) {
        return isAsync(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if `op` is one that goes away where bodies run at once.
static bool isStarted(Operation *op) {
  return isa<async::ExecuteOp, async::AwaitOp, async::CreateGroupOp,
             async::AddToGroupOp, async::AwaitAllOp>(op);
}

/// A body that waits for a group which stands outside of it waits for what may
/// stand behind that body.
static bool waitsBeyondBody(Operation *op) {
  auto body = op->getParentOfType<async::ExecuteOp>();
  if (!body || isa<async::AddToGroupOp>(op))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<async::GroupType>(operand.getType()) &&
           !body->isProperAncestor(operand.getParentBlock()->getParentOp()) &&
           operand.getParentBlock() != body.getBody();
  });
}

/// True if `op` hands on values as they are: control flow and calls of what is
/// here to be seen.
static bool handsOn(Operation *op, SymbolTableCollection &symbols) {
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto callee = dyn_cast_if_present<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    return isa<func::CallOp, async::CallOp>(op) && callee &&
           !callee.isExternal();
  }
  return isa<RegionBranchOpInterface, BranchOpInterface, async::ReturnOp,
             async::YieldOp>(op) ||
         op->hasTrait<OpTrait::ReturnLike>() ||
         isa<RegionBranchTerminatorOpInterface>(op);
}

/// True if `op` has nothing to do with what runs beside it, or does no more
/// than start a body, wait, count in groups, and hand such values on.
static bool canRunAtOnce(Operation *op, SymbolTableCollection &symbols) {
  const bool isKnown = isStarted(op) || isa<async::FuncOp>(op);
  const bool isOfAsync = op->getName().getDialectNamespace() == "async";
  if (waitsBeyondBody(op))
    return false;
  if (auto execute = dyn_cast<async::ExecuteOp>(op))
    return llvm::all_of(execute.getBodyOperands(), [](Value operand) {
      return isa<async::ValueType>(operand.getType());
    });
  // The number of what is added is that of all before it.
  if (auto add = dyn_cast<async::AddToGroupOp>(op))
    return add.getRank().use_empty();
  auto areAll = [&](auto types, auto isSuch) {
    return llvm::all_of(types, isSuch);
  };
  auto isPlain = [](Type type) { return !holdsAsync(type); };
  auto isWhole = [](Type type) { return isAsync(type) || !holdsAsync(type); };
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return isa<func::FuncOp, async::FuncOp>(op)
               ? areAll(function.getArgumentTypes(), isWhole) &&
                     areAll(function.getResultTypes(), isWhole) &&
                     !(function.isExternal() &&
                       holdsAsync(function.getFunctionType()))
               : true;
  if (isKnown)
    return true;
  if (areAll(op->getOperandTypes(), isPlain) &&
      areAll(op->getResultTypes(), isPlain))
    return !isOfAsync || handsOn(op, symbols);
  return areAll(op->getOperandTypes(), isWhole) &&
         areAll(op->getResultTypes(), isWhole) && handsOn(op, symbols);
}

/// What is to come is there: a value is what it will be, and a token or a group
/// says nothing any more.
static void replaceTypes(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](async::ValueType type) -> std::optional<Type> {
    return type.getValueType();
  });
  auto bit = IntegerType::get(module.getContext(), 1);
  replacer.addReplacement(
      [bit](async::TokenType) -> std::optional<Type> { return bit; });
  replacer.addReplacement(
      [bit](async::GroupType) -> std::optional<Type> { return bit; });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// An asynchronous function is one that has run when it returns. Its token is
/// not among what it says that it returns.
static void replaceFunction(async::FuncOp function, RewriterBase &rewriter) {
  auto type = cast<FunctionType>(function.getFunctionType());
  rewriter.setInsertionPoint(function);
  auto made = func::FuncOp::create(rewriter, function.getLoc(),
                                   function.getSymName(), type);
  made->setDiscardableAttrs(function->getDiscardableAttrDictionary());
  SymbolTable::setSymbolVisibility(made,
                                   SymbolTable::getSymbolVisibility(function));
  made.getBody().takeBody(function.getBody());
  SmallVector<async::ReturnOp> returns;
  made.walk([&](async::ReturnOp op) { returns.push_back(op); });
  for (async::ReturnOp op : returns) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> values(op.getOperands());
    if (values.size() < type.getNumResults())
      values.insert(values.begin(),
                    arith::ConstantIntOp::create(rewriter, op.getLoc(), 1, 1));
    rewriter.replaceOpWithNewOp<func::ReturnOp>(op, values);
  }
  rewriter.eraseOp(function);
}

namespace {
/// Puts bodies where the operations stand that started them.
class Runner {
public:
  explicit Runner(RewriterBase &rewriter) : rewriter(rewriter) {}

  void run(ArrayRef<Operation *> ops) {
    for (Operation *op : ops) {
      if (auto execute = dyn_cast<async::ExecuteOp>(op))
        inlineBody(execute);
      else if (auto wait = dyn_cast<async::AwaitOp>(op))
        if (Value result = wait.getResult())
          given[result] = find(wait.getOperand());
    }
    for (Operation *op : ops)
      for (Value result : op->getResults())
        replace(result);
    // Users stand behind what they use.
    for (Operation *op : llvm::reverse(ops))
      rewriter.eraseOp(op);
  }

private:
  /// What came of a value that was to come; it may be what a wait inside of the
  /// body gives.
  Value find(Value value) const {
    while (Value next = given.lookup(value))
      value = next;
    return value;
  }

  void inlineBody(async::ExecuteOp execute) {
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
  }

  void replace(Value result) {
    if (Value value = find(result); value != result)
      return rewriter.replaceAllUsesWith(result, value);
    Operation *op = result.getDefiningOp();
    if (llvm::all_of(result.getUsers(), isStarted))
      return;
    rewriter.setInsertionPoint(op);
    rewriter.replaceAllUsesWith(
        result,
        arith::ConstantIntOp::create(rewriter, op->getLoc(), 1, 1).getResult());
  }

  RewriterBase &rewriter;
  DenseMap<Value, Value> given;
};
} // namespace

void pebble::runAsyncBodiesAtOnce(ModuleOp module, RewriterBase &rewriter) {
  SmallVector<Operation *> ops, calls;
  SmallVector<async::FuncOp> functions;
  SymbolTableCollection symbols;
  bool canRun = true, isAny = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    canRun &= canRunAtOnce(op, symbols);
    isAny |= op->getName().getDialectNamespace() == "async";
    if (isStarted(op))
      ops.push_back(op);
    else if (isa<async::CallOp>(op))
      calls.push_back(op);
    else if (auto function = dyn_cast<async::FuncOp>(op))
      functions.push_back(function);
  });
  if (!canRun || !isAny)
    return;
  replaceTypes(module);
  for (Operation *op : calls) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<func::CallOp>(
        op, cast<async::CallOp>(op).getCallee(), op->getResultTypes(),
        op->getOperands());
  }
  for (async::FuncOp function : functions)
    replaceFunction(function, rewriter);
  Runner(rewriter).run(ops);
}
