//===- ApplySchedule.cpp - rewrite a block as a schedule says -------------===//
//
// Takes the ops out of the block one by one and sets them down again before the
// terminator, so that each op moves once; what runs again is cloned there. On
// the way it knows, for each value of the block as it came in, by which value
// its latest content is named.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/ApplySchedule.h"

#include "StorageLives.h"

#include "pebble/Analysis/Carried.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Planning/CheckPlan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace pebble {

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
class ActionApplier {
public:
  ActionApplier(const StorageAnalysis &storage, ArrayRef<BlockAction> actions,
                bool writesDrops)
      : storage(storage), actions(actions), block(*storage.getBlock()),
        lives(storage, actions), renames(isRenaming()),
        writesDrops(writesDrops), builder(block.getParentOp()->getContext()) {}

  void run() {
    if (writesDrops) {
      lives.findEnds();
      eraseFrees();
    }
    collect();
    std::vector<SmallVector<Operation *, 0>> frees = lives.placeFrees();
    setHolders();
    end = block.mightHaveTerminator() ? block.getTerminator() : nullptr;
    hasRun.assign(storage.getSteps().size(), false);
    for (auto [position, action] : llvm::enumerate(actions)) {
      perform(action);
      for (Operation *free : frees[position])
        placeWithOperands(free);
      if (writesDrops)
        writeDrops(position);
    }
    if (end)
      takeLatest(end);
    placeRest();
    for (Value value : left) {
      setInsertionPoint();
      bufferization::DeallocTensorOp::create(builder, value.getLoc(), value);
    }
  }

private:
  /// Whether anything gets another name: what runs again, or is loaded.
  bool isRenaming() const {
    size_t runs = 0;
    for (const BlockAction &action : actions) {
      runs += action.kind == BlockAction::Run;
      if (action.kind == BlockAction::Load)
        return true;
    }
    return runs > storage.getSteps().size();
  }

  void perform(const BlockAction &action) {
    switch (action.kind) {
    case BlockAction::Run:
      if (hasRun[action.index])
        cloneStep(storage.getSteps()[action.index].op, action.index);
      else
        placeStep(storage.getSteps()[action.index].op);
      hasRun[action.index] = true;
      holdWritten(action.index);
      return;
    case BlockAction::Store:
      return startStore(action);
    case BlockAction::Load:
      return startLoad(action);
    case BlockAction::Wait:
      return wait(transfers[action.index]);
    }
  }

  void collect() {
    for (Operation &op : block) {
      if (op.hasTrait<OpTrait::IsTerminator>() || !StorageAnalysis::isFree(&op))
        continue;
      unplacedInOrder.push_back(&op);
      if (auto dim = dyn_cast<tensor::DimOp>(op); dim && writesDrops)
        for (StorageId id : storage.lookup(dim.getSource()))
          sizesOf[id].push_back(dim);
    }
  }

  void placeRest() {
    if (writesDrops)
      eraseDead();
    for (Operation *op : unplacedInOrder)
      if (!erased.contains(op) && !placed.contains(op) && !endsStorage(op))
        placeWithOperands(op);
    for (Operation *op : unplacedInOrder)
      if (!erased.contains(op) && !placed.contains(op))
        placeWithOperands(op);
  }

  /// A view or a size that nobody needs any more must not come after the end of
  /// what it is about. From the last one back: views of views are dead
  /// together.
  void eraseDead() {
    for (Operation *op : llvm::reverse(unplacedInOrder)) {
      if (placed.contains(op) || !op->use_empty() ||
          !(isView(op) || isa<tensor::DimOp>(op)))
        continue;
      erased.insert(op);
      op->erase();
    }
  }

  //===--------------------------------------------------------------------===//
  // Where storages end
  //===--------------------------------------------------------------------===//

  /// What the program frees is freed as often as it is made.
  void eraseFrees() {
    for (auto op : llvm::make_early_inc_range(
             block.getOps<bufferization::DeallocTensorOp>()))
      if (ArrayRef<StorageId> ids = storage.lookup(op.getTensor());
          ids.size() == 1 && lives.isFreed(ids[0]))
        op.erase();
  }

  void setHolders() {
    holder.resize(storage.getStorages().size());
    for (auto [id, entry] : llvm::enumerate(storage.getStorages()))
      if (entry.kind == StorageKind::Donated)
        holder[id] = entry.root;
  }

  void holdWritten(unsigned step) {
    // What was under way has the name that the wait gives it.
    Operation *op = storage.getSteps()[step].op;
    if (getWaitedFor(op))
      for (StorageId id : storage.lookup(op->getResult(0)))
        holder[id] = getLatest(op->getResult(0));
    for (const Access &access : storage.getSteps()[step].accesses)
      if (access.kind == AccessKind::Write && access.value &&
          access.value.getDefiningOp() == storage.getSteps()[step].op) {
        holder[access.storage] = getLatest(access.value);
        cameBack.erase(access.storage);
      }
  }

  void writeDrops(size_t position) {
    for (StorageId id : lives.getEnds(position))
      if (Value value = holder[id]) {
        placeSizes(id);
        setInsertionPoint();
        DropOp::create(builder, value.getLoc(), value);
      }
    for (StorageId id : lives.getLeft(position))
      if (holder[id])
        left.push_back(holder[id]);
    for (const StorageLives::Copy &copy : lives.getCopyEnds(position)) {
      setInsertionPoint();
      DropOp::create(builder, copy.content.getLoc(),
                     copies.lookup({copy.content, copy.tier}));
    }
  }

  //===--------------------------------------------------------------------===//
  // Transfers
  //===--------------------------------------------------------------------===//

  /// A copy under way.
  struct Transfer {
    const BlockAction *start;
    Value copy, token;
  };

  void startStore(const BlockAction &action) {
    Value content = action.content;
    MLIRContext *context = builder.getContext();
    Type type =
        withPlacement(content.getType(), AtAttr::get(context, action.tier));
    setInsertionPoint();
    auto store =
        StoreOp::create(builder, content.getLoc(), getLatest(content), type);
    transfers.push_back({&action, store.getCopy(), store.getToken()});
  }

  void startLoad(const BlockAction &action) {
    setInsertionPoint();
    auto load = LoadOp::create(builder, action.content.getLoc(),
                               copies.lookup({action.content, action.tier}),
                               action.content.getType());
    transfers.push_back({&action, load.getCopy(), load.getToken()});
  }

  void wait(const Transfer &transfer) {
    Value content = transfer.start->content;
    setInsertionPoint();
    Value there =
        WaitOp::create(builder, content.getLoc(), transfer.token, transfer.copy)
            .getResult();
    if (transfer.start->kind == BlockAction::Store) {
      copies[{content, transfer.start->tier}] = there;
      return;
    }
    latest[content] = there;
    const StorageId id = storage.lookup(content)[0];
    holder[id] = cameBack[id] = there;
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
    for (OpOperand *operand : operands) {
      Value written = findOverwritten(*operand);
      operand->set(written ? written : getLatest(operand->get()));
    }
  }

  /// What names the storage that a step overwrites through `operand`, where it
  /// has been away: what an op overwrites it may name by a content that is
  /// gone.
  Value findOverwritten(const OpOperand &operand) const {
    auto dps = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
    Value value = operand.get();
    if (!dps || !dps.isDpsInit(const_cast<OpOperand *>(&operand)) ||
        !isa<RankedTensorType>(value.getType()))
      return {};
    ArrayRef<StorageId> ids = storage.lookup(value);
    Operation *maker = value.getDefiningOp();
    if (ids.size() != 1 || (maker && StorageAnalysis::isFree(maker)))
      return {};
    Value back = cameBack.lookup(ids[0]);
    return back && back.getType() == value.getType() ? back : Value();
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
      if (isPlaced && (!renames || !isView(current)))
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
    if (!renames)
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
    if (renames)
      originals[op] = getOriginals(op);
    takeLatest(op);
    place(op);
  }

  /// The sizes of what is about to be dropped are asked for while it is there.
  void placeSizes(StorageId id) {
    for (Operation *dim : sizesOf.lookup(id))
      if (!placed.contains(dim) && !dim->use_empty() && isReady(dim))
        placeWithOperands(dim);
  }

  /// True if all steps that `op`, which is no step, rests on have run.
  bool isReady(Operation *op) {
    SmallVector<Operation *> work = {op};
    llvm::SmallDenseSet<Operation *, 8> seen = {op};
    while (!work.empty())
      for (Value operand : getOriginals(work.pop_back_val())) {
        Operation *source = operand.getDefiningOp();
        if (!source || source->getBlock() != &block ||
            !seen.insert(source).second)
          continue;
        if (StorageAnalysis::isFree(source))
          work.push_back(source);
        else if (!hasRun[*storage.getStepIndex(source)])
          return false;
      }
    return true;
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
    for (OpResult result : op->getResults()) {
      if (!isa<TensorType>(result.getType()))
        continue;
      OpOperand *tied =
          dps ? dps.getTiedOpOperand(result) : getCarriedInit(result);
      if (tied == &operand)
        return !storage.getDestination(result).overwrites;
    }
    return false;
  }

  bool isOpenedBy(Value value, unsigned step) const {
    return isUnwritten(value) &&
           llvm::any_of(storage.lookup(value),
                        [&](StorageId id) { return lives.opens(id, step); });
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
  ArrayRef<BlockAction> actions;
  Block &block;
  StorageLives lives;
  /// Some content gets another name.
  bool renames;
  bool writesDrops;
  OpBuilder builder;
  Operation *end = nullptr;
  std::vector<Operation *> unplacedInOrder;
  /// By storage: who asks for the size of what it holds.
  llvm::DenseMap<StorageId, SmallVector<Operation *, 1>> sizesOf;
  llvm::DenseSet<Operation *> placed, erased;
  std::vector<bool> hasRun;
  /// By value that came in: what names its content now.
  llvm::DenseMap<Value, Value> latest;
  /// By op that is placed: the operands that it had.
  llvm::DenseMap<Operation *, SmallVector<Value>> originals;
  /// What was loaded last, until a step writes the storage.
  llvm::DenseMap<StorageId, Value> cameBack;
  /// By storage: the value that names what it holds.
  std::vector<Value> holder;
  /// Lives that end with the block.
  std::vector<Value> left;
  std::vector<Transfer> transfers;
  /// By content and tier: what names the copy.
  llvm::DenseMap<std::pair<Value, StringRef>, Value> copies;
};
} // namespace

static std::vector<BlockAction> toActions(ArrayRef<unsigned> runs) {
  std::vector<BlockAction> actions;
  for (unsigned step : runs)
    actions.push_back({BlockAction::Run, step, {}, {}});
  return actions;
}

void applyOrder(const StorageAnalysis &storage, ArrayRef<unsigned> order) {
  ActionApplier(storage, toActions(order), /*writesDrops=*/false).run();
}

void applyActions(const StorageAnalysis &storage,
                  ArrayRef<BlockAction> actions) {
  ActionApplier(storage, actions, /*writesDrops=*/true).run();
}

void applyRuns(const StorageAnalysis &storage, ArrayRef<unsigned> runs) {
  applyActions(storage, toActions(runs));
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
