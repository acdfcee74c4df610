//===- LowerSnapshots.cpp - snapshots of loops to runtime calls -----------===//
//
// A loop goes on from a snapshot by beginning at a later iteration. That is
// decided here and no earlier, so that everything above sees a loop that runs
// from its first iteration to its last.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "RuntimeCalls.h"
#include "TierCalls.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace pebble {
#define GEN_PASS_DEF_LOWERSNAPSHOTSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {

struct LowerSnapshotsPass
    : pebble::impl::LowerSnapshotsPassBase<LowerSnapshotsPass> {
  void runOnOperation() override;

private:
  /// A loop, by the function that it stands in and its number.
  using Key = std::pair<Operation *, int64_t>;

  LogicalResult collect();
  LogicalResult lowerResume(ResumeOp op);
  LogicalResult lowerSnapshot(TakeSnapshotOp op);
  LogicalResult checkBuffer(Operation *op, Value memref);

  Value call(ImplicitLocOpBuilder &b, StringRef name, TypeRange results,
             ValueRange operands) {
    func::CallOp made = callRuntime(b, b.getLoc(), name, results, operands);
    return made.getNumResults() ? made.getResult(0) : Value();
  }

  llvm::DenseMap<Key, TakeSnapshotOp> snapshots;
};

} // namespace

static Value number(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, value, 64);
}

/// The bits of a number, in 64 of them.
static Value toBits(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType(), wide = b.getI64Type();
  if (isa<IndexType>(type))
    return arith::IndexCastOp::create(b, wide, value);
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(
        b, b.getIntegerType(type.getIntOrFloatBitWidth()), value);
  return value.getType() == wide ? value
                                 : arith::ExtUIOp::create(b, wide, value);
}

/// The number of type `type` that has these bits.
static Value fromBits(ImplicitLocOpBuilder &b, Value bits, Type type) {
  if (isa<IndexType>(type))
    return arith::IndexCastOp::create(b, type, bits);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 64)
    bits = arith::TruncIOp::create(b, b.getIntegerType(width), bits);
  return isa<FloatType>(type) ? arith::BitcastOp::create(b, type, bits) : bits;
}

static bool isWide(Type type) {
  return !isa<IndexType>(type) && type.getIntOrFloatBitWidth() > 64;
}

/// A snapshot holds bytes that lie one after the other.
LogicalResult LowerSnapshotsPass::checkBuffer(Operation *op, Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (type && isContiguous(type))
    return success();
  return op->emitError("a snapshot holds contiguous memrefs, got ")
         << memref.getType();
}

/// Finds out which op takes the snapshots of which loop.
LogicalResult LowerSnapshotsPass::collect() {
  llvm::DenseMap<Operation *, TakeSnapshotOp> ofLoop;
  WalkResult result = getOperation().walk([&](TakeSnapshotOp op) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    Operation *function = op->getParentOfType<func::FuncOp>();
    auto refuse = [&](const Twine &why) {
      op.emitError("a snapshot is taken in the body of an scf.for of its own, "
                   "and ")
          << why;
      return WalkResult::interrupt();
    };
    if (!loop || loop->getParentOp() != function)
      return refuse("this one is not");
    if (isWide(loop.getInductionVar().getType()))
      return refuse("this one counts in more than 64 bits");
    if (!ofLoop.try_emplace(loop, op).second)
      return refuse("this one has two");
    if (!snapshots.try_emplace({function, op.getLoop()}, op).second)
      return refuse("another loop has the same number");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult LowerSnapshotsPass::lowerResume(ResumeOp op) {
  if (failed(checkBuffer(op, op.getState())))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  call(b, "pebble_rt_journal_restore", {},
       {number(b, op.getLoop()), number(b, op.getValue()),
        addressOf(b, op.getLoc(), op.getState()),
        bytesOf(b, op.getLoc(), op.getState())});
  op->erase();
  return success();
}

/// The loop begins at the iteration after those that are done, and says after
/// each how many are.
LogicalResult LowerSnapshotsPass::lowerSnapshot(TakeSnapshotOp op) {
  auto loop = cast<scf::ForOp>(op->getParentOp());
  Value low = loop.getLowerBound(), step = loop.getStep();
  Type type = low.getType(), wide = IntegerType::get(&getContext(), 64);
  ImplicitLocOpBuilder before(op.getLoc(), loop);
  Value done = call(before, "pebble_rt_journal_enter", wide,
                    number(before, op.getLoop()));
  Value first = arith::AddIOp::create(
      before, low,
      arith::MulIOp::create(before, fromBits(before, done, type), step));
  Value total = arith::CeilDivUIOp::create(
      before, arith::SubIOp::create(before, loop.getUpperBound(), low), step);
  Value totalBits = toBits(before, total);
  loop.setLowerBound(first);

  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value gone = arith::DivUIOp::create(
      b, arith::SubIOp::create(b, loop.getInductionVar(), low), step);
  Value now = arith::AddIOp::create(b, toBits(b, gone), number(b, 1));
  call(b, "pebble_rt_journal_begin", {},
       {number(b, op.getLoop()), now, totalBits, number(b, op.getEvery()),
        number(b, op.getLast()),
        number(b, static_cast<int64_t>(op.getState().size()))});
  for (Value value : op.getState()) {
    if (!isa<BaseMemRefType>(value.getType())) {
      call(b, "pebble_rt_journal_put_number", {}, toBits(b, value));
      continue;
    }
    if (failed(checkBuffer(op, value)))
      return failure();
    call(b, "pebble_rt_journal_put", {},
         {addressOf(b, op.getLoc(), value), bytesOf(b, op.getLoc(), value)});
  }
  call(b, "pebble_rt_journal_end", {}, {});
  op->erase();
  return success();
}

void LowerSnapshotsPass::runOnOperation() {
  if (failed(collect()))
    return signalPassFailure();
  SmallVector<Operation *> ops;
  WalkResult result = getOperation().walk([&](Operation *op) {
    if (!isa<ResumeOp, ResumeNumberOp, TakeSnapshotOp>(op))
      return WalkResult::advance();
    ops.push_back(op);
    if (isa<TakeSnapshotOp>(op))
      return WalkResult::advance();
    int64_t loop = op->getAttrOfType<IntegerAttr>("loop").getInt();
    if (snapshots.contains({op->getParentOfType<func::FuncOp>(), loop}))
      return WalkResult::advance();
    op->emitError("loop ") << loop << " takes no snapshots";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return signalPassFailure();
  for (Operation *op : ops) {
    LogicalResult lowered = success();
    if (auto resume = dyn_cast<ResumeOp>(op)) {
      lowered = lowerResume(resume);
    } else if (auto snapshot = dyn_cast<TakeSnapshotOp>(op)) {
      lowered = lowerSnapshot(snapshot);
    } else {
      auto resumed = cast<ResumeNumberOp>(op);
      ImplicitLocOpBuilder b(op->getLoc(), op);
      Value bits =
          call(b, "pebble_rt_journal_restore_number", b.getI64Type(),
               {number(b, resumed.getLoop()), number(b, resumed.getValue()),
                toBits(b, resumed.getState())});
      resumed.replaceAllUsesWith(
          fromBits(b, bits, resumed.getResult().getType()));
      op->erase();
    }
    if (failed(lowered))
      return signalPassFailure();
  }
}
