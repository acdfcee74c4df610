//===- PrintFootprint.cpp - print what is live when -----------------------===//

#include "PrintPasses.h"

#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Report/Print.h"
#include "pebble/Transforms/Passes.h"

namespace pebble {
#define GEN_PASS_DEF_PRINTFOOTPRINTPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct PrintFootprintPass
    : pebble::impl::PrintFootprintPassBase<PrintFootprintPass> {
  void runOnOperation() override {
    auto print = [](FunctionOpInterface function,
                    const StorageAnalysis &storage) {
      printFootprint(llvm::outs(), getProgramName(function),
                     LifetimeAnalysis(storage));
      return success();
    };
    if (failed(printEachFunction(getOperation(), print)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
