//===- PlanSummary.cpp - what a plan did, in one line ---------------------===//

#include "PlanSummary.h"

#include "PlanPasses.h"

#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Report/Units.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;

namespace pebble {

void ValueCounts::add(const ValueCounts &other) {
  for (auto group :
       {&ValueCounts::kept, &ValueCounts::again, &ValueCounts::moved,
        &ValueCounts::outOfPlace, &ValueCounts::derived}) {
    (this->*group).values += (other.*group).values;
    (this->*group).bytes =
        addCounts((this->*group).bytes, (other.*group).bytes);
  }
}

ValueCounts countValues(const StorageAnalysis &storage,
                        const SchedulePlan &plan) {
  std::vector<unsigned> times(storage.getSteps().size(), 0);
  for (unsigned step : plan.runs)
    ++times[step];
  llvm::DenseSet<StorageId> moved;
  for (const BlockAction &action : plan.actions)
    if (action.kind == BlockAction::Store || action.kind == BlockAction::Load)
      moved.insert(storage.lookup(action.content)[0]);
  // How often the first step that writes a storage runs.
  std::vector<unsigned> made(storage.getStorages().size(), 0);
  for (auto [index, step] : llvm::enumerate(storage.getSteps()))
    for (const Access &access : step.accesses)
      if (access.kind == AccessKind::Write && made[access.storage] == 0)
        made[access.storage] = times[index];
  ValueCounts counts;
  for (const FreeUpdate &update : plan.outOfPlace)
    counts.outOfPlace.add(update.bytes);
  for (const DerivedForm &form : plan.derived)
    counts.derived.add(form.bytes);
  for (auto [id, entry] : llvm::enumerate(storage.getStorages())) {
    if (!entry.tier.empty() || entry.getFootprint() == 0)
      continue;
    const bool isMoved = moved.contains(id);
    const bool isMade = entry.kind == StorageKind::Local && made[id] > 0;
    if (isMoved)
      counts.moved.add(entry.getFootprint());
    if (isMade && made[id] > 1)
      counts.again.add(entry.getFootprint());
    else if (isMade && !isMoved)
      counts.kept.add(entry.getFootprint());
  }
  return counts;
}

DictionaryAttr PlanFacts::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<NamedAttribute> entries;
  // The budget is left out: one plan is one text, whatever was asked for.
  auto add = [&](StringRef name, int64_t number) {
    entries.push_back(
        builder.getNamedAttr(name, builder.getI64IntegerAttr(number)));
  };
  add("once_cost", onceCost);
  add("kept_values", counts.kept.values);
  add("kept_bytes", counts.kept.bytes);
  add("recomputed_values", counts.again.values);
  add("recomputed_bytes", counts.again.bytes);
  add("moved_values", counts.moved.values);
  add("moved_bytes", counts.moved.bytes);
  if (counts.outOfPlace.values > 0) {
    add("out_of_place_values", counts.outOfPlace.values);
    add("out_of_place_bytes", counts.outOfPlace.bytes);
  }
  if (counts.derived.values > 0) {
    add("derived_values", counts.derived.values);
    add("derived_bytes", counts.derived.bytes);
  }
  if (inputTime && time) {
    add("input_predicted_ns", *inputTime);
    add("predicted_ns", *time);
  }
  if (sending > 0) {
    add("collective_ns", sending);
    add("hidden_collective_ns", hidden);
  }
  return builder.getDictionaryAttr(entries);
}

static std::string formatPercent(int64_t part, int64_t whole) {
  return llvm::formatv("{0:F1}%", 100.0 * static_cast<double>(part) /
                                      static_cast<double>(whole))
      .str();
}

/// How far from the best the answer can be.
static std::string writeGap(const PlanOutcome &outcome) {
  if (outcome.cost == outcome.bound)
    return "proven optimal";
  if (outcome.bound <= 0)
    return "no bound is known";
  return "at most " +
         formatPercent(outcome.cost - outcome.bound, outcome.bound) +
         " above the optimum";
}

static std::string writeSeconds(double seconds) {
  return llvm::formatv("; {0:F1} s", seconds).str();
}

static std::string writePeak(const PlanOutcome &outcome) {
  std::string text = "peak " + formatBytes(outcome.inputPeak) + " -> " +
                     formatBytes(outcome.peak);
  if (outcome.inputPeak > 0)
    text += " (" + formatPercent(outcome.peak, outcome.inputPeak) + ")";
  if (outcome.extent)
    text += ", " + formatBytes(*outcome.extent) + " as one block";
  return text;
}

static std::string writeOverhead(const PlanFacts &facts, int64_t cost) {
  const int64_t extra = cost - facts.onceCost;
  if (extra == 0 || facts.onceCost <= 0)
    return "no overhead";
  StringRef what = facts.objective == ScheduleObjective::Energy ? "energy"
                   : facts.objective == ScheduleObjective::Time ? "time"
                                                                : "operations";
  return (extra > 0 ? "+" : "") + formatPercent(extra, facts.onceCost) + " " +
         what.str();
}

static std::string writeGroup(const ValueCounts::Group &group) {
  std::string text = withSeparators(group.values);
  if (group.values > 0)
    text += " (" + formatBytes(group.bytes) + ")";
  return text;
}

/// The line on `function`, without the time that it took.
static std::string writeScheduleLine(StringRef function,
                                     const PlanOutcome &outcome) {
  const PlanFacts &facts = *outcome.facts;
  std::string line = "@" + function.str() + ": budget " +
                     formatBytes(facts.budget) + ", " + writePeak(outcome) +
                     "; " + writeOverhead(facts, outcome.cost);
  if (facts.inputTime && facts.time)
    line += ", predicted time " + formatTime(*facts.inputTime) + " -> " +
            formatTime(*facts.time);
  if (facts.sending > 0)
    line += ", collectives " + formatTime(facts.sending) + ", " +
            formatPercent(facts.hidden, facts.sending) + " of them hidden";
  line += ", " + writeGap(outcome);
  line += "; values kept " + writeGroup(facts.counts.kept) + ", made again " +
          writeGroup(facts.counts.again) + ", moved " +
          writeGroup(facts.counts.moved);
  if (facts.counts.outOfPlace.values > 0)
    line += ", out of place " + writeGroup(facts.counts.outOfPlace);
  if (facts.counts.derived.values > 0)
    line += ", derived " + writeGroup(facts.counts.derived);
  return line;
}

static void remarkOnSchedules(const ScheduledFunctions &functions,
                              RemarkQueue &queue, StringRef category) {
  for (auto [function, outcome] : functions) {
    if (outcome->facts)
      PlanRemark{PlanRemark::Passed,
                 function->getLoc(),
                 "summary",
                 category.str(),
                 writeScheduleLine(getProgramName(function), *outcome),
                 {{"Budget", outcome->facts->budget},
                  {"InputPeak", outcome->inputPeak},
                  {"Peak", outcome->peak}}}
          .emit();
    queue.emit(function);
  }
}

void remarkOnTosa(FunctionOpInterface function, StringRef category) {
  function->walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() != "tosa" ||
        llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>) ||
        op->hasTrait<OpTrait::ConstantLike>())
      return WalkResult::advance();
    say(function,
        {PlanRemark::Missed,
         op->getLoc(),
         "tosa",
         category.str(),
         "'" + getProgramName(function) +
             "' is planned as it stands, and its "
             "peak is no promise: lowered forms of operations of tosa may "
             "share buffers in other ways; plan after pebble-lower-tosa where "
             "the budget must hold to the byte",
         {}});
    return WalkResult::interrupt();
  });
}

void tellSchedules(ScheduledFunctions functions, RemarkQueue &queue,
                   StringRef category, const PlanScope *scope) {
  for (auto [function, outcome] : functions)
    if (outcome->facts)
      remarkOnTosa(function, category);
  remarkOnSchedules(functions, queue, category);
  if (!scope)
    return;
  constexpr size_t kShown = 8;
  // Of what is lowered there is nothing to plan, and nothing to say.
  auto isLowered = [](const auto &entry) {
    return entry.first->getName().getDialectNamespace() == "llvm";
  };
  const bool hasLowered = llvm::any_of(functions, isLowered);
  llvm::erase_if(functions, [&](const auto &entry) {
    return !entry.second->facts || isLowered(entry);
  });
  std::vector<size_t> order(functions.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(-functions[a].second->inputPeak, a) <
           std::make_pair(-functions[b].second->inputPeak, b);
  });
  if (order.empty())
    scope->tell(hasLowered
                    ? "nothing is planned: the program is in the LLVM dialect "
                      "already; plan it before pebble-to-llvm"
                    : "nothing is planned: no function has a body, or all "
                      "of them stay as they are");
  const double seconds = scope->getSeconds();
  for (size_t index : ArrayRef(order).take_front(kShown))
    scope->tell(writeScheduleLine(getProgramName(functions[index].first),
                                  *functions[index].second) +
                writeSeconds(seconds));
  if (order.size() > kShown)
    scope->tell("and " + std::to_string(order.size() - kShown) +
                " more functions, whose peaks are lower");
}

std::string writeOrderLine(StringRef function, const PlanOutcome &outcome,
                           bool isPeak, double seconds) {
  std::string line = "@" + function.str() + ": " + writePeak(outcome) + "; ";
  if (!isPeak)
    line += "energy " + formatEnergy(outcome.cost) + ", ";
  return line + writeGap(outcome) + writeSeconds(seconds);
}

} // namespace pebble
