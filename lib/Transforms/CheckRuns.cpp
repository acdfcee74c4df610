//===- CheckRuns.cpp - the pass pebble-check-runs -------------------------===//
//
// Has it proven that the functions of a module compute what those of another
// file do, whatever their loops are.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "PlanPasses.h"

#include "pebble/Analysis/SameRuns.h"

#include "mlir/Parser/Parser.h"

namespace pebble {
#define GEN_PASS_DEF_CHECKRUNSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct CheckRunsPass : pebble::impl::CheckRunsPassBase<CheckRunsPass> {
  using CheckRunsPassBase::CheckRunsPassBase;

  void runOnOperation() override {
    if (original.empty()) {
      emitError(getOperation().getLoc())
          << "'original' must name the file of the program before";
      return signalPassFailure();
    }
    OwningOpRef<ModuleOp> before =
        parseSourceFile<ModuleOp>(original, &getContext());
    if (!before) {
      emitError(getOperation().getLoc())
          << "cannot read the program before from " << original;
      return signalPassFailure();
    }
    for (auto function : before->getOps<func::FuncOp>())
      if (!function.isExternal() && function.isPublic() &&
          failed(check(function)))
        return signalPassFailure();
  }

private:
  LogicalResult check(func::FuncOp before) {
    auto after =
        getOperation().lookupSymbol<func::FuncOp>(before.getSymNameAttr());
    if (!after || after.isExternal())
      return emitError(getOperation().getLoc())
             << "there is no @" << before.getSymName() << " any more";
    for (func::FuncOp function : {before, after})
      if (!function.getFunctionBody().hasOneBlock())
        return function.emitError("only functions of one block are compared");
    ProgramContext context(getAnalysisOptions(pure, /*dimBound=*/0));
    bool isTooLong = false;
    if (failed(checkSameRuns(before, after, context, most, isTooLong)))
      return failure();
    if (isTooLong)
      after.emitRemark("runs more than ")
          << int64_t(most) << " operations: it is not compared";
    return success();
  }
};
} // namespace
