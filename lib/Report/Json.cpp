//===- Json.cpp - reports as JSON -----------------------------------------===//

#include "Internal.h"

#include "pebble/Report/Formats.h"

using namespace llvm;

namespace pebble {

template <typename T>
static json::Value orNull(const std::optional<T> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

using Figures = std::vector<std::pair<std::string, int64_t>>;

/// Explicit tiers in which something lives; the compute tier always.
static Figures getPeaks(const FunctionReport &report) {
  Figures peaks;
  for (auto [index, tier] : enumerate(report.tiers))
    if (index == report.computeTier || tier.peakBytes)
      peaks.push_back({tier.name, tier.peakBytes});
  return peaks;
}

static Figures getEnergies(const FunctionReport &report) {
  Figures energies;
  for (const TierEntry &tier : report.tiers)
    energies.push_back({tier.name, tier.energy});
  return energies;
}

static Figures getMoves(const FunctionReport &report) {
  return {report.movedBytes.begin(), report.movedBytes.end()};
}

static Figures getDependences(const FunctionReport &report) {
  return {{"flow", report.flow},
          {"anti", report.anti},
          {"output", report.output},
          {"effect", report.effect}};
}

static void write(json::OStream &out, StringRef key, const Figures &figures) {
  out.attributeObject(key, [&] {
    for (const auto &[name, value] : figures)
      out.attribute(name, value);
  });
}

static void writeStorage(json::OStream &out, const StorageEntry &entry) {
  out.object([&] {
    out.attribute("name", entry.name);
    out.attribute("bytes", entry.bytes);
    out.attribute("role", toString(entry.role));
    out.attribute("saved", entry.isSaved);
    out.attribute("first", entry.range.first);
    out.attribute("last", entry.range.last);
  });
}

static void writePeak(json::OStream &out, const FunctionReport &report) {
  if (report.steps.empty()) {
    out.attribute("peak_op", nullptr);
    out.attributeArray("largest_live", [] {});
    return;
  }
  unsigned at = report.getComputeTier().peakPosition;
  out.attributeObject("peak_op", [&] {
    out.attribute("op", report.steps[at].name);
    out.attribute("position", at);
    out.attribute("scratch_bytes", report.steps[at].scratch);
  });
  out.attributeArray("largest_live", [&] {
    std::vector<unsigned> live = report.getLiveStorages(at, report.computeTier);
    for (unsigned index : ArrayRef(live).take_front(10))
      writeStorage(out, report.storages[index]);
  });
}

static void writeServed(json::OStream &out, StringRef key,
                        const FunctionReport &report,
                        const ServedBytes &served) {
  out.attributeObject(key, [&] {
    out.attributeObject("served_bytes", [&] {
      for (auto [index, bytes] : enumerate(served.perTier))
        out.attribute(report.tiers[index].name, bytes);
    });
    out.attribute("energy_fj_total", served.energy);
  });
}

static void writeLoop(json::OStream &out, const FunctionReport &report) {
  if (!report.loop)
    return;
  out.attributeObject("loop", [&] {
    out.attribute("calls", report.loop->calls);
    writeServed(out, "first_call", report, report.loop->firstCall);
    writeServed(out, "all_calls", report, report.loop->allCalls);
  });
}

static void writePlan(json::OStream &out, const FunctionReport &report) {
  if (!report.plan)
    return;
  out.attributeObject("plan", [&] {
    out.attribute("cost", report.plan->cost);
    out.attribute("bound", report.plan->bound);
    out.attribute("input_peak_bytes", orNull(report.plan->inputPeakBytes));
    out.attribute("once_cost", orNull(report.plan->onceCost));
  });
}

void writeJson(json::OStream &out, const FunctionReport &report) {
  out.object([&] {
    out.attribute("ops", int64_t(report.steps.size()));
    write(out, "peak_bytes", getPeaks(report));
    if (report.energy)
      write(out, "energy_fj", getEnergies(report));
    else
      out.attribute("energy_fj", nullptr);
    out.attribute("energy_fj_total", orNull(report.energy));
    out.attribute("compute_fj", orNull(report.computeEnergy));
    write(out, "moved_bytes", getMoves(report));
    out.attribute("ard_bytes", orNull(report.averageReuseDistance));
    writeLoop(out, report);
    out.attribute("legal_orders", orNull(report.legalOrders));
    out.attribute("flow_orders", orNull(report.flowOrders));
    write(out, "dependences", getDependences(report));
    out.attribute("cache_model", report.cacheModel
                                     ? json::Value(toString(*report.cacheModel))
                                     : json::Value(nullptr));
    out.attribute("intermediates_peak_bytes", report.intermediatesPeakBytes);
    out.attribute("constant_bytes", report.constantBytes);
    writePeak(out, report);
    out.attributeArray("barriers", [&] {
      for (auto [at, step] : enumerate(report.steps))
        if (!step.barrier.empty())
          out.object([&, at = int64_t(at), &step = step] {
            out.attribute("op", step.name);
            out.attribute("position", at);
            out.attribute("reason", step.barrier);
          });
    });
    out.attributeArray("unknown_costs", [&] {
      for (const std::string &name : report.unknownCosts)
        out.value(name);
    });
    out.attributeObject("energy_fj_by_storage", [&] {
      constexpr size_t kShown = 10;
      auto energies = report.getEnergyByStorage();
      for (const auto &[name, energy] : ArrayRef(energies).take_front(kShown))
        out.attribute(name, energy);
    });
    if (!report.calls.empty())
      out.attributeArray("calls", [&] {
        for (const CallEntry &call : report.calls)
          out.object([&] {
            out.attribute("callee", call.callee);
            out.attribute("depth", int64_t(call.depth));
            out.attribute("mode", call.isJoint ? "joint" : "split");
          });
      });
    out.attribute("turning_point", orNull(report.turningPoint));
    out.attribute("blocks", report.blocks);
    out.attribute("cost", report.work);
    out.attribute("predicted_ns", orNull(report.nanoseconds));
    if (report.messageNanoseconds) {
      out.attribute("predicted_message_ns", *report.messageNanoseconds);
      out.attributeObject("message_bytes", [&] {
        for (const auto &[group, bytes] : report.messageBytes)
          out.attribute(group, bytes);
      });
    }
    writePlan(out, report);
  });
}

//===----------------------------------------------------------------------===//
// Before and after
//===----------------------------------------------------------------------===//

/// After less before, by name; a missing figure counts as nothing.
static Figures subtract(const Figures &before, const Figures &after) {
  Figures result = after;
  for (const auto &[name, value] : before) {
    auto found = find_if(
        result, [&, &name = name](const auto &e) { return e.first == name; });
    if (found == result.end())
      result.push_back({name, -value});
    else
      found->second -= value;
  }
  return result;
}

template <typename T>
static json::Value subtract(const std::optional<T> &before,
                            const std::optional<T> &after) {
  return before && after ? json::Value(*after - *before) : json::Value(nullptr);
}

static void writeSteps(json::OStream &out, StringRef key,
                       const FunctionReport &report,
                       ArrayRef<unsigned> positions) {
  out.attributeArray(key, [&] {
    for (unsigned at : positions)
      out.object([&] {
        out.attribute("op", report.steps[at].name);
        out.attribute("position", at);
      });
  });
}

static void writeChange(json::OStream &out, const Comparison &comparison) {
  const FunctionReport &before = *comparison.before;
  const FunctionReport &after = *comparison.after;
  out.attribute("ops",
                int64_t(after.steps.size()) - int64_t(before.steps.size()));
  write(out, "peak_bytes", subtract(getPeaks(before), getPeaks(after)));
  if (before.energy && after.energy)
    write(out, "energy_fj", subtract(getEnergies(before), getEnergies(after)));
  else
    out.attribute("energy_fj", nullptr);
  out.attribute("energy_fj_total", subtract(before.energy, after.energy));
  out.attribute("compute_fj",
                subtract(before.computeEnergy, after.computeEnergy));
  write(out, "moved_bytes", subtract(getMoves(before), getMoves(after)));
  out.attribute("ard_bytes", subtract(before.averageReuseDistance,
                                      after.averageReuseDistance));
  write(out, "dependences",
        subtract(getDependences(before), getDependences(after)));
  out.attribute("intermediates_peak_bytes",
                after.intermediatesPeakBytes - before.intermediatesPeakBytes);
  out.attribute("constant_bytes", after.constantBytes - before.constantBytes);
  out.attributeArray("moved_ops", [&] {
    for (unsigned at : comparison.moved)
      out.object([&] {
        out.attribute("op", after.steps[at].name);
        out.attribute("from", *comparison.origin[at]);
        out.attribute("to", at);
      });
  });
  writeSteps(out, "recomputed_ops", after, comparison.recomputed);
  writeSteps(out, "offloaded_ops", after, comparison.offloaded);
  writeSteps(out, "added_ops", after, comparison.added);
  writeSteps(out, "removed_ops", before, comparison.removed);
  out.attributeArray("tier_changes", [&] {
    for (const TierChange &tier : comparison.tierChanges)
      out.object([&] {
        out.attribute("op", after.steps[tier.after].name);
        out.attribute("storage", tier.storage);
        out.attribute("access", tier.isWrite ? "write" : "read");
        out.attribute("bytes", tier.bytes);
        out.attribute("from", tier.from);
        out.attribute("to", tier.to);
        out.attribute("energy_fj", tier.energy);
      });
  });
}

void writeJson(json::OStream &out, const Comparison &comparison) {
  out.object([&] {
    out.attributeBegin("before");
    writeJson(out, *comparison.before);
    out.attributeEnd();
    out.attributeBegin("after");
    writeJson(out, *comparison.after);
    out.attributeEnd();
    out.attributeObject("change", [&] { writeChange(out, comparison); });
  });
}

} // namespace pebble
