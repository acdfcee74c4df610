//===- ToLLVM.cpp - the pipeline pebble-to-llvm ---------------------------===//
//
// The way down as a story in four phases. No pass here reorders, fuses, merges
// or drops an allocation: what the schedule says is what runs. That is why the
// canonicalizer, which erases allocations that are only written, comes in only
// when allocations are calls, and One-Shot Analysis never.
//
//===----------------------------------------------------------------------===//

#include "pebble/Pipelines/Pipelines.h"

#include "pebble/Conversion/Passes.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace pebble;

/// Operations of tosa become those of linalg, tensor and arith. Its control
/// flow goes first: the passes for the others refuse what ends its regions.
static void addTosa(OpPassManager &pm) {
  pm.addPass(createTosaToSCFPass());
  pm.addPass(tosa::createTosaMakeBroadcastablePass());
  pm.addPass(tosa::createTosaToLinalgNamed());
  pm.addPass(tosa::createTosaToLinalg());
  pm.addPass(createTosaToArithPass());
  pm.addPass(createTosaToTensorPass());
}

namespace {
/// Runs upstream's passes over functions that have operations for them alone:
/// those passes also fold what they meet, and a program that has none is to run
/// as it stands.
template <typename Derived>
struct LowerSomePass : PassWrapper<Derived, OperationPass<func::FuncOp>> {
  LowerSomePass() : pipeline(func::FuncOp::getOperationName()) {
    Derived::addPasses(pipeline);
  }
  LowerSomePass(const LowerSomePass &other)
      : PassWrapper<Derived, OperationPass<func::FuncOp>>(other),
        pipeline(other.pipeline) {}

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

/// Before the first phase.
struct LowerTosaPass : LowerSomePass<LowerTosaPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTosaPass)

  StringRef getArgument() const final { return "pebble-lower-tosa"; }
  StringRef getDescription() const final {
    return "lower tosa to linalg, in functions that have any";
  }
  static void addPasses(OpPassManager &pm) { addTosa(pm); }
  static bool isForIt(Operation *op) {
    return op->getName().getDialectNamespace() == "tosa";
  }
};

/// In the last phase: a vector operation under a mask becomes one that has it.
struct LowerMasksPass : LowerSomePass<LowerMasksPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerMasksPass)

  StringRef getArgument() const final { return "pebble-lower-masks"; }
  StringRef getDescription() const final {
    return "lower vector.mask, in functions that have any";
  }
  static void addPasses(OpPassManager &pm) {
    pm.addPass(vector::createLowerVectorMaskPass());
  }
  static bool isForIt(Operation *op) { return isa<vector::MaskOp>(op); }
};
} // namespace

/// Phase 1. Every operation gets a destination, and what shares a buffer is
/// written down; nothing is left to decide. Addresses that were planned are
/// those of this program, or are planned again where it has changed since.
void pebble::buildStoragePipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(std::make_unique<LowerTosaPass>());
  // A loop whose states nobody has chosen from keeps them all.
  CheckpointLoopsPassOptions keepAll;
  keepAll.schedule = LoopSchedule::StoreAll;
  pm.addPass(createCheckpointLoopsPass(keepAll));
  pm.addPass(createDecomposePass());
  pm.addPass(createMaterializeStoragePass());
  pm.addPass(createRenewAddressesPass());
}

/// Phase 2. Tensors become memrefs, every buffer gets its one free, and
/// functions whose plan rests on a bound a guard.
static void addBuffers(OpPassManager &pm) {
  pm.addPass(createBufferizePass());
  pm.addPass(createPlaceFreesPass());
  pm.addPass(createGuardFallbacksPass());
}

/// Phase 3. Tiers become numbers, structured operations become loops.
static void addLoops(OpPassManager &pm) {
  pm.addPass(createLowerTiersPass());
  pm.addPass(createLinalgToLoopsPass());
}

/// Phase 4. Loops, vectors and addresses become LLVM.
static void addLLVM(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(std::make_unique<LowerMasksPass>());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  // Where the target has no 16-bit arithmetic, nor the C library its
  // conversions: compute in f32.
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  floats.sourceTypeStrs.push_back("bf16");
  floats.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(floats));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(pebble::createConvertToLLVMPass());
}

void pebble::buildStorageToLLVMPipeline(OpPassManager &pm) {
  addBuffers(pm);
  addLoops(pm);
  addLLVM(pm);
}

void pebble::buildToLLVMPipeline(OpPassManager &pm) {
  buildStoragePipeline(pm);
  buildStorageToLLVMPipeline(pm);
}

void pebble::registerPipelines() {
  PassPipelineRegistration<>(
      "pebble-to-llvm",
      "lower a module to LLVM that allocates, frees and moves as it says",
      [](OpPassManager &pm) { buildToLLVMPipeline(pm); });
}
