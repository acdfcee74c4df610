//===- VerifySchedule.cpp - passes that look at plans again ---------------===//

#include "pebble/Transforms/Passes.h"

#include "pebble/Analysis/Lifetime.h"
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

namespace {
struct VerifyAddressesPass
    : pebble::impl::VerifyAddressesPassBase<VerifyAddressesPass> {
  void runOnOperation() override {
    ProgramContext context;
    bool isGood = true;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && hasAddresses(function))
        isGood &= succeeded(verifyAddresses(function, context));
    });
    if (!isGood)
      signalPassFailure();
    else
      markAllAnalysesPreserved();
  }
};

struct VerifySchedulePass
    : pebble::impl::VerifySchedulePassBase<VerifySchedulePass> {
  using VerifySchedulePassBase::VerifySchedulePassBase;

  void runOnOperation() override {
    AnalysisOptions options = AnalysisOptions::getDefault();
    for (const std::string &name : pure)
      options.pure.insert(name);
    if (dimBound < 0) {
      emitError(getOperation()->getLoc(), "dim-bound must not be negative");
      return signalPassFailure();
    }
    if (dimBound > 0)
      options.dynamicDimBound = dimBound;
    ProgramContext context(std::move(options));
    bool isGood = true;
    getOperation()->walk([&](FunctionOpInterface function) {
      auto result = function->getAttrOfType<DictionaryAttr>(attr::kResult);
      if (result && !function.isExternal())
        isGood &= succeeded(check(function, result, context));
      if (!function.isExternal() && hasAddresses(function))
        isGood &= succeeded(verifyAddresses(function, context));
    });
    if (!isGood)
      signalPassFailure();
    else
      markAllAnalysesPreserved();
  }

private:
  static LogicalResult check(FunctionOpInterface function,
                             DictionaryAttr result, ProgramContext &context) {
    int64_t peak = 0;
    for (Block &block : function.getFunctionBody()) {
      StorageAnalysis storage(block, context);
      if (failed(storage.verify()) || failed(checkPlannedBlock(storage)))
        return failure();
      peak = std::max(peak, LifetimeAnalysis(storage).getPeakBytes());
    }
    auto planned = result.getAs<IntegerAttr>("peak_bytes");
    if (planned && planned.getInt() != peak)
      return emitError(function->getLoc())
             << "the plan says a peak of " << planned.getInt()
             << " bytes, but the function takes " << peak << " bytes";
    return success();
  }
};
} // namespace
