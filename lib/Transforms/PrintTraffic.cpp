//===- PrintTraffic.cpp - print what every access costs -------------------===//

#include "PrintPasses.h"

#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Report/Print.h"
#include "pebble/Target/TargetHierarchy.h"
#include "pebble/Transforms/Passes.h"

namespace pebble {
#define GEN_PASS_DEF_PRINTTRAFFICPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct PrintTrafficPass : pebble::impl::PrintTrafficPassBase<PrintTrafficPass> {
  using PrintTrafficPassBase::PrintTrafficPassBase;

  void runOnOperation() override {
    auto print = [&](FunctionOpInterface function,
                     const StorageAnalysis &storage) -> LogicalResult {
      FailureOr<HierarchyAttr> hierarchy = getHierarchyOrDefault(function);
      if (failed(hierarchy))
        return failure();
      LifetimeAnalysis lifetime(storage);
      TrafficAnalysis traffic(lifetime, HierarchyCosts::get(*hierarchy),
                              cacheModel);
      printTraffic(llvm::outs(), getProgramName(function), lifetime, traffic,
                   cacheModel);
      return success();
    };
    if (failed(printEachFunction(getOperation(), print)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
