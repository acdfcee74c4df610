//===- Remat.cpp - the cost objective of pebble-solve ---------------------===//

#include "Remat.h"

#include "Answer.h"
#include "Common.h"
#include "SweepText.h"

#include "pebble/Solver/Game/Formats.h"
#include "pebble/Solver/Milp/Highs.h"
#include "pebble/Solver/Portfolio/LeastBudget.h"
#include "pebble/Solver/Portfolio/LeastCost.h"
#include "pebble/Solver/Portfolio/Sweep.h"
#include "pebble/Solver/Remat/RematBound.h"
#include "pebble/Target/OutputFile.h"

#include <chrono>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::solve_tool;

namespace {

graph::LeastCostOptions optionsOf(const Pricing &pricing, const Options &o) {
  graph::LeastCostOptions result;
  result.means = meansOf(o);
  if (result.means.offload)
    result.transfers = pricing.transfers;
  result.solver = o.solver;
  result.without = o.without;
  result.seed = o.seed;
  result.effort = o.effort;
  result.limits = o.limits();
  return result;
}

portfolio::Request requestOf(const Pricing &pricing, const Options &o) {
  portfolio::Request request;
  request.problem = pricing.problem;
  request.search = optionsOf(pricing, o);
  request.updates = pricing.updates;
  request.runOnce = pricing.runOnce;
  return request;
}

/// The schedule of least peak that the planner finds. The smallest budget is
/// set where that is proven.
portfolio::Answer findLeanest(portfolio::Request request) {
  request.leanest = true;
  portfolio::Answer found = portfolio::findSchedule(request);
  if (found.least && found.least->isProven)
    found.schedule.minBudget = found.least->bytes;
  return found;
}

/// The schedule of least peak, where that is the budget: `request` then asks
/// for what it takes, and starts from it. Where values move too, the leanest
/// that one of the means alone is found to have.
portfolio::Answer takeLeast(const Pricing &pricing,
                            portfolio::Request &request) {
  graph::LeastCostOptions &options = request.search;
  portfolio::Request half = request;
  half.objective = portfolio::Objective::Cost;
  half.search.limits = options.limits.part(2);
  portfolio::Answer least;
  if (options.means.offload || !pricing.updates.empty()) {
    least = findLeanest(std::move(half));
  } else {
    least.schedule = graph::leastBudget(pricing.problem, half.search);
    least.schedule.cost = graph::costOfMoves(
        pricing.problem, least.schedule.moves, pricing.transfers);
  }
  options.budget = least.schedule.peak;
  options.start = least.schedule.moves;
  return least;
}

/// `found` for the budget of `least`, or that one where nothing better is.
portfolio::Answer orLeast(portfolio::Answer found,
                          const portfolio::Answer &least) {
  Schedule &s = found.schedule;
  const bool answered = isAnswered(s.status);
  // That one fits, so a solver that finds none speaks of its own kind of
  // schedules.
  if (s.status == Status::Infeasible)
    s.bound = 0;
  if (!answered || s.cost > least.schedule.cost) {
    s.moves = least.schedule.moves;
    s.cost = least.schedule.cost;
    s.peak = least.schedule.peak;
    s.solver = least.schedule.solver;
    certify(s, s.bound);
    found.outOfPlace = least.outOfPlace;
    found.program.reset();
  }
  s.minBudget = least.schedule.minBudget;
  return found;
}

/// What any choice of updates takes at least.
int64_t floorOf(const Pricing &pricing) {
  int64_t room = 0;
  const Problem free =
      portfolio::withFreeUpdates(pricing.problem, pricing.updates, room);
  return graph::rematFloor(portfolio::judgedProblem(free, pricing.runOnce)) -
         room;
}

/// The least peak itself. `bound` bounds it.
portfolio::Answer findLeastPeak(const Pricing &pricing,
                                const portfolio::Request &request) {
  portfolio::Answer found;
  Schedule &s = found.schedule;
  if (pricing.updates.empty()) {
    s = graph::leastBudget(pricing.problem, request.search);
  } else {
    portfolio::Request free = request;
    free.search.budget.reset();
    found = findLeanest(std::move(free));
    // Its status speaks of the cost.
    s.bound = s.minBudget ? *s.minBudget : floorOf(pricing);
    if (isAnswered(s.status))
      s.status = s.peak <= s.bound ? Status::Optimal : Status::Feasible;
  }
  if (const std::optional<int64_t> budget = request.search.budget) {
    if (s.bound > *budget)
      s.status = Status::Infeasible;
    else if (s.peak > *budget)
      s.status = Status::Unknown;
  }
  return found;
}

/// Reads the schedule to start from and judges it; what is wrong with it.
std::string readStart(const Pricing &pricing, const Options &o,
                      std::optional<int64_t> budget,
                      graph::LeastCostOptions &options) {
  std::string text;
  if (!readFile(o.start, text))
    return o.start + ": cannot be read";
  ParsedMoves parsed = readMoves(pricing.problem, text);
  if (!parsed.moves)
    return o.start + ": " + parsed.error;
  const Verdict verdict =
      verify(pricing.problem, *parsed.moves, budget).verdict;
  if (!verdict.ok())
    return o.start + ": " + verdict.message + " [" + verdict.rule + "]";
  std::vector<bool> ran(pricing.problem.steps.size(), false);
  for (const Move &m : *parsed.moves) {
    const bool computes = m.kind == MoveKind::Compute;
    if ((graph::isTransfer(m) && !options.means.offload) ||
        (computes && ran[m.subject] && !options.means.recompute))
      return o.start + ": " + toString(pricing.problem, m) +
             " is more than --means allows";
    if (computes)
      ran[m.subject] = true;
  }
  options.start = std::move(*parsed.moves);
  return "";
}

} // namespace

graph::RematMeans pebble::solve_tool::meansOf(const Options &o) {
  const Means means = o.means.value_or(Means::Recompute);
  graph::RematMeans result;
  result.recompute = game::mayRecompute(means);
  result.offload = game::mayOffload(means);
  result.fixedOrder = o.fixedOrder;
  return result;
}

bool pebble::solve_tool::asksForRemat(const Options &o) {
  const Means usual =
      o.objective == Objective::Peak || o.objective == Objective::Energy
          ? Means::None
          : Means::Recompute;
  return o.means.value_or(usual) != Means::None && o.solver != "peak-order" &&
         o.solver != "sweep";
}

std::string pebble::solve_tool::rematError(const Pricing &pricing,
                                           const Options &o) {
  const Problem &p = pricing.problem;
  graph::LeastCostOptions options = optionsOf(pricing, o);
  // To write the model takes less than to solve it.
  if (!o.mps.empty())
    options.onModel = [](const milp::Model &) {};
  if (o.objective != Objective::Peak) {
    std::string refusal = graph::leastCostRefusal(p, options);
    if (!asksForLeast(o) || !refusal.empty())
      return refusal;
    if (!o.start.empty())
      return "--start goes with a budget that is a number";
    if (options.means.offload)
      return "";
    refusal = graph::leastBudgetRefusal(p, options.means);
    return refusal.empty()
               ? ""
               : "--budget=min does not take the problem: it " + refusal;
  }
  if (!o.solver.empty())
    return "there is no solver '" + o.solver +
           "' for --objective=peak; there are peak-order and sweep, for orders";
  std::string refusal = graph::leastBudgetRefusal(p, options.means);
  return refusal.empty() ? "" : "no solver takes the problem: it " + refusal;
}

portfolio::Answer
pebble::solve_tool::solveByRemat(const Pricing &pricing, const Options &o,
                                 std::optional<int64_t> budget,
                                 std::string &error) {
  portfolio::Request request = requestOf(pricing, o);
  graph::LeastCostOptions &options = request.search;
  options.budget = budget;
  if (o.objective == Objective::Peak)
    return findLeastPeak(pricing, request);
  std::optional<portfolio::Answer> least;
  if (asksForLeast(o))
    least = takeLeast(pricing, request);
  if (least && !isAnswered(least->schedule.status))
    return *least;
  if (!o.start.empty()) {
    error = readStart(pricing, o, budget, options);
    if (!error.empty())
      return {};
  }
  bool written = false;
  if (!o.mps.empty())
    options.onModel = [&](const milp::Model &model) {
      const std::string why = writeWholeFile(o.mps, milp::writeMps(model));
      written = why.empty();
      if (!written)
        error = o.mps + ": cannot be written: " + why;
    };
  portfolio::Answer found = portfolio::findSchedule(request);
  if (least)
    found = orLeast(std::move(found), *least);
  if (o.mps.empty() || !error.empty())
    return found;
  if (!written)
    error = "solver '" + (o.solver.empty() ? found.schedule.solver : o.solver) +
            "' built no MILP for --mps";
  else if (const std::string &why = milp::highsMissing(); !why.empty())
    error = o.mps + " is written, but not solved: that needs HiGHS: " + why;
  return found;
}

int pebble::solve_tool::runSweep(const Pricing &pricing, const Options &o) {
  const bool byTime = o.objective == Objective::Time;
  if (o.objective == Objective::Peak || byTime || !asksForRemat(o))
    return fail("a sweep is for --objective=cost or energy, and --means other "
                "than none");
  if (!o.mps.empty() || !o.start.empty() || !o.verify.empty() ||
      o.printSchedule)
    return fail("--sweep prints a curve: it goes without --mps, --start, "
                "--verify and --print-schedule");
  const portfolio::Request request = requestOf(pricing, o);
  if (std::string error = graph::sweepRefusal(pricing.problem, request.search);
      !error.empty())
    return fail(error);
  const auto start = std::chrono::steady_clock::now();
  tool::WatchScope watched(o.watch);
  const graph::Sweep sweep = graph::sweepBudgets(
      request, static_cast<size_t>(*o.sweep), [&](int64_t budget) {
        if (o.watch)
          o.watch->enter("budget " + std::to_string(budget));
      });
  watched.end();
  if (sweep.points.empty()) {
    std::cerr << "pebble-solve: " << o.file
              << ": no schedule is known that follows the pins\n";
    return kUnknown;
  }
  for (const graph::SweepPoint &point : sweep.points) {
    const Problem p = judgedProblem(pricing, point.outOfPlace);
    const Replay r = verify(p, point.schedule.moves, point.budget);
    if (!r.verdict.ok() || r.peak[0] != point.schedule.peak ||
        graph::costOfMoves(p, point.schedule.moves, pricing.transfers) !=
            point.schedule.cost)
      return fail(
          "internal error: the schedule of solver '" + point.schedule.solver +
          "' was refused: " + r.verdict.message + " [" + r.verdict.rule + "]");
  }
  tool::SweepText text;
  text.title = o.file;
  text.writeCost = [&](int64_t cost) {
    return costNumber(cost, pricing.scale);
  };
  text.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!o.picture.empty()) {
    const std::string why =
        writeWholeFile(o.picture, tool::writeSweepPicture(sweep, text));
    if (!why.empty())
      return fail(o.picture + ": cannot be written: " + why);
  }
  std::cout << (o.json ? tool::writeSweepJson(sweep, text) + "\n"
                       : tool::writeSweepTable(sweep, text));
  return kGood;
}

portfolio::Answer
pebble::solve_tool::solveForTime(const Pricing &pricing, const Options &o,
                                 std::optional<int64_t> budget) {
  portfolio::Request request = requestOf(pricing, o);
  request.objective = portfolio::Objective::Time;
  request.search.budget = budget;
  if (!asksForLeast(o))
    return portfolio::findSchedule(request);
  // The leanest is where the search starts, so that the answer is no slower.
  const portfolio::Answer least = takeLeast(pricing, request);
  if (!isAnswered(least.schedule.status))
    return least;
  portfolio::Answer found = portfolio::findSchedule(request);
  // With updates out of place it is no start for the program as it is.
  if (!least.outOfPlace.empty())
    return orLeast(std::move(found), least);
  found.schedule.minBudget = least.schedule.minBudget;
  return found;
}
