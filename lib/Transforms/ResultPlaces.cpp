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

/// Has `step` take `place`, and put `result` there.
static void overwrite(StepOp step, OpResult result, Value place) {
  SmallVector<int64_t> overwrites(step->getNumResults(), -1);
  if (std::optional<ArrayRef<int64_t>> known = step.getOverwrites())
    llvm::copy(*known, overwrites.begin());
  overwrites[result.getResultNumber()] = step.getInputs().size();
  step.getInputsMutable().append(place);
  step.getBlock().addArgument(place.getType(), place.getLoc());
  step.setOverwrites(overwrites);
}

void addResultPlaces(func::FuncOp function) {
  llvm::SmallDenseSet<unsigned> aliased = findAliased(function);
  llvm::SmallDenseSet<Value> placed;
  Block &block = function.getFunctionBody().front();
  Builder builder(function.getContext());
  for (OpOperand &returned : block.getTerminator()->getOpOperands()) {
    auto result = dyn_cast<OpResult>(returned.get());
    auto step = result ? dyn_cast<StepOp>(result.getOwner()) : StepOp();
    if (!step || aliased.contains(returned.getOperandNumber()) ||
        step.getOverwritten(result) || !isa<RankedTensorType>(result.getType()))
      continue;
    // One that is returned twice is copied; that much is not known here.
    if (!placed.insert(result).second)
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
    overwrite(step, result, function.getArgument(index));
  }
}

} // namespace pebble
