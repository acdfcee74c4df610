//===- Names.cpp - what storages and steps are called in messages ---------===//

#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

/// The name in `loc` if it carries one.
static StringRef getLocationName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (StringRef name = getLocationName(part); !name.empty())
        return name;
  return {};
}

/// `pebble.name` of the argument or result; empty if it has none.
static StringRef getGivenName(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    if (!function || !argument.getOwner()->isEntryBlock())
      return {};
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      attr::kName);
    return name ? name.getValue() : StringRef();
  }
  Attribute given = value.getDefiningOp()->getAttr(attr::kName);
  if (auto names = dyn_cast_or_null<ArrayAttr>(given))
    given = names[cast<OpResult>(value).getResultNumber()];
  auto name = dyn_cast_or_null<StringAttr>(given);
  return name ? name.getValue() : StringRef();
}

std::string StorageAnalysis::getStorageName(StorageId id) const {
  if (StringAttr symbol = getGlobal(id))
    return ("@" + symbol.getValue()).str();
  Value root = storages[id].root;
  if (!root)
    return "memory from elsewhere";
  if (std::optional<unsigned> element = storages[id].element)
    return context->getSSAName(root) + "[" + std::to_string(*element) + "]";
  if (StringRef name = getGivenName(root); !name.empty())
    return name.str();
  if (StringRef name = getLocationName(root.getLoc());
      !name.empty() && isa<BlockArgument>(root))
    return name.str();
  return context->getSSAName(root);
}

std::string StorageAnalysis::getStepName(unsigned step) const {
  Operation *op = steps[step].op;
  if (StringRef name = getLocationName(op->getLoc()); !name.empty())
    return name.str();
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      return symbol.getLeafReference().str();
  std::string name = op->getName().getStringRef().str();
  if (op->getNumResults() == 0)
    return name + " #" + std::to_string(step);
  StringRef given = getGivenName(op->getResult(0));
  return name + " " +
         (given.empty() ? context->getSSAName(op->getResult(0)) : given.str());
}

} // namespace pebble
