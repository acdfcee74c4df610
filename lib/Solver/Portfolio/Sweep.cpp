//===- Sweep.cpp - cost over budget, in one search ------------------------===//

#include "pebble/Solver/Portfolio/Sweep.h"
#include "pebble/Solver/Portfolio/FindSchedule.h"
#include "pebble/Solver/Portfolio/LeastBudget.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

/// One in so many parts of the time is for the least budget.
constexpr int64_t kForLeast = 5;

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

/// Takes moves, cost and peak of `better`, and keeps the bound.
void takeSchedule(Schedule &into, const Schedule &better) {
  into.moves = better.moves;
  into.cost = better.cost;
  into.peak = better.peak;
  into.solver = better.solver;
}

class Sweeper {
public:
  Sweeper(const Problem &p, const LeastCostOptions &options)
      : p(p), options(options) {}

  Sweep run(size_t count, const std::function<void(int64_t)> &onBudget) {
    for (const game::Step &s : p.steps)
      sweep.once += s.cost;
    sweep.givenPeak =
        verify(p, scheduleOfOrder(p, game::givenOrder(p))).peak[0];
    Schedule known = findLeast();
    const std::vector<int64_t> budgets =
        budgetsBetween(known.peak, sweep.givenPeak, count);
    for (size_t i = 0; i < budgets.size(); ++i) {
      if (onBudget)
        onBudget(budgets[i]);
      Schedule found = solve(budgets[i], known, budgets.size() - i);
      known = found;
      sweep.points.push_back({budgets[i], std::move(found)});
    }
    share();
    return std::move(sweep);
  }

private:
  /// Transfers have no least peak of their own, so that the curve begins where
  /// recomputation ends.
  Schedule findLeast() {
    LeastCostOptions o = options;
    o.means.offload = false;
    o.limits = options.limits.part(kForLeast);
    Schedule least = leastBudget(p, o);
    sweep.leastIsProven = least.minBudget && !options.means.offload;
    sweep.limited |= least.limited;
    least.bound = sweep.once;
    return least;
  }

  /// At `budget`, no dearer than `known`, which fits a smaller one.
  Schedule solve(int64_t budget, const Schedule &known, size_t left) {
    // Nothing costs less than every step once. Where the given order fits, that
    // takes no search.
    const bool isOver = budget < sweep.givenPeak && options.limits.isOver();
    if (isOver || known.cost <= sweep.once) {
      sweep.limited |= isOver;
      Schedule same = known;
      same.bound = sweep.once;
      return same;
    }
    portfolio::Request request;
    request.problem = p;
    request.search = options;
    request.search.budget = budget;
    request.search.start = known.moves;
    request.search.limits = options.limits.part(static_cast<int64_t>(left));
    Schedule found = portfolio::findSchedule(request).schedule;
    sweep.limited |= found.limited;
    // A schedule is known to fit, so a solver that finds none speaks of its own
    // kind of schedules.
    found.bound = found.status == Status::Infeasible
                      ? sweep.once
                      : std::max(found.bound, sweep.once);
    if (!isAnswered(found.status) || found.cost > known.cost)
      takeSchedule(found, known);
    return found;
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
          takeSchedule(smaller, larger);
      }
    for (SweepPoint &point : points) {
      Schedule &s = point.schedule;
      game::certify(s, s.bound);
      s.limited = sweep.limited && s.status != Status::Optimal;
    }
  }

  const Problem &p;
  const LeastCostOptions &options;
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
    const Problem &problem, const LeastCostOptions &options, size_t count,
    const std::function<void(int64_t)> &onBudget) {
  return Sweeper(problem, options).run(count, onBudget);
}
