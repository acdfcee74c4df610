//===- PeakCuts.cpp - fits runs into a budget, moment by moment -----------===//

#include "PeakCuts.h"

#include "MomentCut.h"
#include "RunSequence.h"
#include "Solver/Graph/Random.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>
#include <cmath>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

using Runs = std::vector<Id>;

/// Moments that an attempt mends in a row without a lower peak.
constexpr int kPatience = 40;
/// Runs that a list may grow to, in steps of the problem.
constexpr size_t kGrowth = 8;

/// Attempts where nothing else limits them: at most, and times steps.
constexpr uint64_t kAttempts = 100, kAttemptWork = 400000;

/// Runs that are taken out on trial, in runs of the whole list.
constexpr uint64_t kDropTrials = 20;

/// Schedules that are handed on.
constexpr size_t kFound = 3;

/// How far weights go, as powers of two, and how much of the budget an attempt
/// leaves free, so that what is made again later finds room: each attempt takes
/// the next of these.
constexpr double kSpreads[] = {0.02, 0.1, 0.3, 1};
constexpr double kFree[] = {0, 0, 0.01, 0, 0.03};

class Attempts {
public:
  Attempts(const Problem &p, const std::vector<Runs> &starts,
           const PeakCutsOptions &options)
      : p(p), starts(starts), o(options), random(options.seed + 1) {
    if (RunSequence::refusal(p).empty())
      sequence.emplace(p, o.budget, o.fixedOrder);
  }

  Schedule solve(std::vector<Runs> *handedOn) {
    if (o.firstIsKnown && handedOn)
      for (Runs &runs : *handedOn)
        take(std::move(runs));
    for (size_t i = o.firstIsKnown ? 1 : 0;
         i < starts.size() && (i == 0 || !isDone()); ++i) {
      const bool hadBest = !best.empty();
      const int64_t before = hadBest ? best[0].cost : 0;
      attempt(starts[i], o.budget, {},
              i == 0 && o.answersAtOnce ? nullptr : o.stop);
      if (!best.empty() && (!hadBest || best[0].cost < before))
        favourite = i;
    }
    const uint64_t attempts =
        o.effort ? o.effort
                 : std::clamp<uint64_t>(kAttemptWork / (p.steps.size() + 1), 1,
                                        kAttempts);
    for (uint64_t i = starts.size(); i < attempts && !isDone(); ++i)
      attemptAtRandom(i);
    Schedule s = answer();
    if (handedOn) {
      handedOn->clear();
      for (auto found = best.rbegin(); found != best.rend(); ++found)
        handedOn->push_back(found->runs);
    }
    return s;
  }

private:
  struct Found {
    int64_t cost = 0;
    Runs runs;
  };

  bool isStopped() const { return o.stop && o.stop->isUp(); }
  bool isDone() const {
    return isStopped() || (!best.empty() && best[0].cost <= o.enough);
  }

  void attemptAtRandom(uint64_t i) {
    const double spread = kSpreads[i % std::size(kSpreads)];
    const double free = kFree[i % std::size(kFree)];
    std::vector<double> weights(p.values.size());
    for (double &w : weights)
      w = std::exp2(spread *
                    (static_cast<double>(random.below(2001)) / 1000 - 1));
    const int64_t room =
        o.budget - static_cast<int64_t>(static_cast<double>(o.budget) * free);
    const size_t start =
        random.below(4) ? favourite : random.below(starts.size());
    attempt(starts[start], room, weights, o.stop);
  }

  /// Mends the fullest moment of `from` until all is within `room`.
  void attempt(const Runs &from, int64_t room,
               const std::vector<double> &weights, const StopSign *stop) {
    MomentCut cut(p, room);
    Runs runs = from;
    int64_t lowest = INT64_MAX;
    const size_t most = kGrowth * p.steps.size() + 1000;
    for (int idle = 0; idle < kPatience; ++idle) {
      const std::vector<int64_t> live = cut.profile(runs);
      const size_t fullest =
          std::max_element(live.begin(), live.end()) - live.begin();
      if (live.empty() || live[fullest] <= room)
        return take(std::move(runs));
      if (live[fullest] < lowest) {
        lowest = live[fullest];
        idle = 0;
      }
      leastPeak = std::min(leastPeak, lowest);
      if (runs.size() > most || cut.work() > o.work || (stop && stop->isUp()))
        return;
      runs = cut.mend(runs, fullest, weights, stop);
      if (runs.empty())
        return;
    }
  }

  void take(Runs runs) {
    if (sequence)
      dropSpareRuns(runs);
    const game::Replay r = verify(p, scheduleOfRuns(p, runs), o.budget);
    if (!r.verdict.ok())
      return;
    const auto place =
        std::find_if(best.begin(), best.end(),
                     [&](const Found &f) { return r.cost <= f.cost; });
    if (place != best.end() && place->cost == r.cost)
      return;
    best.insert(place, {r.cost, std::move(runs)});
    if (best.size() > kFound)
      best.pop_back();
  }

  /// Takes out runs that the budget has room to do without, the dearest first.
  void dropSpareRuns(Runs &runs) {
    sequence->load(runs);
    if (sequence->excess() > 0)
      return;
    std::vector<std::pair<int64_t, RunSequence::Slot>> spare;
    for (Id step : sequence->repeated())
      for (RunSequence::Slot slot : sequence->runsOf(step))
        spare.emplace_back(-sequence->costOf(step), slot);
    std::sort(spare.begin(), spare.end());
    uint64_t trials = 0;
    for (auto [cost, slot] : spare) {
      const Id step = sequence->at(slot);
      if (trials > kDropTrials * runs.size())
        break;
      if (step == RunSequence::kEmpty || !sequence->isSpare(step))
        continue;
      const int64_t before = sequence->cost();
      trials += sequence->takeOut(slot);
      if (sequence->settle() && sequence->excess() <= 0 &&
          sequence->cost() <= before)
        sequence->keep();
      else
        sequence->undo();
    }
    runs = sequence->runs();
  }

  Schedule answer() const {
    Schedule s;
    s.solver = "peak-cuts";
    s.bound = o.enough;
    s.limited = isStopped();
    if (best.empty()) {
      s.peak = leastPeak;
      return s;
    }
    s.moves = scheduleOfRuns(p, best[0].runs);
    s.cost = best[0].cost;
    s.peak = verify(p, s.moves).peak[0];
    s.status = s.cost <= o.enough ? Status::Optimal : Status::Feasible;
    return s;
  }

  const Problem &p;
  const std::vector<Runs> &starts;
  const PeakCutsOptions &o;
  Random random;
  std::optional<RunSequence> sequence;
  /// Cheapest first.
  std::vector<Found> best;
  /// The start that did best without weights, which most attempts begin with.
  size_t favourite = 0;
  int64_t leastPeak = INT64_MAX;
};

} // namespace

std::string pebble::graph::peakCutsRefusal(const Problem &p,
                                           const RematMeans &means) {
  return rematGreedyRefusal(p, means);
}

Schedule pebble::graph::peakCuts(const Problem &problem,
                                 const std::vector<Runs> &starts,
                                 const PeakCutsOptions &options,
                                 std::vector<Runs> *found) {
  return Attempts(problem, starts, options).solve(found);
}
