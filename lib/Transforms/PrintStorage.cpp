//===- PrintStorage.cpp - print which values share a buffer ---------------===//

#include "PrintPasses.h"

#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Report/Print.h"
#include "pebble/Transforms/Passes.h"

namespace pebble {
#define GEN_PASS_DEF_PRINTSTORAGEPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct PrintStoragePass : pebble::impl::PrintStoragePassBase<PrintStoragePass> {
  void runOnOperation() override {
    auto print = [](FunctionOpInterface function,
                    const StorageAnalysis &storage) {
      printStorage(llvm::outs(), getProgramName(function), storage);
      return success();
    };
    if (failed(printEachFunction(getOperation(), print)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
