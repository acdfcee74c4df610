//===- Energy.cpp - the energy objective of pebble-solve ------------------===//

#include "Energy.h"

#include "Pricing.h"

#include "pebble/Solver/Energy/EnergyOrder.h"
#include "pebble/Target/PresetTables.h"

using namespace pebble;
using namespace pebble::game;
using namespace pebble::solve_tool;

std::string pebble::solve_tool::energyError(const Options &o) {
  if (o.target.empty())
    return "--objective=energy needs a machine: --target=NAME (" +
           targetNames() + ") or a file";
  if (!o.solver.empty() && o.solver != "energy-order")
    return "there is no solver '" + o.solver +
           "' for the energy of orders; there is energy-order";
  return "";
}

namespace {

/// The order may not change: priced, not searched.
Schedule price(const Problem &p, graph::CacheModel model,
               std::optional<int64_t> budget) {
  Schedule s;
  const std::vector<Id> order = givenOrder(p);
  s.moves = scheduleOfOrder(p, order);
  s.cost = s.bound = graph::energyOfOrder(p, order, model);
  s.peak = verify(p, s.moves).peak[0];
  s.solver = "given";
  s.status = budget && s.peak > *budget ? Status::Infeasible : Status::Optimal;
  return s;
}

} // namespace

Schedule pebble::solve_tool::solveForEnergy(const Problem &problem,
                                            const Options &o,
                                            std::optional<int64_t> budget) {
  const Problem p = onTarget(problem, o);
  const auto model = *graph::parseCacheModel(o.cacheModel);
  if (o.fixedOrder)
    return price(p, model, budget);
  graph::EnergyOrderOptions options;
  options.seed = o.seed;
  options.limits = o.limits();
  options.iterationLimit = static_cast<int64_t>(o.effort);
  options.peakLimit = budget;
  return graph::energyOrder(p, model, options);
}
