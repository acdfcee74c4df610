//===- ResultPlaces.cpp - memory that results have from the start ---------===//

#include "ResultPlaces.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

/// The results that lie in the memory of an argument: those that an argument
/// names, and of each type as many as there are arguments of it given away.
static llvm::SmallDenseSet<unsigned> findAliased(func::FuncOp function) {
  llvm::SmallDenseSet<unsigned> aliased;
  auto take = [&](auto fits) {
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      if (fits(index, type) && aliased.insert(index).second)
        return;
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto output =
        function.getArgAttrOfType<IntegerAttr>(i, attr::kAliasingOutput);
    if (output)
      take([&](int64_t index, Type) { return index == output.getInt(); });
  }
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isDonatedArgument(function, i) &&
        !function.getArgAttr(i, attr::kAliasingOutput))
      take([&](int64_t, Type type) {
        return type == function.getArgumentTypes()[i];
      });
  return aliased;
}

/// Whether `value` is read once `step` has run, in the order that came in, or
/// returned.
static bool isReadAfter(Value value, StepOp step) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return user != step && step->isBeforeInBlock(user);
  });
}

/// The result of a step with which the buffer begins that `result` lies in: a
/// step that works in place takes the buffer of what it overwrites, unless
/// others need that later. Null where the caller gave the buffer away.
static OpResult findBeginning(OpResult result, func::FuncOp function) {
  while (true) {
    auto step = cast<StepOp>(result.getOwner());
    OpOperand *overwritten = step.getOverwritten(result);
    if (!overwritten)
      return result;
    if (auto argument = dyn_cast<BlockArgument>(overwritten->get()))
      return isDonatedArgument(function, argument.getArgNumber()) ? OpResult()
                                                                  : result;
    auto before = cast<OpResult>(overwritten->get());
    if (!isa<StepOp>(before.getOwner()) || isReadAfter(before, step))
      return result;
    result = before;
  }
}

/// Has the step that makes `result` take `place`, and put the result there.
static void overwrite(OpResult result, Value place) {
  auto step = cast<StepOp>(result.getOwner());
  SmallVector<int64_t> overwrites(step->getNumResults(), -1);
  if (std::optional<ArrayRef<int64_t>> known = step.getOverwrites())
    llvm::copy(*known, overwrites.begin());
  overwrites[result.getResultNumber()] = step.getInputs().size();
  step.getInputsMutable().append(place);
  step.getBlock().addArgument(place.getType(), place.getLoc());
  step.setOverwrites(overwrites);
}

/// The result of a step with which the buffer of an operand of the return
/// begins; null where there is none, or where it has a place.
static OpResult findUnplaced(OpOperand &returned, func::FuncOp function) {
  auto result = dyn_cast<OpResult>(returned.get());
  if (!result || !isa<StepOp>(result.getOwner()) ||
      !isa<RankedTensorType>(result.getType()))
    return OpResult();
  return findBeginning(result, function);
}

void addResultPlaces(func::FuncOp function) {
  llvm::SmallDenseSet<unsigned> aliased = findAliased(function);
  llvm::SmallDenseSet<Value> placed;
  Block &block = function.getFunctionBody().front();
  Builder builder(function.getContext());
  for (OpOperand &returned : block.getTerminator()->getOpOperands()) {
    if (aliased.contains(returned.getOperandNumber()))
      continue;
    OpResult result = findUnplaced(returned, function);
    // One that is returned twice is copied; that much is not known here.
    if (!result || !placed.insert(returned.get()).second)
      continue;
    unsigned index = function.getNumArguments();
    auto attributes = builder.getDictionaryAttr(
        {builder.getNamedAttr(attr::kDonated, builder.getUnitAttr()),
         builder.getNamedAttr(
             attr::kResultPlace,
             builder.getI64IntegerAttr(returned.getOperandNumber()))});
    if (failed(function.insertArgument(index, result.getType(), attributes,
                                       result.getLoc())))
      llvm_unreachable("a function takes any argument");
    overwrite(result, function.getArgument(index));
  }
}

} // namespace pebble
