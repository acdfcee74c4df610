//===- RunBounds.cpp - what a run surely takes ----------------------------===//

#include "pebble/Analysis/RunBounds.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Carried.h"
#include "pebble/Analysis/InnerMemory.h"
#include "pebble/Analysis/Reach.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/Trips.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace pebble {

static int64_t getBytesOf(ArrayRef<std::pair<StringRef, int64_t>> peaks,
                          StringRef tier) {
  const auto *found =
      llvm::find_if(peaks, [&](auto &entry) { return entry.first == tier; });
  return found == peaks.end() ? 0 : found->second;
}

/// Whether the inside of `region` runs each time that its op does.
static bool runsSurely(Region &region) {
  Operation *op = region.getParentOp();
  if (auto search = dyn_cast<scf::WhileOp>(op))
    return &region == &search.getBefore();
  if (isa<LoopLikeOpInterface>(op))
    return surelyRuns(op);
  if (isa<FunctionOpInterface, scf::ExecuteRegionOp>(op))
    return true;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return false;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    Attribute known;
    matchPattern(operand, m_Constant(&known));
    operands.push_back(known);
  }
  SmallVector<InvocationBounds> bounds;
  branch.getRegionInvocationBounds(operands, bounds);
  unsigned number = region.getRegionNumber();
  return number < bounds.size() && bounds[number].getLowerBound() > 0;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// How often an op inside of `step` runs each time the step does, if that is
/// known: as often as it says for each run of the loop's driver that it belongs
/// to, and as often as the loops around that one run it. A branch counts as
/// taken, which makes it a bound.
static std::optional<int64_t> getTimes(Operation *op,
                                       std::optional<int64_t> times,
                                       Operation *step, bool &isBound) {
  Operation *driver = op;
  while (driver != step && !driver->hasAttr(attr::kReversal))
    driver = driver->getParentOp();
  bool isInDriver = driver->hasAttr(attr::kReversal);
  if (isInDriver && !times)
    return std::nullopt;
  int64_t count = times.value_or(1);
  for (Operation *at = isInDriver ? driver : op; at != step;
       at = at->getParentOp()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(at->getParentOp());
    if (!loop) {
      isBound |= !runsSurely(*at->getParentRegion());
      continue;
    }
    std::optional<APInt> trips = getStaticTrips(loop);
    if (!trips || trips->getActiveBits() > 62 ||
        llvm::MulOverflow(count, trips->getSExtValue(), count))
      return std::nullopt;
  }
  return count;
}

namespace {
class MoveCollector {
public:
  MoveCollector(Operation *step, ProgramContext &context)
      : step(step), context(context) {}

  InnerMoves run() {
    step->walk([&](Operation *op) {
      if (auto save = dyn_cast<SaveOp>(op))
        add(op, {}, getTierName(save.getArray()), save.getPlaceType(),
            save.getTimes());
      else if (auto restore = dyn_cast<RestoreOp>(op))
        add(op, getTierName(restore.getArray()), {}, restore.getPlaceType(),
            restore.getTimes());
      else if (isa<StoreOp, LoadOp>(op) && op != step)
        addTransfer(op);
      else if (auto call = dyn_cast<CallOpInterface>(op))
        addCall(call);
    });
    return std::move(moves);
  }

private:
  void addTransfer(Operation *op) {
    Value slow = getSlowSide(op);
    StringRef name = getTierName(slow);
    bool isStore = isa<StoreOp>(op);
    StringRef other = isStore ? getTierName(op->getOperand(0)) : StringRef();
    add(op, isStore ? other : name, isStore ? name : other, slow.getType(),
        std::nullopt);
  }

  void add(Operation *op, StringRef from, StringRef to, Type type,
           std::optional<int64_t> times) {
    std::optional<int64_t> bytes = context.getBytes(type);
    std::optional<int64_t> count = getTimes(op, times, step, moves.areBound);
    int64_t total;
    if (!count || !bytes || llvm::MulOverflow(*count, *bytes, total)) {
      moves.areKnown = false;
      return;
    }
    moves.bytes[{from, to}] += total;
  }

  void addCall(CallOpInterface call) {
    const FunctionSummary &summary = context.getSummary(call);
    if (!summary.moves ||
        (summary.moves->bytes.empty() && summary.moves->areKnown))
      return;
    bool isBound = summary.moves->areBound;
    std::optional<int64_t> count = getTimes(call, std::nullopt, step, isBound);
    moves.areKnown &= summary.moves->areKnown && count;
    moves.areBound |= isBound;
    for (auto [route, bytes] : summary.moves->bytes) {
      int64_t total;
      if (!count || llvm::MulOverflow(*count, bytes, total))
        moves.areKnown = false;
      else
        moves.bytes[route] += total;
    }
  }

  Operation *step;
  ProgramContext &context;
  InnerMoves moves;
};
} // namespace

InnerMoves collectInnerMoves(Operation *op, ProgramContext &context) {
  return MoveCollector(op, context).run();
}

//===----------------------------------------------------------------------===//
// Peaks
//===----------------------------------------------------------------------===//

/// Whether `op` is the driver of a reversed loop whose slots are all taken
/// while it steps forward: the number of its steps is known, and they are at
/// least two more than its slots. One step forward and one backward are not
/// made from a slot of their own.
static bool fillsItsSlots(Operation *op) {
  auto driver = op->getAttrOfType<DictionaryAttr>(attr::kReversal);
  auto get = [&](StringRef name) {
    auto number = driver ? driver.getAs<IntegerAttr>(name) : IntegerAttr();
    return number ? number.getInt() : 0;
  };
  int64_t slots = addCounts(get("slots"), get("slow_slots"));
  return get("steps") > addCounts(slots, 1);
}

/// By position, what the memref arguments take that the function frees: they
/// are counted until it returns, and are gone after the last step that uses
/// them.
static std::vector<int64_t> getGivenUp(const LifetimeAnalysis &lifetime,
                                       StringRef tier) {
  const StorageAnalysis &storage = lifetime.getStorage();
  Block &block = *storage.getBlock();
  std::vector<int64_t> gone(lifetime.getOrder().size() + 1);
  llvm::DenseSet<StorageId> ended;
  std::optional<ReachAnalysis> reach;
  auto add = [&](Value value) {
    auto argument = dyn_cast_or_null<BlockArgument>(value);
    if (argument && argument.getOwner() == &block)
      for (StorageId id : storage.lookup(argument))
        if (storage.getStorage(id).kind == StorageKind::Argument &&
            storage.getStorage(id).tier == tier)
          ended.insert(id);
  };
  block.walk([&](memref::DeallocOp free) {
    add(free.getMemref());
    if (free.getMemref().getDefiningOp<memref::AllocOp>())
      return;
    if (!reach)
      reach.emplace(block, storage.getContext());
    for (ReachAnalysis::Id id : reach->get(free.getMemref()))
      add(reach->getOrigin(id).value);
  });
  for (StorageId id : ended) {
    size_t last = 0;
    for (auto [at, index] : llvm::enumerate(lifetime.getOrder()))
      if (llvm::any_of(
              storage.getSteps()[index].accesses,
              [&](const Access &access) { return access.storage == id; }))
        last = at + 1;
    for (size_t at = last; at < gone.size(); ++at)
      gone[at] += storage.getStorage(id).getFootprint();
  }
  return gone;
}

namespace {
/// Computes by how much less than what is counted a run may take.
class LeastMemory {
public:
  explicit LeastMemory(ProgramContext &context) : context(context) {}

  /// The peak of `tier` if what may not run does not: what `measure` counts at
  /// a position, less what may be missing of the step there.
  int64_t getPeak(const LifetimeAnalysis &lifetime, StringRef tier,
                  llvm::function_ref<int64_t(unsigned)> measure) {
    int64_t peak = 0;
    std::vector<int64_t> missing = getMissing(lifetime, tier);
    if (isa<FunctionOpInterface>(
            lifetime.getStorage().getBlock()->getParentOp()))
      for (auto [more, all] : llvm::zip(getGivenUp(lifetime, tier), missing))
        all += more;
    for (auto [at, index] : llvm::enumerate(lifetime.getOrder())) {
      const Step &step = lifetime.getStorage().getSteps()[index];
      peak =
          std::max(peak, measure(at) - missing[at] - getDoubt(step.op, tier));
    }
    return peak;
  }

  /// What `tier` may hold less than the scratch of `op` says.
  int64_t getDoubt(Operation *op, StringRef tier) {
    if (auto call = dyn_cast<CallOpInterface>(op))
      return getDoubtOfCall(call, tier);
    if (op->getNumRegions() == 0 || isa<linalg::LinalgOp>(op) ||
        !op->isRegistered() || fillsItsSlots(op))
      return 0;
    bool isOwned = ownsWhatItCarries(op);
    int64_t most = getInnerPeak(op, tier), sure = 0;
    // One of the sides of a branch is taken.
    std::optional<int64_t> either;
    for (Region &region : op->getRegions()) {
      int64_t least = 0;
      for (Block &block : region) {
        StorageAnalysis storage(block, context);
        LifetimeAnalysis lifetime(storage);
        least =
            std::max(least, getPeak(lifetime, tier, [&](unsigned at) {
                       return isOwned
                                  ? lifetime.getOwnedBytes(at, tier)
                                  : lifetime.getIntermediatesBytes(at, tier);
                     }));
      }
      if (runsSurely(region) && region.hasOneBlock())
        sure = std::max(sure, least);
      either = std::min(either.value_or(least), least);
    }
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
      sure = std::max(sure, either.value_or(0));
    return most - std::min(sure, most);
  }

private:
  /// By position, what storages take that may not be there.
  static std::vector<int64_t> getMissing(const LifetimeAnalysis &lifetime,
                                         StringRef tier) {
    const StorageAnalysis &storage = lifetime.getStorage();
    std::vector<int64_t> missing(lifetime.getOrder().size() + 1);
    for (auto [id, entry] : llvm::enumerate(storage.getStorages())) {
      LiveRange range = lifetime.getRange(id);
      if (!entry.mayBeMissing || entry.tier != tier || range.isEmpty() ||
          range.last + 1 >= missing.size())
        continue;
      missing[range.first] += entry.getFootprint();
      missing[range.last + 1] -= entry.getFootprint();
    }
    std::partial_sum(missing.begin(), missing.end(), missing.begin());
    return missing;
  }

  int64_t getInnerPeak(Operation *op, StringRef tier) {
    InnerMemory inside = getInnerMemory(op, context);
    return tier.empty() ? inside.peak : getBytesOf(inside.slowPeaks, tier);
  }

  /// Which blocks of a callee run is up to its data.
  int64_t getPeakOfBlocks(CallOpInterface call, StringRef tier) {
    const FunctionSummary &summary = context.getSummary(call);
    return tier.empty() ? summary.localPeak
                        : getBytesOf(summary.slowPeaks, tier);
  }

  int64_t getDoubtOfCall(CallOpInterface call, StringRef tier) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    if (!callee || callee.isExternal())
      return 0;
    auto [known, isNew] = ofCallee.try_emplace({callee, tier}, 0);
    if (!isNew)
      return known->second;
    Region &body = callee.getFunctionBody();
    if (!body.hasOneBlock())
      return ofCallee[{callee, tier}] = getPeakOfBlocks(call, tier);
    StorageAnalysis storage(body.front(), context);
    LifetimeAnalysis lifetime(storage);
    int64_t least = getPeak(lifetime, tier, [&](unsigned at) {
      return lifetime.getOwnedBytes(at, tier);
    });
    int64_t doubt =
        std::max<int64_t>(0, lifetime.getOwnedPeakBytes(tier) - least);
    return ofCallee[{callee, tier}] = doubt;
  }

  ProgramContext &context;
  SymbolTableCollection symbols;
  llvm::DenseMap<std::pair<Operation *, StringRef>, int64_t> ofCallee;
};
} // namespace

/// True if the size of something that the program makes is that of its bound.
static bool hasDynamicSizes(Operation *function) {
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && (!shaped.hasRank() || !shaped.hasStaticShape());
  };
  return function
      ->walk([&](Block *block) {
        bool found = llvm::any_of(block->getArgumentTypes(), isDynamic);
        for (Operation &op : *block)
          found |= !StorageAnalysis::getViewSource(&op) &&
                   llvm::any_of(op.getResultTypes(), isDynamic);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool peaksAreBounds(const LifetimeAnalysis &lifetime) {
  ProgramContext &context = lifetime.getStorage().getContext();
  Operation *parent = lifetime.getStorage().getBlock()->getParentOp();
  if (context.getOptions().dynamicDimBound) {
    for (Operation *function : getCallees(parent))
      if (hasDynamicSizes(function))
        return true;
  }
  LeastMemory least(context);
  for (StringRef tier : lifetime.getTiers()) {
    int64_t peak = lifetime.getPeakBytes(tier);
    int64_t surely = least.getPeak(lifetime, tier, [&](unsigned at) {
      return lifetime.getLiveBytes(at, tier);
    });
    bool isIdle = tier.empty() && peak == lifetime.getIdleBytes();
    if (surely < peak && !isIdle)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Recursion
//===----------------------------------------------------------------------===//

Operation *findRecursiveCall(Operation *function) {
  struct Frame {
    Operation *function;
    SmallVector<Operation *> calls;
    size_t next = 0;
  };
  SymbolTableCollection symbols;
  llvm::DenseSet<Operation *> entered, open;
  SmallVector<Frame, 0> stack;
  auto enter = [&](Operation *callee) {
    entered.insert(callee);
    open.insert(callee);
    Frame frame{callee, {}, 0};
    callee->walk([&](CallOpInterface call) { frame.calls.push_back(call); });
    stack.push_back(std::move(frame));
  };
  enter(function);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.next == frame.calls.size()) {
      open.erase(frame.function);
      stack.pop_back();
      continue;
    }
    Operation *call = frame.calls[frame.next++];
    Operation *callee =
        cast<CallOpInterface>(call).resolveCallableInTable(&symbols);
    if (!isa_and_nonnull<FunctionOpInterface>(callee))
      continue;
    if (open.contains(callee))
      return call;
    if (!entered.contains(callee))
      enter(callee);
  }
  return nullptr;
}

} // namespace pebble
