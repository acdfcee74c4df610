//===- Heterogeneous.cpp - least time on unequal chains -------------------===//

#include "pebble/Solver/Chain/Heterogeneous.h"

#include "ChainSearch.h"
#include "NestedChain.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::chain;
using game::Status;

namespace {

/// Layers up to which inputs may be given up for as long as one likes, and
/// additions of points that the dynamic program may take beyond that.
constexpr size_t kShort = 24;
/// Layers up to which no point of a persistent schedule's functions is left
/// out.
constexpr size_t kExactPersistent = 64;
constexpr uint64_t kWork = 100000000;

class Portfolio {
public:
  Portfolio(const HeterogeneousChain &c, const ChainOptions &o)
      : c(c), o(o), n(c.length()) {
    best.bound = c.costOfOneRun();
    best.solver = "none";
  }

  ChainSchedule solve() {
    takeKeepAll();
    const auto [bound, enough] = chainBudgetRange(c);
    if (bound == enough)
      best.minBudget = bound;
    if (isSettled())
      return best;
    budget = *o.budget;
    if (budget < bound) {
      best.status = Status::Infeasible;
      best.solver = "working-set";
      return best;
    }
    if (wants("rotor"))
      takeNested(/*persistent=*/true);
    if (!isSettled() && wants("nested-chain"))
      takeNested(/*persistent=*/false);
    if (!isSettled() && wants("chain-search") && n <= kLongestSearched &&
        !isOver())
      takeSearch();
    return best;
  }

private:
  bool wants(const char *solver) const {
    return o.solver.empty() || o.solver == solver;
  }
  bool isSettled() const { return best.status == Status::Optimal; }
  bool isOver() {
    const bool over = o.limits.isOver();
    best.limited |= over && !isSettled();
    return over;
  }

  void takeKeepAll() {
    std::vector<ChainMove> moves = keepAllSchedule(c);
    const ChainReplay r = verifyChain(c, moves, o.budget);
    if (!r.verdict.ok())
      return;
    best.status = Status::Optimal;
    best.moves = std::move(moves);
    best.cost = r.cost;
    best.peak = r.peak;
    best.solver = "keep-all";
  }

  void takeNested(bool persistent) {
    const graph::StopSign stop(o.limits);
    NestedChainOptions options;
    options.budget = budget;
    options.persistent = persistent;
    options.stop = &stop;
    options.window = persistent ? 0 : window(options.points);
    if (persistent && n > kExactPersistent)
      options.points = 256;
    take(nestedChain(c, options));
  }

  /// The widest window whose work is bearable, and the points that go with it.
  size_t window(size_t &points) const {
    if (n <= kShort)
      return n;
    points = 256;
    size_t w = 0;
    auto work = [&](uint64_t width) {
      return n * n / 2 * (width + 1) * 2 * (n / 3) * (width + 2) * points / 4;
    };
    while (w < n && work(w + 1) <= kWork)
      ++w;
    if (w == 0 && work(0) > kWork)
      points = std::max<size_t>(32, points * kWork / work(0));
    return w;
  }

  void takeSearch() {
    const graph::StopSign stop(o.limits);
    ChainSearchOptions options;
    options.budget = budget;
    options.effort = o.effort;
    options.stop = &stop;
    if (best.status == Status::Feasible)
      options.below = best.cost;
    take(chainSearch(c, options));
  }

  void take(ChainSchedule s) {
    const bool answered = isAnswered(s.status);
    best.limited |= s.limited;
    if (answered && (best.status != Status::Feasible || s.cost < best.cost)) {
      best.status = s.status;
      best.moves = std::move(s.moves);
      best.cost = s.cost;
      best.peak = s.peak;
      best.solver = s.solver;
    } else if (s.status == Status::Infeasible) {
      // Nothing below what is known; nothing at all if nothing is known.
      if (best.status == Status::Feasible)
        s.bound = best.cost;
      else
        best.status = Status::Infeasible;
    }
    best.bound = std::max(best.bound, s.bound);
    if (best.status == Status::Feasible && best.bound >= best.cost)
      best.status = Status::Optimal;
    if (best.status == Status::Optimal || best.status == Status::Infeasible)
      best.limited = false;
  }

  const HeterogeneousChain &c;
  const ChainOptions &o;
  const size_t n;
  int64_t budget = 0;
  ChainSchedule best;
};

} // namespace

std::pair<int64_t, int64_t>
pebble::chain::chainBudgetRange(const HeterogeneousChain &c) {
  const size_t n = c.length();
  int64_t least = 0, enough = 0;
  int64_t gradient = INT64_MAX; // the smallest that can be there while Sj runs
  // Forward steps up to layer k, each with its input and its result, and
  // nothing else but a[0].
  std::vector<int64_t> forward(n + 1, c.a[0]);
  for (size_t k = 1; k <= n; ++k) {
    const int64_t kept = c.a[0] + (k > 1 ? c.a[k - 1] : 0);
    forward[k] = std::max(forward[k - 1], kept + c.a[k] + c.of[k]);
  }
  for (size_t j = n; j >= 1; --j) {
    const int64_t kept = c.a[0] + (j > 1 ? c.a[j - 1] : 0);
    const int64_t save = kept + c.abar[j] + c.of[j];
    const int64_t back = kept + c.abar[j] + c.d[j] + c.d[j - 1] + c.ob[j];
    gradient = std::min(gradient, c.d[j]);
    least = std::max({least, back, save + gradient});
    if (j == n)
      least = std::max(least, forward[n - 1] + c.d[n]);
    enough = std::max({enough, back, save + c.d[j], forward[j - 1] + c.d[j]});
  }
  return {least, enough};
}

std::string pebble::chain::chainRefusal(const HeterogeneousChain &chain,
                                        const ChainOptions &options) {
  const std::string &s = options.solver;
  if (s == "chain-search" && chain.length() > kLongestSearched)
    return "chain-search takes chains of up to " +
           std::to_string(kLongestSearched) + " layers";
  if (s.empty() || s == "rotor" || s == "nested-chain" || s == "chain-search")
    return "";
  return "there is no solver '" + s +
         "' for chains; there are rotor, nested-chain and chain-search";
}

ChainSchedule pebble::chain::leastChainCost(const HeterogeneousChain &chain,
                                            const ChainOptions &options) {
  return Portfolio(chain, options).solve();
}

ChainSchedule pebble::chain::leastChainBudget(const HeterogeneousChain &chain,
                                              const ChainOptions &options) {
  ChainSchedule best;
  bool isProven = true, isLimited = false;
  // Whether a schedule within `budget` was found, which is then the best.
  auto ask = [&](int64_t budget) {
    ChainOptions o = options;
    o.budget = budget;
    o.limits = options.limits.part(2);
    ChainSchedule found = leastChainCost(chain, o);
    if (isAnswered(found.status)) {
      best = std::move(found);
      return true;
    }
    isProven &= found.status == Status::Infeasible;
    isLimited |= found.limited;
    return false;
  };
  // Below `low` nothing fits. The least is often reached.
  auto [low, high] = chainBudgetRange(chain);
  if (ask(low))
    high = low;
  else if (ask(high))
    ++low;
  else
    low = high;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (ask(middle))
      high = middle;
    else
      low = middle + 1;
  }
  best.limited |= isLimited;
  best.minBudget.reset();
  if (isProven && !best.moves.empty())
    best.minBudget = high;
  return best;
}
