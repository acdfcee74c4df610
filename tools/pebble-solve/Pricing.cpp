//===- Pricing.cpp - what runs and transfers cost in pebble-solve ---------===//

#include "Pricing.h"

#include "pebble/Solver/Energy/EnergyModel.h"
#include "pebble/Solver/Portfolio/FindSchedule.h"
#include "pebble/Solver/Timeline/Timeline.h"
#include "pebble/Target/PresetTables.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::solve_tool;

namespace {

constexpr int64_t kFloat = 4;

Hierarchy hierarchyOf(const Preset &preset) {
  Hierarchy h;
  h.name = preset.name;
  h.inclusion = preset.inclusive ? Inclusion::Inclusive : Inclusion::Exclusive;
  for (const PresetTier &t : preset.tiers)
    h.tiers.push_back({t.name, t.isCache ? TierKind::Cache : TierKind::Explicit,
                       t.capacity, t.read, t.write, t.bandwidth, t.latency});
  // Footprints stay in the file's units, so explicit tiers are counted in them.
  const size_t compute = h.computeTier();
  for (size_t t = compute; t < h.tiers.size(); ++t)
    if (t == compute)
      h.tiers[t].capacity = kUnbounded;
    else if (h.tiers[t].capacity != kUnbounded)
      h.tiers[t].capacity /= kFloat;
  return h;
}

/// Adds up all that is priced, so that no schedule within reason overflows.
class Amounts {
public:
  bool ok() const { return sum <= INT64_MAX / kRepeats; }

  int64_t take(__int128 amount) {
    sum = std::min(sum + amount, __int128(INT64_MAX));
    return ok() ? static_cast<int64_t>(amount) : 0;
  }

private:
  /// How often everything may happen.
  static constexpr int64_t kRepeats = 16;
  __int128 sum = 0;
};

/// Stores and loads by what the tiers take for a byte.
graph::MoveCosts byTiers(const Problem &p, int64_t scale, Amounts &amounts) {
  graph::MoveCosts costs;
  const size_t count = p.explicitTierCount(),
               compute = p.hierarchy.computeTier();
  costs.stores.resize(std::max<size_t>(1, count));
  costs.loads.resize(costs.stores.size());
  for (size_t tier = 1; tier < count; ++tier) {
    const Tier &fast = p.hierarchy.tiers[compute],
               &slow = p.hierarchy.tiers[compute + tier];
    for (const Value &v : p.values) {
      const __int128 bytes = __int128(p.storages[v.storage].bytes) * scale;
      costs.stores[tier].push_back(
          amounts.take(bytes * (fast.readEnergy + slow.writeEnergy)));
      costs.loads[tier].push_back(
          amounts.take(bytes * (slow.readEnergy + fast.writeEnergy)));
    }
  }
  return costs;
}

void priceByRate(Pricing &result, int64_t milli, Amounts &amounts) {
  Problem &p = result.problem;
  while (milli * result.scale % 1000 != 0)
    result.scale *= 10;
  for (Step &s : p.steps)
    s.cost = amounts.take(__int128(s.cost) * result.scale);
  std::vector<int64_t> byValue;
  for (const Value &v : p.values)
    byValue.push_back(amounts.take(__int128(p.storages[v.storage].bytes) *
                                   (milli * result.scale / 1000)));
  result.transfers.stores.assign(std::max<size_t>(1, p.explicitTierCount()),
                                 byValue);
  result.transfers.loads = result.transfers.stores;
}

/// Prices of what is not allowed need not fit; those of a schedule of others
/// do.
bool mayTransfer(const Options &o) {
  return !o.verify.empty() || (o.means && game::mayOffload(*o.means));
}

void priceEnergy(Pricing &result, const Options &o, Amounts &amounts) {
  Problem &p = result.problem;
  if (!o.target.empty()) {
    p = onTarget(p, o);
    const int64_t operation = o.machine->compute;
    const auto report = graph::evaluateEnergy(
        p, givenOrder(p), *graph::parseCacheModel(o.cacheModel));
    for (Step &s : p.steps)
      s.cost = amounts.take(__int128(s.cost) * operation);
    for (const graph::ServedAccess &a : report.accesses)
      p.steps[a.step].cost =
          amounts.take(__int128(p.steps[a.step].cost) + a.energy);
  }
  result.transfers = byTiers(p, 1, amounts);
}

/// An error where a tier that values may move to has no bandwidth.
std::string priceTime(Pricing &result, const Options &o, Amounts &amounts) {
  const Problem &p = result.problem;
  const bool moves = o.means && game::mayOffload(*o.means);
  auto times = timeline::getDurations(p, {});
  if (!times && moves) {
    size_t t = p.hierarchy.computeTier() + 1;
    while (p.hierarchy.tiers[t].bandwidth != 0)
      ++t;
    return "--objective=time needs the bandwidth of tier '" +
           p.hierarchy.tiers[t].name + "', which '" +
           (o.target.empty() ? o.file : o.target) + "' does not say";
  }
  graph::MoveCosts &costs = result.transfers;
  if (times)
    costs = {std::move(times->stores), std::move(times->loads)};
  costs.stores.resize(std::max<size_t>(1, p.explicitTierCount()));
  costs.loads.resize(costs.stores.size());
  for (auto *table : {&costs.stores, &costs.loads})
    for (size_t tier = 1; tier < table->size(); ++tier) {
      (*table)[tier].resize(p.values.size());
      for (int64_t cost : (*table)[tier])
        amounts.take(cost);
    }
  for (const Step &s : p.steps)
    amounts.take(s.cost);
  return "";
}

} // namespace

std::string pebble::solve_tool::targetNames() {
  std::string names;
  for (std::string_view name : getPresetNames())
    names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

Problem pebble::solve_tool::onTarget(const Problem &problem, const Options &o) {
  Problem p = problem;
  p.hierarchy = hierarchyOf(*o.machine);
  for (Storage &s : p.storages)
    s.bytes *= kFloat;
  for (Step &s : p.steps)
    for (auto *list : {&s.reads, &s.writes})
      for (Access &a : *list)
        a.bytes *= kFloat;
  return p;
}

Problem
pebble::solve_tool::judgedProblem(const Pricing &pricing,
                                  const std::vector<Update> &outOfPlace) {
  if (pricing.updates.empty())
    return pricing.problem;
  return portfolio::judgedProblem(
      portfolio::withFreshStorages(pricing.problem, outOfPlace),
      pricing.runOnce);
}

std::optional<Pricing>
pebble::solve_tool::priceProblem(const ParsedProblem &parsed, const Options &o,
                                 std::string &error) {
  const Problem &problem = *parsed.problem;
  const bool byMachine =
      o.objective == Objective::Energy || o.objective == Objective::Time;
  const char *objective = o.objective == Objective::Energy ? "energy" : "time";
  if (byMachine && o.offloadRateMilli)
    error = "--offload-rate is for --objective=cost; a machine has prices";
  else if (byMachine && o.target.empty() && !o.ownHierarchy)
    error = std::string("--objective=") + objective +
            " needs a machine: --target=NAME (" + targetNames() + ") or a file";
  if (!error.empty())
    return std::nullopt;

  Pricing result;
  result.problem = problem;
  result.updates = parsed.updates;
  result.runOnce = parsed.runOnce;
  Amounts amounts;
  if (o.objective == Objective::Energy) {
    priceEnergy(result, o, amounts);
  } else if (o.objective == Objective::Time) {
    if (!o.target.empty())
      result.problem = onTarget(problem, o);
    if (error = priceTime(result, o, amounts); !error.empty())
      return std::nullopt;
  } else if (o.offloadRateMilli) {
    priceByRate(result, *o.offloadRateMilli, amounts);
  } else if (mayTransfer(o)) {
    result.transfers = byTiers(result.problem, 1, amounts);
  }
  // A copy costs in the unit of the steps.
  const int64_t operation = o.objective == Objective::Energy && o.machine
                                ? o.machine->compute
                                : result.scale;
  for (Update &update : result.updates)
    update.copyCost = amounts.take(__int128(update.copyCost) * operation);
  if (!amounts.ok()) {
    error = "costs of steps and transfers are too large to be added up";
    return std::nullopt;
  }
  return result;
}
