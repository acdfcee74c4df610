//===- Explain.cpp - what another order changed ----------------------------===//

#include "pebble/Planning/Explain.h"

#include "pebble/Planning/RemarkQueue.h"

#include "pebble/Target/OpCost.h"

using namespace mlir;

namespace pebble {

/// Steps outside of a longest run that kept its order (Schensted 1961).
static std::vector<MovedStep> findMoved(ArrayRef<unsigned> order) {
  std::vector<unsigned> tails; // position of the last step, by length of run
  std::vector<int64_t> before(order.size(), -1);
  for (unsigned at = 0; at < order.size(); ++at) {
    auto place = llvm::lower_bound(
        tails, order[at], [&](unsigned p, unsigned s) { return order[p] < s; });
    if (place != tails.begin())
      before[at] = *std::prev(place);
    if (place == tails.end())
      tails.push_back(at);
    else
      *place = at;
  }
  std::vector<bool> stayed(order.size(), false);
  for (int64_t at = tails.empty() ? -1 : int64_t(tails.back()); at >= 0;
       at = before[at])
    stayed[at] = true;
  std::vector<MovedStep> moved;
  for (unsigned at = 0; at < order.size(); ++at)
    if (!stayed[at])
      moved.push_back({order[at], order[at], at});
  return moved;
}

static std::vector<ChangedAccess>
findChangedAccesses(const LifetimeAnalysis &before,
                    const LifetimeAnalysis &after, HierarchyAttr hierarchy,
                    CacheModel model) {
  HierarchyCosts costs = HierarchyCosts::get(hierarchy);
  TrafficAnalysis trafficBefore(before, costs, model);
  TrafficAnalysis trafficAfter(after, costs, model);
  // Accesses of one step keep their order, so the first of a step is enough.
  size_t steps = before.getStorage().getSteps().size();
  std::vector<size_t> first(steps, 0);
  ArrayRef<PricedAccess> old = trafficBefore.getAccesses();
  for (size_t i = old.size(); i-- > 0;)
    first[before.getOrder()[old[i].position]] = i;
  std::vector<ChangedAccess> changed;
  size_t index = 0;
  std::optional<unsigned> last;
  for (const PricedAccess &now : trafficAfter.getAccesses()) {
    unsigned step = after.getOrder()[now.position];
    index = last == now.position ? index + 1 : first[step];
    last = now.position;
    const PricedAccess &was = old[index];
    if (was.tier != now.tier)
      changed.push_back(
          {step, now.access, was.tier, now.tier, was.energy, now.energy});
  }
  return changed;
}

Explanation explainOrder(const StorageAnalysis &storage,
                         ArrayRef<unsigned> order, HierarchyAttr hierarchy,
                         CacheModel model) {
  Explanation result;
  LifetimeAnalysis before(storage), after(storage, order);
  result.moved = findMoved(order);
  for (StorageId id = 0; id < storage.getStorages().size(); ++id) {
    LiveRange was = before.getRange(id), is = after.getRange(id);
    if (storage.getStorage(id).isCounted() && !was.isEmpty() && !is.isEmpty() &&
        was.last - was.first != is.last - is.first)
      result.lives.push_back({id, was, is});
  }
  result.peakBefore = before.getPeakBytes();
  result.peakAfter = after.getPeakBytes();
  if (!order.empty()) {
    result.peakPosition = after.getPeakPosition();
    result.liveAtPeak = after.getLiveStorages(result.peakPosition);
  }
  if (hierarchy)
    result.accesses = findChangedAccesses(before, after, hierarchy, model);
  return result;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

namespace {
class RemarkWriter {
public:
  RemarkWriter(const StorageAnalysis &storage, const Explanation &explanation,
               ArrayRef<unsigned> order, HierarchyAttr hierarchy,
               StringRef category)
      : storage(storage), explanation(explanation), order(order),
        hierarchy(hierarchy), category(category),
        costs({storage.getContext().getOptions().dynamicDimBound}) {}

  void run() {
    writePeak();
    for (const MovedStep &moved : explanation.moved)
      writeMoved(moved);
    for (const ChangedAccess &access : explanation.accesses)
      writeAccess(access);
    for (unsigned step = 0; step < storage.getSteps().size(); ++step) {
      writeBarrier(step);
      writeCost(step);
    }
  }

private:
  using Metrics = std::vector<std::pair<std::string, int64_t>>;

  void tell(PlanRemark::Kind kind, unsigned step, StringRef name,
            std::string text, Metrics metrics = {}) const {
    say(storage.getSteps()[step].op,
        {kind, getLoc(step), name.str(), category.str(), std::move(text),
         std::move(metrics)});
  }
  Location getLoc(unsigned step) const {
    return storage.getSteps()[step].op->getLoc();
  }
  std::string getName(unsigned step) const {
    return "'" + storage.getStepName(step) + "'";
  }

  void writePeak() {
    if (order.empty())
      return;
    unsigned step = order[explanation.peakPosition];
    std::string text = "the peak is at " + getName(step);
    if (!explanation.liveAtPeak.empty()) {
      StorageId largest = explanation.liveAtPeak.front();
      text += "; " + storage.getStorageName(largest) + " dominates it with " +
              std::to_string(storage.getStorage(largest).getFootprint()) +
              " bytes";
    }
    tell(PlanRemark::Analysis, step, "peak", std::move(text),
         {{"PeakBytes", explanation.peakAfter},
          {"InputPeakBytes", explanation.peakBefore}});
  }

  void writeMoved(const MovedStep &moved) {
    std::string text = getName(moved.step) + " moved ";
    text += moved.to == 0 ? std::string("to the front")
                          : "behind " + getName(order[moved.to - 1]);
    tell(PlanRemark::Passed, moved.step, "moved", std::move(text),
         {{"From", moved.from}, {"To", moved.to}});
  }

  void writeAccess(const ChangedAccess &access) {
    auto getTier = [&](unsigned index) {
      return hierarchy.getTiers()[index].getName().str();
    };
    std::string verb =
        access.access.kind == AccessKind::Write ? " writes " : " reads ";
    tell(PlanRemark::Passed, access.step, "tier",
         getName(access.step) + verb +
             storage.getStorageName(access.access.storage) + " in " +
             getTier(access.tierAfter) + " instead of " +
             getTier(access.tierBefore),
         {{"EnergyFj", access.energyAfter},
          {"InputEnergyFj", access.energyBefore}});
  }

  void writeBarrier(unsigned step) {
    const std::string &reason = storage.getSteps()[step].barrier;
    if (reason.empty())
      return;
    tell(PlanRemark::Missed, step, "barrier",
         getName(step) + " keeps its place among effects: " + reason);
  }

  /// An op that nothing is known of costs its bytes, wherever costs count.
  void writeCost(unsigned step) {
    OpCost cost = costs.estimate(storage.getSteps()[step].op);
    if (cost.isKnown())
      return;
    tell(PlanRemark::Missed, step, "cost",
         getName(step) + " is taken to cost its bytes: " + cost.doubt,
         {{"Bytes", cost.getBytes()}});
  }

  const StorageAnalysis &storage;
  const Explanation &explanation;
  ArrayRef<unsigned> order;
  HierarchyAttr hierarchy;
  StringRef category;
  OpCostModel costs;
};
} // namespace

void emitRemarks(const StorageAnalysis &storage, const Explanation &explanation,
                 ArrayRef<unsigned> order, HierarchyAttr hierarchy,
                 StringRef category) {
  Operation *parent = storage.getBlock()->getParentOp();
  if (parent->getContext()->getRemarkEngine())
    RemarkWriter(storage, explanation, order, hierarchy, category).run();
}

} // namespace pebble
