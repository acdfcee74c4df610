//===- ResidualChoice.cpp - what a step leaves for its adjoint ------------===//

#include "pebble/Solver/Remat/ResidualChoice.h"

#include "Solver/Graph/MaxFlow.h"

#include <algorithm>
#include <queue>

using namespace pebble::graph;

namespace {
enum class Fixed : uint8_t { No, Runs, Stays };
using Fixings = std::vector<Fixed>;

/// Prices of a unit of cost and of a byte.
struct Prices {
  int64_t cost;
  int64_t byte;
};

/// A part of the choices that is still to be looked at.
struct OpenChoice {
  int64_t bound = 0;
  uint64_t number = 0;
  Fixings fixings;
  uint32_t branch = 0;
  bool operator<(const OpenChoice &other) const {
    return bound != other.bound ? bound > other.bound : number > other.number;
  }
};

class Chooser {
public:
  Chooser(const ResidualProblem &problem, int64_t budget, uint64_t effort)
      : p(problem), budget(budget), effort(effort) {
    for (const auto &step : p.steps)
      allCost += step.cost;
    for (const auto &value : p.values)
      allBytes += value.bytes;
  }

  std::optional<ResidualChoice> cut(Prices prices, const Fixings &fixings);
  std::optional<ResidualChoice> run();

private:
  Prices scale(Prices prices) const;
  int64_t weigh(Prices prices, const ResidualChoice &choice) const {
    return prices.cost * choice.cost + prices.byte * choice.bytes;
  }
  void offer(const ResidualChoice &choice);
  void note(Prices prices, const ResidualChoice &choice, int64_t &bound);
  bool relax(const Fixings &fixings, int64_t &bound, uint32_t &branch);
  void push(Fixings fixings, int64_t bound);

  const ResidualProblem &p;
  const int64_t budget;
  const uint64_t effort;
  int64_t allCost = 0, allBytes = 0;
  MaxFlow flow;
  uint64_t looked = 0, pushed = 0;
  std::optional<ResidualChoice> best;
  int64_t unproven = INT64_MAX;
  std::priority_queue<OpenChoice> open;
};
} // namespace

/// Sums stay below what a cut can tell from no cut at all. Any prices give a
/// bound, so that rounding is no error.
Prices Chooser::scale(Prices prices) const {
  constexpr double kMost = double(MaxFlow::kInfinite) / 4;
  auto isLarge = [&] {
    return double(prices.cost) * double(allCost) +
               double(prices.byte) * double(allBytes) >
           kMost;
  };
  while (isLarge())
    prices = {(prices.cost + 1) / 2, (prices.byte + 1) / 2};
  return prices;
}

/// The best choice at these prices; nothing if the fixings leave none.
std::optional<ResidualChoice> Chooser::cut(Prices prices,
                                           const Fixings &fixings) {
  const uint32_t values = p.values.size(), steps = p.steps.size();
  const uint32_t source = values + steps, sink = source + 1;
  flow.reset(sink + 1);
  for (uint32_t v = 0; v < values; ++v) {
    const ResidualProblem::Value &value = p.values[v];
    if (value.isWanted)
      flow.addEdge(source, v, MaxFlow::kInfinite);
    bool hasMaker = value.maker != ResidualProblem::kNone;
    flow.addEdge(v, hasMaker ? values + value.maker : sink,
                 value.canKeep ? prices.byte * value.bytes
                               : MaxFlow::kInfinite);
  }
  for (uint32_t s = 0; s < steps; ++s) {
    Fixed fixed = fixings.empty() ? Fixed::No : fixings[s];
    if (fixed == Fixed::Runs)
      flow.addEdge(source, values + s, MaxFlow::kInfinite);
    flow.addEdge(values + s, sink,
                 fixed == Fixed::Stays ? MaxFlow::kInfinite
                                       : prices.cost * p.steps[s].cost);
    for (uint32_t read : p.steps[s].reads)
      flow.addEdge(values + s, read, MaxFlow::kInfinite);
  }
  int64_t total = flow.run(source, sink, MaxFlow::kInfinite);
  looked += flow.work();
  if (total >= MaxFlow::kInfinite)
    return std::nullopt;
  ResidualChoice choice;
  choice.isKept.resize(values);
  choice.runsAgain.resize(steps);
  for (uint32_t s = 0; s < steps; ++s)
    if (flow.onSourceSide(values + s)) {
      choice.runsAgain[s] = true;
      choice.cost += p.steps[s].cost;
    }
  for (uint32_t v = 0; v < values; ++v) {
    uint32_t maker = p.values[v].maker;
    if (flow.onSourceSide(v) &&
        (maker == ResidualProblem::kNone || !choice.runsAgain[maker])) {
      choice.isKept[v] = true;
      choice.bytes += p.values[v].bytes;
    }
  }
  return choice;
}

void Chooser::offer(const ResidualChoice &choice) {
  auto rank = [](const ResidualChoice &each) {
    return std::pair(each.cost, each.bytes);
  };
  if (choice.bytes <= budget && (!best || rank(choice) < rank(*best)))
    best = choice;
}

/// Of the best choice at these prices: whatever is within the budget costs as
/// much with its bytes at their price.
void Chooser::note(Prices prices, const ResidualChoice &choice,
                   int64_t &bound) {
  offer(choice);
  int64_t rest = weigh(prices, choice) - prices.byte * budget;
  if (rest > 0)
    bound = std::max(bound, (rest + prices.cost - 1) / prices.cost);
}

/// The bound at the best price, and the step to branch on; false if nothing
/// within the budget is left under `fixings`, or nothing that is cheaper than
/// the best choice.
bool Chooser::relax(const Fixings &fixings, int64_t &bound, uint32_t &branch) {
  constexpr int kMostPrices = 60;
  // Of the cheapest choices one with the fewest bytes.
  Prices prices = scale({allBytes + 1, 1});
  std::optional<ResidualChoice> cheap = cut(prices, fixings);
  std::optional<ResidualChoice> lean = cut({0, 1}, fixings);
  if (!cheap || !lean || lean->bytes > budget)
    return false;
  offer(*lean);
  note(prices, *cheap, bound);
  for (int i = 0; i < kMostPrices && cheap->bytes > budget; ++i) {
    prices = scale({cheap->bytes - lean->bytes,
                    std::max<int64_t>(lean->cost - cheap->cost, 0)});
    ResidualChoice found = *cut(prices, fixings);
    note(prices, found, bound);
    if (weigh(prices, found) >=
        std::min(weigh(prices, *cheap), weigh(prices, *lean)))
      break;
    (found.bytes <= budget ? lean : cheap) = std::move(found);
  }
  if (best && bound >= best->cost)
    return false;
  int64_t most = -1;
  for (uint32_t s = 0; s < p.steps.size(); ++s)
    if (cheap->runsAgain[s] != lean->runsAgain[s] && p.steps[s].cost > most) {
      most = p.steps[s].cost;
      branch = s;
    }
  // Rounded prices may leave a bound behind that nothing closes.
  if (most < 0)
    unproven = std::min(unproven, bound);
  return most >= 0;
}

void Chooser::push(Fixings fixings, int64_t bound) {
  OpenChoice node{bound, pushed++, std::move(fixings), 0};
  if (relax(node.fixings, node.bound, node.branch))
    open.push(std::move(node));
}

std::optional<ResidualChoice> Chooser::run() {
  push(Fixings(p.steps.size(), Fixed::No), 0);
  while (!open.empty() && open.top().bound < best->cost && looked < effort) {
    OpenChoice node = open.top();
    open.pop();
    for (Fixed fixed : {Fixed::Runs, Fixed::Stays}) {
      Fixings fixings = node.fixings;
      fixings[node.branch] = fixed;
      push(std::move(fixings), node.bound);
    }
  }
  if (!best)
    return std::nullopt;
  best->bound = std::min(best->cost, unproven);
  if (!open.empty())
    best->bound = std::min(best->bound, open.top().bound);
  return best;
}

std::optional<int64_t>
pebble::graph::getLeastResidualBytes(const ResidualProblem &problem) {
  std::optional<ResidualChoice> least = Chooser(problem, 0, 0).cut({0, 1}, {});
  return least ? std::optional(least->bytes) : std::nullopt;
}

std::optional<ResidualChoice>
pebble::graph::chooseResiduals(const ResidualProblem &problem, int64_t budget,
                               uint64_t effort) {
  return Chooser(problem, budget, effort).run();
}

bool pebble::graph::isChoiceOf(const ResidualProblem &problem,
                               const ResidualChoice &choice) {
  if (choice.isKept.size() != problem.values.size() ||
      choice.runsAgain.size() != problem.steps.size())
    return false;
  auto isThere = [&](uint32_t v) {
    uint32_t maker = problem.values[v].maker;
    return (choice.isKept[v] && problem.values[v].canKeep) ||
           (maker != ResidualProblem::kNone && choice.runsAgain[maker]);
  };
  int64_t bytes = 0, cost = 0;
  for (uint32_t v = 0; v < problem.values.size(); ++v) {
    if (problem.values[v].isWanted && !isThere(v))
      return false;
    bytes += choice.isKept[v] ? problem.values[v].bytes : 0;
  }
  for (uint32_t s = 0; s < problem.steps.size(); ++s) {
    if (!choice.runsAgain[s])
      continue;
    cost += problem.steps[s].cost;
    if (!std::all_of(problem.steps[s].reads.begin(),
                     problem.steps[s].reads.end(), isThere))
      return false;
  }
  return bytes == choice.bytes && cost == choice.cost;
}
