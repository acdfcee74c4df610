//===- Names.cpp - what values and steps are called in messages -----------===//

#include "KeptNames.h"

#include "pebble/Analysis/Storage.h"
#include "pebble/Analysis/ValueNames.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace pebble {

StringRef findLocationName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findLocationName(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (StringRef name = findLocationName(part); !name.empty())
        return name;
  return {};
}

/// As in the file that was read; empty if that is not known.
static StringRef findKeptName(Location loc, unsigned result) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return findKeptName(name.getChildLoc(), result);
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findKeptName(call.getCallee(), result);
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused)
    return {};
  if (StringRef name = getKeptName(fused, result); !name.empty())
    return name;
  for (Location part : fused.getLocations())
    if (StringRef name = findKeptName(part, result); !name.empty())
      return name;
  return {};
}

std::string getLocationName(Location loc, unsigned result) {
  StringRef name = findLocationName(loc), kept = findKeptName(loc, result);
  if (name.empty() || kept.empty())
    return (name + kept).str();
  return (name + " " + kept).str();
}

std::string getPlace(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (llvm::sys::path::filename(place.getFilename().getValue()) + ":" +
          Twine(place.getLine()))
      .str();
}

StringRef getGivenName(Value value) {
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

/// `text` and, if it is known, where `loc` lies.
static std::string addPlace(std::string text, Location loc) {
  if (std::string place = getPlace(loc); !place.empty())
    text += " at " + place;
  return text;
}

std::string getValueName(Value value) {
  if (StringRef name = getGivenName(value); !name.empty())
    return name.str();
  auto result = dyn_cast<OpResult>(value);
  unsigned number = result ? result.getResultNumber() : 0;
  if (std::string name = getLocationName(value.getLoc(), number); !name.empty())
    return name;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return addPlace("argument " + std::to_string(argument.getArgNumber()),
                    value.getLoc());
  std::string name = result.getOwner()->getName().getStringRef().str();
  if (result.getOwner()->getNumResults() > 1)
    name += "#" + std::to_string(number);
  return addPlace(name, value.getLoc());
}

std::string getOpName(Operation *op) {
  // An op with several results is called by them all.
  std::string kept = getLocationName(op->getLoc());
  if (op->getNumResults() > 1 && StringRef(kept).ends_with("#0"))
    kept.resize(kept.size() - 2);
  if (!findLocationName(op->getLoc()).empty())
    return kept;
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      return symbol.getLeafReference().str();
  std::string name = op->getName().getStringRef().str();
  std::string result;
  if (op->getNumResults() > 0)
    result = getGivenName(op->getResult(0)).str();
  if (op->getNumResults() > 0 && result.empty())
    result = kept;
  return result.empty() ? addPlace(name, op->getLoc()) : name + " " + result;
}

std::string StorageAnalysis::getStorageName(StorageId id) const {
  if (StringAttr symbol = getGlobal(id))
    return ("@" + symbol.getValue()).str();
  Value root = storages[id].root;
  if (!root)
    return "memory from elsewhere";
  std::string name = getValueName(root);
  if (std::optional<unsigned> element = storages[id].element)
    name += "[" + std::to_string(*element) + "]";
  return name;
}

std::string StorageAnalysis::getStepName(unsigned step) const {
  return getOpName(steps[step].op);
}

} // namespace pebble
