//===- ForcedOrders.cpp - what a budget forces on every order -------------===//

#include "ForcedOrders.h"

#include "StepCuts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <thread>

using namespace pebble::graph;

namespace {

/// `before` has to run before `after`.
struct Pair {
  Id before = kNone, after = kNone;
  bool operator<(const Pair &o) const {
    return before != o.before ? before < o.before : after < o.after;
  }
};

/// What is known about one step within the budget. Sets that have shown that a
/// pair fits go on showing it until a new pair forbids them, so little has to
/// be cut again.
struct StepFacts {
  int64_t bound = 0;
  /// Sets of steps that can have run before the step, within the budget; the
  /// first attains `bound`.
  std::vector<std::vector<uint64_t>> witnesses;
  /// What each order of a pair that was asked for costs at least.
  std::vector<std::pair<Pair, int64_t>> costs;
  /// How many of the forced pairs the witnesses have been held against.
  size_t heldAgainst = 0;
};

/// What one look at a step found.
struct Finding {
  std::vector<Pair> forced;
  uint64_t cuts = 0, work = 0;
};

bool contains(const std::vector<uint64_t> &set, Id s) {
  return set[s / 64] >> (s % 64) & 1;
}

/// Brings the facts of one step up to date.
class Look {
public:
  Look(const FootprintGame &game, StepCuts &cuts, Id step, StepFacts &facts)
      : n(game.size()), cuts(cuts), step(step), facts(facts) {
    cuts.look(step);
  }

  Finding run(int64_t budget, const std::vector<Pair> &pairs) {
    if (dropWitnesses(pairs)) {
      build();
      if (facts.bound > budget)
        return found;
      remember([&](Id s) { return cuts.hasRun(s); });
    }
    askBothSides(budget);
    return found;
  }

private:
  bool isForbidden(const std::vector<uint64_t> &set,
                   const std::vector<Pair> &pairs) const {
    for (size_t i = facts.heldAgainst; i < pairs.size(); ++i)
      if (contains(set, pairs[i].after) && !contains(set, pairs[i].before))
        return true;
    return false;
  }
  bool isMisplaced(const std::vector<uint64_t> &set) const {
    for (Id s = 0; s < n; ++s)
      if (!cuts.isFree(s) && contains(set, s) != cuts.hasRun(s))
        return true;
    return false;
  }

  /// Drops the sets that `pairs` forbid. True if the first one went, which is
  /// that of the bound.
  bool dropWitnesses(const std::vector<Pair> &pairs) {
    auto &w = facts.witnesses;
    bool cut = w.empty();
    for (size_t i = 0; i < w.size();) {
      if (!isForbidden(w[i], pairs) && !isMisplaced(w[i])) {
        ++i;
        continue;
      }
      cut |= i == 0;
      w.erase(w.begin() + i);
      if (cut) {
        w.clear();
        break;
      }
    }
    facts.heldAgainst = pairs.size();
    return cut;
  }

  void build() {
    facts.bound = cuts.cut(step);
    ++found.cuts;
    built = true;
  }
  template <typename Has>
  void remember(Has has) {
    std::vector<uint64_t> set((n + 63) / 64, 0);
    for (Id s = 0; s < n; ++s)
      if (has(s))
        set[s / 64] |= uint64_t(1) << (s % 64);
    facts.witnesses.push_back(std::move(set));
  }

  /// Each free step on the side on which no set within the budget has it yet.
  void askBothSides(int64_t budget) {
    std::vector<uint8_t> fitsBefore(n, 0), fitsAfter(n, 0);
    auto note = [&](const std::vector<uint64_t> &set) {
      for (Id s = 0; s < n; ++s)
        (contains(set, s) ? fitsBefore : fitsAfter)[s] = 1;
    };
    for (const auto &set : facts.witnesses)
      note(set);
    for (Id s = 0; s < n; ++s) {
      if (!cuts.isFree(s) || (fitsBefore[s] && fitsAfter[s]))
        continue;
      if (!built)
        build();
      bool before = !fitsBefore[s];
      ++found.cuts;
      int64_t cost = cuts.cutWith(s, before, budget + 1);
      Pair asked = before ? Pair{s, step} : Pair{step, s};
      if (cost > budget) {
        found.forced.push_back({asked.after, asked.before});
        continue;
      }
      facts.costs.emplace_back(asked, cost);
      remember([&](Id t) { return cuts.witness(t); });
      note(facts.witnesses.back());
    }
  }

  const size_t n;
  StepCuts &cuts;
  const Id step;
  StepFacts &facts;
  Finding found;
  bool built = false;
};

/// Which pairs of steps are not ordered yet.
class Reach {
public:
  explicit Reach(const FootprintGame &game) : after(game.size()) {
    // Steps in an order that respects every pair, from the last to the first.
    std::vector<uint32_t> waiting(game.size());
    std::vector<Id> queue;
    for (Id s = 0; s < game.size(); ++s) {
      waiting[s] = game.after[s].size();
      if (waiting[s] == 0)
        queue.push_back(s);
    }
    for (size_t head = 0; head < queue.size(); ++head) {
      Id s = queue[head];
      for (Id next : game.after[s]) {
        after.unite(s, next);
        after.set(s, next);
      }
      for (Id p : game.before[s])
        if (--waiting[p] == 0)
          queue.push_back(p);
    }
  }
  bool isOpen(Pair p) const {
    return !after.test(p.before, p.after) && !after.test(p.after, p.before);
  }

private:
  BitMatrix after;
};

class Decider {
public:
  Decider(int64_t budget, const ForcedOrdersOptions &options)
      : budget(budget), options(options) {}

  /// `facts` and `pairs` are what the case above has found out already.
  SearchEnd decide(FootprintGame game, std::vector<StepFacts> facts,
                   std::vector<Pair> pairs) {
    if (++cases > options.cases || outOfLimits())
      return SearchEnd::Limit;
    SearchEnd end = propagate(game, facts, pairs);
    if (end == SearchEnd::None)
      return end;
    if (SearchEnd found = search(game); found != SearchEnd::Limit)
      return found;
    Pair pair = choose(game, facts);
    if (end == SearchEnd::Limit || pair.before == kNone)
      return SearchEnd::Limit;
    bool open = false;
    for (bool asDearest : {true, false}) {
      FootprintGame child = game;
      std::vector<Pair> more = pairs;
      more.push_back(asDearest ? pair : Pair{pair.after, pair.before});
      addPair(child, more.back());
      SearchEnd result = decide(std::move(child), facts, std::move(more));
      if (result == SearchEnd::Found)
        return result;
      open |= result == SearchEnd::Limit;
      if (open)
        break;
    }
    return open ? SearchEnd::Limit : SearchEnd::None;
  }

  ForcedOrdersResult result;

private:
  bool outOfLimits() const {
    return result.work >= options.work ||
           (options.stop && options.stop->isUp());
  }

  static void addPair(FootprintGame &game, Pair p) {
    std::vector<Id> &list = game.after[p.before];
    if (std::find(list.begin(), list.end(), p.after) != list.end())
      return;
    list.push_back(p.after);
    game.before[p.after].push_back(p.before);
  }

  static bool hasCircle(const FootprintGame &game) {
    std::vector<uint32_t> waiting(game.size());
    std::vector<Id> queue;
    for (Id s = 0; s < game.size(); ++s) {
      waiting[s] = game.before[s].size();
      if (waiting[s] == 0)
        queue.push_back(s);
    }
    for (size_t head = 0; head < queue.size(); ++head)
      for (Id next : game.after[queue[head]])
        if (--waiting[next] == 0)
          queue.push_back(next);
    return queue.size() != game.size();
  }

  /// Adds forced pairs to `game` until none is left: Found says so. None: the
  /// budget is refuted. Limit: out of limits.
  SearchEnd propagate(FootprintGame &game, std::vector<StepFacts> &facts,
                      std::vector<Pair> &pairs) {
    if (hasCircle(game))
      return SearchEnd::None;
    while (true) {
      // Steps with little below the budget decide; the others wait.
      std::vector<Id> steps;
      for (Id s = 0; s < game.size(); ++s)
        if (facts[s].bound >= budget - budget / 10)
          steps.push_back(s);
      std::sort(steps.begin(), steps.end(), [&](Id a, Id b) {
        return facts[a].bound != facts[b].bound
                   ? facts[a].bound > facts[b].bound
                   : a < b;
      });
      bool changed = false;
      // Small batches, so that what one forces helps the next.
      constexpr size_t batch = 16;
      for (size_t first = 0; first < steps.size(); first += batch) {
        if (outOfLimits())
          return SearchEnd::Limit;
        size_t size = std::min(batch, steps.size() - first);
        std::vector<Finding> found(size);
        auto work = [&](size_t lane) {
          StepCuts cuts(game);
          for (size_t i = lane; i < size; i += 2) {
            Id step = steps[first + i];
            uint64_t before = cuts.work();
            found[i] = Look(game, cuts, step, facts[step]).run(budget, pairs);
            found[i].work = cuts.work() - before + game.size();
          }
        };
        if (options.threads) {
          std::thread other(work, 1);
          work(0);
          other.join();
        } else {
          work(0);
          work(1);
        }
        bool forced = false;
        for (size_t i = 0; i < size; ++i) {
          result.cuts += found[i].cuts;
          result.work += found[i].work;
          if (facts[steps[first + i]].bound > budget)
            return SearchEnd::None;
          for (Pair p : found[i].forced) {
            addPair(game, p);
            pairs.push_back(p);
            forced = true;
          }
        }
        if (forced && hasCircle(game))
          return SearchEnd::None;
        changed |= forced;
      }
      if (!changed)
        return SearchEnd::Found;
    }
  }

  /// The pair to order both ways: the one whose cheaper way is dearest, so that
  /// both cases are tight.
  Pair choose(const FootprintGame &game,
              const std::vector<StepFacts> &facts) const {
    std::map<Pair, int64_t> costs;
    for (const StepFacts &f : facts)
      for (const auto &[pair, cost] : f.costs) {
        int64_t &known = costs[pair];
        known = std::max(known, cost);
      }
    Reach reach(game);
    Pair best;
    std::pair<int64_t, int64_t> most{0, 0};
    for (const auto &[pair, cost] : costs) {
      auto other = costs.find({pair.after, pair.before});
      int64_t back = other == costs.end() ? 0 : other->second;
      std::pair<int64_t, int64_t> score{std::min(cost, back),
                                        std::max(cost, back)};
      if (cost >= back && score > most && reach.isOpen(pair)) {
        most = score;
        best = pair;
      }
    }
    return best;
  }

  SearchEnd search(const FootprintGame &game) {
    FootprintGame mirror = game.reversed();
    for (bool back : {true, false}) {
      ValleySearch search(back ? mirror : game);
      ValleySearch::Result r =
          search.run(budget, options.nodes,
                     std::min<uint64_t>(uint64_t(512) << 20,
                                        tableBytesOf(options.stop) / 2),
                     options.stop);
      result.nodes += r.nodes;
      if (r.end == SearchEnd::Limit)
        continue;
      if (r.end == SearchEnd::Found) {
        if (back)
          std::reverse(r.order.begin(), r.order.end());
        result.order = std::move(r.order);
      }
      return r.end;
    }
    return SearchEnd::Limit;
  }

  int64_t budget;
  const ForcedOrdersOptions &options;
  unsigned cases = 0;
};

} // namespace

ForcedOrdersResult
pebble::graph::decideBudget(const FootprintGame &game, int64_t budget,
                            const ForcedOrdersOptions &options) {
  Decider decider(budget, options);
  std::vector<StepFacts> facts(game.size());
  StepCuts cuts(game);
  for (Id s = 0; s < game.size(); ++s)
    facts[s].bound = options.bounds ? (*options.bounds)[s] : cuts.cut(s);
  if (!options.bounds)
    decider.result.cuts += game.size();
  decider.result.work += cuts.work();
  decider.result.end = decider.decide(game, std::move(facts), {});
  return std::move(decider.result);
}
