//===- Fallback.cpp - which schedule the data will choose -----------------===//

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
pebble::findScheduleFor(ModuleOp module, FunctionOpInterface entry,
                        const std::map<unsigned, NpyArray> &arrays) {
  auto fallback = entry->getAttrOfType<DictionaryAttr>(attr::kFallback);
  if (!fallback)
    return entry;
  int64_t bound = fallback.getAs<IntegerAttr>("dim_bound").getInt();
  std::optional<int64_t> given = AnalysisOptions::getDefault().dynamicDimBound;
  int64_t largest = getLargestDim(entry, arrays);
  if (largest <= bound) {
    if (!given)
      setDynamicDimBound(bound);
    return entry;
  }
  setDynamicDimBound(std::max(largest, given.value_or(0)));
  auto name = fallback.getAs<FlatSymbolRefAttr>("function");
  // A name that leads nowhere is the business of the pass that needs it.
  auto leanest = module.lookupSymbol<FunctionOpInterface>(name.getValue());
  return leanest && !leanest.isExternal() ? leanest : entry;
}
