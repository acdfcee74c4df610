//===- CopiedResults.cpp - orders in which readers have own copies --------===//

#include "CopiedResults.h"

#include "RunSequence.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Id;
using game::kNone;
using game::Problem;
using game::Step;
using game::Value;

namespace {

/// Results that are tried at one peak, and copied in all, at most.
constexpr size_t kTried = 8, kCopied = 16;

bool doesRead(const Step &step, Id value) {
  return std::any_of(step.reads.begin(), step.reads.end(),
                     [&](const Access &a) { return a.value == value; });
}

/// `runs` with a run of `step`, which writes one value, right before each run
/// that reads it, and one at the end where somebody keeps it.
std::vector<Id> copyForReaders(const Problem &p, const std::vector<Id> &runs,
                               Id step) {
  const Id value = p.steps[step].writes[0].value;
  std::vector<Id> list;
  for (Id run : runs) {
    if (run == step)
      continue;
    if (doesRead(p.steps[run], value))
      list.push_back(step);
    list.push_back(run);
  }
  if (p.values[value].required)
    list.push_back(step);
  return list;
}

/// The problem in which each of `runs` is a step of its own, in that order, and
/// reads the copies that it reads there.
Problem unfold(const Problem &p, const std::vector<Id> &runs) {
  Problem large = p;
  large.steps.clear();
  std::vector<Id> first(p.steps.size(), kNone), latest(p.values.size());
  for (Id value = 0; value < p.values.size(); ++value)
    latest[value] = value;
  for (Id run : runs) {
    const auto id = static_cast<Id>(large.steps.size());
    Step step = p.steps[run];
    for (Access &a : step.reads)
      a.value = latest[a.value];
    if (first[run] == kNone) {
      first[run] = id;
      for (const Access &a : step.writes)
        large.values[a.value].producer = id;
    } else {
      for (Access &a : step.writes) {
        Value copy = p.values[a.value];
        copy.producer = id;
        copy.storage = static_cast<Id>(large.storages.size());
        large.storages.push_back(p.storages[p.values[a.value].storage]);
        // The last one is kept.
        large.values[latest[a.value]].required = false;
        latest[a.value] = static_cast<Id>(large.values.size());
        a.value = latest[a.value];
        large.values.push_back(std::move(copy));
      }
    }
    large.steps.push_back(std::move(step));
  }
  for (game::Precedence &edge : large.precedences) {
    edge.before = first[edge.before];
    edge.after = first[edge.after];
  }
  return large;
}

} // namespace

/// Steps whose one result may be made for each of several readers at any time:
/// nothing that they read is overwritten, no order binds them.
static std::vector<Id> getCopyable(const Problem &p) {
  std::vector<size_t> readers(p.values.size(), 0), contents(p.storages.size());
  std::vector<bool> isOverwritten(p.values.size(), false);
  for (const Value &v : p.values) {
    ++contents[v.storage];
    if (v.overwrites != kNone)
      isOverwritten[v.overwrites] = true;
  }
  for (const Step &s : p.steps)
    for (const Access &a : s.reads)
      ++readers[a.value];
  std::vector<bool> isBound(p.steps.size(), false);
  for (const game::Precedence &edge : p.precedences)
    isBound[edge.before] = isBound[edge.after] = true;
  std::vector<Id> steps;
  for (Id step = 0; step < p.steps.size(); ++step) {
    const Step &s = p.steps[step];
    if (!s.recomputable || s.pin != game::Pin::None || isBound[step] ||
        s.writes.size() != 1)
      continue;
    const Value &v = p.values[s.writes[0].value];
    const game::Storage &storage = p.storages[v.storage];
    if (readers[s.writes[0].value] + (v.required ? 1 : 0) < 2 ||
        contents[v.storage] != 1 || storage.initial || storage.pinned ||
        storage.footprint == 0)
      continue;
    if (std::none_of(s.reads.begin(), s.reads.end(),
                     [&](const Access &a) { return isOverwritten[a.value]; }))
      steps.push_back(step);
  }
  return steps;
}

/// Takes out repeated runs, dearest first, that the budget can do without.
static std::vector<Id> prune(const Problem &p, int64_t budget,
                             const std::vector<Id> &list,
                             const StopSign *stop) {
  RunSequence runs(p, budget, /*fixedOrder=*/false);
  runs.load(list);
  bool changed = true;
  while (changed) {
    changed = false;
    std::vector<Id> steps = runs.repeated();
    std::sort(steps.begin(), steps.end(), [&](Id a, Id b) {
      return std::make_pair(runs.costOf(b), a) <
             std::make_pair(runs.costOf(a), b);
    });
    for (Id step : steps) {
      const std::vector<RunSequence::Slot> slots = runs.runsOf(step);
      for (RunSequence::Slot slot : slots) {
        if (stop && stop->isUp())
          return runs.runs();
        if (!runs.isSpare(step))
          break;
        const double before = runs.excess();
        runs.remove(slot);
        if (runs.settle() && runs.excess() <= before) {
          runs.keep();
          changed = true;
        } else {
          runs.undo();
        }
      }
    }
  }
  return runs.runs();
}

namespace {

/// Copies one result after the other.
class Copier {
public:
  Copier(const Problem &p, int64_t budget, const PeakOrderOptions &options,
         const StopSign *stop)
      : p(p), runs(p, budget, /*fixedOrder=*/false), options(options),
        stop(stop), copyable(p.steps.size(), false) {
    for (Id step : getCopyable(p))
      copyable[step] = true;
  }

  /// Copies results until `best` fits, or no copy makes it better.
  void improve(std::vector<Id> &best) {
    Measure least = load(best);
    for (size_t i = 0; i < kCopied && least.second > 0; ++i) {
      Id chosen = kNone;
      std::vector<Id> improved;
      for (Id step : getIdleAtPeak()) {
        if (isUp())
          break;
        std::vector<Id> list = copyForReaders(p, best, step);
        const PeakOrder found = orderForPeak(unfold(p, list), options);
        std::vector<Id> ordered;
        ordered.reserve(list.size());
        for (Id run : found.order)
          ordered.push_back(list[run]);
        const Measure measure = load(ordered);
        if (measure < least) {
          least = measure;
          chosen = step;
          improved = std::move(ordered);
        }
      }
      if (chosen == kNone)
        return;
      copyable[chosen] = false;
      best = std::move(improved);
      load(best);
    }
  }

private:
  bool isUp() const { return stop && stop->isUp(); }

  /// Peak, then bytes above the budget summed over all runs.
  using Measure = std::pair<double, double>;

  Measure load(const std::vector<Id> &list) {
    runs.load(list);
    std::pair<double, RunSequence::Slot> peak = {0, 0};
    for (RunSequence::Slot slot = 0; slot < runs.slots(); ++slot)
      if (runs.at(slot) != RunSequence::kEmpty)
        peak = std::max(peak, {runs.bytesAt(slot), slot});
    atPeak = peak.second;
    return {peak.first, runs.excess()};
  }

  /// Steps whose result waits at the peak for somebody, the cheapest per byte
  /// first.
  std::vector<Id> getIdleAtPeak() const {
    const Id running = runs.at(atPeak);
    std::vector<std::pair<double, Id>> found;
    for (Id step = 0; step < p.steps.size(); ++step) {
      if (!copyable[step] || step == running)
        continue;
      const Id value = p.steps[step].writes[0].value;
      if (runs.isLive(value, atPeak) && !doesRead(p.steps[running], value))
        found.emplace_back(
            static_cast<double>(p.steps[step].cost) /
                static_cast<double>(
                    p.storages[p.values[value].storage].footprint),
            step);
    }
    std::sort(found.begin(), found.end());
    std::vector<Id> steps;
    for (size_t i = 0; i < std::min(kTried, found.size()); ++i)
      steps.push_back(found[i].second);
    return steps;
  }

  const Problem &p;
  RunSequence runs;
  const PeakOrderOptions &options;
  const StopSign *stop;
  /// Steps whose results may still be copied.
  std::vector<bool> copyable;
  RunSequence::Slot atPeak = 0;
};

} // namespace

std::vector<Id> pebble::graph::runsWithCopies(const Problem &p, int64_t budget,
                                              const std::vector<Id> &order,
                                              const PeakOrderOptions &options,
                                              const StopSign *stop) {
  std::vector<Id> runs = order;
  Copier(p, budget, options, stop).improve(runs);
  return prune(p, budget, runs, stop);
}
