//===- RerunSets.cpp - which steps run again, by hitting sets -------------===//

#include "RerunSets.h"

#include "RerunRelaxation.h"
#include "pebble/Solver/Order/PeakOrder.h"
#include "pebble/Solver/Remat/RematBound.h"

#include <algorithm>
#include <optional>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::kNone;
using game::Problem;

namespace {

/// Steps that one order search tries.
constexpr uint64_t kOrderEffort = 20000;
/// Orders that may be split while it is decided whether runs are enough, and
/// while a core is made smaller.
constexpr unsigned kSplits = 100000, kSplitsOfCore = 16;
/// Choices that may be looked at while cores are hit.
constexpr uint64_t kHits = 2000000;

enum class Fit { Yes, No, Unknown };

/// So many further runs of these steps hit a core: one entry is enough.
struct Demand {
  Id step = kNone;
  unsigned runs = 0;
};
using Core = std::vector<Demand>;

/// The cheapest numbers of further runs that hit all cores.
class HittingSet {
public:
  HittingSet(const Problem &p, const std::vector<Core> &cores, int64_t below)
      : p(p), cores(cores), counts(p.steps.size(), 0), least(below) {}

  /// False if the choices were too many; then `cost()` says nothing.
  bool solve() {
    descend(0);
    return left > 0;
  }
  /// Nothing below the limit hits all cores: none.
  const std::optional<std::vector<unsigned>> &choice() const { return best; }
  int64_t cost() const { return least; }

private:
  int64_t price(const Demand &d) const {
    return static_cast<int64_t>(d.runs - counts[d.step]) * p.steps[d.step].cost;
  }
  bool isHit(const Core &core) const {
    return std::any_of(core.begin(), core.end(), [&](const Demand &d) {
      return counts[d.step] >= d.runs;
    });
  }

  void descend(int64_t cost) {
    if (left == 0)
      return;
    --left;
    // Cores without a step in common add up.
    int64_t rest = 0;
    const Core *smallest = nullptr;
    std::vector<bool> taken(p.steps.size(), false);
    for (const Core &core : cores) {
      if (isHit(core))
        continue;
      if (!smallest || core.size() < smallest->size())
        smallest = &core;
      int64_t cheapest = INT64_MAX;
      bool isApart = true;
      for (const Demand &d : core) {
        isApart &= !taken[d.step];
        cheapest = std::min(cheapest, price(d));
      }
      if (!isApart)
        continue;
      for (const Demand &d : core)
        taken[d.step] = true;
      if (cheapest >= least - cost - rest)
        return;
      rest += cheapest;
    }
    if (!smallest) {
      least = cost;
      best = counts;
      return;
    }
    Core byPrice = *smallest;
    std::sort(byPrice.begin(), byPrice.end(),
              [&](const Demand &a, const Demand &b) {
                return std::make_pair(price(a), a.step) <
                       std::make_pair(price(b), b.step);
              });
    for (const Demand &d : byPrice) {
      const int64_t more = price(d);
      if (more >= least - cost)
        return;
      const unsigned before = counts[d.step];
      counts[d.step] = d.runs;
      descend(cost + more);
      counts[d.step] = before;
    }
  }

  const Problem &p;
  const std::vector<Core> &cores;
  std::vector<unsigned> counts;
  std::optional<std::vector<unsigned>> best;
  int64_t least;
  uint64_t left = kHits;
};

class RerunSearch {
public:
  RerunSearch(const Problem &p, const RerunSetsOptions &options)
      : p(p), options(options), relaxation(p), stop(options.limits),
        once(costOfOneRun(p)) {
    for (Id s = 0; s < p.steps.size(); ++s)
      if (mayRunAgain(p, s) && isCheaper(p.steps[s].cost))
        candidates.push_back(s);
    std::sort(candidates.begin(), candidates.end(), [&](Id a, Id b) {
      return std::make_pair(p.steps[a].cost, a) <
             std::make_pair(p.steps[b].cost, b);
    });
  }

  RerunSetsAnswer run() {
    answer.bound = once;
    while (!isOver()) {
      HittingSet hits(p, cores, limit());
      if (!hits.solve())
        break;
      answer.bound = std::max(answer.bound, once + hits.cost());
      if (!hits.choice() || !addCore(*hits.choice()))
        break;
    }
    answer.cores = cores.size();
    return std::move(answer);
  }

private:
  /// What further runs may cost at most: less than this.
  int64_t limit() const {
    return options.known == INT64_MAX ? INT64_MAX - once : options.known - once;
  }
  bool isCheaper(int64_t further) const { return further < limit(); }
  bool isOver() const {
    return stop.isUp() ||
           (options.questions && answer.questions >= options.questions);
  }

  /// Finds what `counts` leaves out. False if it leaves out nothing, or nobody
  /// knows.
  bool addCore(const std::vector<unsigned> &counts) {
    Reruns reruns(p.steps.size());
    // To set steps free is cheaper to refute, if it can be.
    for (Id s = 0; s < p.steps.size(); ++s)
      reruns.free[s] = counts[s] > 0;
    leaves = {{}};
    if (ask(reruns, kSplits) != Fit::No) {
      reruns = Reruns(p.steps.size());
      reruns.counts = counts;
      leaves = {{}};
      const Fit fit = ask(reruns, kSplits);
      if (fit == Fit::Yes)
        answer.runs = lastRuns;
      if (fit != Fit::No)
        return false;
    }
    relax(reruns);
    widen(reruns);
    Core core;
    for (Id s : candidates)
      if (!reruns.free[s])
        core.push_back({s, reruns.counts[s] + 1});
    cores.push_back(std::move(core));
    return true;
  }

  /// Sets further steps free as long as no order fits, many at once and, where
  /// that fails, by halves.
  void widen(Reruns &reruns) {
    std::vector<Id> rest;
    for (Id s : candidates)
      if (!reruns.free[s])
        rest.push_back(s);
    size_t size = rest.size();
    for (size_t i = 0; i < rest.size() && !isOver();) {
      size = std::min(size, rest.size() - i);
      Reruns wider = reruns;
      for (size_t k = i; k < i + size; ++k)
        wider.free[rest[k]] = true;
      if (ask(wider, kSplitsOfCore) == Fit::No) {
        reruns = std::move(wider);
        i += size;
        size *= 2;
      } else if (size == 1) {
        ++i;
      } else {
        size /= 2;
      }
    }
  }

  /// Sets counted steps free, or lets them run once more, as long as no order
  /// fits.
  void relax(Reruns &reruns) {
    for (Id s : candidates) {
      if (reruns.counts[s] == 0)
        continue;
      Reruns wider = reruns;
      wider.counts[s] = 0;
      wider.free[s] = true;
      if (ask(wider, kSplitsOfCore) == Fit::No)
        reruns = std::move(wider);
    }
  }

  /// Whether an order fits when `reruns` may run again. `leaves` are choices
  /// of reads that together leave nothing out, to begin with; if the answer is
  /// No they are those that were refuted.
  Fit ask(const Reruns &wanted, unsigned mostSplits) {
    const Reruns reruns = relaxation.useful(wanted);
    std::vector<ReadChoice> fitting, refuted;
    unsigned splits = 0;
    auto settle = [&](ReadChoice choice) {
      const Fit fit = askOrders(reruns, choice);
      (fit == Fit::No ? refuted : fitting).push_back(std::move(choice));
      return fit;
    };
    for (const ReadChoice &leaf : leaves) {
      ReadChoice choice = leaf;
      forget(choice, reruns);
      Fit fit = settle(std::move(choice));
      while (!fitting.empty()) {
        choice = std::move(fitting.back());
        fitting.pop_back();
        const std::vector<ReadKey> rest = relaxation.undecided(reruns, choice);
        if (rest.empty())
          fit = askOrders(reruns, choice);
        if (fit == Fit::Unknown || rest.empty() || ++splits > mostSplits) {
          // What could not be refuted is asked first the next time.
          const size_t i = &leaf - leaves.data();
          std::rotate(leaves.begin(), leaves.begin() + i,
                      leaves.begin() + i + 1);
          return fit == Fit::Yes && rest.empty() ? Fit::Yes : Fit::Unknown;
        }
        split(reruns, choice, rest, fitting, refuted);
      }
    }
    leaves = std::move(refuted);
    return Fit::No;
  }

  /// Decides the read that leaves fewest orders to be looked at: into `fitting`
  /// go those that may fit, into `refuted` the others.
  void split(const Reruns &reruns, ReadChoice &choice,
             const std::vector<ReadKey> &rest, std::vector<ReadChoice> &fitting,
             std::vector<ReadChoice> &refuted) {
    std::vector<ReadChoice> best, others;
    size_t fewest = SIZE_MAX;
    for (const ReadKey &key : rest) {
      std::vector<ReadChoice> yes, no;
      for (unsigned copy = 0; copy <= reruns.counts[key.producer]; ++copy) {
        choice[key] = copy;
        (askOrders(reruns, choice) == Fit::No ? no : yes).push_back(choice);
      }
      choice.erase(key);
      if (yes.size() < fewest) {
        fewest = yes.size();
        best = std::move(yes);
        others = std::move(no);
      }
      if (fewest <= 1)
        break;
    }
    fitting.insert(fitting.end(), best.begin(), best.end());
    refuted.insert(refuted.end(), others.begin(), others.end());
  }

  /// Choices of reads that are not asked for any more.
  static void forget(ReadChoice &choice, const Reruns &reruns) {
    for (auto it = choice.begin(); it != choice.end();) {
      const auto &[key, copy] = *it;
      const bool stands = reruns.counts[key.producer] >= copy &&
                          reruns.counts[key.producer] > 0 &&
                          reruns.counts[key.reader.step] >= key.reader.copy;
      it = stands ? std::next(it) : choice.erase(it);
    }
  }

  Fit askOrders(const Reruns &reruns, const ReadChoice &choice) {
    if (isOver())
      return Fit::Unknown;
    ++answer.questions;
    Problem orders;
    std::vector<StepRun> runs;
    if (!relaxation.build(reruns, choice, orders, runs))
      return Fit::No;
    PeakOrderOptions o;
    o.seed = options.seed;
    o.enough = options.budget;
    o.decides = true;
    o.effort = options.effort ? options.effort : kOrderEffort;
    o.threads = 1;
    o.limits = options.limits;
    const PeakOrder order = orderForPeak(orders, o);
    if (order.bound > options.budget)
      return Fit::No;
    if (order.peak > options.budget)
      return Fit::Unknown;
    lastRuns.clear();
    for (Id step : order.order)
      lastRuns.push_back(runs[step].step);
    return Fit::Yes;
  }

  const Problem &p;
  const RerunSetsOptions &options;
  const RerunRelaxation relaxation;
  const StopSign stop;
  const int64_t once;
  /// Steps whose further run may pay, the cheapest first.
  std::vector<Id> candidates;
  std::vector<Core> cores;
  std::vector<ReadChoice> leaves;
  /// Of the last order that fits. A schedule if no step was free and no read
  /// left to be decided.
  std::vector<Id> lastRuns;
  RerunSetsAnswer answer;
};

} // namespace

std::string pebble::graph::rerunSetsRefusal(const Problem &problem) {
  return RerunRelaxation::refusal(problem);
}

RerunSetsAnswer pebble::graph::rerunSets(const Problem &problem,
                                         const RerunSetsOptions &options) {
  return RerunSearch(problem, options).run();
}
