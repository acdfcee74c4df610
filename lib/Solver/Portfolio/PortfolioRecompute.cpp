//===- PortfolioRecompute.cpp - attempts where steps may run again --------===//

#include "Effort.h"
#include "Leanest.h"
#include "Portfolio.h"
#include "Solver/Graph/RunIds.h"
#include "Solver/Remat/Baselines.h"
#include "Solver/Remat/CopiedResults.h"
#include "Solver/Remat/PeakCuts.h"
#include "Solver/Remat/RematSearch.h"
#include "Solver/Remat/RerunSets.h"
#include "pebble/Solver/Order/PeakOrder.h"
#include "pebble/Solver/Portfolio/LeastBudget.h"
#include "pebble/Solver/Remat/RematBound.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::Schedule;
using game::Status;

namespace {

/// Up to this many steps it is asked which of them have to run again; and so
/// many questions about orders, where nobody set a time limit.
constexpr size_t kRerunSetsSteps = 400;
constexpr uint64_t kRerunSetsQuestions = 20000;

/// Walks that local search starts from, beside those of every kind.
constexpr uint64_t kStartWalks = 40;

/// What is tried before anybody looks at the clock, beside Effort.h: positions
/// of exact search; walks, times steps and at most.
constexpr uint64_t kFirstPositions = 2000;
constexpr uint64_t kFirstWalks = 4000, kMostWalks = 20;

} // namespace

void Portfolio::takeOrder(const std::vector<Id> &order,
                          const std::string &solver) {
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

void Portfolio::takeRuns(const std::vector<Runs> &lists,
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

void Portfolio::tryFirstAnswers() {
  const uint64_t steps = p.steps.size() + 1;
  std::vector<Id> order = orders[0];
  if (!options.means.fixedOrder) {
    PeakOrderOptions o;
    o.seed = options.seed;
    o.enough = *options.budget;
    o.effort = std::clamp<uint64_t>(kFirstOrders / steps, 1, kMostOfOrders);
    const PeakOrder found = orderForPeak(p, o);
    order = found.order;
    takeOrder(order, found.solver);
  }
  if (exact && !isSettled()) {
    // The smallest budget is not asked for where nothing fits.
    Schedule s = exactSearch(kFirstPositions, Limits(), kNever - 1);
    if (s.status == Status::Optimal)
      take(std::move(s));
  }
  const uint64_t rungs =
      std::clamp<uint64_t>(kFirstMends / steps, 1, kMostMends);
  mendOnRungs(orders[0], rungs);
  if (order != orders[0])
    mendOnRungs(order, rungs);
  if (!isSettled())
    walkAtFirst({orders[0], order});
}

/// What a moment of walks finds must not depend on how long all else takes.
/// Runs that turn out to be needless can take long to find, so the clock ends
/// this.
void Portfolio::walkAtFirst(const std::vector<Runs> &from) {
  RematGreedyOptions o;
  o.budget = *options.budget;
  o.fixedOrder = options.means.fixedOrder;
  o.seed = options.seed;
  o.effort = std::min(kFirstWalks / (p.steps.size() + 1), kMostWalks);
  o.enough = best.bound;
  if (o.effort == 0)
    return;
  const StopSign stop(options.limits.part(8));
  o.stop = &stop;
  Schedule s = rematGreedy(p, from, o);
  s.bound = best.bound;
  take(std::move(s));
}

void Portfolio::mendOnRungs(const Runs &order, uint64_t rungs) {
  const int64_t low = portfolio::largestStep(p);
  const int64_t peak = verify(p, scheduleOfOrder(p, order)).peak[0];
  const auto parts = static_cast<int64_t>(rungs) + 1;
  for (int64_t i = 1; i < parts && !isSettled(); ++i) {
    PeakCutsOptions o;
    o.budget = low + (peak - low) / parts * i;
    o.fixedOrder = options.means.fixedOrder;
    o.seed = options.seed;
    o.effort = 1;
    o.work = kFirstWork * p.steps.size();
    o.enough = best.bound;
    if (low >= peak || o.budget > *options.budget)
      return;
    Schedule s = peakCuts(p, {order}, o);
    s.bound = best.bound;
    take(std::move(s));
  }
}

void Portfolio::trySegments() {
  if (options.means.offload)
    return;
  for (auto find : {sqrtCheckpoints, chenGreedy}) {
    Schedule s = find(p, options);
    if (s.peak > 0)
      leastPeak = leastPeak ? std::min(leastPeak, s.peak) : s.peak;
    if (s.status == Status::Feasible) {
      s.bound = best.bound;
      return take(std::move(s));
    }
    if (options.limits.isOver())
      return;
  }
}

void Portfolio::tryBounds() {
  suggested.resize(2);
  const StopSign soon(limitsOfBound());
  const int64_t bound =
      rematBound(p, *options.budget, &suggested[0], nullptr, &soon);
  if (bound == INT64_MAX || *options.budget < rematFloor(p, &soon))
    return takeNothingFits();
  raiseBound(bound);
  takeRuns(suggested, "remat-bound");
  if (isSettled())
    return;
  const StopSign stop(limitsOfBound());
  const int64_t closure =
      rematClosureBound(p, *options.budget, &suggested[1], &stop);
  if (closure == INT64_MAX)
    return takeNothingFits();
  raiseBound(std::max(closure, rematCutBound(p, *options.budget, &stop)));
  // What the bound suggests meets it, if it fits.
  takeRuns(suggested, "remat-bound");
}

void Portfolio::takeNothingFits() {
  best.status = Status::Infeasible;
  best.solver = "remat-bound";
  if (RematGame::refusal(p, options.means).empty())
    return tryExact(); // it finds the smallest budget
  LeastCostOptions o = options;
  o.limits = options.limits;
  best.minBudget = leastBudget(p, o).minBudget;
}

void Portfolio::tryOrders() {
  if (options.means.fixedOrder)
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
    raiseBound(once + leastRepeat());
  if (order.order != orders[0]) {
    orders.push_back(order.order);
    takeOrder(order.order, order.solver);
  }
}

int64_t Portfolio::leastRepeat() const {
  int64_t least = INT64_MAX;
  for (Id s = 0; s < p.steps.size(); ++s)
    if (mayRunAgain(p, s))
      least = std::min(least, p.steps[s].cost);
  return least == INT64_MAX ? 0 : least;
}

bool Portfolio::isQuicklySettled() {
  if (options.effort && options.effort <= kQuickEffort)
    return false;
  Schedule s = exactSearch(kQuickEffort, options.limits.part(4));
  const bool beaten = best.status == Status::Feasible;
  if (s.status != Status::Optimal &&
      (s.status != Status::Infeasible || (!beaten && !s.minBudget)))
    return false;
  take(std::move(s));
  return true;
}

void Portfolio::tryQuickExact() { isQuicklySettled(); }

void Portfolio::tryCuts(uint64_t attempts) {
  const StopSign stop(options.limits.part(attempts ? 1 : 4));
  PeakCutsOptions o;
  o.budget = *options.budget;
  o.fixedOrder = options.means.fixedOrder;
  o.seed = options.seed;
  o.effort = attempts ? attempts : options.effort;
  o.stop = &stop;
  o.answersAtOnce = attempts != 0;
  o.firstIsKnown = firstCutIsMade;
  firstCutIsMade = true;
  o.enough = best.bound;
  take(peakCuts(p, orders, o, &cuts));
}

void Portfolio::tryLeanest() {
  LeastCostOptions o = options;
  o.limits = options.limits.part(2);
  const Schedule lean = leastBudget(p, o, *options.budget);
  best.limited |= lean.limited;
  if (lean.bound > *options.budget) {
    takeNothingFits();
    return;
  }
  takeRuns({runsOfMoves(p, lean.moves)}, lean.solver);
}

void Portfolio::tryGreedy() {
  // Where local search goes on from there, walks are a place to start from.
  const bool isStart = local;
  const StopSign stop(options.limits.part(isStart ? 6 : exact ? 3 : 1));
  RematGreedyOptions o;
  o.budget = *options.budget;
  o.fixedOrder = options.means.fixedOrder;
  o.seed = options.seed;
  // With a time limit and nothing else to do, walk until it is over.
  o.effort = options.effort;
  if (isStart)
    o.effort =
        std::min(options.effort ? options.effort : UINT64_MAX, kStartWalks);
  else if (!options.effort && options.limits.isTimed() && !exact)
    o.effort = UINT64_MAX;
  o.stop = &stop;
  o.enough = best.bound;
  take(rematGreedy(p, orders, o));
}

void Portfolio::tryRerunSets() {
  const bool known = best.status == Status::Feasible;
  if (options.means.offload || options.means.fixedOrder ||
      p.steps.size() > kRerunSetsSteps || !rerunSetsRefusal(p).empty() ||
      (known && (best.cost - best.bound) * 2 < best.cost - once))
    return;
  RerunSetsOptions o;
  o.budget = *options.budget;
  if (known)
    o.known = best.cost;
  o.seed = options.seed;
  o.effort = options.effort;
  o.questions = options.limits.isTimed() ? 0 : kRerunSetsQuestions;
  o.limits = options.limits.part(3);
  const RerunSetsAnswer sets = rerunSets(p, o);
  if (sets.bound == INT64_MAX)
    return;
  raiseBound(sets.bound);
  if (!sets.runs.empty())
    takeRuns({sets.runs}, "rerun-sets");
}

void Portfolio::tryCopies() {
  const StopSign stop(options.limits.part(4));
  PeakOrderOptions o;
  o.seed = options.seed;
  o.enough = *options.budget;
  o.limits = options.limits.part(8);
  o.effort = kStartEffort;
  copies = {runsWithCopies(p, *options.budget, orders.back(), o, &stop)};
  takeRuns(copies, "copied-results");
}

LocalSearchOptions Portfolio::localOptions(bool exactFollows,
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

void Portfolio::tryLocal() {
  const StopSign stop(options.limits.part(exact ? 3 : 1));
  LocalSearchOptions o = localOptions(exact, stop);
  // One search goes on from the best that is known, the other one from an
  // order, which may lead elsewhere.
  std::vector<Runs> starts;
  for (const auto &moves : {options.start, best.moves})
    if (!moves.empty())
      starts.push_back(runsOfMoves(p, moves));
  starts.insert(starts.end(), orders.begin(), orders.end());
  starts.insert(starts.end(), copies.begin(), copies.end());
  starts.insert(starts.end(), cuts.begin(), cuts.end());
  for (const std::vector<Id> &runs : suggested)
    if (verify(p, scheduleOfRuns(p, runs)).verdict.ok())
      starts.push_back(runs);
  take(localSearch(p, starts, o));
}

Schedule Portfolio::exactSearch(uint64_t effort, const Limits &limits,
                                int64_t below) {
  RematSearchOptions o;
  o.means = options.means;
  if (options.transfers)
    o.transfers = &*options.transfers;
  o.budget = options.budget;
  o.effort = effort;
  o.limits = limits;
  o.below = best.status == Status::Feasible ? best.cost : below;
  return rematSearch(p, o);
}
