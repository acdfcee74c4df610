//===- PrintFootprint.cpp - print what is live when -----------------------===//

#include "pebble/Report/Print.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

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
    ProgramContext context;
    SmallVector<FunctionOpInterface> functions;
    getOperation().walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        functions.push_back(function);
    });
    for (FunctionOpInterface function : functions) {
      StorageAnalysis storage(function.getFunctionBody().front(), context);
      if (failed(storage.verify())) {
        signalPassFailure();
        continue;
      }
      LifetimeAnalysis lifetime(storage);
      printFootprint(llvm::outs(), function.getName(), lifetime);
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
