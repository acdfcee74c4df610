//===- LowerSome.cpp - upstream's passes, only where they are needed ------===//
//
// Upstream's passes also fold what they meet, and a program that has nothing
// for them is to run as it stands.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

namespace pebble {
#define GEN_PASS_DEF_LOWERTOSAPASS
#define GEN_PASS_DEF_LOWERMASKSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// Runs the passes that `Derived` adds over a function that has an operation
/// for them.
template <typename Derived, typename Base>
struct LowerSome : Base {
  LowerSome() : pipeline(func::FuncOp::getOperationName()) {
    Derived::addPasses(pipeline);
  }
  LowerSome(const LowerSome &other) : Base(other), pipeline(other.pipeline) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    pipeline.getDependentDialects(registry);
  }
  void runOnOperation() override {
    WalkResult found = this->getOperation().walk([](Operation *op) {
      return Derived::isForIt(op) ? WalkResult::interrupt()
                                  : WalkResult::advance();
    });
    if (found.wasInterrupted() &&
        failed(this->runPipeline(pipeline, this->getOperation())))
      this->signalPassFailure();
  }

  OpPassManager pipeline;
};

struct LowerTosa
    : LowerSome<LowerTosa, pebble::impl::LowerTosaPassBase<LowerTosa>> {
  /// Operations of tosa become those of linalg, tensor and arith. Its control
  /// flow goes first: the passes for the others refuse what ends its regions.
  static void addPasses(OpPassManager &pm) {
    pm.addPass(createTosaToSCFPass());
    pm.addPass(tosa::createTosaMakeBroadcastablePass());
    pm.addPass(tosa::createTosaToLinalgNamed());
    pm.addPass(tosa::createTosaToLinalg());
    pm.addPass(createTosaToArithPass());
    pm.addPass(createTosaToTensorPass());
  }
  static bool isForIt(Operation *op) {
    return op->getName().getDialectNamespace() == "tosa";
  }
};

struct LowerMasks
    : LowerSome<LowerMasks, pebble::impl::LowerMasksPassBase<LowerMasks>> {
  static void addPasses(OpPassManager &pm) {
    pm.addPass(vector::createLowerVectorMaskPass());
  }
  static bool isForIt(Operation *op) { return isa<vector::MaskOp>(op); }
};
} // namespace
