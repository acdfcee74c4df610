//===- pebble-solve.cpp - a problem file in, a schedule out ---------------===//
//
// Reads, checks, hands to a solver, verifies what comes back, prints. Whatever
// the solver says, no schedule leaves here that verify() does not accept.
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"
#include "Answer.h"
#include "Chain.h"
#include "ChainGame.h"
#include "Common.h"
#include "Energy.h"
#include "Options.h"
#include "Pipeline.h"
#include "Remat.h"

#include "pebble/Solver/Game/Formats.h"
#include "pebble/Solver/Order/OrderCount.h"
#include "pebble/Solver/Order/PeakOrder.h"
#include "pebble/Solver/Remat/RematBound.h"
#include "pebble/Target/HierarchyFile.h"

#include <chrono>
#include <cstdio>
#include <iostream>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::solve_tool;

namespace {

int64_t costOfOneRun(const Problem &p) {
  int64_t cost = 0;
  for (const Step &s : p.steps)
    cost += s.cost;
  return cost;
}

/// Judges a schedule of others.
int verifyFile(const Pricing &pricing, const Options &o,
               std::optional<int64_t> budget) {
  std::string text;
  if (!readFile(o.verify, text))
    return fail(o.verify + ": cannot be read");
  ParsedMoves parsed = readMoves(pricing.problem, text, pricing.updates);
  if (!parsed.moves)
    return fail(o.verify + ": " + parsed.error);
  const Problem p = judgedProblem(pricing, parsed.outOfPlace);
  Replay r = verify(p, *parsed.moves, budget);
  bool good = r.verdict.ok();
  const std::string cost = costNumber(
      good ? graph::costOfMoves(p, *parsed.moves, pricing.transfers) : r.cost,
      pricing.scale);
  if (!good) {
    std::cerr << "pebble-solve: " << o.verify << ": ";
    if (r.verdict.at < parsed.moves->size())
      std::cerr << "move " << r.verdict.at << " "
                << toString(p, (*parsed.moves)[r.verdict.at]) << ": ";
    else
      std::cerr << "at the end: ";
    std::cerr << r.verdict.message << " [" << r.verdict.rule << "]\n";
  }
  if (o.json) {
    std::cout << "{\"valid\": " << (good ? "true" : "false")
              << ", \"cost\": " << cost << ", \"peak\": " << r.peak[0];
    if (!good) {
      std::cout << ", \"rule\": \"" << r.verdict.rule << "\", \"move\": ";
      if (r.verdict.at < parsed.moves->size())
        std::cout << r.verdict.at;
      else
        std::cout << "null";
    }
    std::cout << "}\n";
  } else if (good) {
    std::cout << "valid: cost " << cost << ", peak " << r.peak[0] << "\n";
  }
  return good ? kGood : kBadInput;
}

/// The answer of a solver before it is printed.
struct Answer {
  Schedule schedule;
  double seconds = 0;
};

graph::PeakOrder orderForPeak(const Problem &p, const Options &o,
                              int64_t enough) {
  if (o.fixedOrder) {
    graph::PeakOrder fixed;
    fixed.order = givenOrder(p);
    fixed.peak = fixed.bound = fixed.inputPeak =
        verify(p, scheduleOfOrder(p, fixed.order)).peak[0];
    fixed.status = Status::Optimal;
    fixed.solver = "given";
    return fixed;
  }
  graph::PeakOrderOptions options;
  options.seed = o.seed;
  options.effort = o.effort;
  options.limits = o.limits();
  options.enough = enough;
  options.fast = o.solver == "sweep";
  return graph::orderForPeak(p, options);
}

/// Whether orders are all that was asked for, so that what no order can do is
/// infeasible.
bool ordersAreAll(const Options &o) { return o.means == Means::None; }

void sayNoOrderFits() {
  std::cerr << "pebble-solve: no order fits in the budget; other schedules "
               "were not looked for (--means says what they may do)\n";
}

/// Fits the order into the budget, if there is one. Recomputation costs more
/// than running every step once, so an order that fits is optimal for cost
/// whatever else were allowed. That none fits proves nothing of schedules that
/// run steps again, or move values.
Schedule solveByOrder(const Problem &p, const Options &o,
                      std::optional<int64_t> budget) {
  bool forPeak = o.objective == Objective::Peak;
  const bool forLeast = forPeak || asksForLeast(o);
  graph::PeakOrder best =
      orderForPeak(p, o, forLeast ? 0 : budget.value_or(INT64_MAX));
  Schedule s;
  s.moves = scheduleOfOrder(p, best.order);
  s.solver = best.solver;
  s.limited = best.limited;
  s.peak = best.peak;
  s.cost = costOfOneRun(p);
  s.bound = forPeak ? best.bound : s.cost;
  const bool isProven = best.peak == best.bound;
  if (isProven && (forLeast || ordersAreAll(o)))
    s.minBudget = best.peak;
  s.status = forPeak ? best.status : Status::Optimal;
  if (!budget || best.peak <= *budget)
    return s;
  s.status = Status::Unknown;
  if (ordersAreAll(o)) {
    if (best.bound > *budget)
      s.status = Status::Infeasible;
    return s;
  }
  if (best.bound > *budget)
    sayNoOrderFits();
  // What orders need says nothing of the rest.
  s.minBudget.reset();
  if (forPeak)
    s.bound = meansOf(o).offload ? 0 : std::min(s.bound, graph::rematFloor(p));
  return s;
}

/// The gap on the recomputed part alone: what may be saved at most, of what is
/// paid beyond running every step once.
double recomputeGap(const Problem &p, const Schedule &s) {
  const int64_t extra = s.cost - costOfOneRun(p);
  return extra > 0 ? static_cast<double>(s.cost - s.bound) /
                         static_cast<double>(extra)
                   : 0;
}

int print(const Pricing &pricing, const Options &o,
          const portfolio::Answer &answer, double seconds, std::string model) {
  const Schedule &s = answer.schedule;
  const Problem &p = pricing.problem;
  std::string moves, gap;
  if (o.printSchedule && !o.json)
    for (const Move &m : s.moves)
      moves += toString(p, m) + "\n";
  else if (o.printSchedule)
    moves = writeMovesJson(p, s.moves);
  if (s.modelStatus)
    model += std::string(", \"model_status\": \"") + toString(*s.modelStatus) +
             "\", \"model_bound\": " +
             (s.modelBound ? costNumber(*s.modelBound, pricing.scale) : "null");
  if (asksForRemat(o) && o.objective == Objective::Cost) {
    char text[32] = "null";
    if (isAnswered(s.status))
      std::snprintf(text, sizeof text, "%.4f", recomputeGap(p, s));
    else
      gap = ", \"reached_peak\": " +
            jsonNumber(s.peak > 0 ? std::optional(s.peak) : std::nullopt);
    gap += std::string(", \"recompute_gap\": ") + text;
  }
  const std::string places = writeUpdatesJson(p, answer.outOfPlace);
  if (!pricing.updates.empty())
    gap += ", \"out_of_place\": " + places;
  const int code = printAnswer(o, s, seconds, moves, model, gap, pricing.scale);
  if (!answer.outOfPlace.empty() && !o.json)
    std::cout << "out of place: " << places << "\n";
  return code;
}

/// The clock's figures as JSON fields. Where nothing moves the steps take all
/// of the time.
std::string clockOf(const portfolio::Answer &found, int64_t cost) {
  timeline::Timeline t;
  t.computing = cost;
  if (found.program)
    t = found.program->timeline;
  return ", \"computing\": " + std::to_string(t.computing) +
         ", \"moving\": " + std::to_string(t.moving) +
         ", \"stalled\": " + std::to_string(t.stalled);
}

int solve(const Problem &file, const Pricing &pricing, const Options &o,
          std::optional<int64_t> budget) {
  const Problem &p = pricing.problem;
  const bool forOrder = o.objective == Objective::Energy && !asksForRemat(o);
  const bool forTime = o.objective == Objective::Time && asksForRemat(o);
  if (forOrder) {
    if (std::string error = energyError(o); !error.empty())
      return fail(error);
  } else if (!asksForRemat(o) && !o.solver.empty() &&
             o.solver != "peak-order" && o.solver != "sweep") {
    return fail("there is no solver '" + o.solver +
                "'; there are peak-order and sweep");
  }
  if (!o.mps.empty() && (o.objective != Objective::Cost || !asksForRemat(o)))
    return fail("--mps needs a solver that builds a MILP");
  if (!o.start.empty() &&
      (!asksForRemat(o) || forTime || o.objective == Objective::Peak))
    return fail("--start is for the least cost or energy of --means other than "
                "none");
  auto start = std::chrono::steady_clock::now();
  portfolio::Answer answer;
  Schedule &s = answer.schedule;
  std::string clock;
  tool::WatchScope watched(o.watch);
  if (forOrder) {
    if (asksForLeast(o))
      budget = orderForPeak(p, o, 0).peak;
    s = solveForEnergy(file, o, budget);
    if (s.status == Status::Infeasible && !ordersAreAll(o)) {
      sayNoOrderFits();
      s.status = Status::Unknown;
      s.minBudget.reset();
    }
  } else if (!asksForRemat(o)) {
    s = solveByOrder(p, o, budget);
  } else {
    if (std::string error = rematError(pricing, o); !error.empty())
      return fail(error);
    std::string error;
    answer = forTime ? solveForTime(pricing, o, budget)
                     : solveByRemat(pricing, o, budget, error);
    if (forTime && isAnswered(s.status))
      clock = clockOf(answer, s.cost);
    if (!error.empty())
      return fail(error);
  }
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (isAnswered(s.status) && o.objective != Objective::Peak)
    o.limits().report(s.cost, s.bound);
  watched.end();
  if (isAnswered(s.status)) {
    const Problem judged = judgedProblem(pricing, answer.outOfPlace);
    Replay r = verify(judged, s.moves, budget);
    if (!r.verdict.ok() || r.peak[0] != s.peak ||
        (o.objective != Objective::Peak && !forOrder && !forTime &&
         graph::costOfMoves(judged, s.moves, pricing.transfers) != s.cost))
      return fail("internal error: the schedule of solver '" + s.solver +
                  "' was refused: " + r.verdict.message + " [" +
                  r.verdict.rule + "]");
  }
  return print(pricing, o, answer, seconds, clock);
}

int countOrders(const Problem &p, const Options &o) {
  auto show = [](std::optional<uint64_t> count, const char *otherwise) {
    return count ? std::to_string(*count) : std::string(otherwise);
  };
  auto legal = graph::countOrders(p);
  auto flow = graph::countOrders(p, 2000000, false);
  if (o.json)
    std::cout << "{\"legal_orders\": " << show(legal, "null")
              << ", \"flow_orders\": " << show(flow, "null") << "}\n";
  else
    std::cout << show(legal, "too many") << " legal orders, "
              << show(flow, "too many") << " by flow alone\n";
  return kGood;
}

/// Solves, sweeps, counts or judges a problem of steps and values.
int runProblem(const std::string &text, Options &o, tool::SearchWatch &watch) {
  ParsedProblem parsed = readProblem(text);
  if (!parsed.problem)
    return fail(o.file + ": " + parsed.error +
                (hasEnding(o.file, ".mlir")
                     ? "; pebble-solve reads problems, and pebble-opt reads "
                       "programs"
                     : ""));
  const Problem &p = *parsed.problem;
  if (Verdict v = check(p); !v.ok())
    return fail(o.file + ": " + v.message + " [" + v.rule + "]");
  if (!o.printProblem.empty()) {
    std::cout << (o.printProblem == "json"
                      ? writeProblemJson(p, parsed.updates, parsed.runOnce)
                      : writeProblemText(p));
    return kGood;
  }
  if (o.countOrders)
    return countOrders(p, o);
  if (asksForLeast(o) && !o.verify.empty())
    return fail("a schedule is judged by a budget that is a number");
  int64_t givenPeak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
  std::optional<int64_t> budget = budgetOf(o, givenPeak);
  o.ownHierarchy =
      parsed.format == Format::Native && !p.hierarchy.tiers.empty();
  std::string error;
  const std::optional<Pricing> pricing = priceProblem(parsed, o, error);
  if (!pricing)
    return fail(error);
  watch.writeCosts([scale = pricing->scale](int64_t cost) {
    return costNumber(cost, scale);
  });
  if (o.sweep)
    return runSweep(*pricing, o);
  if (!o.verify.empty())
    return verifyFile(*pricing, o, budget);
  return solve(p, *pricing, o, budget);
}

} // namespace

int main(int argc, char **argv) {
  Options o;
  if (std::string error = parseOptions(argc, argv, o); !error.empty())
    return fail(error);
  if (o.help) {
    std::cout << usage();
    return kGood;
  }
  if (o.version) {
    std::cout << "pebble-solve " << PEBBLE_VERSION << "\n";
    return kGood;
  }
  if (o.listTargets) {
    std::cout << listTargets();
    return kGood;
  }
  o.startClock();
  tool::SearchWatch watch("pebble-solve", o.progress);
  o.watchedBy(watch);
  if (o.chain)
    return runChainGame(o);
  std::string text;
  if (!readFile(o.file, text))
    return fail(o.file + ": cannot be read");
  if (tool::isUtf16(text))
    return fail(o.file + ": " + std::string(tool::kUtf16Error));
  const bool isBuffers = isBufferTable(o.file);
  const chain::ParsedChain chain =
      isBuffers ? chain::ParsedChain() : chain::readChain(text);
  if (o.sweep && (isBuffers || chain.isChain))
    return fail("a sweep is of a problem of steps and values");
  if (isBuffers)
    return runAddresses(text, o);
  if (chain.isChain)
    return runChain(chain, o);
  if (const pipeline::ParsedPipeline staged = pipeline::readPipeline(text);
      staged.isPipeline)
    return runPipeline(staged, o);
  return runProblem(text, o, watch);
}
