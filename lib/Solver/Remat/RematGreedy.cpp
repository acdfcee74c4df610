//===- RematGreedy.cpp - recomputation for graphs of any size -------------===//

#include "pebble/Solver/Remat/RematGreedy.h"
#include "Solver/Graph/Random.h"
#include "pebble/Solver/Graph/StepGraph.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Move;
using game::MoveKind;
using game::Schedule;
using game::Status;
using game::Step;
using game::Value;

std::vector<Move> pebble::graph::scheduleOfRuns(const Problem &p,
                                                const std::vector<Id> &runs) {
  // One entry per content of a storage while the runs are played: who touches
  // it last, and whether the next content replaces it in place.
  struct Content {
    Id value;
    size_t last;
  };
  constexpr size_t start = SIZE_MAX;
  std::vector<Content> now(p.storages.size(), {kNone, start});
  std::vector<std::vector<Id>> ending(runs.size());
  std::vector<Move> moves;
  auto end = [&](Id storage) {
    const Content &c = now[storage];
    if (c.value == kNone)
      return;
    if (c.last == start)
      moves.push_back({MoveKind::Drop, c.value, 0});
    else
      ending[c.last].push_back(c.value);
  };
  for (Id v = 0; v < p.values.size(); ++v)
    if (p.values[v].producer == kNone)
      now[p.values[v].storage].value = v;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Step &op = p.steps[runs[i]];
    for (const Access &a : op.reads)
      now[p.values[a.value].storage].last = i;
    for (const Access &a : op.writes) {
      const Value &v = p.values[a.value];
      if (v.overwrites == kNone)
        end(v.storage);
      now[v.storage] = {a.value, i};
    }
  }
  for (Id s = 0; s < p.storages.size(); ++s)
    if (now[s].value != kNone && !p.values[now[s].value].required &&
        !p.storages[s].pinned)
      end(s);
  for (size_t i = 0; i < runs.size(); ++i) {
    moves.push_back({MoveKind::Compute, runs[i], 0});
    for (Id v : ending[i])
      moves.push_back({MoveKind::Drop, v, 0});
  }
  return moves;
}

/// The cost if the runs make a schedule within the budget, else negative.
static int64_t judge(const Problem &p, const std::vector<Id> &runs,
                     int64_t budget, bool fixedOrder) {
  Id next = 0;
  for (Id s : runs) {
    if (!fixedOrder || s < next)
      continue;
    if (s != next)
      return -1;
    ++next;
  }
  game::Replay r = verify(p, scheduleOfRuns(p, runs), budget);
  return r.verdict.ok() ? r.cost : -1;
}

int64_t pebble::graph::dropNeedlessRuns(const Problem &p, std::vector<Id> &runs,
                                        int64_t budget, bool fixedOrder,
                                        const StopSign *stop) {
  int64_t cost = judge(p, runs, budget, fixedOrder);
  for (bool again = cost >= 0; again;) {
    again = false;
    std::vector<uint32_t> times(p.steps.size(), 0);
    for (Id s : runs)
      ++times[s];
    std::vector<size_t> repeats;
    for (size_t i = 0; i < runs.size(); ++i)
      if (times[runs[i]] > 1)
        repeats.push_back(i);
    std::sort(repeats.begin(), repeats.end(), [&](size_t a, size_t b) {
      int64_t left = p.steps[runs[a]].cost, right = p.steps[runs[b]].cost;
      return left != right ? left > right : a > b;
    });
    std::vector<bool> out(runs.size(), false);
    auto remaining = [&] {
      std::vector<Id> rest;
      for (size_t i = 0; i < runs.size(); ++i)
        if (!out[i])
          rest.push_back(runs[i]);
      return rest;
    };
    for (size_t i : repeats) {
      if (stop && stop->isUp())
        break;
      out[i] = true;
      int64_t less = judge(p, remaining(), budget, fixedOrder);
      if (less >= 0 && less <= cost) {
        cost = less;
        again = true;
      } else {
        out[i] = false;
      }
    }
    runs = remaining();
  }
  return cost;
}

namespace {

/// What a walk is inclined to evict: the value with the least
/// cost^a / (size^b distance^c), times a whim of its own.
struct Inclination {
  double cost = 1, size = 1, distance = 1;
  /// Values that the order does not need any more go first.
  bool deadFirst = true;
  size_t order = 0;
  std::vector<double> whims;
};

class Walk {
public:
  Walk(const Problem &p, const std::vector<std::vector<Id>> &orders,
       int64_t budget, const StopSign *stop)
      : p(p), orders(orders), budget(budget), stop(stop),
        content(p.storages.size()), locked(p.values.size()),
        next(p.values.size()), seen(p.steps.size(), 0) {
    for (const std::vector<Id> &order : orders) {
      std::vector<std::vector<size_t>> uses(p.values.size());
      for (size_t i = 0; i < order.size(); ++i)
        for (const Access &a : p.steps[order[i]].reads)
          if (uses[a.value].empty() || uses[a.value].back() != i)
            uses[a.value].push_back(i);
      usesOf.push_back(std::move(uses));
    }
  }

  /// Whether it came through; `runs` says how.
  bool walk(const Inclination &how) {
    inclined = &how;
    runs.clear();
    std::fill(content.begin(), content.end(), kNone);
    std::fill(locked.begin(), locked.end(), 0);
    std::fill(next.begin(), next.end(), 0);
    live = 0;
    for (Id v = 0; v < p.values.size(); ++v)
      if (p.values[v].producer == kNone)
        put(v);
    const std::vector<Id> &order = orders[how.order];
    ran.assign(p.steps.size(), false);
    for (now = 0; now < order.size(); ++now)
      if (!run(order[now], 0))
        return false;
    for (Id v = 0; v < p.values.size(); ++v)
      if (p.values[v].required && !resident(v)) {
        if (!run(p.values[v].producer, 0))
          return false;
        ++locked[v];
      }
    return true;
  }

  std::vector<Id> runs;

private:
  bool resident(Id v) const { return content[p.values[v].storage] == v; }
  int64_t footprint(Id v) const {
    return p.storages[p.values[v].storage].footprint;
  }
  void put(Id v) {
    live += footprint(v);
    content[p.values[v].storage] = v;
  }
  void take(Id v) {
    live -= footprint(v);
    content[p.values[v].storage] = kNone;
  }

  bool run(Id s, size_t depth) {
    if (s == kNone || depth > p.steps.size() || runs.size() > limit() ||
        (stop && stop->isUp()))
      return false;
    const Step &op = p.steps[s];
    if (ran[s] && (!op.recomputable || op.pin == game::Pin::Keep))
      return false;
    bool good = true;
    for (const Access &a : op.reads)
      ++locked[a.value];
    for (const Access &a : op.reads)
      if (good && !resident(a.value))
        good = run(p.values[a.value].producer, depth + 1);
    int64_t fresh = op.scratch;
    for (const Access &a : op.writes) {
      const Value &v = p.values[a.value];
      if (v.overwrites != kNone) {
        good = good && resident(v.overwrites);
        continue;
      }
      Id old = content[v.storage];
      if (old != kNone) {
        good = good && !locked[old] && !p.storages[v.storage].pinned;
        take(old);
      }
      fresh += footprint(a.value);
    }
    // In-place updates keep what they overwrite.
    for (const Access &a : op.writes)
      if (p.values[a.value].overwrites != kNone)
        ++locked[p.values[a.value].overwrites];
    good = good && makeRoom(fresh);
    for (const Access &a : op.writes)
      if (p.values[a.value].overwrites != kNone)
        --locked[p.values[a.value].overwrites];
    for (const Access &a : op.reads)
      --locked[a.value];
    if (!good)
      return false;
    for (const Access &a : op.writes) {
      if (p.values[a.value].overwrites != kNone)
        take(p.values[a.value].overwrites);
      put(a.value);
    }
    ran[s] = true;
    runs.push_back(s);
    return true;
  }

  size_t limit() const { return 4 * p.steps.size() + 100; }

  bool makeRoom(int64_t bytes) {
    while (live + bytes > budget) {
      Id victim = kNone;
      double least = 0;
      for (Id v : content) {
        if (v == kNone || locked[v] || footprint(v) == 0 ||
            p.storages[p.values[v].storage].pinned)
          continue;
        double score =
            scoreOf(v, victim == kNone ? std::numeric_limits<double>::infinity()
                                       : least);
        if (score >= 0 && (victim == kNone || score < least)) {
          victim = v;
          least = score;
          if (score == 0)
            break; // no better one
        }
      }
      if (victim == kNone)
        return false;
      take(victim);
    }
    return true;
  }

  /// The step of the order that reads `v` next; SIZE_MAX if none does.
  size_t nextUse(Id v) {
    const std::vector<size_t> &uses = usesOf[inclined->order][v];
    size_t &i = next[v];
    while (i < uses.size() && uses[i] < now)
      ++i;
    return i < uses.size() ? uses[i] : SIZE_MAX;
  }

  /// Negative: must not go. Otherwise exact if under `enough` (which may be
  /// infinite), and at least that much if not.
  double scoreOf(Id v, double enough) {
    size_t use = nextUse(v);
    bool dead = use == SIZE_MAX && !p.values[v].required;
    if (dead && inclined->deadFirst)
      return 0;
    size_t end = orders[inclined->order].size();
    double distance = dead ? 2.0 * end : (use == SIZE_MAX ? end : use) - now;
    double whim = inclined->whims.empty() ? 1 : inclined->whims[v];
    auto power = [](double base, double exponent) {
      return exponent == 1 ? base : std::pow(base, exponent);
    };
    double scale =
        whim / (power(static_cast<double>(footprint(v)), inclined->size) *
                power(distance + 1, inclined->distance));
    ++mark;
    restore = 0;
    restoreEnough = power(enough / scale, 1 / inclined->cost) * (1 + 1e-9) + 1;
    if (!addRestoreCost(v, 0))
      return dead ? 0 : -1;
    return scale * power(restore + 1e-3, inclined->cost);
  }

  /// Adds to `restore` what making `v` again would cost now, until there is
  /// enough of it. False if it cannot be made.
  bool addRestoreCost(Id v, size_t depth) {
    Id s = p.values[v].producer;
    if (s == kNone || !p.steps[s].recomputable ||
        p.steps[s].pin == game::Pin::Keep || depth > 200)
      return false;
    if (seen[s] == mark)
      return true;
    seen[s] = mark;
    restore += static_cast<double>(p.steps[s].cost);
    if (restore > restoreEnough)
      return true;
    for (const Access &a : p.steps[s].reads)
      if (!resident(a.value) && !addRestoreCost(a.value, depth + 1))
        return false;
    return true;
  }

  const Problem &p;
  const std::vector<std::vector<Id>> &orders;
  const int64_t budget;
  const StopSign *stop;
  const Inclination *inclined = nullptr;
  /// Positions in each order that read each value.
  std::vector<std::vector<std::vector<size_t>>> usesOf;
  std::vector<Id> content;
  std::vector<uint32_t> locked;
  std::vector<size_t> next;
  std::vector<bool> ran;
  int64_t live = 0;
  size_t now = 0;
  /// Steps that addRestoreCost() has counted carry its mark.
  std::vector<uint64_t> seen;
  uint64_t mark = 0;
  double restore = 0, restoreEnough = 0;
};

/// The walks, and the best schedule so far.
class Greedy {
public:
  Greedy(const Problem &p, const std::vector<std::vector<Id>> &orders,
         const RematGreedyOptions &options)
      : p(p), orders(orders), options(options),
        walk(p, orders, options.budget, options.stop),
        random(options.seed + 1) {}

  Schedule solve() {
    Schedule s;
    s.solver = "remat-greedy";
    std::vector<Inclination> starts;
    for (size_t order = orders.size(); order-- > 0;)
      for (bool deadFirst : {true, false})
        for (auto [cost, distance] :
             {std::pair(1.0, 1.0), {1.0, 0.0}, {1.0, 0.5}, {0.5, 1.0}}) {
          Inclination how;
          how.order = order;
          how.deadFirst = deadFirst;
          how.cost = cost;
          how.distance = distance;
          starts.push_back(how);
        }
    for (const Inclination &how : starts)
      if (!stopped())
        attempt(how);
    uint64_t walks =
        options.effort ? options.effort
                       : std::max<uint64_t>(40, 120000 / (p.steps.size() + 1));
    for (uint64_t i = 0; i < walks && found && !stopped(); ++i)
      attempt(changed());
    s.limited = options.stop && options.stop->isUp();
    if (!found)
      return s;
    s.moves = scheduleOfRuns(p, bestRuns);
    s.cost = bestCost;
    s.peak = verify(p, s.moves).peak[0];
    s.bound = options.enough;
    s.status = bestCost <= options.enough ? Status::Optimal : Status::Feasible;
    return s;
  }

private:
  bool stopped() const {
    return (found && bestCost <= options.enough) ||
           (options.stop && options.stop->isUp());
  }

  Inclination changed() {
    Inclination how = best;
    how.whims.resize(p.values.size(), 1);
    size_t changes = 1 + random.below(6);
    for (size_t i = 0; i < changes; ++i) {
      double factor =
          std::exp2(static_cast<double>(random.below(601)) / 100 - 3);
      how.whims[random.below(how.whims.size())] *= factor;
    }
    return how;
  }

  void attempt(const Inclination &how) {
    if (!walk.walk(how))
      return;
    std::vector<Id> runs = walk.runs;
    int64_t cost = judge(p, runs, options.budget, options.fixedOrder);
    if (cost < 0)
      return;
    // Only what comes near the best is worth the polish.
    if (!found || cost - options.enough <= (bestCost - options.enough) * 5 / 4)
      cost = dropNeedlessRuns(p, runs, options.budget, options.fixedOrder,
                              options.stop);
    if (found && cost > bestCost)
      return;
    found = true;
    bestCost = cost;
    bestRuns = std::move(runs);
    best = how;
  }

  const Problem &p;
  const std::vector<std::vector<Id>> &orders;
  const RematGreedyOptions &options;
  Walk walk;
  Random random;
  bool found = false;
  int64_t bestCost = 0;
  std::vector<Id> bestRuns;
  Inclination best;
};

} // namespace

std::string pebble::graph::rematGreedyRefusal(const Problem &p,
                                              const RematMeans &means) {
  if (!means.recompute)
    return "is not to be recomputed";
  for (const Step &s : p.steps)
    if (s.pin == game::Pin::Recompute || s.pin == game::Pin::Offload)
      return "pins step '" + s.name + "', which greedy walks do not follow";
  return "";
}

Schedule pebble::graph::rematGreedy(const Problem &problem,
                                    const std::vector<std::vector<Id>> &orders,
                                    const RematGreedyOptions &options) {
  return Greedy(problem, orders, options).solve();
}
