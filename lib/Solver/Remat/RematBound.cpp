//===- RematBound.cpp - what no schedule can cost less than ---------------===//
//
// The knapsack at one step. See RematBound.h for why it holds.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Remat/RematBound.h"
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
  Id maker = kNone;
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

/// The items of a cheapest choice, by the same rounding: `solve` once more,
/// with what it decided.
std::vector<size_t> choose(const Cover &c, int64_t unit) {
  const size_t size = c.atMost / unit + 1;
  std::vector<int64_t> most(size, 0);
  std::vector<std::vector<bool>> took(c.items.size());
  for (size_t i = 0; i < c.items.size(); ++i) {
    const size_t cost = c.items[i].cost / unit;
    took[i].assign(size, false);
    for (size_t k = size; k-- > cost;)
      if (most[k - cost] + c.items[i].bytes > most[k]) {
        most[k] = most[k - cost] + c.items[i].bytes;
        took[i][k] = true;
      }
  }
  size_t k = std::find_if(most.begin(), most.end(),
                          [&](int64_t bytes) { return bytes >= c.excess; }) -
             most.begin();
  std::vector<size_t> chosen;
  for (size_t i = c.items.size(); i-- > 0 && k < size;)
    if (took[i][k]) {
      chosen.push_back(i);
      k -= c.items[i].cost / unit;
    }
  return chosen;
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
  /// `leave`: see rematBound().
  Knapsacks(const Problem &p, int64_t budget, const StopSign *stop,
            const std::vector<int64_t> *leave = nullptr)
      : p(p), budget(budget), stop(stop), leave(leave), graph(p, false),
        reach(graph), readers(p.values.size()),
        touched(p.storages.size(), kNone), freed(p.steps.size()) {
    // Anti-dependences do not bind first runs where values can be made again.
    for (Id s = 0; s < p.steps.size(); ++s) {
      for (const Access &a : p.steps[s].reads)
        readers[a.value].push_back(s);
      for (const Access &a : p.steps[s].writes)
        if (Id old = p.values[a.value].overwrites; old != kNone)
          readers[old].push_back(s);
    }
  }

  int64_t bound() {
    int64_t once = 0, gcd = 0, most = 0;
    for (const game::Step &s : p.steps) {
      once += s.cost;
      gcd = std::gcd(gcd, s.cost);
    }
    for (Id v = 0; leave && v < p.values.size(); ++v)
      if (mayLeave(v))
        gcd = std::gcd(gcd, (*leave)[v]);
    std::vector<Cover> covers;
    const uint64_t tables = tableBytesOf(stop);
    uint64_t bytes = Reachability::countBytes(p.steps.size());
    // The fullest step in any case: what it suggests often fits.
    const std::vector<Id> order = byLoad();
    for (Id s : order) {
      if (s != order[0] && isStopped())
        break;
      Cover c;
      c.step = s;
      if (!coverAt(s, c) || !relax(c))
        return INT64_MAX;
      most = std::max(most, c.atLeast);
      c.items.shrink_to_fit();
      const uint64_t more = sizeof(Cover) + c.items.size() * sizeof(Item);
      if (c.excess <= 0 || bytes + more > tables)
        continue;
      bytes += more;
      covers.push_back(std::move(c));
    }
    std::sort(covers.begin(), covers.end(), [](const Cover &a, const Cover &b) {
      return a.atMost != b.atMost ? a.atMost > b.atMost : a.step < b.step;
    });
    int64_t work = 0, dearestUnit = 1;
    const Cover *dearest = nullptr;
    for (const Cover &c : covers) {
      if (c.atMost <= most || work > kWork || isStopped())
        break;
      int64_t unit = std::max<int64_t>(1, gcd);
      // Rounded down where there are too many costs.
      unit *= std::max<int64_t>(1, c.atMost / unit / kCosts);
      int64_t cost = solve(c, unit, work);
      if (cost > most || !dearest) {
        dearest = &c;
        dearestUnit = unit;
      }
      most = std::max(most, cost);
    }
    if (dearest)
      suggest(*dearest, choose(*dearest, dearestUnit));
    else if (!covers.empty() && isStopped())
      suggest(covers[0], takeCheap(covers[0]));
    // Costs are multiples of their greatest common divisor.
    if (gcd > 1)
      most = (most + gcd - 1) / gcd * gcd;
    return once + most;
  }

  /// After bound(): the step where it binds, and makers that a cheapest choice
  /// runs again.
  Id step = kNone;
  std::vector<Id> makers;

  /// The largest bytes that are live beside a step, whatever is made again.
  int64_t floor() {
    int64_t start = 0, end = 0;
    for (const game::Storage &s : p.storages)
      end += s.pinned ? s.footprint : 0;
    for (const game::Value &v : p.values) {
      const game::Storage &s = p.storages[v.storage];
      start += v.producer == kNone ? s.footprint : 0;
      end += v.required && !s.pinned ? s.footprint : 0;
    }
    int64_t most = std::max(start, end);
    for (Id s : byLoad()) {
      if (isStopped())
        break;
      Cover c;
      coverAt(s, c);
      int64_t bytes = budget + c.excess;
      for (const Item &i : c.items)
        bytes -= i.bytes;
      most = std::max(most, bytes);
    }
    return most;
  }

private:
  bool isStopped() const { return stop && stop->isUp(); }

  /// The items that cost least for their bytes, up to the excess: relax() has
  /// sorted them.
  static std::vector<size_t> takeCheap(const Cover &c) {
    std::vector<size_t> chosen;
    int64_t left = c.excess;
    for (size_t i = 0; i < c.items.size() && left > 0; ++i) {
      chosen.push_back(i);
      left -= c.items[i].bytes;
    }
    return chosen;
  }

  void suggest(const Cover &c, const std::vector<size_t> &chosen) {
    step = c.step;
    for (size_t i : chosen)
      if (Id maker = c.items[i].maker; maker != kNone)
        makers.push_back(maker);
  }

  /// All steps; those beside which most is live in the given order come first.
  std::vector<Id> byLoad() const {
    const size_t count = p.steps.size();
    std::vector<int64_t> load(count + 1, 0);
    for (Id v = 0; v < p.values.size(); ++v) {
      const game::Value &value = p.values[v];
      const Id first = value.producer == kNone ? 0 : value.producer;
      Id last = first;
      for (Id reader : readers[v])
        last = std::max(last, reader);
      if (value.required && count > 0)
        last = count - 1;
      load[first] += p.storages[value.storage].footprint;
      load[std::min<size_t>(last + 1, count)] -=
          p.storages[value.storage].footprint;
    }
    std::partial_sum(load.begin(), load.end(), load.begin());
    std::vector<Id> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](Id a, Id b) {
      return load[a] != load[b] ? load[a] > load[b] : a < b;
    });
    return order;
  }

  /// Whether a content that nobody makes can be away for a while.
  bool mayLeave(Id v) const {
    return leave && p.values[v].producer == kNone &&
           !p.storages[p.values[v].storage].pinned && (*leave)[v] != kStays;
  }

  /// Whether a reader of `v`, or the end, comes after `s`.
  bool isWantedAfter(Id v, Id s) const {
    return p.values[v].required ||
           std::any_of(readers[v].begin(), readers[v].end(), [&](Id reader) {
             return reach.descendants.test(s, reader);
           });
  }

  /// What is there beside `s` whatever was chosen: storages that the caller
  /// has, those that nobody may drop once they are made, and contents that
  /// nobody can make again. Each is counted once.
  void addFixed(Id s, Cover &c) {
    for (Id v = 0; v < p.values.size(); ++v) {
      const game::Value &value = p.values[v];
      const game::Storage &storage = p.storages[value.storage];
      if (touched[value.storage] == s || storage.footprint == 0)
        continue;
      const bool made =
          value.producer == kNone || reach.ancestors.test(s, value.producer);
      if (storage.pinned ? !(storage.initial || made)
                         : value.producer != kNone || !isWantedAfter(v, s))
        continue;
      touched[value.storage] = s;
      c.excess += storage.footprint;
      if (mayLeave(v))
        c.items.push_back({storage.footprint, (*leave)[v], kNone});
    }
  }

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
    // One item per maker; what cannot be made again has to fit.
    std::fill(freed.begin(), freed.end(), 0);
    std::vector<Id> makers;
    c.excess = -room;
    addFixed(s, c);
    for (Id v = 0; v < p.values.size(); ++v) {
      const game::Value &value = p.values[v];
      Id producer = value.producer;
      if (producer == kNone || touched[value.storage] == s ||
          !reach.ancestors.test(s, producer))
        continue;
      int64_t footprint = p.storages[value.storage].footprint;
      if (footprint == 0 || !isWantedAfter(v, s))
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
      c.items.push_back({freed[m], p.steps[m].cost, m});
    return room >= 0;
  }

  const Problem &p;
  const int64_t budget;
  const StopSign *stop;
  const std::vector<int64_t> *leave;
  const StepGraph graph;
  const Reachability reach;
  std::vector<std::vector<Id>> readers;
  std::vector<Id> touched;
  std::vector<int64_t> freed;
};

/// What is resident together was made one by one: when the last of a set Y was
/// made, by a step m, the others were there, and so was all that m touches. So
/// some m has to have room for that, and, before it, for what it reads beside
/// the others.
class LastMade {
public:
  explicit LastMade(const Problem &p)
      : p(p), seen(p.storages.size(), 0), maker(p.values.size()) {
    for (Id v = 0; v < p.values.size(); ++v) {
      maker[v] = p.values[v].producer;
      const game::Storage &storage = p.storages[p.values[v].storage];
      if (maker[v] == kNone && (storage.pinned || p.values[v].required))
        always.push_back(v);
    }
  }

  /// The largest of `floor` and what any step needs by this argument.
  int64_t raise(int64_t floor, const StopSign *stop) {
    for (Id s = 0; s <= p.steps.size(); ++s) {
      if (stop && stop->isUp())
        break;
      // At the end all required values are there.
      std::vector<Id> inputs;
      if (s < p.steps.size())
        addInputs(s, inputs);
      for (Id v = 0; s == p.steps.size() && v < p.values.size(); ++v)
        if (p.values[v].required)
          inputs.push_back(v);
      // Deeper while there is work left and the step may raise the floor.
      work = kWork;
      for (int depth = 1; depth <= kDepth; ++depth) {
        left = kNodes;
        int64_t bytes = least(inputs, depth, floor);
        if (left == 0 || bytes <= floor)
          break;
        floor = bytes;
      }
    }
    return floor;
  }

private:
  static constexpr int kDepth = 12;
  static constexpr int kNodes = 2000;
  /// Values that are looked at for one step, or for the end.
  static constexpr int64_t kWork = 20000000;

  void addInputs(Id s, std::vector<Id> &set) const {
    auto add = [&](Id v) {
      if (std::find(set.begin(), set.end(), v) == set.end())
        set.push_back(v);
    };
    for (const Access &a : p.steps[s].reads)
      add(a.value);
    for (const Access &a : p.steps[s].writes)
      if (Id old = p.values[a.value].overwrites; old != kNone)
        add(old);
  }

  /// Bytes of a set, and of what `s` makes beside it.
  int64_t bytesOf(const std::vector<Id> &set, Id s) {
    ++mark;
    work -= static_cast<int64_t>(set.size() + always.size());
    int64_t bytes = s == kNone ? 0 : p.steps[s].scratch;
    auto add = [&](Id v) {
      Id storage = p.values[v].storage;
      if (seen[storage] != mark)
        bytes += p.storages[storage].footprint;
      seen[storage] = mark;
    };
    for (Id v : set)
      add(v);
    for (Id v : always)
      add(v);
    if (s != kNone)
      for (const Access &a : p.steps[s].writes)
        add(a.value);
    return bytes;
  }

  /// The least peak on the way to having all of `set`, or anything up to
  /// `enough` if it is not more than that. 0 when the work is spent.
  int64_t least(const std::vector<Id> &set, int depth, int64_t enough) {
    if (left > 0)
      --left;
    if (work <= 0)
      left = 0;
    if (left == 0)
      return 0;
    int64_t most = INT64_MAX;
    std::vector<Id> makers;
    for (Id v : set)
      if (maker[v] != kNone &&
          std::find(makers.begin(), makers.end(), maker[v]) == makers.end())
        makers.push_back(maker[v]);
    if (makers.empty() || depth == 0)
      return bytesOf(set, kNone);
    for (Id m : makers) {
      if (work <= 0)
        left = 0;
      if (left == 0)
        return 0;
      std::vector<Id> before;
      for (Id v : set)
        if (maker[v] != m)
          before.push_back(v);
      addInputs(m, before);
      int64_t bytes = bytesOf(before, m);
      if (bytes < most)
        bytes = std::max(bytes, least(before, depth - 1, enough));
      most = std::min(most, bytes);
      if (most <= enough)
        break;
    }
    return most;
  }

  const Problem &p;
  std::vector<uint64_t> seen;
  std::vector<Id> maker;
  /// Contents that are there from the start to the end, or their storages are.
  std::vector<Id> always;
  uint64_t mark = 0;
  int left = 0;
  int64_t work = 0;
};

} // namespace

std::vector<Id> pebble::graph::runsWithLoss(const Problem &p, Id step,
                                            const std::vector<bool> &lost) {
  std::vector<bool> resident(p.values.size());
  for (Id v = 0; v < p.values.size(); ++v)
    resident[v] = p.values[v].producer == kNone;
  std::vector<Id> runs, stack;
  auto run = [&](Id s) {
    stack.assign(1, s);
    while (!stack.empty()) {
      const Id top = stack.back();
      bool ready = true;
      for (const Access &a : p.steps[top].reads)
        if (!resident[a.value]) {
          stack.push_back(p.values[a.value].producer);
          ready = false;
          break;
        }
      if (!ready)
        continue;
      stack.pop_back();
      runs.push_back(top);
      for (const Access &a : p.steps[top].writes)
        resident[a.value] = true;
    }
  };
  for (Id s = 0; s < p.steps.size(); ++s) {
    for (Id v = 0; s == step && v < p.values.size(); ++v)
      if (lost[v])
        resident[v] = false;
    run(s);
  }
  for (const game::Value &v : p.values)
    if (v.required && v.producer != kNone && !resident[&v - p.values.data()])
      run(v.producer);
  return runs;
}

/// Whether the knapsacks' tables are over what there may be before they begin.
static bool isTooLarge(const Problem &p, const StopSign *stop) {
  return !Reachability::fits(p.steps.size(), tableBytesOf(stop));
}

int64_t pebble::graph::rematBound(const Problem &p, int64_t budget,
                                  std::vector<Id> *runs,
                                  const std::vector<int64_t> *leave,
                                  const StopSign *stop) {
  if (isTooLarge(p, stop)) {
    int64_t once = 0;
    for (const game::Step &s : p.steps)
      once += s.cost;
    return once;
  }
  Knapsacks knapsacks(p, budget, stop, leave);
  const int64_t bound = knapsacks.bound();
  if (runs && bound != INT64_MAX) {
    std::vector<bool> lost(p.values.size());
    for (Id m : knapsacks.makers)
      for (const Access &a : p.steps[m].writes)
        lost[a.value] = true;
    *runs = runsWithLoss(p, knapsacks.step, lost);
  }
  return bound;
}

int64_t pebble::graph::rematFloor(const Problem &p, const StopSign *stop) {
  const bool isKnown = !isTooLarge(p, stop) && !(stop && stop->isUp());
  return LastMade(p).raise(isKnown ? Knapsacks(p, 0, stop).floor() : 0, stop);
}
