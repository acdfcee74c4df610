//===- FuzzSolvers.cpp - two solvers on many random problems --------------===//
//
// pebble-fuzz-solvers [SEED [COUNT]]: random small problems (arguments, updates
// in place, several results, scratch, effects, pins) at random budgets, each
// solved by exact search (RematSearch.h) and by playing all moves (PlayAll.h),
// which share no code. Then the same with one to three slower tiers, some of
// limited capacity, and prices of their own: the portfolio must find the
// optimum too, and without exact search what it finds with both means must be
// no dearer than with either alone. Every answer is judged. Ends with status 1
// and the seed of the problem if anything of that does not hold.
//
//===----------------------------------------------------------------------===//

#include "PlayAll.h"
#include "TierProblem.h"

#include "Solver/Remat/RematSearch.h"
#include "pebble/Solver/Portfolio/FindSchedule.h"
#include "pebble/Solver/Portfolio/LeastCost.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace pebble;
using namespace pebble::game;

namespace {

std::string show(std::optional<int64_t> cost) {
  return cost ? std::to_string(*cost) : "nothing";
}

int run(uint64_t first, uint64_t count) {
  uint64_t binding = 0, infeasible = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = first + i;
    graph::Random random(seed);
    Problem p = test::randomProblem(seed, 4 + random.below(6));
    for (Step &s : p.steps)
      if (s.recomputable && random.below(8) == 0)
        s.pin = random.below(2) ? Pin::Keep : Pin::Recompute;
    if (!check(p).ok() || !graph::RematGame::refusal(p, {}).empty()) {
      std::cerr << "seed " << seed << ": the problem is not well-formed\n";
      return 1;
    }
    const int64_t most =
        verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0] + 1;
    graph::RematSearchOptions o;
    o.budget = most - static_cast<int64_t>(random.below(most / 3 + 1));
    const auto right = test::PlayAll(p, *o.budget, o.means).leastCost();
    const Schedule s = graph::rematSearch(p, o);
    std::optional<int64_t> cost;
    if (s.status == Status::Optimal)
      cost = s.cost;
    const Replay r = verify(p, s.moves, o.budget);
    const bool valid = !cost || (r.verdict.ok() && r.cost == s.cost);
    if (cost != right || !valid || (!cost && s.status != Status::Infeasible)) {
      std::cerr << "seed " << seed << ", budget " << *o.budget << ": "
                << show(cost) << " (" << toString(s.status) << "), right is "
                << show(right) << (valid ? "" : "; the judge refuses it: ")
                << (valid ? "" : r.verdict.message) << "\n";
      return 1;
    }
    int64_t once = 0;
    for (const Step &step : p.steps)
      once += step.cost;
    binding += right && *right > once;
    infeasible += !right;
  }
  std::cout << count << " problems agree: " << binding << " recompute, "
            << infeasible << " infeasible\n";
  return 0;
}

/// What is wrong with an answer; empty if nothing is.
std::string judge(const test::TierProblem &t, const Schedule &s,
                  int64_t budget) {
  const Problem &p = t.problem;
  if (s.status != Status::Optimal && s.status != Status::Feasible)
    return "";
  const Replay r = verify(p, s.moves, budget);
  if (!r.verdict.ok())
    return "the judge refuses it: " + r.verdict.message;
  if (graph::costOfMoves(p, s.moves, t.costs) != s.cost)
    return "the cost is not that of the moves";
  return s.bound > s.cost ? "the bound is above the cost" : "";
}

/// How often what was to be seen was seen.
struct TierCounts {
  uint64_t moved = 0, infeasible = 0, mixed = 0, better = 0;
};

/// The answer to a small problem against all that can be played; what is wrong
/// with it.
std::string checkSmall(const test::TierProblem &t, int64_t budget,
                       TierCounts &counts) {
  portfolio::Request r;
  r.problem = t.problem;
  r.search.budget = budget;
  r.search.means.offload = true;
  r.search.transfers = t.costs;
  const auto right =
      test::PlayAll(t.problem, budget, r.search.means, &t.costs).leastCost();
  const Schedule s = portfolio::findSchedule(r).schedule;
  if (std::string wrong = judge(t, s, budget); !wrong.empty())
    return wrong;
  std::optional<int64_t> cost;
  if (s.status == Status::Optimal)
    cost = s.cost;
  else if (s.status != Status::Infeasible)
    return std::string(toString(s.status)) + ", not proven";
  if (cost != right)
    return show(cost) + ", right is " + show(right);
  counts.infeasible += !right;
  counts.moved +=
      std::any_of(s.moves.begin(), s.moves.end(),
                  [](const Move &m) { return m.kind == MoveKind::Load; });
  return "";
}

/// A larger problem is left to search that proves little: both means must not
/// be dearer than either alone.
std::string checkLarge(const test::TierProblem &t, int64_t percent,
                       TierCounts &counts) {
  const Problem &p = t.problem;
  portfolio::Request r;
  r.problem = p;
  r.search.transfers = t.costs;
  r.search.without = {"quick-exact", "exact", "remat-search"};
  r.search.effort = 300;
  r.search.budget =
      verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0] * percent / 100;
  std::optional<int64_t> least;
  for (int means : {1, 2, 3}) {
    r.search.means.recompute = means & 1;
    r.search.means.offload = means & 2;
    const Schedule found = portfolio::findSchedule(r).schedule;
    if (std::string wrong = judge(t, found, *r.search.budget); !wrong.empty())
      return "of the larger one " + wrong;
    if (means < 3) {
      if (!found.moves.empty())
        least = std::min(least.value_or(found.cost), found.cost);
      continue;
    }
    if (least && (found.moves.empty() || found.cost > *least))
      return "of the larger one both means are dearer than one";
    counts.mixed += !found.moves.empty();
    counts.better += least && found.cost < *least;
  }
  return "";
}

int runWithTiers(uint64_t first, uint64_t count) {
  TierCounts counts;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = first + i;
    graph::Random random(seed + 1000);
    const bool isGraph = random.below(2);
    const size_t steps = (isGraph ? 5 : 3) + random.below(2);
    std::vector<int64_t> capacities;
    // What plays everything is slow with three.
    for (size_t k = 1 + random.below(steps < 4 ? 3 : 2); k > 0; --k)
      capacities.push_back(random.below(2) ? kUnbounded
                                           : int64_t(3 + random.below(12)));
    const test::TierProblem t =
        test::withSlowTiers(isGraph ? test::randomGraph(seed, steps)
                                    : test::randomProblem(seed, steps),
                            capacities, seed, isGraph ? 3 : 1);
    const Problem &p = t.problem;
    const int64_t most = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    const int64_t budget =
        most - static_cast<int64_t>(random.below(most / 5 + 1));
    std::string wrong = checkSmall(t, budget, counts);
    if (wrong.empty() && i % 2 == 0) {
      const test::TierProblem large = test::withSlowTiers(
          test::randomGraph(seed, 10 + random.below(8)), capacities, seed, 1);
      wrong = checkLarge(large, static_cast<int64_t>(60 + random.below(35)),
                         counts);
    }
    if (!wrong.empty()) {
      std::cerr << "seed " << seed << " with tiers, budget " << budget << ": "
                << wrong << "\n";
      return 1;
    }
  }
  std::cout << count << " problems with tiers agree: " << counts.moved
            << " move, " << counts.infeasible << " infeasible; of "
            << counts.mixed << " mixes " << counts.better
            << " are cheaper than either alone\n";
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t numbers[2] = {1, 2000};
  for (int i = 1; i < argc; ++i) {
    char *end = nullptr;
    const uint64_t n = std::strtoull(argv[i], &end, 10);
    if (i > 2 || *end || end == argv[i] || argv[i][0] == '-') {
      std::cerr << "usage: pebble-fuzz-solvers [SEED [COUNT]]\n";
      return 1;
    }
    numbers[i - 1] = n;
  }
  const int status = run(numbers[0], numbers[1]);
  return status ? status : runWithTiers(numbers[0], numbers[1]);
}
