//===- Fallback.cpp - what runs where an estimate was wrong ---------------===//

#include "Fallback.h"

#include "pebble/Analysis/CommandLine.h"
#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace pebble;

/// The largest of the dimensions that the types leave open, as the files have
/// them; 0 if there is none.
static int64_t getLargestDim(FunctionOpInterface entry,
                             const std::map<unsigned, NpyArray> &arrays) {
  int64_t largest = 0;
  for (const auto &[index, array] : arrays) {
    auto shaped = dyn_cast<ShapedType>(entry.getArgumentTypes()[index]);
    if (!shaped || !shaped.hasRank())
      continue;
    for (auto [size, actual] : llvm::zip(shaped.getShape(), array.shape))
      if (ShapedType::isDynamic(size))
        largest = std::max(largest, actual);
  }
  return largest;
}

FunctionOpInterface
pebble::chooseFunction(ModuleOp module, FunctionOpInterface entry,
                       const std::map<unsigned, NpyArray> &arrays) {
  auto fallback = entry->getAttrOfType<DictionaryAttr>(attr::kFallback);
  if (!fallback)
    return entry;
  int64_t bound = fallback.getAs<IntegerAttr>("dim_bound").getInt();
  auto name = fallback.getAs<FlatSymbolRefAttr>("function");
  // Nothing else is reached by it.
  entry->removeAttr(attr::kFallback);
  auto leanest = module.lookupSymbol<FunctionOpInterface>(name.getValue());
  if (!leanest || leanest.isExternal() ||
      leanest.getFunctionType() != entry.getFunctionType()) {
    entry.emitError("'pebble.fallback' names '")
        << name.getValue() << "', which is no function of the same type";
    return {};
  }
  int64_t largest = getLargestDim(entry, arrays);
  if (largest <= bound) {
    if (!AnalysisOptions::getDefault().dynamicDimBound)
      setDynamicDimBound(bound);
    return entry;
  }
  llvm::errs() << "pebble-run: note: a dimension of " << largest
               << " is over the bound of " << bound << " that the plan of '"
               << entry.getName() << "' rests on: running the leanest, '"
               << leanest.getName() << "'\n";
  setDynamicDimBound(std::max(
      largest, AnalysisOptions::getDefault().dynamicDimBound.value_or(0)));
  leanest.setPublic();
  return leanest;
}
