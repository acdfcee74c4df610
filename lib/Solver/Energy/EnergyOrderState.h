//===- EnergyOrderState.h - an order's energy, kept up to date --*- C++ -*-===//
//
// What the search of EnergyOrder moves: an order whose energy is kept up to
// date while neighbouring steps are exchanged. It prices like EnergyModel,
// which stays its judge.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ENERGY_ENERGYORDERSTATE_H
#define PEBBLE_LIB_SOLVER_ENERGY_ENERGYORDERSTATE_H

#include "pebble/Solver/Energy/EnergyTouches.h"

namespace pebble::graph {

/// An order of steps with its energy and, if asked for, its excess over a peak
/// limit. Exchanging two neighbours takes time O(r x s) for steps with r and s
/// touches, whatever the size of the problem.
///
/// Why that is enough. The distance of a touch of v is the size of v plus the
/// sizes of the items whose last touch lies between this touch of v and the one
/// before, and that are alive at this touch. Exchanging neighbours r and s
/// leaves every pair of moments outside of r and s as it was; so a distance can
/// change only if one of its two ends lies in r or in s: the touches of r and s
/// themselves, and the next touch of each item that r or s touches.
///
/// `Word` holds sums of sizes and times: int32_t where TouchTable::isNarrow().
template <typename Word>
class EnergyOrderState {
public:
  /// `peakLimit` bounds the bytes live while a step runs (kUnbounded: do not
  /// count).
  EnergyOrderState(const TouchTable &table, const std::vector<Id> &order,
                   int64_t peakLimit = kUnbounded);

  const std::vector<Id> &order() const { return steps; }
  Id position(Id step) const { return at[step]; }
  int64_t energy() const { return total; }
  /// Sum over steps of the live bytes above the limit; 0 without a limit.
  int64_t excess() const { return overLimit; }

  /// Exchanges the steps at `i` and `i + 1`, which no edge may join.
  void swap(Id i);
  /// Takes back swaps until `count` of those made since forget() are left.
  void undoTo(size_t count);
  size_t made() const { return swaps.size(); }
  /// Makes all swaps so far permanent.
  void forget() {
    swaps.clear();
    changed = 0;
  }
  /// Positions between which `step` can move by itself, inclusive.
  Id earliest(Id step) const;
  Id latest(Id step) const;
  /// Starts again from `order`.
  void reset(const std::vector<Id> &order);

private:
  /// What an exchange needs to know of one of the two steps, per touch.
  struct Side {
    Id step = kNone;
    Id begin = 0;
    int32_t count = 0;
    /// Sizes, 0 in `own` for items that both touch; ranks within the step;
    /// times of the accesses before and after both steps.
    std::vector<Word> size, own, first, last, previous, next;
    /// Sums of sizes of the other side's items, see compare().
    std::vector<Word> above, below;
    /// Index of the same item on the other side, or -1, and its last rank
    /// there, or -1.
    std::vector<int32_t> partner;
    std::vector<Word> partnerLast;
    /// Sum of `own` of the items that live on after both steps.
    Word alive = 0;
  };
  struct Hot {
    Word distance = 0;
    /// Distances in (low, high] have the same price.
    Word low = 0, high = 0;
    Word size = 0;
    /// Neighbours in time among the touches of one item.
    Id before = kNone, after = kNone;
    Id step = kNone;
    int32_t first = 0, last = 0;
    bool born = false, stays = false, isWrite = false;
    uint8_t tier = 0;
    int64_t bytes = 0;
  };
  struct Change {
    Id touch;
    Word distance;
    uint8_t tier;
  };
  struct Swap {
    Id at;
    size_t changes;
    int64_t total, overLimit;
    int64_t before, during, duringNext;
  };

  void load(Side &side, Id step);
  void loadTouch(Side &side, int32_t index);
  void joinSides();
  void compare(Side &side, const Side &other);
  int64_t energyOf(const Hot &h) const {
    return h.bytes * price[2 * h.tier + h.isWrite];
  }
  void setTier(Hot &h, uint8_t tier);
  uint8_t tierAt(Word distance) const;
  void addDistance(Id touch, Word delta);
  void moveOthers();
  void moveShared();
  void relink(Id first, Id second);
  void swapPeak(Id i);
  void link();
  void computeDistances();
  void computePeak();

  const TouchTable &table;
  int64_t limit;
  std::vector<Id> steps, at;
  std::vector<Hot> hot;
  /// Distances of tier i are in (reach[i], reach[i + 1]].
  std::vector<Word> reach;
  std::vector<int64_t> price;
  int64_t total = 0;
  /// Bytes live before the step at each position, and while it runs.
  std::vector<int64_t> liveBefore, liveDuring;
  int64_t overLimit = 0;
  std::vector<Swap> swaps;
  /// The first `changed` of them count; room for one exchange is always there.
  std::vector<Change> changes;
  size_t changed = 0;
  Side first, second;
  /// Pairs (index in first, index in second) of items that both touch.
  std::vector<std::pair<int32_t, int32_t>> shared;
};

extern template class EnergyOrderState<int32_t>;
extern template class EnergyOrderState<int64_t>;

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_ENERGY_ENERGYORDERSTATE_H
