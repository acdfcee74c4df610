//===- LeastCost.cpp - the cheapest schedule, by whatever suits -----------===//

#include "pebble/Solver/Portfolio/LeastCost.h"

#include "Portfolio.h"
#include "Solver/Graph/RunIds.h"
#include "Solver/Remat/EqualChain.h"
#include "pebble/Solver/Portfolio/RematSolvers.h"
#include "pebble/Solver/Remat/RematBound.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Problem;
using game::Schedule;
using game::Status;

//===----------------------------------------------------------------------===//
// The attempts
//===----------------------------------------------------------------------===//

const std::vector<Portfolio::Attempt> &Portfolio::attempts() {
  using P = Portfolio;
  static const std::vector<Attempt> table = {
      // What takes next to no time comes before anybody looks at the clock.
      {"first-answers", &P::mayCut, &P::tryFirstAnswers},
      // Where exact search may not come to an end, so does a try at the budget
      // itself.
      {"first-cut", &P::mayCutAtOnce, &P::tryFirstCut, true},
      {"segments", &P::mayDivide, &P::trySegments, true},
      {"bounds", &P::mayBound, &P::tryBounds},
      {"transfer-bound", &P::mayMove, &P::tryTransferBound},
      {"known", &P::hasKnown, &P::tryKnown},
      {"orders", &P::needsStarts, &P::tryOrders},
      // Most small problems need no more than a moment of exact search.
      {"quick-exact", &P::mayEndQuickly, &P::tryQuickExact},
      {"paging", &P::mayPage, &P::tryPaging},
      {"joint", &P::mayMoveAndRun, &P::tryJoint},
      {"peak-cuts", &P::mayCut, &P::tryManyCuts},
      {"least-budget", &P::isWithoutAnswer, &P::tryLeanest, true},
      {"remat-greedy", &P::mayWalk, &P::tryGreedy},
      {"rerun-sets", &P::isLargeAndLocal, &P::tryRerunSets},
      {"copied-results", &P::mayReorder, &P::tryCopies},
      {"local-search", &P::mayAnneal, &P::tryLocal},
      {"remat-search", &P::isExact, &P::tryExact},
  };
  return table;
}

std::vector<std::string> Portfolio::names() {
  std::vector<std::string> result;
  for (const Attempt &attempt : attempts())
    result.push_back(attempt.name);
  return result;
}

bool Portfolio::isLeftOut(const Attempt &attempt) const {
  const std::vector<std::string> &out = options.without;
  return std::find(out.begin(), out.end(), attempt.name) != out.end();
}

void Portfolio::runAttempts() {
  for (const Attempt &attempt : attempts())
    if (!isLeftOut(attempt) && (this->*attempt.applies)()) {
      (this->*attempt.run)();
      if (isSettled() || isOver())
        break;
    }
  // No limit is a reason to have nothing where a moment finds something.
  for (const Attempt &attempt : attempts())
    if (attempt.takesNoTime && isWithoutAnswer() && !isLeftOut(attempt))
      (this->*attempt.run)();
}

//===----------------------------------------------------------------------===//
// The portfolio
//===----------------------------------------------------------------------===//

Portfolio::Portfolio(const Problem &problem, const LeastCostOptions &options,
                     Extent extent)
    : p(problem), options(options), extent(extent),
      moves(options.budget && options.means.offload &&
            transferSearchRefusal(p).empty()),
      exact(extent == Extent::All &&
            RematGame::refusal(p, options.means).empty()),
      walks(!moves && rematGreedyRefusal(p, options.means).empty()),
      local(walks && extent != Extent::Walks &&
            localSearchRefusal(p, options.means).empty()) {
  once = costOfOneRun(p);
  best.bound = once;
  best.solver = "none";
}

Schedule Portfolio::solve() {
  run();
  if (best.status == Status::Unknown)
    best.peak = best.peak ? std::min(best.peak, leastPeak) : leastPeak;
  return best;
}

void Portfolio::run() {
  if (hasWishes(p))
    return runWithWishes();
  orders.push_back(givenOrder(p));
  takeOrder(orders[0], "given");
  if (isSettled())
    return;
  // What has a dynamic program of its own needs nothing else.
  Schedule chain = equalChain(p, options);
  if (chain.status != Status::Unknown)
    return take(std::move(chain));
  if (options.budget)
    runAttempts();
}

//===----------------------------------------------------------------------===//
// The incumbent
//===----------------------------------------------------------------------===//

bool Portfolio::isOver() {
  bool over = options.limits.isOver();
  best.limited |= over && best.status != Status::Optimal;
  return over;
}

void Portfolio::take(Schedule s) {
  const bool known = best.status == Status::Feasible;
  // The best that is known is never lost to a dearer one.
  if (known && s.status == Status::Feasible && s.cost >= best.cost)
    s.status = Status::Unknown;
  const bool answered = isAnswered(s.status);
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
  raiseBound(best.bound);
}

void Portfolio::raiseBound(int64_t bound) {
  best.bound = std::max(best.bound, bound);
  if (best.status == Status::Feasible && best.bound >= best.cost)
    best.status = Status::Optimal;
  if (best.status == Status::Optimal) {
    best.bound = best.cost;
    best.limited = false;
  }
  report();
}

void Portfolio::report() const {
  const bool answered = isAnswered(best.status);
  options.limits.report(answered ? std::optional(best.cost) : std::nullopt,
                        best.bound);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

Schedule pebble::graph::leastCostByWalks(const Problem &problem,
                                         const LeastCostOptions &options) {
  return Portfolio(problem, options, Extent::Walks).solve();
}

Schedule
pebble::graph::leastCostByLocalSearch(const Problem &problem,
                                      const LeastCostOptions &options) {
  return Portfolio(problem, options, Extent::Local).solve();
}

Schedule pebble::graph::leastCost(const Problem &problem,
                                  const LeastCostOptions &options) {
  if (!options.solver.empty())
    return solveByName(problem, options);
  return Portfolio(problem, options, Extent::All).solve();
}

std::vector<std::string> pebble::graph::leastCostAttempts() {
  return Portfolio::names();
}
