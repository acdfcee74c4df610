//===- PlaceFrees.cpp - free every buffer once, after its last use --------===//
//
// Ownership says which block owns each buffer and where ownership passes on;
// this pass copies where a buffer cannot be handed over, moves allocations to
// their first use, and writes one free after each last use.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "BlockLiveness.h"
#include "Ownership.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace pebble {
#define GEN_PASS_DEF_PLACEFREESPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {

/// Positions of the ops of each block, numbered once: the pass inserts and
/// moves, and only ever asks about the ops that were there.
class Positions {
public:
  /// Position in `block` of `op` or of its ancestor there; -1 if there is none.
  int64_t of(Operation *op, Block *block) {
    Operation *ancestor = block->findAncestorOpInBlock(*op);
    if (!ancestor)
      return -1;
    if (numbered.insert(block).second) {
      int64_t next = 0;
      for (Operation &each : *block)
        position[&each] = next++;
    }
    return position.lookup(ancestor);
  }

private:
  DenseSet<Block *> numbered;
  DenseMap<Operation *, int64_t> position;
};

struct PlaceFreesPass : pebble::impl::PlaceFreesPassBase<PlaceFreesPass> {
  void runOnOperation() override;

private:
  void takeWords();
  LogicalResult takeSourceFrees(const Ownership &ownership);
  LogicalResult copyWhatCannotBeHandedOver(const Ownership &ownership);
  LogicalResult placeFrees(Block &block, const Ownership &ownership);
};

} // namespace

/// An allocation on the stack is as much memory as one on the heap; a drop is a
/// free; the opaque identity has kept its clone apart and may go.
void PlaceFreesPass::takeWords() {
  getOperation().walk([](Operation *op) {
    OpBuilder builder(op);
    if (auto alloca = dyn_cast<memref::AllocaOp>(op)) {
      auto alloc = memref::AllocOp::create(
          builder, op->getLoc(), alloca.getType(), alloca.getDynamicSizes(),
          alloca.getSymbolOperands(), alloca.getAlignmentAttr());
      alloc->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      op->replaceAllUsesWith(alloc);
      op->erase();
    } else if (auto drop = dyn_cast<DropOp>(op)) {
      memref::DeallocOp::create(builder, op->getLoc(), drop.getValue());
      op->erase();
    } else if (auto opaque = dyn_cast<OpaqueOp>(op)) {
      op->replaceAllUsesWith(ValueRange{opaque.getInput()});
      op->erase();
    }
  });
}

/// Erases the frees of the source that this pass places anew. A free of a
/// function argument says that the argument was given away.
LogicalResult PlaceFreesPass::takeSourceFrees(const Ownership &ownership) {
  SmallVector<memref::DeallocOp> frees;
  getOperation().walk([&](memref::DeallocOp op) { frees.push_back(op); });
  DenseSet<std::pair<Value, Block *>> seen;
  for (memref::DeallocOp op : frees) {
    ArrayRef<Value> roots = ownership.getRoots(op.getMemref());
    if (roots.size() != 1)
      return op.emitError("cannot tell which buffer this frees");
    Value root = roots.front();
    auto argument = dyn_cast<BlockArgument>(root);
    auto func = argument
                    ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
                    : func::FuncOp();
    Block *home =
        argument ? argument.getOwner() : root.getDefiningOp()->getBlock();
    bool isOurs = ownership.getOwner(root) || func;
    if (!isOurs || op->getBlock()->getParent() != home->getParent())
      return op.emitError("cannot place this free: it does not stand in the "
                          "region that owns the buffer");
    if (!seen.insert({root, op->getBlock()}).second)
      return op.emitError("frees a buffer that is freed already");
    if (func)
      func.setArgAttr(argument.getArgNumber(), attr::kDonated,
                      UnitAttr::get(&getContext()));
    op.erase();
  }
  return success();
}

/// A buffer of its own with the content of `operand`, made right before its
/// user, takes the operand's place.
static void copyOperand(OpOperand &operand) {
  Value source = operand.get();
  auto type = cast<MemRefType>(source.getType());
  OpBuilder builder(operand.getOwner());
  Location loc = operand.getOwner()->getLoc();
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(builder, loc, source, i));
  auto plain =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value fresh = memref::AllocOp::create(builder, loc, plain, sizes);
  memref::CopyOp::create(builder, loc, source, fresh);
  if (plain != type)
    fresh = memref::CastOp::create(builder, loc, type, fresh);
  operand.set(fresh);
}

/// A buffer can be handed over in the region that owns it, once, if nothing
/// uses it afterwards or beside.
static bool canHandOver(OpOperand &operand, const Ownership &ownership,
                        Positions &positions, DenseSet<Value> &handed) {
  Operation *user = operand.getOwner();
  ArrayRef<Value> roots = ownership.getRoots(operand.get());
  Block *owner = roots.size() == 1 ? ownership.getOwner(roots[0]) : nullptr;
  if (!owner || owner->getParent() != user->getBlock()->getParent())
    return false;
  if (!owner->getParent()->hasOneBlock() &&
      BlockLiveness(owner, ownership.getNames(roots[0]))
          .isLiveOut(user->getBlock()))
    return false;
  int64_t at = positions.of(user, user->getBlock());
  for (Value name : ownership.getNames(roots[0]))
    for (OpOperand &use : name.getUses()) {
      if (&use == &operand)
        continue;
      // Another operand of the same op that takes ownership is copied, or it is
      // a result of the same return that shares the buffer.
      if (use.getOwner() == user && ownership.handsOver(use))
        continue;
      if (positions.of(use.getOwner(), user->getBlock()) >= at)
        return false;
    }
  return handed.insert(roots[0]).second;
}

LogicalResult
PlaceFreesPass::copyWhatCannotBeHandedOver(const Ownership &ownership) {
  Positions positions;
  DenseSet<Value> handed;
  SmallVector<OpOperand *> copies;
  WalkResult result = getOperation().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!ownership.handsOver(operand) || ownership.sharesWith(operand))
        continue;
      if (canHandOver(operand, ownership, positions, handed))
        continue;
      if (!isa<MemRefType>(operand.get().getType())) {
        op->emitError("cannot copy a buffer of unknown rank");
        return WalkResult::interrupt();
      }
      copies.push_back(&operand);
    }
    return WalkResult::advance();
  });
  for (OpOperand *operand : copies)
    copyOperand(*operand);
  return failure(result.wasInterrupted());
}

/// Moves allocations and views to right before the first op of the block that
/// uses them, or something made of them; erases those without a use.
static void sink(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  DenseMap<Operation *, size_t> needed;
  for (size_t i = 0; i < ops.size(); ++i)
    needed[ops[i]] = i;
  DenseMap<size_t, SmallVector<Operation *>> moved;
  for (Operation *op : llvm::reverse(ops)) {
    // One that looks at another buffer (for its shape) must not pass a write of
    // that.
    bool isView =
        isa<ViewLikeOpInterface>(op) && isMemoryEffectFree(op) &&
        llvm::count_if(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>) ==
            1 &&
        llvm::all_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
    if (!isa<memref::AllocOp>(op) && !isView)
      continue;
    if (op->use_empty()) {
      op->erase();
      continue;
    }
    size_t first = ops.size() - 1;
    for (Operation *user : op->getUsers())
      if (Operation *here = block.findAncestorOpInBlock(*user))
        first = std::min(first, needed.lookup(here));
    needed[op] = first;
    moved[first].push_back(op);
  }
  for (auto &[position, list] : moved)
    for (Operation *op : llvm::reverse(list))
      op->moveBefore(ops[position]);
}

namespace {
/// The last thing that a block does with a buffer.
struct LastUse {
  Operation *op = nullptr; ///< of the block; null if it does nothing
  bool handsOver = false;
};
} // namespace

static LastUse findLastUse(Value root, Block &block, const Ownership &ownership,
                           Positions &positions) {
  LastUse last;
  if (Operation *maker = root.getDefiningOp())
    if (maker->getBlock() == &block)
      last.op = maker;
  int64_t lastAt = last.op ? positions.of(last.op, &block) : -1;
  for (Value name : ownership.getNames(root))
    for (OpOperand &use : name.getUses()) {
      int64_t at = positions.of(use.getOwner(), &block);
      // Of several operands of the last op, the one that hands over counts.
      if (at < 0 || at < lastAt || (at == lastAt && last.handsOver))
        continue;
      lastAt = at;
      last.op = block.findAncestorOpInBlock(*use.getOwner());
      last.handsOver = last.op == use.getOwner() && ownership.handsOver(use);
    }
  return last;
}

/// Frees the buffer in `block`, which is the last on a way through the program
/// that needs it.
static LogicalResult freeIn(Value root, Block &block,
                            const Ownership &ownership, Positions &positions) {
  LastUse last = findLastUse(root, block, ownership, positions);
  if (last.handsOver)
    return success();
  OpBuilder builder(root.getContext());
  if (!last.op)
    builder.setInsertionPointToStart(&block);
  else if (!last.op->hasTrait<OpTrait::IsTerminator>())
    builder.setInsertionPointAfter(last.op);
  else if (last.op->getNumSuccessors())
    builder.setInsertionPoint(last.op); // only a name goes along
  else
    return last.op->emitError("cannot tell who owns a buffer that ends here");
  memref::DeallocOp::create(builder, root.getLoc(), root);
  return success();
}

LogicalResult PlaceFreesPass::placeFrees(Block &block,
                                         const Ownership &ownership) {
  Positions positions;
  Region *region = block.getParent();
  for (Value root : llvm::reverse(ownership.getOwned(&block))) {
    if (region->hasOneBlock()) {
      if (failed(freeIn(root, block, ownership, positions)))
        return failure();
      continue;
    }
    BlockLiveness liveness(&block, ownership.getNames(root));
    for (Block &each : *region) {
      if (liveness.isThere(&each)) {
        if (!liveness.isLiveOut(&each) &&
            failed(freeIn(root, each, ownership, positions)))
          return failure();
        continue;
      }
      // Branches are split: a way on which it is not needed any more has a
      // block of its own.
      Block *before = each.getSinglePredecessor();
      if (!before || !liveness.isLiveOut(before))
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(&each);
      memref::DeallocOp::create(builder, root.getLoc(), root);
    }
  }
  return success();
}

void PlaceFreesPass::runOnOperation() {
  takeWords();
  splitBranches(getOperation());
  {
    // Frees of arguments change who owns what, so ownership is asked again.
    Ownership ownership(getOperation());
    for (Operation *call : ownership.getRecursiveCalls()) {
      call->emitError("recursion that returns a buffer is not supported: "
                      "nobody knows who frees it");
      return signalPassFailure();
    }
    if (failed(takeSourceFrees(ownership)))
      return signalPassFailure();
  }
  {
    Ownership ownership(getOperation());
    if (failed(copyWhatCannotBeHandedOver(ownership)))
      return signalPassFailure();
  }
  SmallVector<Block *> blocks;
  getOperation().walk([&](Operation *op) {
    if (auto func = dyn_cast<func::FuncOp>(op))
      func.getBody().walk([&](Block *block) { blocks.push_back(block); });
  });
  for (Block *block : blocks)
    sink(*block);
  Ownership ownership(getOperation());
  for (Block *block : blocks)
    if (failed(placeFrees(*block, ownership)))
      return signalPassFailure();
}
