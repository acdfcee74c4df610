//===- Print.cpp - what the analyses found, as stable text ----------------===//

#include "pebble/Report/Print.h"

#include "llvm/Support/Format.h"

using namespace mlir;

namespace pebble {

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

static StringRef toString(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "reads";
  case AccessKind::Write:
    return "writes";
  case AccessKind::Hold:
    return "holds";
  }
  llvm_unreachable("covered switch");
}

static void printStep(raw_ostream &os, const StorageAnalysis &storage,
                      unsigned index) {
  const Step &step = storage.getSteps()[index];
  os << "  step " << index << " " << storage.getStepName(index) << ":";
  StringRef separator = " ";
  for (const Access &access : step.accesses) {
    os << separator << toString(access.kind) << " s" << access.storage;
    if (access.kind != AccessKind::Hold &&
        access.bytes != storage.getStorage(access.storage).bytes)
      os << " (" << access.bytes << " bytes)";
    separator = ", ";
  }
  if (step.accesses.empty())
    os << " touches nothing";
  os << "\n";
  for (OpResult result : step.op->getResults()) {
    Destination destination = storage.getDestination(result);
    OpOperand *operand =
        destination.overwrites ? destination.overwrites : destination.copies;
    if (!operand)
      continue;
    os << "    result " << result.getResultNumber()
       << (destination.overwrites ? " overwrites" : " copies") << " operand "
       << operand->getOperandNumber() << "\n";
  }
  if (step.scratch)
    os << "    scratch " << step.scratch << " bytes\n";
  if (!step.barrier.empty())
    os << "    barrier: " << step.barrier << "\n";
}

void printStorage(raw_ostream &os, StringRef function,
                  const StorageAnalysis &storage) {
  os << "storage of @" << function << ":\n";
  for (auto [id, entry] : llvm::enumerate(storage.getStorages())) {
    os << "  s" << id << " " << toString(entry.kind) << " "
       << storage.getStorageName(id) << ": " << entry.bytes << " bytes";
    if (entry.aliasClass != id)
      os << ", may be s" << entry.aliasClass;
    if (entry.outlives && (entry.kind == StorageKind::Local ||
                           entry.kind == StorageKind::Donated))
      os << ", outlives";
    if (!entry.tier.empty())
      os << ", in " << entry.tier;
    os << "\n";
  }
  for (unsigned index = 0; index < storage.getSteps().size(); ++index)
    printStep(os, storage, index);
}

//===----------------------------------------------------------------------===//
// Footprint
//===----------------------------------------------------------------------===//

static StringRef nameTier(StringRef tier) {
  return tier.empty() ? StringRef("the compute tier") : tier;
}

void printFootprint(raw_ostream &os, StringRef function,
                    const LifetimeAnalysis &lifetime) {
  const StorageAnalysis &storage = lifetime.getStorage();
  ArrayRef<unsigned> order = lifetime.getOrder();
  SmallVector<StringRef> tiers = lifetime.getTiers();
  os << "footprint of @" << function << ":\n";
  for (StringRef tier : tiers) {
    os << "  peak " << lifetime.getPeakBytes(tier) << " bytes in "
       << nameTier(tier);
    if (!order.empty()) {
      unsigned at = lifetime.getPeakPosition(tier);
      os << " at step " << at << " " << storage.getStepName(order[at]);
    }
    os << "\n";
  }
  os << "  made here " << lifetime.getIntermediatesPeakBytes()
     << " bytes, constants " << lifetime.getConstantBytes() << " bytes\n";
  for (auto [at, step] : llvm::enumerate(order)) {
    os << "  step " << at << " " << storage.getStepName(step) << ":";
    StringRef separator = " ";
    for (StringRef tier : tiers) {
      os << separator << lifetime.getLiveBytes(at, tier) << " bytes";
      if (!tier.empty())
        os << " in " << tier;
      separator = ", ";
    }
    if (int64_t scratch = storage.getSteps()[step].scratch)
      os << ", scratch " << scratch;
    os << "\n";
  }
  for (auto [id, entry] : llvm::enumerate(storage.getStorages())) {
    LiveRange range = lifetime.getRange(id);
    if (!entry.isCounted())
      continue;
    os << "  s" << id << " " << storage.getStorageName(id) << ": footprint "
       << entry.getFootprint();
    if (order.empty() || range.isEmpty())
      os << ", never live\n";
    else
      os << ", live from " << range.first << " to " << range.last << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

void printTraffic(raw_ostream &os, StringRef function,
                  const LifetimeAnalysis &lifetime,
                  const TrafficAnalysis &traffic, CacheModel model) {
  const StorageAnalysis &storage = lifetime.getStorage();
  const std::vector<TierCosts> &tiers = traffic.getHierarchy().tiers;
  os << "traffic of @" << function << " (" << toString(model)
     << "): " << traffic.getEnergy() << " fJ\n";
  for (auto [tier, energy] : llvm::zip(tiers, traffic.getEnergyPerTier()))
    os << "  from " << tier.name << ": " << energy << " fJ\n";
  for (const auto &[path, bytes] : traffic.getMovedBytes())
    os << "  moved " << path << ": " << bytes << " bytes\n";
  if (std::optional<double> distance = traffic.getAverageReuseDistance())
    os << "  average reuse distance: " << llvm::format("%.4f", *distance)
       << " bytes\n";
  std::optional<unsigned> last;
  for (const PricedAccess &priced : traffic.getAccesses()) {
    if (last != priced.position) {
      unsigned step = lifetime.getOrder()[priced.position];
      os << "  step " << priced.position << " " << storage.getStepName(step)
         << ":\n";
      last = priced.position;
    }
    os << "    " << toString(priced.access.kind) << " s"
       << priced.access.storage << " "
       << storage.getStorageName(priced.access.storage) << ", "
       << priced.access.bytes << " bytes";
    if (priced.reuseDistance)
      os << " at distance " << *priced.reuseDistance;
    os << ", from " << tiers[priced.tier].name << ": " << priced.energy
       << " fJ\n";
  }
}

} // namespace pebble
