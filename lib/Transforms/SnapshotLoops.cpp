//===- SnapshotLoops.cpp - the pass pebble-snapshot-loops -----------------===//
//
// Finds the loops that a program spends its time in, and has each write what it
// carries to the journal of the run. What stands before such a loop runs again
// when the program goes on, so that a snapshot need hold nothing of it: it must
// be such that nobody notices. An earlier loop is over then, and begins with
// what it ended with.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "OptionRange.h"
#include "PlanPasses.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Trips.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_SNAPSHOTLOOPSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {

struct SnapshotLoopsPass
    : pebble::impl::SnapshotLoopsPassBase<SnapshotLoopsPass> {
  using SnapshotLoopsPassBase::SnapshotLoopsPassBase;
  void runOnOperation() override;

private:
  /// A loop that takes snapshots, and the memory that is part of its state.
  struct Chosen {
    scf::ForOp loop;
    SmallVector<Value> memory;
  };
  LogicalResult snapshot(FunctionOpInterface function, ProgramContext &context,
                         bool &isAny);
  LogicalResult choose(scf::ForOp loop, const StorageAnalysis &storage,
                       Chosen &chosen);
  void rewrite(const Chosen &chosen, int64_t number, bool isFollowed);
  void say(Operation *loop, const Twine &what);
};

} // namespace

//===----------------------------------------------------------------------===//
// Which loops, and their state
//===----------------------------------------------------------------------===//

/// Whether an op moves or computes more than single numbers.
static bool doesWork(Operation *op) {
  if (op->getNumRegions() || isa<CallOpInterface>(op))
    return !op->hasTrait<OpTrait::IsTerminator>();
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>) &&
         !StorageAnalysis::isFree(op) && !isa<TakeSnapshotOp>(op);
}

/// A loop that may be worth its snapshots. One that fills an array number by
/// number is over before a snapshot is.
static bool isDriver(scf::ForOp loop) {
  std::optional<APInt> trips = getStaticTrips(loop);
  if (trips && trips->ule(1))
    return false;
  return llvm::any_of(*loop.getBody(), [](Operation &op) {
    return !op.hasTrait<OpTrait::IsTerminator>() &&
           (doesWork(&op) ||
            (isa<MemoryEffectOpInterface>(op) && op.getNumOperands() &&
             llvm::any_of(op.getOperandTypes(),
                          llvm::IsaPred<BaseMemRefType>) &&
             !isa<memref::LoadOp, memref::StoreOp>(op)));
  });
}

static bool isNumber(Type type) {
  return isa<IndexType>(type) || (isa<IntegerType, FloatType>(type) &&
                                  type.getIntOrFloatBitWidth() <= 64);
}

/// Whether a snapshot can hold a value that a loop carries.
static bool isStateType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.hasStaticShape() : isNumber(type);
}

/// Whether a snapshot can hold what is in a buffer.
static bool isMemoryType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity();
}

/// Collects the buffers that `loop` writes and that were there before it.
static LogicalResult collectMemory(scf::ForOp loop,
                                   const StorageAnalysis &storage,
                                   SmallVectorImpl<Value> &memory) {
  std::optional<unsigned> index = storage.getStepIndex(loop);
  if (!index)
    return success();
  auto refuse = [&](const Twine &what) {
    return loop.emitError("this loop can take no snapshots: it writes ")
           << what;
  };
  for (const Access &access : storage.getSteps()[*index].accesses) {
    const Storage &entry = storage.getStorage(access.storage);
    if (access.kind != AccessKind::Write || !entry.isMemory)
      continue;
    const bool isOwn = entry.root && entry.root.getDefiningOp() == loop;
    if (isOwn || llvm::is_contained(memory, entry.root))
      continue;
    const std::string name = storage.getStorageName(access.storage);
    const bool isKnown = entry.kind == StorageKind::Argument ||
                         entry.kind == StorageKind::Donated ||
                         entry.kind == StorageKind::Local;
    if (!isKnown || !entry.root ||
        isa<OpResult>(entry.root) != (entry.kind == StorageKind::Local))
      return refuse("memory of which no value of this function is a name (" +
                    name + ")");
    if (!isMemoryType(entry.root.getType()))
      return refuse("'" + name +
                    "', and a snapshot holds buffers of a plain "
                    "layout alone");
    memory.push_back(entry.root);
  }
  return success();
}

LogicalResult SnapshotLoopsPass::choose(scf::ForOp loop,
                                        const StorageAnalysis &storage,
                                        Chosen &chosen) {
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    if (!isStateType(init.getType()))
      return loop.emitError(
                 "this loop can take no snapshots: it carries value ")
             << number << " of type " << init.getType()
             << ", and a snapshot holds numbers, and tensors of known shape";
  if (!isNumber(loop.getInductionVar().getType()))
    return loop.emitError("this loop can take no snapshots: it counts in more "
                          "than 64 bits");
  if (RunOnceReason reason =
          getGoOnReason(loop.getRegion(), storage.getContext())) {
    InFlightDiagnostic error =
        reason.op->emitError("no snapshot can undo or repeat this, and ")
        << reason.text;
    error.attachNote(loop.getLoc()) << "the loop that is to take snapshots is "
                                       "here";
    return error;
  }
  WalkResult freed = loop->walk([&](memref::DeallocOp op) {
    if (loop->isAncestor(op.getMemref().getParentRegion()->getParentOp()))
      return WalkResult::advance();
    op.emitError("a snapshot of this loop cannot hold what it frees");
    return WalkResult::interrupt();
  });
  if (freed.wasInterrupted() ||
      failed(collectMemory(loop, storage, chosen.memory)))
    return failure();
  chosen.loop = loop;
  return success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void SnapshotLoopsPass::rewrite(const Chosen &chosen, int64_t number,
                                bool isFollowed) {
  scf::ForOp loop = chosen.loop;
  OpBuilder b(loop);
  int64_t value = 0;
  for (OpOperand &init : loop.getInitArgsMutable()) {
    Value given = init.get();
    Operation *resumed;
    if (isa<RankedTensorType>(given.getType()))
      resumed = ResumeOp::create(b, loop.getLoc(), given, number, value++);
    else
      resumed = ResumeNumberOp::create(b, loop.getLoc(), given.getType(), given,
                                       number, value++);
    init.set(resumed->getResult(0));
  }
  for (Value memory : chosen.memory)
    ResumeOp::create(b, loop.getLoc(), memory, number, value++);
  Operation *end = loop.getBody()->getTerminator();
  b.setInsertionPoint(end);
  SmallVector<Value> state(end->getOperands());
  state.append(chosen.memory);
  TakeSnapshotOp::create(b, loop.getLoc(), state, number, every, isFollowed);
}

void SnapshotLoopsPass::say(Operation *loop, const Twine &what) {
  if (auto remark = remark::passed(
          loop->getLoc(),
          remark::RemarkOpts::name("snapshots").category(getArgument())))
    remark << what.str();
}

LogicalResult SnapshotLoopsPass::snapshot(FunctionOpInterface function,
                                          ProgramContext &context,
                                          bool &isAny) {
  Block &block = function.getFunctionBody().front();
  StorageAnalysis storage(block, context);
  SmallVector<Chosen> all;
  for (Operation &op : block) {
    if (isa<ResumeOp, ResumeNumberOp>(op))
      return op.emitError("this function takes snapshots already");
    if (auto loop = dyn_cast<AdjointLoopOp>(op))
      return loop.emitError("nobody has decided yet which states of this loop "
                            "are kept: run pebble-checkpoint-loops first");
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !isDriver(loop)) {
      if (isa<LoopLikeOpInterface>(op))
        say(&op, "this loop takes no snapshots and runs again from its start");
      continue;
    }
    Chosen chosen;
    if (failed(choose(loop, storage, chosen)))
      return failure();
    all.push_back(std::move(chosen));
  }
  if (all.empty())
    return success();
  for (Operation &op : block) {
    if (&op == all.back().loop)
      break;
    if (llvm::any_of(all, [&](const Chosen &each) { return each.loop == &op; }))
      continue;
    const RunOnceReason reason = getGoOnReason(&op, context);
    if (!reason)
      continue;
    InFlightDiagnostic error =
        reason.op->emitError("what stands before a loop with snapshots runs "
                             "again when the program goes on, and ")
        << reason.text;
    error.attachNote(all.back().loop.getLoc()) << "the loop is here";
    return error;
  }
  isAny = true;
  for (auto [number, chosen] : llvm::enumerate(all)) {
    bool isFollowed = number + 1 != all.size();
    rewrite(chosen, static_cast<int64_t>(number), isFollowed);
    say(chosen.loop, "loop " + Twine(number) + " takes a snapshot of " +
                         Twine(chosen.loop.getNumRegionIterArgs()) +
                         " values and " + Twine(chosen.memory.size()) +
                         " buffers every " + Twine(int64_t(every)) +
                         " iterations" +
                         (isFollowed ? ", and at its end" : ""));
  }
  return success();
}

void SnapshotLoopsPass::runOnOperation() {
  ModuleOp module = getOperation();
  if (every == 0) {
    emitError(module.getLoc(),
              "say how often to take a snapshot: 'every=N', in "
              "iterations of a loop");
    return signalPassFailure();
  }
  if (failed(checkRange(module.getLoc(), every, 0, 1)))
    return signalPassFailure();
  ProgramContext context(getAnalysisOptions(pure, 0));
  bool isAny = false;
  SmallVector<FunctionOpInterface> functions;
  module.walk(
      [&](FunctionOpInterface function) { functions.push_back(function); });
  for (FunctionOpInterface function : functions) {
    // A loop's snapshots are of one run of it: its function is an entry.
    if (function.isExternal() || isReferenced(function) ||
        !function.getFunctionBody().hasOneBlock())
      continue;
    if (failed(snapshot(function, context, isAny)))
      return signalPassFailure();
  }
  if (isAny)
    return;
  emitError(module.getLoc(),
            "no loop is there to take snapshots: one is an scf.for of two or "
            "more iterations in the only block of a function that nothing "
            "calls, and does more than move single numbers");
  signalPassFailure();
}
