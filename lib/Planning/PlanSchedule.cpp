//===- PlanSchedule.cpp - a schedule within a budget, for one block -------===//

#include "pebble/Planning/PlanSchedule.h"

#include "CostUnit.h"
#include "EnergyOrders.h"
#include "Infeasible.h"
#include "Judge.h"
#include "Makespan.h"
#include "PlanChain.h"
#include "PlanMoves.h"
#include "SavedStart.h"
#include "TransferActions.h"
#include "Wishes.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/StepUnits.h"
#include "pebble/Solver/Graph/LeastCost.h"
#include "pebble/Solver/Graph/PeakOrder.h"
#include "pebble/Solver/Graph/RematGreedy.h"

using namespace mlir;

namespace pebble {

/// Where recomputation can help as well, searches for an order end here.
static constexpr uint64_t kOrderEffort = 1000000;

namespace {
class SchedulePlanner {
public:
  SchedulePlanner(const DependenceGraph &dependences,
                  const ScheduleRequest &request)
      : analysis(dependences.getStorage()), request(request) {
    BuildOptions options;
    options.hierarchy = request.hierarchy;
    options.capacities = false;
    options.moves = request.offload;
    options.dictated = request.dictated;
    options.countArguments = request.countArguments;
    options.slowTaken = request.slowTaken;
    built = buildProblemWithin(dependences, options);
  }

  FailureOr<SchedulePlan> run() {
    if (failed(setUp()))
      return failure();
    if (request.leanest) {
      if (failed(checkWishes()) || failed(takeLeanest(/*limited=*/false)))
        return failure();
      return judge();
    }
    bool isOver = request.budget < 0; // whatever the block does
    if (isOver && (request.recompute || request.offload))
      return takeLeanest(/*limited=*/false);
    if (takeSaved())
      return judge();
    if (hasWish()) {
      if (failed(checkWishes()))
        return failure();
    } else if (!isOver && tryOrders()) {
      return judge();
    }
    if (request.offload) {
      if (failed(move()))
        return failure();
      return judge();
    }
    if (!request.recompute)
      return reportOrders();
    if (failed(recompute()))
      return failure();
    return judge();
  }

private:
  Location getLoc() const { return getBlockLoc(analysis); }

  int64_t getPeak(const LifetimeAnalysis &lifetime) const {
    return getCountedPeak(lifetime, request.countArguments);
  }

  LogicalResult setUp() {
    FailureOr<std::vector<int64_t>> costs = getStepCosts(
        analysis, request.objective, request.hierarchy, request.cacheModel);
    if (failed(costs))
      return failure();
    plan.costs = plan.unitCosts = *costs;
    if (request.offload) {
      FailureOr<graph::MoveCosts> prices =
          getMoveCosts(analysis, built.problem, request.objective);
      if (failed(prices))
        return failure();
      exactMoveCosts = std::move(*prices);
    }
    costUnit = CostUnit(plan.costs, exactMoveCosts);
    reporter.emplace(costUnit, request.limits);
    moveCosts = costUnit.down(exactMoveCosts);
    for (auto [step, cost] : llvm::enumerate(plan.costs))
      built.problem.steps[step].cost = costUnit.down(cost);
    if (failed(checkProblem(analysis, built.problem)))
      return failure();
    plan.runOnce = getRunOnceReasons(analysis);
    plan.contents = built.contents;
    given = game::givenOrder(built.problem);
    plan.inputPeak = getPeak(LifetimeAnalysis(analysis));
    for (int64_t cost : plan.costs) {
      once += costUnit.down(cost);
      exactOnce = addCounts(exactOnce, cost);
    }
    if (request.saved || request.keepsPlan)
      describeSteps();
    // What the game cannot see has to fit as well.
    if (!built.peakIsExact)
      unseen = std::max<int64_t>(0, plan.inputPeak - getGamePeak(given));
    return success();
  }

  /// Notes how a plan knows its steps again, which takes the text of all steps.
  void describeSteps() {
    plan.toSave.steps = getStepKeys(analysis);
    plan.toSave.signature =
        getSignature(plan.toSave.steps, built.problem,
                     request.offload ? &moveCosts : nullptr);
    plan.toSave.budget = request.budget;
  }

  /// What a solver's bound says in the unit of the objective. Nothing costs
  /// less than every step once.
  int64_t getBound(int64_t bound) const {
    return std::max(exactOnce, costUnit.up(bound));
  }

  int64_t getGamePeak(const std::vector<game::Id> &runs) const {
    return game::verify(built.problem,
                        graph::scheduleOfRuns(built.problem, runs))
               .peak[0] -
           built.peakOffset;
  }

  /// What the game counts on top of the block's bytes.
  int64_t getOffset() const { return built.peakOffset - unseen; }

  /// The budget as the game counts.
  int64_t getBudget() const { return request.budget + getOffset(); }

  //===--------------------------------------------------------------------===//
  // Saved plans
  //===--------------------------------------------------------------------===//

  /// A plan of the same problem for the same budget is the answer; so is one
  /// for a larger budget that fits, for no smaller budget allows for less cost.
  bool takeSaved() {
    const SavedPlan *saved = request.saved;
    if (!saved || !saved->isSealed ||
        saved->signature != plan.toSave.signature ||
        saved->budget < request.budget)
      return false;
    UnitProblem units = getUnits(Grouping::Full);
    game::Problem relaxed = built.problem;
    for (const StepUnit &unit : units.units)
      for (game::Id step : unit.steps)
        relaxed.steps[step].recomputable =
            unit.reason.empty() && request.recompute;
    if (!request.offload && !saved->moves.empty())
      return false;
    if (!fitsBudget(*saved, relaxed, getBudget()))
      return false;
    describeUnits(units);
    plan.runs = saved->runs;
    plan.moves = saved->moves;
    plan.bound = saved->bound;
    plan.status = saved->bound >= saved->cost ? game::Status::Optimal
                                              : game::Status::Feasible;
    plan.solver = saved->solver;
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Wishes
  //===--------------------------------------------------------------------===//

  bool hasWish() const { return hasWishes(built.problem); }

  LogicalResult checkWishes() {
    if (failed(checkRecomputeWishes(analysis, getUnits(Grouping::Full),
                                    request.recompute, request.offload)))
      return failure();
    return request.offload ? checkOffloadWishes(getMoveSearch()) : success();
  }

  //===--------------------------------------------------------------------===//
  // Orders
  //===--------------------------------------------------------------------===//

  /// Looks for an order within the budget: nothing costs less.
  bool tryOrders() {
    if (request.objective == ScheduleObjective::Energy &&
        hasCaches(built.problem))
      return tryEnergyOrders();
    if (takeOrder(given, "given"))
      return true;
    graph::PeakOrderOptions options;
    options.seed = request.seed;
    options.limits = getLimits(request.recompute ? 3 : 1);
    options.enough = getBudget();
    if (request.recompute && !request.limits.isTimed())
      options.effort = kOrderEffort;
    leastPeak = graph::orderForPeak(built.problem, options);
    plan.limited |= leastPeak.limited;
    return takeOrder(leastPeak.order, leastPeak.solver);
  }

  /// Where caches price accesses, orders differ in cost. The dearer one is
  /// taken only where the other one does not fit.
  bool tryEnergyOrders() {
    EnergyOrders found =
        findEnergyOrders(analysis, built, request, getBudget(), getLimits(2));
    plan.limited |= found.limited;
    return llvm::any_of(found.orders, [&](const NamedOrder &entry) {
      return takeOrder(entry.order, entry.solver);
    });
  }

  bool takeOrder(const std::vector<game::Id> &order, StringRef solver) {
    if (getPeak(LifetimeAnalysis(analysis, order)) > request.budget)
      return false;
    plan.runs.assign(order.begin(), order.end());
    plan.status = game::Status::Optimal;
    plan.bound = exactOnce;
    plan.solver = solver.str();
    plan.limited = false;
    return true;
  }

  /// The leanest order that is known.
  LeastBudget getLeastOrder() {
    if (leastPeak.order.empty()) {
      graph::PeakOrderOptions options;
      options.seed = request.seed;
      // Where more than orders is allowed, the rest has the time.
      options.limits = getLimits(request.recompute || request.offload ? 4 : 1);
      leastPeak = graph::orderForPeak(built.problem, options);
    }
    LeastBudget least;
    least.bytes = getPeak(LifetimeAnalysis(analysis, leastPeak.order));
    least.steps = leastPeak.order;
    least.solver = leastPeak.solver;
    least.limited = leastPeak.limited;
    least.isProven =
        leastPeak.status == game::Status::Optimal && !built.isRestricted;
    return least;
  }

  FailureOr<SchedulePlan> reportOrders() {
    LeastBudget least = getLeastOrder();
    least.mayRecompute = false;
    return report(least);
  }

  //===--------------------------------------------------------------------===//
  // Recomputation
  //===--------------------------------------------------------------------===//

  UnitProblem getUnits(Grouping grouping) const {
    return buildUnitProblem(built.problem, plan.runOnce, grouping);
  }

  graph::LeastCostOptions getOptions() const {
    graph::LeastCostOptions options;
    options.budget = getBudget();
    options.solver = request.solver;
    options.seed = request.seed;
    return options;
  }

  /// Nothing if the block is no chain of equal steps.
  std::optional<LogicalResult> recomputeChain() {
    if (!request.solver.empty() || !costUnit.isOne())
      return std::nullopt;
    std::optional<game::Schedule> found =
        planChain(built, plan.runOnce, getOptions());
    if (!found)
      return std::nullopt;
    LeastBudget least = getLeastOfChain(*found, getOffset());
    least.isProven &= !built.isRestricted;
    if (found->status == game::Status::Infeasible)
      return failure(failed(report(least)));
    plan.runs.assign(least.steps.begin(), least.steps.end());
    plan.status = found->status;
    plan.bound = found->bound;
    plan.solver = found->solver;
    return success();
  }

  LogicalResult recompute() {
    if (std::optional<LogicalResult> done = recomputeChain())
      return *done;
    // What is wanted again by each of its readers has to be told apart.
    UnitProblem units =
        getUnits(hasWish() ? Grouping::Lossless : Grouping::Full);
    graph::LeastCostOptions options = getOptions();
    if (std::string refusal = graph::leastCostRefusal(units.problem, options);
        !refusal.empty())
      return emitError(getLoc()) << "cannot plan this block: " << refusal;
    // While nothing is known to fit, a quarter is left for what fits at all.
    options.limits = getLimits(units.losesSchedules ? 2 : 1, kForLeast);
    game::Schedule found = solve(units, options);
    if (units.losesSchedules && found.status != game::Status::Optimal) {
      // Chains that are drawn together run as one; apart they may need less.
      UnitProblem loose = getUnits(Grouping::Lossless);
      options.limits = getLimits(1, isAnswer(found) ? 0 : kForLeast);
      game::Schedule other = solve(loose, options);
      if (!isAnswer(found) && !isAnswer(other)) {
        describeUnits(units);
        return takeLeast({&units, &loose}, found.limited || other.limited);
      }
      if (isAnswer(other) && (!isAnswer(found) || other.cost < found.cost)) {
        found = std::move(other);
        units = std::move(loose);
      }
    }
    describeUnits(units);
    if (!isAnswer(found))
      return takeLeast({&units}, found.limited);
    FailureOr<std::vector<unsigned>> runs = getRuns(found.moves);
    if (failed(runs))
      return emitError(getLoc())
             << "internal error: the solver moved values between tiers";
    std::vector<game::Id> steps =
        expandUnits(units, {runs->begin(), runs->end()});
    plan.runs.assign(steps.begin(), steps.end());
    plan.status = found.status;
    plan.bound = getBound(found.bound);
    plan.solver = found.solver;
    plan.limited = found.limited;
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Moves between tiers
  //===--------------------------------------------------------------------===//

  MoveSearch getMoveSearch() {
    MoveSearch search{analysis,     built,       request, moveCosts,
                      plan.runOnce, getBudget(), {given}, getLimits(1)};
    if (!leastPeak.order.empty() && leastPeak.order != given)
      search.orders.push_back(leastPeak.order);
    return search;
  }

  LogicalResult move() {
    getLeastOrder();
    MoveSearch search = getMoveSearch();
    MoveAnswer answer = findMoves(search);
    plan.limited |= answer.limited;
    if (!answer.refusal.empty())
      return emitError(getLoc())
             << "cannot plan this block: " << answer.refusal;
    if (answer.status == game::Status::Unknown)
      return takeLeanest(answer.limited);
    plan.moves = std::move(answer.moves);
    plan.status = answer.status;
    plan.bound = getBound(answer.bound);
    plan.solver = answer.solver;
    return success();
  }

  LeastBudget getLeastMoves(const MoveSearch &search) {
    LeastBudget least = findLeastMoves(search);
    least.bytes += unseen;
    least.orderPeak = getLeastOrder().bytes;
    return least;
  }

  /// Asks for the leanest schedule where no cheap one was found: the answer if
  /// it fits after all, otherwise what the error names.
  LogicalResult takeLeast(ArrayRef<const UnitProblem *> all, bool limited,
                          std::optional<LeastBudget> moved = std::nullopt) {
    LeastBudget least = getLeastOrder();
    least.isProven &= !request.recompute && !request.offload;
    if (moved && moved->bytes <= least.bytes)
      least = *moved;
    // An order alone follows no wish.
    if (hasWish())
      least.bytes = std::numeric_limits<int64_t>::max();
    // No schedule gets by with less than its largest step.
    int64_t floor =
        getLargestStep(built.problem) - built.peakOffset - built.untouched;
    for (auto [index, units] : llvm::enumerate(all)) {
      if (least.bytes <= floor)
        break;
      graph::LeastCostOptions options = getOptions();
      options.limits = getLimits(all.size() - index);
      std::optional<LeastBudget> other =
          findLeastBudget(*units, getOffset(), options);
      if (!other)
        continue;
      other->isProven &=
          all.size() == 1 && !request.offload && !built.isRestricted;
      if (other->bytes < least.bytes ||
          (other->bytes == least.bytes && other->isProven))
        least = std::move(*other);
    }
    plan.isLeast = least.isProven || least.bytes <= floor;
    if (least.bytes <= request.budget) {
      plan.runs.assign(least.steps.begin(), least.steps.end());
      plan.moves = least.moves;
      plan.status = game::Status::Feasible;
      plan.bound = exactOnce;
      plan.solver = least.solver;
      plan.limited = limited;
      if (request.leanest) // what is left of the budget is not for transfers
        overlapBudget = least.bytes + getOffset();
      return success();
    }
    least.limited = limited;
    least.isProven |= least.bytes <= floor;
    if (moved) {
      least.slowBytes = moved->slowBytes;
      least.orderPeak = moved->orderPeak;
    }
    return report(least);
  }

  /// The leanest schedule, where nobody asks what it costs or nothing cheap was
  /// found. Where values may be moved, it recomputes or moves, not both.
  LogicalResult takeLeanest(bool limited) {
    getLeastOrder();
    limited |= leastPeak.limited;
    std::optional<LeastBudget> moved;
    if (request.offload)
      moved = getLeastMoves(getMoveSearch());
    UnitProblem units = getUnits(Grouping::Full);
    describeUnits(units);
    if (!request.recompute)
      return takeLeast({}, limited, moved);
    UnitProblem loose = getUnits(Grouping::Lossless);
    if (units.losesSchedules)
      return takeLeast({&units, &loose}, limited, moved);
    return takeLeast({&units}, limited, moved);
  }

  game::Schedule solve(const UnitProblem &units,
                       graph::LeastCostOptions options) const {
    if (request.saved)
      options.start =
          getStart(*request.saved, plan.toSave.steps, units, getBudget());
    game::Schedule found = graph::leastCost(units.problem, options);
    if (!options.start.empty())
      takeIfBetter(options.start, units.problem, once, found);
    if (isAnswer(found) &&
        !game::verify(units.problem, found.moves, options.budget).verdict.ok())
      found.status = game::Status::Unknown;
    return found;
  }

  /// What a unit cannot do, none of its steps can.
  void describeUnits(const UnitProblem &units) {
    for (auto [unit, step] : llvm::zip(units.units, units.problem.steps))
      for (game::Id member : unit.steps) {
        plan.runOnce[member] = unit.reason;
        plan.unitCosts[member] = costUnit.up(step.cost);
      }
  }

  //===--------------------------------------------------------------------===//
  // The judge
  //===--------------------------------------------------------------------===//

  /// Replays the steps one by one under the rules of the block's problem, where
  /// steps of a unit may run again although they update in place.
  FailureOr<SchedulePlan> judge() {
    game::Problem relaxed = built.problem;
    for (auto [step, reason] : llvm::zip(relaxed.steps, plan.runOnce))
      step.recomputable = reason.empty();
    std::vector<game::Move> moves = plan.moves;
    if (moves.empty()) {
      std::vector<game::Id> runs(plan.runs.begin(), plan.runs.end());
      moves = graph::scheduleOfRuns(relaxed, runs);
    } else {
      plan.runs = getRunsOf(moves);
    }
    if (llvm::none_of(moves, graph::isTransfer))
      plan.moves.clear();
    std::vector<timeline::Action> program = timeline::waitAtOnce(moves);
    bool isByClock = request.objective == ScheduleObjective::Time;
    if (isByClock && !plan.moves.empty()) {
      timeline::Overlapped found = overlapMoves(
          relaxed, moves, moveCosts, overlapBudget.value_or(getBudget()));
      plan.timeline = std::move(found.timeline);
      program = std::move(found.actions);
      moves = timeline::movesOf(program);
    }
    game::Replay replay;
    FailureOr<int64_t> peak = replayPeak(
        analysis, built, relaxed, moves,
        built.peakIsExact ? std::optional(getBudget()) : std::nullopt, &replay);
    if (failed(peak))
      return failure();
    plan.peak = *peak;
    noteTransfers(analysis, built, moves, replay, exactMoveCosts, plan);
    plan.actions = toActions(built, request.hierarchy, program);
    // Without steps nothing is replayed.
    plan.peakIsExact = built.peakIsExact && !plan.runs.empty();
    if (plan.isOrder()) {
      int64_t counted = getPeak(LifetimeAnalysis(analysis, plan.runs));
      if (plan.peakIsExact &&
          failed(checkPeaksAgree(analysis, plan.peak, counted)))
        return failure();
      plan.peak = counted;
    }
    noteStepPeaks(analysis, moves, replay, getOffset(), request.countArguments,
                  plan);
    plan.cost = 0;
    for (unsigned step : plan.runs)
      plan.cost = addCounts(plan.cost, plan.costs[step]);
    plan.cost = plan.timeline ? costUnit.up(plan.timeline->makespan)
                              : addCounts(plan.cost, plan.transferCost);
    plan.bound =
        std::min(built.isRestricted ? exactOnce : plan.bound, plan.cost);
    // What a coarse unit rounds off, or fewer orders, is not proven.
    if ((built.isRestricted || !costUnit.isOne()) && plan.bound < plan.cost)
      plan.status = game::Status::Feasible;
    request.limits.report(plan.cost, plan.bound);
    plan.toSave.runs = plan.runs;
    plan.toSave.moves = plan.moves;
    plan.toSave.status = plan.status;
    plan.toSave.cost = plan.cost;
    plan.toSave.bound = plan.bound;
    plan.toSave.solver = plan.solver;
    return plan;
  }

  LogicalResult report(LeastBudget least) const {
    least.isProven &= request.scratchIsLeast;
    return reportInfeasible(analysis, built, plan, request, moveCosts,
                            getOffset(), least);
  }

  /// Percent of the time limit for the leanest schedule where none was found.
  static constexpr int64_t kForLeast = 25;

  /// What each of `parts` may take of the time that is left, less `reserved`
  /// percent of all.
  graph::Limits getLimits(int64_t parts, int64_t reserved = 0) const {
    return request.limits.part(parts, allTime / 100 * reserved)
        .observedBy(&*reporter);
  }

  const StorageAnalysis &analysis;
  const ScheduleRequest &request;
  /// Milliseconds that there were at first; 0: no limit.
  const int64_t allTime = request.limits.left();
  BlockProblem built;
  std::vector<game::Id> given;
  graph::PeakOrder leastPeak;
  /// Cost of every step once, in the solvers' unit and in the objective's.
  int64_t once = 0, exactOnce = 0;
  CostUnit costUnit;
  mutable std::optional<CostReporter> reporter;
  /// Bytes of the block's peak that the game does not count.
  int64_t unseen = 0;
  /// Live bytes within which transfers run beside steps, if not the budget.
  std::optional<int64_t> overlapBudget;
  /// Prices of transfers, where they are allowed; in the solvers' unit and in
  /// the objective's.
  graph::MoveCosts moveCosts, exactMoveCosts;
  SchedulePlan plan;
};
} // namespace

FailureOr<SchedulePlan> planSchedule(const DependenceGraph &dependences,
                                     const ScheduleRequest &request) {
  return SchedulePlanner(dependences, request).run();
}

} // namespace pebble
