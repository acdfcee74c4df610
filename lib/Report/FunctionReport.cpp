//===- FunctionReport.cpp - what is known of one function's run -----------===//

#include "pebble/Report/FunctionReport.h"
#include "pebble/Dialect/ProgramNames.h"

#include "Internal.h"

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/Communication.h"
#include "pebble/Planning/StepCosts.h"
#include "pebble/Solver/Order/OrderCount.h"
#include "pebble/Target/OpCost.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <set>

using namespace mlir;

namespace pebble {

StringRef toString(Role role) {
  switch (role) {
  case Role::Argument:
    return "argument";
  case Role::Activation:
    return "activation";
  case Role::Gradient:
    return "gradient";
  case Role::Result:
    return "result";
  }
  llvm_unreachable("covered switch");
}

std::vector<std::pair<std::string, int64_t>>
FunctionReport::getEnergyByStorage() const {
  std::map<std::string, int64_t> sums;
  for (const StepEntry &step : steps)
    for (const AccessEntry &access : step.accesses)
      sums[access.storage] = addCounts(sums[access.storage], access.energy);
  std::vector<std::pair<std::string, int64_t>> sorted(sums.begin(), sums.end());
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return sorted;
}

std::vector<unsigned> FunctionReport::getLiveStorages(unsigned position,
                                                      unsigned tier) const {
  std::vector<unsigned> live;
  for (auto [index, entry] : llvm::enumerate(storages))
    if (entry.tier == tier && entry.range.first <= position &&
        position <= entry.range.last)
      live.push_back(index);
  llvm::sort(live, [&](unsigned a, unsigned b) {
    int64_t left = storages[a].bytes, right = storages[b].bytes;
    return left != right ? left > right : a < b;
  });
  return live;
}

/// Sets of steps that may be counted with before the count is given up.
static constexpr size_t kOrderStates = 2000000;

namespace {
class Reporter {
public:
  Reporter(const StorageAnalysis &storage, const ReportOptions &options)
      : storage(storage), lifetime(storage), options(options) {}

  FunctionReport build() {
    addTiers();
    addStorages();
    addSteps();
    addDependences();
    addTraffic();
    addCompute();
    assignRoles(report, lifetime);
    return std::move(report);
  }

private:
  void addTiers() {
    if (options.hierarchy) {
      for (TierAttr tier : options.hierarchy.getTiers()) {
        TierEntry entry;
        entry.name = tier.getName().str();
        entry.isCache = tier.isCache();
        if (tier.isBounded())
          entry.capacity = tier.getCapacity();
        report.tiers.push_back(std::move(entry));
      }
      report.computeTier = options.hierarchy.getComputeTierIndex();
    } else {
      TierEntry entry;
      entry.name = "default";
      report.tiers.push_back(std::move(entry));
    }
    for (StringRef name : lifetime.getTiers())
      findTier(name);
    for (auto [index, tier] : llvm::enumerate(report.tiers)) {
      if (tier.isCache)
        continue;
      StringRef key = index == report.computeTier ? "" : StringRef(tier.name);
      tier.peakBytes = lifetime.getPeakBytes(key);
      tier.peakPosition = lifetime.getPeakPosition(key);
      for (unsigned at = 0; at < storage.getSteps().size(); ++at)
        tier.liveBytes.push_back(lifetime.getLiveBytes(at, key));
    }
  }

  /// Tiers that the program names and the hierarchy does not know come last.
  unsigned findTier(StringRef name) {
    if (name.empty())
      return report.computeTier;
    for (auto [index, tier] : llvm::enumerate(report.tiers))
      if (tier.name == name)
        return index;
    TierEntry entry;
    entry.name = name.str();
    report.tiers.push_back(std::move(entry));
    return report.tiers.size() - 1;
  }

  void addStorages() {
    for (auto [id, given] : llvm::enumerate(storage.getStorages())) {
      StorageEntry entry;
      entry.name = storage.getStorageName(id);
      entry.kind = given.kind;
      entry.tier = findTier(given.tier);
      entry.bytes = given.bytes;
      entry.footprint = given.getFootprint();
      if (given.isCounted() && !storage.getSteps().empty())
        entry.range = lifetime.getRange(id);
      report.storages.push_back(std::move(entry));
    }
    report.intermediatesPeakBytes = lifetime.getIntermediatesPeakBytes();
    report.constantBytes = lifetime.getConstantBytes();
  }

  void addSteps() {
    std::vector<uint64_t> fingerprints = fingerprintSteps(storage);
    for (auto [index, given] : llvm::enumerate(storage.getSteps())) {
      StepEntry entry;
      entry.name = storage.getStepName(index);
      entry.op = given.op->getName().getStringRef().str();
      entry.barrier = given.barrier;
      entry.scratch = given.scratch;
      entry.fingerprint = fingerprints[index];
      for (const Access &access : given.accesses)
        (access.kind == AccessKind::Write ? entry.written : entry.read)
            .push_back(access.storage);
      report.steps.push_back(std::move(entry));
    }
  }

  void addDependences() {
    DependenceGraph graph(storage);
    report.flow = graph.count(DependenceKind::Flow);
    report.anti = graph.count(DependenceKind::Anti);
    report.output = graph.count(DependenceKind::Output);
    report.effect = graph.count(DependenceKind::Effect);
    if (!options.countOrders)
      return;
    BuildOptions build;
    build.names = false;
    BlockProblem block = buildProblem(graph, build);
    report.legalOrders =
        pebble::graph::countOrders(block.problem, kOrderStates);
    report.flowOrders = pebble::graph::countOrders(block.problem, kOrderStates,
                                                   /*antiDependences=*/false);
  }

  void addCompute() {
    if (!options.hierarchy)
      return;
    DimBounds bounds;
    bounds.dynamicDim = storage.getContext().getOptions().dynamicDimBound;
    OpCostModel model(bounds);
    std::set<std::string> unknown;
    int64_t energy = 0;
    for (const Step &step : storage.getSteps()) {
      OpCost cost = model.estimate(step.op);
      energy = addCounts(energy, getComputeEnergy(cost, options.hierarchy));
      if (!cost.isKnown())
        unknown.insert(step.op->getName().getStringRef().str());
    }
    report.computeEnergy = energy;
    report.unknownCosts.assign(unknown.begin(), unknown.end());
  }

  void addTraffic() {
    HierarchyCosts costs;
    if (options.hierarchy) {
      costs = HierarchyCosts::get(options.hierarchy);
    } else {
      // Moves and reuse distances need names of tiers, but no figures.
      for (const TierEntry &tier : report.tiers) {
        TierCosts plain;
        plain.name = tier.name;
        costs.tiers.push_back(std::move(plain));
      }
    }
    TrafficAnalysis traffic(lifetime, costs, options.cacheModel);
    report.averageReuseDistance = traffic.getAverageReuseDistance();
    report.movedBytes = traffic.getMovedBytes();
    if (!options.hierarchy)
      return;
    report.cacheModel = options.cacheModel;
    report.energy = traffic.getEnergy();
    for (auto [tier, energy] :
         llvm::zip(report.tiers, traffic.getEnergyPerTier()))
      tier.energy = energy;
    if (options.calls > 0) {
      LoopTrafficAnalysis loop(lifetime, costs, options.calls);
      report.loop = {loop.getCalls(), loop.getFirstCall(), loop.getAllCalls()};
    }
    for (const PricedAccess &priced : traffic.getAccesses()) {
      AccessEntry entry;
      entry.storage = report.storages[priced.access.storage].name;
      entry.isWrite = priced.access.kind == AccessKind::Write;
      entry.bytes = priced.access.bytes;
      entry.reuseDistance = priced.reuseDistance;
      entry.tier = priced.tier;
      entry.energy = priced.energy;
      report.steps[priced.position].accesses.push_back(std::move(entry));
    }
  }

  const StorageAnalysis &storage;
  LifetimeAnalysis lifetime;
  const ReportOptions &options;
  FunctionReport report;
};
} // namespace

static std::optional<PlanEntry> readPlan(Operation *function) {
  auto result = function->getAttrOfType<DictionaryAttr>(attr::kResult);
  if (!result)
    return std::nullopt;
  auto get = [](DictionaryAttr from, StringRef name) {
    auto number = from ? from.getAs<IntegerAttr>(name) : IntegerAttr();
    return number ? std::optional(number.getInt()) : std::nullopt;
  };
  std::optional<int64_t> cost = get(result, "cost");
  if (!cost)
    return std::nullopt;
  return PlanEntry{*cost, get(result, "bound").value_or(0),
                   get(result, "input_peak_bytes"),
                   get(result.getAs<DictionaryAttr>("summary"), "once_cost")};
}

FailureOr<FunctionReport> reportFunction(Operation *op, ProgramContext &context,
                                         const ReportOptions &options) {
  auto function = cast<FunctionOpInterface>(op);
  StorageAnalysis storage(function.getFunctionBody().front(), context);
  if (failed(storage.verify()))
    return failure();
  FunctionReport report = Reporter(storage, options).build();
  FailureOr<int64_t> work = getCostOnce(storage, ScheduleObjective::Recompute,
                                        options.hierarchy, options.cacheModel);
  if (failed(work))
    return failure();
  report.work = *work;
  FailureOr<std::optional<CommunicationCost>> messages =
      getMessageTotal(storage, options.hierarchy);
  if (failed(messages))
    return failure();
  if (*messages) {
    report.messageNanoseconds = (*messages)->nanoseconds;
    for (auto [group, bytes] : llvm::zip(
             options.hierarchy.getTopology().getGroups(), (*messages)->bytes))
      report.messageBytes.emplace_back(group.getName().str(), bytes);
  }
  if (hasStepTimes(storage)) {
    report.nanoseconds = report.messageNanoseconds.value_or(0);
    for (const StepTime &time : getStepTimes(storage))
      report.nanoseconds = addCounts(*report.nanoseconds, time.nanoseconds);
  }
  report.plan = readPlan(op);
  report.calls = listCalls(op, context);
  report.name = getProgramName(function);
  report.blocks = function.getFunctionBody().getBlocks().size();
  return report;
}

} // namespace pebble
