//===- PortfolioTransfers.cpp - attempts with wishes and transfers --------===//

#include "Portfolio.h"
#include "Solver/Graph/RunIds.h"
#include "Solver/Remat/Paging.h"
#include "Solver/Remat/RunSequence.h"
#include "Solver/Remat/TransferBound.h"
#include "pebble/Solver/Order/PeakOrder.h"
#include "pebble/Solver/Remat/RematBound.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::Schedule;
using game::Status;

namespace {

/// Walks that make a start, at most.
constexpr uint64_t kTransferWalks = 200;

} // namespace

//===----------------------------------------------------------------------===//
// Wishes
//===----------------------------------------------------------------------===//

void Portfolio::runWithWishes() {
  const RematMeans &means = options.means;
  if (means.offload)
    transfers = options.transfers ? *options.transfers
                                  : costsByRate(p, means.offloadRate);
  takeWishes(givenOrder(p));
  if (options.budget && !exact && !boundWithWishes())
    return;
  const std::string refusal =
      means.offload ? transferSearchRefusal(p) : localSearchRefusal(p, means);
  const bool anneals =
      extent != Extent::Walks && options.budget && refusal.empty();
  if (exact && anneals && isQuicklySettled())
    return;
  if (anneals)
    annealWithWishes();
  if (exact && !isSettled())
    tryExact();
  if (options.budget && !means.offload && best.status == Status::Unknown)
    tryLeanest();
}

void Portfolio::takeWishes(const Runs &order) {
  const Runs runs = followWishes(p, order);
  Schedule s =
      scheduleOfList(p, runs, transfers, options.budget.value_or(INT64_MAX));
  if (s.moves.empty())
    return;
  leastPeak = leastPeak ? std::min(leastPeak, s.peak) : s.peak;
  s.solver = "given";
  takeMoves(std::move(s));
  raiseBound(once);
}

bool Portfolio::boundWithWishes() {
  const RematMeans &means = options.means;
  const StopSign soon(limitsOfBound());
  const int64_t bound =
      means.offload
          ? transferBound(p, *options.budget, transfers, means.recompute, &soon)
          : rematBound(p, *options.budget, nullptr, nullptr, &soon);
  if (bound == INT64_MAX) {
    best.status = Status::Infeasible;
    best.solver = means.offload ? "transfer-bound" : "remat-bound";
    return false;
  }
  raiseBound(bound);
  return true;
}

void Portfolio::annealWithWishes() {
  const RematMeans &means = options.means;
  std::vector<Runs> lists = {followWishes(p, givenOrder(p))};
  if (!means.fixedOrder) {
    PeakOrderOptions o;
    o.seed = options.seed;
    o.limits = options.limits.part(4);
    o.effort = kStartEffort;
    const Runs order = orderForPeak(p, o).order;
    takeWishes(order);
    lists.push_back(followWishes(p, order));
  }
  const StopSign stop(options.limits.part(exact ? 3 : 1));
  LocalSearchOptions o = localOptions(exact, stop);
  o.recompute = means.recompute;
  if (means.offload)
    o.transfers = &transfers;
  if (best.status == Status::Feasible)
    lists.push_back(runsOfMoves(p, best.moves));
  if (!options.start.empty())
    lists.push_back(runsOfMoves(p, options.start));
  lists.erase(std::remove_if(lists.begin(), lists.end(),
                             [&](const Runs &runs) {
                               return runs.empty() || !findInputs(p, runs);
                             }),
              lists.end());
  if (lists.empty())
    return;
  const Schedule s = localSearch(p, lists, o);
  if (s.status != Status::Unknown)
    take(s);
  else
    best.limited |= s.limited;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

void Portfolio::tryTransferBound() {
  transfers = options.transfers ? *options.transfers
                                : costsByRate(p, options.means.offloadRate);
  const StopSign soon(limitsOfBound());
  const int64_t bound = transferBound(p, *options.budget, transfers,
                                      options.means.recompute, &soon);
  if (bound != INT64_MAX)
    return raiseBound(bound);
  best.status = Status::Infeasible;
  best.solver = "transfer-bound";
  if (exact) // it finds the smallest budget
    tryExact();
}

void Portfolio::tryKnown() {
  const RunSequence lists(p, *options.budget, options.means.fixedOrder,
                          &transfers, options.means.recompute);
  for (const Runs &runs : options.known)
    if (Schedule s = scheduleOfList(p, runs, transfers, *options.budget);
        lists.takes(runs) && !s.moves.empty()) {
      starts.push_back(runs);
      takeMoves(std::move(s));
    }
}

void Portfolio::takeMoves(Schedule s) {
  best.limited |= s.limited && best.status != Status::Optimal;
  if (!isAnswered(s.status))
    return;
  starts.push_back(runsOfMoves(p, s.moves));
  if (best.status == Status::Feasible && s.cost >= best.cost)
    return;
  s.status = Status::Feasible;
  s.bound = best.bound;
  s.minBudget.reset();
  take(std::move(s));
}

void Portfolio::tryPaging() {
  for (const Runs &runs : orders) {
    if (isSettled() || isOver())
      return;
    const StopSign stop(options.limits.part(8));
    PagingOptions o;
    o.budget = *options.budget;
    o.seed = options.seed;
    o.effort = std::min(options.effort, kTransferWalks);
    o.stop = &stop;
    takeMoves(pageRuns(p, runs, transfers, o));
  }
}

void Portfolio::tryJoint() {
  const StopSign stop(options.limits.part(exact ? 3 : 1));
  LocalSearchOptions o = localOptions(exact, stop);
  if (exact)
    o.effort = std::min<uint64_t>(o.effort, 50000);
  o.transfers = &transfers;
  o.recompute = options.means.recompute;
  std::vector<Runs> known = orders;
  known.insert(known.end(), starts.begin(), starts.end());
  if (!options.start.empty())
    known.push_back(runsOfMoves(p, options.start));
  const RunSequence runs(p, o.budget, o.fixedOrder, &transfers, o.recompute);
  known.erase(std::remove_if(known.begin(), known.end(),
                             [&](const std::vector<Id> &list) {
                               return !runs.takes(list);
                             }),
              known.end());
  if (!known.empty())
    takeMoves(localSearch(p, known, o));
  raiseBound(best.bound);
}
