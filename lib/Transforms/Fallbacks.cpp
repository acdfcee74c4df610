//===- Fallbacks.cpp - what a plan asks of a function ---------------------===//

#include "Fallbacks.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/RunBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace pebble {

static void eraseFallbacksOf(ModuleOp module) {
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

void eraseOldFallbacks(ModuleOp outermost) {
  for (ModuleOp module : getModules(outermost))
    eraseFallbacksOf(module);
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

FunctionOpInterface cloneForFallback(FunctionOpInterface function) {
  auto clone = cast<FunctionOpInterface>(function->clone());
  clone.setName((function.getName() + ".leanest").str());
  clone.setPrivate();
  // Only one of the two can be taken apart under the names that it gives.
  clone->removeAttr(attr::kStitched);
  SymbolTable(function->getParentOp())
      .insert(clone, std::next(Block::iterator(function)));
  return clone;
}

LogicalResult refuseRecursion(ArrayRef<Operation *> functions) {
  // By the functions of a circle, of which each closes it with another call.
  llvm::DenseSet<Operation *> named;
  for (Operation *function : functions) {
    Operation *call = findRecursiveCall(function);
    if (!call || named.contains(call->getParentOfType<FunctionOpInterface>()))
      continue;
    emitError(call->getLoc()) << "the memory of a recursive call is not known, "
                                 "so that no budget can be kept; "
                                 "pebble-expand-recursion writes it out where "
                                 "'pebble.recursion_depth' says how deep it "
                                 "goes";
    auto circle = getCallees(function);
    named.insert(circle.begin(), circle.end());
  }
  return success(named.empty());
}

void nameFallback(FunctionOpInterface function, int64_t dimBound,
                  StringAttr other) {
  Builder builder(function->getContext());
  function->setAttr(
      attr::kFallback,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("dim_bound",
                                builder.getI64IntegerAttr(dimBound)),
           builder.getNamedAttr("function", FlatSymbolRefAttr::get(other))}));
}

} // namespace pebble
