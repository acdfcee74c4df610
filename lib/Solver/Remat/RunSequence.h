//===- RunSequence.h - runs in a row, their lifetimes and bytes -*- C++ -*-===//
//
// What local search changes: the list of runs of a schedule. Runs stand in
// slots, most of which are empty, so that a run can be put between two others
// without moving them. Which copy of a value a run reads, how long each copy
// lives and how many bytes are live at each slot follow, and are kept up to
// date while runs come and go; so is the excess over the budget.
//
// Where transfers are allowed a run may be a load (RunIds.h). It costs what the
// cheapest tier takes, and the first one of a value its store too.
//
// Storages that are updated in place are one lifetime: the steps that update
// them run once, and readers of an earlier content stand before the update.
// Their first content may be made again before the update, and when all later
// ones are gone. Their contents are not loaded.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_RUNSEQUENCE_H
#define PEBBLE_LIB_SOLVER_REMAT_RUNSEQUENCE_H

#include "Solver/Graph/RunIds.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pebble::graph {

class RunSequence {
public:
  using Id = game::Id;
  using Slot = uint32_t;
  static constexpr Id kEmpty = game::kNone;

  /// Why the lifetimes of a problem, or the wishes in it, are more than this
  /// knows; empty if not. Wishes to offload need transfers.
  static std::string refusal(const game::Problem &problem);
  /// `problem` is checked and not refused.
  /// With `fixedOrder` first runs keep the order in which the steps stand.
  /// `transfers`, if given, prices loads and has to stay; without `recompute`
  /// no step runs twice.
  RunSequence(const game::Problem &problem, int64_t budget, bool fixedOrder,
              const MoveCosts *transfers = nullptr, bool recompute = true);

  /// Whether steps that run again and loads are such as this knows.
  bool takes(const std::vector<Id> &runs) const;

  /// Starts anew with `runs`, which make a valid schedule but for the budget.
  void load(const std::vector<Id> &runs);
  std::vector<Id> runs() const;

  //===--------------------------------------------------------------------===//
  // What is
  //===--------------------------------------------------------------------===//

  /// Summed cost of all runs, loads and the stores that they need.
  int64_t cost() const { return total; }
  /// Bytes above the budget, summed over all runs; 0 means that all fits.
  double excess() const { return over; }
  Slot slots() const { return static_cast<Slot>(stepAt.size()); }
  Id at(Slot slot) const { return stepAt[slot]; }
  /// Bytes live while `slot` runs.
  double bytesAt(Slot slot) const {
    return live[slot] + blocks[slot / kBlock].shift;
  }
  /// Whether the bytes at `slot` exceed the budget.
  bool isOver(Slot slot) const {
    return occupied[slot] != 0 && bytesAt(slot) > limit;
  }
  /// The first slot at or after `from`, and then from the first one on, whose
  /// bytes exceed the budget; slots() if none do.
  Slot findOver(Slot from) const;
  const std::vector<Slot> &runsOf(Id run) const { return runSlots[run]; }
  /// Slots whose runs make `value`: of its producer and loads.
  const std::vector<Slot> &copiesOf(Id value) const { return copySlots[value]; }
  /// Slots whose runs read `value`.
  const std::vector<Slot> &readsOf(Id value) const { return readSlots[value]; }
  /// The run that serves a read of `value` at `slot`; kStart for what is there
  /// from the start.
  Slot serves(Id value, Slot slot) const;
  static constexpr Slot kStart = UINT32_MAX;
  /// The first read that the run at `slot` serves through `value`; slots() if
  /// none does.
  Slot firstRead(Id value, Slot slot) const;
  /// Whether `value` is resident while `slot` runs.
  bool isLive(Id value, Slot slot) const;
  /// The value that stands for the lifetime of `value`, and the first and last
  /// slots of each time that a lifetime is resident.
  Id getLifetime(Id value) const { return lifetimeOf[value]; }
  const std::vector<std::pair<Slot, Slot>> &spansOfLifetime(Id value) const {
    return spans[value];
  }
  /// The steps that may run again, and the loads that may be.
  const std::vector<Id> &repeatable() const { return canRepeat; }
  bool mayRepeat(Id run) const { return again[run]; }
  /// Steps that run more than once, and loads.
  const std::vector<Id> &repeated() const { return manyTimes; }
  /// Whether a run of it can go while the others stay.
  bool isSpare(Id run) const { return runSlots[run].size() > least(run); }
  /// Cost of one run; of a load with its store.
  int64_t costOf(Id run) const;
  /// Values read, and written, by a run, each once.
  const std::vector<Id> &reads(Id run) const { return readsBy[run]; }
  const std::vector<Id> &writes(Id run) const { return writesBy[run]; }
  /// An empty slot in (`after`, `before`) with no run between it and `before`;
  /// slots() if there is none (respace() makes some). kStart stands for before
  /// the first slot.
  Slot emptyBefore(Slot after, Slot before) const;
  /// An empty slot in (`after`, `before`) near `wish`; slots() if there is none
  /// near.
  Slot emptyNear(Slot after, Slot before, Slot wish) const;

  //===--------------------------------------------------------------------===//
  // Changes: add() and remove() as many as belong together, then settle(), then
  // keep() or undo()
  //===--------------------------------------------------------------------===//

  void add(Id run, Slot slot);
  void remove(Slot slot);
  /// Removes the run at `slot` and, of the runs that made its inputs, those
  /// that can be spared and were there for it only. How many it removed.
  size_t takeOut(Slot slot);
  /// Brings lifetimes up to date. False if a run now reads what is not there or
  /// an order is broken: only undo() may follow.
  bool settle();
  void keep();
  void undo();
  /// Spreads the runs evenly again. Only between changes; slots change.
  void respace();

private:
  /// A copy's first and last slot.
  using Span = std::pair<Slot, Slot>;
  /// Slots in a row, whose bytes change together where they can.
  struct Block {
    /// What the slots' own entries of `live` lack.
    double shift = 0;
    /// No slot with a run has more bytes than `most`, or fewer than `least`.
    double most = 0, least = 0;
    /// Runs that stand here.
    double count = 0;
  };
  static constexpr Slot kBlock = 128;
  static constexpr double kUnbounded = 1e300;

  struct Change {
    Id run;
    Slot slot;
    bool added;
  };

  void listSteps(bool recompute);
  void listUses();
  void listOrders(bool fixedOrder);

  /// How often it has to be there.
  size_t least(Id run) const { return run < p.steps.size() ? 1 : 0; }
  int64_t costOfAll(Id run, size_t times) const;
  void put(Id run, Slot slot);
  void take(Slot slot);
  bool makes(Id run, Id value) const;
  void touch(Id value);
  bool spansOf(Id lifetime, std::vector<Span> &spans) const;
  bool followsWishes(Id value) const;
  bool chainSpan(Id lifetime, std::vector<Span> &spans) const;
  std::vector<Span> copySpans(Id value) const;
  void cover(Id lifetime, const std::vector<Span> &from,
             const std::vector<Span> &to);
  void addBytes(Slot first, Slot end, double bytes);
  void addEach(Block &block, Slot first, Slot end, double bytes);
  bool inOrder(Id run) const;

  const game::Problem &p;
  const double limit;
  const MoveCosts *transfers;
  std::vector<std::vector<Id>> readsBy, writesBy;
  std::vector<bool> again;
  std::vector<Id> canRepeat;
  /// By value: servesOneReader().
  std::vector<bool> oneReader;
  /// By value: the last copy is used when nobody reads it any more, at the end
  /// or by a step that overwrites it unread.
  std::vector<bool> isUsedLast;
  /// The value that stands for a value's lifetime: itself, or the first content
  /// of a storage that is updated in place.
  std::vector<Id> lifetimeOf;
  /// The contents of such a storage in order; one value for all others.
  std::vector<std::vector<Id>> contents;
  /// Steps whose first runs stand before, and after, that of a step.
  std::vector<std::vector<Id>> befores, afters;

  std::vector<Id> stepAt;
  /// 1 where a run stands, 0 elsewhere; numbers, so that loops over them are
  /// free of branches.
  std::vector<double> occupied, live;
  std::vector<Block> blocks;
  std::vector<std::vector<Slot>> runSlots, copySlots, readSlots;
  std::vector<std::vector<Span>> spans;
  std::vector<Id> manyTimes, placeInMany;
  int64_t total = 0;
  double over = 0;

  std::vector<Change> changes;
  std::vector<Id> touched;
  std::vector<bool> isTouched;
  size_t settled = 0;
  std::vector<std::vector<Span>> former;
  std::vector<Span> scratchSpans;
};

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_RUNSEQUENCE_H
