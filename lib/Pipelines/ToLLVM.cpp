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
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Shard/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace pebble;

/// Each phase ends with a check that it did what the next one relies on.
static void addCheck(OpPassManager &pm, StringRef phase) {
  VerifyPhasePassOptions options;
  options.phase = phase.str();
  pm.addPass(createVerifyPhasePass(options));
}

/// Phase 1. Every operation gets a destination, and what shares a buffer is
/// written down; nothing is left to decide. Addresses that were planned are
/// those of this program, or are planned again where it has changed since.
void pebble::buildStoragePipeline(OpPassManager &pm) {
  pm.addPass(createLowerTosaPass());
  // A loop whose states nobody has chosen from keeps them all.
  CheckpointLoopsPassOptions keepAll;
  keepAll.schedule = LoopSchedule::StoreAll;
  pm.addPass(createCheckpointLoopsPass(keepAll));
  pm.addPass(createDecomposePass());
  pm.addPass(createMaterializeStoragePass());
  pm.addPass(createRenewAddressesPass());
  addCheck(pm, "storage");
}

/// Phase 2. Tensors become memrefs, every buffer gets its one free, and
/// functions whose plan rests on a bound a guard.
static void addBuffers(OpPassManager &pm) {
  pm.addPass(createBufferizePass());
  pm.addPass(createPlaceFreesPass());
  pm.addPass(createGuardFallbacksPass());
  addCheck(pm, "buffers");
}

/// Phase 3. Snapshots become calls, tiers become numbers, structured operations
/// become loops, and long functions call their parts.
static void addLoops(OpPassManager &pm) {
  pm.addPass(createLowerSnapshotsPass());
  pm.addPass(createLowerTiersPass());
  pm.addPass(createLinalgToLoopsPass());
  pm.addPass(createDivideFunctionsPass());
  addCheck(pm, "loops");
}

/// Phase 4. Loops, vectors and addresses become LLVM.
static void addLLVM(OpPassManager &pm) {
  pm.addPass(createLowerMpiPass());
  pm.addPass(createLowerSubviewsPass());
  pm.addPass(createLowerAffinePass()); // it makes accesses of vectors
  pm.addPass(createLowerVectorsPass());
  pm.addPass(createLowerComplexPass());
  pm.addPass(createLowerPowersPass());
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createLowerSmallFloatsPass());
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
  addCheck(pm, "llvm");
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

/// A program that is annotated with shardings becomes what each rank runs.
/// Upstream propagates and divides; what it cannot do alone is ours.
static void buildPartitionPipeline(OpPassManager &pm) {
  pm.addPass(createCheckShardingsPass());
  pm.addNestedPass<func::FuncOp>(shard::createShardingPropagation());
  pm.addNestedPass<func::FuncOp>(shard::createPartition());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createShardToCollectivesPass());
  pm.addPass(createConvertShardToMPIPass());
  pm.addPass(createCanonicalizerPass());
}

void pebble::registerPipelines() {
  PassPipelineRegistration<>(
      "pebble-partition",
      "make of a program with shardings (shard dialect) what each rank runs",
      [](OpPassManager &pm) { buildPartitionPipeline(pm); });
  PassPipelineRegistration<>(
      "pebble-to-llvm",
      "lower a module to LLVM that allocates, frees and moves as it says",
      [](OpPassManager &pm) { buildToLLVMPipeline(pm); });
}
