//===- Addresses.cpp - buffers to be placed, in pebble-solve --------------===//

#include "Addresses.h"

#include "Answer.h"
#include "Common.h"

#include "pebble/Solver/Addresses/PlaceBuffers.h"

#include <chrono>

using namespace pebble;
using namespace pebble::solve_tool;

bool pebble::solve_tool::isBufferTable(const std::string &file) {
  return hasEnding(file, ".csv");
}

static void print(const addresses::Placement &found,
                  const std::vector<addresses::Buffer> &buffers, double seconds,
                  const Options &o) {
  const bool answered = isAnswered(found.status);
  if (!o.json) {
    std::cout << toString(found.status) << ": extent " << found.extent
              << ", bound " << found.bound << ", by " << found.solver
              << (found.limited ? " (limited)" : "") << "\n";
    if (o.printSchedule && answered)
      std::cout << addresses::writeCsv(buffers, found.offsets);
    return;
  }
  char time[32];
  std::snprintf(time, sizeof time, "%.3f", seconds);
  std::cout << "{\"status\": \"" << toString(found.status)
            << "\", \"extent\": " << found.extent
            << ", \"bound\": " << found.bound
            << ", \"peak\": " << addresses::getPeak(buffers)
            << ", \"solver\": \"" << found.solver
            << "\", \"limited\": " << (found.limited ? "true" : "false")
            << ", \"seconds\": " << time;
  if (o.printSchedule && answered) {
    std::cout << ", \"offsets\": [";
    for (size_t i = 0; i < found.offsets.size(); ++i)
      std::cout << (i ? ", " : "") << found.offsets[i];
    std::cout << "]";
  }
  std::cout << "}\n";
}

int pebble::solve_tool::runAddresses(const std::string &text,
                                     const Options &o) {
  if (!addresses::isPlacer(o.solver))
    return fail("there is no solver '" + o.solver +
                "' for buffers; there are in-order, greedy-by-size, greedy, "
                "eviction and local-search");
  if (o.budget && o.budget->kind != graph::Budget::Kind::Units)
    return fail("buffers have no order of which a budget could be a part, and "
                "take the least anyway: give --budget a number");
  const std::optional<int64_t> budget = budgetOf(o, 0);
  if (o.alignment < 1)
    return fail("an alignment is at least 1");
  addresses::ParsedBuffers parsed = addresses::readCsv(text);
  if (!parsed.buffers)
    return fail(o.file + ": " + parsed.error);
  addresses::PlaceOptions options;
  options.enough = budget.value_or(0);
  options.alignment = o.alignment;
  options.effort = o.effort;
  options.seed = o.seed;
  options.limits = o.limits();
  options.solver = o.solver;
  auto start = std::chrono::steady_clock::now();
  tool::WatchScope watched(o.watch);
  addresses::Placement found =
      addresses::placeBuffers(*parsed.buffers, options);
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  watched.end();
  if (found.status == game::Status::Unknown)
    return fail("internal error: the placement of solver '" + found.solver +
                "' was refused");
  if (budget && found.bound > *budget)
    found.status = game::Status::Infeasible;
  else if (budget && found.extent > *budget)
    found.status = game::Status::Unknown;
  print(found, *parsed.buffers, seconds, o);
  return isAnswered(found.status)                   ? kGood
         : found.status == game::Status::Infeasible ? kInfeasible
                                                    : kUnknown;
}
