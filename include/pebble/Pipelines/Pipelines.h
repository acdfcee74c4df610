//===- Pipelines.h - Pebble's named pipelines -------------------*- C++ -*-===//

#ifndef PEBBLE_PIPELINES_PIPELINES_H
#define PEBBLE_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"

namespace pebble {

/// `pebble-to-llvm`: a module of tensors or memrefs, scheduled or not, becomes
/// one of the LLVM dialect that allocates, frees and moves exactly as the
/// module said, through libpebble_runtime. A module that is in the LLVM dialect
/// already passes.
void buildToLLVMPipeline(mlir::OpPassManager &pm);

/// Its first phase: every operation has a destination, and what shares a buffer
/// is written down. What the analyses say about the module that comes out is
/// what the meter reads.
void buildStoragePipeline(mlir::OpPassManager &pm);

/// The other phases, from there to LLVM.
void buildStorageToLLVMPipeline(mlir::OpPassManager &pm);

/// Registers the pipelines under their names.
void registerPipelines();

} // namespace pebble

#endif // PEBBLE_PIPELINES_PIPELINES_H
