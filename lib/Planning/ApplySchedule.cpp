//===- ApplySchedule.cpp - rewrite a block as a schedule says -------------===//
//
// Takes the ops out of the block one by one and sets them down again before the
// terminator, so that each op moves once.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/ApplySchedule.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace pebble {

/// True for ops that end the life of the storage of their operand.
static bool endsStorage(Operation *op) {
  return isa<memref::DeallocOp, bufferization::DeallocTensorOp>(op) ||
         op->getName().getStringRef() == "pebble.drop";
}

namespace {
class OrderApplier {
public:
  OrderApplier(const StorageAnalysis &storage, ArrayRef<unsigned> order)
      : storage(storage), order(order), block(*storage.getBlock()) {}

  void run() {
    collect();
    placeDrops();
    Operation *terminator =
        block.mightHaveTerminator() ? block.getTerminator() : nullptr;
    end = terminator;
    for (auto [position, step] : llvm::enumerate(order)) {
      placeWithOperands(storage.getSteps()[step].op);
      for (Operation *drop : dropsAfter[position])
        placeWithOperands(drop);
    }
    for (Operation *op : unplacedInOrder)
      if (!placed.contains(op) && !endsStorage(op))
        placeWithOperands(op);
    for (Operation *op : unplacedInOrder)
      if (!placed.contains(op))
        placeWithOperands(op);
  }

private:
  void collect() {
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>() && StorageAnalysis::isFree(&op))
        unplacedInOrder.push_back(&op);
  }

  /// For each drop, the position of the step that it stands after.
  void placeDrops() {
    ArrayRef<Step> steps = storage.getSteps();
    dropsAfter.resize(order.size());
    if (llvm::none_of(unplacedInOrder, endsStorage))
      return;
    auto getClass = [&](StorageId id) {
      return storage.getStorage(id).aliasClass;
    };
    llvm::DenseMap<unsigned, unsigned> lastTouch;
    std::vector<unsigned> positionOf(steps.size());
    for (auto [position, step] : llvm::enumerate(order)) {
      positionOf[step] = position;
      for (const Access &access : steps[step].accesses)
        lastTouch[getClass(access.storage)] = position;
    }
    llvm::DenseSet<unsigned> seenByBarrier;
    std::optional<unsigned> lastBarrier;
    for (Operation &op : block) {
      if (std::optional<unsigned> step = storage.getStepIndex(&op);
          step && steps[*step].op == &op) {
        if (steps[*step].barrier.empty())
          continue;
        lastBarrier = positionOf[*step];
        for (const Access &access : steps[*step].accesses)
          seenByBarrier.insert(getClass(access.storage));
      } else if (endsStorage(&op)) {
        std::optional<unsigned> after;
        for (StorageId id : storage.lookup(op.getOperand(0))) {
          if (auto found = lastTouch.find(getClass(id));
              found != lastTouch.end())
            after = std::max(after.value_or(0), found->second);
          if (seenByBarrier.contains(getClass(id)))
            after = std::max(after.value_or(0), *lastBarrier);
        }
        if (after)
          dropsAfter[*after].push_back(&op);
      }
    }
  }

  /// Places what `op` needs and then `op`. Iterative: views may form long
  /// chains.
  void placeWithOperands(Operation *op) {
    SmallVector<std::pair<Operation *, bool>> work = {{op, false}};
    while (!work.empty()) {
      auto [current, ready] = work.pop_back_val();
      if (placed.contains(current))
        continue;
      if (ready) {
        place(current);
        continue;
      }
      work.push_back({current, true});
      SmallVector<Operation *> needed;
      current->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (Operation *source = operand.getDefiningOp();
              source && source->getBlock() == &block &&
              StorageAnalysis::isFree(source) && !placed.contains(source))
            needed.push_back(source);
      });
      for (Operation *source : llvm::reverse(needed))
        work.push_back({source, false});
    }
  }

  void place(Operation *op) {
    placed.insert(op);
    if (end)
      op->moveBefore(end);
    else
      op->moveBefore(&block, block.end());
  }

  const StorageAnalysis &storage;
  ArrayRef<unsigned> order;
  Block &block;
  Operation *end = nullptr;
  std::vector<Operation *> unplacedInOrder;
  std::vector<SmallVector<Operation *, 0>> dropsAfter;
  llvm::DenseSet<Operation *> placed;
};
} // namespace

void applyOrder(const StorageAnalysis &storage, ArrayRef<unsigned> order) {
  OrderApplier(storage, order).run();
}

LogicalResult applySchedule(const StorageAnalysis &storage,
                            const game::Schedule &schedule) {
  std::vector<unsigned> order;
  llvm::DenseSet<unsigned> ran;
  for (const game::Move &move : schedule.moves) {
    if (move.kind == game::MoveKind::Drop && move.tier == 0)
      continue;
    if (move.kind != game::MoveKind::Compute ||
        !ran.insert(move.subject).second)
      return failure();
    order.push_back(move.subject);
  }
  if (order.size() != storage.getSteps().size())
    return failure();
  applyOrder(storage, order);
  return success();
}

} // namespace pebble
