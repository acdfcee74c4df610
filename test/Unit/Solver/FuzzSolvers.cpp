//===- FuzzSolvers.cpp - two solvers on many random problems --------------===//
//
// pebble-fuzz-solvers [SEED [COUNT]]: random small problems (arguments, updates
// in place, several results, scratch, effects, pins) at random budgets, each
// solved by exact search (RematSearch.h) and by playing all moves (PlayAll.h),
// which share no code. Ends with status 1 and the seed of the problem if one
// does not find the optimum of the other.
//
//===----------------------------------------------------------------------===//

#include "PlayAll.h"
#include "RandomProblem.h"

#include "pebble/Solver/Graph/RematSearch.h"

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
  return run(numbers[0], numbers[1]);
}
