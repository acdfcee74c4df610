//===- StepsToFunctions.cpp - the pass pebble-steps-to-functions ----------===//
//
// A backend can only be asked about functions. This makes one of each distinct
// step.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Remarks.h"
#include "pebble/Analysis/StepGroups.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"

namespace pebble {
#define GEN_PASS_DEF_STEPSTOFUNCTIONSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

/// One element of `value`, read behind a barrier: what is asked for is not what
/// the function returns.
static Value readElement(Value value, OpBuilder &builder) {
  auto type = cast<RankedTensorType>(value.getType());
  OperationState barrier(value.getLoc(), "stablehlo.optimization_barrier");
  barrier.addOperands(value);
  barrier.addTypes(type);
  Value held = builder.create(barrier)->getResult(0);
  OperationState slice(value.getLoc(), "stablehlo.slice");
  slice.addOperands(held);
  SmallVector<int64_t> zeros(type.getRank(), 0), ones(type.getRank(), 1);
  slice.addTypes(RankedTensorType::get(ones, type.getElementType()));
  slice.propertiesAttr = builder.getDictionaryAttr(
      {builder.getNamedAttr("limit_indices",
                            builder.getDenseI64ArrayAttr(ones)),
       builder.getNamedAttr("start_indices",
                            builder.getDenseI64ArrayAttr(zeros)),
       builder.getNamedAttr("strides", builder.getDenseI64ArrayAttr(ones))});
  return builder.create(slice)->getResult(0);
}

/// A function of what `step` reads. It returns the results of the step, and of
/// inner ones an element.
static void makeFunction(StepOp step, StringRef name, OpBuilder &builder) {
  llvm::BitVector unread(step.getBlock().getNumArguments());
  for (OpResult result : step->getResults())
    if (hasPlace(step, result))
      unread.set(step.getOverwritten(result)->getOperandNumber());
  auto function = func::FuncOp::create(builder, step.getLoc(), name,
                                       builder.getFunctionType({}, {}));
  IRMapping mapping;
  step.getBody().cloneInto(&function.getFunctionBody(), mapping);
  Block &block = function.getFunctionBody().front();
  block.eraseArguments(unread);
  Operation *yield = block.getTerminator();
  OpBuilder atEnd(yield);
  SmallVector<Value> returned(yield->getOperands());
  for (OpResult result : getInnerResults(step)) {
    Value &value = returned[result.getResultNumber()];
    value = readElement(value, atEnd);
  }
  func::ReturnOp::create(atEnd, yield->getLoc(), returned);
  yield->erase();
  function.setFunctionType(builder.getFunctionType(
      block.getArgumentTypes(), ValueRange(returned).getTypes()));
}

namespace {
struct StepsToFunctionsPass
    : pebble::impl::StepsToFunctionsPassBase<StepsToFunctionsPass> {
  using StepsToFunctionsPassBase::StepsToFunctionsPassBase;

  void runOnOperation() override {
    bool isAny = false;
    for (ModuleOp module : getModules(getOperation()))
      isAny |= replaceFunctions(module);
    if (!isAny)
      remarkOnNothing(getOperation(), getArgument(),
                      "there is no pebble.step, which pebble-group-steps "
                      "writes");
  }

private:
  /// Puts functions of the steps of `module` in the place of those that it has.
  /// Returns whether there are any.
  static bool replaceFunctions(ModuleOp module) {
    SmallVector<Operation *> old;
    // What else the module has, operations of the steps may name.
    for (auto function : module.getOps<func::FuncOp>())
      old.push_back(function);
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    llvm::StringSet<> seen;
    SmallVector<StepOp> steps;
    for (Operation *function : old)
      function->walk([&](StepOp step) { steps.push_back(step); });
    for (StepOp step : steps) {
      // What calls others cannot stand alone.
      bool hasCalls =
          step->walk([](func::CallOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      std::string digest = getStepDigest(step);
      if (!hasCalls && seen.insert(digest).second)
        makeFunction(step, "step_" + digest, builder);
    }
    for (Operation *op : llvm::reverse(old))
      op->erase();
    for (NamedAttribute attribute :
         llvm::to_vector(module->getDiscardableAttrs()))
      module->removeDiscardableAttr(attribute.getName());
    return !steps.empty();
  }
};
} // namespace
