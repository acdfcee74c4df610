//===- Periodic.h - checkpoints at fixed distances --------------*- C++ -*-===//
//
// Policies that are simpler than the optimum, for comparison with it and for
// code that is simpler too:
//
//   periodic   every L-th state goes to a slower tier, once, and is loaded
//              once; between two of them the optimal reversal in the slots of
//              tier 0 (Binomial.h). Double checkpointing, as published for
//              spiking networks, is this with L slots of tier 0: all states of
//              a segment are kept while it is reversed.
//   bisection  the middle of what is left is kept, again and again: about
//              log2(n) slots and n / 2 log2(n) forward steps.
//
// With t(l, c) from Binomial.h, q = ceil(n / L) - 1 segments before the last
// one and that of length m = n - q L, periodic checkpointing runs
//
//   q L + q t(L, c) + t(m, c)
//
// forward steps beside the backward steps, and stores and loads q states: the
// last segment is reversed as soon as it is reached. Best among such policies
// with the L of bestPeriod(); never better than TieredChain.h.
//
// O(1) time for each action, memory for the snapshots in use.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_PERIODIC_H
#define PEBBLE_SOLVER_CHAIN_PERIODIC_H

#include "pebble/Solver/Chain/Binomial.h"

#include <memory>
#include <optional>

namespace pebble::chain {

/// What periodic checkpointing works with. Costs of one step, one store and one
/// load; backward steps cost the same under every policy and are left out.
struct PeriodicChain {
  int64_t steps = 0;
  /// Snapshots in tier 0 beside the working state.
  int64_t slots = 0;
  int64_t forward = 1, store = 0, load = 0;
  /// Snapshots in the slower tier; none: any number.
  std::optional<int64_t> slowSlots;
};

/// States that go to the slower tier: ceil(steps / period) - 1, or 0.
int64_t periodicStores(int64_t steps, int64_t period);

/// The cost with that period; nothing where the slots are too few for it, or
/// the cost does not fit into 64 bits. `period` is at least 1.
std::optional<int64_t> periodicCost(const PeriodicChain &chain, int64_t period);

/// The period of least cost from `least` to `most`, the longest of them;
/// nothing if none will do. Of periods beyond 100,000 only the longest one for
/// each number of up to 100,000 stores is tried.
std::optional<int64_t> bestPeriod(const PeriodicChain &chain, int64_t least = 1,
                                  int64_t most = INT64_MAX);

/// The same where the first state stays in tier 0, and is neither stored nor
/// loaded; of the slow slots, one is its own.
std::optional<int64_t> bestPeriodFromPinned(const PeriodicChain &chain);

/// The period of least cost for each step of long chains, the shortest of them;
/// `chain.steps` and `chain.slowSlots` do not count.
std::optional<int64_t> steadyPeriod(const PeriodicChain &chain);

/// Actions on states first..first + steps out of actions on 0..steps.
class PeriodicActions : public ActionStream {
public:
  /// Snapshots between two of the slower tier's go to slots 0..slots - 1 of
  /// tier 0, the others to slots 0.. of tier `slowTier`. Asks for a period for
  /// which periodicCost() has an answer, or that is too dear for 64 bits.
  PeriodicActions(int64_t steps, int64_t slots, int64_t period,
                  int32_t slowTier = 1);
  bool next(Action &action) override;

private:
  enum class Phase { Snapshot, Advance, Segment, Restore, Free };

  void startSegment(int64_t length);

  int64_t steps, slots, period;
  int32_t slowTier;
  /// The segment at hand, and the number of segments.
  int64_t segment = 0, segments;
  Phase phase;
  bool turned = false;
  std::unique_ptr<BinomialActions> inner;
};

/// Forward steps of bisection, and the snapshots that it takes, for up to 2^56
/// steps; O(log steps).
int64_t bisectionCost(int64_t steps);
int64_t bisectionSlots(int64_t steps);

class BisectionActions : public ActionStream {
public:
  /// Snapshots go to slots 0.. of tier `tier`.
  explicit BisectionActions(int64_t steps, int32_t tier = 0);
  bool next(Action &action) override;

private:
  enum class Phase { Arrive, Decide, Turn, Reverse };

  int64_t end, working = 0;
  int32_t tier;
  bool turned = false;
  Phase phase = Phase::Arrive;
  /// Positions of the snapshots in use.
  std::vector<int64_t> held;
};

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_PERIODIC_H
