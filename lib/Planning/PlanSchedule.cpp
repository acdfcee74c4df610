//===- PlanSchedule.cpp - a schedule within a budget, for one block -------===//

#include "pebble/Planning/PlanSchedule.h"

#include "CostUnit.h"
#include "Infeasible.h"
#include "Judge.h"
#include "TransferActions.h"
#include "Wishes.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Analysis/Traffic.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Solver/Portfolio/FindSchedule.h"
#include "pebble/Solver/Remat/PackedOrder.h"
#include "pebble/Solver/Remat/RematGreedy.h"
#include "pebble/Solver/Timeline/MakespanBound.h"

using namespace mlir;

namespace pebble {

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
    if (!request.leanest && request.budget >= 0) {
      if (takeSaved() || takeGivenOrder() || takeCountedOrder())
        return judge();
    }
    if (failed(checkWishes()))
      return failure();
    portfolio::Request wanted = getRequest();
    portfolio::Answer answer = portfolio::findSchedule(wanted);
    if (!answer.refusal.empty())
      return emitError(getLoc())
             << "cannot plan this block: " << answer.refusal;
    take(answer);
    if (!isAnswered(answer.schedule.status))
      return report(answer);
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
    findUpdates();
    costUnit = CostUnit(getAllCosts(), exactMoveCosts);
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
    for (int64_t cost : plan.costs)
      exactOnce = addCounts(exactOnce, cost);
    if (request.saved || request.keepsPlan)
      describeSteps();
    // What the game cannot see has to fit as well.
    if (!built.peakIsExact)
      unseen = std::max<int64_t>(0, plan.inputPeak - getGamePeak(given));
    return success();
  }

  /// Which updates need not be in place. Where caches price accesses, nobody
  /// can tell what another storage costs; a game that allows less than the
  /// block does says little of what another storage would allow.
  void findUpdates() {
    if (request.outOfPlace && !built.isRestricted && !asksForEnergyOrder())
      updates = getFreeUpdates(analysis, built.problem, request.objective,
                               request.hierarchy);
  }

  /// Of steps and of copies.
  std::vector<int64_t> getAllCosts() const {
    std::vector<int64_t> costs = plan.costs;
    for (const FreeUpdate &update : updates)
      costs.push_back(update.copyCost);
    return costs;
  }

  portfolio::Update toGame(const FreeUpdate &update) const {
    return {update.value, update.copies, costUnit.down(update.copyCost)};
  }

  /// The block's problem with the plan's updates out of place.
  game::Problem getPlannedProblem() const {
    std::vector<portfolio::Update> fresh;
    for (const FreeUpdate &update : plan.outOfPlace)
      fresh.push_back(toGame(update));
    return portfolio::withFreshStorages(built.problem, fresh);
  }

  /// Takes the updates of `values` out of place; false if one must stay.
  bool takeOutOfPlace(ArrayRef<game::Id> values) {
    for (game::Id value : values) {
      auto found = llvm::find_if(updates, [&](const FreeUpdate &update) {
        return update.value == value;
      });
      if (found == updates.end())
        return false;
      plan.outOfPlace.push_back(*found);
    }
    return true;
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
  // Nothing to search
  //===--------------------------------------------------------------------===//

  /// A plan of the same problem for the same budget is the answer; so is one
  /// for a larger budget that fits, for no smaller budget allows for less cost.
  bool takeSaved() {
    const SavedPlan *saved = request.saved;
    if (!saved || !saved->isSealed ||
        saved->signature != plan.toSave.signature ||
        saved->budget < request.budget ||
        (!request.offload && !saved->moves.empty()))
      return false;
    if (!takeOutOfPlace(saved->outOfPlace) || !takeSavedMoves(*saved)) {
      plan.outOfPlace.clear();
      return false;
    }
    plan.bound = saved->bound;
    plan.status = saved->bound >= saved->cost ? game::Status::Optimal
                                              : game::Status::Feasible;
    plan.solver = saved->solver;
    return true;
  }

  bool takeSavedMoves(const SavedPlan &saved) {
    portfolio::UnitProblem units = portfolio::buildUnitProblem(
        built.problem, plan.runOnce, portfolio::Grouping::Full);
    std::vector<std::string> reasons = plan.runOnce;
    for (const portfolio::StepUnit &unit : units.units)
      for (game::Id step : unit.steps)
        reasons[step] = unit.reason;
    if (!takeMovesUnder(saved, reasons)) {
      // Steps may be no unit and run again where updates were free to move.
      reasons = plan.runOnce;
      if (updates.empty() || !takeMovesUnder(saved, reasons))
        return false;
    }
    plan.runOnce = std::move(reasons);
    for (auto [unit, step] : llvm::zip(units.units, units.problem.steps))
      for (game::Id member : unit.steps)
        plan.unitCosts[member] = costUnit.up(step.cost);
    return true;
  }

  /// Takes the moves of `saved` if they fit where `reasons` say what runs once.
  bool takeMovesUnder(const SavedPlan &saved,
                      const std::vector<std::string> &reasons) {
    game::Problem relaxed =
        portfolio::judgedProblem(getPlannedProblem(), reasons);
    for (game::Step &step : relaxed.steps)
      step.recomputable &= request.recompute;
    std::vector<game::Move> moves = saved.moves;
    if (moves.empty())
      moves = graph::scheduleOfRuns(relaxed,
                                    {saved.runs.begin(), saved.runs.end()});
    if (!game::verify(relaxed, moves, getBudget()).verdict.ok())
      return false;
    plan.moves = std::move(moves);
    return true;
  }

  /// The order that came in, where it fits and no other could be cheaper. The
  /// game may count more than the block has, so that it is asked first.
  bool takeGivenOrder() {
    if (hasWishes(built.problem) || asksForEnergyOrder() ||
        plan.inputPeak > request.budget)
      return false;
    takeOrder(given);
    return true;
  }

  /// Where the game counts more than the block has, an order may fit that the
  /// game refuses.
  bool takeCountedOrder() {
    if (!built.isRestricted || hasWishes(built.problem))
      return false;
    portfolio::Request wanted = getRequest();
    wanted.search.means = graph::RematMeans();
    wanted.search.means.recompute = false;
    wanted.search.transfers.reset();
    wanted.search.limits = request.limits.part(4);
    wanted.wantedTiers.clear();
    wanted.oldRuns.clear();
    wanted.updates.clear();
    wanted.leanest = true;
    portfolio::Answer answer = portfolio::findSchedule(wanted);
    std::vector<unsigned> runs = getRunsOf(answer.least->moves);
    std::vector<game::Id> order(runs.begin(), runs.end());
    countedOrderPeak = getPeak(LifetimeAnalysis(analysis, order));
    if (*countedOrderPeak > request.budget)
      return false;
    takeOrder(order);
    plan.solver = answer.least->solver;
    return true;
  }

  void takeOrder(const std::vector<game::Id> &order) {
    plan.moves = graph::scheduleOfRuns(built.problem, order);
    plan.status = game::Status::Optimal;
    plan.bound = exactOnce;
    plan.solver = "given";
    plan.limited = false;
  }

  LogicalResult checkWishes() {
    if (!hasWishes(built.problem))
      return success();
    portfolio::UnitProblem units = portfolio::buildUnitProblem(
        built.problem, plan.runOnce, portfolio::Grouping::Full);
    if (failed(checkRecomputeWishes(analysis, units, request.recompute,
                                    request.offload)))
      return failure();
    return request.offload ? checkOffloadWishes(analysis, built) : success();
  }

  //===--------------------------------------------------------------------===//
  // The request and the answer
  //===--------------------------------------------------------------------===//

  bool asksForEnergyOrder() const {
    return request.objective == ScheduleObjective::Energy &&
           llvm::any_of(built.problem.hierarchy.tiers,
                        [](const game::Tier &tier) {
                          return tier.kind == game::TierKind::Cache;
                        });
  }

  portfolio::Request getRequest() {
    portfolio::Request wanted;
    wanted.problem = built.problem;
    wanted.runOnce = plan.runOnce;
    wanted.objective = getObjective();
    wanted.search.means.recompute = request.recompute;
    wanted.search.means.offload = request.offload;
    if (request.offload)
      wanted.search.transfers = moveCosts;
    wanted.search.budget = getBudget();
    wanted.search.solver = request.solver;
    wanted.search.seed = request.seed;
    // A search with a deadline uses it up, and packing comes after it.
    wanted.search.limits =
        (request.greedyPacking ? request.limits.share(2, 3) : request.limits)
            .observedBy(&*reporter);
    // Whatever the block does is more than a budget below nothing.
    wanted.leanest = request.leanest || request.budget < 0;
    wanted.namesLeast = true;
    if (asksForEnergyOrder())
      wanted.caches = request.cacheModel == CacheModel::Lru
                          ? graph::CacheModel::Lru
                          : graph::CacheModel::Sutro;
    wanted.isRestricted = built.isRestricted;
    wanted.untouched = built.untouched;
    if (request.offload)
      wanted.wantedTiers = takeWantedTiers(analysis, wanted.problem);
    if (request.saved)
      wanted.oldRuns = matchRuns(*request.saved, plan.toSave.steps);
    for (const FreeUpdate &update : updates)
      wanted.updates.push_back(toGame(update));
    return wanted;
  }

  portfolio::Objective getObjective() const {
    switch (request.objective) {
    case ScheduleObjective::Recompute:
      return portfolio::Objective::Work;
    case ScheduleObjective::Energy:
      return portfolio::Objective::Cost;
    case ScheduleObjective::Time:
      return portfolio::Objective::Time;
    }
    llvm_unreachable("unknown objective");
  }

  /// What the answer says, in the block's terms.
  void take(portfolio::Answer &answer) {
    plan.runOnce = std::move(answer.runOnce);
    for (auto [cost, found] : llvm::zip(plan.unitCosts, answer.unitCosts))
      cost = costUnit.up(found);
    plan.moves = answer.schedule.moves;
    plan.status = answer.schedule.status;
    plan.bound = getBound(answer.schedule.bound);
    plan.solver = answer.schedule.solver;
    plan.limited = answer.schedule.limited;
    plan.isLeast =
        answer.least && answer.least->isProven && analysis.countsMemoryOnce();
    std::vector<game::Id> fresh;
    for (const portfolio::Update &update : answer.outOfPlace)
      fresh.push_back(update.value);
    (void)takeOutOfPlace(fresh);
    if (answer.program) {
      plan.timeline = std::move(answer.program->timeline);
      program = std::move(answer.program->actions);
    }
    if (asksForEnergyOrder() && !request.leanest &&
        plan.inputPeak <= request.budget)
      keepGivenOrderIfCheaper();
  }

  /// The game's prices of accesses are not always the block's
  /// (BlockProblem::energyIsExact): what is written costs no more than what
  /// came in.
  void keepGivenOrderIfCheaper() {
    std::vector<unsigned> order = getRunsOf(plan.moves);
    if (order.size() != given.size() ||
        llvm::any_of(plan.moves, graph::isTransfer))
      return;
    auto getEnergy = [&](llvm::ArrayRef<unsigned> runs) {
      LifetimeAnalysis lifetime(analysis, runs);
      return TrafficAnalysis(lifetime, HierarchyCosts::get(request.hierarchy),
                             request.cacheModel)
          .getEnergy();
    };
    if (getEnergy(order) >= getEnergy(given))
      takeOrder(given);
  }

  //===--------------------------------------------------------------------===//
  // The judge
  //===--------------------------------------------------------------------===//

  FailureOr<SchedulePlan> judge() { return judge(getBudget()); }

  /// Replays the steps one by one under the rules of the block's problem, where
  /// steps of a unit may run again although they update in place. `budget` is
  /// as the game counts.
  FailureOr<SchedulePlan> judge(int64_t budget) {
    game::Problem relaxed =
        portfolio::judgedProblem(getPlannedProblem(), plan.runOnce);
    if (request.greedyPacking)
      plan.moves = graph::packOrder(relaxed, plan.moves,
                                    {request.seed, 0, request.limits})
                       .moves;
    std::vector<game::Move> moves = plan.moves;
    plan.runs = getRunsOf(moves);
    if (llvm::none_of(moves, graph::isTransfer))
      plan.moves.clear();
    if (program.empty())
      program = getProgram(relaxed, moves, budget);
    moves = timeline::movesOf(program);
    game::Replay replay;
    FailureOr<int64_t> peak = replayPeak(
        analysis, built, relaxed, moves,
        built.peakIsExact ? std::optional(budget) : std::nullopt, &replay);
    if (failed(peak))
      return failure();
    plan.peak = *peak;
    noteTransfers(analysis, built, moves, replay, exactMoveCosts, plan);
    plan.actions = toActions(built, request.hierarchy, program);
    // Without steps nothing is replayed. A copy is no step of the game, where
    // its step needs the old content until it has run.
    plan.peakIsExact =
        built.peakIsExact && !plan.runs.empty() &&
        llvm::none_of(plan.outOfPlace,
                      [](const FreeUpdate &update) { return update.copies; });
    if (plan.isOrder()) {
      int64_t counted = getPeak(LifetimeAnalysis(analysis, plan.runs));
      if (plan.peakIsExact &&
          failed(checkPeaksAgree(analysis, plan.peak, counted)))
        return failure();
      plan.peak = counted;
    }
    noteStepPeaks(analysis, moves, replay, getOffset(), request.countArguments,
                  plan);
    sumCosts();
    request.limits.report(plan.cost, plan.bound);
    save();
    return plan;
  }

  /// What the runs, copies and transfers of the plan cost together.
  void sumCosts() {
    plan.cost = 0;
    for (const FreeUpdate &update : plan.outOfPlace) {
      int64_t &cost = plan.costs[built.problem.values[update.value].producer];
      cost = addCounts(cost, update.copyCost);
      plan.toSave.outOfPlace.push_back(update.value);
    }
    for (unsigned step : plan.runs)
      plan.cost = addCounts(plan.cost, plan.costs[step]);
    plan.cost = plan.timeline ? costUnit.up(plan.timeline->makespan)
                              : addCounts(plan.cost, plan.transferCost);
    plan.bound =
        std::min(built.isRestricted ? exactOnce : plan.bound, plan.cost);
    // What a coarse unit rounds off, or fewer orders, is not proven.
    if ((built.isRestricted || !costUnit.isOne()) && plan.bound < plan.cost)
      plan.status = game::Status::Feasible;
  }

  void save() {
    plan.toSave.runs = plan.runs;
    plan.toSave.moves = plan.moves;
    plan.toSave.status = plan.status;
    plan.toSave.cost = plan.cost;
    plan.toSave.bound = plan.bound;
    plan.toSave.solver = plan.solver;
  }

  /// The program of moves that come from a file.
  std::vector<timeline::Action> getProgram(const game::Problem &relaxed,
                                           ArrayRef<game::Move> moves,
                                           int64_t budget) {
    if (request.objective != ScheduleObjective::Time ||
        llvm::none_of(moves, graph::isTransfer))
      return timeline::waitAtOnce(moves);
    timeline::Overlapped found = timeline::overlapTransfers(
        relaxed, moves, timeline::durationsOf(relaxed, moveCosts), budget);
    plan.timeline = std::move(found.timeline);
    return std::move(found.actions);
  }

  /// Whether a schedule of `moves` is proven, which need `budget` as the game
  /// counts.
  bool isProven(const std::vector<game::Move> &moves, int64_t budget) {
    if (!request.isProven || moves.empty())
      return true;
    const SchedulePlan before = plan;
    const std::vector<timeline::Action> programBefore = program;
    plan.moves = moves;
    program.clear();
    FailureOr<SchedulePlan> found = judge(budget);
    plan = before;
    program = programBefore;
    return succeeded(found) && request.isProven(*found);
  }

  /// What a search has found and nobody can prove is not known to do. The order
  /// that came in is, unless it leaves wishes open.
  void takeProven(LeastBudget &least, int64_t budget) {
    constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
    if (budget == kNone || isProven(least.moves, budget))
      return;
    const bool mayStay = !hasWishes(built.problem);
    least.unproven = least.bytes;
    least.bytes = mayStay ? plan.inputPeak : kNone;
    plan.outOfPlace.clear();
    least.moves = graph::scheduleOfRuns(built.problem, given);
    least.isProven = least.isCounted = false;
  }

  FailureOr<SchedulePlan> report(const portfolio::Answer &answer) {
    LeastBudget least;
    if (answer.least) {
      least.bytes = answer.least->bytes - getOffset();
      least.moves = answer.least->moves;
      least.isProven = answer.least->isProven && request.scratchIsLeast &&
                       analysis.countsMemoryOnce();
      least.orderPeak = answer.least->orderPeak - getOffset();
      if (answer.least->bytes == std::numeric_limits<int64_t>::max())
        least.bytes = answer.least->bytes;
      else if (countedOrderPeak && *countedOrderPeak < least.bytes) {
        least.bytes = *countedOrderPeak;
        least.isCounted = true;
      }
    }
    if (answer.least)
      takeProven(least, answer.least->bytes);
    if (request.leastKnown && answer.least)
      *request.leastKnown = least.bytes;
    least.limited = answer.schedule.limited;
    least.mayRecompute = request.recompute || request.offload;
    if (request.offload)
      least.slowBytes = getSlowBytes(built.problem);
    BlockProblem planned = built;
    planned.problem = getPlannedProblem();
    return reportInfeasible(analysis, planned, plan, request, moveCosts,
                            getOffset(), least);
  }

  const StorageAnalysis &analysis;
  const ScheduleRequest &request;
  BlockProblem built;
  std::vector<game::Id> given;
  /// Those that may be made out of place.
  std::vector<FreeUpdate> updates;
  /// Cost of every step once, in the unit of the objective.
  int64_t exactOnce = 0;
  CostUnit costUnit;
  std::optional<CostReporter> reporter;
  /// The peak of the leanest order as the block counts, where that is less than
  /// what the game counts.
  std::optional<int64_t> countedOrderPeak;
  /// Bytes of the block's peak that the game does not count.
  int64_t unseen = 0;
  /// Prices of transfers, where they are allowed; in the solvers' unit and in
  /// the objective's.
  graph::MoveCosts moveCosts, exactMoveCosts;
  /// What the block does, transfers begun and waited for.
  std::vector<timeline::Action> program;
  SchedulePlan plan;
};
} // namespace

FailureOr<SchedulePlan> planSchedule(const DependenceGraph &dependences,
                                     const ScheduleRequest &request) {
  return SchedulePlanner(dependences, request).run();
}

} // namespace pebble
