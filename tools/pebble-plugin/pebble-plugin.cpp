//===- pebble-plugin.cpp - Pebble inside a stock mlir-opt -----------------===//
//
// Loaded by `mlir-opt --load-dialect-plugin=F --load-pass-plugin=F`. mlir-opt
// reads its flags before it loads plugins, so Pebble's passes are named in
// `--pass-pipeline` only, and its options stand behind `--load-pass-plugin`.
//
//===----------------------------------------------------------------------===//

#include "pebble/Analysis/CommandLine.h"
#include "pebble/InitAll.h"
#include "pebble/Planning/PlanLimits.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

/// The host has registered upstream's dialects itself; only Pebble's are added.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "pebble", "v0.1",
          [](mlir::DialectRegistry *registry) {
            pebble::registerAllDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "pebble", "v0.1", []() {
            pebble::registerAllPasses();
            pebble::registerAnalysisCLOptions();
            pebble::registerCostsCLOption();
            pebble::registerPlanningCLOptions();
          }};
}
