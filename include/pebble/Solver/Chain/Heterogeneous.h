//===- Heterogeneous.h - least time on unequal chains -----------*- C++ -*-===//
//
// Minimises the time of a training step on a HeterogeneousChain within a memory
// budget. The dynamic programs of NestedChain.h first, then the exact search of
// ChainSearch.h, which looks only for what is cheaper and proves that nothing
// is, over all schedules, where it ends by itself.
//
//   rotor         best persistent schedule (Beaumont et al. 2019), exact up to
//                 64 layers
//   nested-chain  the same recurrence with inputs given up; not dearer where
//                 both are exact (up to 24 layers)
//   chain-search  exact over all schedules, up to 57 layers
//
// Optimal, or proven infeasible, where the answer says so; otherwise the bound
// is proven. Complexity in the headers of the solvers.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_HETEROGENEOUS_H
#define PEBBLE_SOLVER_CHAIN_HETEROGENEOUS_H

#include "pebble/Solver/Chain/HeterogeneousChain.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"

namespace pebble::chain {

/// Time of what cannot be.
constexpr int64_t kNever = INT64_MAX / 4;

/// An answer with its certificate; fields as in game::Schedule.
struct ChainSchedule {
  game::Status status = game::Status::Unknown;
  std::vector<ChainMove> moves;
  int64_t cost = 0, bound = 0, peak = 0;
  std::optional<int64_t> minBudget;
  std::string solver;
  bool limited = false;
};

struct ChainOptions {
  /// Live units; none: unbounded.
  std::optional<int64_t> budget;
  /// Empty: all in turn. Otherwise one of the names above.
  std::string solver;
  /// States that exact search may keep in all (about 80 bytes each). 0: one
  /// million.
  uint64_t effort = 0;
  /// An answer that they cut off says `limited`.
  graph::Limits limits;
};

/// Why no solver can take a checked chain with these options; empty if one can.
std::string chainRefusal(const HeterogeneousChain &chain,
                         const ChainOptions &options);

/// The best schedule found for a checked chain that is not refused.
ChainSchedule leastChainCost(const HeterogeneousChain &chain,
                             const ChainOptions &options = {});

/// The best schedule found for the smallest budget that one is found for, by
/// halves between the two numbers of chainBudgetRange(). `budget` of the
/// options does not count; `minBudget` is set where that budget is proven.
ChainSchedule leastChainBudget(const HeterogeneousChain &chain,
                               const ChainOptions &options = {});

/// No schedule at all fits a smaller budget than the first number; one fits the
/// second. Where they are equal, that is the smallest budget. O(L^2).
std::pair<int64_t, int64_t> chainBudgetRange(const HeterogeneousChain &chain);

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_HETEROGENEOUS_H
