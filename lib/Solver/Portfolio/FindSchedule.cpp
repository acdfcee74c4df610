//===- FindSchedule.cpp - one request, one answer -------------------------===//

#include "pebble/Solver/Portfolio/FindSchedule.h"

#include "ChoosePlaces.h"
#include "FindMoves.h"
#include "Leanest.h"
#include "WantedTiers.h"

#include "Solver/Graph/RunIds.h"
#include "pebble/Solver/Energy/EnergyOrder.h"
#include "pebble/Solver/Order/PeakOrder.h"
#include "pebble/Solver/Portfolio/MendedRuns.h"
#include "pebble/Solver/Remat/RematGreedy.h"
#include "pebble/Solver/Timeline/MakespanBound.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::portfolio;
using game::Id;
using game::Move;
using game::Problem;
using game::Schedule;
using game::Status;

graph::MoveCosts portfolio::pricesOf(const Request &request) {
  if (!request.search.means.offload)
    return {};
  return request.search.transfers
             ? *request.search.transfers
             : graph::costsByRate(request.problem,
                                  request.search.means.offloadRate);
}

namespace {

/// Percent of the time limit for the leanest schedule where none was found.
constexpr int64_t kForLeast = 25;

class Finder {
public:
  explicit Finder(const Request &request)
      : r(request), p(judgedProblem(request.problem, request.runOnce)),
        runOnce(reasonsOf(request)), given(game::givenOrder(p)),
        prices(pricesOf(request)) {
    for (game::Step &step : p.steps) {
      step.recomputable &= means().recompute;
      once += step.cost;
      answer.unitCosts.push_back(step.cost);
    }
    answer.runOnce = runOnce;
    answer.schedule.solver = "none";
  }

  Answer run() {
    if (r.leanest)
      takeLeanest();
    else if (isWished() || isNamed() || !tryOrders())
      search();
    if (isAnswered(answer.schedule.status))
      finish();
    return std::move(answer);
  }

private:
  static std::vector<std::string> reasonsOf(const Request &request) {
    if (!request.runOnce.empty())
      return request.runOnce;
    std::vector<std::string> reasons;
    for (const game::Step &step : request.problem.steps)
      reasons.push_back(step.recomputable ? "" : "the problem says so");
    return reasons;
  }

  const graph::RematMeans &means() const { return r.search.means; }
  bool isWished() const {
    return graph::hasWishes(p) || !r.wantedTiers.empty();
  }
  bool fits(int64_t bytes) const {
    return !r.search.budget || bytes <= *r.search.budget;
  }
  /// One solver is asked for, and no other.
  bool isNamed() const { return !r.search.solver.empty(); }

  /// What each of `parts` may take of the time that is left, less `reserved`
  /// percent of all.
  graph::Limits getLimits(int64_t parts, int64_t reserved = 0) const {
    return r.search.limits.part(parts, allTime / 100 * reserved);
  }

  void search() {
    if (means().offload && !isForOne())
      move();
    else if (means().recompute || means().offload)
      solveUnits();
    if (r.namesLeast && answer.refusal.empty() && !answer.least &&
        !isAnswered(answer.schedule.status))
      takeLeanest();
  }

  //===--------------------------------------------------------------------===//
  // Orders
  //===--------------------------------------------------------------------===//

  /// An order within the budget: nothing costs less.
  bool tryOrders() {
    if (r.caches)
      return tryEnergyOrders();
    if (takeOrder(given, "given"))
      return true;
    // What more is allowed tries orders too, at its own time.
    if (means().recompute || means().offload || means().fixedOrder)
      return false;
    graph::PeakOrderOptions options;
    options.seed = r.search.seed;
    options.limits = getLimits(1);
    if (r.search.budget)
      options.enough = *r.search.budget;
    leastPeak = graph::orderForPeak(p, options);
    answer.schedule.limited |= leastPeak->limited;
    return takeOrder(leastPeak->order, leastPeak->solver);
  }

  /// Where caches price accesses, orders differ in cost.
  bool tryEnergyOrders() {
    graph::EnergyOrderOptions options;
    options.seed = r.search.seed;
    options.limits = getLimits(2);
    options.peakLimit = r.search.budget;
    const Schedule found = graph::energyOrder(r.problem, *r.caches, options);
    answer.schedule.limited |= found.limited;
    return (isAnswered(found.status) &&
            takeOrder(graph::orderOfSchedule(found), found.solver)) ||
           takeOrder(given, "given");
  }

  bool takeOrder(const std::vector<Id> &order, const std::string &solver) {
    Schedule &s = answer.schedule;
    std::vector<Move> moves = graph::scheduleOfRuns(p, order);
    if (!fits(game::verify(p, moves).peak[0]))
      return false;
    s.moves = std::move(moves);
    s.status = Status::Optimal;
    s.bound = once;
    s.solver = solver;
    s.limited = false;
    return true;
  }

  /// The leanest order that is known.
  const graph::PeakOrder &getLeastPeak() {
    if (leastPeak)
      return *leastPeak;
    graph::PeakOrderOptions options;
    options.seed = r.search.seed;
    // Where more than orders is allowed, the rest has the time.
    options.limits = getLimits(means().recompute || means().offload ? 4 : 1);
    if (means().fixedOrder) {
      leastPeak.emplace();
      leastPeak->order = given;
      leastPeak->peak =
          game::verify(p, graph::scheduleOfRuns(p, given)).peak[0];
    } else {
      leastPeak = graph::orderForPeak(p, options);
    }
    return *leastPeak;
  }

  //===--------------------------------------------------------------------===//
  // Recomputation
  //===--------------------------------------------------------------------===//

  /// The solver that was asked for takes all that is allowed, and its price.
  bool isForOne() const {
    return isNamed() && r.objective == Objective::Cost &&
           r.wantedTiers.empty() &&
           graph::leastCostRefusal(r.problem, r.search).empty();
  }

  void solveUnits() {
    const std::vector<UnitProblem> all = buildUnitProblems(r.problem, runOnce);
    const UnitProblem *units = &all.front();
    answer.refusal = graph::leastCostRefusal(units->problem, r.search);
    if (!answer.refusal.empty())
      return;
    // While nothing is known to fit, a quarter is left for what fits at all.
    const int64_t kept = r.namesLeast ? kForLeast : 0;
    const int64_t proofs = all.back().isWhole() || r.isRestricted ? 0 : 1;
    Schedule found = solve(
        *units, getLimits(static_cast<int64_t>(all.size()) + proofs, kept));
    if (all.size() > 1 && !(isAnswered(found.status) && found.cost == once)) {
      const int64_t keptNow = isAnswered(found.status) ? 0 : kept;
      if (takeBetter(found, solve(all.back(), getLimits(1 + proofs, keptNow))))
        units = &all.back();
    }
    describe(*units);
    if (proofs)
      boundRepeated(found, all.back().repeatable);
    else if (found.status == Status::Infeasible && found.minBudget &&
             r.namesLeast && !r.isRestricted)
      takeLeastBudget(*units, *found.minBudget);
    // What a unit reads may go before its last step runs.
    if (isAnswered(found.status))
      found.moves = graph::canonicalMoves(p, expandMoves(*units, found.moves));
    else
      found.moves.clear();
    answer.schedule = std::move(found);
  }

  /// Proves what also holds where `repeatable`, values that are written in
  /// place, are made again, with all that they overwrite: no unit of `found`
  /// does that.
  void boundRepeated(Schedule &found, const std::vector<Id> &repeatable) const {
    const bool is = isAnswered(found.status);
    if (is && found.cost == once)
      return game::certify(found, once);
    int64_t room = 0;
    const Problem free =
        withFreeUpdates(r.problem, toUpdates(repeatable), room);
    const UnitProblem units =
        buildUnitProblem(free, runOnce, Grouping::Lossless);
    graph::LeastCostOptions options = r.search;
    options.start.clear();
    options.limits = getLimits(is ? 1 : 2);
    if (options.transfers)
      options.transfers = withFreeUpdates(std::move(*options.transfers));
    if (options.budget)
      *options.budget += room;
    const Schedule proven = graph::leastCost(units.problem, options);
    found.minBudget.reset();
    found.limited |= proven.limited;
    if (is) {
      game::certify(found, std::max(once, proven.bound));
      found.limited &= found.status != Status::Optimal;
    } else {
      found.bound = std::max(once, proven.bound);
      found.status = proven.status == Status::Infeasible ? Status::Infeasible
                                                         : Status::Unknown;
    }
  }

  static std::vector<Update> toUpdates(const std::vector<Id> &values) {
    std::vector<Update> updates;
    for (Id value : values)
      updates.push_back({value});
    return updates;
  }

  /// Whether `other`, where fewer chains are drawn together, is better than
  /// `found`, and now is it. What is proven of `found` holds for chains that
  /// are drawn together alone; what is proven of `other` holds for all.
  bool takeBetter(Schedule &found, Schedule other) const {
    const bool limited = found.limited || other.limited;
    const int64_t bound = other.bound;
    const bool isBetter =
        isAnswered(other.status)
            ? !isAnswered(found.status) || other.cost < found.cost
            : !isAnswered(found.status);
    if (isBetter)
      found = std::move(other);
    else
      game::certify(found, std::max(once, bound));
    found.limited |= limited && found.status != Status::Optimal;
    return isBetter;
  }

  /// The schedule of the least budget, which was proven: whoever proves it can
  /// make one in no time.
  void takeLeastBudget(const UnitProblem &units, int64_t budget) {
    graph::LeastCostOptions options = r.search;
    options.budget = budget;
    options.start.clear();
    options.limits = getLimits(4);
    const Schedule found = graph::leastCost(units.problem, options);
    if (!isAnswered(found.status) ||
        !game::verify(units.problem, found.moves, budget).verdict.ok())
      return;
    Leanest least;
    least.moves = graph::canonicalMoves(p, expandMoves(units, found.moves));
    least.bytes = game::verify(p, least.moves).peak[0];
    least.solver = found.solver;
    least.isProven = true;
    answer.least = getLeanestOrder();
    improve(*answer.least, std::move(least));
  }

  Schedule solve(const UnitProblem &units, const graph::Limits &limits) const {
    graph::LeastCostOptions options = r.search;
    options.limits = limits;
    if (!options.start.empty())
      options.start = contractMoves(units, options.start);
    else if (!r.oldRuns.empty())
      options.start =
          graph::scheduleOfRuns(units.problem, mendRuns(units, r.oldRuns));
    if (!options.start.empty() &&
        !game::verify(units.problem, options.start, options.budget)
             .verdict.ok())
      options.start.clear();
    Schedule found = graph::leastCost(units.problem, options);
    takeStartIfBetter(units.problem, options, found);
    if (isAnswered(found.status) &&
        !game::verify(units.problem, found.moves, options.budget).verdict.ok())
      found.status = Status::Unknown;
    return found;
  }

  /// Whatever a solver makes of its start, the answer is no worse.
  void takeStartIfBetter(const Problem &problem,
                         const graph::LeastCostOptions &options,
                         Schedule &found) const {
    const std::vector<Move> &start = options.start;
    if (start.empty())
      return;
    const game::Replay replay = game::verify(problem, start);
    const int64_t cost = graph::costOfMoves(
        problem, start, options.transfers.value_or(graph::MoveCosts()));
    if (isAnswered(found.status) && found.cost <= cost)
      return;
    found.moves = start;
    found.cost = cost;
    found.peak = replay.peak[0];
    game::certify(found, std::max(once, found.bound));
    found.solver = "saved-plan";
  }

  /// What a unit cannot do, none of its steps can.
  void describe(const UnitProblem &units) {
    for (Id unit = 0; unit < units.units.size(); ++unit)
      for (Id step : units.units[unit].steps) {
        answer.runOnce[step] = units.units[unit].reason;
        answer.unitCosts[step] = units.problem.steps[unit].cost;
      }
  }

  //===--------------------------------------------------------------------===//
  // Transfers
  //===--------------------------------------------------------------------===//

  void move() {
    // Orders first: the limits count from when they are made.
    const std::vector<std::vector<Id>> orders = ordersKnown();
    const MoveSearch search{r,
                            p,
                            runOnce,
                            prices,
                            r.search.budget.value_or(INT64_MAX),
                            orders,
                            getLimits(1)};
    MoveAnswer found = findMoves(search);
    answer.refusal = std::move(found.refusal);
    found.schedule.limited |= answer.schedule.limited;
    if (!isAnswered(found.schedule.status))
      found.schedule.peak = leastPeak->peak;
    answer.schedule = std::move(found.schedule);
  }

  //===--------------------------------------------------------------------===//
  // The leanest schedule
  //===--------------------------------------------------------------------===//

  /// The leanest schedule, where nobody asks what it costs or nothing cheap was
  /// found. Where values may be moved, it recomputes or moves, not both. It is
  /// the answer if it fits after all.
  void takeLeanest() {
    Leanest least = getLeanestOrder();
    least.isProven &= !means().recompute && !means().offload;
    if (means().offload)
      improve(least, leanestByTransfers(p, ordersKnown()));
    followWishes(least);
    // No schedule gets by with less than its largest step.
    const int64_t floor = largestStep(r.problem) - r.untouched;
    if (means().recompute && r.wantedTiers.empty())
      recomputeLeanest(least, floor);
    least.isProven |= least.bytes <= floor;
    if (least.bytes != INT64_MAX && fits(least.bytes)) {
      Schedule &s = answer.schedule;
      s.moves = least.moves;
      s.status = Status::Feasible;
      s.bound = once;
      s.solver = least.solver;
      s.minBudget.reset();
    }
    answer.least = std::move(least);
  }

  /// An order alone follows no wish to recompute; values may be taken away.
  void followWishes(Leanest &least) {
    if (!isWished())
      return;
    if (graph::hasWishes(p)) {
      const graph::MoveCosts costs =
          r.search.means.offload ? prices : graph::costsByRate(p, 1);
      least.bytes = INT64_MAX;
      for (const std::vector<Id> &order : ordersKnown()) {
        Schedule s = graph::scheduleOfList(p, graph::followWishes(p, order),
                                           costs, INT64_MAX);
        if (s.moves.empty() || s.peak >= least.bytes)
          continue;
        least.bytes = s.peak;
        least.moves = std::move(s.moves);
      }
      if (least.bytes == INT64_MAX)
        least.moves.clear();
    }
    if (!r.wantedTiers.empty())
      least.moves = followWantedTiers(p, least.moves, r.wantedTiers);
    const game::Replay replay = game::verify(p, least.moves);
    least.bytes = replay.verdict.ok() ? replay.peak[0] : INT64_MAX;
    least.isProven = false;
  }

  std::vector<std::vector<Id>> ordersKnown() {
    std::vector<std::vector<Id>> orders = {given};
    if (getLeastPeak().order != given)
      orders.push_back(leastPeak->order);
    return orders;
  }

  Leanest getLeanestOrder() {
    const graph::PeakOrder &order = getLeastPeak();
    answer.schedule.limited |= order.limited;
    Leanest least;
    least.bytes = least.orderPeak = order.peak;
    least.moves = graph::scheduleOfRuns(p, order.order);
    least.solver = order.solver;
    least.isProven = order.status == Status::Optimal && !r.isRestricted;
    return least;
  }

  static void improve(Leanest &least, Leanest other) {
    if (other.bytes > least.bytes ||
        (other.bytes == least.bytes && least.isProven))
      return;
    other.orderPeak = least.orderPeak;
    least = std::move(other);
  }

  void recomputeLeanest(Leanest &least, int64_t floor) {
    const std::vector<UnitProblem> all = buildUnitProblems(r.problem, runOnce);
    describe(all[0]);
    for (size_t i = 0; i < all.size() && least.bytes > floor; ++i) {
      graph::LeastCostOptions options = r.search;
      options.means.offload = false;
      options.transfers.reset();
      options.start.clear();
      options.limits = getLimits(static_cast<int64_t>(all.size() - i));
      std::optional<Leanest> other = leanestByRecomputation(p, all[i], options);
      if (!other)
        continue;
      other->isProven &= all.size() == 1 && !means().offload && !r.isRestricted;
      if (other->bytes < least.bytes || other->isProven)
        improve(least, std::move(*other));
    }
    if (!least.isProven && least.bytes > floor && !means().offload &&
        !r.isRestricted && !all.back().isWhole())
      least.isProven = isLeastRepeated(least, all.back().repeatable);
  }

  /// Whether nothing is leaner where `repeatable` may be made again, either.
  bool isLeastRepeated(const Leanest &least,
                       const std::vector<Id> &repeatable) const {
    int64_t room = 0;
    const Problem free =
        withFreeUpdates(r.problem, toUpdates(repeatable), room);
    graph::LeastCostOptions options = r.search;
    options.start.clear();
    options.limits = getLimits(1);
    const std::optional<Leanest> bound = leanestByRecomputation(
        judgedProblem(free, runOnce),
        buildUnitProblem(free, runOnce, Grouping::Lossless), options);
    return bound && bound->isProven && bound->bytes - room >= least.bytes;
  }

  //===--------------------------------------------------------------------===//
  // The end
  //===--------------------------------------------------------------------===//

  /// Costs and peaks as the judge counts them, and transfers beside steps.
  void finish() {
    Schedule &s = answer.schedule;
    const bool moves =
        std::any_of(s.moves.begin(), s.moves.end(), graph::isTransfer);
    if (r.objective == Objective::Time && moves) {
      // Of the leanest schedule, what is left of the budget is not for
      // transfers.
      answer.program = timeline::overlapTransfers(
          p, s.moves, timeline::durationsOf(p, prices),
          r.leanest ? answer.least->bytes : r.search.budget);
      s.moves = timeline::movesOf(answer.program->actions);
      s.cost = answer.program->timeline.makespan;
      s.peak = answer.program->timeline.peak[0];
    } else {
      s.cost = graph::costOfMoves(p, s.moves, prices);
      s.peak = game::verify(p, s.moves).peak[0];
    }
    game::certify(s, r.isRestricted ? once : std::max(once, s.bound));
    s.limited &= s.status != Status::Optimal;
  }

  const Request &r;
  Problem p;
  const std::vector<std::string> runOnce;
  const std::vector<Id> given;
  const graph::MoveCosts prices;
  /// Milliseconds that there were at first; 0: no limit.
  const int64_t allTime = r.search.limits.left();
  /// Cost of every step once.
  int64_t once = 0;
  std::optional<graph::PeakOrder> leastPeak;
  Answer answer;
};

} // namespace

Problem portfolio::judgedProblem(const Problem &problem,
                                 const std::vector<std::string> &runOnce) {
  Problem result = problem;
  for (Id step = 0; step < runOnce.size(); ++step)
    result.steps[step].recomputable = runOnce[step].empty();
  return result;
}

std::vector<std::string> portfolio::attemptNames() {
  std::vector<std::string> names = graph::leastCostAttempts();
  for (const std::string &name : moveAttempts())
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return names;
}

Answer portfolio::findSchedule(const Request &request) {
  auto find = [](const Request &wanted) { return Finder(wanted).run(); };
  return request.updates.empty() ? find(request) : choosePlaces(request, find);
}
