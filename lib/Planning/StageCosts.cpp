//===- StageCosts.cpp - what the stages of a pipeline take ----------------===//

#include "StageSplit.h"
#include "StageTransfers.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Planning/WriteStages.h"
#include "pebble/Solver/Timeline/Timeline.h"

#include <cmath>

using namespace mlir;

namespace pebble {

/// Bytes of a number or a tensor of known size; 0 of what has none.
static int64_t getBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrIndexOrFloat())
    return 0;
  const int64_t bits =
      tensor.getElementType().isIndex() ? 64 : tensor.getElementTypeBitWidth();
  return getFootprint(tensor.getNumElements() * ((bits + 7) / 8));
}

static int64_t sumBytes(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    bytes += getBytes(value.getType());
  return bytes;
}

/// What `function` owns at its peak.
static FailureOr<int64_t> getOwnedPeak(func::FuncOp function,
                                       ProgramContext &context) {
  StorageAnalysis storage(function.getBody().front(), context);
  if (failed(storage.verify()))
    return failure();
  return LifetimeAnalysis(storage).getOwnedPeakBytes();
}

static int64_t getMessageTime(int64_t bytes, const LinkPrices &link) {
  if (bytes == 0)
    return 0;
  const double time =
      link.bandwidth > 0
          ? std::ceil(static_cast<double>(bytes) / link.bandwidth)
          : 0;
  // More than any sum of them may be, and an error of the check.
  constexpr double kLongest = 4e18;
  return link.latency + static_cast<int64_t>(std::min(time, kLongest));
}

/// How long the tape of `call`, its results from `first` on, takes from one
/// tier to the other, in the unit of the objective: nothing where that counts
/// operations.
static int64_t getMoveTime(func::CallOp call, unsigned first, AtAttr tier,
                           const CallTreePrices &prices) {
  if (!tier || prices.objective != ScheduleObjective::Time)
    return 0;
  TierAttr fast = prices.hierarchy.getComputeTier();
  TierAttr slow =
      prices.hierarchy
          .getTiers()[*prices.hierarchy.getTierIndex(tier.getTier())];
  const int64_t bandwidth =
      fast.getBandwidth() == 0
          ? slow.getBandwidth()
          : std::min(fast.getBandwidth(), slow.getBandwidth());
  int64_t time = 0;
  for (Value value : call.getResults().drop_front(first))
    if (isMovable(value.getType()))
      time =
          addCounts(time, timeline::getAccessTime(
                              getBytes(value.getType()), bandwidth,
                              std::max(fast.getLatency(), slow.getLatency())));
  return time;
}

FailureOr<pipeline::Pipeline>
StageWriter::buildPipeline(const CallTreePrices &prices,
                           const LinkPrices &link) {
  pipeline::Pipeline result;
  result.name = step.function.getName().str();
  result.ranks = ranks;
  result.microBatches = microBatches;
  result.stages.resize(step.stages.size());
  // Written before anything is measured: symbol tables are cached.
  std::vector<func::FuncOp> plains;
  for (CallPair &pair : step.stages)
    plains.push_back(calls.getPlain(SymbolTable::lookupNearestSymbolFrom(
        module, pair.forward.getCalleeAttr())));
  ProgramContext context(options);
  for (auto [index, stage] : llvm::enumerate(result.stages)) {
    CallPair &pair = step.stages[index];
    auto lookUp = [&](func::CallOp call) {
      return cast<func::FuncOp>(
          SymbolTable::lookupNearestSymbolFrom(module, call.getCalleeAttr()));
    };
    func::FuncOp forward = lookUp(pair.forward);
    func::FuncOp backward = lookUp(pair.backward);
    FailureOr<int64_t> forwardCost = getCostOnce(forward, context, prices);
    FailureOr<int64_t> backwardCost = getCostOnce(backward, context, prices);
    FailureOr<int64_t> forwardPeak = getOwnedPeak(forward, context);
    FailureOr<int64_t> plainPeak = getOwnedPeak(plains[index], context);
    FailureOr<int64_t> backwardPeak = getOwnedPeak(backward, context);
    if (failed(forwardCost) || failed(backwardCost) || failed(forwardPeak) ||
        failed(plainPeak) || failed(backwardPeak))
      return failure();
    stage.rank = index % ranks;
    stage.forward = stage.recompute = *forwardCost;
    stage.backward = *backwardCost;
    for (Value operand : pair.forward.getOperands())
      (step.differs(operand) ? stage.input : stage.fixed) +=
          getBytes(operand.getType());
    stage.tape =
        stage.input +
        sumBytes(pair.forward.getResults().drop_front(step.numResults[index]));
    stage.store = stage.load =
        getMoveTime(pair.forward, step.numResults[index], slowTier, prices);
    stage.work =
        std::max({int64_t(0), *forwardPeak - (stage.tape - stage.input),
                  *plainPeak, *backwardPeak});
    if (splits[index] && failed(addWeights(stage, index, context, prices)))
      return failure();
  }
  addMessages(result);
  for (pipeline::Stage &stage : result.stages) {
    stage.send = getMessageTime(stage.message, link);
    stage.sendBack = getMessageTime(stage.messageBack, link);
  }
  return result;
}

/// The backward task in two. From the one to the other stays what the second
/// reads, but for what all micro-batches share.
LogicalResult StageWriter::addWeights(pipeline::Stage &stage, unsigned index,
                                      ProgramContext &context,
                                      const CallTreePrices &prices) {
  const Split &split = *splits[index];
  func::FuncOp first = split.parts.first, weights = split.parts.weights;
  FailureOr<int64_t> firstCost = getCostOnce(first, context, prices);
  FailureOr<int64_t> weightsCost = getCostOnce(weights, context, prices);
  FailureOr<int64_t> firstPeak = getOwnedPeak(first, context);
  FailureOr<int64_t> weightsPeak = getOwnedPeak(weights, context);
  if (failed(firstCost) || failed(weightsCost) || failed(firstPeak) ||
      failed(weightsPeak))
    return failure();
  stage.backward = *firstCost;
  // A task that takes no time is one, too.
  stage.weight = std::max<int64_t>(1, *weightsCost);
  stage.work = std::max({stage.work, *firstPeak, *weightsPeak});
  llvm::SetVector<Value> kept;
  func::CallOp call = step.stages[index].backward;
  for (unsigned number : split.parts.weightArguments)
    kept.insert(call.getOperand(number));
  for (Operation *op : split.late.ops)
    for (Value operand : getAllOperands(op)) {
      Operation *maker = operand.getDefiningOp();
      const bool isMadeLate =
          split.late.ops.contains(maker) ||
          (maker == call &&
           split.late.results.test(cast<OpResult>(operand).getResultNumber()));
      if (!isMadeLate)
        kept.insert(operand);
    }
  kept.remove_if([&](Value value) { return !step.differs(value); });
  stage.weightTape =
      sumBytes(kept.getArrayRef()) +
      sumBytes(
          ValueRange(first.getBody().front().getTerminator()->getOperands())
              .take_back(split.parts.numHeld));
  return success();
}

/// The bytes that each stage sends, and sums that are there all the time.
void StageWriter::addMessages(pipeline::Pipeline &result) {
  for (auto &[op, task] : step.tasks) {
    pipeline::Stage &stage = result.stages[task.stage];
    for (Value value : op->getResults()) {
      bool isSent = false;
      for (Operation *user : value.getUsers()) {
        Operation *reader = step.getBody().findAncestorOpInBlock(*user);
        auto other = step.tasks.find(reader);
        isSent |= other != step.tasks.end() &&
                  other->second.stage % ranks != task.stage % ranks;
        if (reader == step.getBody().getTerminator())
          stage.fixed += getBytes(value.getType());
      }
      if (isSent)
        (task.isBackward ? stage.messageBack : stage.message) +=
            std::max<int64_t>(getBytes(value.getType()), 1);
    }
  }
}

} // namespace pebble
