//===- CostProfile.cpp - what was measured of a machine -------------------===//

#include "pebble/Target/CostProfile.h"

#include "pebble/Dialect/Figures.h"
#include "pebble/Target/StrictJson.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace pebble;

/// Of files of this kind.
static constexpr StringLiteral kFormat = "pebble-costs";

double MeasuredSpeed::getTime(double bytes) const {
  return static_cast<double>(latency) +
         (bandwidth ? bytes * 1000 / static_cast<double>(bandwidth) : 0);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static std::string getKey(const OpSignature &signature) {
  return signature.kind + signature.shape;
}

void CostProfile::add(MeasuredOp op) {
  if (known.try_emplace(getKey(op.signature), ops.size()).second)
    ops.push_back(std::move(op));
}

bool CostProfile::contains(const OpSignature &signature) const {
  return known.contains(getKey(signature));
}

/// How far apart in size two ops are: the factors between their operations and
/// between their bytes, as logarithms.
static double getDistance(const MeasuredOp &op, const OpCost &cost) {
  auto factor = [](int64_t a, int64_t b) {
    return std::abs(std::log1p(static_cast<double>(a)) -
                    std::log1p(static_cast<double>(b)));
  };
  return factor(op.operations, cost.flops) + factor(op.bytes, cost.getBytes());
}

EstimatedTime CostProfile::estimate(const OpSignature &signature,
                                    const OpCost &cost) const {
  if (auto it = known.find(getKey(signature)); it != known.end()) {
    const MeasuredOp &op = ops[it->second];
    return {op.nanoseconds, &op, true};
  }
  // The first of those that are nearest, among the most alike.
  const MeasuredOp *best = nullptr;
  std::pair<int, double> least;
  for (const MeasuredOp &op : ops) {
    int unlike = op.signature.kind == signature.kind ? 0
                 : op.signature.op == signature.op   ? 1
                                                     : 2;
    std::pair<int, double> distance = {unlike, getDistance(op, cost)};
    if (!best || distance < least) {
      best = &op;
      least = distance;
    }
  }
  if (!best)
    return {};
  double scale = 1;
  if (best->operations > 0 && cost.flops > 0)
    scale =
        static_cast<double>(cost.flops) / static_cast<double>(best->operations);
  else if (best->bytes > 0)
    scale =
        static_cast<double>(cost.getBytes()) / static_cast<double>(best->bytes);
  double time = std::min(static_cast<double>(best->nanoseconds) * scale, 1e18);
  return {std::max<int64_t>(1, std::llround(time)), best, false};
}

//===----------------------------------------------------------------------===//
// Tiers
//===----------------------------------------------------------------------===//

/// One speed for both directions: a store and a load take what they do.
static MeasuredSpeed getMean(const MeasuredSpeed &a, const MeasuredSpeed &b) {
  MeasuredSpeed mean;
  // Their sum may be more than 63 bits hold.
  mean.latency = a.latency / 2 + b.latency / 2 + (a.latency & b.latency & 1);
  if (a.bandwidth && b.bandwidth) {
    double perByte = 0.5 / static_cast<double>(a.bandwidth) +
                     0.5 / static_cast<double>(b.bandwidth);
    mean.bandwidth = std::max<int64_t>(1, std::llround(1 / perByte));
  }
  return mean;
}

HierarchyAttr CostProfile::applyTo(HierarchyAttr hierarchy) const {
  if (!hierarchy)
    return hierarchy;
  SmallVector<TierAttr> result;
  for (TierAttr tier : hierarchy.getTiers()) {
    MeasuredSpeed speed = {tier.getBandwidth(), tier.getLatency()};
    for (const MeasuredTier &measured : tiers)
      if (measured.name == tier.getName())
        speed = getMean(measured.store, measured.load);
    result.push_back(TierAttr::get(hierarchy.getContext(), tier.getName(),
                                   tier.getKind(), tier.getCapacity(),
                                   tier.getRead(), tier.getWrite(),
                                   speed.bandwidth, speed.latency));
  }
  return HierarchyAttr::get(hierarchy.getContext(), result,
                            hierarchy.getInclusion(), hierarchy.getCompute(),
                            hierarchy.getSpeed(), hierarchy.getName(),
                            hierarchy.getTopology());
}

std::vector<std::string>
CostProfile::findConflicts(HierarchyAttr hierarchy) const {
  std::vector<std::string> conflicts;
  if (!hierarchy)
    return conflicts;
  HierarchyAttr held = applyTo(hierarchy);
  for (auto [before, after] :
       llvm::zip(hierarchy.getTiers(), held.getTiers())) {
    const double stated = static_cast<double>(before.getBandwidth());
    const double measured = static_cast<double>(after.getBandwidth());
    if (stated == 0 || std::abs(measured - stated) <= stated / 4)
      continue;
    conflicts.push_back(("tier '" + before.getName() + "' has a bandwidth of " +
                         Twine(before.getBandwidth()) +
                         " MB/s in the hierarchy, and " +
                         Twine(after.getBandwidth()) +
                         " MB/s where it was measured; the measured one holds")
                            .str());
  }
  return conflicts;
}

//===----------------------------------------------------------------------===//
// Format
//===----------------------------------------------------------------------===//

std::string CostProfile::toJson() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 2);
  auto writeSpeed = [&](StringRef name, const MeasuredSpeed &speed) {
    json.attributeObject(name, [&] {
      json.attribute("bandwidth", speed.bandwidth);
      json.attribute("latency", speed.latency);
    });
  };
  json.object([&] {
    json.attribute("format", kFormat);
    json.attribute("version", kVersion);
    json.attributeObject("machine", [&] {
      json.attribute("cpu", machine.cpu);
      json.attribute("fingerprint", machine.fingerprint);
    });
    json.attributeArray("tiers", [&] {
      for (const MeasuredTier &tier : tiers)
        json.object([&] {
          json.attribute("name", tier.name);
          json.attribute("backing", tier.backing);
          writeSpeed("store", tier.store);
          writeSpeed("load", tier.load);
          writeSpeed("alloc", tier.alloc);
        });
    });
    json.attributeArray("ops", [&] {
      for (const MeasuredOp &op : ops)
        json.object([&] {
          json.attribute("op", op.signature.op);
          json.attribute("kind", op.signature.kind);
          json.attribute("shape", op.signature.shape);
          json.attribute("operations", op.operations);
          json.attribute("bytes", op.bytes);
          json.attribute("nanoseconds", op.nanoseconds);
          json.attribute("runs", op.runs);
        });
    });
  });
  os << "\n";
  return text;
}

namespace pebble {
// Found by llvm::json where it meets these types.

/// Reads a figure that counts something.
static bool mapCount(llvm::json::ObjectMapper &map, llvm::StringLiteral name,
                     int64_t &count, llvm::json::Path path) {
  if (!map.map(name, count))
    return false;
  if (count < 0)
    path.field(name).report("must not be negative");
  return count >= 0;
}

/// Reads nanoseconds. Longer times would not add up.
static bool mapTime(llvm::json::ObjectMapper &map, llvm::StringLiteral name,
                    int64_t &nanoseconds, llvm::json::Path path) {
  if (!mapCount(map, name, nanoseconds, path))
    return false;
  if (nanoseconds > kLongestLatency)
    path.field(name).report("must be at most 10^15 nanoseconds");
  return nanoseconds <= kLongestLatency;
}

/// Whether `value` has no members but these: others were misspelt, or mean what
/// this version does not know.
static bool hasOnly(const llvm::json::Value &value, ArrayRef<StringRef> known,
                    llvm::json::Path path) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object || !findUnknownMember(*object, known))
    return true;
  path.report("has a member that files of costs do not have");
  return false;
}

static bool fromJSON(const llvm::json::Value &value, MeasuredSpeed &speed,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && mapCount(map, "bandwidth", speed.bandwidth, path) &&
         mapTime(map, "latency", speed.latency, path) &&
         hasOnly(value, {"bandwidth", "latency"}, path);
}

static bool fromJSON(const llvm::json::Value &value, MeasuredTier &tier,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("name", tier.name) &&
         map.map("backing", tier.backing) && map.map("store", tier.store) &&
         map.map("load", tier.load) && map.map("alloc", tier.alloc) &&
         hasOnly(value, {"name", "backing", "store", "load", "alloc"}, path);
}

static bool fromJSON(const llvm::json::Value &value, MeasuredOp &op,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("op", op.signature.op) &&
         map.map("kind", op.signature.kind) &&
         map.map("shape", op.signature.shape) &&
         mapCount(map, "operations", op.operations, path) &&
         mapCount(map, "bytes", op.bytes, path) &&
         mapTime(map, "nanoseconds", op.nanoseconds, path) &&
         mapCount(map, "runs", op.runs, path) &&
         hasOnly(value,
                 {"op", "kind", "shape", "operations", "bytes", "nanoseconds",
                  "runs"},
                 path);
}

static bool fromJSON(const llvm::json::Value &value, Machine &machine,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("cpu", machine.cpu) &&
         map.map("fingerprint", machine.fingerprint) &&
         hasOnly(value, {"cpu", "fingerprint"}, path);
}
} // namespace pebble

llvm::Expected<CostProfile> CostProfile::fromJson(StringRef text,
                                                  StringRef file) {
  auto fail = [&](const Twine &why) {
    return llvm::createStringError("costs in '" + file + "': " + why);
  };
  auto value = parseStrictJson(text);
  if (!value)
    return fail(llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  std::optional<StringRef> format =
      object ? object->getString("format") : std::nullopt;
  if (format != StringRef(kFormat))
    return fail("this is no file of costs: no \"format\": \"" + kFormat + "\"");
  std::optional<int64_t> version = object->getInteger("version");
  if (version != kVersion)
    return fail("version " +
                (version ? Twine(*version) : Twine("without a number")) +
                ", and this is version " + Twine(kVersion) +
                "; measure again with pebble-run --profile");
  CostProfile profile;
  std::vector<MeasuredOp> ops;
  llvm::json::Path::Root root("costs");
  llvm::json::ObjectMapper map(*value, root);
  if (!map || !map.map("machine", profile.machine) ||
      !map.map("tiers", profile.tiers) || !map.map("ops", ops) ||
      !hasOnly(*value, {"format", "version", "machine", "tiers", "ops"}, root))
    return fail(llvm::toString(root.getError()));
  llvm::StringSet<> names;
  for (const MeasuredTier &tier : profile.tiers)
    if (!names.insert(tier.name).second)
      return fail("tier '" + tier.name + "' was measured twice");
  for (MeasuredOp &op : ops) {
    if (profile.contains(op.signature))
      return fail("operation '" + op.signature.op + "' with " +
                  op.signature.shape + " was measured twice");
    profile.add(std::move(op));
  }
  return std::move(profile);
}

FailureOr<std::shared_ptr<const CostProfile>> pebble::readCosts(StringRef file,
                                                                Location loc) {
  auto text = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!text)
    return emitError(loc) << "cannot read costs from '" << file
                          << "': " << text.getError().message();
  auto profile = CostProfile::fromJson((*text)->getBuffer(), file);
  if (!profile)
    return emitError(loc) << llvm::toString(profile.takeError());
  Machine host = Machine::getHost();
  if (!(profile->machine == host)) {
    InFlightDiagnostic warning = emitWarning(loc)
                                 << "the costs in '" << file
                                 << "' were measured on another machine ('"
                                 << profile->machine.cpu << "'), this one is '"
                                 << host.cpu << "'";
    if (profile->machine.cpu == host.cpu)
      warning << " with other caches, cores or features";
  }
  return std::shared_ptr<const CostProfile>(
      std::make_shared<CostProfile>(std::move(*profile)));
}
