//===- CheckRuns.cpp - the pass pebble-check-runs -------------------------===//
//
// Has it proven that the functions of a module compute what those of another
// file do, whatever their loops are.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/ProgramNames.h"
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
    llvm::StringMap<func::FuncOp> functions;
    getOperation().walk([&](func::FuncOp function) {
      functions[getProgramName(function, getOperation())] = function;
    });
    WalkResult result = before->walk([&](func::FuncOp function) {
      if (function.isExternal() || !function.isPublic())
        return WalkResult::advance();
      std::string name = getProgramName(function, *before);
      return WalkResult(check(function, functions.lookup(name), name));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult check(func::FuncOp before, func::FuncOp after, StringRef name) {
    if (!after || after.isExternal())
      return emitError(getOperation().getLoc())
             << "there is no @" << name << " any more";
    for (func::FuncOp function : {before, after})
      if (!function.getFunctionBody().hasOneBlock())
        return function.emitError("only functions of one block are compared");
    ProgramContext context(getAnalysisOptions(pure));
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
