//===- RematGame.h - the game with recomputation, in bits -------*- C++ -*-===//
//
// A small Problem (at most 64 values that count and 64 steps) laid out for
// searches over schedules that may run steps again and, where asked, store and
// load values: sets are single words. Built once per solve; never changes.
//
// Lower bound of a position, in two parts that add up:
//
//   closure   what is missing must be made: a required value that is neither
//             resident nor stored makes its step run, which needs its reads,
//             and so on. Every step in this closure runs at least once more.
//   knapsack  while a step s of the closure runs, values that a later step of
//             the closure reads and that were there before s are either kept
//             or made again. What exceeds the room beside s has to be made
//             again, at the least cost per byte; the dearest s counts.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_REMAT_REMATGAME_H
#define PEBBLE_SOLVER_REMAT_REMATGAME_H

#include "pebble/Solver/Game/Problem.h"
#include "pebble/Solver/Graph/MoveSequence.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pebble::graph {

/// What may be done besides ordering.
struct RematMeans {
  bool recompute = true;
  bool offload = false;
  /// Cost of one store, and of one load, per byte, in every slower tier.
  int64_t offloadRate = 0;
  /// First runs keep the order in which the steps stand.
  bool fixedOrder = false;
};

/// Cost of what cannot be.
constexpr int64_t kNever = INT64_MAX / 4;

/// Most tiers below the compute tier.
constexpr size_t kSlowTiers = 3;

/// What a schedule has reached.
struct RematState {
  /// Values in the compute tier.
  uint64_t resident = 0;
  /// Tracked steps that have run.
  uint64_t ran = 0;
  /// Values with a copy in each slower tier, the nearest one first.
  std::array<uint64_t, kSlowTiers> stored = {};

  /// Values with a copy in any slower tier.
  uint64_t anyStored() const {
    uint64_t any = 0;
    for (uint64_t set : stored)
      any |= set;
    return any;
  }
  bool operator==(const RematState &o) const {
    return resident == o.resident && stored == o.stored && ran == o.ran;
  }
};

class RematGame {
public:
  struct Step {
    uint64_t reads = 0, writes = 0;
    /// Values that vanish when it runs: what it overwrites in place.
    uint64_t overwritten = 0;
    /// Values whose storage must be free before it runs.
    uint64_t conflicts = 0;
    /// Values that it reads and that may serve one reader per copy only.
    uint64_t spent = 0;
    /// Values that it writes and that leave the compute tier right after it,
    /// for a slower one.
    uint64_t away = 0;
    /// Tracked steps that must have run before.
    uint64_t after = 0;
    /// Bytes that it adds: fresh results, and scratch while it runs.
    int64_t fresh = 0, scratch = 0;
    int64_t cost = 0;
    bool again = true;
  };
  struct Value {
    int64_t footprint = 0;
    /// Cost of a store to, and a load from, each slower tier; kNever if it may
    /// not be there.
    std::array<int64_t, kSlowTiers> store, load;
    /// The least that a store and a load cost together.
    int64_t roundTrip = kNever;
    game::Id producer = game::kNone;
    /// All values of its storage.
    uint64_t storage = 0;
  };

  /// Why a problem is not for this game; empty if it is.
  static std::string refusal(const game::Problem &problem,
                             const RematMeans &means);
  /// `problem` is checked and not refused. Transfers cost what `transfers`
  /// says, by default `means.offloadRate` per byte.
  RematGame(const game::Problem &problem, const RematMeans &means,
            const MoveCosts *transfers = nullptr);

  size_t size() const { return steps.size(); }
  const Step &step(game::Id s) const { return steps[s]; }
  const Value &value(game::Id v) const { return values[v]; }
  /// The value of the problem that value `v` of the game is.
  game::Id origin(game::Id v) const { return origins[v]; }
  RematState start() const { return initial; }
  bool isGoal(const RematState &s) const {
    return (required & ~s.resident) == 0 && s.ran == tracked;
  }
  /// Values that may never be dropped.
  uint64_t pinned() const { return pinnedValues; }
  /// Steps whose having run is part of the state.
  uint64_t trackedSteps() const { return tracked; }
  /// Values in order of falling footprint.
  const std::vector<game::Id> &bySize() const { return sizeOrder; }
  int64_t bytes(uint64_t set) const;
  /// Slower tiers, and the bytes that each of them holds.
  size_t slowTiers() const { return capacities.size(); }
  int64_t capacity(size_t slow) const { return capacities[slow]; }
  /// The least that a load of `v` costs from where it is stored; kNever if it
  /// is nowhere.
  int64_t leastLoad(const RematState &s, game::Id v) const;
  /// The largest working set of a step: no budget under it is enough.
  int64_t largestWorkingSet() const;
  /// Every step once.
  int64_t costOfOneRun() const;
  /// No schedule within `budget` gets from `s` to the goal for less. kNever if
  /// none gets there at all.
  int64_t bound(const RematState &s, int64_t budget) const;

private:
  /// By value of the problem: its number here, kNone if it has none. Fills
  /// `contents`: by storage, the values that it may hold.
  std::vector<game::Id> addValues(const game::Problem &problem,
                                  const RematMeans &means,
                                  const MoveCosts *transfers,
                                  std::vector<uint64_t> &contents);
  void addSteps(const game::Problem &problem, const RematMeans &means,
                const std::vector<game::Id> &number,
                const std::vector<uint64_t> &contents);
  void trackSteps(const game::Problem &problem, const RematMeans &means);
  /// The least that it costs to lose `excess` bytes of `wanted` beside a step
  /// whose ancestors write `written`; kNever if they cannot be lost.
  int64_t costOfLoss(const RematState &s, uint64_t wanted, uint64_t closure,
                     uint64_t written, int64_t excess) const;
  int64_t knapsack(const RematState &s, uint64_t closure, uint64_t missing,
                   int64_t budget) const;

  std::vector<Step> steps;
  std::vector<Value> values;
  std::vector<game::Id> origins, sizeOrder;
  std::vector<int64_t> capacities;
  RematState initial;
  uint64_t required = 0, pinnedValues = 0, tracked = 0;
};

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_REMAT_REMATGAME_H
