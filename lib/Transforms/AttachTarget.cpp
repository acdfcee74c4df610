//===- AttachTarget.cpp - put a known machine on the module ---------------===//

#include "pebble/Transforms/Passes.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Target/Presets.h"

namespace pebble {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;

namespace {
struct AttachTargetPass
    : public pebble::impl::AttachTargetPassBase<AttachTargetPass> {
  using AttachTargetPassBase::AttachTargetPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<pebble::HierarchyAttr> hierarchy =
        pebble::getTarget(module.getLoc(), preset);
    if (failed(hierarchy))
      return signalPassFailure();
    module->setAttr(pebble::attr::kHierarchy, *hierarchy);
  }
};
} // namespace
