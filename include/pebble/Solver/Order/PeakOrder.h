//===- PeakOrder.h - the order with the least peak --------------*- C++ -*-===//
//
// Minimises the peak of live bytes over all orders in which every step runs
// once and every storage is freed after its last use (no recomputation, no
// offload). Starts from the given order and from orders made in one sweep,
// bounds the peak by minimum cuts (Bounds.h), and closes the gap with an exact
// search under a budget (ValleySearch.h) that is played from both ends, and
// with what a budget forces on every order (ForcedOrders.h); windows of the
// best order are searched where the whole is too large.
//
// Optimal when the gap closes, which it does for every series-parallel-like
// problem and for most others up to some hundred steps. Otherwise the answer is
// the best order found, never worse than the given one, with the proven bound.
// Exponential at worst, cut off by the limits below. From `kSweepOnly` steps on
// only the sweeps are run: O((n + accesses) log n).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ORDER_PEAKORDER_H
#define PEBBLE_SOLVER_ORDER_PEAKORDER_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"

#include <optional>
#include <string>
#include <vector>

namespace pebble::graph {

/// Problems of this many steps are only swept.
constexpr size_t kSweepOnly = 20000;

struct PeakOrderOptions {
  /// Seeds the random choices of the search. Same problem, seed and effort:
  /// same answer, on any machine, with any number of threads.
  uint64_t seed = 0;
  /// Steps that searches may try altogether. 0: eight million, some seconds
  /// on hard problems, or without limit if there is a time limit.
  uint64_t effort = 0;
  /// An answer that they cut off says `limited`.
  Limits limits;
  /// At most 2 are used.
  unsigned threads = 2;
  /// A peak that is good enough: the search stops once it is reached.
  int64_t enough = 0;
  /// Whether `enough` can be reached is all that is asked: the search stops
  /// also once that is refuted, and asks for no other budget.
  bool decides = false;
  /// Sweeps and working-set bound only, whatever the size.
  bool fast = false;
};

struct PeakOrder {
  game::Status status = game::Status::Unknown;
  std::vector<game::Id> order;
  int64_t peak = 0;
  /// No order has a smaller peak.
  int64_t bound = 0;
  /// The step at which the bound binds; kNone if it was proven by search.
  game::Id boundStep = game::kNone;
  /// Peak of the order that came in.
  int64_t inputPeak = 0;
  /// What found the order: given, sweep, search or windows.
  std::string solver;
  /// The time limit cut the search off.
  bool limited = false;
};

/// The best order found for a checked problem.
PeakOrder orderForPeak(const game::Problem &problem,
                       const PeakOrderOptions &options = {});

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_ORDER_PEAKORDER_H
