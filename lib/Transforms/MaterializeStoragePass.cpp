//===- MaterializeStoragePass.cpp - the pass pebble-materialize-storage ----===//

#include "pebble/Transforms/MaterializeStorage.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace pebble {
#define GEN_PASS_DEF_MATERIALIZESTORAGEPASS
#include "pebble/Transforms/Passes.h.inc"

namespace {
struct MaterializeStoragePass
    : impl::MaterializeStoragePassBase<MaterializeStoragePass> {
  void runOnOperation() override {
    if (failed(
            materializeStorage(getOperation(), AnalysisOptions::getDefault())))
      signalPassFailure();
  }
};
} // namespace
} // namespace pebble
