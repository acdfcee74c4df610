//===- PrintTraffic.cpp - print what every access costs -------------------===//

#include "pebble/Report/Print.h"
#include "pebble/Target/TargetHierarchy.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

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
      FailureOr<HierarchyAttr> hierarchy = getHierarchyOrDefault(function);
      if (failed(hierarchy)) {
        signalPassFailure();
        continue;
      }
      LifetimeAnalysis lifetime(storage);
      TrafficAnalysis traffic(lifetime, HierarchyCosts::get(*hierarchy),
                              cacheModel);
      printTraffic(llvm::outs(), function.getName(), lifetime, traffic,
                   cacheModel);
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
