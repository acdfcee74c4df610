//===- OpCost.cpp - what one run of an op costs ---------------------------===//
//
// The estimate of an op: what the user says, else what its model says, else its
// bytes. The models are in CostModels.cpp.
//
//===----------------------------------------------------------------------===//

#include "pebble/Target/OpCost.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Dialect/Trips.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace pebble;

#include "pebble/Target/CostOpInterface.cpp.inc"

OpCost &OpCost::add(const OpCost &other, int64_t times) {
  // A cost that the user gave for a nested op stands for its operations.
  flops = addCounts(
      flops, multiplyCounts(times, other.given ? *other.given : other.flops));
  bytesRead = addCounts(bytesRead, multiplyCounts(times, other.bytesRead));
  bytesWritten =
      addCounts(bytesWritten, multiplyCounts(times, other.bytesWritten));
  if (doubt.empty() && !other.isKnown())
    doubt = other.doubt;
  return *this;
}

/// Bytes of the operands and results of `op` itself.
static OpCost countBytes(TypeRange read, Operation *op,
                         const DimBounds &bounds) {
  OpCost cost;
  for (Type type : read)
    cost.bytesRead =
        addCounts(cost.bytesRead, getStaticBytes(type, bounds).value_or(0));
  for (Type type : op->getResultTypes())
    cost.bytesWritten =
        addCounts(cost.bytesWritten, getStaticBytes(type, bounds).value_or(0));
  return cost;
}

static OpCost countOwnBytes(Operation *op, const DimBounds &bounds) {
  return countBytes(op->getOperandTypes(), op, bounds);
}

/// What a step takes without reading it, it writes over.
static OpCost countOwnBytes(StepOp step, const DimBounds &bounds) {
  SmallVector<Type> read;
  for (BlockArgument argument : step.getBlock().getArguments())
    if (!argument.use_empty())
      read.push_back(argument.getType());
  return countBytes(read, step, bounds);
}

OpCost OpCost::unknown(Operation *op, const DimBounds &bounds,
                       const Twine &doubt) {
  OpCost cost = countOwnBytes(op, bounds);
  cost.doubt = doubt.str();
  return cost;
}

int64_t pebble::getComputeEnergy(const OpCost &cost, HierarchyAttr hierarchy) {
  if (cost.given)
    return *cost.given;
  return multiplyCounts(cost.flops, hierarchy.getCompute());
}

int64_t pebble::getArithmeticTime(const OpCost &cost, HierarchyAttr hierarchy) {
  const int64_t speed = hierarchy.getSpeed();
  if (speed == 0)
    return 0;
  constexpr int64_t kNanoseconds = 1000000000;
  const __int128 time =
      (static_cast<__int128>(cost.flops) * kNanoseconds + speed - 1) / speed;
  return time > INT64_MAX ? INT64_MAX : static_cast<int64_t>(time);
}

OpCost OpCostModel::estimateRegion(Region &region) {
  OpCost cost;
  for (Block &block : region)
    for (Operation &op : block)
      cost.add(estimate(&op));
  return cost;
}

/// What a call reads and writes are its operands and results; what it computes
/// is its callee's body.
OpCost OpCostModel::estimateCall(Operation *op) {
  auto call = cast<CallOpInterface>(op);
  Operation *callee = call.resolveCallableInTable(&symbolTables);
  auto callable = dyn_cast_if_present<CallableOpInterface>(callee);
  Region *body = callable ? callable.getCallableRegion() : nullptr;
  if (!body || body->empty())
    return OpCost::unknown(op, bounds, "a callee without a body");
  auto [known, isNew] = callees.try_emplace(callee);
  if (isNew) {
    // What a recursive call finds while the body is being counted.
    known->second.doubt = "a recursive call";
    OpCost cost = estimateRegion(*body);
    callees[callee] = cost;
  }
  OpCost result = countOwnBytes(op, bounds);
  const OpCost &inside = callees[callee];
  result.flops = inside.flops;
  result.doubt = inside.doubt;
  return result;
}

OpCost OpCostModel::estimate(Operation *op) {
  OpCost cost;
  if (auto model = dyn_cast<CostOpInterface>(op)) {
    cost = model.getOpCost(*this);
  } else if (const hlo::Op *row = hlo::lookup(op)) {
    cost = hlo::estimate(op, *row, *this);
  } else if (isa<CallOpInterface>(op)) {
    cost = estimateCall(op);
  } else if (std::optional<CollectiveParts> collective = getCollective(op)) {
    // What it costs to send is the topology's business.
    cost = countOwnBytes(op, bounds);
    auto type = cast<ShapedType>(collective->input.getType());
    if (collective->isReduction())
      cost.flops = getStaticBytes(type, bounds).value_or(0) /
                   *getElementBytes(type.getElementType());
  } else if (auto step = dyn_cast<StepOp>(op)) {
    // What moves to and from memory is what the step takes and yields.
    cost = countOwnBytes(step, bounds);
    OpCost inside = estimateRegion(step.getBody());
    cost.flops = inside.flops;
    cost.doubt = inside.doubt;
  } else if (op->hasTrait<OpTrait::IsTerminator>() ||
             op->hasTrait<OpTrait::ConstantLike>() ||
             isa<FunctionOpInterface>(op) || isMoveOrMark(op)) {
    // Moves are no computation; traffic prices them.
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    std::optional<llvm::APInt> trips = getStaticTrips(loop);
    for (Region &region : op->getRegions())
      cost.add(estimateRegion(region), trips ? trips->getSExtValue() : 1);
    if (!trips && cost.doubt.empty())
      cost.doubt = "a loop whose trip count is not known, counted once";
  } else {
    cost = OpCost::unknown(
        op, bounds, "no cost model for '" + op->getName().getStringRef() + "'");
    for (Region &region : op->getRegions())
      cost.add(estimateRegion(region));
  }
  if (auto given = op->getAttrOfType<IntegerAttr>(attr::kCost))
    cost.given = given.getInt();
  return cost;
}

OpCost pebble::estimateOpCost(Operation *op, const DimBounds &bounds) {
  return OpCostModel(bounds).estimate(op);
}
