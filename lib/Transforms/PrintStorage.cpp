//===- PrintStorage.cpp - print which values share a buffer ---------------===//

#include "pebble/Report/Print.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_PRINTSTORAGEPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct PrintStoragePass : pebble::impl::PrintStoragePassBase<PrintStoragePass> {
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
      printStorage(llvm::outs(), function.getName(), storage);
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
