//===- RematClosureBound.cpp - what runs again needs its inputs -----------===//
//
// One minimum cut for each step and price per byte. See RematBound.h for why
// it holds.
//
//===----------------------------------------------------------------------===//

#include "Solver/Graph/MaxFlow.h"
#include "pebble/Solver/Graph/StepGraph.h"
#include "pebble/Solver/Remat/RematBound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pebble;
using namespace pebble::graph;
using game::Access;

namespace {

/// Steps whose best price is searched for, and trials for each.
constexpr size_t kClosureSteps = 24;
constexpr int kClosureTrials = 24;
/// Sums of capacities stay far below MaxFlow::kInfinite: all costs together
/// come to at most this.
constexpr int64_t kClosureScale = int64_t(1) << 44;

class Closures {
public:
  Closures(const Problem &p, int64_t budget)
      : p(p), budget(budget), graph(p, false), reach(graph),
        reads(p.steps.size()), readers(p.values.size()),
        touched(p.storages.size(), 0), always(p.storages.size()),
        node(p.steps.size() + p.values.size()) {
    int64_t total = 1;
    for (Id s = 0; s < p.steps.size(); ++s) {
      total += p.steps[s].cost;
      for (const Access &a : p.steps[s].reads)
        addRead(s, a.value);
      for (const Access &a : p.steps[s].writes)
        if (Id old = p.values[a.value].overwrites; old != kNone)
          addRead(s, old);
    }
    parts = static_cast<double>(kClosureScale) / static_cast<double>(total);
    // What is there from the start and has to be there in the end was never
    // away: nothing makes it again.
    for (Id s = 0; s < p.storages.size(); ++s)
      always[s] = p.storages[s].initial && p.storages[s].pinned;
    for (const game::Value &v : p.values)
      if (v.required && p.storages[v.storage].initial)
        always[v.storage] = true;
    for (Id s = 0; s < p.storages.size(); ++s)
      alwaysBytes += always[s] ? p.storages[s].footprint : 0;
  }

  /// What has to be paid beyond every step once; less than 0 if there is no
  /// room for some step at all.
  double excess(const StopSign *stop) {
    std::vector<std::pair<double, Id>> order;
    double price = 0;
    flow.setStop(stop);
    for (Id s = 0; s < p.steps.size() && !isUp(stop); ++s) {
      const int64_t room = enter(s);
      if (room < 0)
        return -1;
      if (int64_t lack = lackAt(s, room); lack > 0)
        order.push_back({-static_cast<double>(lack), s});
    }
    if (order.empty() || isUp(stop))
      return 0;
    std::sort(order.begin(), order.end());
    // The price that is best for the fullest step is a good one for the rest:
    // the steps that are dearest at it are looked at closely.
    price = searchPrice(order[0].second, 1, stop);
    for (auto &[value, s] : order)
      if (!isUp(stop))
        value = -at(s, price);
    std::sort(order.begin(), order.end());
    for (size_t i = 0; i < std::min(order.size(), kClosureSteps); ++i) {
      if (isUp(stop))
        break;
      searchPrice(order[i].second, price, stop);
    }
    return best;
  }

  /// After excess(): the step where it binds, and what is lost there, where the
  /// rest fits. kNone if that never happened.
  Id step = kNone;
  std::vector<bool> lost;

private:
  static bool isUp(const StopSign *stop) { return stop && stop->isUp(); }

  void addRead(Id s, Id v) {
    if (std::find(reads[s].begin(), reads[s].end(), v) != reads[s].end())
      return;
    reads[s].push_back(v);
    readers[v].push_back(s);
  }

  /// Whether `v` takes room beside `s` only if somebody keeps it there.
  bool isChoice(Id v, Id s) const {
    Id storage = p.values[v].storage;
    return touched[storage] != entered && !always[storage] &&
           (p.values[v].producer == kNone ||
            reach.ancestors.test(s, p.values[v].producer));
  }

  /// Marks what `s` touches. The bytes that are left beside it.
  int64_t enter(Id s) {
    ++entered;
    int64_t room = budget - p.steps[s].scratch - alwaysBytes;
    auto touch = [&](Id v) {
      Id storage = p.values[v].storage;
      if (touched[storage] != entered && !always[storage])
        room -= p.storages[storage].footprint;
      touched[storage] = entered;
    };
    for (Id v : reads[s])
      touch(v);
    for (const Access &a : p.steps[s].writes)
      touch(a.value);
    return room;
  }

  bool isWantedAfter(Id v, Id s) const {
    return p.values[v].required ||
           std::any_of(readers[v].begin(), readers[v].end(), [&](Id reader) {
             return reach.descendants.test(s, reader);
           });
  }

  /// The bytes of what is wanted after `s`, which was entered, less the room
  /// for it.
  int64_t lackAt(Id s, int64_t room) const {
    int64_t lack = -room;
    for (Id v = 0; v < p.values.size(); ++v)
      if (isChoice(v, s) && isWantedAfter(v, s))
        lack += p.storages[p.values[v].storage].footprint;
    return lack;
  }

  int64_t capacity(double amount) const {
    return static_cast<int64_t>(
        std::min(amount * parts, static_cast<double>(kClosureScale)));
  }

  /// The Lagrangian bound at `s` for a price per byte. Sets `kept`.
  double at(Id s, double price) {
    constexpr uint32_t source = 0, sink = 1;
    const int64_t room = enter(s);
    // Nodes: steps that may run again, then values that may be wanted.
    std::fill(node.begin(), node.end(), kNone);
    std::vector<Id> queue;
    uint32_t nodes = 2;
    auto nodeOf = [&](Id which) {
      if (node[which] == kNone) {
        node[which] = nodes++;
        queue.push_back(which);
      }
      return node[which];
    };
    const Id firstValue = p.steps.size();
    std::vector<std::pair<uint32_t, uint32_t>> implied;
    for (Id v = 0; v < p.values.size(); ++v)
      if (isChoice(v, s) && isWantedAfter(v, s))
        implied.push_back({source, nodeOf(firstValue + v)});
    std::vector<std::pair<std::pair<uint32_t, uint32_t>, int64_t>> priced;
    for (size_t i = 0; i < queue.size(); ++i) {
      const Id which = queue[i];
      if (which >= firstValue) { // wanted: kept here, or its maker runs again
        const game::Value &v = p.values[which - firstValue];
        const bool again = v.producer != kNone && mayRunAgain(p, v.producer);
        const uint32_t to = again ? nodeOf(v.producer) : sink;
        const double bytes =
            static_cast<double>(p.storages[v.storage].footprint);
        priced.push_back({{node[which], to}, capacity(price * bytes)});
      } else { // runs again: wants its inputs
        priced.push_back({{node[which], sink},
                          capacity(static_cast<double>(p.steps[which].cost))});
        for (Id v : reads[which])
          if (isChoice(v, s))
            implied.push_back({node[which], nodeOf(firstValue + v)});
      }
    }
    flow.reset(nodes);
    for (auto [from, to] : implied)
      flow.addEdge(from, to, MaxFlow::kInfinite);
    for (auto [edge, amount] : priced)
      flow.addEdge(edge.first, edge.second, amount);
    const double cut = static_cast<double>(flow.run(source, sink)) / parts;
    // No cut was found, and no cut is less than the flow.
    if (flow.isStopped()) {
      best = std::max(best, cut - price * static_cast<double>(room));
      return -1;
    }
    const double value = cut - price * static_cast<double>(room);
    readCut(s, room, value);
    return value;
  }

  /// Reads off the minimum cut of the flow what is kept beside `s`, and what is
  /// lost and made again. `value` is the bound that the cut gives.
  void readCut(Id s, int64_t room, double value) {
    const Id firstValue = p.steps.size();
    kept = 0;
    std::vector<bool> gone(p.values.size());
    for (Id v = 0; v < p.values.size(); ++v) {
      if (!isChoice(v, s))
        continue;
      const Id maker = p.values[v].producer;
      const bool wanted = node[firstValue + v] != kNone &&
                          flow.onSourceSide(node[firstValue + v]);
      const bool again = maker != kNone && mayRunAgain(p, maker) &&
                         node[maker] != kNone && flow.onSourceSide(node[maker]);
      if (wanted && !again)
        kept += p.storages[p.values[v].storage].footprint;
      gone[v] = (again || !wanted) && maker != kNone && mayRunAgain(p, maker);
    }
    if (value > best) {
      best = value;
      if (dearest != s)
        step = kNone; // what was lost at another step says nothing here
      dearest = s;
    }
    fits = kept <= room;
    if (fits && dearest == s) {
      step = s;
      lost = std::move(gone);
    }
  }

  /// Raises `best` by the best price at `s`; that price.
  double searchPrice(Id s, double start, const StopSign *stop) {
    double low = 0, high = 0, price = start, good = start, value = -1;
    for (int trial = 0; trial < kClosureTrials && !isUp(stop); ++trial) {
      const double here = at(s, price);
      if (here > value) {
        value = here;
        good = price;
      }
      (fits ? high : low) = price;
      if (high == 0)
        price = low * 8;
      else if (low == 0)
        price = high / 8;
      else if (high / low < 1.0005)
        break;
      else
        price = std::sqrt(low * high);
    }
    return good;
  }

  const Problem &p;
  const int64_t budget;
  const StepGraph graph;
  const Reachability reach;
  std::vector<std::vector<Id>> reads, readers;
  /// Per storage: the last entry of a step that touches it.
  std::vector<uint64_t> touched;
  uint64_t entered = 0;
  std::vector<bool> always;
  int64_t alwaysBytes = 0;
  std::vector<Id> node;
  double parts = 1, best = 0;
  MaxFlow flow;
  /// Of the last cut: bytes kept beside the step, and whether there is room.
  int64_t kept = 0;
  bool fits = false;
  /// Where `best` was found.
  Id dearest = kNone;
};

} // namespace

int64_t pebble::graph::rematClosureBound(const Problem &p, int64_t budget,
                                         std::vector<Id> *runs,
                                         const StopSign *stop) {
  int64_t once = 0, gcd = 0;
  for (const game::Step &s : p.steps) {
    once += s.cost;
    gcd = std::gcd(gcd, s.cost);
  }
  if (!Reachability::fits(p.steps.size(), tableBytesOf(stop)) ||
      (stop && stop->isUp()))
    return once;
  Closures closures(p, budget);
  double excess = closures.excess(stop);
  if (excess < 0)
    return INT64_MAX;
  // A little less, for what floating-point numbers may have rounded up.
  excess = excess * (1 - 1e-9) - 1e-6;
  int64_t extra = excess > 0 ? static_cast<int64_t>(std::ceil(excess)) : 0;
  // Costs are multiples of their greatest common divisor.
  if (gcd > 1)
    extra = (extra + gcd - 1) / gcd * gcd;
  if (runs && closures.step != kNone)
    *runs = runsWithLoss(p, closures.step, closures.lost);
  return once + extra;
}
