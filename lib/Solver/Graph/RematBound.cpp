//===- RematBound.cpp - what no schedule can cost less than ---------------===//
//
// The knapsack at one step. See RematBound.h for why it holds.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Graph/RematBound.h"
#include "pebble/Solver/Graph/StepGraph.h"

#include <algorithm>
#include <numeric>

using namespace pebble;
using namespace pebble::graph;
using game::Access;

namespace {

/// Entries of a dynamic program over costs, and entries altogether.
constexpr int64_t kCosts = 20000;
constexpr int64_t kWork = 400000000;

/// A maker that may run again: bytes that come free, for its cost.
struct Item {
  int64_t bytes = 0, cost = 0;
};

/// What has to come free beside the first run of one step.
struct Cover {
  Id step = kNone;
  std::vector<Item> items;
  int64_t excess = 0;
  /// Least cost if items could be taken in part, and the cost of a whole
  /// choice.
  int64_t atLeast = 0, atMost = 0;
};

/// Fractional bound and greedy choice. False if all items are too few.
bool relax(Cover &c) {
  std::sort(c.items.begin(), c.items.end(), [](const Item &a, const Item &b) {
    __int128 left = static_cast<__int128>(a.cost) * b.bytes;
    __int128 right = static_cast<__int128>(b.cost) * a.bytes;
    return left != right ? left < right : a.bytes > b.bytes;
  });
  int64_t left = c.excess;
  for (const Item &i : c.items) {
    if (left <= 0)
      break;
    c.atMost += i.cost;
    c.atLeast +=
        i.bytes <= left
            ? i.cost
            : static_cast<int64_t>(
                  (static_cast<__int128>(i.cost) * left + i.bytes - 1) /
                  i.bytes);
    left -= i.bytes;
  }
  return left <= 0;
}

/// The least cost of whole items that cover the excess, rounded down to `unit`
/// item by item; at least `c.atLeast`. Adds to `work`.
int64_t solve(const Cover &c, int64_t unit, int64_t &work) {
  // most[k]: the bytes that cost k buys.
  std::vector<int64_t> most(c.atMost / unit + 1, 0);
  int64_t free = 0;
  for (const Item &i : c.items) {
    int64_t cost = i.cost / unit;
    if (cost == 0) {
      free += i.bytes;
      continue;
    }
    for (size_t k = most.size(); k-- > static_cast<size_t>(cost);)
      most[k] = std::max(most[k], most[k - cost] + i.bytes);
    work += static_cast<int64_t>(most.size());
  }
  int64_t need = c.excess - free;
  auto enough = std::find_if(most.begin(), most.end(),
                             [&](int64_t bytes) { return bytes >= need; });
  return std::max(c.atLeast,
                  unit * static_cast<int64_t>(enough - most.begin()));
}

class Knapsacks {
public:
  Knapsacks(const Problem &p, int64_t budget)
      : p(p), budget(budget), graph(p, false), reach(graph),
        readers(p.values.size()), touched(p.storages.size(), kNone),
        freed(p.steps.size()) {
    // Anti-dependences do not bind first runs where values can be made again.
    for (Id s = 0; s < p.steps.size(); ++s)
      for (const Access &a : p.steps[s].reads)
        readers[a.value].push_back(s);
  }

  int64_t bound() {
    int64_t once = 0, gcd = 0, most = 0;
    for (const game::Step &s : p.steps) {
      once += s.cost;
      gcd = std::gcd(gcd, s.cost);
    }
    std::vector<Cover> covers;
    for (Id s = 0; s < p.steps.size(); ++s) {
      Cover c;
      c.step = s;
      if (!coverAt(s, c) || !relax(c))
        return INT64_MAX;
      most = std::max(most, c.atLeast);
      if (c.excess > 0)
        covers.push_back(std::move(c));
    }
    std::sort(covers.begin(), covers.end(), [](const Cover &a, const Cover &b) {
      return a.atMost != b.atMost ? a.atMost > b.atMost : a.step < b.step;
    });
    int64_t work = 0;
    for (const Cover &c : covers) {
      if (c.atMost <= most || work > kWork)
        break;
      int64_t unit = std::max<int64_t>(1, gcd);
      // Rounded down where there are too many costs.
      unit *= std::max<int64_t>(1, c.atMost / unit / kCosts);
      most = std::max(most, solve(c, unit, work));
    }
    // Costs are multiples of their greatest common divisor.
    if (gcd > 1)
      most = (most + gcd - 1) / gcd * gcd;
    return once + most;
  }

private:
  /// False if nothing fits beside `s`.
  bool coverAt(Id s, Cover &c) {
    const game::Step &step = p.steps[s];
    int64_t room = budget - step.scratch;
    for (const auto *list : {&step.reads, &step.writes})
      for (const Access &a : *list) {
        Id storage = p.values[a.value].storage;
        if (touched[storage] != s)
          room -= p.storages[storage].footprint;
        touched[storage] = s;
      }
    if (room < 0)
      return false;
    // One item per maker; what cannot be made again has to fit.
    std::fill(freed.begin(), freed.end(), 0);
    std::vector<Id> makers;
    c.excess = -room;
    for (Id v = 0; v < p.values.size(); ++v) {
      const game::Value &value = p.values[v];
      Id producer = value.producer;
      if (producer == kNone || touched[value.storage] == s ||
          !reach.ancestors.test(s, producer))
        continue;
      bool wanted = value.required;
      for (Id reader : readers[v])
        wanted |= reach.descendants.test(s, reader);
      int64_t footprint = p.storages[value.storage].footprint;
      if (!wanted || footprint == 0)
        continue;
      c.excess += footprint;
      if (!p.steps[producer].recomputable ||
          p.steps[producer].pin == game::Pin::Keep)
        continue;
      if (freed[producer] == 0)
        makers.push_back(producer);
      freed[producer] += footprint;
    }
    for (Id m : makers)
      c.items.push_back({freed[m], p.steps[m].cost});
    return true;
  }

  const Problem &p;
  const int64_t budget;
  const StepGraph graph;
  const Reachability reach;
  std::vector<std::vector<Id>> readers;
  std::vector<Id> touched;
  std::vector<int64_t> freed;
};

} // namespace

int64_t pebble::graph::rematBound(const Problem &p, int64_t budget) {
  return Knapsacks(p, budget).bound();
}
