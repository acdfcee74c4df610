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
#include "llvm/ADT/StringSet.h"

namespace pebble {
#define GEN_PASS_DEF_STEPSTOFUNCTIONSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

static func::FuncOp makeFunction(StepOp step, StringRef name,
                                 OpBuilder &builder) {
  auto function =
      func::FuncOp::create(builder, step.getLoc(), name,
                           builder.getFunctionType(step.getInputs().getTypes(),
                                                   step.getResultTypes()));
  IRMapping mapping;
  step.getBody().cloneInto(&function.getFunctionBody(), mapping);
  Operation *yield = function.getFunctionBody().front().getTerminator();
  OpBuilder atEnd(yield);
  func::ReturnOp::create(atEnd, yield->getLoc(), yield->getOperands());
  yield->erase();
  return function;
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
