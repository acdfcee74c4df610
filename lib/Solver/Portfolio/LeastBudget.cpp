//===- LeastBudget.cpp - the least peak with recomputation ----------------===//

#include "pebble/Solver/Portfolio/LeastBudget.h"
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

/// Walks and changes tried at each budget where there is no time limit.
constexpr uint64_t kWalks = 40, kChanges = 40000;
/// Attempts to mend an order moment by moment, with other weights.
constexpr uint64_t kCuts = 4;
/// Budgets tried between what is known and the floor.
constexpr int kBudgets = 12;

class Descent {
public:
  Descent(const Problem &p, const LeastCostOptions &options, int64_t enough)
      : p(p), options(options), enough(enough), stop(options.limits) {
    best.solver = "given";
    const StopSign soon(options.limits.part(8));
    best.bound = rematFloor(p, &soon);
    take(scheduleOfOrder(p, givenOrder(p)), "given");
  }

  Schedule solve() {
    orders.push_back(givenOrder(p));
    descendByCuts();
    if (!isSettled() && !options.means.fixedOrder) {
      PeakOrderOptions o;
      o.seed = options.seed;
      o.effort = options.effort;
      o.limits = options.limits.part(4);
      o.enough = best.bound;
      PeakOrder order = orderForPeak(p, o);
      if (order.order != orders[0])
        orders.push_back(order.order);
      take(scheduleOfOrder(p, order.order), order.solver);
    }
    // The floor first: it is often reached. Then by halves.
    int64_t low = best.bound;
    if (!isSettled())
      ask(std::max(low, enough));
    for (int i = 0; i < kBudgets && goesOn(low + 1); ++i) {
      int64_t budget = std::max(enough, low + (best.peak - low) / 2);
      if (!ask(budget))
        low = budget;
    }
    if (!isSettled() && !stop.isUp() &&
        RematGame::refusal(p, options.means).empty())
      settle();
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

  /// By halves, with one attempt each: near-linear, so it comes before all that
  /// takes time.
  void descendByCuts() {
    int64_t low = best.bound;
    for (int i = 0; i < kBudgets && goesOn(low); ++i) {
      const int64_t budget = std::max(enough, low + (best.peak - low) / 2);
      mend(budget, /*attempts=*/1, stop);
      if (best.peak > budget)
        low = budget + 1;
    }
  }

  /// The orders, mended at their fullest moments.
  void mend(int64_t budget, uint64_t attempts, const StopSign &soon) {
    PeakCutsOptions o;
    o.budget = budget;
    o.fixedOrder = options.means.fixedOrder;
    o.seed = options.seed;
    o.effort = attempts;
    o.stop = &soon;
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
    LeastCostOptions b = options;
    b.budget = budget;
    b.limits = options.limits.part(4);
    mend(budget, orders.size() + kCuts, StopSign(b.limits));
    if (best.peak <= budget)
      return true;
    if (localSearchRefusal(p, options.means).empty()) {
      Schedule s = xlaGreedy(p, b);
      if (!s.moves.empty())
        take(s.moves, s.solver);
    }
    if (best.peak <= budget)
      return true;
    const StopSign soon(options.limits.part(4));
    RematGreedyOptions g;
    g.budget = budget;
    g.fixedOrder = options.means.fixedOrder;
    g.seed = options.seed;
    g.effort = options.effort ? options.effort : kWalks;
    g.stop = &soon;
    g.enough = INT64_MAX; // any cost will do
    Schedule s = rematGreedy(p, orders, g);
    if (!s.moves.empty())
      take(s.moves, s.solver);
    if (best.peak <= budget || !localSearchRefusal(p, options.means).empty())
      return best.peak <= budget;
    LocalSearchOptions l;
    l.budget = budget;
    l.fixedOrder = options.means.fixedOrder;
    l.seed = options.seed;
    l.effort = options.effort ? options.effort : kChanges;
    l.stop = &soon;
    l.enough = INT64_MAX;
    s = localSearch(p, {runsOfMoves(p, best.moves)}, l);
    if (!s.moves.empty())
      take(s.moves, s.solver);
    return best.peak <= budget;
  }

  /// Exact search, where the problem is small.
  void settle() {
    const StopSign soon(options.limits.part(2));
    std::optional<int64_t> least = smallestBudget(
        RematGame(p, options.means), best.peak, options.effort, &soon);
    if (!least)
      return;
    best.bound = std::max(best.bound, *least);
    if (best.peak <= best.bound)
      return;
    RematSearchOptions o;
    o.means = options.means;
    o.budget = least;
    o.effort = options.effort;
    o.limits = options.limits.part(1);
    Schedule s = rematSearch(p, o);
    if (!s.moves.empty())
      take(s.moves, s.solver);
  }

  const Problem &p;
  const LeastCostOptions &options;
  /// No smaller peak is looked for.
  const int64_t enough;
  const StopSign stop;
  std::vector<std::vector<Id>> orders;
  Schedule best;
};

} // namespace

std::string pebble::graph::leastBudgetRefusal(const Problem &p,
                                              const RematMeans &means) {
  if (means.offload)
    return "is to be offloaded, which has no least peak of its own";
  return rematGreedyRefusal(p, means);
}

Schedule pebble::graph::leastBudget(const Problem &problem,
                                    const LeastCostOptions &options,
                                    int64_t enough) {
  // What the schedules on the way cost is nobody's concern.
  LeastCostOptions quiet = options;
  quiet.limits = options.limits.observedBy(nullptr);
  return Descent(problem, quiet, enough).solve();
}
