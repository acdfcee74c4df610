//===- RunAgain.cpp - what may run a second time --------------------------===//

#include "pebble/Analysis/RunAgain.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Analysis/Reach.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

static std::string getName(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "' ";
}

bool isConstantGlobal(Operation *from, StringAttr symbol,
                      ProgramContext &context) {
  auto global = dyn_cast_if_present<memref::GlobalOp>(
      context.lookupSymbol(from, FlatSymbolRefAttr::get(symbol)));
  return global && global.getConstant();
}

static bool hasOnlyAssertions(Operation *op, ProgramContext &context,
                              llvm::DenseSet<Operation *> &seen) {
  if (isa<cf::AssertOp>(op) || collectEffects(op, context).barrier.empty())
    return true;
  auto isFine = [&](Operation &inner) {
    return hasOnlyAssertions(&inner, context, seen);
  };
  auto call = dyn_cast<CallOpInterface>(op);
  Operation *body = op;
  if (call) {
    body = context.resolveCallee(call);
    auto callee = dyn_cast_if_present<FunctionOpInterface>(body);
    // What calls itself may not end.
    if (!callee || callee.isExternal() || !seen.insert(callee).second)
      return false;
  } else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) {
    return false;
  }
  const bool isAll = llvm::all_of(body->getRegions(), [&](Region &region) {
    return llvm::all_of(
        region, [&](Block &block) { return llvm::all_of(block, isFine); });
  });
  if (call)
    seen.erase(body);
  return isAll;
}

bool hasOnlyAssertions(Operation *op, ProgramContext &context) {
  llvm::DenseSet<Operation *> seen;
  return hasOnlyAssertions(op, context, seen);
}

namespace {
/// Which accesses of a block stay inside of it.
class OwnMemory {
public:
  OwnMemory(Block &block, ProgramContext &context)
      : block(block), context(context) {}

  bool has(const MemoryAccess &access) {
    if (!access.value)
      return false;
    if (!reach)
      reach.emplace(block, context);
    // Nothing is known of what stands around the block.
    ArrayRef<ReachAnalysis::Id> origins = reach->get(access.value);
    return !origins.empty() && llvm::all_of(origins, [&](ReachAnalysis::Id id) {
      const Origin &origin = reach->getOrigin(id);
      if (origin.escaped)
        return false;
      // What is in a tensor is the same each time, if nobody writes there.
      bool isTensor = origin.kind == Origin::Named && origin.value &&
                      isa<TensorType>(origin.value.getType());
      return origin.kind == Origin::Made || (isTensor && !access.isWrite);
    });
  }

private:
  Block &block;
  ProgramContext &context;
  std::optional<ReachAnalysis> reach;
};
} // namespace

/// `own`: of the block that runs again.
static RunOnceReason getReason(Operation *op, OwnMemory &own, OuterMemory outer,
                               bool mayAssert, ProgramContext &context) {
  OpEffects effects = collectEffects(op, context);
  if (!effects.barrier.empty() &&
      !(mayAssert && hasOnlyAssertions(op, context)))
    return {op, effects.barrier};
  if (Operation *mover = collectHiddenEffects(op, context).runsOnce)
    return {mover, getName(mover) + "does not give the same result twice"};
  for (const MemoryAccess &access : effects.accesses) {
    if (outer == OuterMemory::Restored || own.has(access))
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
                               ProgramContext &context, bool mayAssert) {
  for (Block &block : region) {
    OwnMemory own(block, context);
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::ReturnLike>())
        if (RunOnceReason reason =
                getReason(&op, own, outer, mayAssert, context))
          return reason;
  }
  return {};
}

} // namespace pebble
