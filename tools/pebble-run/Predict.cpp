//===- Predict.cpp - what the meter will read -----------------------------===//

#include "Predict.h"

#include "Ranks.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/RunBounds.h"
#include "pebble/Analysis/Traffic.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Planning/Communication.h"
#include "pebble/Planning/StepCosts.h"

#include <numeric>

using namespace mlir;
using namespace pebble;

std::string pebble::getComputeTierName(Operation *op) {
  if (HierarchyAttr hierarchy = lookupHierarchy(op)) {
    HierarchyCosts costs = HierarchyCosts::get(hierarchy);
    if (costs.getComputeTier() < costs.tiers.size())
      return costs.tiers[costs.getComputeTier()].name;
  }
  return "default";
}

/// Nanoseconds of the transfer `op` by the measured speed of its slower tier,
/// else by what the hierarchy says.
static double getTransferTime(Operation *op, HierarchyAttr hierarchy,
                              const CostProfile &costs, int64_t bytes) {
  bool isStore = isa<StoreOp>(op);
  StringRef name = getTierName(getSlowSide(op));
  for (const MeasuredTier &tier : costs.tiers)
    if (tier.name == name)
      return (isStore ? tier.store : tier.load).getTime(bytes);
  for (TierAttr tier : hierarchy.getTiers())
    if (tier.getName() == name)
      return MeasuredSpeed{tier.getBandwidth(), tier.getLatency()}.getTime(
          bytes);
  return 0;
}

/// Nanoseconds that making room takes for what the transfer `op` brings; none
/// where it has a destination.
static double getAllocTime(Operation *op, HierarchyAttr hierarchy,
                           const CostProfile &costs, int64_t bytes) {
  bool isOnTensors = op->getNumResults() == 2;
  if (!isOnTensors || op->getNumOperands() > 1)
    return 0;
  StringRef name = isa<StoreOp>(op) ? getTierName(op->getResult(0))
                                    : hierarchy.getComputeTier().getName();
  for (const MeasuredTier &tier : costs.tiers)
    if (tier.name == name)
      return tier.alloc.getTime(bytes);
  return 0;
}

/// Reads the clock of a program that runs its steps one after the other, and
/// beside them its transfers, and what ranks do together, each in the order of
/// their starts; what goes over links of one kind goes one after the other.
/// `messages` is what each step spends on messages; of what was started, the
/// wait.
static void predictTime(const StorageAnalysis &storage, HierarchyAttr hierarchy,
                        ArrayRef<int64_t> messages, bool overlap,
                        Prediction &prediction) {
  const CostProfile &costs = *storage.getContext().getOptions().costs;
  std::vector<StepTime> times = getStepTimes(storage);
  llvm::DenseMap<Value, double> ends; // of transfers, by their tokens
  const std::optional<ranks::Topology> topology = getTopology(hierarchy);
  double now = 0, stalls = 0, free = 0;
  std::map<size_t, double> links; // when each kind is free again
  auto send = [&](Operation *op, int64_t nanoseconds) {
    double &link = links[getWidestGroup(op, *topology)];
    return link = std::max(now, link) + static_cast<double>(nanoseconds);
  };
  for (auto [step, time, message] :
       llvm::zip(storage.getSteps(), times, messages)) {
    Operation *op = step.op;
    if (isa<StoreOp, LoadOp>(op)) {
      int64_t bytes =
          storage.getContext().getBytes(getSlowSide(op).getType()).value_or(0);
      now += getAllocTime(op, hierarchy, costs, bytes);
      free = std::max(now, free) + getTransferTime(op, hierarchy, costs, bytes);
      if (!overlap) {
        stalls += free - now;
        now = free;
      }
      ends[op->getResults().back()] = free;
    } else if (isa<WaitOp, CollectiveWaitOp>(op)) {
      double stall = std::max(0.0, ends.lookup(op->getOperand(0)) - now);
      stalls += stall;
      now += stall;
    } else if (auto start = dyn_cast<CollectiveStartOp>(op)) {
      const unsigned wait = *storage.getStepIndex(getWait(start));
      if (messages[wait])
        ends[start.getToken()] = send(op, messages[wait]);
    } else if (message && isa<CollectiveOp>(op)) {
      now = send(op, message) + static_cast<double>(time.nanoseconds);
    } else {
      now += static_cast<double>(time.nanoseconds + message);
    }
  }
  prediction.seconds = now / 1e9;
  prediction.stallSeconds = stalls / 1e9;
}

int64_t pebble::getBytesOf(const std::map<std::string, int64_t> &bytes,
                           const std::string &name) {
  auto it = bytes.find(name);
  return it == bytes.end() ? 0 : it->second;
}

/// Bounds what a function of several blocks takes: the most that is live while
/// one of them runs. Which of them run, and how often, is up to its data.
static FailureOr<Prediction> predictBlocks(FunctionOpInterface entry,
                                           ProgramContext &context) {
  Prediction prediction;
  prediction.isBound = true;
  FailureOr<std::map<std::string, int64_t>> peaks =
      getBodyPeaks(entry.getFunctionBody(), context);
  if (failed(peaks))
    return failure();
  for (const auto &[tier, bytes] : *peaks)
    if (bytes)
      prediction.peak[tier.empty() ? getComputeTierName(entry) : tier] = bytes;
  for (Block &block : entry.getFunctionBody())
    for (Operation &op : block) {
      InnerMoves inside = collectInnerMoves(&op, context);
      prediction.isKnown &=
          !isa<StoreOp, LoadOp>(op) && inside.areKnown && inside.bytes.empty();
    }
  return prediction;
}

/// Says of the first value with a size that nobody knows that the program runs
/// without a prediction. False if there is no such.
static bool warnOfSizes(const StorageAnalysis &storage) {
  SmallVector<std::pair<Location, std::string>> unknown;
  storage.addErrorsTo(unknown);
  if (unknown.empty())
    return false;
  auto &[loc, text] = unknown.front();
  InFlightDiagnostic warning = emitWarning(loc);
  warning << text << "; no memory is predicted";
  if (size_t more = unknown.size() - 1)
    warning.attachNote() << "nor are the sizes of " << more << " others";
  return true;
}

static FailureOr<Prediction> predictMemory(FunctionOpInterface entry,
                                           const AnalysisOptions &options,
                                           bool overlap) {
  Prediction prediction;
  if (Operation *call = findRecursiveCall(entry)) {
    emitWarning(call->getLoc())
        << "the memory of a recursive call is not known: none is predicted";
    prediction.isKnown = false;
    return prediction;
  }
  ProgramContext context(options);
  if (!entry.getFunctionBody().hasOneBlock()) {
    for (Block &block : entry.getFunctionBody())
      prediction.isKnown &= !warnOfSizes(StorageAnalysis(block, context));
    return prediction.isKnown ? predictBlocks(entry, context) : prediction;
  }
  StorageAnalysis storage(entry.getFunctionBody().front(), context);
  prediction.isKnown = !warnOfSizes(storage);
  if (!prediction.isKnown)
    return prediction;
  LifetimeAnalysis lifetime(storage);
  prediction.isBound = peaksAreBounds(lifetime);
  for (StringRef tier : lifetime.getTiers())
    if (int64_t bytes = lifetime.getPeakBytes(tier))
      prediction.peak[tier.empty() ? getComputeTierName(entry) : tier.str()] =
          bytes;
  if (auto extents = entry->getAttrOfType<DictionaryAttr>(attr::kExtent))
    for (NamedAttribute tier : extents)
      prediction.extent[tier.getName().str()] =
          cast<IntegerAttr>(tier.getValue()).getInt();
  FailureOr<std::vector<int64_t>> messages =
      getMessageTimes(storage, lookupHierarchy(entry));
  if (failed(messages))
    return failure();
  if (getTopology(lookupHierarchy(entry)))
    prediction.messageSeconds =
        static_cast<double>(
            std::accumulate(messages->begin(), messages->end(), int64_t(0))) /
        1e9;
  if (hasStepTimes(storage))
    predictTime(storage, lookupHierarchy(entry), *messages, overlap,
                prediction);
  if (HierarchyAttr hierarchy = lookupHierarchy(entry)) {
    TrafficAnalysis traffic(lifetime, HierarchyCosts::get(hierarchy),
                            CacheModel::Lru);
    for (const auto &[route, bytes] : traffic.getMovedBytes())
      if (bytes)
        prediction.moved[route] = bytes;
    prediction.isKnown &= traffic.movedBytesAreKnown();
    prediction.isBound |= traffic.movedBytesAreBound();
  }
  return prediction;
}

FailureOr<Prediction> pebble::predict(FunctionOpInterface entry,
                                      const AnalysisOptions &options,
                                      bool overlap) {
  FailureOr<Prediction> prediction = predictMemory(entry, options, overlap);
  if (failed(prediction))
    return failure();
  const std::optional<ranks::Topology> topology =
      getTopology(lookupHierarchy(entry));
  if (std::optional<SentBytes> sent = getSentBytes(
          entry, getRanks().rank, topology ? &*topology : nullptr)) {
    prediction->sent = sent->bytes;
    prediction->isBound |= sent->isBound;
    if (topology && sent->hasLinks) {
      prediction->sentByGroup.emplace();
      for (auto [link, bytes] : sent->byLink)
        (*prediction->sentByGroup)[topology->groups[link].name] = bytes;
    }
  }
  return prediction;
}
