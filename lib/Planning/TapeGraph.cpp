//===- TapeGraph.cpp - what steps of loops leave on their tapes -----------===//

#include "pebble/Planning/TapeGraph.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pebble {

llvm::SetVector<Value> getValuesRead(Operation *op) {
  llvm::SetVector<Value> read;
  read.insert_range(op->getOperands());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return read;
}

const CarriedValue *findClock(const Recurrence &loop,
                              RecurrenceAnalysis &analysis) {
  for (const CarriedValue &each : loop.carried)
    if (each.kind == CarriedValue::Counter && std::abs(each.increment) == 1 &&
        isa<RankedTensorType>(each.argument.getType()) &&
        analysis.evaluate(each.init).isConstant())
      return &each;
  return nullptr;
}

/// What can lie on a tape.
static bool canBeKept(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
         tensor.getElementType().isIntOrFloat();
}

static bool mayRunAgain(Operation *op, ProgramContext &context) {
  return op->isRegistered() ? isFreeOfEffects(op) : context.isDeclaredPure(op);
}

/// In all iterations.
std::optional<int64_t> TapeGraph::getBytesOfAll(Value value) const {
  std::optional<int64_t> bytes = context.getBytes(value.getType());
  int64_t trips = pair->forward->trips.constant;
  if (!bytes || *bytes > ProgramContext::kLargestBytes / trips)
    return std::nullopt;
  return *bytes * trips;
}

/// Whether a value from outside of the loops takes no more memory because the
/// second loop reads it: the caller holds it, or somebody reads it by then.
bool TapeGraph::isThereAnyway(Value outer) const {
  Operation *maker = outer.getDefiningOp();
  if (!maker)
    return true;
  const hlo::Op *row = hlo::lookup(maker);
  if (row && row->kind == hlo::Kind::Constant)
    return true;
  Operation *backward = pair->backward->op;
  return llvm::any_of(outer.getUsers(), [&](Operation *user) {
    Operation *here = backward->getBlock()->findAncestorOpInBlock(*user);
    return here && !here->isBeforeInBlock(backward);
  });
}

graph::ResidualProblem::Value TapeGraph::describe(Value value) {
  graph::ResidualProblem::Value entry;
  Block *body = pair->forward->body;
  if (value.getParentBlock() != body) {
    if (!isThereAnyway(value)) {
      std::optional<int64_t> bytes = context.getBytes(value.getType());
      entry.canKeep = bytes.has_value();
      entry.bytes = bytes.value_or(0);
    }
    return entry;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const CarriedValue &carried =
        pair->forward->carried[argument.getArgNumber()];
    if (carried.kind == CarriedValue::Counter &&
        analysis.evaluate(carried.init).isConstant())
      return entry;
  } else if (mayRunAgain(value.getDefiningOp(), context)) {
    entry.maker = getStep(value.getDefiningOp());
  }
  std::optional<int64_t> bytes = getBytesOfAll(value);
  // A literal is made where it is needed.
  Operation *maker = value.getDefiningOp();
  bool isLiteral = maker && entry.maker != graph::ResidualProblem::kNone &&
                   maker->getNumOperands() + maker->getNumRegions() == 0;
  entry.canKeep = bytes && canBeKept(value.getType()) && !isLiteral;
  entry.bytes = bytes.value_or(0);
  return entry;
}

uint32_t TapeGraph::getId(Value value) {
  // What the loop hands on unchanged is what it was given.
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != pair->forward->body)
      break;
    const CarriedValue &carried =
        pair->forward->carried[argument.getArgNumber()];
    if (carried.kind != CarriedValue::Invariant)
      break;
    value = carried.init;
  }
  if (auto known = ids.find(value); known != ids.end())
    return known->second;
  graph::ResidualProblem::Value entry = describe(value);
  problem.values.push_back(entry);
  return ids[value] = problem.values.size() - 1;
}

uint32_t TapeGraph::getStep(Operation *op) {
  auto [known, isNew] = steps.try_emplace(op, problem.steps.size());
  if (!isNew)
    return known->second;
  OpCost cost = costs.estimate(op);
  // Where a part of an array begins is reckoned out, and not kept.
  bool isPlace = llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0 &&
           tensor.getElementType().isInteger();
  });
  int64_t work = cost.given.value_or(isPlace ? 0 : cost.flops);
  int64_t trips = pair->forward->trips.constant;
  constexpr int64_t kMost = graph::ResidualProblem::kLargestSum;
  problem.steps.push_back({work > kMost / trips ? kMost : work * trips, {}});
  unread.push_back(op);
  return problem.steps.size() - 1;
}

void TapeGraph::add(const LoopPair &added) {
  pair = &added;
  for (auto [read, value] : added.reads)
    problem.values[getId(value)].isWanted = true;
  while (!unread.empty()) {
    Operation *op = unread.pop_back_val();
    for (Value value : getValuesRead(op)) {
      uint32_t id = getId(value);
      problem.steps[steps[op]].reads.push_back(id);
    }
  }
  for (Operation *push : added.pushes)
    tapeBytes = addCounts(
        tapeBytes, context.getBytes(push->getResult(0).getType()).value_or(0));
}

bool TapeGraph::isBounded() const {
  constexpr int64_t kMost = graph::ResidualProblem::kLargestSum;
  int64_t cost = 0, bytes = 0;
  for (const auto &step : problem.steps)
    cost = addCounts(cost, step.cost);
  for (const auto &value : problem.values)
    bytes = addCounts(bytes, value.bytes);
  return cost < kMost && bytes < kMost;
}

bool TapeGraph::isKept(Value value, const graph::ResidualChoice &choice) const {
  auto known = ids.find(value);
  return known != ids.end() && choice.isKept[known->second];
}

} // namespace pebble
