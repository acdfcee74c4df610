//===- PeakOrder.cpp - the order with the least peak ----------------------===//
//
// The strategy around the exact search: where to start, which budgets to ask
// for, and what to do when the whole is too large for one search.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Order/PeakOrder.h"

#include "ForcedOrders.h"
#include "Solver/Graph/Random.h"
#include "ValleySearch.h"
#include "pebble/Solver/Order/Bounds.h"
#include "pebble/Solver/Order/FootprintGame.h"
#include "pebble/Solver/Order/ListSchedule.h"

#include <algorithm>
#include <functional>
#include <thread>

using namespace pebble;
using namespace pebble::graph;

namespace {

/// What a maximum flow gets done (MaxFlow::work()) while a search tries a step.
constexpr uint64_t kWorkPerStep = 256;

/// What the table of one search may take. More than that finds little more.
constexpr uint64_t kSearchBytes = uint64_t(512) << 20;

/// Runs two jobs, on two threads if allowed.
void inParallel(bool threads, const std::function<void()> &a,
                const std::function<void()> &b) {
  if (!threads) {
    a();
    b();
    return;
  }
  std::thread other(b);
  a();
  other.join();
}

class Searcher {
public:
  Searcher(const Problem &problem, const PeakOrderOptions &options)
      : graph(problem), storages(problem), game(graph, storages),
        options(options), stop(options.limits), random(options.seed) {
    effortLeft = options.effort             ? options.effort
                 : options.limits.isTimed() ? UINT64_MAX / 2
                                            : 8000000;
    std::vector<Id> given = game::givenOrder(problem);
    result.inputPeak = storages.peak(given);
    floor = storages.initial();
    result.peak = INT64_MAX;
    offer(std::move(given), "given");
  }

  PeakOrder run() {
    PeakBound bound = workingSetBound(game);
    raiseBound(std::max(bound.bytes, floor), bound.step);
    if (!finished())
      sweep();
    const bool searches = !options.fast && game.size() < kSweepOnly;
    if (searches && options.decides && !finished())
      askQuickly();
    if (searches && !finished()) {
      bound = minCutBound(game, known, &stop,
                          kWorkPerStep *
                              (std::min<uint64_t>(effortLeft, UINT32_MAX) / 4));
      spend(bound.work / kWorkPerStep);
      raiseBound(bound.bytes, bound.step);
      search();
    }
    result.status = result.peak == result.bound ? game::Status::Optimal
                                                : game::Status::Feasible;
    result.limited = !finished() && stop.isUp();
    return std::move(result);
  }

private:
  bool proven() const { return result.peak <= result.bound; }
  bool finished() const {
    return proven() || result.peak <= options.enough ||
           (options.decides && result.bound > options.enough);
  }
  bool exhausted() const { return effortLeft == 0 || stop.isUp(); }

  /// Of one search; two run at once.
  size_t tableBytes() const {
    return std::min<uint64_t>(kSearchBytes, options.limits.tableBytes() / 2);
  }

  /// Takes an order if it is better than the best.
  bool offer(std::vector<Id> order, const char *solver) {
    int64_t peak = storages.peak(order);
    known.push_back(order);
    if (peak >= result.peak)
      return false;
    result.peak = peak;
    result.order = std::move(order);
    result.solver = solver;
    return true;
  }

  void raiseBound(int64_t bytes, Id step) {
    // What is there before the first step can be more than any later moment.
    bytes = std::min(bytes, result.peak);
    if (bytes > result.bound) {
      result.bound = bytes;
      result.boundStep = step;
    }
  }

  void sweep() {
    offer(leastLiveOrder(game), "sweep");
    FootprintGame mirror = game.reversed();
    std::vector<Id> order = leastLiveOrder(mirror);
    std::reverse(order.begin(), order.end());
    offer(std::move(order), "sweep");
    offer(depthFirstOrder(game), "sweep");
  }

  void spend(uint64_t nodes) { effortLeft -= std::min(effortLeft, nodes); }

  /// Asks for an order within `budget` from both ends. Both searches run to
  /// their own end, so that the answer does not depend on which is faster.
  SearchEnd ask(int64_t budget, uint64_t nodes, int64_t noise) {
    nodes = std::min(nodes, effortLeft / 2 + 1);
    std::vector<int64_t> bias[2];
    for (auto &b : bias)
      if (noise > 0)
        for (size_t i = 0; i < game.size(); ++i)
          b.push_back(random.below(noise));
    ValleySearch::Result results[2];
    auto play = [&](int end) {
      results[end] = (end ? *backward : *forward)
                         .run(budget, nodes, tableBytes(), &stop,
                              noise > 0 ? &bias[end] : nullptr);
    };
    inParallel(options.threads > 1, [&] { play(1); }, [&] { play(0); });
    spend(results[0].nodes + results[1].nodes);
    SearchEnd end = SearchEnd::Limit;
    for (int i : {1, 0}) {
      ValleySearch::Result &r = results[i];
      if (r.end == SearchEnd::Limit)
        continue;
      end = r.end;
      if (r.end == SearchEnd::None) {
        raiseBound(r.nextBudget, kNone);
        continue;
      }
      if (i == 1)
        std::reverse(r.order.begin(), r.order.end());
      offer(std::move(r.order), "search");
    }
    return end;
  }

  /// Most budgets that somebody asks for are decided by little search, without
  /// any cut.
  void askQuickly() {
    FootprintGame mirror = game.reversed();
    ValleySearch fromStart(game), fromEnd(mirror);
    forward = &fromStart;
    backward = &fromEnd;
    ask(options.enough, 32 * game.size(), 0);
  }

  /// The places between bound and peak at which budgets are asked for.
  std::vector<int> places(std::vector<int> all) const {
    return options.decides ? std::vector<int>{16} : std::move(all);
  }

  /// A budget between bound and peak: `part` of 16 of the way up.
  int64_t between(int part) const {
    if (options.decides)
      return options.enough;
    int64_t span = result.peak - 1 - result.bound;
    return result.bound + span / 16 * part + span % 16 * part / 16;
  }

  void search() {
    FootprintGame mirror = game.reversed();
    ValleySearch fromStart(game), fromEnd(mirror);
    forward = &fromStart;
    backward = &fromEnd;
    unsigned round = 0;
    // A round of searches takes a quarter of the effort at most.
    for (uint64_t nodes = std::min(160 * game.size(), effortLeft / 64) + 1000;
         !finished() && !exhausted(); nodes *= 4, ++round) {
      // Tight budgets first: they prune most, so they answer soonest. What is
      // found or refuted moves the two ends; then all budgets are new.
      for (int part : places({0, 2, 4, 8, 12, 14, 15, 16}))
        while (!finished() && !exhausted() &&
               ask(between(part), nodes, 0) != SearchEnd::Limit)
          ;
      force(nodes, round);
      for (int i = 0; i < 4 && !finished() && !exhausted(); ++i)
        while (!finished() && !exhausted() &&
               ask(between(8 + int(random.below(9))), nodes,
                   1 + random.below(result.peak / 50 + 1)) != SearchEnd::Limit)
          ;
      // A better peak that is no answer is of no use.
      if (!options.decides)
        windows(nodes * 8);
    }
  }

  /// Decides budgets by what they force: one unit under the peak, which settles
  /// it, then by halves as long as that answers.
  void force(uint64_t nodes, unsigned round) {
    ForcedOrdersOptions how;
    how.nodes = nodes / 8;
    how.threads = options.threads > 1;
    how.stop = &stop;
    if (bounds.empty()) {
      // Once for all budgets; about as much work per step as the game is large.
      uint64_t price = game.size() * game.size() / 8;
      if (price > effortLeft / 4)
        return;
      bounds = minCutBounds(game);
      spend(price);
    }
    how.bounds = &bounds;
    for (int part : places({16, 8, 14}))
      while (!finished() && !exhausted()) {
        how.work = kWorkPerStep * std::min(nodes * 8, effortLeft);
        how.cases = part == 16 ? 32u << round : 1;
        int64_t budget = between(part);
        ForcedOrdersResult r = decideBudget(game, budget, how);
        spend(r.nodes + r.work / kWorkPerStep);
        if (r.end == SearchEnd::Limit)
          break;
        if (r.end == SearchEnd::None)
          raiseBound(budget + 1, kNone);
        else
          offer(std::move(r.order), "search");
      }
  }

  //===--------------------------------------------------------------------===//
  // Windows
  //===--------------------------------------------------------------------===//

  /// A stretch of the best order, and a better order of its steps.
  struct Window {
    size_t first = 0, size = 0;
    int64_t budget = 0;
    std::vector<int64_t> bias;
    std::vector<Id> found;
    uint64_t nodes = 0;
  };

  /// Around one of the moments with the most live bytes.
  Window choose(const std::vector<int64_t> &profile) {
    std::vector<size_t> hot;
    for (size_t i = 0; i < profile.size(); ++i)
      if (profile[i] == result.peak)
        hot.push_back(i);
    size_t n = profile.size();
    Window w;
    w.size = std::min<size_t>(n, 8 << random.below(7));
    size_t at = hot.empty() ? random.below(n) : hot[random.below(hot.size())];
    size_t back = random.below(w.size);
    w.first = std::min(at > back ? at - back : 0, n - w.size);
    w.budget = result.peak - 1;
    for (size_t i = 0; i < w.size; ++i)
      w.bias.push_back(random.below(result.peak / 100 + 1));
    return w;
  }

  void solve(Window &w, uint64_t nodes) const {
    std::vector<bool> prefix(game.size(), false);
    for (size_t i = 0; i < w.first; ++i)
      prefix[result.order[i]] = true;
    std::vector<Id> steps(result.order.begin() + w.first,
                          result.order.begin() + w.first + w.size);
    FootprintGame part = game.window(prefix, steps);
    FootprintGame mirror = part.reversed();
    for (bool back : {true, false}) {
      ValleySearch search(back ? mirror : part);
      ValleySearch::Result r =
          search.run(w.budget, nodes, tableBytes() / 4, &stop, &w.bias);
      w.nodes += r.nodes;
      if (r.end == SearchEnd::None)
        return;
      if (r.end == SearchEnd::Limit)
        continue;
      if (back)
        std::reverse(r.order.begin(), r.order.end());
      for (Id i : r.order)
        w.found.push_back(steps[i]);
      return;
    }
  }

  /// Reorders windows around the peak until `nodes` steps were tried.
  void windows(uint64_t nodes) {
    uint64_t perWindow = 2000 + nodes / 50;
    uint64_t end = effortLeft - std::min(effortLeft, nodes);
    while (!finished() && !exhausted() && effortLeft > end) {
      std::vector<int64_t> profile = storages.profile(result.order);
      Window pair[2] = {choose(profile), choose(profile)};
      inParallel(
          options.threads > 1, [&] { solve(pair[0], perWindow); },
          [&] { solve(pair[1], perWindow); });
      std::vector<Id> order = result.order;
      size_t taken = 0;
      for (Window &w : pair) {
        spend(w.nodes + 100 + game.size() / 16);
        if (w.found.empty() || (taken && overlap(pair[0], pair[1])))
          continue;
        std::copy(w.found.begin(), w.found.end(), order.begin() + w.first);
        ++taken;
      }
      // Several moments may share the peak: an order that is lower at one of
      // them and equal elsewhere is progress too.
      if (taken && storages.peak(order) <= result.peak) {
        result.peak = storages.peak(order);
        result.order = std::move(order);
        result.solver = "windows";
      }
    }
  }

  static bool overlap(const Window &a, const Window &b) {
    return a.first < b.first + b.size && b.first < a.first + a.size;
  }

  StepGraph graph;
  LiveStorages storages;
  FootprintGame game;
  const PeakOrderOptions &options;
  StopSign stop;
  Random random;
  uint64_t effortLeft = 0;
  int64_t floor = 0;
  ValleySearch *forward = nullptr, *backward = nullptr;
  /// Orders found so far, for the bound.
  std::vector<std::vector<Id>> known;
  /// The min-cut bound of every step, once it was asked for.
  std::vector<int64_t> bounds;
  PeakOrder result;
};

} // namespace

PeakOrder pebble::graph::orderForPeak(const Problem &problem,
                                      const PeakOrderOptions &options) {
  return Searcher(problem, options).run();
}
