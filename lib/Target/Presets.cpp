//===- Presets.cpp - known machines as attributes
//--------------------------===//

#include "pebble/Target/Presets.h"

using namespace mlir;
using namespace pebble;

HierarchyAttr pebble::getPreset(MLIRContext *context, StringRef name) {
  std::optional<Preset> preset = getPresetTable(name);
  if (!preset)
    return {};
  context->getOrLoadDialect<PebbleDialect>();
  SmallVector<TierAttr> tiers;
  for (const PresetTier &tier : preset->tiers)
    tiers.push_back(TierAttr::get(
        context, tier.name, tier.isCache ? TierKind::Cache : TierKind::Explicit,
        tier.capacity, tier.read, tier.write, tier.bandwidth, tier.latency));
  return HierarchyAttr::get(context, tiers,
                            preset->inclusive ? Inclusion::Inclusive
                                              : Inclusion::Exclusive,
                            preset->compute, preset->name);
}

std::string pebble::listPresetNames() {
  std::string list;
  for (std::string_view name : getPresetNames())
    list.append(list.empty() ? "'" : ", '").append(name).append("'");
  return list;
}
