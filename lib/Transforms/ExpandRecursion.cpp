//===- ExpandRecursion.cpp - the pass pebble-expand-recursion -------------===//
//
// A function that says how deep it calls itself becomes as many functions, each
// of which calls the next. What calls nothing that is under way already can be
// summarised, planned and metered like everything else.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/RunBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"

namespace pebble {
#define GEN_PASS_DEF_EXPANDRECURSIONPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

/// More functions than that are no use to anybody.
static constexpr size_t kMostCopies = 10000;

namespace {
struct ExpandRecursionPass
    : pebble::impl::ExpandRecursionPassBase<ExpandRecursionPass> {
  using ExpandRecursionPassBase::ExpandRecursionPassBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> bounded;
    getOperation().walk([&](func::FuncOp function) {
      if (function->hasAttr(attr::kRecursionDepth))
        bounded.push_back(function);
    });
    for (func::FuncOp function : bounded)
      if (failed(expand(function)))
        return signalPassFailure();
  }

private:
  LogicalResult expand(func::FuncOp function);
  LogicalResult checkResults(func::FuncOp function);
  static void guard(func::CallOp call, int64_t depth);
};
} // namespace

/// `function` and those that it calls and that call it.
static SmallVector<func::FuncOp> getCircle(func::FuncOp function) {
  SmallVector<func::FuncOp> circle;
  for (Operation *op : getCallees(function)) {
    auto callee = dyn_cast<func::FuncOp>(op);
    if (!callee || callee == function)
      continue;
    if (getCallees(callee).contains(function))
      circle.push_back(callee);
  }
  bool callsItself = !circle.empty();
  function.walk([&](func::CallOp call) {
    callsItself |= call.getCallee() == function.getSymName();
  });
  if (callsItself)
    circle.insert(circle.begin(), function);
  return circle;
}

/// Where the recursion is too deep there must be a value that nobody reads.
LogicalResult ExpandRecursionPass::checkResults(func::FuncOp function) {
  for (Type type : function.getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!type.isIntOrIndexOrFloat() && !(tensor && tensor.hasStaticShape()))
      return function.emitError("the recursion of a function that returns ")
             << type
             << " cannot be written out: results are numbers and tensors of "
                "known shape";
  }
  return success();
}

/// What stands in the place of a call that is too deep: the program ends there.
void ExpandRecursionPass::guard(func::CallOp call, int64_t depth) {
  OpBuilder builder(call);
  Location loc = call.getLoc();
  Value no =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  cf::AssertOp::create(
      builder, loc, no,
      "the recursion of @" + call.getCallee().str() +
          " is deeper than pebble.recursion_depth = " + std::to_string(depth));
  for (OpResult result : call.getResults()) {
    Type type = result.getType();
    Value nothing;
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      nothing = tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                        tensor.getElementType(),
                                        tensor.getEncoding());
    else
      nothing =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    result.replaceAllUsesWith(nothing);
  }
  call.erase();
}

LogicalResult ExpandRecursionPass::expand(func::FuncOp function) {
  const int64_t depth =
      function->getAttrOfType<IntegerAttr>(attr::kRecursionDepth).getInt();
  SmallVector<func::FuncOp> circle = getCircle(function);
  function->removeAttr(attr::kRecursionDepth);
  if (circle.empty()) {
    if (auto remark = remark::missed(
            function.getLoc(),
            remark::RemarkOpts::name("recursion").category(getArgument())))
      remark << "'@" + function.getSymName().str() + "' does not call itself";
    return success();
  }
  if (failed(checkResults(function)))
    return failure();
  if (static_cast<size_t>(depth) > kMostCopies / circle.size())
    return function.emitError("'pebble.recursion_depth' makes more than ")
           << kMostCopies << " functions of " << circle.size();
  SymbolTable symbols(function->getParentOp());
  // By level, what each member of the circle is there.
  std::vector<llvm::StringMap<func::FuncOp>> levels(depth + 1);
  for (func::FuncOp member : circle)
    levels[1][member.getSymName()] = member;
  Block::iterator end = std::next(Block::iterator(function));
  for (int64_t level = 2; level <= depth; ++level)
    for (func::FuncOp member : circle) {
      func::FuncOp copy = member.clone();
      copy.setName((member.getSymName() + ".depth" + llvm::Twine(level)).str());
      copy.setPrivate();
      copy->removeAttr(attr::kAdjoint);
      symbols.insert(copy, end);
      levels[level][member.getSymName()] = copy;
    }
  const std::string name = function.getSymName().str();
  for (int64_t level = 1; level <= depth; ++level)
    for (func::FuncOp member : circle) {
      SmallVector<func::CallOp> calls;
      levels[level][member.getSymName()].walk(
          [&](func::CallOp call) { calls.push_back(call); });
      for (func::CallOp call : calls) {
        if (!levels[1].count(call.getCallee()))
          continue;
        if (call.getCallee() != name)
          call.setCallee(levels[level][call.getCallee()].getSymName());
        else if (level < depth)
          call.setCallee(levels[level + 1][name].getSymName());
        else
          guard(call, depth);
      }
    }
  return success();
}
