//===- PebbleAttrs.cpp - tiers, hierarchies, placements -------------------===//
//
// Rules D1 to D8 of docs/PebbleGame.md: what a hierarchy must be, whoever
// builds it.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/PebbleDialect.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/Figures.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "pebble/Dialect/PebbleEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "pebble/Dialect/PebbleAttrs.cpp.inc"

using namespace mlir;
using namespace pebble;

void PebbleDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pebble/Dialect/PebbleAttrs.cpp.inc"
      >();
}

LogicalResult TierAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringRef name, TierKind kind, int64_t capacity,
                               int64_t read, int64_t write, int64_t bandwidth,
                               int64_t latency) {
  if (name.empty())
    return emitError() << "[D1] a tier needs a name";
  if (capacity <= 0)
    return emitError() << "[D2] tier '" << name << "' has a capacity of "
                       << capacity << " bytes, but a capacity must be positive";
  if (kind == TierKind::Cache && capacity == kUnboundedCapacity)
    return emitError() << "[D3] cache tier '" << name
                       << "' needs a capacity, which prices a reuse distance";
  const std::pair<StringRef, int64_t> figures[] = {{"read", read},
                                                   {"write", write},
                                                   {"bandwidth", bandwidth},
                                                   {"latency", latency}};
  for (auto [what, figure] : figures)
    if (figure < 0)
      return emitError() << "[D4] tier '" << name << "' has " << what << " = "
                         << figure << ", which may not be negative";
  if (latency > kLongestLatency)
    return emitError() << "[D4] tier '" << name << "' has latency = " << latency
                       << ", but the longest that is counted is "
                       << kLongestLatency << " ns";
  return success();
}

LogicalResult
HierarchyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<TierAttr> tiers, Inclusion inclusion,
                      int64_t compute, int64_t speed, StringRef name,
                      TopologyAttr topology) {
  const std::pair<StringRef, int64_t> figures[] = {{"compute", compute},
                                                   {"speed", speed}};
  for (auto [what, figure] : figures)
    if (figure < 0)
      return emitError() << "[D4] the hierarchy has " << what << " = " << figure
                         << ", which may not be negative";
  llvm::StringSet<> names;
  for (TierAttr tier : tiers)
    if (!names.insert(tier.getName()).second)
      return emitError() << "[D5] two tiers are named '" << tier.getName()
                         << "'";
  if (llvm::none_of(tiers, [](TierAttr tier) { return !tier.isCache(); }))
    return emitError() << "[D6] a hierarchy needs an explicit tier, in which "
                          "operations find their operands";
  TierAttr faster;
  for (TierAttr tier : tiers) {
    if (tier.isCache() && faster && !faster.isCache())
      return emitError() << "[D7] cache tier '" << tier.getName()
                         << "' comes after explicit tier '" << faster.getName()
                         << "', but caches come first";
    if (tier.isCache() && faster && inclusion == Inclusion::Inclusive &&
        tier.getCapacity() <= faster.getCapacity())
      return emitError() << "[D8] inclusive cache tier '" << tier.getName()
                         << "' must be larger than '" << faster.getName()
                         << "', which it includes";
    faster = tier;
  }
  return success();
}

unsigned HierarchyAttr::getComputeTierIndex() const {
  unsigned index = 0;
  while (getTiers()[index].isCache())
    ++index;
  return index;
}

std::optional<unsigned> HierarchyAttr::getTierIndex(StringRef name) const {
  for (auto [index, tier] : llvm::enumerate(getTiers()))
    if (tier.getName() == name)
      return index;
  return std::nullopt;
}

TierAttr HierarchyAttr::getTier(StringRef name) const {
  std::optional<unsigned> index = getTierIndex(name);
  return index ? getTiers()[*index] : TierAttr();
}

LogicalResult AtAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                             StringRef tier, Compression compress,
                             int64_t density, bool rows) {
  if (tier.empty())
    return emitError() << "[D1] a placement names a tier";
  if (compress == Compression::Bitmask && (density < 1 || density > 100))
    return emitError() << "[D46] 'compress = bitmask' needs a "
                          "'density_percent' of 1 to 100, got "
                       << density;
  if (compress != Compression::Bitmask && density != 0)
    return emitError()
           << "[D46] 'density_percent' belongs to 'compress = bitmask'";
  if (rows && compress == Compression::None)
    return emitError() << "[D46] 'rows' belongs to compressed values";
  return success();
}

bool AtAttr::canCompress(Type type) {
  std::optional<int64_t> bytes = getElementBytes(type);
  return type.isIntOrIndexOrFloat() && bytes && *bytes <= 8 &&
         llvm::isPowerOf2_64(*bytes);
}

LogicalResult
AtAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                       function_ref<InFlightDiagnostic()> emitError) const {
  // The parser asks about a tensor whose elements it could not read, too; it
  // has said so.
  if (!elementType)
    return failure();
  // Every tensor can live in every tier; whether the tier exists is a question
  // to the module (rule D9).
  if (isCompressed() && !canCompress(elementType))
    return emitError() << "[D46] elements of type " << elementType
                       << " cannot be kept compressed: they take 1, 2, 4 or 8 "
                          "bytes each";
  if (getRows() && shape.empty())
    return emitError() << "[D46] a tensor without dimensions has no rows";
  return success();
}

int64_t AtAttr::getSlotBytes(int64_t elements, int64_t width) const {
  int64_t dense = multiplyCounts(elements, width);
  if (!isCompressed() || elements > kUnboundedCapacity / 1024)
    return dense;
  int64_t bytes = llvm::divideCeil(elements, 8);
  if (getCompress() == Compression::Bitmask)
    bytes = addCounts(
        bytes,
        multiplyCounts(llvm::divideCeil(elements * getDensityPercent(), 100),
                       width));
  return std::min(bytes, dense);
}

AtAttr AtAttr::getRowPlacement() const {
  return get(getContext(), getTier(), getCompress(), getDensityPercent(),
             /*rows=*/false);
}
