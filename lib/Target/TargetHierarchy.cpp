//===- TargetHierarchy.cpp - the hierarchy that an op runs on -------------===//

#include "pebble/Target/TargetHierarchy.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace pebble;

/// The entry "pebble.hierarchy" of `spec` itself; null if it has none.
static Attribute lookupEntry(Attribute spec) {
  auto query = dyn_cast<DLTIQueryInterface>(spec);
  if (!query)
    return {};
  auto key = StringAttr::get(spec.getContext(), attr::kHierarchy);
  FailureOr<Attribute> entry = query.query(key);
  return succeeded(entry) ? *entry : Attribute();
}

/// What an upstream spec on `op` says; null if nothing.
static FailureOr<HierarchyAttr> lookupSpec(Operation *op, Attribute spec) {
  SmallVector<Attribute> found;
  if (Attribute entry = lookupEntry(spec))
    found.push_back(entry);
  if (auto system = dyn_cast<TargetSystemSpecInterface>(spec))
    for (DataLayoutEntryInterface device : system.getEntries())
      if (Attribute entry = lookupEntry(device.getValue()))
        found.push_back(entry);
  HierarchyAttr result;
  for (Attribute entry : found) {
    auto hierarchy = dyn_cast<HierarchyAttr>(entry);
    if (!hierarchy)
      return op->emitError(
          "[D11] 'pebble.hierarchy' in a target spec must be a "
          "#pebble.hierarchy<[...]>");
    if (result && result != hierarchy)
      return op->emitError("devices of the target spec have different "
                           "hierarchies; put the one to plan for on the module "
                           "as 'pebble.hierarchy'");
    result = hierarchy;
  }
  return result;
}

FailureOr<HierarchyAttr> pebble::getHierarchy(Operation *op) {
  for (; op; op = op->getParentOp()) {
    if (auto hierarchy = op->getAttrOfType<HierarchyAttr>(attr::kHierarchy))
      return hierarchy;
    for (StringRef name : {"dlti.map", "dlti.target_system_spec",
                           "dlti.target_device_spec", "dlti.dl_spec"}) {
      Attribute spec = op->getAttr(name);
      if (!spec)
        continue;
      FailureOr<HierarchyAttr> hierarchy = lookupSpec(op, spec);
      if (failed(hierarchy) || *hierarchy)
        return hierarchy;
    }
  }
  return HierarchyAttr();
}

HierarchyAttr pebble::getDefaultHierarchy(MLIRContext *context) {
  context->getOrLoadDialect<PebbleDialect>();
  auto tier = TierAttr::get(context, "default", TierKind::Explicit,
                            kUnboundedCapacity, 0, 0, 0, 0);
  return HierarchyAttr::get(context, tier, Inclusion::Exclusive, 0, 0,
                            "default", TopologyAttr());
}

FailureOr<HierarchyAttr> pebble::getHierarchyOrDefault(Operation *op) {
  FailureOr<HierarchyAttr> hierarchy = getHierarchy(op);
  if (succeeded(hierarchy) && !*hierarchy)
    return getDefaultHierarchy(op->getContext());
  return hierarchy;
}

bool pebble::hasEnergies(HierarchyAttr hierarchy) {
  return llvm::any_of(hierarchy.getTiers(), [](TierAttr tier) {
    return tier.getRead() != 0 || tier.getWrite() != 0;
  });
}
