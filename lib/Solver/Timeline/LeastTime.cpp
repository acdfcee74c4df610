//===- LeastTime.cpp - the fastest program within a budget ----------------===//

#include "pebble/Solver/Timeline/LeastTime.h"

#include "pebble/Solver/Graph/RematBound.h"
#include "pebble/Solver/Graph/TransferBound.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::timeline;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

/// Prices and shares are eighths.
constexpr int64_t kParts = 8;
/// What a transfer costs, of its duration: all of it where nothing hides.
constexpr int64_t kPrices[] = {kParts, 4, 2, 1, 0};
/// What computation weighs in the bound.
constexpr int64_t kShares[] = {kParts, 7, 6, 4, 2};

graph::MoveCosts weighed(const Durations &durations, int64_t parts,
                         int64_t whole) {
  return graph::shareOf({durations.stores, durations.loads}, parts, whole);
}

} // namespace

int64_t timeline::makespanBound(const Problem &problem,
                                const Durations &durations,
                                std::optional<int64_t> budget,
                                const graph::RematMeans &means,
                                const graph::StopSign *stop) {
  int64_t most = 0;
  for (const game::Step &step : problem.steps)
    most += step.cost;
  if (!budget)
    return most;
  if (!means.offload)
    return std::max(
        most, graph::rematBound(problem, *budget, nullptr, nullptr, stop));
  for (int64_t share : kShares) {
    Problem p = problem;
    for (game::Step &step : p.steps)
      step.cost *= share;
    const int64_t bound =
        graph::transferBound(p, *budget, weighed(durations, kParts - share, 1),
                             means.recompute, stop);
    if (bound == INT64_MAX)
      return bound;
    most = std::max(most, (bound + kParts - 1) / kParts);
  }
  return most;
}

namespace {

/// One search among those that look for a fast program.
struct Attempt {
  bool recompute, offload;
  int64_t price;
};

/// Each of the means alone first, so that both are never slower than one.
std::vector<Attempt> attemptsFor(const graph::LeastCostOptions &options) {
  const graph::RematMeans &means = options.means;
  std::vector<Attempt> attempts;
  if (!means.offload || means.recompute)
    attempts.push_back({means.recompute, false, kParts});
  if (!means.offload || !options.budget)
    return attempts;
  for (bool recompute : {false, true})
    for (int64_t price : kPrices)
      if (recompute <= means.recompute)
        attempts.push_back({recompute, true, price});
  return attempts;
}

} // namespace

FastProgram timeline::leastTime(const Problem &problem,
                                const Durations &durations,
                                const graph::LeastCostOptions &options) {
  FastProgram best;
  Schedule &s = best.schedule;
  s.solver = "none";
  const graph::StopSign soon(options.limits.part(8));
  const int64_t bound =
      makespanBound(problem, durations, options.budget, options.means, &soon);
  bool limited = false;
  s.bound = bound;
  const std::vector<Attempt> attempts = attemptsFor(options);
  for (size_t i = 0; i < attempts.size(); ++i) {
    const Attempt &attempt = attempts[i];
    graph::LeastCostOptions o = options;
    o.means.recompute = attempt.recompute;
    o.means.offload = attempt.offload;
    o.transfers.reset();
    if (attempt.offload)
      o.transfers = weighed(durations, attempt.price, kParts);
    // What a search pays for transfers is not what they take.
    o.limits = options.limits.part(static_cast<int64_t>(attempts.size() - i))
                   .observedBy(nullptr);
    if (!graph::leastCostRefusal(problem, o).empty())
      continue;
    Schedule found = graph::leastCost(problem, o);
    limited |= found.limited;
    if (attempt.recompute == options.means.recompute &&
        attempt.offload == options.means.offload) {
      if (found.status == Status::Infeasible) {
        s = std::move(found);
        return best;
      }
      // Where nothing is moved the makespan is the cost.
      if (!attempt.offload)
        s.bound = std::max(s.bound, found.bound);
    }
    if (found.moves.empty() && !problem.steps.empty()) {
      if (s.status == Status::Unknown && found.status == Status::Unknown)
        s.peak = found.peak;
      continue;
    }
    Overlapped program =
        overlapTransfers(problem, found.moves, durations, options.budget);
    if (!program.timeline.verdict.ok() ||
        (s.status == Status::Feasible && program.timeline.makespan >= s.cost))
      continue;
    s.status = Status::Feasible;
    s.cost = program.timeline.makespan;
    s.solver = found.solver;
    s.moves = movesOf(program.actions);
    s.peak = program.timeline.peak[0];
    best.program = std::move(program);
    options.limits.report(s.cost, s.bound);
    if (s.cost <= s.bound) {
      s.status = Status::Optimal;
      break;
    }
  }
  s.limited = limited && s.status != Status::Optimal;
  return best;
}
