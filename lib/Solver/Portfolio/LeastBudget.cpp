//===- LeastBudget.cpp - the least peak with recomputation ----------------===//

#include "pebble/Solver/Portfolio/LeastBudget.h"
#include "Effort.h"
#include "Solver/Graph/RunIds.h"
#include "Solver/Remat/Baselines.h"
#include "Solver/Remat/LocalSearch.h"
#include "Solver/Remat/PeakCuts.h"
#include "Solver/Remat/RematSearch.h"
#include "pebble/Solver/Order/PeakOrder.h"
#include "pebble/Solver/Remat/RematBound.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

/// Positions of exact search before anybody looks at the clock.
constexpr uint64_t kPositionsAtOnce = 5000;

/// Walks and changes tried at each budget where there is no time limit.
constexpr uint64_t kWalks = 40, kChanges = 40000;
/// Attempts to mend an order moment by moment, with other weights.
constexpr uint64_t kCuts = 4;
/// Budgets tried between what is known and the floor.
constexpr int kBudgets = 12;

/// More than any schedule that drops nothing takes.
int64_t allBytes(const Problem &p) {
  int64_t bytes = 1, most = 0;
  for (const game::Storage &storage : p.storages)
    bytes += storage.footprint;
  for (const game::Step &step : p.steps)
    most = std::max(most, step.scratch);
  return bytes + most;
}

class Descent {
public:
  Descent(const Problem &p, const LeastCostOptions &options, int64_t enough)
      : p(p), options(options), enough(enough), stop(options.limits),
        isWished(hasWishes(p)) {
    best.peak = INT64_MAX;
    const StopSign soon(options.limits.part(8));
    best.bound = rematFloor(p, &soon);
  }

  Schedule solve() {
    takeOrder(givenOrder(p), "given");
    findAtOnce();
    if (!isSettled())
      search();
    if (best.moves.empty()) {
      best.peak = 0;
      best.limited = stop.isUp();
      return best;
    }
    best.status = best.peak <= best.bound ? Status::Optimal : Status::Feasible;
    if (best.status == Status::Optimal)
      best.minBudget = best.peak;
    best.limited = best.status != Status::Optimal && stop.isUp();
    return best;
  }

private:
  bool isSettled() const { return best.peak <= std::max(best.bound, enough); }
  /// Whether there are budgets to try from `low` on.
  bool goesOn(int64_t low) const {
    return !isSettled() && low < best.peak && !stop.isUp();
  }

  /// What needs no time worth a limit. It depends neither on the clock nor on
  /// what is enough, which only ends it. So what it finds for one budget it
  /// finds for each larger one.
  void findAtOnce() {
    const uint64_t steps = p.steps.size() + 1;
    if (!isWished)
      descendByCuts(std::clamp<uint64_t>(kFirstMends / steps, 1, kMostMends),
                    nullptr);
    if (!isSettled())
      findOrder(std::clamp<uint64_t>(kFirstOrders / steps, 1, kMostOfOrders),
                Limits());
    if (!isSettled() && isForExact())
      settle(kPositionsAtOnce, kPositionsAtOnce, Limits());
  }

  void search() {
    if (!isWished)
      descendByCuts(kBudgets, &stop);
    if (!isSettled())
      findOrder(options.effort, options.limits.part(4));
    // The floor first: it is often reached. Then by halves.
    int64_t low = best.bound;
    if (!isSettled())
      ask(std::max(low, enough));
    for (int i = 0; i < kBudgets && goesOn(low + 1); ++i) {
      int64_t budget = std::max(enough, low + (best.peak - low) / 2);
      if (!ask(budget))
        low = budget;
    }
    if (!isSettled() && !stop.isUp() && isForExact())
      settle(options.effort, UINT64_MAX, options.limits);
  }

  bool isForExact() const {
    return RematGame::refusal(p, options.means).empty();
  }

  void findOrder(uint64_t effort, const Limits &limits) {
    if (options.means.fixedOrder)
      return;
    PeakOrderOptions o;
    o.seed = options.seed;
    o.effort = effort;
    o.limits = limits;
    o.enough = best.bound;
    PeakOrder order = orderForPeak(p, o);
    if (std::find(orders.begin(), orders.end(), order.order) == orders.end())
      takeOrder(order.order, order.solver);
  }

  /// An order alone follows no wish.
  void takeOrder(const std::vector<Id> &order, const std::string &solver) {
    orders.push_back(order);
    take(scheduleOfRuns(p, isWished ? followWishes(p, order) : order), solver);
  }

  /// By halves, with one attempt each.
  void descendByCuts(uint64_t budgets, const StopSign *soon) {
    int64_t low = best.bound;
    for (uint64_t i = 0; i < budgets && !isSettled() && low < best.peak &&
                         !(soon && soon->isUp());
         ++i) {
      const int64_t budget = low + (best.peak - low) / 2;
      mend(budget, /*attempts=*/1, soon);
      if (best.peak > budget)
        low = budget + 1;
    }
  }

  /// The orders, mended at their fullest moments.
  void mend(int64_t budget, uint64_t attempts, const StopSign *soon) {
    PeakCutsOptions o;
    o.budget = budget;
    o.fixedOrder = options.means.fixedOrder;
    o.seed = options.seed;
    o.effort = attempts;
    o.stop = soon;
    if (!soon)
      o.work = kFirstWork * p.steps.size();
    o.enough = INT64_MAX; // any cost will do
    Schedule s = peakCuts(p, orders, o);
    if (!s.moves.empty())
      take(std::move(s.moves), s.solver);
  }

  void take(std::vector<game::Move> moves, const std::string &solver) {
    game::Replay r = verify(p, moves);
    if (!r.verdict.ok() || (!best.moves.empty() && r.peak[0] >= best.peak))
      return;
    best.moves = std::move(moves);
    best.cost = r.cost;
    best.peak = r.peak[0];
    best.solver = solver;
  }

  /// Whether a schedule within `budget` was found.
  bool ask(int64_t budget) {
    using Attempt = void (Descent::*)(int64_t);
    for (Attempt attempt : {&Descent::mendAll, &Descent::tryXla, &Descent::walk,
                            &Descent::anneal})
      if (best.peak > budget)
        (this->*attempt)(budget);
    return best.peak <= budget;
  }

  bool isForLocal() const {
    return localSearchRefusal(p, options.means).empty();
  }

  void mendAll(int64_t budget) {
    const StopSign soon(options.limits.part(4));
    if (!isWished)
      mend(budget, orders.size() + kCuts, &soon);
  }

  void tryXla(int64_t budget) {
    LeastCostOptions o = options;
    o.budget = budget;
    o.limits = options.limits.part(4);
    if (isWished || !isForLocal())
      return;
    Schedule s = xlaGreedy(p, o);
    if (!s.moves.empty())
      take(std::move(s.moves), s.solver);
  }

  void walk(int64_t budget) {
    if (isWished)
      return;
    const StopSign soon(options.limits.part(4));
    RematGreedyOptions o;
    o.budget = budget;
    o.fixedOrder = options.means.fixedOrder;
    o.seed = options.seed;
    o.effort = options.effort ? options.effort : kWalks;
    o.stop = &soon;
    o.enough = INT64_MAX; // any cost will do
    Schedule s = rematGreedy(p, orders, o);
    if (!s.moves.empty())
      take(std::move(s.moves), s.solver);
  }

  void anneal(int64_t budget) {
    if (!isForLocal() || best.moves.empty())
      return;
    const StopSign soon(options.limits.part(4));
    LocalSearchOptions o;
    o.budget = budget;
    o.fixedOrder = options.means.fixedOrder;
    o.seed = options.seed;
    o.effort = options.effort ? options.effort : kChanges;
    o.stop = &soon;
    o.enough = INT64_MAX;
    Schedule s = localSearch(p, {runsOfMoves(p, best.moves)}, o);
    if (!s.moves.empty())
      take(std::move(s.moves), s.solver);
  }

  /// Exact search, where the problem is small: for each budget, and for all.
  void settle(uint64_t effort, uint64_t all, const Limits &limits) {
    const StopSign soon(limits.part(2));
    LeastPeak least =
        searchLeastPeak(RematGame(p, options.means),
                        std::min(best.peak, allBytes(p)), effort, &soon, all);
    best.bound = std::max(best.bound, least.bound);
    if (!least.moves.empty())
      take(std::move(least.moves), "remat-search");
  }

  const Problem &p;
  const LeastCostOptions &options;
  /// No smaller peak is looked for.
  const int64_t enough;
  const StopSign stop;
  const bool isWished;
  std::vector<std::vector<Id>> orders;
  Schedule best;
};

} // namespace

std::string pebble::graph::leastBudgetRefusal(const Problem &p,
                                              const RematMeans &means) {
  if (means.offload)
    return "is to be offloaded, which has no least peak of its own";
  if (!means.recompute)
    return "is not to be recomputed";
  for (const game::Step &s : p.steps) {
    if (s.pin == game::Pin::Offload)
      return "asks to offload the results of step '" + s.name + "'";
    if (s.pin == game::Pin::Recompute && !s.recomputable)
      return "asks to recompute step '" + s.name + "', which cannot be";
  }
  return "";
}

Schedule pebble::graph::leastBudget(const Problem &problem,
                                    const LeastCostOptions &options,
                                    int64_t enough) {
  // What the schedules on the way cost is nobody's concern.
  LeastCostOptions quiet = options;
  quiet.limits = options.limits.observedBy(nullptr);
  return Descent(problem, quiet, enough).solve();
}
