//===- LoopTraffic.cpp - a block called again and again -------------------===//

#include "pebble/Analysis/LoopTraffic.h"

#include "TrafficStack.h"

#include "pebble/Dialect/DimBounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace pebble {

namespace {
/// The caches and the addresses, over all calls.
class Machine {
public:
  Machine(const LifetimeAnalysis &lifetime, const HierarchyCosts &hierarchy,
          int64_t calls)
      : lifetime(lifetime), storage(lifetime.getStorage()),
        hierarchy(hierarchy), stack(countSlots(calls)),
        placeOf(storage.getStorages().size()) {
    served.perTier.assign(hierarchy.tiers.size(), 0);
    // The first that is listed lies on top, as in `lru`.
    SmallVector<StorageId> initial = getInitialStorages(storage);
    for (StorageId id : llvm::reverse(initial))
      touch(getPlace(id));
  }

  void call() {
    for (auto [position, index] : llvm::enumerate(lifetime.getOrder())) {
      const Step &step = storage.getSteps()[index];
      for (const Access &access : step.accesses)
        if (isPriced(step, access))
          serve(step, access);
      for (const Access &access : step.accesses)
        if (diesAt(access.storage, position))
          giveBack(access.storage);
    }
    // The caller gives back what the call handed out.
    for (StorageId id = 0; id < placeOf.size(); ++id)
      if (storage.getStorage(id).kind == StorageKind::Local)
        giveBack(id);
  }

  const ServedBytes &getServed() const { return served; }

private:
  struct Place {
    int64_t bytes;
    std::optional<size_t> slot = std::nullopt; ///< none: never touched
  };

  static int64_t toLines(int64_t bytes) {
    return llvm::alignTo(bytes, LoopTrafficAnalysis::kLineBytes);
  }

  size_t countSlots(int64_t calls) const {
    size_t accesses = 0;
    for (const Step &step : storage.getSteps())
      accesses += step.accesses.size();
    return storage.getStorages().size() + accesses * calls;
  }

  bool diesAt(StorageId id, unsigned position) const {
    const Storage &entry = storage.getStorage(id);
    return entry.kind == StorageKind::Local && !entry.outlives &&
           lifetime.getRange(id).last == position;
  }

  unsigned getPlace(StorageId id) {
    if (placeOf[id])
      return *placeOf[id];
    int64_t bytes = toLines(storage.getStorage(id).bytes);
    std::vector<unsigned> &reusable = free[bytes];
    unsigned place = places.size();
    if (reusable.empty()) {
      places.push_back({bytes});
    } else {
      place = reusable.back();
      reusable.pop_back();
    }
    placeOf[id] = place;
    return place;
  }

  void giveBack(StorageId id) {
    if (!placeOf[id])
      return;
    free[places[*placeOf[id]].bytes].push_back(*placeOf[id]);
    placeOf[id] = std::nullopt;
  }

  void touch(unsigned index) {
    Place &place = places[index];
    if (place.slot)
      stack.add(*place.slot, -place.bytes);
    place.slot = now++;
    stack.add(*place.slot, place.bytes);
  }

  void serve(const Step &step, const Access &access) {
    bool isWrite = access.kind == AccessKind::Write;
    bool justRead =
        isWrite && llvm::any_of(step.accesses, [&](const Access &other) {
          return other.kind == AccessKind::Read &&
                 other.storage == access.storage;
        });
    unsigned place = getPlace(access.storage);
    unsigned tier = hierarchy.getComputeTier();
    if (justRead)
      tier = 0;
    else if (places[place].slot)
      tier = hierarchy.serve(stack.from(*places[place].slot));
    int64_t bytes = toLines(access.bytes);
    const TierCosts &costs = hierarchy.tiers[tier];
    served.perTier[tier] += bytes;
    served.energy = addCounts(
        served.energy,
        multiplyCounts(bytes, isWrite ? costs.writeEnergy : costs.readEnergy));
    touch(place);
  }

  const LifetimeAnalysis &lifetime;
  const StorageAnalysis &storage;
  const HierarchyCosts &hierarchy;
  ServedBytes served;
  /// Slots are times of access, so that what lies above a place is a suffix.
  SuffixSums stack;
  size_t now = 0;
  std::vector<Place> places;
  std::vector<std::optional<unsigned>> placeOf;
  /// Places given back, by size, the last one last.
  std::map<int64_t, std::vector<unsigned>> free;
};
} // namespace

LoopTrafficAnalysis::LoopTrafficAnalysis(const LifetimeAnalysis &lifetime,
                                         const HierarchyCosts &hierarchy,
                                         int64_t calls)
    : calls(calls) {
  Machine machine(lifetime, hierarchy, calls);
  machine.call();
  firstCall = machine.getServed();
  for (int64_t call = 1; call < calls; ++call)
    machine.call();
  allCalls = machine.getServed();
}

} // namespace pebble
