//===- PlaceFrees.cpp - free every buffer once, after its last use --------===//
//
// Ownership says which block owns each buffer and where ownership passes on;
// this pass moves allocations to their first use and writes one free after each
// last use, which asks a flag where only the run knows whose the buffer is.
// What was a tensor is copied where it cannot be handed over.
//
//===----------------------------------------------------------------------===//

#include "pebble/Analysis/BufferTables.h"
#include "pebble/Conversion/Passes.h"

#include "OwnedFlags.h"
#include "Ownership.h"

#include "pebble/Analysis/BlockLiveness.h"
#include "pebble/Analysis/Jumps.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
  LogicalResult chooseKept(Ownership::Operands &kept);
  LogicalResult copyWhatCannotBeHandedOver(const Ownership &ownership);
  LogicalResult placeFrees(Block &block, const Ownership &ownership,
                           const OwnedFlags &flags);
};

} // namespace

/// Where nothing is on the stack, a scope for it is a plain region. Upstream
/// cannot lower loops and branches inside of one.
static void replaceScope(memref::AllocaScopeOp scope) {
  OpBuilder builder(scope);
  auto region = scf::ExecuteRegionOp::create(
      builder, scope.getLoc(), scope.getResultTypes(), /*no_inline=*/true);
  region->setDiscardableAttrs(scope->getDiscardableAttrDictionary());
  region.getRegion().takeBody(scope.getBodyRegion());
  for (Block &block : region.getRegion()) {
    auto end = dyn_cast<memref::AllocaScopeReturnOp>(block.getTerminator());
    if (!end)
      continue;
    builder.setInsertionPoint(end);
    scf::YieldOp::create(builder, end.getLoc(), end.getResults());
    end.erase();
  }
  scope->replaceAllUsesWith(region);
  scope.erase();
}

/// An allocation on the stack is as much memory as one on the heap; a drop is a
/// free; the opaque identity has kept its clone apart and may go. Whoever asks
/// for a size that is known does not need the buffer for it: the buffer is made
/// where it is first touched.
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
    } else if (auto scope = dyn_cast<memref::AllocaScopeOp>(op)) {
      replaceScope(scope);
    } else if (auto drop = dyn_cast<DropOp>(op)) {
      memref::DeallocOp::create(builder, op->getLoc(), drop.getValue());
      op->erase();
    } else if (auto opaque = dyn_cast<OpaqueOp>(op)) {
      op->replaceAllUsesWith(ValueRange{opaque.getInput()});
      op->erase();
    } else if (SmallVector<Value> size; isa<memref::DimOp>(op) &&
                                        succeeded(builder.tryFold(op, size)) &&
                                        !size.empty()) {
      op->replaceAllUsesWith(size);
      op->erase();
    }
  });
}

/// Gives ways out of branches with several a block of their own: those that are
/// not the only way into their target, and those that take buffers along. What
/// ends, or is handed over, on one way alone has a place there.
static void splitBranches(Operation *root) {
  SmallVector<BranchOpInterface> branches;
  root->walk([&](BranchOpInterface branch) {
    if (branch->getNumSuccessors() > 1)
      branches.push_back(branch);
  });
  for (BranchOpInterface branch : branches)
    for (unsigned i = 0, e = branch->getNumSuccessors(); i != e; ++i) {
      Block *target = branch->getSuccessor(i);
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      if (operands.getProducedOperandCount())
        continue;
      bool takesBuffers = llvm::any_of(
          operands.getForwardedOperands().getTypes(), mayNameBuffer);
      if (target->getSinglePredecessor() && !takesBuffers)
        continue;
      SmallVector<Value> values(operands.getForwardedOperands());
      OpBuilder builder(branch->getContext());
      Block *between = builder.createBlock(target);
      cf::BranchOp::create(builder, branch->getLoc(), target, values);
      operands.getMutableForwardedOperands().clear();
      branch->setSuccessor(between, i);
    }
}

/// The function whose argument `root` is; null if it is none.
static func::FuncOp getFunctionOf(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
                  : func::FuncOp();
}

/// Erases the frees of the source that this pass places anew. A free of a
/// function argument says that the argument was given away, if it frees that
/// argument whatever the data are.
LogicalResult PlaceFreesPass::takeSourceFrees(const Ownership &ownership) {
  SmallVector<memref::DeallocOp> frees;
  getOperation().walk([&](memref::DeallocOp op) { frees.push_back(op); });
  DenseSet<std::pair<Value, Block *>> seen;
  for (memref::DeallocOp op : frees) {
    ArrayRef<Value> roots = ownership.getRoots(op.getMemref());
    // One of several buffers, or only in some runs: each is freed by its owner
    // all the same, after its last use, and a global never.
    Value root = roots.empty() ? Value() : roots.front();
    bool isCertain =
        roots.size() == 1 && op->getParentRegion() == root.getParentRegion();
    if (roots.empty() || llvm::any_of(roots, [&](Value each) {
          auto global = each.getDefiningOp<memref::GetGlobalOp>();
          return !ownership.getOwner(each) && !getFunctionOf(each) &&
                 (isCertain || !global);
        }))
      return op.emitError("cannot tell who owns the buffer that this frees");
    if (isCertain && !seen.insert({root, op->getBlock()}).second)
      return op.emitError("frees a buffer that is freed already");
    if (func::FuncOp func = getFunctionOf(root); func && isCertain)
      func.setArgAttr(cast<BlockArgument>(root).getArgNumber(), attr::kDonated,
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

/// A buffer can be handed over in the region that owns it if nothing uses it
/// afterwards or beside.
static bool canHandOver(OpOperand &operand, const Ownership &ownership,
                        Positions &positions) {
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
      if (use.getOwner() == user && ownership.handsOver(use) &&
          ownership.isByValue(use))
        continue;
      if (positions.of(use.getOwner(), user->getBlock()) >= at)
        return false;
    }
  return true;
}

/// Whether `operand` of `jump` leaves a buffer with its owner.
static bool leavesBuffer(BranchOpInterface jump, OpOperand &operand,
                         const Ownership &ownership) {
  bool isLeft = false;
  forEachPassed(jump, [&](OpOperand &passed, BlockArgument to) {
    if (&passed != &operand)
      return;
    for (Value root : ownership.getGiven(operand))
      isLeft |= staysWithOwner(
          to, root,
          BlockLiveness(ownership.getOwner(root), ownership.getNames(root)));
  });
  return isLeft;
}

/// Finds the operands that leave their buffers with the owners, because those
/// need them longer: what the operands flow into is then one more name of them.
/// Each makes buffers live longer, so that others may have to stay as well.
LogicalResult PlaceFreesPass::chooseKept(Ownership::Operands &kept) {
  bool changed;
  do {
    changed = false;
    Ownership ownership(getOperation(), kept);
    Positions positions;
    for (OpOperand *operand : ownership.getSources()) {
      Operation *user = operand->getOwner();
      Ownership::Roots given = ownership.getGiven(*operand);
      if (given.empty() || ownership.isByValue(*operand))
        continue;
      if (auto jump = dyn_cast<BranchOpInterface>(user)) {
        if (!leavesBuffer(jump, *operand, ownership))
          continue;
        // What the first block has is there for all others.
        if (llvm::any_of(given, [&](Value root) {
              return !ownership.getOwner(root)->isEntryBlock();
            }))
          return user->emitError("cannot tell who frees a buffer that goes "
                                 "along here and is used by its old name as "
                                 "well");
      } else if (user->hasTrait<OpTrait::IsTerminator>() ||
                 canHandOver(*operand, ownership, positions)) {
        continue;
      }
      changed |= kept.insert(operand).second;
    }
  } while (changed);
  return success();
}

LogicalResult
PlaceFreesPass::copyWhatCannotBeHandedOver(const Ownership &ownership) {
  Positions positions;
  DenseSet<Value> handed;
  SmallVector<OpOperand *> copies;
  WalkResult result = getOperation().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!ownership.handsOver(operand) || ownership.sharesWith(operand) ||
          !ownership.isByValue(operand))
        continue;
      if (canHandOver(operand, ownership, positions) &&
          handed.insert(ownership.getRoots(operand.get())[0]).second)
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

/// Frees the buffer of `root` if `flag` (null: true) says so, and it is not
/// what one of `givers` gives away.
static void createFree(OpBuilder &builder, Value root, Value flag,
                       ArrayRef<OpOperand *> givers) {
  Location loc = root.getLoc();
  for (OpOperand *giver : givers) {
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value same = SameBufferOp::create(builder, loc, builder.getI1Type(), root,
                                      giver->get());
    Value stays = arith::XOrIOp::create(builder, loc, same, yes);
    flag = flag ? arith::AndIOp::create(builder, loc, flag, stays) : stays;
  }
  if (flag) {
    auto branch = scf::IfOp::create(builder, loc, flag, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  memref::DeallocOp::create(builder, loc, root);
}

namespace {
/// The last thing that a block does with a buffer.
struct LastUse {
  Operation *op = nullptr; ///< of the block; null if it does nothing
  /// The operands of `op` that may give the buffer away.
  SmallVector<OpOperand *, 1> givers;
};
} // namespace

/// Arithmetic on an address touches no buffer, nor does it lead to one. Who
/// counts what is live when sees no use there either.
static bool computesNumbers(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperandTypes(), mayNameBuffer) &&
         llvm::none_of(op->getResultTypes(), mayNameBuffer);
}

static LastUse findLastUse(Value root, Block &block, const Ownership &ownership,
                           const OwnedFlags &flags, Positions &positions) {
  LastUse last;
  int64_t lastAt = -1;
  // Where it is made, or it is known whose it is.
  for (Value value : {root, flags.get(root)})
    if (Operation *maker = value ? value.getDefiningOp() : nullptr)
      if (maker->getBlock() == &block) {
        last.op = maker;
        lastAt = positions.of(maker, &block);
      }
  for (Value name : ownership.getNames(root))
    for (OpOperand &use : name.getUses()) {
      int64_t at = positions.of(use.getOwner(), &block);
      // An address that is handed out as a number keeps no buffer.
      bool isNumber = !mayNameBuffer(name.getType()) &&
                      (use.getOwner()->hasTrait<OpTrait::IsTerminator>() ||
                       computesNumbers(use.getOwner()));
      if (at < 0 || at < lastAt || isNumber)
        continue;
      if (at > lastAt)
        last.givers.clear();
      lastAt = at;
      last.op = block.findAncestorOpInBlock(*use.getOwner());
      if (last.op == use.getOwner() &&
          llvm::is_contained(ownership.getGiven(use), root))
        last.givers.push_back(&use);
    }
  llvm::sort(last.givers, [](OpOperand *a, OpOperand *b) {
    return a->getOperandNumber() < b->getOperandNumber();
  });
  return last;
}

/// Frees the buffer in `block`, which is the last on a way through the program
/// that needs it.
static LogicalResult freeIn(Value root, Block &block,
                            const Ownership &ownership, const OwnedFlags &flags,
                            Positions &positions) {
  LastUse last = findLastUse(root, block, ownership, flags, positions);
  for (OpOperand *giver : last.givers)
    if (giver->get() == root || ownership.getRoots(giver->get()).size() == 1)
      return success();
  OpBuilder builder(root.getContext());
  if (!last.op)
    builder.setInsertionPointToStart(&block);
  else if (!last.op->hasTrait<OpTrait::IsTerminator>())
    builder.setInsertionPointAfter(last.op);
  else if (last.op->getNumSuccessors() || !last.givers.empty())
    builder.setInsertionPoint(last.op); // only a name goes along, or it may
  else
    return last.op->emitError("cannot tell who owns a buffer that ends here");
  createFree(builder, root, flags.get(root), last.givers);
  return success();
}

LogicalResult PlaceFreesPass::placeFrees(Block &block,
                                         const Ownership &ownership,
                                         const OwnedFlags &flags) {
  Positions positions;
  Region *region = block.getParent();
  for (Value root : llvm::reverse(ownership.getOwned(&block))) {
    if (region->hasOneBlock()) {
      if (failed(freeIn(root, block, ownership, flags, positions)))
        return failure();
      continue;
    }
    BlockLiveness liveness(&block, ownership.getNames(root), computesNumbers);
    for (Block &each : *region) {
      if (liveness.isThere(&each)) {
        if (!liveness.isLiveOut(&each) &&
            failed(freeIn(root, each, ownership, flags, positions)))
          return failure();
        continue;
      }
      // Branches are split: a way on which it is not needed any more has a
      // block of its own.
      Block *before = each.getSinglePredecessor();
      if (!before || !liveness.isLiveOut(before))
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(&each);
      createFree(builder, root, flags.get(root), {});
    }
  }
  return success();
}

/// Frees stay where the source has them: what is found in memory may be any
/// buffer that was put there, and is needed as long as somebody looks there.
static void keepSourceFrees(ModuleOp module) {
  module.walk([](Operation *op) {
    OpBuilder builder(op);
    op->removeAttr(kByValueAttr);
    if (auto drop = dyn_cast<DropOp>(op)) {
      memref::DeallocOp::create(builder, op->getLoc(), drop.getValue());
      op->erase();
    } else if (auto opaque = dyn_cast<OpaqueOp>(op)) {
      op->replaceAllUsesWith(ValueRange{opaque.getInput()});
      op->erase();
    }
  });
}

void PlaceFreesPass::runOnOperation() {
  if (holdsBufferTable(getOperation()))
    return keepSourceFrees(getOperation());
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
  Ownership::Operands kept;
  if (failed(chooseKept(kept)))
    return signalPassFailure();
  {
    Ownership ownership(getOperation(), kept);
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
  Ownership ownership(getOperation(), kept);
  OwnedFlags flags(ownership, getOperation());
  if (failed(flags.create()))
    return signalPassFailure();
  for (Block *block : blocks)
    if (failed(placeFrees(*block, ownership, flags)))
      return signalPassFailure();
  if (failed(flags.carry()))
    return signalPassFailure();
  getOperation().walk([](Operation *op) { op->removeAttr(kByValueAttr); });
}
