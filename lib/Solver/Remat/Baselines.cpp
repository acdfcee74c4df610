//===- Baselines.cpp - the heuristics that people know --------------------===//

#include "Baselines.h"
#include "RunSequence.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/StepGraph.h"
#include "pebble/Solver/Order/ListSchedule.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>
#include <cmath>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Schedule;
using game::Status;

/// The answer that runs `runs`: Feasible if it fits.
static Schedule answer(const Problem &p, const LeastCostOptions &options,
                       const std::vector<Id> &runs, const char *name) {
  Schedule s;
  s.solver = name;
  for (const game::Step &step : p.steps)
    s.bound += step.cost;
  std::vector<game::Move> moves = scheduleOfRuns(p, runs);
  game::Replay r = verify(p, moves);
  if (!r.verdict.ok())
    return s;
  s.peak = r.peak[0];
  if (options.budget && s.peak > *options.budget)
    return s;
  s.moves = std::move(moves);
  s.cost = r.cost;
  s.status = s.cost == s.bound ? Status::Optimal : Status::Feasible;
  return s;
}

Schedule pebble::graph::keepAll(const Problem &p,
                                const LeastCostOptions &options) {
  return answer(p, options, givenOrder(p), "keep-all");
}

Schedule pebble::graph::leastPeakFirst(const Problem &p,
                                       const LeastCostOptions &options) {
  if (options.means.fixedOrder)
    return answer(p, options, givenOrder(p), "least-peak-first");
  const FootprintGame game{StepGraph(p), LiveStorages(p)};
  return answer(p, options, leastLiveOrder(game), "least-peak-first");
}

//===----------------------------------------------------------------------===//
// Checkpoints
//===----------------------------------------------------------------------===//

namespace {

class Checkpoints {
public:
  explicit Checkpoints(const Problem &p) : p(p) { findForward(); }

  /// Forward steps in the given order.
  std::vector<Id> forward;

  int64_t bytesOf(Id step) const {
    int64_t bytes = 0;
    for (const Access &a : p.steps[step].writes)
      bytes += p.storages[p.values[a.value].storage].footprint;
    return bytes;
  }

  /// Whether everything that forward steps after `forward[i]` read is made by
  /// them or by it.
  std::vector<bool> articulationPoints() const {
    std::vector<size_t> place(p.steps.size(), SIZE_MAX);
    for (size_t i = 0; i < forward.size(); ++i)
      place[forward[i]] = i;
    // The last forward reader of what the steps so far have made.
    std::vector<size_t> until(forward.size(), 0);
    for (size_t i = 0; i < forward.size(); ++i)
      for (const Access &a : p.steps[forward[i]].reads)
        if (Id maker = p.values[a.value].producer;
            maker != kNone && place[maker] != SIZE_MAX)
          until[place[maker]] = std::max(until[place[maker]], i);
    std::vector<bool> points(forward.size());
    size_t before = 0;
    for (size_t i = 0; i < forward.size(); ++i) {
      points[i] = before <= i;
      before = std::max(before, until[i]);
    }
    return points;
  }

  /// The runs with these checkpoints: steps whose results are not dropped.
  std::vector<Id> runs(const std::vector<bool> &isCheckpoint) {
    std::vector<size_t> last(p.values.size(), 0);
    for (Id s : forward)
      for (const Access &a : p.steps[s].reads)
        last[a.value] = s;
    result.clear();
    resident.assign(p.values.size(), false);
    for (Id v = 0; v < p.values.size(); ++v)
      resident[v] = p.values[v].producer == kNone;
    std::vector<std::vector<Id>> ending(p.steps.size());
    for (Id s : forward) {
      const game::Step &step = p.steps[s];
      if (isCheckpoint[s] || !step.recomputable || step.pin == game::Pin::Keep)
        continue;
      for (const Access &a : step.writes)
        if (p.values[a.value].overwrites == kNone)
          ending[std::max<size_t>(last[a.value], s)].push_back(a.value);
    }
    for (Id s = 0; s < p.steps.size(); ++s) {
      run(s);
      for (Id v : ending[s])
        resident[v] = false;
    }
    for (Id v = 0; v < p.values.size(); ++v)
      if (p.values[v].required && !resident[v])
        run(p.values[v].producer);
    return result;
  }

private:
  void findForward() {
    const StepGraph graph(p, false);
    const Reachability reach(graph);
    std::vector<std::vector<Id>> readers(p.values.size());
    for (Id s = 0; s < p.steps.size(); ++s)
      for (const Access &a : p.steps[s].reads)
        readers[a.value].push_back(s);
    std::vector<int64_t> waiting(p.steps.size(), 0);
    for (Id v = 0; v < p.values.size(); ++v) {
      Id maker = p.values[v].producer;
      if (maker == kNone)
        continue;
      const int64_t bytes = p.storages[p.values[v].storage].footprint;
      for (Id s = maker + 1; s < p.steps.size(); ++s)
        if (reach.ancestors.test(s, maker) &&
            std::any_of(readers[v].begin(), readers[v].end(), [&](Id reader) {
              return reach.descendants.test(s, reader);
            }))
          waiting[s] += bytes;
    }
    auto most = std::max_element(waiting.begin(), waiting.end());
    if (most == waiting.end() || *most == 0)
      return;
    Id turn = most - waiting.begin();
    for (Id s = 0; s < p.steps.size(); ++s)
      if (s == turn || reach.ancestors.test(turn, s))
        forward.push_back(s);
  }

  /// Runs a step after whatever it misses.
  void run(Id s) {
    for (const Access &a : p.steps[s].reads)
      if (!resident[a.value])
        run(p.values[a.value].producer);
    result.push_back(s);
    for (const Access &a : p.steps[s].writes)
      resident[a.value] = true;
  }

  const Problem &p;
  std::vector<Id> result;
  std::vector<bool> resident;
};

} // namespace

Schedule pebble::graph::sqrtCheckpoints(const Problem &p,
                                        const LeastCostOptions &options) {
  Checkpoints c(p);
  const size_t stride = std::max<size_t>(
      1, std::lround(std::sqrt(static_cast<double>(c.forward.size()))));
  std::vector<bool> kept(p.steps.size(), false);
  for (size_t i = stride - 1; i < c.forward.size(); i += stride)
    kept[c.forward[i]] = true;
  return answer(p, options, c.runs(kept), "sqrt-n");
}

Schedule pebble::graph::chenGreedy(const Problem &p,
                                   const LeastCostOptions &options) {
  const StopSign stop(options.limits);
  Checkpoints c(p);
  const std::vector<bool> points = c.articulationPoints();
  int64_t total = 0;
  for (Id s : c.forward)
    total += c.bytesOf(s);
  // Without a turning point there is one way only.
  const int kSweep = total > 0 ? 40 : 1;
  Schedule best;
  for (int i = 0; i < kSweep; ++i) {
    // From everything in one segment down to a checkpoint wherever one may be.
    const double b = static_cast<double>(total) * std::exp2(-0.25 * i);
    std::vector<bool> kept(p.steps.size(), false);
    double segment = 0;
    for (size_t k = 0; k < c.forward.size(); ++k) {
      segment += static_cast<double>(c.bytesOf(c.forward[k]));
      if (segment > b && points[k]) {
        kept[c.forward[k]] = true;
        segment = 0;
      }
    }
    Schedule s = answer(p, options, c.runs(kept), "chen-greedy");
    auto rank = [](const Schedule &x) {
      bool good = x.status != Status::Unknown;
      return std::pair(!good, good ? x.cost : x.peak);
    };
    if (i == 0 || rank(s) < rank(best))
      best = std::move(s);
    if (best.status == Status::Optimal)
      break;
    if (stop.isUp()) {
      best.limited = true;
      break;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// XLA's greedy
//===----------------------------------------------------------------------===//

namespace {

class XlaGreedy {
public:
  using Slot = RunSequence::Slot;

  XlaGreedy(const Problem &p, const LeastCostOptions &options)
      : p(p), stop(options.limits),
        trials(options.effort ? options.effort : UINT64_MAX),
        runs(p, *options.budget, options.means.fixedOrder) {
    runs.load(givenOrder(p));
  }

  std::vector<Id> solve() {
    size_t left = 4 * p.steps.size();
    for (Slot at = 0; at < runs.slots();) {
      if (!runs.isOver(at)) {
        ++at;
        continue;
      }
      const bool isBetter = left-- != 0 && improve(at);
      limited = stop.isUp();
      if (!isBetter || limited || trials == 0)
        break;
      at = 0; // what was made again may exceed the budget before this
    }
    return runs.runs();
  }

  bool limited = false;

private:
  static constexpr size_t kBlock = 8;

  /// Frees bytes at `hot` by the best block. False if none frees any.
  bool improve(Slot hot) {
    // The place of the hot run survives respace() by its number among runs.
    size_t place = 0;
    for (Slot i = 0; i < hot; ++i)
      place += runs.at(i) != RunSequence::kEmpty;
    runs.respace();
    for (hot = 0;; ++hot)
      if (runs.at(hot) != RunSequence::kEmpty && place-- == 0)
        break;
    Id best = kNone;
    size_t bestBlock = 0;
    double bestGain = 0, bestCost = 1;
    for (Id s : runs.repeatable()) {
      // Of many steps each is a while; what was found so far frees bytes too.
      if (stop.isUp())
        break;
      for (size_t block = 1; block <= kBlock; ++block) {
        trials -= trials > 0;
        const int64_t cost = runs.cost();
        const double bytes = runs.bytesAt(hot);
        size_t used = block;
        if (!again(s, hot, used)) {
          runs.undo();
          break;
        }
        bool valid = runs.settle();
        double gain = bytes - runs.bytesAt(hot);
        double added = static_cast<double>(runs.cost() - cost) + 1e-3;
        runs.undo();
        if (valid && gain > 0 && gain * bestCost > bestGain * added) {
          best = s;
          bestBlock = block;
          bestGain = gain;
          bestCost = added;
        }
        if (used > 0)
          break; // there is nothing more to make again
      }
    }
    if (best == kNone)
      return false;
    again(best, hot, bestBlock);
    runs.settle();
    runs.keep();
    return true;
  }

  /// Puts `s` in before the first reader after `hot` of what it makes, and up
  /// to `left` - 1 makers of what is not there then; takes them off `left`.
  bool again(Id s, Slot hot, size_t &left) {
    Slot reader = runs.slots();
    for (Id v : runs.writes(s)) {
      if (!runs.isLive(v, hot))
        return false;
      for (Id touched : runs.reads(runs.at(hot)))
        if (touched == v)
          return false;
      const auto &reads = runs.readsOf(v);
      auto next = std::upper_bound(reads.begin(), reads.end(), hot);
      if (next != reads.end())
        reader = std::min(reader, *next);
    }
    const auto &made = runs.runsOf(s);
    if (reader == runs.slots() || made.front() >= hot ||
        std::find(made.begin(), made.end(), hot) != made.end())
      return false;
    return put(s, hot, reader, left);
  }

  bool put(Id s, Slot hot, Slot before, size_t &left) {
    Slot at = runs.emptyNear(hot, before, before - 1);
    if (at == runs.slots())
      return false;
    runs.add(s, at);
    --left;
    for (Id u : runs.reads(s)) {
      Id maker = p.values[u].producer;
      if (left == 0)
        break;
      if (maker != kNone && runs.mayRepeat(maker) && !runs.isLive(u, at) &&
          runs.serves(u, at) <= hot && !put(maker, hot, at, left))
        return false;
    }
    return true;
  }

  const Problem &p;
  const StopSign stop;
  /// Blocks that may still be tried.
  uint64_t trials;
  RunSequence runs;
};

} // namespace

Schedule pebble::graph::xlaGreedy(const Problem &p,
                                  const LeastCostOptions &options) {
  if (!options.budget)
    return answer(p, options, givenOrder(p), "xla-greedy");
  XlaGreedy greedy(p, options);
  Schedule s = answer(p, options, greedy.solve(), "xla-greedy");
  s.limited = greedy.limited && s.status != Status::Optimal;
  return s;
}
