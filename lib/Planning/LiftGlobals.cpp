//===- LiftGlobals.cpp - globals become arguments -------------------------===//

#include "pebble/Planning/LiftGlobals.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace pebble {

namespace {
class Lifter {
public:
  explicit Lifter(ModuleOp module) : module(module), symbols(module) {}

  bool run() {
    // What they call comes before them.
    SmallVector<func::FuncOp> forwards;
    for (Operation *op : getCalleesFirst(module))
      if (auto function = dyn_cast<func::FuncOp>(op);
          function && function->getParentOp() == module &&
          function->hasAttr(attr::kAdjoint) && !function.isExternal())
        forwards.push_back(function);
    bool isChanged = false;
    for (func::FuncOp function : forwards)
      isChanged |= lift(function);
    return isChanged;
  }

private:
  ModuleOp module;
  SymbolTable symbols;
  using Handles = llvm::MapVector<StringAttr, SmallVector<memref::GetGlobalOp>>;

  /// By name, where `function` names globals that may be written.
  Handles getHandles(func::FuncOp function) {
    Handles handles;
    function.walk([&](memref::GetGlobalOp op) {
      auto global = symbols.lookup<memref::GlobalOp>(op.getName());
      if (global && !global.getConstant())
        handles[op.getNameAttr().getAttr()].push_back(op);
    });
    return handles;
  }

  /// The calls of `function`; nothing where there is another use of it.
  std::optional<SmallVector<func::CallOp>> getCalls(func::FuncOp function) {
    auto uses = SymbolTable::getSymbolUses(function, module);
    if (!function.isPrivate() || !uses)
      return std::nullopt;
    SmallVector<func::CallOp> calls;
    for (SymbolTable::SymbolUse use : *uses) {
      if (auto call = dyn_cast<func::CallOp>(use.getUser()))
        calls.push_back(call);
      // An adjoint is named by its forward function.
      else if (!isa<func::FuncOp>(use.getUser()))
        return std::nullopt;
    }
    return calls;
  }

  bool mayLift(Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function || function.isExternal() || function->getParentOp() != module)
      return function && function.isExternal();
    bool callsItself = false;
    for (Operation *callee : getCallees(function))
      callee->walk([&](func::CallOp call) {
        callsItself |= symbols.lookup(call.getCallee()) == op;
      });
    return !callsItself && (getHandles(function).empty() || getCalls(function));
  }

  bool lift(func::FuncOp forward) {
    llvm::SetVector<Operation *> reached = getCallees(forward);
    if (!getCalls(forward) ||
        !llvm::all_of(reached, [&](Operation *op) { return mayLift(op); }))
      return false;
    bool isChanged = false;
    // Callers get the handles of their callees.
    for (Operation *op : getCalleesFirst(module))
      if (reached.contains(op) && !cast<func::FuncOp>(op).isExternal())
        isChanged |= giveHandles(cast<func::FuncOp>(op));
    return isChanged;
  }

  bool giveHandles(func::FuncOp function) {
    Handles handles = getHandles(function);
    if (handles.empty())
      return false;
    // What it names may have come from what it calls.
    std::optional<SmallVector<func::CallOp>> calls = getCalls(function);
    if (!calls)
      return false;
    for (auto &[name, ops] : handles) {
      Type type = ops.front().getType();
      const unsigned number = function.getNumArguments();
      (void)function.insertArgument(number, type, {}, ops.front().getLoc());
      for (memref::GetGlobalOp op : ops) {
        op.replaceAllUsesWith(Value(function.getArgument(number)));
        op.erase();
      }
      for (func::CallOp call : *calls) {
        OpBuilder builder(call);
        Value handle = memref::GetGlobalOp::create(
            builder, call.getLoc(), cast<MemRefType>(type), name.getValue());
        call->insertOperands(call->getNumOperands(), handle);
      }
    }
    return true;
  }
};
} // namespace

bool liftGlobals(ModuleOp module) { return Lifter(module).run(); }

} // namespace pebble
