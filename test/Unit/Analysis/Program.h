//===- Program.h - a parsed module for tests of the analyses ----*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_ANALYSIS_PROGRAM_H
#define PEBBLE_TEST_UNIT_ANALYSIS_PROGRAM_H

#include "pebble/Analysis/Storage.h"
#include "pebble/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

namespace pebble::test {

/// Unregistered ops of the dialect `t` are pure.
class Program {
public:
  explicit Program(llvm::StringRef text) {
    mlir::DialectRegistry registry;
    registerUpstream(registry);
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    AnalysisOptions options;
    options.pure.insert("t");
    facts = std::make_unique<ProgramContext>(std::move(options));
  }

  explicit operator bool() const { return bool(module); }
  mlir::MLIRContext *getContext() { return &context; }
  mlir::Block &getBody(llvm::StringRef function) {
    return module->lookupSymbol<mlir::func::FuncOp>(function)
        .getFunctionBody()
        .front();
  }
  /// The analysis of the function's body, names of its ops as they are.
  StorageAnalysis analyse(llvm::StringRef function) {
    return StorageAnalysis(getBody(function), *facts);
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<ProgramContext> facts;
};

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_ANALYSIS_PROGRAM_H
