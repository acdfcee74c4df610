//===- VerifySchedule.cpp - passes that look at plans again ---------------===//

#include "pebble/Transforms/Passes.h"

#include "OptionRange.h"
#include "PlanPasses.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/Remarks.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/CheckPlan.h"
#include "pebble/Planning/PlanAddresses.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_VERIFYADDRESSESPASS
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

/// Whether `verify` has nothing to say against any function with a body.
static bool
verifyFunctions(Operation *root,
                llvm::function_ref<LogicalResult(FunctionOpInterface)> verify) {
  bool isGood = true;
  root->walk([&](FunctionOpInterface function) {
    if (!function.isExternal())
      isGood &= succeeded(verify(function));
  });
  return isGood;
}

/// True if some function below `root` has the attribute.
static bool holds(Operation *root, StringRef attribute) {
  return root
      ->walk([&](FunctionOpInterface function) {
        return function->hasAttr(attribute) ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult verifyAddressesIfAny(FunctionOpInterface function,
                                          ProgramContext &context) {
  return success(!hasAddresses(function) ||
                 succeeded(verifyAddresses(function, context)));
}

namespace {
struct VerifyAddressesPass
    : pebble::impl::VerifyAddressesPassBase<VerifyAddressesPass> {
  void runOnOperation() override {
    ProgramContext context;
    if (!holds(getOperation(), attr::kExtent))
      remarkOnNothing(getOperation(), getArgument(),
                      "no function has pebble.extent, which planning addresses "
                      "leaves");
    if (!verifyFunctions(getOperation(), [&](FunctionOpInterface function) {
          return verifyAddressesIfAny(function, context);
        }))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct VerifySchedulePass
    : pebble::impl::VerifySchedulePassBase<VerifySchedulePass> {
  using VerifySchedulePassBase::VerifySchedulePassBase;

  void runOnOperation() override {
    if (failed(checkRange(getOperation()->getLoc(), dimBound, kNotGiven, 1)))
      return signalPassFailure();
    ProgramContext context(getAnalysisOptions(pure, dimBound));
    if (!holds(getOperation(), attr::kResult) &&
        !holds(getOperation(), attr::kExtent))
      remarkOnNothing(getOperation(), getArgument(),
                      "no function has pebble.result or pebble.extent, which "
                      "planning leaves");
    if (!verifyFunctions(getOperation(), [&](FunctionOpInterface function) {
          auto result = function->getAttrOfType<DictionaryAttr>(attr::kResult);
          bool isGood = !result || succeeded(check(function, result, context));
          // Both have their say.
          return success(succeeded(verifyAddressesIfAny(function, context)) &&
                         isGood);
        }))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static LogicalResult check(FunctionOpInterface function,
                             DictionaryAttr result, ProgramContext &context) {
    for (Block &block : function.getFunctionBody()) {
      StorageAnalysis storage(block, context);
      if (failed(storage.verify()) || failed(checkPlannedBlock(storage)))
        return failure();
    }
    FailureOr<int64_t> peak = getFunctionPeak(function, context);
    if (failed(peak))
      return failure();
    auto planned = result.getAs<IntegerAttr>("peak_bytes");
    // What was cleaned up afterwards may have made it less, and keeps the plan.
    if (planned && *peak > planned.getInt())
      return emitError(function->getLoc())
             << "the plan says a peak of " << planned.getInt()
             << " bytes, but the function takes " << *peak << " bytes";
    return success();
  }
};
} // namespace
