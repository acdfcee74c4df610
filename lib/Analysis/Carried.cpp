//===- Carried.cpp - tensors that loops carry in place --------------------===//

#include "pebble/Analysis/Carried.h"

#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

/// The argument of `block` that `value` is an update of: what it is made of by
/// ops that are given a destination. Null if there is none.
static BlockArgument findUpdated(Value value, Block *block) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() == block ? argument : BlockArgument();
    auto result = cast<OpResult>(value);
    Operation *op = result.getOwner();
    OpOperand *source = nullptr;
    if (isa<OpaqueOp>(op))
      source = &op->getOpOperand(0);
    else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
      source = dps.getTiedOpOperand(result);
    else
      source = getCarriedInit(result);
    if (!source || source->get().getType() != value.getType())
      return {};
    value = source->get();
  }
}

/// By value that the condition of `loop` forwards: the place of the tensor that
/// it is an update of among those that the loop began with, -1 for what is no
/// tensor. Nothing unless the tensors are the same ones, each once.
static std::optional<SmallVector<int>> getSlots(scf::WhileOp loop) {
  Block *before = loop.getBeforeBody();
  llvm::SmallDenseSet<int> taken;
  SmallVector<int> slots;
  for (Value value : loop.getConditionOp().getArgs()) {
    if (!isa<TensorType>(value.getType())) {
      slots.push_back(-1);
      continue;
    }
    BlockArgument argument = findUpdated(value, before);
    if (!argument || !taken.insert(argument.getArgNumber()).second)
      return std::nullopt;
    slots.push_back(static_cast<int>(argument.getArgNumber()));
  }
  auto carried =
      llvm::count_if(before->getArgumentTypes(), llvm::IsaPred<TensorType>);
  if (static_cast<size_t>(carried) != taken.size())
    return std::nullopt;
  // What the body makes anew would have to be copied into the buffer.
  for (Value value : loop.getYieldOp().getOperands())
    if (isa<TensorType>(value.getType()) &&
        !findUpdated(value, loop.getAfterBody()))
      return std::nullopt;
  return slots;
}

OpOperand *getCarriedInit(OpResult result) {
  auto loop = dyn_cast<LoopLikeOpInterface>(result.getOwner());
  if (!loop)
    return nullptr;
  auto search = dyn_cast<scf::WhileOp>(result.getOwner());
  if (!search)
    return loop.getTiedLoopInit(result);
  if (!isa<TensorType>(result.getType()))
    return nullptr;
  std::optional<SmallVector<int>> slots = getSlots(search);
  return slots ? &search.getInitsMutable()[(*slots)[result.getResultNumber()]]
               : nullptr;
}

bool isCarriedUnchanged(OpResult result) {
  Operation *op = result.getOwner();
  const hlo::Op *row = hlo::lookup(op);
  unsigned index = result.getResultNumber();
  if (!row || row->kind != hlo::Kind::Loop || op->getNumRegions() == 0 ||
      index >= op->getNumOperands())
    return false;
  Region &body = op->getRegions().back();
  if (!body.hasOneBlock() || index >= body.getNumArguments() ||
      !body.front().mightHaveTerminator())
    return false;
  ValueRange next = body.front().getTerminator()->getOperands();
  return index < next.size() && next[index] == body.getArgument(index);
}

SmallVector<BlockArgument, 2> getCarriedArguments(OpResult result) {
  OpOperand *init = getCarriedInit(result);
  if (!init)
    return {};
  if (auto search = dyn_cast<scf::WhileOp>(result.getOwner()))
    return {search.getBeforeArguments()[init->getOperandNumber()],
            search.getAfterArguments()[result.getResultNumber()]};
  auto loop = cast<LoopLikeOpInterface>(result.getOwner());
  BlockArgument argument = loop.getTiedLoopRegionIterArg(init);
  if (!argument)
    return {};
  return {argument};
}

bool ownsWhatItCarries(Operation *loop) {
  auto search = dyn_cast<scf::WhileOp>(loop);
  return search && !getSlots(search);
}

SmallVector<std::pair<OpOperand *, BlockArgument>>
getCarriedTargets(Operation *terminator) {
  SmallVector<std::pair<OpOperand *, BlockArgument>> targets;
  auto add = [&](OpOperand &operand, BlockArgument argument) {
    if (isa<RankedTensorType>(operand.get().getType()))
      targets.push_back({&operand, argument});
  };
  auto loop = dyn_cast<LoopLikeOpInterface>(terminator->getParentOp());
  if (!loop)
    return targets;
  if (auto search = dyn_cast<scf::WhileOp>(loop.getOperation())) {
    std::optional<SmallVector<int>> slots = getSlots(search);
    if (!slots)
      return targets;
    scf::ConditionOp condition = search.getConditionOp();
    bool isCondition = terminator == condition.getOperation();
    for (auto [index, slot] : llvm::enumerate(*slots)) {
      if (slot < 0)
        continue;
      if (isCondition)
        add(condition.getArgsMutable()[index],
            search.getBeforeArguments()[slot]);
      else
        add(terminator->getOpOperand(slot), search.getAfterArguments()[index]);
    }
    return targets;
  }
  std::optional<MutableArrayRef<OpOperand>> yielded =
      loop.getYieldedValuesMutable();
  auto arguments = loop.getRegionIterArgs();
  if (yielded && yielded->size() == arguments.size())
    for (auto [operand, argument] : llvm::zip(*yielded, arguments))
      add(operand, argument);
  return targets;
}

} // namespace pebble
