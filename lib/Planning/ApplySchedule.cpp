//===- ApplySchedule.cpp - rewrite a block as a schedule says -------------===//
//
// Takes the ops out of the block one by one and sets them down again before the
// terminator, so that each op moves once; what runs again is cloned there. On
// the way it knows, for each value of the block as it came in, by which value
// its latest content is named.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/ApplySchedule.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Planning/CheckPlan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace pebble {

/// True for ops that end the life of the storage of their operand.
static bool endsStorage(Operation *op) {
  return isa<memref::DeallocOp, bufferization::DeallocTensorOp, DropOp>(op);
}

/// True for values that are memory and no content.
static bool isUnwritten(Value value) {
  return isa_and_present<bufferization::AllocTensorOp, tensor::EmptyOp>(
      value.getDefiningOp());
}

/// True if canonicalisation, or a lowering, may find that a result of `op` is
/// its operand: a drop of one would then come before a use of the other.
static bool mayForward(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    Block &body = op->getRegion(0).front();
    unsigned inputs = linalgOp.getNumDpsInputs();
    return llvm::any_of(body.getTerminator()->getOperands(), [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument && argument.getOwner() == &body &&
             argument.getArgNumber() < inputs;
    });
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getSourceType() == insert.getDestType();
  return op->isRegistered() && !isa<DestinationStyleOpInterface>(op) &&
         isMemoryEffectFree(op);
}

static bool isView(Operation *op) {
  return op->getNumResults() == 1 &&
         static_cast<bool>(StorageAnalysis::getViewSource(op));
}

/// Calls `function` for the operands of `op`, and of what is nested in it, that
/// are defined outside of it.
static void forEachOperand(Operation *op,
                           llvm::function_ref<void(OpOperand &)> function) {
  op->walk([&](Operation *nested) {
    for (OpOperand &operand : nested->getOpOperands())
      if (nested == op ||
          !op->isAncestor(operand.get().getParentRegion()->getParentOp()))
        function(operand);
  });
}

namespace {
class RunApplier {
public:
  RunApplier(const StorageAnalysis &storage, ArrayRef<unsigned> runs,
             bool writesDrops)
      : storage(storage), runs(runs), block(*storage.getBlock()),
        repeats(runs.size() > storage.getSteps().size()),
        writesDrops(writesDrops), builder(block.getParentOp()->getContext()) {}

  void run() {
    collect();
    placeFrees();
    if (writesDrops) {
      findOpeners();
      findEnds();
    }
    end = block.mightHaveTerminator() ? block.getTerminator() : nullptr;
    hasRun.assign(storage.getSteps().size(), false);
    for (auto [position, step] : llvm::enumerate(runs)) {
      Operation *op = storage.getSteps()[step].op;
      if (hasRun[step])
        cloneStep(op, step);
      else
        placeStep(op);
      hasRun[step] = true;
      for (Operation *free : freesAfter[position])
        placeWithOperands(free);
      if (writesDrops)
        writeDrops(position);
    }
    if (end)
      takeLatest(end);
    placeRest();
  }

private:
  void collect() {
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>() && StorageAnalysis::isFree(&op))
        unplacedInOrder.push_back(&op);
  }

  void placeRest() {
    for (Operation *op : unplacedInOrder)
      if (!placed.contains(op) && !endsStorage(op) && !eraseIfDead(op))
        placeWithOperands(op);
    for (Operation *op : unplacedInOrder)
      if (!erased.contains(op) && !placed.contains(op))
        placeWithOperands(op);
  }

  /// A view that nobody needs any more must not come after the end of what it
  /// shows.
  bool eraseIfDead(Operation *op) {
    if (!writesDrops || !isView(op) || !op->use_empty())
      return false;
    erased.insert(op);
    op->erase();
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Where storages end
  //===--------------------------------------------------------------------===//

  /// For each free of the program, the position of the run that it stands
  /// after.
  void placeFrees() {
    ArrayRef<Step> steps = storage.getSteps();
    freesAfter.resize(runs.size());
    if (llvm::none_of(unplacedInOrder, endsStorage))
      return;
    auto getClass = [&](StorageId id) {
      return storage.getStorage(id).aliasClass;
    };
    llvm::DenseMap<unsigned, unsigned> lastTouch;
    std::vector<unsigned> positionOf(steps.size());
    for (auto [position, step] : llvm::enumerate(runs)) {
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
          freesAfter[*after].push_back(&op);
      }
    }
  }

  /// True if a drop may end the storage: its buffer belongs to the block
  /// whatever bufferization does.
  bool mayDrop(StorageId id) const {
    const Storage &entry = storage.getStorage(id);
    if (entry.outlives || !entry.root ||
        !isa<RankedTensorType>(entry.root.getType()))
      return false;
    if (entry.kind == StorageKind::Donated)
      return isa<FunctionOpInterface>(block.getParentOp());
    Operation *op = entry.root.getDefiningOp();
    bool isPlain =
        op &&
        (isa<DestinationStyleOpInterface>(op) || op->getNumRegions() == 0) &&
        !isa<CallOpInterface>(op) &&
        op->getName().getDialectNamespace() != "pebble";
    return entry.kind == StorageKind::Local && isPlain &&
           op->getBlock() == &block;
  }

  /// What reads memory that nobody wrote begins its life, by first touch.
  void findOpeners() {
    opener.assign(storage.getStorages().size(), kNever);
    for (auto [index, step] : llvm::enumerate(storage.getSteps()))
      for (const Access &access : step.accesses)
        if (Value root = storage.getStorage(access.storage).root;
            root && isUnwritten(root) && opener[access.storage] == kNever)
          opener[access.storage] = index;
  }

  /// A step that gives a storage its first content begins a new life of it.
  bool begins(const Access &access, unsigned step) const {
    auto result = dyn_cast_if_present<OpResult>(access.value);
    return opener[access.storage] == step ||
           (access.kind == AccessKind::Write && result &&
            result.getOwner() == storage.getSteps()[step].op &&
            result == storage.getStorage(access.storage).root);
  }

  /// For each run, the storages whose lives end with it.
  void findEnds() {
    endsAfter.resize(runs.size());
    llvm::DenseSet<StorageId> forwarded;
    for (const Step &step : storage.getSteps())
      if (mayForward(step.op))
        for (const Access &access : step.accesses)
          forwarded.insert(access.storage);
    std::vector<unsigned> last(storage.getStorages().size(), kNever);
    auto end = [&](StorageId id) {
      if (last[id] != kNever && mayDrop(id) && !forwarded.contains(id))
        endsAfter[last[id]].push_back(id);
    };
    for (auto [position, step] : llvm::enumerate(runs)) {
      ArrayRef<Access> accesses = storage.getSteps()[step].accesses;
      for (const Access &access : accesses)
        if (begins(access, step))
          end(access.storage);
      for (const Access &access : accesses)
        last[access.storage] = position;
    }
    for (StorageId id = 0; id < last.size(); ++id)
      end(id);
    holder.resize(last.size());
    for (StorageId id = 0; id < last.size(); ++id)
      if (storage.getStorage(id).kind == StorageKind::Donated)
        holder[id] = storage.getStorage(id).root;
  }

  void writeDrops(unsigned position) {
    for (const Access &access : storage.getSteps()[runs[position]].accesses)
      if (access.kind == AccessKind::Write && access.value &&
          access.value.getDefiningOp() == storage.getSteps()[runs[position]].op)
        holder[access.storage] = getLatest(access.value);
    for (StorageId id : endsAfter[position])
      if (Value value = holder[id]) {
        setInsertionPoint();
        DropOp::create(builder, value.getLoc(), value);
      }
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// What names the latest content of `value`, which has been placed.
  Value getLatest(Value value) const {
    auto found = latest.find(value);
    return found == latest.end() ? value : found->second;
  }

  /// Makes `op`, which is placed now, use the latest contents.
  void takeLatest(Operation *op) {
    SmallVector<OpOperand *> operands;
    forEachOperand(op,
                   [&](OpOperand &operand) { operands.push_back(&operand); });
    for (OpOperand *operand : operands)
      placeValue(operand->get());
    for (OpOperand *operand : operands)
      operand->set(getLatest(operand->get()));
  }

  void placeValue(Value value) {
    if (Operation *op = value.getDefiningOp();
        op && op->getBlock() == &block && StorageAnalysis::isFree(op))
      placeWithOperands(op);
  }

  /// Places what `op`, which is no step, needs and then `op`. Views that were
  /// placed before are made again if what they show was. Iterative: views may
  /// form long chains.
  void placeWithOperands(Operation *op) {
    SmallVector<std::pair<Operation *, bool>> work = {{op, false}};
    while (!work.empty()) {
      auto [current, ready] = work.pop_back_val();
      bool isPlaced = placed.contains(current);
      if (isPlaced && (!repeats || !isView(current)))
        continue;
      if (ready) {
        placeFree(current, isPlaced);
        continue;
      }
      work.push_back({current, true});
      SmallVector<Operation *> needed;
      for (Value operand : getOriginals(current))
        if (Operation *source = operand.getDefiningOp();
            source && source->getBlock() == &block &&
            StorageAnalysis::isFree(source))
          needed.push_back(source);
      for (Operation *source : llvm::reverse(needed))
        work.push_back({source, false});
    }
  }

  /// The operands that `op` had when it came in.
  SmallVector<Value> getOriginals(Operation *op) {
    if (auto found = originals.find(op); found != originals.end())
      return found->second;
    SmallVector<Value> operands;
    forEachOperand(
        op, [&](OpOperand &operand) { operands.push_back(operand.get()); });
    return operands;
  }

  void placeFree(Operation *op, bool isPlaced) {
    if (!repeats)
      return place(op);
    if (!isPlaced) {
      originals[op] = getOriginals(op);
      forEachOperand(op, [&](OpOperand &operand) {
        operand.set(getLatest(operand.get()));
      });
      return place(op);
    }
    // A view that is placed: again, if its source is another by now.
    Value result = op->getResult(0);
    Operation *shown = getLatest(result).getDefiningOp();
    ArrayRef<Value> wanted = originals[op];
    bool isSame =
        llvm::all_of(llvm::zip(wanted, shown->getOperands()), [&](auto pair) {
          return getLatest(std::get<0>(pair)) == std::get<1>(pair);
        });
    if (isSame)
      return;
    setInsertionPoint();
    IRMapping map;
    for (Value operand : wanted)
      map.map(operand, getLatest(operand));
    Operation *clone = op->cloneWithoutRegions(map);
    for (auto [index, operand] : llvm::enumerate(wanted))
      clone->setOperand(index, getLatest(operand));
    builder.insert(clone);
    latest[result] = clone->getResult(0);
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  void placeStep(Operation *op) {
    if (repeats)
      originals[op] = getOriginals(op);
    takeLatest(op);
    place(op);
    if (repeats)
      placeSizes(op);
  }

  /// The size of what may be dropped soon is asked for while it is there.
  void placeSizes(Operation *op) {
    for (Value result : op->getResults())
      for (Operation *user : llvm::to_vector(result.getUsers()))
        if (isa<tensor::DimOp>(user) && user->getBlock() == &block)
          placeWithOperands(user);
  }

  void cloneStep(Operation *op, unsigned step) {
    SmallVector<OpOperand *> operands;
    forEachOperand(op,
                   [&](OpOperand &operand) { operands.push_back(&operand); });
    llvm::SmallDenseMap<Value, Value> hidden;
    IRMapping map;
    SmallVector<Value> top(op->getNumOperands());
    for (auto [operand, value] : llvm::zip(operands, originals[op])) {
      bool isTop = operand->getOwner() == op;
      if (isTop && isOwnDestination(*operand)) {
        top[operand->getOperandNumber()] =
            hide(makeDestination(operand->get()));
        continue;
      }
      Value &known = hidden[value];
      if (!known) {
        placeValue(value);
        if (isOpenedBy(value, step))
          latest[value] = makeDestination(value);
        // Memory without content has no name but its own, and constant tensors
        // may be needed as such; something else keeps the clone apart.
        known = getLatest(value);
        if (!isUnwritten(value) &&
            mayHide(value, /*isOnly=*/operands.size() == 1))
          known = hide(known);
      }
      map.map(operand->get(), known);
      if (isTop)
        top[operand->getOperandNumber()] = known;
    }
    setInsertionPoint();
    Operation *clone = builder.clone(*op, map);
    clone->setOperands(top);
    clone->removeDiscardableAttr(attr::kOrder);
    for (auto [result, again] :
         llvm::zip(op->getResults(), clone->getResults()))
      if (isa<TensorType>(result.getType()))
        latest[result] = operands.empty() ? hide(again) : again;
  }

  /// True if the operand is a destination that the result does not share with
  /// what came before.
  bool isOwnDestination(OpOperand &operand) const {
    Operation *op = operand.getOwner();
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    for (OpResult result : op->getResults()) {
      if (!isa<TensorType>(result.getType()))
        continue;
      OpOperand *tied = dps    ? dps.getTiedOpOperand(result)
                        : loop ? loop.getTiedLoopInit(result)
                               : nullptr;
      if (tied == &operand)
        return !storage.getDestination(result).overwrites;
    }
    return false;
  }

  bool isOpenedBy(Value value, unsigned step) const {
    return isUnwritten(value) &&
           llvm::any_of(storage.lookup(value),
                        [&](StorageId id) { return opener[id] == step; });
  }

  /// Memory of its own that looks like `value`. An allocation, for nobody
  /// merges those.
  Value makeDestination(Value value) {
    SmallVector<Value> sizes;
    if (auto alloc = value.getDefiningOp<bufferization::AllocTensorOp>())
      sizes.append(alloc.getDynamicSizes().begin(),
                   alloc.getDynamicSizes().end());
    else if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
      sizes.append(empty.getDynamicSizes().begin(),
                   empty.getDynamicSizes().end());
    for (Value &size : sizes) {
      placeValue(size);
      size = getLatest(size);
    }
    setInsertionPoint();
    return bufferization::AllocTensorOp::create(
        builder, value.getLoc(), cast<RankedTensorType>(value.getType()),
        sizes);
  }

  /// The same value, unknown to whoever merges equal ops.
  Value hide(Value value) {
    setInsertionPoint();
    return OpaqueOp::create(builder, value.getLoc(), value);
  }

  void setInsertionPoint() {
    if (end)
      builder.setInsertionPoint(end);
    else
      builder.setInsertionPointToEnd(&block);
  }

  void place(Operation *op) {
    placed.insert(op);
    if (end)
      op->moveBefore(end);
    else
      op->moveBefore(&block, block.end());
  }

  const StorageAnalysis &storage;
  ArrayRef<unsigned> runs;
  Block &block;
  /// Some step runs again; nothing has another name otherwise.
  bool repeats;
  bool writesDrops;
  OpBuilder builder;
  Operation *end = nullptr;
  std::vector<Operation *> unplacedInOrder;
  std::vector<SmallVector<Operation *, 0>> freesAfter;
  std::vector<SmallVector<StorageId, 0>> endsAfter;
  llvm::DenseSet<Operation *> placed, erased;
  std::vector<bool> hasRun;
  /// By value that came in: what names its content now.
  llvm::DenseMap<Value, Value> latest;
  /// By op that is placed: the operands that it had.
  llvm::DenseMap<Operation *, SmallVector<Value>> originals;
  /// By storage: the step that reads it although nobody wrote it.
  static constexpr unsigned kNever = std::numeric_limits<unsigned>::max();
  std::vector<unsigned> opener;
  /// By storage: the value that names what it holds.
  std::vector<Value> holder;
};
} // namespace

void applyOrder(const StorageAnalysis &storage, ArrayRef<unsigned> order) {
  RunApplier(storage, order, /*writesDrops=*/false).run();
}

void applyRuns(const StorageAnalysis &storage, ArrayRef<unsigned> runs) {
  RunApplier(storage, runs, /*writesDrops=*/true).run();
}

void eraseTensorDrops(Block &block) {
  for (DropOp drop : llvm::make_early_inc_range(block.getOps<DropOp>()))
    if (isa<TensorType>(drop.getValue().getType()))
      drop.erase();
}

FailureOr<std::vector<unsigned>> getRuns(const std::vector<game::Move> &moves) {
  std::vector<unsigned> runs;
  for (const game::Move &move : moves) {
    if (move.kind == game::MoveKind::Drop && move.tier == 0)
      continue;
    if (move.kind != game::MoveKind::Compute)
      return failure();
    runs.push_back(move.subject);
  }
  return runs;
}

} // namespace pebble
