//===- Sweep.cpp - cost over budget, in one search ------------------------===//

#include "pebble/Solver/Portfolio/Sweep.h"
#include "pebble/Solver/Portfolio/LeastBudget.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

/// One in so many parts of the time is for the least budget.
constexpr int64_t kPartForLeast = 5;

/// Budgets from `least` to `most`, evenly spread, each once.
std::vector<int64_t> budgetsBetween(int64_t least, int64_t most, size_t count) {
  std::vector<int64_t> budgets;
  const auto gaps = static_cast<int64_t>(std::max<size_t>(count, 2) - 1);
  const int64_t all = std::max(least, most) - least;
  for (int64_t i = 0; i <= gaps; ++i) {
    // all * i / gaps without overflow.
    const int64_t budget = least + all / gaps * i + all % gaps * i / gaps;
    if (budgets.empty() || budget > budgets.back())
      budgets.push_back(budget);
  }
  return budgets;
}

std::vector<game::Id> stepsOf(const Schedule &schedule) {
  std::vector<game::Id> steps;
  for (const game::Move &move : schedule.moves)
    if (move.kind == game::MoveKind::Compute)
      steps.push_back(move.subject);
  return steps;
}

/// Takes moves, cost and peak of `better`, and keeps the bound.
void takeSchedule(SweepPoint &into, const SweepPoint &better) {
  Schedule &schedule = into.schedule;
  schedule.moves = better.schedule.moves;
  schedule.cost = better.schedule.cost;
  schedule.peak = better.schedule.peak;
  schedule.solver = better.schedule.solver;
  into.outOfPlace = better.outOfPlace;
}

class Sweeper {
public:
  explicit Sweeper(const portfolio::Request &request)
      : request(request), p(request.problem), limits(request.search.limits) {}

  Sweep run(size_t count, const std::function<void(int64_t)> &onBudget) {
    for (const game::Step &s : p.steps)
      sweep.once += s.cost;
    sweep.givenPeak =
        verify(p, scheduleOfOrder(p, game::givenOrder(p))).peak[0];
    SweepPoint known = findLeast();
    if (!isAnswered(known.schedule.status))
      return std::move(sweep);
    const std::vector<int64_t> budgets =
        budgetsBetween(known.schedule.peak, sweep.givenPeak, count);
    for (size_t i = 0; i < budgets.size(); ++i) {
      if (onBudget)
        onBudget(budgets[i]);
      known = solve(budgets[i], known, budgets.size() - i);
      sweep.points.push_back(known);
    }
    share();
    return std::move(sweep);
  }

private:
  /// Transfers have no least peak of their own, so that the curve begins where
  /// recomputation ends.
  SweepPoint findLeast() {
    portfolio::Request wanted = request;
    LeastCostOptions &o = wanted.search;
    o.means.offload = false;
    o.transfers.reset();
    o.budget.reset();
    o.limits = limits.part(kPartForLeast);
    SweepPoint least;
    Schedule &s = least.schedule;
    bool isProven = false;
    if (request.updates.empty()) {
      s = leastBudget(p, o);
      isProven = s.minBudget.has_value();
    } else {
      wanted.leanest = true;
      portfolio::Answer found = portfolio::findSchedule(wanted);
      isProven = found.least && found.least->isProven;
      s = std::move(found.schedule);
      least.outOfPlace = std::move(found.outOfPlace);
    }
    sweep.leastIsProven = isProven && !request.search.means.offload;
    sweep.limited |= s.limited;
    s.bound = sweep.once;
    return least;
  }

  /// At `budget`, no dearer than `known`, which fits a smaller one.
  SweepPoint solve(int64_t budget, const SweepPoint &known, size_t left) {
    SweepPoint point = known;
    point.budget = budget;
    // Nothing costs less than every step once. Where the given order fits, that
    // takes no search.
    const bool isOver = budget < sweep.givenPeak && limits.isOver();
    if (isOver || known.schedule.cost <= sweep.once) {
      sweep.limited |= isOver;
      point.schedule.bound = sweep.once;
      return point;
    }
    portfolio::Request wanted = request;
    wanted.search.budget = budget;
    wanted.search.limits = limits.part(static_cast<int64_t>(left));
    // It is no schedule of the program as it is where updates are elsewhere.
    if (known.outOfPlace.empty())
      wanted.search.start = known.schedule.moves;
    else
      wanted.oldRuns = stepsOf(known.schedule);
    portfolio::Answer found = portfolio::findSchedule(wanted);
    Schedule &s = found.schedule;
    sweep.limited |= s.limited;
    // A schedule is known to fit, so a solver that finds none speaks of its own
    // kind of schedules.
    point.schedule.bound = s.status == Status::Infeasible
                               ? sweep.once
                               : std::max(s.bound, sweep.once);
    if (isAnswered(s.status) && s.cost <= known.schedule.cost)
      takeSchedule(point, {budget, std::move(s), std::move(found.outOfPlace)});
    return point;
  }

  /// What is known at one budget, at others.
  void share() {
    std::vector<SweepPoint> &points = sweep.points;
    for (size_t i = points.size(); i-- > 1;)
      for (size_t j = i; j-- > 0;) {
        const Schedule &larger = points[i].schedule;
        Schedule &smaller = points[j].schedule;
        smaller.bound = std::max(smaller.bound, larger.bound);
        if (larger.peak <= points[j].budget && larger.cost < smaller.cost)
          takeSchedule(points[j], points[i]);
      }
    for (SweepPoint &point : points) {
      Schedule &s = point.schedule;
      game::certify(s, s.bound);
      s.limited = sweep.limited && s.status != Status::Optimal;
    }
  }

  const portfolio::Request &request;
  const Problem &p;
  const Limits limits;
  Sweep sweep;
};

} // namespace

std::optional<size_t> pebble::graph::kneeOf(const Sweep &sweep) {
  const std::vector<SweepPoint> &points = sweep.points;
  if (points.empty())
    return std::nullopt;
  // Products of two of them fit.
  using Wide = __int128;
  const Wide wide = Wide(points.back().budget) - points.front().budget;
  const Wide high =
      Wide(points.front().schedule.cost) - points.back().schedule.cost;
  std::optional<size_t> knee;
  Wide farthest = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const Wide right = Wide(points[i].budget) - points.front().budget;
    const Wide up = Wide(points[i].schedule.cost) - points.back().schedule.cost;
    // Below the chord by this much, in parts of `wide` times `high`.
    const Wide below = wide * high - right * high - up * wide;
    if (below > farthest) {
      farthest = below;
      knee = i;
    }
  }
  return knee;
}

std::string pebble::graph::sweepRefusal(const Problem &p,
                                        const LeastCostOptions &options) {
  std::string refusal = leastCostRefusal(p, options);
  if (!refusal.empty())
    return refusal;
  RematMeans means = options.means;
  means.offload = false;
  refusal = leastBudgetRefusal(p, means);
  return refusal.empty() ? ""
                         : "a sweep does not take the problem: it " + refusal;
}

Sweep pebble::graph::sweepBudgets(
    const portfolio::Request &request, size_t count,
    const std::function<void(int64_t)> &onBudget) {
  return Sweeper(request).run(count, onBudget);
}

Sweep pebble::graph::sweepBudgets(
    const Problem &problem, const LeastCostOptions &options, size_t count,
    const std::function<void(int64_t)> &onBudget) {
  portfolio::Request request;
  request.problem = problem;
  request.search = options;
  return Sweeper(request).run(count, onBudget);
}
