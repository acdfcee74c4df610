//===- PlanBlocks.h - plan a block and the blocks inside --------*- C++ -*-===//
//
// Plans one block within a budget, applies the plan, and proves it. What stands
// inside of its ops (loops, branches) is either ordered for its peak, or
// planned as the block is: for the least first, so that the block around knows
// what it needs at least, and then for the least cost within what that block
// leaves.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_PLANBLOCKS_H
#define PEBBLE_LIB_TRANSFORMS_PLANBLOCKS_H

#include "PlanPasses.h"
#include "Refusals.h"

#include "pebble/Planning/OverlapCollectives.h"
#include "pebble/Planning/PlanSchedule.h"

namespace pebble {

/// What a block is planned for: the least cost; the fewest live bytes, where a
/// budget of addresses leaves nothing else; the same for a function that runs
/// where an estimate was wrong, of which nothing is said.
enum class Aim { Cheapest, Leanest, Fallback };

/// What is asked of the blocks inside of a block's ops.
enum class Inside {
  Ordered, ///< the order of least peak
  Planned  ///< a schedule of their own
};

struct PlanOptions {
  ScheduleObjective objective = ScheduleObjective::Recompute;
  CacheModel cacheModel = CacheModel::Lru;
  ScheduleMeans means = ScheduleMeans::Recompute;
  std::string solver;
  uint64_t seed = 0;
  /// Updates may be made out of place.
  bool outOfPlace = true;
  bool greedyPacking = false;
  /// Less than a value may be kept where it says as much, or nothing, where
  /// what was made of it gives it back.
  FormKinds forms = FormKinds::none();
  /// Plans are read from a file, or written to one.
  bool keepsPlans = false;
  /// Of remarks.
  llvm::StringRef category;
  AnalysisOptions analysis;
  HierarchyAttr hierarchy;
};

/// A budget that is none: more than anything takes, with room for sums.
inline constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max() / 1024;

struct BlockTask {
  /// Without what is live around the block.
  int64_t budget = 0;
  /// Bytes of the compute tier that are live around the block. Errors add them
  /// to the budget.
  int64_t around = 0;
  /// Of the function as it came in; errors name percents of it.
  int64_t functionPeak = 0;
  Aim aim = Aim::Cheapest;
  Inside inside = Inside::Ordered;
  /// For all of the block, and what stands inside.
  graph::Limits limits;
  const SavedPlan *saved = nullptr;
  std::map<std::string, int64_t> slowTaken;
  /// What callees take may be less.
  bool calleesAreLeast = true;
  /// Is told where a plan was found whose rewrite is not proven; null: that is
  /// an error like others.
  std::optional<Refusal> *refusal = nullptr;
};

/// A block that is planned and written.
struct PlannedBlock {
  SchedulePlan plan;
  /// Something stands elsewhere than it came in, or runs again, here or inside.
  bool isChanged = false;
  /// Nothing takes less memory, inside and out, as far as that was asked for.
  bool isLeast = false;
  /// Here and inside, where that is planned.
  ValueCounts counts;
  /// Nanoseconds of the steps as they came in, and as they are planned; nothing
  /// without measured costs, or where something moves beside them.
  std::optional<int64_t> inputTime, time;
  /// What ranks do together, where it may run beside steps.
  OverlappedTimes collectives;
};

/// What is known of a scheduled function's blocks together.
struct ScheduleOutcome : PlanOutcome {
  /// Something stands elsewhere than it came in, or runs again.
  bool isChanged = false;
  /// No schedule of a block takes less memory.
  bool isLeast = true;
  /// Of all blocks.
  ValueCounts counts;
  std::optional<int64_t> inputTime = 0, time = 0;
  OverlappedTimes collectives;

  /// Counts `block` in, beside which `around` bytes are live.
  void add(const PlannedBlock &block, int64_t around);

  /// Fills in `facts`: `onceCost` is that of every step once.
  void state(ScheduleObjective objective, int64_t budget, int64_t onceCost);
};

/// Plans `block`. Emits an error and fails if that cannot be; the block may
/// then be half written, so that its function has to be put back.
llvm::FailureOr<PlannedBlock> planBlock(mlir::Block &block,
                                        const BlockTask &task,
                                        const PlanOptions &options);

/// True if `block` holds other blocks that take memory.
bool hasInnerMemory(mlir::Block &block, ProgramContext &context);

/// What every step of `block` costs once. Fails as getStepCosts does.
llvm::FailureOr<int64_t> getCostOnce(mlir::Block &block,
                                     const PlanOptions &options);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_PLANBLOCKS_H
