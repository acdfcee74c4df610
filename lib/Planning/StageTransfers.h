//===- StageTransfers.h - tapes of a pipeline that move away ----*- C++ -*-===//
//
// Private. Writes the stores and loads of a pipeline's schedule into its
// program. A rank has no clock: what the schedule says of times becomes places
// between tasks. A store is waited for before the first task that begins after
// it has ended on the clock of the schedule, and a load starts before the first
// task that begins no earlier than it does. So a program holds no tape longer
// than its schedule does.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_STAGETRANSFERS_H
#define PEBBLE_LIB_PLANNING_STAGETRANSFERS_H

#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Solver/Pipeline/Pipeline.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>

namespace pebble {

/// Whether values of `type` can be moved to another tier.
bool isMovable(mlir::Type type);

class StageTransfers {
public:
  using Time = std::pair<int64_t, int64_t>;
  /// What a value is from now on, and an op that was written.
  using Replace = llvm::function_ref<void(const pipeline::Task &task,
                                          unsigned number, mlir::Value now)>;
  using Note = llvm::function_ref<void(mlir::Operation *op)>;

  StageTransfers(mlir::OpBuilder &builder, AtAttr tier)
      : builder(builder), tier(tier) {}

  /// Starts to move `tape` away; `time` is that of the store.
  void store(const pipeline::Task &task, Time time,
             llvm::ArrayRef<mlir::Value> tape, mlir::Location loc, Note note);
  /// Waits for the store of the micro-batch of `task`.
  void finishStore(const pipeline::Task &task, Note note);
  /// Remembers a load, which settle() starts.
  void load(const pipeline::Task &task, Time time) {
    loads.push_back({task, time});
  }
  /// All that comes before `task`, which begins at `begin`; `stages` are those
  /// of its rank. A backward task gets its tape by `replace`.
  void settle(const pipeline::Task &task, int64_t begin,
              llvm::function_ref<bool(unsigned stage)> isOfRank,
              Replace replace, Note note);

private:
  using Key = std::pair<uint32_t, uint32_t>;
  struct Away {
    mlir::Location loc;
    mlir::Type type;
    mlir::Value copy, token;
  };
  struct Stored {
    int64_t end = 0;
    bool isUnderWay = true;
    /// By number in the tape; others stay.
    llvm::MapVector<unsigned, Away> values;
  };
  static Key getKey(const pipeline::Task &task) {
    return {task.stage, task.microBatch};
  }
  void finish(Stored &stored, Note note);
  void startLoad(const pipeline::Task &task, Note note);
  bool isSame(const pipeline::Task &a, const pipeline::Task &b) const {
    return getKey(a) == getKey(b);
  }

  mlir::OpBuilder &builder;
  AtAttr tier;
  llvm::MapVector<Key, Stored> stored;
  std::deque<std::pair<pipeline::Task, Time>> loads;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_STAGETRANSFERS_H
