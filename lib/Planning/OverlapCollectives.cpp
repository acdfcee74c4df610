//===- OverlapCollectives.cpp - start early, wait late --------------------===//

#include "pebble/Planning/OverlapCollectives.h"

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/Communication.h"
#include "pebble/Solver/Timeline/Collectives.h"

#include "mlir/Dialect/MPI/IR/MPI.h"

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
    StorageAnalysis storage(block, context);
    if (failed(storage.verify()) || failed(measure(storage)))
      return failure();
    if (order.collectives.empty())
      return times;
    const auto windows = timeline::overlapCollectives(order);
    const timeline::CollectiveClock clock =
        timeline::replayCollectives(order, windows);
    // What came in may take more than there is room for.
    if (!clock.refusal.empty())
      return times;
    times.sending = clock.sending;
    times.hidden = clock.getHidden();
    times.isChanged = write(windows, clock);
    return times;
  }

private:
  LogicalResult measure(const StorageAnalysis &storage) {
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
  bool write(ArrayRef<timeline::CollectiveWindow> windows,
             const timeline::CollectiveClock &clock) {
    IRRewriter rewriter(block.getParentOp()->getContext());
    std::vector<CollectiveStartOp> starts(windows.size());
    bool isChanged = false;
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
  timeline::CollectiveOrder order;
  /// By place.
  std::vector<Operation *> ops;
};
} // namespace

FailureOr<OverlappedTimes> overlapCollectives(Block &block,
                                              ProgramContext &context,
                                              const OverlapRequest &request) {
  return Overlapper(block, context, request).run();
}

} // namespace pebble
