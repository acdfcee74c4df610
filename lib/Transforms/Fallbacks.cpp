//===- Fallbacks.cpp - what a plan asks of a function ---------------------===//

#include "Fallbacks.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/RunBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Target/TargetHierarchy.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace pebble {

void eraseOldFallbacks(ModuleOp module) {
  SymbolTable symbols(module);
  SmallVector<FunctionOpInterface> all(module.getOps<FunctionOpInterface>());
  for (FunctionOpInterface function : all)
    if (auto old = function->getAttrOfType<DictionaryAttr>(attr::kFallback)) {
      auto name = old.getAs<FlatSymbolRefAttr>("function");
      function->removeAttr(attr::kFallback);
      Operation *clone = symbols.lookup(name.getValue());
      if (!clone || clone == function ||
          SymbolTable::getSymbolVisibility(clone) !=
              SymbolTable::Visibility::Private ||
          isReferenced(clone))
        continue;
      llvm::erase_if(all, [&](FunctionOpInterface other) {
        return other.getOperation() == clone;
      });
      symbols.erase(clone);
    }
}

bool needsFallback(FunctionOpInterface function,
                   const AnalysisOptions &options) {
  bool isDynamic =
      llvm::any_of(function.getArgumentTypes(), [](mlir::Type type) {
        auto shaped = dyn_cast<ShapedType>(type);
        return shaped && shaped.hasRank() && !shaped.hasStaticShape();
      });
  // A wish is followed whatever it takes, so nothing leaner would be.
  auto isWish = [](Operation *op) {
    return op->hasAttr(attr::kRecompute) ? WalkResult::interrupt()
                                         : WalkResult::advance();
  };
  return isDynamic && function.isPublic() && options.dynamicDimBound &&
         !function->walk(isWish).wasInterrupted();
}

FailureOr<int64_t> getBudget(Operation *function, int64_t bytes,
                             int64_t percent, int64_t inputPeak) {
  FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
  if (failed(hierarchy))
    return failure();
  TierAttr tier = *hierarchy ? (*hierarchy).getComputeTier() : TierAttr();
  bool isBounded = tier && tier.isBounded();
  if (percent != kNotGiven) {
    int64_t budget =
        inputPeak / 100 * percent + inputPeak % 100 * percent / 100;
    return isBounded ? std::min(budget, tier.getCapacity()) : budget;
  }
  if (bytes == kNotGiven && !isBounded)
    return emitError(function->getLoc())
           << "no budget: give budget-bytes or budget-percent, or a memory "
              "hierarchy whose compute tier has a capacity";
  if (bytes == kNotGiven)
    return tier.getCapacity();
  if (isBounded && bytes > tier.getCapacity())
    return emitError(function->getLoc())
           << "the budget of " << bytes << " bytes is more than the "
           << tier.getCapacity() << " bytes of tier '" << tier.getName() << "'";
  return bytes;
}

LogicalResult refuseRecursion(ArrayRef<Operation *> functions) {
  // By the functions of a circle, of which each closes it with another call.
  llvm::DenseSet<Operation *> named;
  for (Operation *function : functions) {
    Operation *call = findRecursiveCall(function);
    if (!call || named.contains(call->getParentOfType<FunctionOpInterface>()))
      continue;
    emitError(call->getLoc()) << "the memory of a recursive call is not known, "
                                 "so that no budget can be kept";
    auto circle = getCallees(function);
    named.insert(circle.begin(), circle.end());
  }
  return success(named.empty());
}

} // namespace pebble
