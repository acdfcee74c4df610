//===- pebble-lsp-server.cpp - the language server for editors ------------===//
//
// Diagnostics, hovers and go-to-definition for files that pebble-opt reads.
//
//===----------------------------------------------------------------------===//

#include "ToolOptions.h"

#include "pebble/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/LogicalResult.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  pebble::tool::registerVersion("pebble-lsp-server");
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
