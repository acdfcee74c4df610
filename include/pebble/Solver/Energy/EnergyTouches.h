//===- EnergyTouches.h - what steps touch, in any order ---------*- C++ -*-===//
//
// The working form of a problem for EnergyOrder: steps touch items (storages in
// the model `lru`). Built once per solve; never changes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ENERGY_ENERGYTOUCHES_H
#define PEBBLE_SOLVER_ENERGY_ENERGYTOUCHES_H

#include "pebble/Solver/Energy/EnergyModel.h"
#include "pebble/Solver/Graph/StepGraph.h"

namespace pebble::graph {

/// What the steps of a problem touch, the same in every order. All accesses of
/// one item by one step are one touch: where the item stands on the stack
/// matters to the first of them only, the price of the others is fixed.
struct TouchTable {
  struct Item {
    /// In units of `unit` bytes.
    int64_t size = 0;
    int64_t footprint = 0;
    /// Never leaves the stack.
    bool stays = false;
    /// Never leaves the compute tier, in the count of the peak.
    bool kept = false;
    /// Rank on the initial stack, 0 on top; -1 if it is not there.
    int32_t initialRank = -1;
  };
  struct Touch {
    Id step = kNone;
    Id item = kNone;
    /// Ranks of the step's first and last access of the item.
    int32_t first = 0, last = 0;
    /// Makes the item: nothing to reuse, and a fixed price.
    bool born = false;
    /// The first access is a write.
    bool isWrite = false;
    /// Bytes of the first access.
    int64_t bytes = 0;
  };

  TierPrices prices;
  /// The largest number of bytes that divides all item sizes.
  int64_t unit = 1;
  std::vector<Item> items;
  /// By step; those of step s are [begin[s], begin[s + 1]).
  std::vector<Touch> touches;
  std::vector<Id> begin;
  std::vector<int64_t> scratch;
  /// Energy that no order changes, by step: repeated accesses within a step and
  /// first writes.
  std::vector<int64_t> fixedPerStep;
  /// One more than the largest rank of an access within its step.
  int32_t ranks = 1;
  /// The most touches of one step.
  size_t widest = 0;
  /// Footprint of what the count of the peak keeps from before the first step,
  /// without initial items that nothing touches.
  int64_t initialLive = 0;
  StepGraph graph;

  /// Items are storages for CacheModel::Lru. For CacheModel::Sutro they are
  /// values, and the energy kept is that of true LRU on values: close to the
  /// model and cheap to keep, so good for finding orders that the model judges.
  TouchTable(const Problem &problem, CacheModel model);

  size_t steps() const { return scratch.size(); }
  /// Whether sums of sizes and times of accesses fit 32 bits.
  bool isNarrow() const;
  /// Whether `a` must run before `b` by a direct edge.
  bool isBefore(Id a, Id b) const;

private:
  void addItems(const Problem &problem, bool byValue);
  /// Adds what `step` touches. `touchOf` says by item where that is, kNone
  /// before.
  void addStep(const Problem &problem, const game::Step &step, bool byValue,
               std::vector<Id> &touchOf);
};

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_ENERGY_ENERGYTOUCHES_H
