//===- RunAgain.cpp - what may run a second time --------------------------===//

#include "pebble/Analysis/RunAgain.h"

#include "pebble/Analysis/Effects.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

static Operation *findStateMover(Operation *top, ProgramContext &context,
                                 llvm::DenseSet<Operation *> &seen) {
  Operation *found = nullptr;
  top->walk([&](Operation *op) {
    if (isNeverRecomputable(op)) {
      found = op;
      return WalkResult::interrupt();
    }
    auto call = dyn_cast<CallOpInterface>(op);
    Operation *callee = call ? context.resolveCallee(call) : nullptr;
    if (callee && seen.insert(callee).second)
      found = findStateMover(callee, context, seen);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

Operation *findStateMover(Operation *op, ProgramContext &context) {
  llvm::DenseSet<Operation *> seen;
  return findStateMover(op, context, seen);
}

static std::string getName(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "' ";
}

/// True for a global whose contents are as the program came.
static bool isConstantGlobal(Operation *from, StringAttr symbol,
                             ProgramContext &context) {
  auto global = dyn_cast_if_present<memref::GlobalOp>(
      context.lookupSymbol(from, FlatSymbolRefAttr::get(symbol)));
  return global && global.getConstant();
}

/// `inside` holds all that runs again.
static RunOnceReason getReason(Operation *op, Region *inside, OuterMemory outer,
                               ProgramContext &context) {
  OpEffects effects = collectEffects(op, context);
  if (!effects.barrier.empty())
    return {op, effects.barrier};
  if (Operation *mover = findStateMover(op, context))
    return {mover, getName(mover) + "does not give the same result twice"};
  // What the region is given is not made inside of it.
  auto isInside = [&](Value value) {
    return inside && value && inside->isAncestor(value.getParentRegion()) &&
           !(isa<BlockArgument>(value) && value.getParentRegion() == inside);
  };
  for (const MemoryAccess &access : effects.accesses) {
    if (isInside(access.value))
      continue;
    if (access.isWrite)
      return {op, getName(op) + "writes memory from outside"};
    if (outer == OuterMemory::Changes &&
        !(access.symbol && isConstantGlobal(op, access.symbol, context)))
      return {op, getName(op) + "reads memory that may have changed since"};
  }
  return {};
}

RunOnceReason getRunOnceReason(Region &region, OuterMemory outer,
                               ProgramContext &context) {
  for (Block &block : region)
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::ReturnLike>())
        if (RunOnceReason reason = getReason(&op, &region, outer, context))
          return reason;
  return {};
}

RunOnceReason getRunOnceReason(Operation *op, OuterMemory outer,
                               ProgramContext &context) {
  return getReason(op, nullptr, outer, context);
}

} // namespace pebble
