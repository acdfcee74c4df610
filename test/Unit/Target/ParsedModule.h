//===- ParsedModule.h - a module from a string, for tests -----------------===//

#ifndef PEBBLE_TEST_UNIT_TARGET_PARSEDMODULE_H
#define PEBBLE_TEST_UNIT_TARGET_PARSEDMODULE_H

#include "pebble/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <string>

/// A context with everything registered, one module, and what was said about
/// it.
class ParsedModule {
public:
  explicit ParsedModule(llvm::StringRef text) {
    mlir::DialectRegistry registry;
    pebble::registerUpstream(registry);
    pebble::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
    context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diag) {
      diagnostics += diag.str() + "\n";
      return mlir::success();
    });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << diagnostics;
    if (!module)
      module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  }

  /// The first op with the attribute `marker`.
  mlir::Operation *find(llvm::StringRef marker = "test") {
    mlir::Operation *found = nullptr;
    module->walk([&](mlir::Operation *op) {
      if (!found && op->hasAttr(marker))
        found = op;
    });
    EXPECT_TRUE(found) << "no op is marked '" << marker.str() << "'";
    return found;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string diagnostics;
};

#endif // PEBBLE_TEST_UNIT_TARGET_PARSEDMODULE_H
