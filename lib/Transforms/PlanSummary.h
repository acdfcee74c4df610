//===- PlanSummary.h - what a plan did, in one line -------------*- C++ -*-===//
//
// Counts what became of the values of a planned block, and writes the line that
// tools show at the end of each plan. Decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_PLANSUMMARY_H
#define PEBBLE_LIB_TRANSFORMS_PLANSUMMARY_H

#include "pebble/Planning/PlanSchedule.h"
#include "pebble/Planning/RemarkQueue.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// Values that a block makes in its compute tier, and what they take there. One
/// that is made again and moved counts as both.
struct ValueCounts {
  struct Group {
    int64_t values = 0, bytes = 0;
    void add(int64_t footprint) {
      ++values;
      bytes = addCounts(bytes, footprint);
    }
  };
  /// Of what is moved arguments are a part, too. Updates that are out of place,
  /// and values that are kept in a derived form, are counted beside the others.
  Group kept, again, moved, outOfPlace, derived;

  void add(const ValueCounts &other);
};

ValueCounts countValues(const StorageAnalysis &storage,
                        const SchedulePlan &plan);

/// What is known of a scheduled function beside its PlanOutcome.
struct PlanFacts {
  ScheduleObjective objective = ScheduleObjective::Recompute;
  int64_t budget = 0;
  /// Of every step once, in the unit of the objective.
  int64_t onceCost = 0;
  ValueCounts counts;
  /// Nanoseconds of the steps as they came in, and as they are planned; nothing
  /// where nobody can tell.
  std::optional<int64_t> inputTime, time;
  /// Nanoseconds of what ranks do together, and those of them that are hidden
  /// behind computation.
  int64_t sending = 0, hidden = 0;

  /// `summary` of `pebble.result`.
  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
};

struct PlanOutcome;
class PlanScope;

using ScheduledFunctions =
    std::vector<std::pair<mlir::FunctionOpInterface, const PlanOutcome *>>;

/// Emits a line on each function that was scheduled as a remark `summary`, and
/// then what waits in `queue` to be said of its plan. Tells the line in `scope`
/// as well, if there is one; of many, of those with the highest peaks.
void tellSchedules(ScheduledFunctions functions, RemarkQueue &queue,
                   llvm::StringRef category, const PlanScope *scope);

/// Says of a plan of `function` that operations of tosa may take other memory
/// when they are lowered, if it has any: slices become views, for one.
void remarkOnTosa(mlir::FunctionOpInterface function, llvm::StringRef category);

/// The line on a function that was ordered; `isPeak`: for its peak, and not for
/// its energy.
std::string writeOrderLine(llvm::StringRef function, const PlanOutcome &outcome,
                           bool isPeak, double seconds);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_PLANSUMMARY_H
