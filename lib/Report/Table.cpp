//===- Table.cpp - reports as text for people -----------------------------===//

#include "Internal.h"

#include "pebble/Report/Formats.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace llvm;

namespace pebble {

std::string withSeparators(int64_t value) {
  std::string digits = std::to_string(value < 0 ? -value : value);
  for (int at = int(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(at, ",");
  return (value < 0 ? "-" : "") + digits;
}

std::string formatBytes(int64_t bytes) {
  static constexpr const char *kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (std::abs(bytes) < 10240)
    return withSeparators(bytes) + " B";
  double value = double(bytes) / 1024;
  unsigned unit = 0;
  for (; std::abs(value) >= 1024 && unit < 3; ++unit)
    value /= 1024;
  int digits = std::abs(value) < 10 ? 2 : std::abs(value) < 100 ? 1 : 0;
  std::string text;
  raw_string_ostream(text) << format("%.*f ", digits, value) << kUnits[unit];
  return text;
}

std::string formatEnergy(int64_t femtojoules) {
  static constexpr int64_t kLong = 100'000'000'000'000; // 0.1 J
  if (std::abs(femtojoules) >= kLong)
    return withSeparators(femtojoules / 1'000'000'000) + " uJ";
  std::string text = withSeparators(femtojoules / 1000);
  if (int64_t rest = std::abs(femtojoules % 1000)) {
    if (femtojoules < 0 && text == "0")
      text = "-0";
    raw_string_ostream(text) << format(".%03d", int(rest));
  }
  return text + " pJ";
}

int64_t toNanoseconds(double seconds) {
  // 2^63 and more are none of 64 bits.
  const double nanoseconds = seconds * 1e9;
  return nanoseconds < 9.2e18 ? static_cast<int64_t>(nanoseconds)
                              : std::numeric_limits<int64_t>::max();
}

std::string formatTime(int64_t nanoseconds) {
  static constexpr const char *kUnits[] = {"ns", "us", "ms", "s"};
  double value = double(nanoseconds);
  unsigned unit = 0;
  for (; std::abs(value) >= 1000 && unit < 3; ++unit)
    value /= 1000;
  int digits = unit == 0 || std::abs(value) >= 100 ? 0
               : std::abs(value) < 10              ? 2
                                                   : 1;
  std::string text;
  raw_string_ostream(text) << format("%.*f ", digits, value) << kUnits[unit];
  return text;
}

/// "1 op", "2 ops".
static std::string plural(int64_t count, StringRef one) {
  return withSeparators(count) + " " + one.str() + (count == 1 ? "" : "s");
}

static std::string formatDistance(std::optional<double> bytes) {
  if (!bytes)
    return "none";
  return formatv("{0:F1} B", *bytes).str();
}

static std::string formatOrders(std::optional<uint64_t> count) {
  if (!count)
    return "too many to count";
  return *count > uint64_t(std::numeric_limits<int64_t>::max())
             ? std::to_string(*count)
             : withSeparators(*count);
}

/// Rows of cells, columns aligned: the first to the left, others to the right.
namespace {
class Grid {
public:
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  void print(raw_ostream &os) const {
    std::vector<size_t> widths;
    for (const auto &row : rows)
      for (auto [column, cell] : enumerate(row)) {
        if (column >= widths.size())
          widths.push_back(0);
        widths[column] = std::max(widths[column], cell.size());
      }
    for (const auto &row : rows) {
      std::string line = "  ";
      for (auto [column, cell] : enumerate(row)) {
        std::string space(widths[column] - cell.size(), ' ');
        line += column ? "  " + space + cell : cell + space;
      }
      os << StringRef(line).rtrim() << "\n";
    }
  }

private:
  std::vector<std::vector<std::string>> rows;
};
} // namespace

static void printLargest(raw_ostream &os, const FunctionReport &report) {
  if (report.steps.empty())
    return;
  unsigned at = report.getComputeTier().peakPosition;
  std::vector<unsigned> live = report.getLiveStorages(at, report.computeTier);
  constexpr unsigned kShown = 6;
  os << "  live at the peak, op " << at << " " << report.steps[at].name
     << ":\n";
  for (unsigned index : ArrayRef(live).take_front(kShown)) {
    const StorageEntry &entry = report.storages[index];
    os << "    " << right_justify(formatBytes(entry.bytes), 10) << "  "
       << entry.name << ", " << (entry.isSaved ? "saved " : "")
       << toString(entry.role) << "\n";
  }
  if (live.size() > kShown) {
    int64_t rest = 0;
    for (unsigned index : ArrayRef(live).drop_front(kShown))
      rest += report.storages[index].footprint;
    os << "    " << right_justify(formatBytes(rest), 10) << "  in "
       << plural(live.size() - kShown, "more storage") << "\n";
  }
  if (int64_t scratch = report.steps[at].scratch)
    os << "    " << right_justify(formatBytes(scratch), 10)
       << "  scratch inside the op\n";
}

static void printBarriers(raw_ostream &os, const FunctionReport &report) {
  std::map<std::string, int64_t> reasons;
  for (const StepEntry &step : report.steps)
    if (!step.barrier.empty())
      ++reasons[step.barrier];
  if (reasons.empty())
    return;
  os << "  barriers:\n";
  for (const auto &[reason, count] : reasons)
    os << "    " << count << " x " << reason << "\n";
}

static void printHeader(raw_ostream &os, const FunctionReport &report) {
  os << "@" << report.name << ": " << plural(report.steps.size(), "op");
  if (report.blocks > 1)
    os << " in the first of " << report.blocks << " blocks";
  if (report.work)
    os << ", cost " << withSeparators(report.work) << " operations";
  if (report.nanoseconds)
    os << ", predicted time " << formatTime(*report.nanoseconds);
  if (report.messageNanoseconds)
    os << ", messages " << formatTime(*report.messageNanoseconds);
  os << "\n";
}

static std::string getEnergyTitle(const FunctionReport &report) {
  return "energy (" + toString(*report.cacheModel).str() + ")";
}

/// Peaks of the tiers in which anything lives, the compute tier always.
static bool isPeakShown(const FunctionReport &report, unsigned tier) {
  return tier == report.computeTier || report.tiers[tier].peakBytes;
}

/// What the tiers serve in the first call and in the mean of the others.
static void printLoop(raw_ostream &os, const FunctionReport &report) {
  if (!report.loop)
    return;
  const LoopEntry &loop = *report.loop;
  int64_t later = loop.calls - 1;
  os << "  called " << withSeparators(loop.calls) << " times in a loop:\n";
  Grid grid;
  grid.add({"served by", "first call", later ? "a later call" : ""});
  auto meanOfLater = [&](int64_t all, int64_t first) {
    return later ? (all - first) / later : 0;
  };
  for (auto [index, first] : enumerate(loop.firstCall.perTier)) {
    int64_t mean = meanOfLater(loop.allCalls.perTier[index], first);
    grid.add({"  " + report.tiers[index].name, withSeparators(first) + " B",
              later ? withSeparators(mean) + " B" : ""});
  }
  int64_t mean = meanOfLater(loop.allCalls.energy, loop.firstCall.energy);
  grid.add({"energy", formatEnergy(loop.firstCall.energy),
            later ? formatEnergy(mean) : ""});
  grid.print(os);
}

/// The storages that dominate the energy.
static void printDominant(raw_ostream &os, const FunctionReport &report) {
  auto energies = report.getEnergyByStorage();
  if (energies.empty() || !report.energy || *report.energy == 0)
    return;
  constexpr size_t kShown = 3;
  std::vector<std::string> texts;
  for (const auto &[name, energy] : ArrayRef(energies).take_front(kShown))
    texts.push_back(formatv("{0} {1:F1}%", name,
                            100.0 * double(energy) / double(*report.energy))
                        .str());
  os << "  most energy goes to " << llvm::join(texts, ", ") << "\n";
}

/// What a schedule says that it costs.
static void addPlan(Grid &grid, const PlanEntry &plan) {
  std::string extra;
  if (plan.onceCost && *plan.onceCost > 0)
    extra = formatv("{0}{1:F1}%", plan.cost >= *plan.onceCost ? "+" : "",
                    100.0 * double(plan.cost - *plan.onceCost) /
                        double(*plan.onceCost))
                .str();
  grid.add({"planned cost", withSeparators(plan.cost), extra});
  grid.add({"  no plan costs less than", withSeparators(plan.bound)});
  if (plan.inputPeakBytes)
    grid.add({"  peak before", formatBytes(*plan.inputPeakBytes),
              withSeparators(*plan.inputPeakBytes) + " B"});
}

static void printCalls(raw_ostream &os, const FunctionReport &report) {
  constexpr size_t kShown = 40;
  if (report.calls.empty())
    return;
  os << "  calls with adjoints:\n";
  for (const CallEntry &call : ArrayRef(report.calls).take_front(kShown)) {
    os.indent(4 + 2 * call.depth) << "@" << call.callee;
    os << (call.isJoint ? " joint: runs again before its adjoint"
                        : " split: its tape is kept");
    os << (call.isRepeated ? " (its calls as above)\n" : "\n");
  }
  if (report.calls.size() > kShown)
    os << "    and " << report.calls.size() - kShown << " more\n";
}

void printTable(raw_ostream &os, const FunctionReport &report) {
  printHeader(os, report);
  Grid grid;
  for (auto [index, tier] : enumerate(report.tiers))
    if (isPeakShown(report, index))
      grid.add({"peak in " + tier.name, formatBytes(tier.peakBytes),
                withSeparators(tier.peakBytes) + " B"});
  grid.add({"  of it made here", formatBytes(report.intermediatesPeakBytes),
            withSeparators(report.intermediatesPeakBytes) + " B"});
  grid.add({"constants", formatBytes(report.constantBytes),
            withSeparators(report.constantBytes) + " B"});
  if (report.energy) {
    grid.add({getEnergyTitle(report), formatEnergy(*report.energy)});
    for (const TierEntry &tier : report.tiers) {
      double share =
          *report.energy ? 100.0 * double(tier.energy) / *report.energy : 0;
      grid.add({"  from " + tier.name, formatEnergy(tier.energy),
                formatv("{0:F1}%", share).str()});
    }
  }
  if (report.computeEnergy)
    grid.add({"compute energy", formatEnergy(*report.computeEnergy)});
  if (report.plan)
    addPlan(grid, *report.plan);
  for (const auto &[path, bytes] : report.movedBytes)
    grid.add(
        {"moved " + path, formatBytes(bytes), withSeparators(bytes) + " B"});
  for (const auto &[group, bytes] : report.messageBytes)
    grid.add({"sent over " + group, formatBytes(bytes),
              withSeparators(bytes) + " B"});
  grid.add(
      {"average reuse distance", formatDistance(report.averageReuseDistance)});
  grid.print(os);
  printLoop(os, report);
  printDominant(os, report);
  os << "  dependences: " << report.flow << " flow, " << report.anti
     << " anti, " << report.output << " output, " << report.effect
     << " effect\n";
  if (report.legalOrders)
    os << "  legal orders: " << formatOrders(report.legalOrders) << " ("
       << formatOrders(report.flowOrders) << " without anti-dependences)\n";
  if (!report.unknownCosts.empty())
    os << "  no arithmetic is known of: "
       << llvm::join(report.unknownCosts, ", ") << "\n";
  printBarriers(os, report);
  printCalls(os, report);
  printLargest(os, report);
}

//===----------------------------------------------------------------------===//
// Before and after
//===----------------------------------------------------------------------===//

namespace {
/// Rows "what, before, after, change".
class ChangeGrid {
public:
  ChangeGrid() { grid.add({"", "before", "after", "change", ""}); }
  void add(std::string what, int64_t before, int64_t after,
           std::string (*print)(int64_t)) {
    std::string percent;
    if (before && before != after)
      percent =
          formatv("{0}{1:F1}%", after > before ? "+" : "",
                  100.0 * (double(after) - double(before)) / double(before))
              .str();
    std::string change = print(after - before);
    if (after > before)
      change = "+" + change;
    grid.add({std::move(what), print(before), print(after),
              before == after ? "=" : change, percent});
  }
  void print(raw_ostream &os) const { grid.print(os); }

private:
  Grid grid;
};
} // namespace

static std::string formatCount(int64_t value) { return withSeparators(value); }
static std::string formatExactBytes(int64_t value) {
  return withSeparators(value) + " B";
}

static const TierEntry *findTier(const FunctionReport &report, StringRef name) {
  for (const TierEntry &tier : report.tiers)
    if (tier.name == name)
      return &tier;
  return nullptr;
}

/// `names`, each once.
static void printNames(raw_ostream &os, StringRef what,
                       ArrayRef<StringRef> names) {
  constexpr size_t kShown = 12;
  if (names.empty())
    return;
  llvm::MapVector<StringRef, unsigned> counts;
  for (StringRef name : names)
    ++counts[name];
  os << "  " << what << " (" << names.size() << "): ";
  llvm::interleaveComma(counts.getArrayRef().take_front(kShown), os,
                        [&](const auto &entry) {
                          os << entry.first;
                          if (entry.second > 1)
                            os << " (" << entry.second << " times)";
                        });
  os << (counts.size() > kShown ? ", ...\n" : "\n");
}

static void printSteps(raw_ostream &os, const FunctionReport &report,
                       ArrayRef<unsigned> positions, StringRef what) {
  SmallVector<StringRef> names;
  for (unsigned at : positions)
    names.push_back(report.steps[at].name);
  printNames(os, what, names);
}

static void printOffloaded(raw_ostream &os, const Comparison &comparison) {
  const FunctionReport &after = *comparison.after;
  SmallVector<StringRef> names;
  for (unsigned at : comparison.offloaded) {
    const StepEntry &step = after.steps[at];
    names.push_back(step.read.empty() ? step.name
                                      : after.storages[step.read[0]].name);
  }
  printNames(os, "offloaded", names);
}

/// What became of the largest values that the program makes: of those of one
/// size, first the ones to which something was done.
static void printFates(raw_ostream &os, const Comparison &comparison) {
  constexpr size_t kShown = 10;
  const FunctionReport &before = *comparison.before;
  const FunctionReport &after = *comparison.after;
  if (comparison.recomputed.empty() && comparison.offloaded.empty())
    return;
  DenseMap<uint64_t, unsigned> again;
  for (unsigned at : comparison.recomputed)
    ++again[after.steps[at].fingerprint];
  StringSet<> away;
  for (unsigned at : comparison.offloaded)
    for (unsigned id : after.steps[at].read)
      away.insert(after.storages[id].name);
  struct Fate {
    const StorageEntry *entry;
    /// Runs of its first writer beside the first one.
    unsigned runs;
    bool isAway;
    size_t order;
  };
  std::vector<Fate> fates;
  std::vector<bool> isSeen(before.storages.size());
  for (const StepEntry &step : before.steps)
    for (unsigned id : step.written) {
      const StorageEntry &entry = before.storages[id];
      if (isSeen[id] || entry.kind != StorageKind::Local ||
          entry.range.isEmpty())
        continue;
      isSeen[id] = true;
      fates.push_back({&entry, again.lookup(step.fingerprint),
                       away.contains(entry.name), fates.size()});
    }
  sort(fates, [](const Fate &a, const Fate &b) {
    if (a.entry->footprint != b.entry->footprint)
      return a.entry->footprint > b.entry->footprint;
    const bool isA = a.runs || a.isAway, isB = b.runs || b.isAway;
    return isA != isB ? isA : a.order < b.order;
  });
  fates.resize(std::min(fates.size(), kShown));
  auto print = [&](StringRef what, function_ref<bool(const Fate &)> isIt) {
    ListSeparator comma;
    bool isAny = false;
    for (const Fate &fate : fates) {
      if (!isIt(fate))
        continue;
      if (!std::exchange(isAny, true))
        os << "  largest values, " << what << ": ";
      os << comma << fate.entry->name << " (" << formatBytes(fate.entry->bytes);
      if (fate.runs > 1)
        os << ", " << fate.runs << " times";
      os << ")";
    }
    if (isAny)
      os << "\n";
  };
  print("made again",
        [](const Fate &fate) { return fate.runs && !fate.isAway; });
  print("moved", [](const Fate &fate) { return fate.isAway && !fate.runs; });
  print("made again and moved",
        [](const Fate &fate) { return fate.isAway && fate.runs; });
  print("kept", [](const Fate &fate) { return !fate.isAway && !fate.runs; });
}

static void printTierChanges(raw_ostream &os, const Comparison &comparison) {
  std::vector<const TierChange *> changes; // into one array
  for (const TierChange &change : comparison.tierChanges)
    changes.push_back(&change);
  if (changes.empty())
    return;
  llvm::sort(changes, [](const TierChange *a, const TierChange *b) {
    int64_t left = std::abs(a->energy), right = std::abs(b->energy);
    return left != right ? left > right : a < b;
  });
  constexpr unsigned kShown = 12;
  os << "  served by another tier (" << changes.size()
     << "), most energy first:\n";
  for (const TierChange *change : ArrayRef(changes).take_front(kShown))
    os << "    " << comparison.after->steps[change->after].name << " "
       << (change->isWrite ? "writes " : "reads ") << change->storage << " ("
       << formatBytes(change->bytes) << "): " << change->from << " -> "
       << change->to << ", " << (change->energy > 0 ? "+" : "")
       << formatEnergy(change->energy) << "\n";
  if (changes.size() > kShown)
    os << "    ...\n";
}

void printTable(raw_ostream &os, const Comparison &comparison) {
  const FunctionReport &before = *comparison.before;
  const FunctionReport &after = *comparison.after;
  os << "@" << after.name << "\n";
  ChangeGrid grid;
  grid.add("ops", before.steps.size(), after.steps.size(), formatCount);
  for (auto [index, tier] : enumerate(after.tiers)) {
    const TierEntry *old = findTier(before, tier.name);
    if (isPeakShown(after, index) || (old && old->peakBytes))
      grid.add("peak in " + tier.name, old ? old->peakBytes : 0, tier.peakBytes,
               formatExactBytes);
  }
  grid.add("  of it made here", before.intermediatesPeakBytes,
           after.intermediatesPeakBytes, formatExactBytes);
  if (before.energy && after.energy) {
    grid.add(getEnergyTitle(after), *before.energy, *after.energy,
             formatEnergy);
    for (const TierEntry &tier : after.tiers)
      if (const TierEntry *old = findTier(before, tier.name))
        grid.add("  from " + tier.name, old->energy, tier.energy, formatEnergy);
  }
  if (before.computeEnergy && after.computeEnergy)
    grid.add("compute energy", *before.computeEnergy, *after.computeEnergy,
             formatEnergy);
  std::map<std::string, int64_t> paths = before.movedBytes;
  paths.insert(after.movedBytes.begin(), after.movedBytes.end());
  auto getMoved = [](const FunctionReport &report, const std::string &path) {
    auto found = report.movedBytes.find(path);
    return found == report.movedBytes.end() ? 0 : found->second;
  };
  for (const auto &entry : paths)
    grid.add("moved " + entry.first, getMoved(before, entry.first),
             getMoved(after, entry.first), formatExactBytes);
  if (before.work || after.work)
    grid.add("cost (operations)", before.work, after.work, withSeparators);
  if (before.nanoseconds && after.nanoseconds)
    grid.add("predicted time", *before.nanoseconds, *after.nanoseconds,
             formatTime);
  if (before.messageNanoseconds && after.messageNanoseconds)
    grid.add("messages", *before.messageNanoseconds, *after.messageNanoseconds,
             formatTime);
  if (before.messageBytes.size() == after.messageBytes.size())
    for (auto [sent, now] : llvm::zip(before.messageBytes, after.messageBytes))
      grid.add("sent over " + now.first, sent.second, now.second,
               formatExactBytes);
  grid.print(os);
  os << "  average reuse distance: "
     << formatDistance(before.averageReuseDistance) << " -> "
     << formatDistance(after.averageReuseDistance) << "\n";
  if (before.legalOrders || after.legalOrders)
    os << "  legal orders: " << formatOrders(before.legalOrders) << " -> "
       << formatOrders(after.legalOrders) << "\n";
  printSteps(os, after, comparison.moved, "moved");
  printSteps(os, after, comparison.recomputed, "recomputed");
  printOffloaded(os, comparison);
  printSteps(os, after, comparison.added, "added");
  printSteps(os, before, comparison.removed, "removed");
  printFates(os, comparison);
  printTierChanges(os, comparison);
  printDominant(os, after);
  printBarriers(os, after);
  printLargest(os, after);
}

} // namespace pebble
