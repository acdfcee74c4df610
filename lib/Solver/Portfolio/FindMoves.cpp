//===- FindMoves.cpp - schedules that move values between tiers -----------===//

#include "FindMoves.h"
#include "Effort.h"
#include "WantedTiers.h"

#include "Solver/Graph/RunIds.h"
#include "Solver/Remat/Paging.h"
#include "Solver/Remat/TransferBound.h"
#include "pebble/Solver/Remat/RematGreedy.h"
#include "pebble/Solver/Timeline/MakespanBound.h"
#include "pebble/Solver/Timeline/Overlap.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::portfolio;
using game::Id;
using game::Move;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

/// Positions that exact search may keep in the end where no clock limits it.
constexpr uint64_t kExactEffort = 500000;
/// How many budgets between the asked one and the peak are tried for the part
/// of the work that recomputation does.
constexpr int64_t kMixes = 4;
/// Walks for each mix.
constexpr uint64_t kMixWalks = 6;
/// Percent of the time that is left, where both means are allowed: for each of
/// them alone, and for mixes. The search that goes on from there has the rest.
/// For transfers in one list of runs, whatever is allowed.
constexpr int64_t kForRecomputation = 30, kForTransfers = 40, kForMixes = 20,
                  kForPaging = 10;
/// Where transfers run beside the steps they are cheaper than they take, and
/// need room to do so: percent of their prices and of the budget at which
/// schedules are looked for besides.
const std::vector<int64_t> kHiddenPrices = {100, 25};
const std::vector<int64_t> kTightBudgets = {100, 88, 75};

class MoveFinder {
public:
  explicit MoveFinder(const MoveSearch &search)
      : search(search), p(search.problem), options(search.request.search),
        moved(graph::costsByRate(p, 1)),
        isByWork(search.request.objective == Objective::Work),
        isByClock(search.request.objective == Objective::Time),
        contracted(buildUnitProblems(p, search.runOnce)) {
    for (const game::Step &step : p.steps)
      once += step.cost;
    const int64_t bound = getBound(mayRecompute());
    nothingFits = bound == INT64_MAX;
    best.bound = std::max(once, nothingFits ? 0 : bound);
    best.solver = nothingFits ? "transfer-bound" : "none";
  }

  MoveAnswer run() {
    if (!options.start.empty())
      offer(options.start, "start");
    for (const Attempt &attempt : attempts())
      if (!isLeftOut(attempt) && (this->*attempt.applies)())
        (this->*attempt.run)();
    if (isTaken || options.solver.empty())
      refusal.clear();
    if (best.status == Status::Feasible)
      finish();
    else if (nothingFits)
      best.status = Status::Infeasible;
    return {std::move(best), std::move(refusal)};
  }

  static std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const Attempt &attempt : attempts())
      result.push_back(attempt.name);
    return result;
  }

private:
  struct Attempt {
    const char *name;
    bool (MoveFinder::*applies)() const;
    void (MoveFinder::*run)();
  };

  /// Each of the means alone as if it were the only one, so that both are no
  /// worse; then on from there.
  static const std::vector<Attempt> &attempts() {
    using F = MoveFinder;
    static const std::vector<Attempt> table = {
        {"paging", &F::mayPage, &F::moveOrders},
        {"quick-exact", &F::mayEndAtOnce, &F::tryQuickExact},
        {"recomputation", &F::mayDoAlone, &F::recomputeAlone},
        {"transfers", &F::mayTransferAlone, &F::searchTransfers},
        {"mixes", &F::mayMix, &F::mixAll},
        {"joint", &F::mayGoOn, &F::searchBoth},
        {"exact", &F::mayEnd, &F::searchExactly},
    };
    return table;
  }

  bool isLeftOut(const Attempt &attempt) const {
    return std::find(options.without.begin(), options.without.end(),
                     attempt.name) != options.without.end();
  }

  bool mayRecompute() const { return options.means.recompute; }
  bool isFree() const { return options.solver.empty(); }
  bool mayEndAtOnce() const { return mayPage() && !isByWork && !isByClock; }
  bool mayDoAlone() const { return mayRecompute() && mayGoOn(); }
  bool mayPage() const { return isFree() && mayGoOn(); }
  bool mayMix() const { return mayPage() && mayRecompute(); }
  /// Not where transfers alone are proven to be dearer than what is known.
  bool mayTransferAlone() const {
    return mayMix() && (best.status == Status::Unknown ||
                        getBound(/*recompute=*/false) < bestValue.first);
  }
  bool mayGoOn() const { return !nothingFits && !isSettled(); }
  /// Nothing costs less, or where that leaves a choice moves less. Where
  /// nothing fits it finds the smallest budget.
  bool mayEnd() const {
    return !best.minBudget &&
           (!isSettled() || (isByWork && bestValue.second != 0));
  }

  void finish() {
    if (!search.request.wantedTiers.empty())
      best.moves = followWantedTiers(p, best.moves, search.request.wantedTiers);
    best.cost = getCost(best.moves);
    game::certify(best, best.bound);
    const game::Replay replay = game::verify(p, best.moves, search.budget);
    best.peak = replay.peak[0];
    if (!replay.verdict.ok()) {
      refusal = "the wishes to offload cannot all be followed: [" +
                replay.verdict.rule + "] " + replay.verdict.message;
      best = Schedule();
      return;
    }
    best.limited &= best.status != Status::Optimal;
  }

  /// INT64_MAX if nothing fits.
  int64_t getBound(bool recompute) const {
    graph::RematMeans means;
    means.recompute = recompute;
    means.offload = true;
    const graph::StopSign soon(limits.part(8));
    if (isByClock)
      return timeline::makespanBound(p, timeline::durationsOf(p, search.prices),
                                     search.budget, means, &soon);
    return graph::transferBound(p, search.budget, search.prices,
                                means.recompute, &soon);
  }

  /// In the unit of the objective; by the clock, until the last step has ended.
  int64_t getCost(const std::vector<Move> &moves) const {
    if (isByClock && std::any_of(moves.begin(), moves.end(), graph::isTransfer))
      return timeline::overlapTransfers(p, moves,
                                        timeline::durationsOf(p, search.prices),
                                        search.budget)
          .timeline.makespan;
    return graph::costOfMoves(p, moves, search.prices);
  }

  int64_t getBytes(const std::vector<Move> &moves) const {
    std::vector<Move> transfers;
    std::copy_if(moves.begin(), moves.end(), std::back_inserter(transfers),
                 graph::isTransfer);
    return graph::costOfMoves(p, transfers, moved);
  }

  int64_t getShare(int64_t percent) const {
    return search.budget / 100 * percent + search.budget % 100 * percent / 100;
  }

  /// Takes `moves` if they are valid and beat what is known.
  void offer(const std::vector<Move> &moves, const std::string &solver) {
    std::vector<Move> tidy = graph::canonicalMoves(p, moves);
    if (!game::verify(p, tidy, search.budget).verdict.ok())
      return;
    const std::pair<int64_t, int64_t> value = {getCost(tidy), getBytes(tidy)};
    if (best.status != Status::Unknown && value >= bestValue)
      return;
    best.status = Status::Feasible;
    best.moves = std::move(tidy);
    best.solver = solver;
    bestValue = value;
    report();
  }

  void report() const {
    search.limits.report(bestValue.first,
                         std::min(best.bound, bestValue.first));
  }

  /// Limits for one of `parts` of so many percent of what is left.
  graph::Limits getTimeShare(int64_t percent, int64_t parts) const {
    return limits.part(
        std::max<int64_t>(1, (100 * parts + percent - 1) / percent));
  }

  /// What every search is told, but for its means and its limits.
  graph::LeastCostOptions getOptions() const {
    graph::LeastCostOptions result = options;
    result.means.offload = false;
    result.transfers.reset();
    result.start.clear();
    result.known.clear();
    result.budget = search.budget;
    return result;
  }

  //===--------------------------------------------------------------------===//
  // Each of the means alone
  //===--------------------------------------------------------------------===//

  /// An order alone follows no wish to recompute.
  void moveOrders() {
    if (groupingFor(p) == Grouping::Full)
      for (const std::vector<Id> &order : search.orders)
        page(order, 0);
  }

  void page(const std::vector<Id> &runs, uint64_t walks) {
    graph::StopSign stop(getTimeShare(kForPaging, 1));
    auto page = [&](const graph::MoveCosts &costs, int64_t budget) {
      graph::PagingOptions o;
      o.budget = budget;
      o.seed = options.seed;
      o.effort = walks;
      o.stop = &stop;
      Schedule found = graph::pageRuns(p, runs, costs, o);
      best.limited |= found.limited;
      if (found.status == Status::Feasible)
        offer(found.moves, found.solver);
    };
    if (!isByClock)
      return page(isByWork ? moved : search.prices, search.budget);
    for (int64_t price : kHiddenPrices)
      for (int64_t percent : kTightBudgets)
        page(graph::shareOf(search.prices, price, 100), getShare(percent));
  }

  /// As where nothing may be moved.
  void recomputeAlone() {
    graph::LeastCostOptions o = getOptions();
    for (size_t i = 0; i < contracted.size() && !isSettled(); ++i) {
      const UnitProblem &units = contracted[i];
      o.limits = getTimeShare(kForRecomputation,
                              static_cast<int64_t>(contracted.size() - i));
      if (!graph::leastCostRefusal(units.problem, o).empty())
        return;
      isTaken = true;
      Schedule found = graph::leastCost(units.problem, o);
      best.limited |= found.limited;
      noteModel(found);
      if (!found.moves.empty())
        take(units, found, /*recompute=*/true);
    }
  }

  /// What a solver by model, asked for by name, says of its model.
  void noteModel(const Schedule &found) {
    best.modelStatus = found.modelStatus;
    best.modelBound = found.modelBound;
  }

  /// Recomputation for larger budgets, with transfers for the rest.
  void mixAll() {
    for (const UnitProblem &units : contracted)
      if (!isSettled())
        mix(units);
  }

  void mix(const UnitProblem &units) {
    int64_t peak = search.budget;
    for (const std::vector<Id> &order : search.orders)
      peak = std::max(peak,
                      game::verify(p, graph::scheduleOfRuns(p, order)).peak[0]);
    const auto groups = static_cast<int64_t>(contracted.size());
    for (int64_t part = 1; part < kMixes; ++part) {
      graph::LeastCostOptions o = getOptions();
      o.budget = search.budget + (peak - search.budget) / kMixes * part;
      o.effort = 0; // meant for the search as a whole
      o.limits = getTimeShare(kForMixes, groups * kMixes);
      if (!graph::leastCostRefusal(units.problem, o).empty())
        return;
      Schedule found = graph::leastCostByWalks(units.problem, o);
      best.limited |= found.limited;
      if (found.moves.empty())
        continue;
      std::vector<Move> moves = expandMoves(units, found.moves);
      offer(moves, found.solver);
      page(graph::runsOfMoves(p, moves), kMixWalks);
    }
  }

  //===--------------------------------------------------------------------===//
  // Local search over runs and loads
  //===--------------------------------------------------------------------===//

  void searchTransfers() { searchTogether(/*recompute=*/false); }
  void searchBoth() { searchTogether(mayRecompute()); }

  void searchTogether(bool recompute) {
    // Where transfers cost nothing there is no price to go by.
    if (isByWork && isFree())
      return;
    const std::vector<int64_t> whole = {100};
    const std::vector<int64_t> &prices = isByClock ? kHiddenPrices : whole;
    const std::vector<int64_t> &budgets = isByClock ? kTightBudgets : whole;
    const bool isLast = recompute == mayRecompute();
    auto parts = static_cast<int64_t>(prices.size() * budgets.size() *
                                      contracted.size());
    for (const UnitProblem &units : contracted)
      for (int64_t price : prices)
        for (int64_t percent : budgets) {
          if (isSettled())
            return;
          graph::LeastCostOptions o = getOptions();
          o.budget = getShare(percent);
          const bool goesOn = isLast && recompute && isFree();
          o.limits = getLimitsTogether(
              isLast, goesOn && price == 100 && percent == 100, parts);
          --parts;
          o.means.recompute = recompute;
          o.means.offload = true;
          o.transfers =
              contractCosts(units, graph::shareOf(search.prices, price, 100));
          if (goesOn)
            o.known = getKnown(units);
          if (!searchOnce(units, o, isLast))
            return;
        }
  }

  /// Limits for the next of `parts` searches for runs and loads. What is to
  /// come needs time as well. What goes on from the best that is known at the
  /// full price gets half of it.
  graph::Limits getLimitsTogether(bool isLast, bool goesOnFromBest,
                                  int64_t parts) const {
    if (!isLast)
      return getTimeShare(kForTransfers, parts);
    const int64_t later = isForExact() ? 1 : 0;
    return limits.part(goesOnFromBest ? std::min<int64_t>(2, parts + later)
                                      : parts + later);
  }

  /// Exact search takes the problem with all that is allowed.
  bool isForExact() const {
    return graph::RematGame::refusal(contracted.back().problem, options.means)
        .empty();
  }

  /// One search for runs and loads of `units`; false if it is refused.
  bool searchOnce(const UnitProblem &units, const graph::LeastCostOptions &o,
                  bool isLast) {
    refusal = graph::leastCostRefusal(units.problem, o);
    if (!refusal.empty())
      return false;
    Schedule schedule = isFree()
                            ? graph::leastCostByLocalSearch(units.problem, o)
                            : graph::leastCost(units.problem, o);
    best.limited |= schedule.limited;
    noteModel(schedule);
    if (!schedule.moves.empty())
      take(units, schedule, o.means.recompute);
    if (!isByClock && units.isWhole() && isLast)
      best.bound = std::max(best.bound, schedule.bound);
    return true;
  }

  /// The best that is known as a whole, and of each of the means alone.
  std::vector<std::vector<Id>> getKnown(const UnitProblem &units) const {
    std::vector<std::vector<Id>> known;
    for (const auto *moves : {&best.moves, &alone[0].second, &alone[1].second})
      if (std::vector<Id> runs = contractRuns(units, *moves);
          !runs.empty() &&
          std::find(known.begin(), known.end(), runs) == known.end())
        known.push_back(std::move(runs));
    return known;
  }

  /// A schedule of `units`, found with recomputation or with transfers first.
  void take(const UnitProblem &units, const Schedule &schedule,
            bool recompute) {
    std::vector<Move> moves = expandMoves(units, schedule.moves);
    offer(moves, schedule.solver);
    const int64_t cost = getCost(moves);
    if (alone[recompute].second.empty() || cost < alone[recompute].first)
      alone[recompute] = {cost, std::move(moves)};
  }

  bool isSettled() const {
    return best.status != Status::Unknown && bestValue.first <= best.bound;
  }

  //===--------------------------------------------------------------------===//
  // Exact search
  //===--------------------------------------------------------------------===//

  /// Most small problems need no more than a moment of it.
  void tryQuickExact() {
    searchExactly(mayRecompute(), /*onlyFreeWork=*/false, Depth::Quick);
  }

  void searchExactly() {
    // Without a price on transfers only work that costs nothing may be done
    // again in a schedule of least cost, if there is one that does no more.
    bool wasFound = searchExactly(mayRecompute(), isByWork, Depth::Full);
    if (isByWork && !wasFound && mayRecompute())
      wasFound = searchExactly(mayRecompute(), false, Depth::Full);
    // With fewer means it may come to an end.
    if (!wasFound && !nothingFits && mayRecompute() && isFree())
      searchExactly(/*recompute=*/false, isByWork, Depth::Full);
  }

  enum class Depth { Quick, Full };

  /// True if the search came to an end with a schedule.
  bool searchExactly(bool recompute, bool onlyFreeWork, Depth depth) {
    Problem problem = p;
    std::vector<std::string> runOnce = search.runOnce;
    for (Id step = 0; step < problem.steps.size(); ++step) {
      game::Step &entry = problem.steps[step];
      if (runOnce[step].empty() && !recompute)
        runOnce[step] = "nothing is computed again";
      if (runOnce[step].empty() && onlyFreeWork && entry.cost > 0)
        runOnce[step] = "it costs more than a transfer";
      if (onlyFreeWork)
        entry.cost = 0;
      entry.recomputable = runOnce[step].empty();
    }
    const UnitProblem units =
        buildUnitProblem(problem, runOnce, groupingFor(problem));
    graph::LeastCostOptions o = getOptions();
    o.limits = limits;
    o.means.recompute = recompute;
    o.means.offload = true;
    o.transfers = contractCosts(units, onlyFreeWork ? moved : search.prices);
    if (depth == Depth::Quick) {
      o.solver = "remat-search";
      o.effort = kQuickEffort;
    } else if (!o.limits.isTimed() && o.effort == 0) {
      o.effort = kExactEffort;
    }
    if (!graph::RematGame::refusal(units.problem, o.means).empty() ||
        !graph::leastCostRefusal(units.problem, o).empty())
      return false;
    refusal.clear();
    const Schedule found = graph::leastCost(units.problem, o);
    best.limited |= found.limited;
    if (!found.moves.empty())
      offer(expandMoves(units, found.moves), found.solver);
    if (recompute == mayRecompute() && !onlyFreeWork && !isByClock &&
        units.isWhole() && found.status != Status::Unknown)
      best.bound = std::max(best.bound, found.bound);
    if (recompute == mayRecompute() && units.isWhole() &&
        found.status == Status::Infeasible && best.status == Status::Unknown &&
        !(onlyFreeWork && recompute)) {
      nothingFits = true;
      best.solver = found.solver;
      best.minBudget = found.minBudget;
    }
    return found.status == Status::Optimal;
  }

  const MoveSearch &search;
  const Problem &p;
  const graph::LeastCostOptions &options;
  /// What others search is priced in its own way, and reported here.
  const graph::Limits limits = search.limits.observedBy(nullptr);
  const graph::MoveCosts moved;
  /// Transfers cost nothing, and the bytes moved break ties.
  const bool isByWork;
  /// Transfers take time, beside the steps.
  const bool isByClock;
  int64_t once = 0;
  /// No schedule with the means that are allowed fits, proven.
  bool nothingFits = false;
  /// The solver that was asked for takes the problem without transfers.
  bool isTaken = false;
  const std::vector<UnitProblem> contracted;
  /// The best with transfers alone and with recomputation alone, and its cost.
  std::pair<int64_t, std::vector<Move>> alone[2];
  Schedule best;
  std::string refusal;
  /// Cost, then bytes moved.
  std::pair<int64_t, int64_t> bestValue;
};

} // namespace

MoveAnswer portfolio::findMoves(const MoveSearch &search) {
  return MoveFinder(search).run();
}

std::vector<std::string> portfolio::moveAttempts() {
  return MoveFinder::names();
}
