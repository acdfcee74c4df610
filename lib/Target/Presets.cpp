//===- Presets.cpp - known machines as attributes -------------------------===//

#include "pebble/Target/Presets.h"

#include "pebble/Target/HierarchyFile.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace pebble;

static HierarchyAttr toAttribute(MLIRContext *context, const Preset &machine) {
  context->getOrLoadDialect<PebbleDialect>();
  SmallVector<TierAttr> tiers;
  for (const PresetTier &tier : machine.tiers)
    tiers.push_back(TierAttr::get(
        context, tier.name, tier.isCache ? TierKind::Cache : TierKind::Explicit,
        tier.capacity, tier.read, tier.write, tier.bandwidth, tier.latency));
  TopologyAttr topology;
  SmallVector<GroupAttr> groups;
  for (const PresetGroup &group : machine.groups)
    groups.push_back(GroupAttr::get(context, group.name, group.size,
                                    group.bandwidth, group.latency,
                                    group.energy));
  if (!groups.empty())
    topology =
        TopologyAttr::get(context, groups, machine.ranks, machine.places);
  return HierarchyAttr::get(
      context, tiers,
      machine.inclusive ? Inclusion::Inclusive : Inclusion::Exclusive,
      machine.compute, machine.speed, machine.name, topology);
}

HierarchyAttr pebble::getPreset(MLIRContext *context, StringRef name) {
  std::optional<Preset> preset = getPresetTable(name);
  return preset ? toAttribute(context, *preset) : HierarchyAttr();
}

FailureOr<HierarchyAttr> pebble::getTarget(Location loc, StringRef nameOrFile) {
  FoundTarget found = findTarget(nameOrFile.str());
  if (!found.machine)
    return emitError(loc) << found.error;
  return toAttribute(loc.getContext(), *found.machine);
}
