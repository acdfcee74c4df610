//===- Traffic.cpp - bytes moved, energy, reuse distances -----------------===//

#include "pebble/Analysis/Traffic.h"

#include "TrafficStack.h"

#include "pebble/Analysis/RunBounds.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;

namespace pebble {

StringRef toString(CacheModel model) {
  return model == CacheModel::Lru ? "lru" : "sutro";
}

unsigned HierarchyCosts::getComputeTier() const {
  unsigned tier = 0;
  while (tier < tiers.size() && tiers[tier].isCache)
    ++tier;
  return tier;
}

unsigned HierarchyCosts::serve(int64_t distance) const {
  unsigned compute = getComputeTier();
  int64_t threshold = 0;
  for (unsigned tier = 0; tier < compute; ++tier) {
    int64_t capacity = tiers[tier].capacity;
    threshold = exclusive ? threshold + capacity : capacity;
    if (distance <= threshold)
      return tier;
  }
  return compute;
}

HierarchyCosts HierarchyCosts::get(HierarchyAttr hierarchy) {
  HierarchyCosts costs;
  costs.exclusive = hierarchy.getInclusion() == Inclusion::Exclusive;
  for (TierAttr tier : hierarchy.getTiers())
    costs.tiers.push_back({tier.getName().str(), tier.isCache(),
                           tier.isBounded()
                               ? tier.getCapacity()
                               : std::numeric_limits<int64_t>::max(),
                           tier.getRead(), tier.getWrite()});
  return costs;
}

TrafficAnalysis::TrafficAnalysis(const LifetimeAnalysis &lifetime,
                                 HierarchyCosts hierarchy, CacheModel model)
    : lifetime(&lifetime), hierarchy(std::move(hierarchy)),
      energyPerTier(this->hierarchy.tiers.size(), 0) {
  if (model == CacheModel::Lru)
    runLru();
  else
    runSutro();
  runMoves();
  runAverageReuseDistance();
}

int64_t TrafficAnalysis::getEnergy() const {
  return std::accumulate(energyPerTier.begin(), energyPerTier.end(), int64_t(0),
                         addCounts);
}

unsigned TrafficAnalysis::serveWrite(int64_t bytes) const {
  unsigned compute = hierarchy.getComputeTier();
  for (unsigned tier = 0; tier < compute; ++tier)
    if (bytes <= hierarchy.tiers[tier].capacity)
      return tier;
  return compute;
}

/// Adds what moving `bytes` at `price` each takes.
static void addEnergy(int64_t &energy, int64_t bytes, int64_t price) {
  energy = addCounts(energy, multiplyCounts(bytes, price));
}

void TrafficAnalysis::charge(unsigned position, const Access &access,
                             std::optional<int64_t> distance, unsigned tier) {
  const TierCosts &costs = hierarchy.tiers[tier];
  int64_t energy = multiplyCounts(access.bytes, access.kind == AccessKind::Read
                                                    ? costs.readEnergy
                                                    : costs.writeEnergy);
  energyPerTier[tier] = addCounts(energyPerTier[tier], energy);
  accesses.push_back({position, access, distance, tier, energy});
}

//===----------------------------------------------------------------------===//
// lru
//===----------------------------------------------------------------------===//

// Every access moves its storage to the top of one stack; the distance is what
// lies above it, itself included. Slots are times of access, so that the stack
// above a storage is a suffix.
void TrafficAnalysis::runLru() {
  const StorageAnalysis &storage = lifetime->getStorage();
  ArrayRef<Step> steps = storage.getSteps();
  ArrayRef<unsigned> order = lifetime->getOrder();
  SmallVector<StorageId> initial = getInitialStorages(storage);
  size_t slots = initial.size();
  for (const Step &step : steps)
    slots += step.accesses.size();

  SuffixSums stack(slots);
  size_t now = 0;
  std::vector<std::optional<size_t>> slotOf(storage.getStorages().size());
  auto touch = [&](StorageId id) {
    if (slotOf[id])
      stack.add(*slotOf[id], -storage.getStorage(id).bytes);
    slotOf[id] = now++;
    stack.add(*slotOf[id], storage.getStorage(id).bytes);
  };
  // The first that is listed lies on top.
  for (StorageId id : llvm::reverse(initial))
    touch(id);

  for (auto [position, index] : llvm::enumerate(order)) {
    const Step &step = steps[index];
    for (const Access &access : step.accesses) {
      if (!isPriced(step, access))
        continue;
      StorageId id = access.storage;
      if (slotOf[id]) {
        int64_t distance = stack.from(*slotOf[id]);
        charge(position, access, distance, hierarchy.serve(distance));
      } else {
        charge(position, access, std::nullopt,
               serveWrite(storage.getStorage(id).bytes));
      }
      touch(id);
    }
    for (const Access &access : step.accesses) {
      StorageId id = access.storage;
      const Storage &entry = storage.getStorage(id);
      bool dies = entry.kind == StorageKind::Local && !entry.outlives &&
                  lifetime->getRange(id).last == position;
      if (dies && slotOf[id]) {
        stack.add(*slotOf[id], -entry.bytes);
        slotOf[id] = std::nullopt;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// sutro
//===----------------------------------------------------------------------===//

/// The bookkeeping of the published experiment. Its list is again a suffix sum:
/// ranks are known in advance, since each access in the order gives its version
/// one rank.
class TrafficAnalysis::SutroList {
public:
  explicit SutroList(TrafficAnalysis &traffic)
      : traffic(traffic), storage(traffic.lifetime->getStorage()),
        steps(storage.getSteps()), order(traffic.lifetime->getOrder()) {}

  void run() {
    followVersions();
    priceAccesses();
  }

private:
  /// A content of a storage.
  struct Version {
    StorageId storage;
    unsigned created; ///< rank of creation
    bool isInitial;
    int64_t lastRead = -1; ///< position
  };
  /// Where a version stands in the list: by the op that last touched it, newest
  /// first, then by creation, oldest first.
  using Rank = std::pair<int64_t, int64_t>;
  struct Event {
    unsigned position;
    const Access *access;
    unsigned version;
  };

  unsigned create(StorageId id, bool isInitial) {
    versions.push_back({id, unsigned(versions.size()), isInitial, -1});
    return versions.size() - 1;
  }
  Rank getRank(int64_t position, unsigned version) const {
    return Rank(position, -int64_t(versions[version].created));
  }
  int64_t getBytes(unsigned v) const {
    return storage.getStorage(versions[v].storage).bytes;
  }

  /// First run: which version each access means, and all ranks.
  void followVersions() {
    std::vector<std::optional<unsigned>> current(storage.getStorages().size());
    for (StorageId id : getInitialStorages(storage))
      current[id] = create(id, /*isInitial=*/true);
    initialCount = versions.size();
    for (unsigned v = 0; v < initialCount; ++v)
      ranks.push_back(getRank(-1, v));
    for (auto [position, index] : llvm::enumerate(order))
      for (const Access &access : steps[index].accesses) {
        if (!isPriced(steps[index], access))
          continue;
        std::optional<unsigned> &version = current[access.storage];
        if (access.kind == AccessKind::Write || !version)
          version = create(access.storage, /*isInitial=*/false);
        if (access.kind == AccessKind::Read)
          versions[*version].lastRead = position;
        events.push_back({unsigned(position), &access, *version});
        ranks.push_back(getRank(position, *version));
      }
    llvm::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  }

  /// Second run: the list as it changes.
  void priceAccesses() {
    list.emplace(ranks.size());
    slotOf.resize(versions.size());
    for (unsigned v = 0; v < initialCount; ++v)
      place(v, -1);
    SmallVector<unsigned> unread; // outputs of the step before, without readers
    // A step that touches nothing lets time go by, too.
    size_t i = 0;
    for (unsigned position = 0; position < order.size(); ++position) {
      size_t begin = i;
      for (; i < events.size() && events[i].position == position; ++i)
        price(events[i]);
      // What nobody reads any more leaves, the step's own outputs one step
      // later.
      for (unsigned v : unread)
        leave(v, position);
      unread.clear();
      for (size_t j = begin; j < i; ++j) {
        if (events[j].access->kind == AccessKind::Write)
          unread.push_back(events[j].version);
        else
          leave(events[j].version, position);
      }
    }
  }

  void price(const Event &event) {
    if (event.access->kind == AccessKind::Write) {
      traffic.charge(event.position, *event.access, std::nullopt,
                     traffic.serveWrite(getBytes(event.version)));
    } else {
      int64_t distance = slotOf[event.version]
                             ? list->from(*slotOf[event.version])
                             : event.access->bytes;
      traffic.charge(event.position, *event.access, distance,
                     traffic.hierarchy.serve(distance));
    }
    place(event.version, event.position);
  }
  void place(unsigned v, int64_t position) {
    if (slotOf[v])
      list->add(*slotOf[v], -getBytes(v));
    slotOf[v] = llvm::lower_bound(ranks, getRank(position, v)) - ranks.begin();
    list->add(*slotOf[v], getBytes(v));
  }
  void leave(unsigned v, unsigned position) {
    if (!slotOf[v] || versions[v].isInitial ||
        versions[v].lastRead > int64_t(position))
      return;
    list->add(*slotOf[v], -getBytes(v));
    slotOf[v] = std::nullopt;
  }

  TrafficAnalysis &traffic;
  const StorageAnalysis &storage;
  ArrayRef<Step> steps;
  ArrayRef<unsigned> order;
  std::vector<Version> versions;
  unsigned initialCount = 0;
  std::vector<Event> events;
  std::vector<Rank> ranks;
  std::optional<SuffixSums> list;
  std::vector<std::optional<size_t>> slotOf;
};

void TrafficAnalysis::runSutro() { SutroList(*this).run(); }

//===----------------------------------------------------------------------===//
// Reuse distances and moves
//===----------------------------------------------------------------------===//

void TrafficAnalysis::runAverageReuseDistance() {
  const StorageAnalysis &storage = lifetime->getStorage();
  std::vector<int64_t> written(storage.getStorages().size(), 0);
  int64_t clock = 0;
  for (StorageId id : getInitialStorages(storage)) {
    written[id] = clock;
    clock += storage.getStorage(id).bytes;
  }
  // Sums of products of bytes overflow 64 bits on real programs.
  long double weighted = 0;
  int64_t read = 0;
  for (const PricedAccess &priced : accesses) {
    StorageId id = priced.access.storage;
    int64_t bytes = priced.access.bytes;
    if (priced.access.kind == AccessKind::Write) {
      written[id] = clock;
    } else {
      weighted += static_cast<long double>(bytes) * (clock - written[id]);
      read += bytes;
    }
    clock += bytes;
  }
  if (read)
    ard = static_cast<double>(weighted / read);
}

/// What moves inside of `step`, in the functions that it calls, and the states
/// that the drivers of reversed loops keep in slower tiers.
void TrafficAnalysis::runInnerMoves(Operation *step) {
  auto findTier = [&](StringRef name) {
    for (unsigned tier = 0; tier < hierarchy.tiers.size(); ++tier)
      if (hierarchy.tiers[tier].name == name)
        return tier;
    return hierarchy.getComputeTier();
  };
  InnerMoves inner =
      collectInnerMoves(step, lifetime->getStorage().getContext());
  movesAreKnown &= inner.areKnown;
  movesAreBound |= inner.areBound;
  for (auto [route, bytes] : inner.bytes) {
    const TierCosts &source = hierarchy.tiers[findTier(route.first)];
    const TierCosts &target = hierarchy.tiers[findTier(route.second)];
    moved[source.name + "->" + target.name] += bytes;
    addEnergy(energyPerTier[findTier(route.first)], bytes, source.readEnergy);
    addEnergy(energyPerTier[findTier(route.second)], bytes, target.writeEnergy);
  }
}

void TrafficAnalysis::runMoves() {
  const StorageAnalysis &storage = lifetime->getStorage();
  unsigned compute = hierarchy.getComputeTier();
  auto findTier = [&](StorageId id) {
    StringRef name = storage.getStorage(id).tier;
    for (unsigned tier = 0; tier < hierarchy.tiers.size(); ++tier)
      if (hierarchy.tiers[tier].name == name)
        return tier;
    return compute;
  };
  for (unsigned index : lifetime->getOrder()) {
    const Step &step = storage.getSteps()[index];
    runInnerMoves(step.op);
    if (!isTransfer(step))
      continue;
    std::optional<unsigned> from, to;
    int64_t bytes = 0;
    for (const Access &access : step.accesses) {
      if (access.kind == AccessKind::Read) {
        from = findTier(access.storage);
        bytes = access.bytes;
      } else if (access.kind == AccessKind::Write) {
        to = findTier(access.storage);
      }
    }
    if (!from || !to)
      continue;
    // What is kept compressed moves so.
    Type kept = getSlowSide(step.op).getType();
    if (AtAttr at = getPlacement(kept); at && at.isCompressed())
      bytes = storage.getContext().getBytes(kept).value_or(bytes);
    const TierCosts &source = hierarchy.tiers[*from];
    const TierCosts &target = hierarchy.tiers[*to];
    moved[source.name + "->" + target.name] += bytes;
    addEnergy(energyPerTier[*from], bytes, source.readEnergy);
    addEnergy(energyPerTier[*to], bytes, target.writeEnergy);
  }
}

} // namespace pebble
