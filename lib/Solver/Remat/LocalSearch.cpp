//===- LocalSearch.cpp - changing runs until they cost less ---------------===//

#include "LocalSearch.h"

#include "RunSequence.h"
#include "Solver/Graph/Random.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>
#include <cmath>
#include <thread>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::kNone;
using game::Problem;
using game::Schedule;
using game::Status;
using Slot = RunSequence::Slot;

namespace {

/// Changes tried where nothing else limits them: at most, and times steps.
constexpr uint64_t kDefaultEffort = 500000, kDefaultWork = 100000000;
/// Changes between two looks at the clock and at the price of excess.
constexpr uint64_t kBatch = 500;
/// Changes for each time that some copies are chosen anew.
constexpr uint64_t kChangesOfRebuilding = 100;
/// Changes that may miss an empty slot before slots are spread anew.
constexpr uint32_t kCrowded = 100;

class Annealer {
public:
  Annealer(const Problem &p, const LocalSearchOptions &o, uint64_t seed)
      : p(p), o(o), random(seed),
        runs(p, o.budget, o.fixedOrder, o.transfers, o.recompute) {}

  void start(const std::vector<Id> &from) {
    runs.load(from);
    prices();
    offer();
    if (!found)
      bestRuns = from;
  }

  /// Anneals what it has for `moves` changes, from `warm` to `cool` units.
  void anneal(uint64_t moves, double warm, double cool) {
    for (uint64_t done = 0; done < moves && !stopped(); done += kBatch) {
      double part = static_cast<double>(done) / static_cast<double>(moves);
      heat = unit * warm * std::pow(cool / warm, part);
      size_t outside = 0;
      for (uint64_t i = 0; i < kBatch; ++i) {
        change();
        outside += runs.excess() > 0;
      }
      // Half of the time outside of the budget: near its edge.
      fine *= outside * 2 > kBatch ? 1.1 : 1 / 1.1;
      fine = std::clamp(fine, least, least * 1e7);
      findHot();
    }
  }

  void load(const std::vector<Id> &from) { runs.load(from); }

  /// Takes some of the best runs' copies away, and makes room again by whatever
  /// is cheap there: one large transfer for several small ones, which annealing
  /// would have to pass far over the budget for.
  void rebuild(uint64_t trials) {
    for (uint64_t i = 0; i < trials && found && !stopped(); ++i) {
      runs.load(bestRuns);
      for (size_t k = 1 + random.below(4); k > 0; --k)
        if (!apply(drop()))
          break;
      if (!makeRoom())
        continue;
      // What was cheap one by one may be more than is needed together.
      for (size_t k = runs.repeated().size(); k > 0; --k) {
        const int64_t cost = runs.cost();
        const bool good = drop();
        if (!good || !runs.settle() || runs.excess() > 0 || runs.cost() >= cost)
          runs.undo();
        else
          runs.keep();
      }
      offer();
    }
  }

  bool stopped() const {
    return (found && bestCost <= o.enough) || (o.stop && o.stop->isUp());
  }

  bool found = false;
  int64_t bestCost = 0;
  std::vector<Id> bestRuns;

private:
  double uniform() {
    return static_cast<double>(random.next() >> 11) * 0x1p-53;
  }

  /// The units of temperature and fine: what a repeated run costs, or, where
  /// there are none yet, half of what run again costs less than; and that per
  /// byte.
  void prices() {
    double cost = 0, count = 0, bytes = 0;
    std::vector<int64_t> costs;
    for (Id s : runs.repeatable()) {
      costs.push_back(runs.costOf(s));
      for (Id v : runs.writes(s))
        bytes += static_cast<double>(p.storages[p.values[v].storage].footprint);
      double times = static_cast<double>(runs.runsOf(s).size());
      times -= isLoad(p, s) ? 0 : 1;
      cost += times * static_cast<double>(runs.costOf(s));
      count += times;
    }
    if (costs.empty())
      return;
    std::nth_element(costs.begin(), costs.begin() + costs.size() / 2,
                     costs.end());
    unit =
        count > 0 ? cost / count : static_cast<double>(costs[costs.size() / 2]);
    unit = std::max(unit, 1e-3);
    fine = unit / std::max(1.0, bytes / static_cast<double>(costs.size()));
    least = fine * 1e-4;
  }

  void offer() {
    if (runs.excess() > 0 || (found && runs.cost() >= bestCost))
      return;
    found = true;
    bestCost = runs.cost();
    bestRuns = runs.runs();
    if (o.stop)
      o.stop->getLimits().report(bestCost, o.enough);
  }

  /// A slot over the budget, if there is one.
  void findHot() {
    hot = runs.excess() <= 0 ? runs.slots()
                             : runs.findOver(random.below(runs.slots()));
  }

  /// Keeps a change that leaves a schedule.
  bool apply(bool good) {
    if (good && runs.settle()) {
      runs.keep();
      return true;
    }
    runs.undo();
    return false;
  }

  /// Lets values leave where bytes exceed the budget until none do. False if
  /// that leads nowhere, or costs as much as the best.
  bool makeRoom() {
    for (size_t left = p.steps.size();
         left > 0 && runs.cost() < bestCost && runs.excess() > 0; --left) {
      findHot();
      const double before = runs.excess();
      if (!apply(letLeave()) || runs.excess() >= before)
        return false;
    }
    return runs.excess() <= 0;
  }

  /// Of the values that wait at `hot`, lets the one leave that costs least per
  /// byte to have back, by about as much as chance says.
  bool letLeave() {
    Id chosen = kNone;
    Slot since = 0, until = 0;
    double least = 0;
    for (Id s : runs.repeatable()) {
      for (Id v : runs.writes(s)) {
        const auto &reads = runs.readsOf(v);
        auto next = std::lower_bound(reads.begin(), reads.end(), hot);
        if (next == reads.end() || *next == hot || !runs.isLive(v, hot))
          continue;
        const Slot made = runs.serves(v, *next);
        if (made == RunSequence::kStart ? !isLoad(p, s) : made >= hot)
          continue;
        const double bytes =
            static_cast<double>(p.storages[p.values[v].storage].footprint);
        const double score = static_cast<double>(runs.costOf(s)) / bytes *
                             std::exp2(2 * uniform() - 1);
        if (bytes > 0 && (chosen == kNone || score < least)) {
          chosen = s;
          least = score;
          since = next != reads.begin() &&
                          (made == RunSequence::kStart || *(next - 1) > made)
                      ? *(next - 1)
                      : made;
          until = *next;
        }
      }
    }
    return chosen != kNone && make(chosen, since, until, 0);
  }

  void change() {
    if (crowded > kCrowded) {
      crowded = 0;
      runs.respace();
      findHot();
    }
    double cost = static_cast<double>(runs.cost());
    double excess = runs.excess();
    bool good = false;
    uint64_t kind = random.below(16);
    if (kind < 4)
      good = insert();
    else if (kind < 8)
      good = drop();
    else if (kind < 10)
      good = drop() && insert();
    else if (kind < 11)
      good = insert() && drop();
    else if (kind < 13)
      good = moveRepeat();
    else
      good = shift();
    if (!good || !runs.settle()) {
      runs.undo();
      return;
    }
    double rise = static_cast<double>(runs.cost()) - cost +
                  fine * (runs.excess() - excess);
    if (rise > 0 && uniform() >= std::exp(-rise / heat)) {
      runs.undo();
      return;
    }
    runs.keep();
    offer();
  }

  /// Makes a value again before one of its readers, so that it need not live
  /// since the reader before.
  bool insert() {
    const auto &steps = runs.repeatable();
    if (steps.empty())
      return false;
    for (int tries = 0; tries < 8; ++tries) {
      Id s = steps[random.below(steps.size())];
      Id v = runs.writes(s)[random.below(runs.writes(s).size())];
      const auto &reads = runs.readsOf(v);
      if (reads.empty())
        continue;
      size_t k = random.below(reads.size());
      Slot read = reads[k], since = runs.serves(v, read);
      if (k && reads[k - 1] > since)
        since = reads[k - 1];
      // Where bytes exceed the budget, lifetimes that end there do not help.
      if (hot < runs.slots() && tries < 7 && !(since < hot && hot < read))
        continue;
      return make(s, since, read, 0);
    }
    return false;
  }

  /// The other way to make a copy of `v`, where there is one, or `s`.
  Id otherWay(Id s, Id v) {
    const Id load = loadOf(p, v), maker = p.values[v].producer;
    const Id other = isLoad(p, s) ? maker : load;
    return o.transfers && other != kNone && runs.mayRepeat(other) ? other : s;
  }

  /// Runs `s` right before `before`, and what it needs if that is far.
  bool make(Id s, Slot since, Slot before, int depth) {
    if (since + 1 == before)
      return false;
    Slot at = runs.emptyBefore(since, before);
    if (at == runs.slots())
      at = runs.emptyNear(since, before, before - 1);
    crowded += at == runs.slots();
    if (at == runs.slots())
      return false;
    runs.add(s, at);
    for (Id u : runs.reads(s)) {
      Id maker = p.values[u].producer;
      if (o.transfers && runs.mayRepeat(loadOf(p, u)) &&
          (maker == kNone || !runs.mayRepeat(maker) || random.below(2)))
        maker = loadOf(p, u);
      if (maker == kNone || depth > 8 || runs.isLive(u, at) ||
          !runs.mayRepeat(maker) || random.below(2))
        continue;
      // It may have been made for another input a moment ago.
      Slot made = runs.serves(u, at);
      if (made != RunSequence::kStart && made + 24 > at && made > since)
        continue;
      if (!make(maker, made, at, depth + 1))
        return false;
    }
    return true;
  }

  /// Takes out a load or a run of a step that runs more than once, and the runs
  /// that were there for it only.
  bool drop() {
    const auto &steps = runs.repeated();
    if (steps.empty())
      return false;
    Id s = steps[random.below(steps.size())];
    const auto &list = runs.runsOf(s);
    runs.takeOut(list[random.below(list.size())]);
    return true;
  }

  /// Takes out one run of a step and puts it in elsewhere.
  bool moveRepeat() {
    const auto &steps = runs.repeated();
    if (steps.empty())
      return false;
    Id s = steps[random.below(steps.size())];
    const auto &list = runs.runsOf(s);
    runs.takeOut(list[random.below(list.size())]);
    if (!isLoad(p, s) && runs.runsOf(s).empty())
      return false;
    Id v = runs.writes(s)[random.below(runs.writes(s).size())];
    const auto &reads = runs.readsOf(v);
    if (reads.empty())
      return false;
    size_t k = random.below(reads.size());
    Slot read = reads[k], since = runs.serves(v, read);
    if (since == RunSequence::kStart) {
      const auto &copies = runs.copiesOf(v);
      since = !copies.empty() && copies.front() < read ? copies.front() : 0;
    }
    if (k && reads[k - 1] > since)
      since = reads[k - 1];
    return make(o.transfers && random.below(2) ? otherWay(s, v) : s, since,
                read, 0);
  }

  /// Moves a run to another place between what it reads and who reads it.
  bool shift() {
    Id s = random.below(p.steps.size());
    if (o.transfers && !runs.repeated().empty() && random.below(4) == 0)
      s = runs.repeated()[random.below(runs.repeated().size())];
    const auto &list = runs.runsOf(s);
    Slot from = list[random.below(list.size())];
    Slot low = RunSequence::kStart, high = runs.slots();
    for (Id u : runs.reads(s))
      if (Slot made = runs.serves(u, from);
          made != RunSequence::kStart &&
          (low == RunSequence::kStart || made > low))
        low = made;
    for (Id w : runs.writes(s))
      high = std::min(high, runs.firstRead(w, from));
    Slot first = low == RunSequence::kStart ? 0 : low + 1;
    if (high <= first + 1)
      return false;
    // Near and far alike: the distance is uniform on a logarithmic scale.
    double reach = std::exp2(uniform() * 12) * 2;
    Slot to = from;
    if (random.below(2)) {
      double room = high - 1 - from;
      to = from + static_cast<Slot>(std::min(room, 1 + reach));
    } else {
      double room = from - first;
      to = from - static_cast<Slot>(std::min(room, 1 + reach));
    }
    to = runs.emptyNear(low, high, to);
    crowded += to == runs.slots();
    if (to == runs.slots() || to == from)
      return false;
    runs.remove(from);
    runs.add(s, to);
    return true;
  }

  const Problem &p;
  const LocalSearchOptions &o;
  Random random;
  RunSequence runs;
  double unit = 1, fine = 1, least = 0, heat = 1;
  Slot hot = 0;
  /// Changes that found no empty slot since the last respace().
  uint32_t crowded = 0;
};

} // namespace

std::string pebble::graph::localSearchRefusal(const Problem &p,
                                              const RematMeans &means) {
  if (!means.recompute)
    return "is not to be recomputed";
  for (const game::Step &s : p.steps)
    if (s.pin == game::Pin::Offload)
      return "asks to offload the results of step '" + s.name + "'";
  return RunSequence::refusal(p);
}

std::string pebble::graph::transferSearchRefusal(const Problem &p) {
  for (const game::Step &s : p.steps)
    for (const game::Access &a : s.writes)
      if (s.pin == game::Pin::Offload && !mayMove(p, a.value))
        return "asks to offload the results of step '" + s.name +
               "', which cannot be";
  if (p.explicitTierCount() < 2)
    return "has no slower tier to offload to";
  return RunSequence::refusal(p);
}

namespace {

/// Two searches. One stays near the best runs it knows. The other one goes from
/// each of the starts first, since a cheap one may lie near what exceeds the
/// budget; then it melts the best and cools it in four rounds.
class SearchPair {
public:
  SearchPair(const Problem &p, const std::vector<std::vector<Id>> &starts,
             const LocalSearchOptions &o)
      : pair{{p, o, o.seed * 2 + 1}, {p, o, o.seed * 2 + 2}}, starts(starts) {
    for (Annealer &a : pair)
      for (const std::vector<Id> &from : starts)
        a.start(from);
  }

  /// Rounds grow, so that short limits see whole ones.
  void run(uint64_t effort, unsigned threads) {
    uint64_t left = effort, moves = 20000;
    for (size_t round = 0; left > 0; ++round) {
      moves = std::min(left, moves);
      if (threads > 1) {
        std::thread other([&] { playFar(round, moves); });
        playNear(round, moves);
        other.join();
      } else {
        playNear(round, moves);
        playFar(round, moves);
      }
      if (pair[0].stopped() || pair[1].stopped())
        break;
      left -= moves;
      moves += moves / 4;
      if (round % 4 == 3)
        share();
    }
  }

  const Annealer &best() const {
    return isBetter(pair[1], pair[0]) ? pair[1] : pair[0];
  }

private:
  static constexpr double kCold = 0.01;

  static bool isBetter(const Annealer &a, const Annealer &b) {
    return a.found && (!b.found || a.bestCost < b.bestCost);
  }
  void playNear(size_t round, uint64_t moves) {
    constexpr double kNear[] = {1, 0.2, 0.05, 0.2};
    pair[0].load(pair[0].bestRuns);
    pair[0].anneal(moves, kNear[round % 4], kCold);
    pair[0].rebuild(moves / kChangesOfRebuilding);
  }
  void playFar(size_t round, uint64_t moves) {
    constexpr double kFar[] = {10, 2, 0.5, 0.1, kCold};
    if (round < starts.size()) {
      pair[1].load(starts[starts.size() - 1 - round]);
      pair[1].anneal(moves, 1, kCold);
      return;
    }
    const size_t k = (round - starts.size()) % 4;
    if (k == 0)
      pair[1].load(pair[1].bestRuns);
    pair[1].anneal(moves, kFar[k], kFar[k + 1]);
  }
  void share() {
    for (int i : {0, 1})
      if (isBetter(pair[1 - i], pair[i])) {
        pair[i].found = true;
        pair[i].bestCost = pair[1 - i].bestCost;
        pair[i].bestRuns = pair[1 - i].bestRuns;
      }
  }

  Annealer pair[2];
  const std::vector<std::vector<Id>> &starts;
};

} // namespace

Schedule pebble::graph::localSearch(const Problem &p,
                                    const std::vector<std::vector<Id>> &starts,
                                    const LocalSearchOptions &o) {
  SearchPair searches(p, starts, o);
  searches.run(
      o.effort  ? o.effort
      : o.timed ? UINT64_MAX
                : std::min(kDefaultEffort, kDefaultWork / (p.steps.size() + 1)),
      o.threads);
  const Annealer &best = searches.best();
  Schedule s;
  s.solver = "local-search";
  s.bound = o.enough;
  s.limited = o.stop && o.stop->isUp();
  if (!best.found)
    return s;
  s.moves = o.transfers ? movesOfRuns(p, best.bestRuns, *o.transfers)
                        : scheduleOfRuns(p, best.bestRuns);
  game::Replay r = verify(p, s.moves, o.budget);
  if (!r.verdict.ok() || (!o.transfers && r.cost != best.bestCost)) {
    s.moves.clear();
    return s;
  }
  s.cost = o.transfers ? costOfMoves(p, s.moves, *o.transfers) : r.cost;
  s.peak = r.peak[0];
  s.status = s.cost <= o.enough ? Status::Optimal : Status::Feasible;
  return s;
}
