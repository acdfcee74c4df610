//===- Updates.cpp - updates that need not be in place --------------------===//

#include "pebble/Planning/Updates.h"

#include "pebble/Analysis/Destinations.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Planning/PlanSchedule.h"
#include "pebble/Planning/RemarkQueue.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

/// A storage of its own for what is written over `old`, with its content where
/// the operation needs that.
static Value makeStorage(OpBuilder &builder, Location loc, Value old,
                         bool copies) {
  return bufferization::AllocTensorOp::create(
      builder, loc, cast<RankedTensorType>(old.getType()), ValueRange(),
      copies ? old : Value());
}

namespace {
class UpdateFinder {
public:
  UpdateFinder(const StorageAnalysis &storage, const game::Problem &problem,
               ScheduleObjective objective, HierarchyAttr hierarchy)
      : storage(storage), problem(problem), objective(objective),
        hierarchy(hierarchy), isAsked(storage.getStorages().size(), false) {
    for (auto [index, step] : llvm::enumerate(storage.getSteps()))
      if (problem.steps[index].pin != game::Pin::None)
        for (const Access &access : step.accesses)
          isAsked[access.storage] = true;
    for (auto op : storage.getBlock()->getOps<bufferization::DeallocTensorOp>())
      for (StorageId id : storage.lookup(op.getTensor()))
        isAsked[id] = true;
  }

  std::vector<FreeUpdate> run() {
    for (auto [index, step] : llvm::enumerate(storage.getSteps()))
      if (isFree(step))
        for (OpResult result : step.op->getResults())
          visit(result, index);
    return std::move(found);
  }

private:
  bool isFree(const Step &step) const {
    return isa<DestinationStyleOpInterface>(step.op) && step.barrier.empty() &&
           llvm::none_of(step.accesses,
                         [&](const Access &access) {
                           return storage.getStorage(access.storage).isMemory;
                         }) &&
           !collectHiddenEffects(step.op, storage.getContext()).runsOnce;
  }

  /// Whether nobody outside of the block sees where a content of it lies.
  bool isFree(StorageId id) const {
    const Storage &entry = storage.getStorage(id);
    if (isAsked[id] || entry.isMemory || entry.mayBeMissing ||
        !entry.tier.empty())
      return false;
    if (entry.kind == StorageKind::Local)
      return true;
    auto argument = dyn_cast_if_present<BlockArgument>(entry.root);
    auto function =
        dyn_cast<FunctionOpInterface>(storage.getBlock()->getParentOp());
    return entry.kind == StorageKind::Donated && !entry.outlives && argument &&
           function && storage.getBlock()->isEntryBlock() &&
           !function.getArgAttr(argument.getArgNumber(), attr::kAliasingOutput);
  }

  void visit(OpResult result, unsigned index) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      return;
    OpOperand *old = storage.getDestination(result).overwrites;
    ArrayRef<StorageId> ids = storage.lookup(result);
    auto dps = cast<DestinationStyleOpInterface>(result.getOwner());
    if (!old || old != dps.getTiedOpOperand(result) || ids.size() != 1 ||
        !isFree(ids[0]))
      return;
    FreeUpdate update;
    update.copies = !overwritesInFull(*old);
    if (!update.copies && !type.hasStaticShape())
      return;
    for (const game::Access &write : problem.steps[index].writes)
      if (problem.values[write.value].storage == ids[0])
        update.value = write.value;
    if (update.value == game::kNone ||
        problem.values[update.value].overwrites == game::kNone)
      return;
    update.result = result;
    update.overwrites = storage.getStorageName(ids[0]);
    update.bytes = storage.getStorage(ids[0]).getFootprint();
    if (update.copies) {
      std::optional<int64_t> cost = getCopyCost(old->get());
      if (!cost)
        return;
      update.copyCost = *cost;
    }
    found.push_back(std::move(update));
  }

  /// What the copy would cost if it stood in the block.
  std::optional<int64_t> getCopyCost(Value old) const {
    OpBuilder builder(old.getContext());
    Operation *copy = makeStorage(builder, old.getLoc(), old, /*copies=*/true)
                          .getDefiningOp();
    std::optional<int64_t> cost =
        pebble::getCopyCost(storage, copy, objective, hierarchy);
    copy->erase();
    return cost;
  }

  const StorageAnalysis &storage;
  const game::Problem &problem;
  ScheduleObjective objective;
  HierarchyAttr hierarchy;
  /// By storage: somebody has a wish for what it holds, or frees it.
  std::vector<bool> isAsked;
  std::vector<FreeUpdate> found;
};
} // namespace

std::vector<FreeUpdate> getFreeUpdates(const StorageAnalysis &storage,
                                       const game::Problem &problem,
                                       ScheduleObjective objective,
                                       HierarchyAttr hierarchy) {
  return UpdateFinder(storage, problem, objective, hierarchy).run();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// Carries a plan over to the block in which some updates are out of place: the
/// copy of an old content runs right before each run of the step that took it.
class PlanCarrier {
public:
  PlanCarrier(
      const StorageAnalysis &before, const StorageAnalysis &after,
      const llvm::DenseMap<Operation *, SmallVector<Operation *, 1>> &copies,
      SchedulePlan &plan)
      : after(after), plan(plan) {
    for (const Step &step : before.getSteps()) {
      SmallVector<unsigned, 2> &now = steps.emplace_back();
      for (Operation *copy : copies.lookup(step.op))
        now.push_back(*after.getStepIndex(copy));
      now.push_back(*after.getStepIndex(step.op));
    }
  }

  void run() {
    std::vector<unsigned> runs;
    for (unsigned step : plan.runs)
      llvm::append_range(runs, steps[step]);
    plan.runs = std::move(runs);
    std::vector<BlockAction> actions;
    for (const BlockAction &action : plan.actions) {
      if (action.kind != BlockAction::Run) {
        actions.push_back(action);
        continue;
      }
      for (unsigned step : steps[action.index])
        actions.push_back({BlockAction::Run, step, {}, {}});
    }
    plan.actions = std::move(actions);
    splitCosts();
    carry(plan.unitCosts);
    carry(plan.runOnce);
    carry(plan.stepPeaks);
    for (Content &content : plan.contents)
      if (ArrayRef<StorageId> ids =
              content.name ? after.lookup(content.name) : ArrayRef<StorageId>();
          !ids.empty())
        content.storage = ids[0];
  }

private:
  template <typename T>
  void carry(std::vector<T> &of) const {
    std::vector<T> result(after.getSteps().size());
    for (auto [old, now] : llvm::enumerate(steps))
      for (unsigned step : now)
        result[step] = of[old];
    of = std::move(result);
  }

  /// The planner's costs of a step have the copies in them.
  void splitCosts() {
    carry(plan.costs);
    for (const FreeUpdate &update : plan.outOfPlace) {
      if (!update.copies)
        continue;
      Operation *op = update.result.getOwner();
      OpOperand *tied =
          cast<DestinationStyleOpInterface>(op).getTiedOpOperand(update.result);
      plan.costs[*after.getStepIndex(tied->get().getDefiningOp())] =
          update.copyCost;
      plan.costs[*after.getStepIndex(op)] -= update.copyCost;
    }
  }

  const StorageAnalysis &after;
  SchedulePlan &plan;
  /// By step of the block as it came in: those that stand for it now.
  std::vector<SmallVector<unsigned, 2>> steps;
};
} // namespace

LogicalResult writeOutOfPlace(std::unique_ptr<StorageAnalysis> &storage,
                              ProgramContext &context, SchedulePlan &plan) {
  if (plan.outOfPlace.empty())
    return success();
  EquivalenceChecker checker(*storage);
  llvm::DenseMap<Operation *, SmallVector<Operation *, 1>> copies;
  llvm::SmallDenseSet<Operation *> released;
  for (const FreeUpdate &update : plan.outOfPlace) {
    Operation *op = update.result.getOwner();
    OpBuilder builder(op);
    OpOperand *old =
        cast<DestinationStyleOpInterface>(op).getTiedOpOperand(update.result);
    old->set(makeStorage(builder, op->getLoc(), old->get(), update.copies));
    if (update.copies)
      copies[op].push_back(old->get().getDefiningOp());
    released.insert(op);
  }
  if (failed(checker.verify(released)))
    return failure();
  auto fresh = std::make_unique<StorageAnalysis>(*storage->getBlock(), context);
  if (failed(fresh->verify()))
    return failure();
  PlanCarrier(*storage, *fresh, copies, plan).run();
  storage = std::move(fresh);
  return success();
}

void remarkOnUpdates(const StorageAnalysis &storage, const SchedulePlan &plan,
                     StringRef category) {
  for (const FreeUpdate &update : plan.outOfPlace) {
    Operation *op = update.result.getOwner();
    say(op, {PlanRemark::Passed,
             op->getLoc(),
             "out-of-place",
             category.str(),
             "'" + storage.getStepName(*storage.getStepIndex(op)) +
                 "' writes a storage of its own instead of overwriting " +
                 update.overwrites + ": " + std::to_string(update.bytes) +
                 " bytes" + (update.copies ? ", after a copy of as many" : ""),
             {{"Bytes", update.bytes}, {"CopyCost", update.copyCost}}});
  }
}

} // namespace pebble
