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
#include "llvm/ADT/StringSet.h"

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
    SmallVector<func::FuncOp> found, bounded;
    getOperation().walk([&](func::FuncOp function) {
      if (function->hasAttr(attr::kRecursionDepth))
        found.push_back(function);
    });
    // In a circle the least depth bounds those of the others.
    SmallVector<std::pair<int64_t, size_t>> order;
    for (auto [number, function] : llvm::enumerate(found))
      order.push_back({getDepth(function), number});
    llvm::sort(order);
    for (auto &[depth, number] : order)
      bounded.push_back(found[number]);
    // Copies of functions that still call themselves come behind.
    for (size_t i = 0; i != bounded.size(); ++i)
      if (bounded[i]->hasAttr(attr::kRecursionDepth) &&
          failed(expand(bounded[i], bounded)))
        return signalPassFailure();
  }

private:
  static int64_t getDepth(func::FuncOp function) {
    return function->getAttrOfType<IntegerAttr>(attr::kRecursionDepth).getInt();
  }
  LogicalResult expand(func::FuncOp function,
                       SmallVectorImpl<func::FuncOp> &bounded);
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

/// Whether `member` of a circle calls itself without a call of the first.
static bool callsItselfWithoutFirst(func::FuncOp member,
                                    ArrayRef<func::FuncOp> circle) {
  SmallVector<func::FuncOp> open = {member};
  llvm::StringSet<> seen;
  bool isFound = false;
  while (!open.empty())
    open.pop_back_val().walk([&](func::CallOp call) {
      isFound |= call.getCallee() == member.getSymName();
      for (func::FuncOp other : circle.drop_front())
        if (other.getSymName() == call.getCallee() &&
            seen.insert(call.getCallee()).second)
          open.push_back(other);
    });
  return isFound;
}

/// Whether the circle may begin with another function than its first.
static bool isEnteredBesides(ArrayRef<func::FuncOp> circle) {
  return llvm::any_of(circle.drop_front(), [&](func::FuncOp member) {
    auto uses = SymbolTable::getSymbolUses(member, member->getParentOp());
    return !member.isPrivate() || !uses ||
           llvm::any_of(*uses, [&](const SymbolTable::SymbolUse &use) {
             auto user = use.getUser()->getParentOfType<func::FuncOp>();
             return !llvm::is_contained(circle, user);
           });
  });
}

/// By level, which is the number of calls of the first that are under way, what
/// each member of `circle` is there. Level 0 is there where others begin.
static std::vector<llvm::StringMap<func::FuncOp>>
makeLevels(ArrayRef<func::FuncOp> circle, int64_t depth) {
  func::FuncOp function = circle.front();
  SymbolTable symbols(function->getParentOp());
  Block::iterator end = std::next(Block::iterator(function));
  const int64_t first = isEnteredBesides(circle) ? 0 : 1;
  std::vector<llvm::StringMap<func::FuncOp>> levels(depth + 1);
  for (int64_t level = first; level <= depth; ++level)
    for (func::FuncOp member : circle) {
      const int64_t own = member == function ? 1 : first;
      if (level < own)
        continue;
      func::FuncOp &here = levels[level][member.getSymName()];
      here = member;
      if (level == own)
        continue;
      here = member.clone();
      here.setName((member.getSymName() + ".depth" + llvm::Twine(level)).str());
      here.setPrivate();
      here->removeAttr(attr::kAdjoint);
      symbols.insert(here, end);
    }
  return levels;
}

LogicalResult
ExpandRecursionPass::expand(func::FuncOp function,
                            SmallVectorImpl<func::FuncOp> &bounded) {
  const int64_t depth = getDepth(function);
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
  for (func::FuncOp member : ArrayRef(circle).drop_front())
    if (!callsItselfWithoutFirst(member, circle))
      member->removeAttr(attr::kRecursionDepth);
  const std::string name = function.getSymName().str();
  std::vector<llvm::StringMap<func::FuncOp>> levels = makeLevels(circle, depth);
  for (int64_t level = 0; level <= depth; ++level)
    for (func::FuncOp member : circle) {
      func::FuncOp here = levels[level].lookup(member.getSymName());
      if (!here)
        continue;
      if (here != member && here->hasAttr(attr::kRecursionDepth))
        bounded.push_back(here);
      SmallVector<func::CallOp> calls;
      here.walk([&](func::CallOp call) { calls.push_back(call); });
      for (func::CallOp call : calls) {
        if (!levels[depth].count(call.getCallee()))
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
