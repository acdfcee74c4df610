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

#include <chrono>
#include <fstream>

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
  return request;
}

/// The schedule of least peak, where that is the budget: `options` then asks
/// for what it takes, and starts from it. Where values move too, the leanest
/// that one of the means alone is found to have.
Schedule takeLeast(const Pricing &pricing, graph::LeastCostOptions &options) {
  portfolio::Request request;
  request.problem = pricing.problem;
  request.search = options;
  request.search.limits = options.limits.part(2);
  request.leanest = true;
  Schedule least;
  if (options.means.offload) {
    portfolio::Answer found = portfolio::findSchedule(request);
    least = std::move(found.schedule);
    if (found.least && found.least->isProven)
      least.minBudget = found.least->bytes;
  } else {
    least = graph::leastBudget(pricing.problem, request.search);
    least.cost =
        graph::costOfMoves(pricing.problem, least.moves, pricing.transfers);
  }
  options.budget = least.peak;
  options.start = least.moves;
  return least;
}

/// `found` for the budget of `least`, or that one where nothing better is.
Schedule orLeast(Schedule found, const Schedule &least) {
  const bool answered = isAnswered(found.status);
  // That one fits, so a solver that finds none speaks of its own kind of
  // schedules.
  if (found.status == Status::Infeasible)
    found.bound = 0;
  if (!answered || found.cost > least.cost) {
    found.moves = least.moves;
    found.cost = least.cost;
    found.peak = least.peak;
    found.solver = least.solver;
    found.status =
        found.bound >= found.cost ? Status::Optimal : Status::Feasible;
  }
  found.minBudget = least.minBudget;
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

Schedule pebble::solve_tool::solveByRemat(const Pricing &pricing,
                                          const Options &o,
                                          std::optional<int64_t> budget,
                                          std::string &error) {
  const Problem &p = pricing.problem;
  portfolio::Request request = requestOf(pricing, o);
  graph::LeastCostOptions &options = request.search;
  options.budget = budget;
  std::optional<Schedule> least;
  if (asksForLeast(o) && o.objective != Objective::Peak)
    least = takeLeast(pricing, options);
  if (least && !isAnswered(least->status))
    return *least;
  if (o.objective == Objective::Peak) {
    Schedule s = graph::leastBudget(p, options);
    if (budget && s.bound > *budget)
      s.status = Status::Infeasible;
    else if (budget && s.peak > *budget)
      s.status = Status::Unknown;
    return s;
  }
  if (!o.start.empty()) {
    error = readStart(pricing, o, budget, options);
    if (!error.empty())
      return {};
  }
  bool written = false;
  if (!o.mps.empty())
    options.onModel = [&](const milp::Model &model) {
      std::ofstream file(o.mps, std::ios::binary);
      file << milp::writeMps(model);
      file.close();
      written = static_cast<bool>(file);
      if (!written)
        error = o.mps + ": cannot be written";
    };
  Schedule s = portfolio::findSchedule(request).schedule;
  if (least)
    s = orLeast(std::move(s), *least);
  if (o.mps.empty() || !error.empty())
    return s;
  if (!written)
    error = "solver '" + (o.solver.empty() ? s.solver : o.solver) +
            "' built no MILP for --mps";
  else if (const std::string &why = milp::highsMissing(); !why.empty())
    error = o.mps + " is written, but not solved: that needs HiGHS: " + why;
  return s;
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
  const Problem &p = pricing.problem;
  const graph::LeastCostOptions options = optionsOf(pricing, o);
  if (std::string error = graph::sweepRefusal(p, options); !error.empty())
    return fail(error);
  const auto start = std::chrono::steady_clock::now();
  tool::WatchScope watched(o.watch);
  const graph::Sweep sweep = graph::sweepBudgets(
      p, options, static_cast<size_t>(*o.sweep), [&](int64_t budget) {
        if (o.watch)
          o.watch->enter("budget " + std::to_string(budget));
      });
  watched.end();
  for (const graph::SweepPoint &point : sweep.points) {
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
    std::ofstream file(o.picture, std::ios::binary);
    file << tool::writeSweepPicture(sweep, text);
    file.close();
    if (!file)
      return fail(o.picture + ": cannot be written");
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
  std::optional<Schedule> least;
  if (asksForLeast(o))
    least = takeLeast(pricing, request.search);
  // The leanest is where the search starts, so that the answer is no slower.
  portfolio::Answer found;
  if (least && !isAnswered(least->status)) {
    found.schedule = *least;
    return found;
  }
  found = portfolio::findSchedule(request);
  if (least)
    found.schedule.minBudget = least->minBudget;
  return found;
}
