//===- Leanest.cpp - the least that is known to do ------------------------===//

#include "Leanest.h"

#include "Solver/Graph/RunIds.h"
#include "Solver/Remat/Paging.h"
#include "pebble/Solver/Portfolio/LeastBudget.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>
#include <set>

using namespace pebble;
using namespace pebble::portfolio;
using game::Id;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

/// Milliseconds for the search of the smallest budget where nothing limits it.
constexpr int64_t kSearchMs = 30000;

} // namespace

int64_t portfolio::largestStep(const Problem &p) {
  int64_t pinned = 0, most = 0;
  for (const game::Storage &storage : p.storages)
    pinned += storage.pinned ? storage.footprint : 0;
  for (const game::Step &step : p.steps) {
    int64_t bytes = step.scratch;
    std::set<Id> seen;
    for (const auto *accesses : {&step.reads, &step.writes})
      for (const game::Access &access : *accesses) {
        const Id id = p.values[access.value].storage;
        if (!p.storages[id].pinned && seen.insert(id).second)
          bytes += p.storages[id].footprint;
      }
    most = std::max(most, bytes);
  }
  return pinned + most;
}

std::optional<Leanest>
portfolio::leanestByRecomputation(const Problem &problem,
                                  const UnitProblem &units,
                                  graph::LeastCostOptions options) {
  const Problem &p = units.problem;
  if (!graph::leastBudgetRefusal(p, options.means).empty())
    return std::nullopt;
  if (!options.limits.isTimed())
    options.limits = options.limits.within(kSearchMs);
  const Schedule found = graph::leastBudget(p, options);
  if (!game::verify(p, found.moves).verdict.ok())
    return std::nullopt;
  Leanest least;
  least.solver = found.solver;
  least.moves = graph::canonicalMoves(problem, expandMoves(units, found.moves));
  least.bytes = game::verify(problem, least.moves).peak[0];
  least.isProven =
      units.isWhole() && found.minBudget && *found.minBudget >= least.bytes;
  return least;
}

namespace {

/// The leanest schedule that pages values of `order` out and in: the peak, and
/// the moves.
std::pair<int64_t, std::vector<game::Move>>
pageLeanest(const Problem &p, const std::vector<Id> &order) {
  const graph::MoveCosts bytes = graph::costsByRate(p, 1);
  auto page = [&](int64_t budget) {
    graph::PagingOptions options;
    options.budget = budget;
    options.effort = 1;
    return graph::pageRuns(p, order, bytes, options);
  };
  // Below `low` nothing fits, within `high` the order does as it is.
  int64_t low = graph::leastPagingBudget(p, order);
  std::vector<game::Move> best = graph::scheduleOfRuns(p, order);
  int64_t high = game::verify(p, best).peak[0];
  Schedule found = page(low);
  if (found.status == Status::Feasible) {
    high = low;
    best = std::move(found.moves);
  }
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    found = page(middle);
    if (found.status != Status::Feasible) {
      low = middle + 1;
      continue;
    }
    high = middle;
    best = std::move(found.moves);
  }
  return {high, std::move(best)};
}

} // namespace

Leanest
portfolio::leanestByTransfers(const Problem &problem,
                              const std::vector<std::vector<Id>> &orders) {
  Leanest least;
  least.bytes = INT64_MAX;
  least.solver = "paging";
  for (const std::vector<Id> &order : orders) {
    auto [bytes, moves] = pageLeanest(problem, order);
    if (bytes >= least.bytes)
      continue;
    least.bytes = bytes;
    least.moves = std::move(moves);
  }
  return least;
}
