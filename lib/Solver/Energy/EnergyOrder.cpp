//===- EnergyOrder.cpp - the order of least energy ------------------------===//
//
// The plan of a solve: simple orders first, then annealing, then, for small
// problems, a proof. Every order that comes out was priced by EnergyModel.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Energy/EnergyOrder.h"

#include "EnergyAnneal.h"
#include "EnergyExact.h"
#include "Solver/Graph/Random.h"
#include "pebble/Solver/Energy/EnergyBound.h"
#include "pebble/Solver/Order/PeakOrder.h"

#include <algorithm>
#include <numeric>
#include <thread>

using namespace pebble;
using namespace pebble::graph;
using game::Schedule;
using game::Status;

namespace {

/// Chains of the annealed search. A constant, so that the answer does not
/// depend on the number of threads.
constexpr size_t kChains = 2;

/// Ready steps on a stack: what has just been made is used next.
std::vector<Id> newestFirst(const StepGraph &graph) {
  const size_t n = graph.size();
  std::vector<Id> missing(n), ready, order;
  for (Id s = n; s-- > 0;) {
    missing[s] = graph.predecessors(s).size();
    if (!missing[s])
      ready.push_back(s);
  }
  while (!ready.empty()) {
    const Id s = ready.back();
    ready.pop_back();
    order.push_back(s);
    const IdRange next = graph.successors(s);
    for (size_t i = next.size(); i-- > 0;)
      if (--missing[next[i]] == 0)
        ready.push_back(next[i]);
  }
  return order;
}

/// Each step as late as its first user allows: operands right before it.
std::vector<Id> onDemand(const StepGraph &graph) {
  const size_t n = graph.size();
  std::vector<Id> order;
  std::vector<bool> done(n, false);
  std::vector<std::pair<Id, size_t>> path;
  auto visit = [&](Id root) {
    path.push_back({root, 0});
    done[root] = true;
    while (!path.empty()) {
      auto &[s, next] = path.back();
      const IdRange before = graph.predecessors(s);
      if (next == before.size()) {
        order.push_back(s);
        path.pop_back();
        continue;
      }
      const Id p = before[next++];
      if (!done[p]) {
        done[p] = true;
        path.push_back({p, 0});
      }
    }
  };
  for (Id s = 0; s < n; ++s)
    if (graph.successors(s).empty())
      visit(s);
  return order;
}

class Solve {
public:
  Solve(const Problem &p, CacheModel m, const EnergyOrderOptions &o)
      : problem(p), model(m), options(o), live(p), modelTable(p, m),
        n(p.steps.size()) {
    // The peak is counted by storage, which only the table of `lru` knows.
    if (m == CacheModel::Sutro && o.peakLimit)
      byStorage.emplace(p, CacheModel::Lru);
  }

  Schedule run() {
    bound = boundEnergy(problem, modelTable, model);
    std::vector<Id> given(n);
    std::iota(given.begin(), given.end(), 0);
    if (isHopeless())
      return infeasible();
    for (const auto &order :
         {given, newestFirst(modelTable.graph), onDemand(modelTable.graph)})
      offer(order, "energy-list");
    if (best.empty() && n > 0 && !fit())
      return infeasible();
    if (n > 1 && orders()) {
      if (n > kFastSteps)
        improve();
      else
        search();
    }
    return answer();
  }

private:
  bool keepsPeak(const std::vector<Id> &order) const {
    return !options.peakLimit || live.peak(order) <= *options.peakLimit;
  }
  /// The limit is below what every order needs.
  bool isHopeless() const {
    if (!options.peakLimit)
      return false;
    if (live.initial() > *options.peakLimit)
      return true;
    for (Id s = 0; s < n; ++s) {
      int64_t together = live.scratch(s);
      for (const IdRange &list : {live.produced(s), live.used(s)})
        for (Id storage : list)
          together += live[storage].footprint;
      if (together > *options.peakLimit)
        return true;
    }
    return false;
  }
  /// Looks for an order within the limit where the simple ones are not. False
  /// if there is none.
  bool fit() {
    PeakOrderOptions peakOptions;
    peakOptions.seed = options.seed;
    peakOptions.effort = 200000;
    peakOptions.limits = options.limits.part(4);
    peakOptions.threads = options.threads;
    peakOptions.enough = *options.peakLimit;
    const PeakOrder flat = orderForPeak(problem, peakOptions);
    offer(flat.order, "energy-list");
    if (flat.peak == flat.bound)
      leastPeak = flat.peak;
    return flat.bound <= *options.peakLimit;
  }
  Schedule infeasible() const {
    Schedule schedule;
    schedule.status = Status::Infeasible;
    schedule.bound = bound.total;
    schedule.solver = "energy-list";
    schedule.minBudget = leastPeak;
    return schedule;
  }

  /// Whether two orders can differ in energy, or one may keep the limit.
  bool orders() const { return best.empty() || energy > bound.total; }

  /// Takes `order` if it is the best so far that keeps the limit.
  bool offer(const std::vector<Id> &order, const char *by) {
    if (order.size() != n || !keepsPeak(order))
      return false;
    const int64_t e = energyOfOrder(problem, order, model);
    if (!best.empty() && e >= energy)
      return false;
    best = order;
    energy = e;
    solver = by;
    return true;
  }

  /// What annealing keeps the energy of.
  const TouchTable &searchTable() const {
    return byStorage ? *byStorage : modelTable;
  }

  AnnealTask task(uint64_t chain) const {
    AnnealTask t;
    t.seed = options.seed * 0x9e3779b97f4a7c15u + chain;
    t.start = best;
    if (best.empty()) {
      t.start.resize(n);
      std::iota(t.start.begin(), t.start.end(), 0);
    }
    t.peakLimit = options.peakLimit.value_or(kUnbounded);
    if (model == CacheModel::Sutro)
      t.judge = [this](const std::vector<Id> &order) {
        return energyOfOrder(problem, order, model);
      };
    return t;
  }

  /// Near-linear: one chain with a few exchanges per step.
  void improve() {
    AnnealTask t = task(0);
    t.iterations = options.iterationLimit ? options.iterationLimit
                                          : static_cast<int64_t>(30 * n);
    t.limits = options.limits;
    take({annealEnergyOrder(searchTable(), t)}, "energy-fast");
    limited = true;
  }

  void take(const std::vector<AnnealResult> &results, const char *by) {
    for (const AnnealResult &r : results) {
      spent += r.iterations;
      offer(r.order, by);
    }
  }

  void search() {
    const int64_t quick = std::min<int64_t>(4000000, 20000 + 2000 * n);
    int64_t limit = options.iterationLimit;
    if (!limit && !options.limits.isTimed())
      limit = quick;
    if (n <= kExactSteps && options.visitLimit > 0) {
      // A good order makes the proof short; the proof makes more search
      // needless.
      anneal(limit ? std::min(limit, quick) : quick, options.limits);
      if (orders() && prove())
        return;
      if (limit && spent >= limit)
        limited = true;
    }
    if (!orders() || limited || options.limits.isOver()) {
      limited = orders();
      return;
    }
    anneal(limit ? std::max<int64_t>(limit - spent, 1) : 0, options.limits);
    if (model == CacheModel::Sutro)
      polish();
    limited = orders();
  }

  /// All chains, on as many threads as allowed.
  void anneal(int64_t iterations, const Limits &until) {
    std::vector<AnnealTask> tasks;
    for (size_t c = 0; c < kChains; ++c) {
      tasks.push_back(task(round * kChains + c));
      if (iterations)
        tasks.back().iterations = std::max<int64_t>(1, iterations / kChains);
      tasks.back().limits = until;
    }
    ++round;
    std::vector<AnnealResult> results(kChains);
    auto runChain = [&](size_t c) {
      results[c] = annealEnergyOrder(searchTable(), tasks[c]);
    };
    if (options.threads > 1) {
      std::vector<std::thread> threads;
      for (size_t c = 0; c < kChains; ++c)
        threads.emplace_back(runChain, c);
      for (std::thread &t : threads)
        t.join();
    } else {
      for (size_t c = 0; c < kChains; ++c) {
        tasks[c].limits = until.part(static_cast<int64_t>(kChains - c));
        runChain(c);
      }
    }
    take(results, "energy-anneal");
  }

  /// True if the search is over: the best order is proven to be one.
  bool prove() {
    EnergyExactLimits limits;
    limits.toBeat = best.empty() ? INT64_MAX : energy;
    limits.peak = options.peakLimit.value_or(kUnbounded);
    limits.visits = options.visitLimit;
    limits.limits = options.limits;
    EnergyExactResult r =
        exactEnergyOrder(problem, modelTable, bound, model, limits);
    if (!r.order.empty())
      offer(r.order, "energy-exact");
    proven = r.complete;
    return proven;
  }

  /// The model's own energy, downhill, one step at a time: annealing kept the
  /// energy of a model close to it.
  void polish() {
    if (best.empty())
      return;
    Random random(options.seed);
    const auto &graph = modelTable.graph;
    std::vector<Id> order = best, at(n);
    int64_t current = energy;
    const int64_t tries = std::min<int64_t>(50 * n, 2000000 / n);
    for (int64_t i = 0; i < tries; ++i) {
      if (options.limits.isOver())
        return;
      for (Id p = 0; p < n; ++p)
        at[order[p]] = p;
      const Id s = random.below(n);
      Id first = 0, last = n - 1;
      for (Id p : graph.predecessors(s))
        first = std::max(first, at[p] + 1);
      for (Id x : graph.successors(s))
        last = std::min(last, at[x] - 1);
      const Id from = at[s], to = first + random.below(last - first + 1);
      auto b = order.begin();
      auto moveStep = [&](Id x, Id y) {
        if (x < y)
          std::rotate(b + x, b + x + 1, b + y + 1);
        else
          std::rotate(b + y, b + x, b + x + 1);
      };
      moveStep(from, to);
      const int64_t e = energyOfOrder(problem, order, model);
      if (e > current || !keepsPeak(order)) {
        moveStep(to, from);
        continue;
      }
      current = e;
      offer(order, "energy-anneal");
    }
  }

  Schedule answer() {
    Schedule schedule;
    schedule.solver = proven ? "energy-exact" : solver;
    schedule.limited = limited;
    schedule.bound = bound.total;
    if (best.empty() && n > 0) {
      schedule.status = proven ? Status::Infeasible : Status::Unknown;
      return schedule;
    }
    schedule.cost = energy;
    schedule.moves = game::scheduleOfOrder(problem, best);
    schedule.peak = live.peak(best);
    const bool optimal = proven || energy == bound.total || n < 2;
    schedule.status = optimal ? Status::Optimal : Status::Feasible;
    if (optimal) {
      schedule.bound = energy;
      schedule.limited = false;
    }
    return schedule;
  }

  const Problem &problem;
  const CacheModel model;
  const EnergyOrderOptions &options;
  const LiveStorages live;
  const TouchTable modelTable;
  std::optional<TouchTable> byStorage;
  const size_t n;
  EnergyBound bound;
  std::vector<Id> best;
  int64_t energy = 0;
  std::string solver = "energy-list";
  int64_t spent = 0;
  /// The least peak of any order, where that is known.
  std::optional<int64_t> leastPeak;
  uint64_t round = 0;
  bool proven = false, limited = false;
};

} // namespace

Schedule pebble::graph::energyOrder(const Problem &problem, CacheModel model,
                                    const EnergyOrderOptions &options) {
  return Solve(problem, model, options).run();
}

std::vector<Id> pebble::graph::orderOfSchedule(const Schedule &schedule) {
  std::vector<Id> order;
  for (const game::Move &move : schedule.moves)
    if (move.kind == game::MoveKind::Compute)
      order.push_back(move.subject);
  return order;
}
