//===- InitAll.cpp - register everything Pebble offers --------------------===//

#include "pebble/InitAll.h"

#include "pebble/Conversion/Passes.h"
#include "pebble/Dialect/DestinationModels.h"
#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Pipelines/Pipelines.h"
#include "pebble/Target/Inverses.h"
#include "pebble/Target/OpCost.h"
#include "pebble/TransformOps/PebbleTransformOps.h"
#include "pebble/Transforms/Passes.h"
#include "pebble/Transforms/ShardModels.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

void pebble::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<PebbleDialect>();
  registerDestinationModels(registry);
  registerCostModels(registry);
  registerShardModels(registry);
  registerInverseModels(registry);
  registerTransformOps(registry);
}

void pebble::registerUpstream(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
}

void pebble::registerAllPasses() {
  registerPebbleConversionPasses();
  registerPebbleTransformsPasses();
  registerPipelines();
}
