//===- RunAgain.cpp - what may run a second time --------------------------===//

#include "pebble/Analysis/RunAgain.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Analysis/Reach.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

static std::string getName(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "' ";
}

bool isConstantGlobal(Operation *from, StringAttr symbol,
                      ProgramContext &context) {
  auto global = dyn_cast_if_present<memref::GlobalOp>(
      context.lookupSymbol(from, FlatSymbolRefAttr::get(symbol)));
  return global && global.getConstant();
}

static bool hasTokens(TypeRange types) {
  return llvm::any_of(types, isTokenType);
}

static bool worksOnMemory(Operation *top, ProgramContext &context) {
  return top
      ->walk([&](Operation *op) {
        return op != top && !collectEffects(op, context).accesses.empty()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool hasOnlyAssertions(Operation *op, ProgramContext &context,
                              llvm::DenseSet<Operation *> &seen) {
  if (isa<cf::AssertOp>(op) || collectEffects(op, context).barrier.empty())
    return true;
  // What is started is to be waited for.
  if (hasTokens(op->getOperandTypes()) || hasTokens(op->getResultTypes()))
    return false;
  auto isFine = [&](Operation &inner) {
    return hasOnlyAssertions(&inner, context, seen);
  };
  auto call = dyn_cast<CallOpInterface>(op);
  Operation *body = op;
  if (call) {
    body = context.resolveCallee(call);
    auto callee = dyn_cast_if_present<FunctionOpInterface>(body);
    // What calls itself may not end.
    if (!callee || callee.isExternal() || !seen.insert(callee).second)
      return false;
    // Nobody says which memory such a function works on.
    if (!callee.getFunctionBody().hasOneBlock() &&
        worksOnMemory(callee, context))
      return false;
  } else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) {
    return false;
  }
  const bool isAll = llvm::all_of(body->getRegions(), [&](Region &region) {
    return llvm::all_of(
        region, [&](Block &block) { return llvm::all_of(block, isFine); });
  });
  if (call)
    seen.erase(body);
  return isAll;
}

bool hasOnlyAssertions(Operation *op, ProgramContext &context) {
  llvm::DenseSet<Operation *> seen;
  return hasOnlyAssertions(op, context, seen);
}

namespace {
/// Which accesses of a block stay inside of it.
class OwnMemory {
public:
  OwnMemory(Block &block, ProgramContext &context)
      : block(block), context(context) {}

  bool has(const MemoryAccess &access) {
    if (!access.value)
      return false;
    if (!reach)
      reach.emplace(block, context);
    // Nothing is known of what stands around the block.
    ArrayRef<ReachAnalysis::Id> origins = reach->get(access.value);
    return !origins.empty() && llvm::all_of(origins, [&](ReachAnalysis::Id id) {
      const Origin &origin = reach->getOrigin(id);
      if (origin.escaped)
        return false;
      // What is in a tensor is the same each time, if nobody writes there.
      bool isTensor = origin.kind == Origin::Named && origin.value &&
                      isa<TensorType>(origin.value.getType());
      return origin.kind == Origin::Made || (isTensor && !access.isWrite);
    });
  }

private:
  Block &block;
  ProgramContext &context;
  std::optional<ReachAnalysis> reach;
};
} // namespace

/// What would let `op`, which must run once, run again.
static std::string getWay(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "mpi")
    return "messages run once: a start and its wait, outside of what runs "
           "again, "
           "let the rest run again";
  if (isa<CallOpInterface>(op))
    return "a function with a body says what it does";
  if (!op->isRegistered())
    return "'pure=" + op->getName().getStringRef().str() +
           "' says that it has no effects; outside of what runs again "
           "it runs once";
  return "outside of what runs again it runs once";
}

namespace {
/// Who runs something again.
struct Rerun {
  /// What memory from outside of it holds by then.
  OuterMemory outer = OuterMemory::Changes;
  /// Nobody minds an assertion that is asked twice.
  bool mayAssert = false;
  /// All ranks run it again, from one place.
  bool isByAllRanks = false;

  static Rerun goOn() { return {OuterMemory::Restored, true, true}; }
};

/// What lets nobody run `op` again, whatever memory holds.
struct OpFacts {
  /// Why it is a barrier; empty if it is none.
  std::string barrier;
  /// A token orders it, and nothing else makes it a barrier.
  bool isOnlyToken = false;
  /// The op, in it or in what it calls, whose state no value shows; null: there
  /// is none, or more is known against `op`.
  Operation *mover = nullptr;

  OpFacts(Operation *op, const OpEffects &effects, ProgramContext &context)
      : barrier(effects.barrier), isOnlyToken(effects.isOnlyToken) {
    if (barrier.empty() || isOnlyToken)
      mover = collectHiddenEffects(op, context).runsOnce;
  }
  explicit operator bool() const { return mover || !barrier.empty(); }
};

/// Looks at the ops of a region that runs again.
class Finder {
public:
  Finder(Region &region, Rerun rerun, ProgramContext &context)
      : region(region), rerun(rerun), context(context) {}

  RunOnceReason run(Region &inside, bool mayTouch = true) {
    RunOnceReason weak;
    for (Block &block : inside) {
      OwnMemory own(block, context);
      for (Operation &op : block) {
        if (op.hasTrait<OpTrait::ReturnLike>())
          continue;
        RunOnceReason reason = getReason(&op, own, mayTouch);
        // What asks who takes part is there because of another.
        if (reason && isQuestion(&op))
          weak = weak ? weak : reason;
        else if (reason)
          return reason;
      }
    }
    return weak;
  }

  RunOnceReason runOne(Operation *op) {
    OwnMemory own(*op->getBlock(), context);
    return getReason(op, own, /*mayTouch=*/true);
  }

private:
  Region &region;
  Rerun rerun;
  ProgramContext &context;

  static bool isQuestion(Operation *op) {
    StringRef name = op->getName().getStringRef();
    return name == "mpi.comm_world" || name == "mpi.comm_rank" ||
           name == "mpi.comm_size";
  }

  /// `mayTouch`: false for what runs beside the rest, until somebody waits: it
  /// must neither work on memory nor end the program.
  RunOnceReason getReason(Operation *op, OwnMemory &own, bool mayTouch) {
    OpEffects effects = collectEffects(op, context);
    const bool isBarrier =
        !effects.barrier.empty() &&
        !(rerun.mayAssert && mayTouch && hasOnlyAssertions(op, context));
    if (!isBarrier || effects.isOnlyToken)
      if (Operation *mover = findMover(op))
        return {mover, getName(mover) + "does not give the same result twice",
                "with its state as an operand, or outside, it is as it was"};
    if (isBarrier)
      if (RunOnceReason reason = getReasonOfBarrier(op, effects))
        return reason;
    if (!mayTouch && !effects.accesses.empty())
      return {op, getName(op) + "works on memory beside others",
              "outside of what runs again it runs once"};
    for (const MemoryAccess &access : effects.accesses) {
      if (rerun.outer == OuterMemory::Restored || own.has(access))
        continue;
      if (access.isWrite)
        return {op, getName(op) + "writes memory from outside", ""};
      if (rerun.outer == OuterMemory::Changes &&
          !(access.symbol && isConstantGlobal(op, access.symbol, context)))
        return {op, getName(op) + "reads memory that may have changed since",
                ""};
    }
    return {};
  }

  /// The op, in `op` or in what it calls, whose state no value shows.
  Operation *findMover(Operation *op) const {
    const HiddenEffects hidden = collectHiddenEffects(op, context);
    return rerun.isByAllRanks ? hidden.runsOnceForAll : hidden.runsOnce;
  }

  /// What a token orders may run again with all that it orders.
  RunOnceReason getReasonOfBarrier(Operation *op, const OpEffects &effects) {
    const bool isTask = isa<async::ExecuteOp, async::AwaitOp>(op);
    // What others start (a launch, a collective on buffers) shows in ways that
    // the proof of a second run does not follow.
    const bool isFollowed =
        isTask || isa<StoreOp, LoadOp, WaitOp>(op) ||
        !(hasTokens(op->getOperandTypes()) || hasTokens(op->getResultTypes()));
    if (!isTask && !(effects.isOnlyToken && isFollowed)) {
      Operation *inner = findInnermost(op);
      return {inner, collectEffects(inner, context).barrier, getWay(inner)};
    }
    if (!isWhole(op))
      return {op, effects.barrier,
              "with all that it waits for, and that waits for it, in "
              "one place before the adjoint it may run again",
              /*isOpen=*/true};
    for (Region &inside : op->getRegions())
      if (RunOnceReason reason = run(inside, /*mayTouch=*/!isTask))
        return reason;
    return {};
  }

  /// The op in loops and branches for which `op` is a barrier.
  Operation *findInnermost(Operation *op) {
    if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return op;
    for (Region &inside : op->getRegions())
      for (Operation &nested : inside.getOps())
        if (!collectEffects(&nested, context).barrier.empty() &&
            !(rerun.mayAssert && hasOnlyAssertions(&nested, context)))
          return findInnermost(&nested);
    return op;
  }

  /// Whether what `op` starts and ends is started and ended in the region.
  bool isWhole(Operation *op) {
    auto isInside = [&](Operation *other) {
      return other && region.isAncestor(other->getParentRegion());
    };
    for (Value operand : op->getOperands())
      if (isTokenType(operand.getType()) && !isInside(operand.getDefiningOp()))
        return false;
    return llvm::all_of(op->getResults(), [&](Value result) {
      if (!isTokenType(result.getType()))
        return true;
      return llvm::all_of(result.getUsers(), [&](Operation *user) {
        return isInside(user) && !user->hasTrait<OpTrait::ReturnLike>();
      });
    });
  }
};
} // namespace

RunOnceReason getRunOnceReason(Region &region, OuterMemory outer,
                               ProgramContext &context, bool mayAssert) {
  return Finder(region, {outer, mayAssert}, context).run(region);
}

RunOnceReason getGoOnReason(Region &region, ProgramContext &context) {
  return Finder(region, Rerun::goOn(), context).run(region);
}

RunOnceReason getGoOnReason(Operation *op, ProgramContext &context) {
  return Finder(*op->getParentRegion(), Rerun::goOn(), context).runOne(op);
}

namespace {
/// Looks at the steps of a block, whose storages are known.
class StepFinder {
public:
  explicit StepFinder(const StorageAnalysis &storage) : storage(storage) {
    for (const Step &step : storage.getSteps()) {
      hasBarrier |= !step.barrier.empty();
      for (const Access &access : step.accesses)
        if (access.kind == AccessKind::Write)
          written.insert(getClass(access.storage));
      findHandedOn(step);
    }
  }

  std::string get(const Step &step) const {
    Operation *op = step.op;
    ProgramContext &context = storage.getContext();
    const OpFacts facts(op, collectEffects(op, context), context);
    if (facts.mover)
      return "it draws random numbers or communicates" +
             (facts.mover == op ? "" : ": " + getName(facts.mover) + "does");
    if (facts)
      return "it has effects: " + facts.barrier;
    if (isMoveOrMark(op))
      return "it is a move";
    for (Value result : op->getResults())
      if (std::string reason = getReason(result); !reason.empty())
        return reason;
    if (auto call = dyn_cast<CallOpInterface>(op))
      for (OpOperand &operand : call.getArgOperandsMutable())
        if (storage.isConsumed(operand))
          return "it consumes an operand";
    for (const Access &access : step.accesses)
      if (access.kind == AccessKind::Write && handedOn.contains(access.storage))
        return "an op hands on what it makes under another name";
    return getReason(step);
  }

private:
  /// A call may return its argument. Who reads the result reads the buffer that
  /// the call was given, and not one that was made since.
  void findHandedOn(const Step &step) {
    for (Value result : step.op->getResults()) {
      if (!isa<TensorType>(result.getType()) || result.use_empty())
        continue;
      for (StorageId id : storage.lookup(result))
        if (llvm::none_of(step.accesses, [&](const Access &access) {
              return access.kind == AccessKind::Write && access.storage == id &&
                     access.value == result;
            }))
          handedOn.insert(id);
    }
  }

  unsigned getClass(StorageId id) const {
    return storage.getStorage(id).aliasClass;
  }
  bool isMemory(StorageId id) const { return storage.getStorage(id).isMemory; }

  bool isUnwrittenView(StorageId id) const {
    Value root = storage.getStorage(id).root;
    Operation *op = root ? root.getDefiningOp() : nullptr;
    return op && storage.getStorage(id).kind == StorageKind::Local &&
           static_cast<bool>(StorageAnalysis::getViewSource(op));
  }

  std::string getReason(Value result) const {
    Type type = result.getType();
    if (isa<BaseMemRefType>(type))
      return "its result is a buffer that has a name of its own";
    if (isa<TupleType>(type) || isTokenType(type))
      return "its result is a tuple or a token";
    if (!isa<TensorType>(type))
      return "";
    for (Operation *user : result.getUsers())
      if (StorageAnalysis::isFree(user) &&
          llvm::any_of(user->getResultTypes(), llvm::IsaPred<TupleType>))
        return "its result is part of a tuple";
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked || storage.lookup(result).size() != 1)
      return "the storage of its result is not known";
    auto producer = cast<OpResult>(result);
    Destination destination = storage.getDestination(producer);
    if (destination.copies)
      return "the copy that its destination needs is not written down";
    auto dps = dyn_cast<DestinationStyleOpInterface>(producer.getOwner());
    OpOperand *tied = dps ? dps.getTiedOpOperand(producer) : nullptr;
    bool ownsDestination =
        tied && !destination.overwrites &&
        !isa_and_present<bufferization::AllocTensorOp, tensor::EmptyOp>(
            tied->get().getDefiningOp());
    if (ownsDestination && !ranked.hasStaticShape())
      return "its destination is not written down";
    return "";
  }

  /// Memory that is read must be as it was the first time.
  std::string getReason(const Step &step) const {
    for (const Access &access : step.accesses) {
      if (isUnwrittenView(access.storage))
        return "it reads a view of memory that nobody wrote";
      if (!isMemory(access.storage))
        continue;
      if (access.kind == AccessKind::Write)
        return "it writes a buffer that has a name of its own";
      if (access.kind == AccessKind::Read &&
          (hasBarrier || written.contains(getClass(access.storage))))
        return "it reads memory that may have changed since";
    }
    return "";
  }

  const StorageAnalysis &storage;
  bool hasBarrier = false;
  llvm::DenseSet<unsigned> written;
  /// Storages that a result names which did not make them.
  llvm::DenseSet<StorageId> handedOn;
};
} // namespace

std::vector<std::string> getRunOnceReasons(const StorageAnalysis &storage) {
  StepFinder reasons(storage);
  std::vector<std::string> result;
  for (const Step &step : storage.getSteps())
    result.push_back(reasons.get(step));
  return result;
}

} // namespace pebble
