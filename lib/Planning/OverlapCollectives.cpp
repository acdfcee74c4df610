//===- OverlapCollectives.cpp - start early, wait late --------------------===//

#include "pebble/Planning/OverlapCollectives.h"

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/Communication.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Solver/Timeline/Collectives.h"

#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

namespace {
class Overlapper {
public:
  Overlapper(Block &block, ProgramContext &context,
             const OverlapRequest &request)
      : block(block), context(context), request(request) {}

  FailureOr<OverlappedTimes> run() {
    OverlappedTimes times;
    if (!request.hierarchy || !request.hierarchy.getTopology())
      return times;
    FailureOr<Answer> best = plan();
    if (failed(best))
      return failure();
    // What came in may take more than there is room for.
    if (best->order.collectives.empty() || !best->clock.refusal.empty())
      return times;
    const int64_t before = timeline::replayCollectives(
                               best->order, timeline::waitAtOnce(best->order))
                               .makespan;
    // In another order a slower tier may hold more than it can.
    if (best->order.transfers.empty() && failed(postpone(*best)))
      return failure();
    times.saved = before - best->clock.makespan;
    times.sending = best->clock.sending;
    times.hidden = best->clock.getHidden();
    times.isChanged = write(*best);
    return times;
  }

private:
  /// What the block does in the order in which it stands.
  struct Answer {
    timeline::CollectiveOrder order;
    std::vector<timeline::CollectiveWindow> windows;
    timeline::CollectiveClock clock;
    /// By place.
    std::vector<Operation *> ops;
    bool isReordered = false;
  };

  FailureOr<Answer> plan() {
    StorageAnalysis storage(block, context);
    Answer answer;
    if (failed(storage.verify()) || failed(measure(storage, answer)))
      return failure();
    if (answer.order.collectives.empty())
      return answer;
    answer.windows = timeline::overlapCollectives(answer.order);
    answer.clock = timeline::replayCollectives(answer.order, answer.windows);
    return answer;
  }

  /// Tries orders in which what waits for a collective gives way, from those
  /// that look far ahead to those that keep less alive. The block then stands
  /// in the order of `best`.
  LogicalResult postpone(Answer &best) {
    const timeline::CollectiveOrder given = best.order;
    // For less than a hundredth, nothing moves that need not.
    const int64_t enough = best.clock.makespan - best.clock.makespan / 100;
    std::vector<size_t> chosen;
    for (size_t lookahead : {256, 32, 8, 3}) {
      timeline::PostponedOrder postponed =
          timeline::postponeReaders(given, lookahead);
      if (postponed.makespan > std::min(enough, best.clock.makespan))
        continue;
      reorder(postponed.places);
      FailureOr<Answer> answer = plan();
      if (failed(answer))
        return failure();
      // Of two that are as fast, the later one keeps less alive.
      const bool isFaster = best.isReordered
                                ? answer->clock.makespan <= best.clock.makespan
                                : answer->clock.makespan < enough;
      if (answer->clock.refusal.empty() && hasRoom(answer->order, given) &&
          isFaster) {
        best = std::move(*answer);
        best.isReordered = true;
        chosen = postponed.places;
      }
      reorder(invert(postponed.places));
    }
    if (!chosen.empty())
      reorder(chosen);
    return success();
  }

  static std::vector<size_t> invert(ArrayRef<size_t> places) {
    std::vector<size_t> back(places.size());
    for (auto [now, before] : llvm::enumerate(places))
      back[before] = now;
    return back;
  }

  /// Where the block came in with too much, no more than that.
  static bool hasRoom(const timeline::CollectiveOrder &order,
                      const timeline::CollectiveOrder &before) {
    return *llvm::min_element(order.room) >=
           std::min<int64_t>(0, *llvm::min_element(before.room));
  }

  void reorder(ArrayRef<size_t> places) {
    StorageAnalysis storage(block, context);
    SmallVector<unsigned> steps(places.begin(), places.end());
    applyOrder(storage, steps);
  }

  LogicalResult measure(const StorageAnalysis &storage, Answer &answer) {
    timeline::CollectiveOrder &order = answer.order;
    std::vector<Operation *> &ops = answer.ops;
    FailureOr<std::vector<int64_t>> costs =
        getStepCosts(storage, ScheduleObjective::Time, request.hierarchy,
                     request.cacheModel);
    if (failed(costs))
      return failure();
    FailureOr<std::vector<int64_t>> messages =
        getMessageTimes(storage, request.hierarchy);
    if (failed(messages))
      return failure();
    const std::optional<ranks::Topology> topology =
        getTopology(request.hierarchy);
    LifetimeAnalysis lifetime(storage);
    order.steps = std::move(*costs);
    for (auto [place, step] : llvm::enumerate(storage.getSteps())) {
      ops.push_back(step.op);
      order.room.push_back(request.budget - lifetime.getLiveBytes(place));
      auto op = dyn_cast<CollectiveOp>(step.op);
      if (!op || (*messages)[place] == 0 || !isRead(storage, lifetime, op) ||
          collectHiddenEffects(op, context).movesState)
        continue;
      order.steps[place] -= (*messages)[place];
      order.collectives.push_back(
          describe(storage, lifetime, op, place, (*messages)[place]));
      order.collectives.back().link = getWidestGroup(op, *topology);
    }
    addTransfers(storage, order);
    // Nothing is under way where the program says that its messages have ended.
    for (auto [place, op] : llvm::enumerate(ops))
      if (isa<mpi::FinalizeOp>(op))
        for (const auto &collective : order.collectives)
          order.dependences.push_back(std::minmax(collective.place, place));
    DependenceGraph dependences(storage);
    for (const Dependence &dependence : dependences.getDependences())
      order.dependences.push_back({dependence.before, dependence.after});
    return success();
  }

  /// What a transfer takes passes between its start and its wait.
  static void addTransfers(const StorageAnalysis &storage,
                           timeline::CollectiveOrder &order) {
    for (auto [place, step] : llvm::enumerate(storage.getSteps())) {
      auto wait = dyn_cast<WaitOp>(step.op);
      Operation *start = wait ? wait->getOperand(0).getDefiningOp() : nullptr;
      if (!start || start->getBlock() != wait->getBlock())
        continue;
      const size_t from = *storage.getStepIndex(start);
      order.transfers.push_back({from, place, order.steps[from]});
      order.steps[from] = 0;
    }
  }

  /// Whether the result is there for somebody, behind any wait for it.
  static bool isRead(const StorageAnalysis &storage,
                     const LifetimeAnalysis &lifetime, CollectiveOp op) {
    return op.getResult() &&
           llvm::all_of(storage.lookup(op.getResult()), [&](StorageId id) {
             return storage.getStorage(id).outlives ||
                    lifetime.getRange(id).last > *storage.getStepIndex(op);
           });
  }

  static timeline::CollectiveOrder::Collective
  describe(const StorageAnalysis &storage, const LifetimeAnalysis &lifetime,
           CollectiveOp op, size_t place, int64_t duration) {
    timeline::CollectiveOrder::Collective what;
    what.place = place;
    what.duration = duration;
    what.sourceEnd = storage.getSteps().size();
    for (StorageId id : storage.lookup(op.getInput())) {
      const Storage &source = storage.getStorage(id);
      const bool mayEnd = source.kind == StorageKind::Local ||
                          source.kind == StorageKind::Donated;
      if (!mayEnd || source.outlives)
        continue;
      what.sourceEnd =
          std::min<size_t>(what.sourceEnd, lifetime.getRange(id).last);
      what.sourceBytes += source.getFootprint();
    }
    // What it overwrites is there before.
    for (StorageId id : storage.lookup(op.getResult()))
      if (lifetime.getRange(id).first == place)
        what.resultBytes += storage.getStorage(id).getFootprint();
    return what;
  }

  /// True if something stands elsewhere than before.
  bool write(const Answer &answer) {
    const auto &[order, windows, clock, ops, isReordered] = answer;
    IRRewriter rewriter(block.getParentOp()->getContext());
    std::vector<CollectiveStartOp> starts(windows.size());
    bool isChanged = isReordered;
    for (auto [i, window] : llvm::enumerate(windows)) {
      const size_t place = order.collectives[i].place;
      if (window.start == place && window.wait == place + 1)
        continue;
      starts[i] = splitCollective(rewriter, cast<CollectiveOp>(ops[place]));
      isChanged = true;
    }
    if (!isChanged)
      return false;
    eraseTensorDrops(block);
    StorageAnalysis storage(block, context);
    std::vector<unsigned> runs;
    auto run = [&](Operation *op) {
      runs.push_back(*storage.getStepIndex(op));
    };
    for (const timeline::CollectiveAction &action : clock.actions) {
      const size_t i = action.subject;
      switch (action.kind) {
      case timeline::CollectiveAction::Run:
        run(ops[i]);
        break;
      case timeline::CollectiveAction::Start:
        run(starts[i] ? starts[i].getOperation()
                      : ops[order.collectives[i].place]);
        break;
      case timeline::CollectiveAction::Wait:
        if (starts[i])
          run(getWait(starts[i]));
        break;
      }
    }
    applyRuns(storage, runs);
    return true;
  }

  Block &block;
  ProgramContext &context;
  const OverlapRequest &request;
};
} // namespace

/// Overlaps what stands in the body of a loop, which may take `room` bytes more
/// than it does, and proves it. True if something stands elsewhere.
static FailureOr<bool> overlapInBody(Region &body, ProgramContext &context,
                                     OverlapRequest request, int64_t room) {
  const bool hasCollectives =
      body.walk([](CollectiveOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (!hasCollectives || !body.hasOneBlock())
    return false;
  StorageAnalysis storage(body.front(), context);
  if (failed(storage.verify()))
    return failure();
  LifetimeAnalysis lifetime(storage);
  int64_t peak = 0;
  for (size_t place = 0; place < storage.getSteps().size(); ++place)
    peak = std::max(peak, lifetime.getLiveBytes(place));
  request.budget = addCounts(peak, std::max<int64_t>(0, room));
  EquivalenceChecker checker(storage);
  ProgramContext fresh(context.getOptions());
  FailureOr<OverlappedTimes> times =
      overlapCollectives(body.front(), fresh, request);
  if (failed(times) || failed(checker.verify()))
    return failure();
  return times->isChanged;
}

FailureOr<bool> overlapInLoops(Block &block, ProgramContext &context,
                               const OverlapRequest &request) {
  if (!request.hierarchy || !request.hierarchy.getTopology())
    return false;
  StorageAnalysis storage(block, context);
  if (failed(storage.verify()))
    return failure();
  LifetimeAnalysis lifetime(storage);
  bool isChanged = false;
  for (auto [place, step] : llvm::enumerate(storage.getSteps())) {
    auto loop = dyn_cast<LoopLikeOpInterface>(step.op);
    if (!loop || !loop.getStaticTripCount())
      continue;
    const int64_t room = request.budget - lifetime.getLiveBytes(place);
    for (Region *region : loop.getLoopRegions()) {
      ProgramContext fresh(context.getOptions());
      FailureOr<bool> inside = overlapInBody(*region, fresh, request, room);
      if (failed(inside))
        return failure();
      isChanged |= *inside;
    }
  }
  return isChanged;
}

FailureOr<OverlappedTimes> overlapCollectives(Block &block,
                                              ProgramContext &context,
                                              const OverlapRequest &request) {
  return Overlapper(block, context, request).run();
}

} // namespace pebble
