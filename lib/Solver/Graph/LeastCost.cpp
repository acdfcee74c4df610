//===- LeastCost.cpp - the cheapest schedule, by whatever suits -----------===//

#include "pebble/Solver/Graph/LeastCost.h"
#include "pebble/Solver/Graph/Baselines.h"
#include "pebble/Solver/Graph/CopiedResults.h"
#include "pebble/Solver/Graph/EqualChain.h"
#include "pebble/Solver/Graph/LeastBudget.h"
#include "pebble/Solver/Graph/LocalSearch.h"
#include "pebble/Solver/Graph/Paging.h"
#include "pebble/Solver/Graph/PeakOrder.h"
#include "pebble/Solver/Graph/RematBound.h"
#include "pebble/Solver/Graph/RematGreedy.h"
#include "pebble/Solver/Graph/RematSearch.h"
#include "pebble/Solver/Graph/RematSolvers.h"
#include "pebble/Solver/Graph/RunIds.h"
#include "pebble/Solver/Graph/RunSequence.h"
#include "pebble/Solver/Graph/TransferBound.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::Pin;
using game::Problem;
using game::Schedule;
using game::Status;
using game::Step;

namespace {

/// Up to this many steps the bound by orders is asked for.
constexpr size_t kOrderBoundSteps = 400;

/// Effort for an order that recomputation starts from.
constexpr uint64_t kStartEffort = 200000;

/// Trials of XLA's greedy, which is quick where it helps.
constexpr uint64_t kStartTrials = 100000;

/// Positions of the first exact search.
constexpr uint64_t kQuickEffort = 20000;

/// Walks that make a start, at most.
constexpr uint64_t kStartWalks = 200;

/// How far a portfolio goes.
enum class Extent { Walks, Local, All };

class Portfolio {
public:
  Portfolio(const Problem &p, const LeastCostOptions &options)
      : p(p), options(options) {
    for (const Step &s : p.steps)
      once += s.cost;
    best.bound = once;
    best.solver = "none";
  }

  Schedule solve(Extent extent) {
    run(extent);
    if (best.status == Status::Unknown)
      best.peak = best.peak ? std::min(best.peak, leastPeak) : leastPeak;
    return best;
  }

private:
  void run(Extent extent) {
    const bool exact =
        extent == Extent::All && RematGame::refusal(p, options.means).empty();
    const bool walks = rematGreedyRefusal(p, options.means).empty();
    const bool local = walks && extent != Extent::Walks &&
                       localSearchRefusal(p, options.means).empty();
    if (!hasWishes(p)) {
      orders.push_back(givenOrder(p));
      takeOrder(orders[0], "given");
      if (isSettled())
        return;
    } else {
      return runWithWishes(extent, exact);
    }
    // What has a dynamic program of its own needs nothing else.
    Schedule chain = equalChain(p, options);
    if (chain.status != Status::Unknown)
      return take(std::move(chain));
    if (options.means.offload && transferSearchRefusal(p).empty())
      return runWithTransfers(extent, exact);
    if (walks && !options.means.offload && !tryBounds()) {
      if (exact) // it finds the smallest budget
        tryExact();
      return;
    }
    trySuggested();
    if (isSettled())
      return;
    tryOrders();
    if (isSettled() || !options.budget)
      return;
    if (local && !isOver())
      tryXla();
    // Most small problems need no more than a moment of exact search.
    if (exact && !isSettled() && !isOver() && quickExact())
      return;
    if (walks && !isSettled())
      tryGreedy(local ? 8 : exact ? 3 : 1);
    if (!exact && local)
      tryOrderBound();
    if (!exact && local && !isSettled() && !isOver())
      tryCopies();
    if (local && !isSettled() && !isOver())
      tryLocal(exact);
    if (exact && !isSettled() && !isOver())
      tryExact();
  }

  /// Where users want results made or fetched again for each reader. No walk
  /// follows that: local search from orders that do, and exact search.
  void runWithWishes(Extent extent, bool exact) {
    const RematMeans &means = options.means;
    if (means.offload)
      transfers = options.transfers ? *options.transfers
                                    : costsByRate(p, means.offloadRate);
    const bool local = extent != Extent::Walks && options.budget &&
                       (means.offload ? transferSearchRefusal(p)
                                      : localSearchRefusal(p, means))
                           .empty();
    if (options.budget && !exact) {
      const StopSign soon(limitsOfBound());
      const int64_t bound =
          means.offload
              ? transferBound(p, *options.budget, transfers, means.recompute,
                              &soon)
              : rematBound(p, *options.budget, nullptr, nullptr, &soon);
      if (bound == INT64_MAX) {
        best.status = Status::Infeasible;
        best.solver = means.offload ? "transfer-bound" : "remat-bound";
        return;
      }
      best.bound = std::max(best.bound, bound);
    }
    if (exact && local && quickExact())
      return;
    if (local) {
      std::vector<std::vector<Id>> starts = {followWishes(p, givenOrder(p))};
      if (!means.fixedOrder) {
        PeakOrderOptions o;
        o.seed = options.seed;
        o.limits = options.limits.part(4);
        o.effort = kStartEffort;
        starts.push_back(followWishes(p, orderForPeak(p, o).order));
      }
      const StopSign stop(options.limits.part(exact ? 3 : 1));
      LocalSearchOptions o = localOptions(exact, stop);
      o.recompute = means.recompute;
      if (means.offload)
        o.transfers = &transfers;
      const Schedule s = localSearch(p, starts, o);
      if (s.status != Status::Unknown)
        take(s);
      else
        best.limited |= s.limited;
    }
    if (exact && !isSettled())
      tryExact();
  }

  //===--------------------------------------------------------------------===//
  // With transfers
  //===--------------------------------------------------------------------===//

  void runWithTransfers(Extent extent, bool exact) {
    if (!options.budget)
      return;
    transfers = options.transfers ? *options.transfers
                                  : costsByRate(p, options.means.offloadRate);
    const StopSign soon(limitsOfBound());
    const int64_t bound = transferBound(p, *options.budget, transfers,
                                        options.means.recompute, &soon);
    if (bound == INT64_MAX) {
      best.status = Status::Infeasible;
      best.solver = "transfer-bound";
      if (exact) // it finds the smallest budget
        tryExact();
      return;
    }
    best.bound = std::max(best.bound, bound);
    std::vector<std::vector<Id>> starts = orders;
    if (takeKnown(starts)) {
      if (!isSettled())
        tryJoint(exact, options.means.recompute, starts);
      if (exact && !isSettled() && !isOver())
        tryExact();
      return;
    }
    tryOrders();
    if (isSettled() || (exact && quickExact()))
      return;
    starts = orders;
    if (options.means.recompute && !isOver())
      tryRecomputation(exact ? Extent::Walks : extent, starts);
    // Transfers alone, and for what recomputation leaves over a budget.
    std::vector<std::vector<Id>> lists = starts;
    for (const std::vector<Id> &runs : lists)
      if (!isSettled() && !isOver())
        tryPaging(runs, starts);
    // What transfers reach alone is one more start, unless it is proven to be
    // dearer.
    const StopSign later(limitsOfBound());
    const bool alone =
        !options.means.recompute || best.status != Status::Feasible ||
        transferBound(p, *options.budget, transfers, false, &later) < best.cost;
    for (bool recompute : {false, true})
      if (extent != Extent::Walks && recompute <= options.means.recompute &&
          (alone || recompute) && !isSettled() && !isOver())
        tryJoint(exact, recompute, starts);
    if (exact && !isSettled() && !isOver())
      tryExact();
  }

  /// True if anything that is known makes a schedule to go on from.
  bool takeKnown(std::vector<std::vector<Id>> &starts) {
    const size_t before = starts.size();
    const RunSequence lists(p, *options.budget, options.means.fixedOrder,
                            &transfers, options.means.recompute);
    for (const std::vector<Id> &runs : options.known)
      if (Schedule s = scheduleOfList(p, runs, transfers, *options.budget);
          lists.takes(runs) && !s.moves.empty()) {
        starts.push_back(runs);
        takeMoves(std::move(s), starts);
      }
    return starts.size() > before;
  }

  /// A schedule of others: its bound speaks of what they may do only.
  void takeMoves(Schedule s, std::vector<std::vector<Id>> &starts) {
    best.limited |= s.limited && best.status != Status::Optimal;
    if (s.status != Status::Optimal && s.status != Status::Feasible)
      return;
    starts.push_back(runsOfMoves(p, s.moves));
    if (best.status == Status::Feasible && s.cost >= best.cost)
      return;
    s.status = Status::Feasible;
    s.bound = best.bound;
    s.minBudget.reset();
    take(std::move(s));
  }

  void tryRecomputation(Extent extent, std::vector<std::vector<Id>> &starts) {
    // Where it cannot do alone, nobody asks for its smallest budget.
    const StopSign soon(limitsOfBound());
    if (rematBound(p, *options.budget, nullptr, nullptr, &soon) == INT64_MAX ||
        *options.budget < rematFloor(p, &soon))
      return;
    LeastCostOptions o = options;
    o.means.offload = false;
    // A start that moves values is none without transfers.
    if (std::any_of(o.start.begin(), o.start.end(), isTransfer))
      o.start.clear();
    o.limits = options.limits.part(3);
    if (extent == Extent::Walks && o.effort > kStartWalks)
      o.effort = 0; // meant for exact search
    if (rematGreedyRefusal(p, o.means).empty())
      takeMoves(Portfolio(p, o).solve(extent), starts);
  }

  void tryPaging(const std::vector<Id> &runs,
                 std::vector<std::vector<Id>> &starts) {
    const StopSign stop(options.limits.part(8));
    PagingOptions o;
    o.budget = *options.budget;
    o.seed = options.seed;
    o.effort = std::min(options.effort, kStartWalks);
    o.stop = &stop;
    takeMoves(pageRuns(p, runs, transfers, o), starts);
  }

  void tryJoint(bool exactFollows, bool recompute,
                std::vector<std::vector<Id>> &starts) {
    const bool isLast = recompute == options.means.recompute;
    const StopSign stop(options.limits.part(exactFollows || !isLast ? 3 : 1));
    LocalSearchOptions o = localOptions(exactFollows, stop);
    if (exactFollows)
      o.effort = std::min<uint64_t>(o.effort, 50000);
    o.transfers = &transfers;
    o.recompute = recompute;
    std::vector<std::vector<Id>> known = starts;
    if (!options.start.empty())
      known.push_back(runsOfMoves(p, options.start));
    const RunSequence runs(p, o.budget, o.fixedOrder, &transfers, recompute);
    known.erase(std::remove_if(known.begin(), known.end(),
                               [&](const std::vector<Id> &list) {
                                 return !runs.takes(list);
                               }),
                known.end());
    if (!known.empty())
      takeMoves(localSearch(p, known, o), starts);
    if (best.status == Status::Feasible && best.bound >= best.cost)
      best.status = Status::Optimal;
  }

  /// A bound may take an eighth of the time that is left.
  Limits limitsOfBound() const { return options.limits.part(8); }

  bool isSettled() const { return best.status == Status::Optimal; }
  bool isOver() {
    bool over = options.limits.isOver();
    best.limited |= over && best.status != Status::Optimal;
    return over;
  }

  void takeOrder(const std::vector<Id> &order, const std::string &solver) {
    std::vector<game::Move> moves = scheduleOfOrder(p, order);
    int64_t peak = verify(p, moves).peak[0];
    leastPeak = leastPeak ? std::min(leastPeak, peak) : peak;
    if (options.budget && peak > *options.budget)
      return;
    best.status = Status::Optimal;
    best.moves = std::move(moves);
    best.cost = once;
    best.bound = once;
    best.peak = peak;
    best.solver = solver;
  }

  /// The least cost of running anything again.
  int64_t leastRepeat() const {
    int64_t least = INT64_MAX;
    for (const Step &s : p.steps)
      if (s.recomputable && s.pin != Pin::Keep)
        least = std::min(least, s.cost);
    return least == INT64_MAX ? 0 : least;
  }

  void tryOrders() {
    if (options.means.fixedOrder || !options.budget)
      return;
    // Where bounds say that no order fits, it is only a place to start from.
    const bool hopeless = best.bound > once;
    PeakOrderOptions o;
    o.seed = options.seed;
    o.limits = options.limits.part(3);
    o.enough = *options.budget;
    // Where recomputation has to help anyway, the last bit of peak is not
    // worth the time.
    o.effort = options.limits.isTimed() ? 0 : options.effort;
    if (hopeless && (o.effort == 0 || o.effort > kStartEffort))
      o.effort = kStartEffort;
    PeakOrder order = orderForPeak(p, o);
    best.limited |= order.limited;
    // No order fits: something has to run again.
    if (order.bound > *options.budget && options.means.recompute &&
        !options.means.offload)
      best.bound = std::max(best.bound, once + leastRepeat());
    if (order.order != orders[0]) {
      orders.push_back(order.order);
      takeOrder(order.order, order.solver);
    }
  }

  /// What any schedule without transfers costs. False if nothing fits the
  /// budget.
  bool tryBounds() {
    if (!options.budget)
      return true;
    suggested.resize(2);
    const StopSign soon(limitsOfBound());
    const int64_t bound =
        rematBound(p, *options.budget, &suggested[0], nullptr, &soon);
    if (bound == INT64_MAX || *options.budget < rematFloor(p, &soon))
      return nothingFits();
    best.bound = std::max(best.bound, bound);
    trySuggested();
    if (isSettled())
      return true;
    const StopSign stop(limitsOfBound());
    const int64_t closure =
        rematClosureBound(p, *options.budget, &suggested[1], &stop);
    if (closure == INT64_MAX)
      return nothingFits();
    best.bound = std::max(
        {best.bound, closure, rematCutBound(p, *options.budget, &stop)});
    return true;
  }

  /// Says so, with the smallest budget unless exact search will. False.
  bool nothingFits() {
    best.status = Status::Infeasible;
    best.solver = "remat-bound";
    if (RematGame::refusal(p, options.means).empty())
      return false;
    LeastCostOptions o = options;
    o.limits = options.limits;
    best.minBudget = leastBudget(p, o).minBudget;
    return false;
  }

  /// The bound that takes longest, where the gap is wide.
  void tryOrderBound() {
    const bool known = best.status == Status::Feasible;
    if (options.means.offload || isSettled() || isOver() ||
        p.steps.size() > kOrderBoundSteps ||
        (known && (best.cost - best.bound) * 2 < best.cost - once))
      return;
    best.bound =
        std::max(best.bound, rematOrderBound(p, *options.budget, options.effort,
                                             options.limits.part(6)));
    if (known && best.bound >= best.cost)
      best.status = Status::Optimal;
  }

  /// What the bound suggests meets it, if it fits.
  void trySuggested() { takeRuns(suggested, "remat-bound"); }

  /// Those of the lists that fit, if they are cheaper.
  void takeRuns(const std::vector<std::vector<Id>> &lists,
                const std::string &solver) {
    for (const std::vector<Id> &runs : lists) {
      Schedule s;
      s.moves = scheduleOfRuns(p, runs);
      game::Replay r = verify(p, s.moves);
      if (!r.verdict.ok())
        continue;
      leastPeak = leastPeak ? std::min(leastPeak, r.peak[0]) : r.peak[0];
      if (r.peak[0] > *options.budget ||
          (best.status == Status::Feasible && r.cost >= best.cost))
        continue;
      s.cost = r.cost;
      s.peak = r.peak[0];
      s.bound = best.bound;
      s.status = Status::Feasible;
      s.solver = solver;
      take(std::move(s));
    }
  }

  /// Order and recomputation at once, where each is of no use by itself.
  void tryCopies() {
    if (options.means.fixedOrder)
      return;
    const StopSign stop(options.limits.part(4));
    PeakOrderOptions o;
    o.seed = options.seed;
    o.enough = *options.budget;
    o.limits = options.limits.part(8);
    o.effort = kStartEffort;
    copies = {runsWithCopies(p, *options.budget, orders.back(), o, &stop)};
    takeRuns(copies, "copied-results");
  }

  void tryXla() {
    LeastCostOptions o = options;
    o.limits = options.limits.part(8);
    o.effort = std::min(o.effort ? o.effort : kStartTrials, kStartTrials);
    Schedule s = xlaGreedy(p, o);
    if (s.status != Status::Unknown)
      take(std::move(s));
  }

  void tryGreedy(int64_t parts) {
    const StopSign stop(options.limits.part(parts));
    RematGreedyOptions o;
    o.budget = *options.budget;
    o.fixedOrder = options.means.fixedOrder;
    o.seed = options.seed;
    // With a time limit and nothing else to do, walk until it is over.
    o.effort = options.effort;
    if (!options.effort && options.limits.isTimed() && parts == 1)
      o.effort = UINT64_MAX;
    o.stop = &stop;
    o.enough = best.bound;
    take(rematGreedy(p, orders, o));
  }

  LocalSearchOptions localOptions(bool exactFollows,
                                  const StopSign &stop) const {
    LocalSearchOptions o;
    o.budget = *options.budget;
    o.fixedOrder = options.means.fixedOrder;
    o.seed = options.seed;
    o.effort = options.effort;
    if (exactFollows && !o.effort)
      o.effort = 50000;
    o.stop = &stop;
    o.timed = options.limits.isTimed();
    o.enough = best.bound;
    return o;
  }

  void tryLocal(bool exactFollows) {
    const StopSign stop(options.limits.part(exactFollows ? 3 : 1));
    LocalSearchOptions o = localOptions(exactFollows, stop);
    // One search goes on from the best that is known, the other one from an
    // order, which may lead elsewhere.
    std::vector<std::vector<Id>> starts;
    for (const auto &moves : {options.start, best.moves})
      if (!moves.empty())
        starts.push_back(runsOfMoves(p, moves));
    starts.insert(starts.end(), orders.begin(), orders.end());
    starts.insert(starts.end(), copies.begin(), copies.end());
    for (const std::vector<Id> &runs : suggested)
      if (verify(p, scheduleOfRuns(p, runs)).verdict.ok())
        starts.push_back(runs);
    take(localSearch(p, starts, o));
  }

  Schedule exactSearch(uint64_t effort) {
    RematSearchOptions o;
    o.means = options.means;
    if (options.transfers)
      o.transfers = &*options.transfers;
    o.budget = options.budget;
    o.effort = effort;
    o.limits = options.limits;
    if (best.status == Status::Feasible)
      o.below = best.cost;
    return rematSearch(p, o);
  }

  void tryExact() { take(exactSearch(options.effort)); }

  /// Whether little effort settles it, with the smallest budget where nothing
  /// fits.
  bool quickExact() {
    if (options.effort && options.effort <= kQuickEffort)
      return false;
    Schedule s = exactSearch(kQuickEffort);
    const bool beaten = best.status == Status::Feasible;
    if (s.status != Status::Optimal &&
        (s.status != Status::Infeasible || (!beaten && !s.minBudget)))
      return false;
    take(std::move(s));
    return true;
  }

  void take(Schedule s) {
    bool answered = s.status == Status::Optimal || s.status == Status::Feasible;
    bool known = best.status == Status::Feasible;
    int64_t bound = std::max(best.bound, s.bound);
    bool limited = best.limited || s.limited;
    if (best.status == Status::Infeasible && !answered) {
      best.minBudget = s.minBudget;
      return; // proven already
    }
    if (answered || !known) {
      best = std::move(s);
      best.bound = std::max(best.bound, bound);
    } else if (s.status == Status::Infeasible) { // nothing below what is known
      best.bound = best.cost;
      best.minBudget = s.minBudget;
    } else {
      best.bound = std::min(bound, best.cost);
    }
    best.limited = limited;
    if (best.status == Status::Feasible && best.bound >= best.cost)
      best.status = Status::Optimal;
    if (best.status == Status::Optimal)
      best.limited = false;
  }

  const Problem &p;
  const LeastCostOptions &options;
  std::vector<std::vector<Id>> orders;
  /// Runs that bounds suggest.
  std::vector<std::vector<Id>> suggested;
  /// Runs from orders in which readers have own copies.
  std::vector<std::vector<Id>> copies;
  /// Prices, where values may be offloaded.
  MoveCosts transfers;
  /// Cost of every step once.
  int64_t once = 0;
  /// Of the orders tried; 0: none was.
  int64_t leastPeak = 0;
  Schedule best;
};

} // namespace

Schedule pebble::graph::leastCostByWalks(const Problem &problem,
                                         const LeastCostOptions &options) {
  return Portfolio(problem, options).solve(Extent::Walks);
}

Schedule
pebble::graph::leastCostByLocalSearch(const Problem &problem,
                                      const LeastCostOptions &options) {
  return Portfolio(problem, options).solve(Extent::Local);
}

Schedule pebble::graph::leastCost(const Problem &problem,
                                  const LeastCostOptions &options) {
  if (!options.solver.empty())
    return solveByName(problem, options);
  return Portfolio(problem, options).solve(Extent::All);
}
