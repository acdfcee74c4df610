//===- TreeCost.cpp - least cost where recomputation never helps ----------===//

#include "TreeCost.h"
#include "pebble/Solver/Order/PeakOrder.h"

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Id;
using game::kNone;
using game::Problem;
using game::Schedule;
using game::Status;

std::string pebble::graph::treeCostRefusal(const Problem &p,
                                           const LeastCostOptions &o) {
  if (o.means.offload)
    return "may be offloaded, which can help on trees";
  if (o.means.fixedOrder)
    return "has a fixed order";
  if (!p.precedences.empty())
    return "has orders to keep besides the flow of data";
  std::vector<Id> reader(p.values.size(), kNone);
  for (Id s = 0; s < p.steps.size(); ++s) {
    if (p.steps[s].pin != game::Pin::None)
      return "pins step '" + p.steps[s].name + "'";
    for (const Access &a : p.steps[s].reads) {
      const game::Value &v = p.values[a.value];
      if (v.producer != kNone && reader[a.value] != kNone &&
          reader[a.value] != s)
        return "is no in-tree: value '" + v.name + "' has several readers";
      reader[a.value] = s;
    }
  }
  for (Id s = 0; s < p.steps.size(); ++s) {
    size_t used = 0;
    for (const Access &a : p.steps[s].writes) {
      const game::Value &v = p.values[a.value];
      if (v.overwrites != kNone)
        return "updates value '" + p.values[v.overwrites].name + "' in place";
      if (v.required && reader[a.value] != kNone)
        return "is no in-tree: value '" + v.name +
               "' is read and required at the end";
      used += v.required || reader[a.value] != kNone;
    }
    if (used > 1)
      return "is no in-tree: several results of step '" + p.steps[s].name +
             "' are used";
  }
  return "";
}

Schedule pebble::graph::treeCost(const Problem &p,
                                 const LeastCostOptions &options) {
  Schedule s;
  s.solver = "tree";
  for (const game::Step &step : p.steps)
    s.bound += step.cost;
  PeakOrderOptions o;
  o.seed = options.seed;
  o.effort = options.effort;
  o.limits = options.limits;
  o.enough = options.budget.value_or(INT64_MAX);
  const PeakOrder order = orderForPeak(p, o);
  if (order.peak == order.bound)
    s.minBudget = order.peak;
  if (order.peak <= o.enough) {
    s.status = Status::Optimal;
    s.moves = scheduleOfOrder(p, order.order);
    s.cost = s.bound;
    s.peak = order.peak;
  } else {
    s.status = order.bound > o.enough ? Status::Infeasible : Status::Unknown;
    s.limited = order.limited && s.status == Status::Unknown;
    s.peak = s.status == Status::Unknown ? order.peak : 0;
  }
  return s;
}
