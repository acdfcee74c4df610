//===- StageModel.h - recomputation in stages, as a MILP --------*- C++ -*-===//
//
// The formulations that follow the first runs of a fixed order. Stage t ends
// with the first run of the t-th step; before it, steps that have run may run
// again, in one or more passes over the order. With one pass this is the
// frontier-advancing model of Checkmate; more passes let a step run twice
// between two first runs, or after one that stands behind it in the order.
//
// A pass is a row of slots, one a step. For each pass and slot, and each value:
//
//   run     the step of the slot runs in this pass
//   carry   the value is there when the pass begins
//   free    the value is dropped right after this slot, which touches it
//   live    bytes while the slot runs
//
// so a value is kept over intervals that begin with a run of its maker, go on
// while it is carried, and end with a free. Rows:
//
//   flow    carry + run of the maker = frees + carry into the next pass
//   once    carry + run of the maker <= 1
//   reads   a reader runs only while the value is there: run + frees before it
//           <= carry + run of the maker
//   ends    free <= run of the slot
//   room    live follows from runs and frees, and stays within the budget
//
// Checkmate states frees by products of the other variables, and those by
// inequalities; flow and reads say the same of whole numbers and more of
// fractions, so the relaxation is tighter. `free` is whole where the others
// are.
//
// With prices for transfers a value may also leave for the first slower tier
// and come back, as in POET's model:
//
//   store   the value is copied there in the pass in which it is made first
//   load    it is here when the pass begins because it came back
//   comes   load <= store
//
// and `load` stands beside `carry` in the rows above. What updates in place has
// a part in does not move.
//
// Fitted to whole problems: several results, updates in place (a content ends
// with the step that overwrites it), arguments, scratch, pins to keep.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_MILP_STAGEMODEL_H
#define PEBBLE_LIB_SOLVER_MILP_STAGEMODEL_H

#include "Solver/Graph/RunIds.h"
#include "pebble/Solver/Game/Problem.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Milp/Model.h"

#include <optional>
#include <vector>

namespace pebble::milp {

struct StageModelOptions {
  /// Legal order of first runs.
  std::vector<game::Id> order;
  /// Passes in each stage, at least 1.
  size_t passes = 1;
  /// Whether steps may run again after the last first run.
  bool endStage = false;
  /// Live bytes.
  int64_t budget = 0;
  /// Prices of stores and loads in the first slower tier; null: no transfers.
  const graph::MoveCosts *transfers = nullptr;
  /// Schedules that cost as much or more are of no interest: what costs that
  /// much by itself beyond every step once is left out.
  int64_t cutoff = INT64_MAX;
  const graph::StopSign *stop = nullptr;
};

class StageModel {
public:
  /// Why a checked problem cannot be stated; empty if it can.
  static std::string refusal(const game::Problem &problem);
  /// About passes * n * (n + accesses) / 2 columns, without building them.
  static size_t sizeOf(const game::Problem &problem, size_t passes);

  /// `problem` is checked and not refused.
  StageModel(const game::Problem &problem, const StageModelOptions &options);

  const Model &model() const { return milp; }
  /// False if the stop sign ended the building early.
  bool complete() const { return built; }
  /// False if what is always there is over the budget by itself.
  bool fits() const { return roomy; }
  /// Cost of the schedule per unit of the objective.
  int64_t costUnit() const { return unit; }
  /// Cost of every step once: the objective's constant, in units of its own.
  int64_t firstRunsCost() const { return once; }

  /// The steps, and with transfers the loads (RunIds.h), in the order in which
  /// a solution runs them.
  std::vector<game::Id> runsOf(const std::vector<double> &values) const;
  /// The values of all columns for a list of runs; nothing if the model cannot
  /// express it, or has transfers.
  std::optional<std::vector<double>>
  valuesOf(const std::vector<game::Id> &runs) const;
  /// The least number of passes that can express `runs` in `order`; 0 if first
  /// runs do not follow it.
  static size_t passesFor(const game::Problem &problem,
                          const std::vector<game::Id> &order,
                          const std::vector<game::Id> &runs);

  /// The columns that carry values over the beginning of a pass, with their
  /// value and the pass; for rounding.
  struct Carry {
    Index column;
    game::Id value;
    size_t pass;
  };
  std::vector<Carry> carries() const;
  size_t passCount() const { return passes; }
  /// The step whose first run ends pass `pass`; kNone if none does.
  game::Id firstRunIn(size_t pass) const;
  /// Whether the step at this place of the order can run in `pass`.
  bool mayRun(size_t pass, size_t slot) const { return run[pass][slot] >= 0; }

private:
  /// A value that the model follows.
  struct Tracked {
    game::Id value = game::kNone;
    /// Slot of its maker; SIZE_MAX if there from the start.
    size_t maker = SIZE_MAX;
    /// Slots that touch it, maker included, ascending.
    std::vector<size_t> touches;
    /// Slot of the step that overwrites it; SIZE_MAX if none does.
    size_t overwriter = SIZE_MAX;
    /// Has to be there at the end.
    bool kept = false;
    /// Is never dropped.
    bool pinned = false;
    /// What making it adds and dropping it frees, in units of memory.
    int64_t bytes = 0;
    bool inPlace = false;
    /// The last stage in which having it can matter.
    size_t needed = 0;
    /// May leave and come back.
    bool moves = false;
  };

  size_t stageOf(size_t pass) const { return pass / perStage; }
  /// Whether having the value when a pass of `stage` begins can matter.
  static bool mayBeThere(const Tracked &value, size_t stage) {
    return (value.maker == SIZE_MAX || value.maker < stage) &&
           value.needed >= stage;
  }
  bool hasFirstRun(size_t pass) const {
    return pass % perStage == perStage - 1 && stageOf(pass) < slots;
  }
  /// Whether it can be part of a schedule below the cutoff.
  bool affords(int64_t cost) const { return cost < options.cutoff - once; }
  void track();
  /// By value of the problem: where it is tracked, SIZE_MAX if it is not.
  std::vector<size_t> trackValues();
  void trackTouches(const std::vector<size_t> &number);
  /// Memory in its largest common unit, costs likewise.
  void setUnits();
  /// Sets the columns of tracked value `i` for runs, as pass and slot; false if
  /// the model has none for them.
  bool setLifeOf(size_t i, const std::vector<std::pair<size_t, size_t>> &runs,
                 std::vector<double> &x) const;
  void findNeeds();
  void addColumns();
  void addTransferColumns(size_t pass);
  void addTransferRows(size_t pass);
  void addValueRows(size_t pass);
  void addRoomRows(size_t pass);
  std::string tag(const char *kind, size_t pass, size_t i) const;

  const game::Problem &p;
  StageModelOptions options;
  size_t slots, perStage, passes;
  /// Slot of each step.
  std::vector<size_t> slotOf;
  std::vector<Tracked> values;
  /// Tracked values per slot: made, read or overwritten.
  std::vector<std::vector<size_t>> made, touched;
  /// Last stage in which a step may run again; 0: never.
  std::vector<size_t> again;
  std::vector<int64_t> scratch;
  int64_t room = 0, initially = 0, unit = 1, once = 0;
  bool roomy = true, built = false;

  Model milp;
  /// Columns; -1 where there is none. free is indexed like `touches`.
  std::vector<std::vector<Index>> run, carry, live, load;
  /// By value, in the pass in which it is there for the first time.
  std::vector<Index> store;
  std::vector<std::vector<std::vector<Index>>> free;
  /// Rows that say how live bytes follow, and the column that each is for.
  std::vector<std::pair<Index, Index>> rooms;
};

} // namespace pebble::milp

#endif // PEBBLE_LIB_SOLVER_MILP_STAGEMODEL_H
