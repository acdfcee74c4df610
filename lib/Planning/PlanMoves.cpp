//===- PlanMoves.cpp - schedules that move values between tiers -----------===//

#include "PlanMoves.h"

#include "Makespan.h"
#include "PlanChain.h"
#include "TransferActions.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/StepCosts.h"
#include "pebble/Solver/Graph/LeastCost.h"
#include "pebble/Solver/Graph/Paging.h"
#include "pebble/Solver/Graph/RematGreedy.h"
#include "pebble/Solver/Graph/TransferBound.h"
#include "pebble/Solver/Timeline/LeastTime.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace pebble {

/// Positions that exact search may keep where no clock limits it.
static constexpr uint64_t kExactEffort = 500000;
/// How many budgets between the asked one and the peak are tried for the part
/// of the work that recomputation does.
static constexpr int64_t kMixes = 4;
/// Walks for each mix.
static constexpr uint64_t kMixWalks = 6;
/// Percent of the time that is left, where both means are allowed: for each of
/// them alone, and for mixes. The search that goes on from there has the rest.
/// For transfers in one list of runs, whatever is allowed.
static constexpr int64_t kForRecomputation = 30, kForTransfers = 40,
                         kForMixes = 20, kForPaging = 10;
/// Where transfers run beside the steps they are cheaper than they take, and
/// need room to do so: percent of their prices and of the budget at which
/// schedules are looked for besides.
static constexpr int64_t kHiddenPrices[] = {100, 25};
static constexpr int64_t kTightBudgets[] = {100, 88, 75};

game::Problem getMoveProblem(const MoveSearch &search) {
  game::Problem p = search.built.problem;
  for (auto [step, reason] : llvm::zip(p.steps, search.runOnce)) {
    step.recomputable = reason.empty() && search.request.recompute;
    if (step.pin == game::Pin::Offload)
      step.pin = game::Pin::None;
  }
  return p;
}

namespace {
class MoveFinder {
public:
  explicit MoveFinder(const MoveSearch &search)
      : search(search), p(getMoveProblem(search)),
        moved(getMovedBytes(search.built.problem)),
        isByWork(search.request.objective == ScheduleObjective::Recompute),
        isByClock(search.request.objective == ScheduleObjective::Time) {
    for (const game::Step &step : p.steps)
      once = addCounts(once, step.cost);
    best.bound = std::max(once, getBound(search.request.recompute));
  }

  MoveAnswer run() {
    contract();
    // Each of the means alone as if it were the only one, so that both are no
    // worse; then on from there.
    if (search.request.recompute)
      recomputeAlone();
    if (search.request.solver.empty()) {
      if (!isSettled())
        moveOrders();
      // Not where transfers alone are proven to be dearer than what is known.
      if (search.request.recompute && !isSettled() &&
          (best.status == game::Status::Unknown ||
           getBound(/*recompute=*/false) < bestValue.first))
        searchTogether(/*recompute=*/false);
      if (search.request.recompute)
        for (const UnitProblem &units : contracted)
          if (!isSettled())
            mix(units);
    }
    searchTogether(search.request.recompute);
    searchExactly();
    if (isTaken || search.request.solver.empty())
      best.refusal.clear();
    if (best.status == game::Status::Unknown)
      return std::move(best);
    followWishes();
    const int64_t cost = getCost(best.moves);
    best.bound = std::min(best.bound, cost);
    best.status =
        best.bound == cost ? game::Status::Optimal : game::Status::Feasible;
    return std::move(best);
  }

private:
  /// What is wanted again by each of its readers has to be told apart.
  Grouping getGrouping() const {
    bool isWished = llvm::any_of(p.steps, [](const game::Step &step) {
      return step.pin == game::Pin::Recompute;
    });
    return isWished ? Grouping::Lossless : Grouping::Full;
  }

  /// INT64_MAX if nothing fits.
  int64_t getBound(bool recompute) const {
    graph::RematMeans means;
    means.recompute = recompute;
    means.offload = true;
    const graph::StopSign soon(limits.part(8));
    if (isByClock)
      return timeline::makespanBound(p, getDurations(p, search.costs),
                                     search.budget, means, &soon);
    return graph::transferBound(p, search.budget, search.costs, means.recompute,
                                &soon);
  }

  /// In the unit of the objective; by the clock, until the last step has ended.
  int64_t getCost(const std::vector<game::Move> &moves) const {
    if (isByClock && llvm::any_of(moves, graph::isTransfer))
      return overlapMoves(p, moves, search.costs, search.budget)
          .timeline.makespan;
    return graph::costOfMoves(p, moves, search.costs);
  }
  int64_t getBytes(const std::vector<game::Move> &moves) const {
    std::vector<game::Move> transfers;
    llvm::copy_if(moves, std::back_inserter(transfers), graph::isTransfer);
    return graph::costOfMoves(p, transfers, moved);
  }

  /// Chains that are drawn together run as one; apart they may need less.
  void contract() {
    contracted.push_back(buildUnitProblem(p, search.runOnce, getGrouping()));
    if (contracted.front().losesSchedules)
      contracted.push_back(
          buildUnitProblem(p, search.runOnce, Grouping::Lossless));
  }

  int64_t getShare(int64_t percent) const {
    return search.budget / 100 * percent + search.budget % 100 * percent / 100;
  }

  /// Takes `moves` if they are valid and beat what is known.
  void offer(const std::vector<game::Move> &moves, StringRef solver) {
    std::vector<game::Move> tidy = graph::canonicalMoves(p, moves);
    if (!game::verify(p, tidy, search.budget).verdict.ok())
      return;
    std::pair<int64_t, int64_t> value = {getCost(tidy), getBytes(tidy)};
    if (best.status != game::Status::Unknown && value >= bestValue)
      return;
    best.status = game::Status::Feasible;
    best.moves = std::move(tidy);
    best.solver = solver.str();
    bestValue = value;
    search.limits.report(value.first, std::min(best.bound, value.first));
  }

  /// Limits for one of `parts` of so many percent of what is left.
  graph::Limits getTimeShare(int64_t percent, int64_t parts) const {
    return limits.part(
        std::max<int64_t>(1, (100 * parts + percent - 1) / percent));
  }

  /// An order alone follows no wish to recompute.
  void moveOrders() {
    if (getGrouping() == Grouping::Full)
      for (const std::vector<game::Id> &order : search.orders)
        page(order, 0);
  }

  void page(const std::vector<game::Id> &runs, uint64_t walks) {
    graph::StopSign stop(getTimeShare(kForPaging, 1));
    auto page = [&](const graph::MoveCosts &costs, int64_t budget) {
      graph::PagingOptions options;
      options.budget = budget;
      options.seed = search.request.seed;
      options.effort = walks;
      options.stop = &stop;
      game::Schedule found = graph::pageRuns(p, runs, costs, options);
      best.limited |= found.limited;
      if (found.status == game::Status::Feasible)
        offer(found.moves, found.solver);
    };
    if (!isByClock)
      return page(isByWork ? moved : search.costs, search.budget);
    for (int64_t price : kHiddenPrices)
      for (int64_t percent : kTightBudgets)
        page(graph::shareOf(search.costs, price, 100), getShare(percent));
  }

  /// As where nothing may be moved.
  void recomputeAlone() {
    graph::LeastCostOptions options;
    options.budget = search.budget;
    options.seed = search.request.seed;
    options.solver = search.request.solver;
    if (options.solver.empty())
      if (std::optional<game::Schedule> chain =
              planChain(search.built, search.runOnce, options))
        offer(chain->moves, chain->solver);
    for (auto [index, units] : llvm::enumerate(contracted)) {
      if (isSettled())
        return;
      options.limits = getTimeShare(
          kForRecomputation, static_cast<int64_t>(contracted.size() - index));
      if (!graph::leastCostRefusal(units.problem, options).empty())
        return;
      isTaken = true;
      game::Schedule found = graph::leastCost(units.problem, options);
      best.limited |= found.limited;
      if (!found.moves.empty())
        take(units, found, /*recompute=*/true);
    }
  }

  /// Recomputation for larger budgets, with transfers for the rest.
  void mix(const UnitProblem &units) {
    int64_t peak = search.budget;
    for (const std::vector<game::Id> &order : search.orders)
      peak = std::max(peak,
                      game::verify(p, graph::scheduleOfRuns(p, order)).peak[0]);
    const auto groups = static_cast<int64_t>(contracted.size());
    for (int64_t part = 1; part < kMixes; ++part) {
      graph::LeastCostOptions options;
      options.budget = search.budget + (peak - search.budget) / kMixes * part;
      options.seed = search.request.seed;
      options.limits = getTimeShare(kForMixes, groups * kMixes);
      if (!graph::leastCostRefusal(units.problem, options).empty())
        return;
      game::Schedule found = graph::leastCostByWalks(units.problem, options);
      best.limited |= found.limited;
      if (found.moves.empty())
        continue;
      std::vector<game::Move> moves = expandMoves(units, found.moves);
      offer(moves, found.solver);
      page(getRunsOf(moves), kMixWalks);
    }
  }

  //===--------------------------------------------------------------------===//
  // Local search over runs and loads
  //===--------------------------------------------------------------------===//

  /// Prices by value of the contracted problem.
  graph::MoveCosts getUnitCosts(const UnitProblem &units,
                                const graph::MoveCosts &costs) const {
    graph::MoveCosts result;
    auto pick = [&](const std::vector<std::vector<int64_t>> &from,
                    std::vector<std::vector<int64_t>> &to) {
      for (const std::vector<int64_t> &tier : from) {
        to.emplace_back();
        if (!tier.empty())
          for (game::Id value : units.origins)
            to.back().push_back(tier[value]);
      }
    };
    pick(costs.stores, result.stores);
    pick(costs.loads, result.loads);
    return result;
  }

  void searchTogether(bool recompute) {
    // Where transfers cost nothing there is no price to go by.
    const std::string &solver = search.request.solver;
    if (isByWork && solver.empty())
      return;
    ArrayRef<int64_t> prices = kHiddenPrices, budgets = kTightBudgets;
    if (!isByClock) {
      prices = prices.take_front();
      budgets = budgets.take_front();
    }
    const bool isLast = recompute == search.request.recompute;
    int64_t parts = prices.size() * budgets.size() * contracted.size();
    for (const UnitProblem &units : contracted)
      for (int64_t price : prices)
        for (int64_t percent : budgets) {
          if (isSettled())
            return;
          graph::LeastCostOptions options;
          options.budget = getShare(percent);
          options.seed = search.request.seed;
          // What is to come needs time as well. What goes on from the best that
          // is known at the full price gets half of it.
          const bool goesOn = isLast && recompute && solver.empty();
          options.limits = !isLast ? getTimeShare(kForTransfers, parts)
                           : goesOn && price == 100 && percent == 100
                               ? limits.part(2)
                               : limits.part(parts + 1);
          --parts;
          options.means.recompute = recompute;
          options.means.offload = true;
          options.transfers =
              getUnitCosts(units, graph::shareOf(search.costs, price, 100));
          options.solver = solver;
          if (goesOn)
            options.known = getKnown(units);
          best.refusal = graph::leastCostRefusal(units.problem, options);
          if (!best.refusal.empty())
            return;
          game::Schedule schedule =
              solver.empty()
                  ? graph::leastCostByLocalSearch(units.problem, options)
                  : graph::leastCost(units.problem, options);
          best.limited |= schedule.limited;
          if (!schedule.moves.empty())
            take(units, schedule, recompute);
          if (!isByClock && !units.losesSchedules && isLast)
            best.bound = std::max(best.bound, schedule.bound);
        }
  }

  /// The best that is known as a whole, and of each of the means alone.
  std::vector<std::vector<game::Id>> getKnown(const UnitProblem &units) const {
    std::vector<std::vector<game::Id>> known;
    for (const auto *moves : {&best.moves, &alone[0].second, &alone[1].second})
      if (std::vector<game::Id> runs = contractRuns(units, *moves);
          !runs.empty() && !llvm::is_contained(known, runs))
        known.push_back(std::move(runs));
    return known;
  }

  /// A schedule of `units`, found with recomputation or with transfers first.
  void take(const UnitProblem &units, const game::Schedule &schedule,
            bool recompute) {
    std::vector<game::Move> moves = expandMoves(units, schedule.moves);
    offer(moves, schedule.solver);
    int64_t cost = getCost(moves);
    if (alone[recompute].second.empty() || cost < alone[recompute].first)
      alone[recompute] = {cost, std::move(moves)};
  }

  bool isSettled() const {
    return best.status != game::Status::Unknown &&
           bestValue.first <= best.bound;
  }

  //===--------------------------------------------------------------------===//
  // Exact search
  //===--------------------------------------------------------------------===//

  void searchExactly() {
    // Nothing costs less, or where that leaves a choice moves less.
    if (isSettled() && (!isByWork || bestValue.second == 0))
      return;
    // Without a price on transfers only work that costs nothing may be done
    // again in a schedule of least cost, if there is one that does no more.
    bool wasFound = searchExactly(search.request.recompute, isByWork);
    if (isByWork && !wasFound && search.request.recompute)
      wasFound = searchExactly(search.request.recompute, false);
    // With fewer means it may come to an end.
    if (!wasFound && search.request.recompute && search.request.solver.empty())
      searchExactly(/*recompute=*/false, isByWork);
  }

  /// True if the search came to an end with a schedule.
  bool searchExactly(bool recompute, bool onlyFreeWork) {
    game::Problem problem = p;
    std::vector<std::string> runOnce = search.runOnce;
    for (auto [step, reason] : llvm::zip(problem.steps, runOnce)) {
      if (reason.empty() && !recompute)
        reason = "nothing is computed again";
      if (reason.empty() && onlyFreeWork && step.cost > 0)
        reason = "it costs more than a transfer";
      if (onlyFreeWork)
        step.cost = 0;
      step.recomputable = reason.empty();
    }
    UnitProblem units = buildUnitProblem(problem, runOnce, getGrouping());
    graph::LeastCostOptions options;
    options.budget = search.budget;
    options.seed = search.request.seed;
    options.solver = search.request.solver;
    options.limits = limits;
    options.means.recompute = recompute;
    options.means.offload = true;
    options.transfers =
        getUnitCosts(units, onlyFreeWork ? moved : search.costs);
    if (!options.limits.isTimed())
      options.effort = kExactEffort;
    if (!RematGameTakes(units.problem, options))
      return false;
    best.refusal.clear();
    game::Schedule found = graph::leastCost(units.problem, options);
    best.limited |= found.limited;
    if (!found.moves.empty())
      offer(expandMoves(units, found.moves), found.solver);
    if (recompute == search.request.recompute && !onlyFreeWork && !isByClock &&
        !units.losesSchedules && found.status != game::Status::Unknown)
      best.bound = std::max(best.bound, found.bound);
    return found.status == game::Status::Optimal;
  }

  static bool RematGameTakes(const game::Problem &problem,
                             const graph::LeastCostOptions &options) {
    return graph::RematGame::refusal(problem, options.means).empty() &&
           graph::leastCostRefusal(problem, options).empty();
  }

  //===--------------------------------------------------------------------===//
  // Wishes
  //===--------------------------------------------------------------------===//

  /// The tier that each value is wanted in; 0 for the others.
  std::vector<game::Id> getWanted() const {
    std::vector<game::Id> wanted(p.values.size(), 0);
    for (game::Id step = 0; step < p.steps.size(); ++step) {
      if (search.built.problem.steps[step].pin != game::Pin::Offload)
        continue;
      Operation *op = search.analysis.getSteps()[step].op;
      game::Id tier = getTier(op->getAttr(attr::kOffload));
      for (const game::Access &write : p.steps[step].writes)
        wanted[write.value] = tier;
    }
    return wanted;
  }

  game::Id getTier(Attribute wish) const {
    if (auto name = dyn_cast<StringAttr>(wish))
      for (size_t at = p.hierarchy.computeTier() + 1;
           at < p.hierarchy.tiers.size(); ++at)
        if (p.hierarchy.tiers[at].name == name.getValue())
          return at - p.hierarchy.computeTier();
    return 1;
  }

  /// Takes what is to be offloaded away from each run that makes or needs it to
  /// the next that does. No tier but the slower one ever holds more for it.
  void followWishes() {
    std::vector<game::Id> wanted = getWanted();
    if (llvm::all_of(wanted, [](game::Id tier) { return tier == 0; }))
      return;
    std::vector<game::Move> moves;
    std::vector<bool> isHere(p.values.size(), false);
    auto isWanted = [&](game::Id value) { return wanted[value] != 0; };
    auto bring = [&](game::Id value) {
      if (isWanted(value) && !isHere[value])
        moves.push_back({game::MoveKind::Load, value, wanted[value]});
      isHere[value] = true;
    };
    auto takeAway = [&](game::Id value) {
      if (isWanted(value) && isHere[value])
        moves.push_back({game::MoveKind::Drop, value, 0});
      isHere[value] = false;
    };
    for (const game::Move &move : best.moves) {
      if (move.kind != game::MoveKind::Compute) {
        if (!isWanted(move.subject))
          moves.push_back(move);
        continue;
      }
      const game::Step &step = p.steps[move.subject];
      for (const game::Access &read : step.reads)
        bring(read.value);
      for (const game::Access &write : step.writes)
        if (game::Id old = p.values[write.value].overwrites; old != game::kNone)
          bring(old);
      moves.push_back(move);
      for (const game::Access &write : step.writes) {
        if (game::Id old = p.values[write.value].overwrites; old != game::kNone)
          isHere[old] = false;
        isHere[write.value] = true;
        if (isWanted(write.value))
          moves.push_back(
              {game::MoveKind::Store, write.value, wanted[write.value]});
      }
      for (const game::Access &write : step.writes)
        takeAway(write.value);
      for (const game::Access &read : step.reads)
        takeAway(read.value);
    }
    for (game::Id value = 0; value < p.values.size(); ++value)
      if (p.values[value].required)
        bring(value);
    best.moves = graph::canonicalMoves(p, moves);
  }

  const MoveSearch &search;
  /// What others search is priced in its own way, and reported here.
  const graph::Limits limits = search.limits.observedBy(nullptr);
  const game::Problem p;
  const graph::MoveCosts moved;
  /// Transfers cost nothing, and the bytes moved break ties.
  const bool isByWork;
  /// Transfers take time, beside the steps.
  const bool isByClock;
  int64_t once = 0;
  /// The solver that was asked for takes the problem without transfers.
  bool isTaken = false;
  /// The problem with chains drawn together, and if that loses schedules, with
  /// fewer of them.
  std::vector<UnitProblem> contracted;
  /// The best with transfers alone and with recomputation alone, and its cost.
  std::pair<int64_t, std::vector<game::Move>> alone[2];
  MoveAnswer best;
  /// Cost, then bytes moved.
  std::pair<int64_t, int64_t> bestValue;
};
} // namespace

LogicalResult checkOffloadWishes(const MoveSearch &search) {
  const game::Problem &p = search.built.problem;
  for (auto [index, step] : llvm::enumerate(p.steps)) {
    if (step.pin != game::Pin::Offload)
      continue;
    Operation *op = search.analysis.getSteps()[index].op;
    if (llvm::none_of(step.writes, [&](const game::Access &write) {
          return static_cast<bool>(search.built.contents[write.value].name);
        }))
      return emitError(op->getLoc(), "pebble.offload cannot be followed: the "
                                     "op makes nothing that has a name");
    for (const game::Access &write : step.writes)
      if (const std::string &reason =
              search.built.contents[write.value].refusal;
          !reason.empty())
        return emitError(op->getLoc(), "pebble.offload cannot be followed: ")
               << reason;
  }
  return success();
}

MoveAnswer findMoves(const MoveSearch &search) {
  return MoveFinder(search).run();
}

LeastBudget findLeastMoves(const MoveSearch &search) {
  game::Problem p = getMoveProblem(search);
  graph::MoveCosts bytes = getMovedBytes(p);
  LeastBudget least;
  least.bytes = std::numeric_limits<int64_t>::max();
  least.solver = "paging";
  least.slowBytes = 0;
  size_t compute = p.hierarchy.computeTier();
  for (const game::Tier &tier :
       llvm::ArrayRef(p.hierarchy.tiers).drop_front(compute + 1)) {
    if (tier.capacity == game::kUnbounded || !least.slowBytes)
      least.slowBytes = std::nullopt;
    else
      least.slowBytes = addCounts(*least.slowBytes, tier.capacity);
  }
  auto page = [&](const std::vector<game::Id> &order, int64_t budget) {
    graph::PagingOptions options;
    options.budget = budget;
    options.effort = 1;
    return graph::pageRuns(p, order, bytes, options);
  };
  for (const std::vector<game::Id> &order : search.orders) {
    // Below `low` nothing fits, within `high` the order does as it is.
    int64_t low = graph::leastPagingBudget(p, order);
    int64_t high = game::verify(p, graph::scheduleOfRuns(p, order)).peak[0];
    game::Schedule found = page(order, low);
    if (found.status == game::Status::Feasible)
      high = low;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      game::Schedule other = page(order, middle);
      if (other.status != game::Status::Feasible) {
        low = middle + 1;
        continue;
      }
      high = middle;
      found = std::move(other);
    }
    if (high >= least.bytes)
      continue;
    least.bytes = high;
    least.steps = order;
    least.moves = found.status == game::Status::Feasible
                      ? found.moves
                      : graph::scheduleOfRuns(p, order);
  }
  return least;
}

} // namespace pebble
