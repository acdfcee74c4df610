//===- CompareMains.cpp - two programs, compared by the proof of calls ----===//

#include "CompareMains.h"

#include "pebble/InitAll.h"
#include "pebble/Planning/CallEquivalence.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace pebble;

std::string compareMains(StringRef before, StringRef after) {
  DialectRegistry registry;
  registerUpstream(registry);
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      said += diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> one = parseSourceString<ModuleOp>(before, &context);
  OwningOpRef<ModuleOp> other = parseSourceString<ModuleOp>(after, &context);
  if (!one || !other)
    return "does not parse: " + said;
  bool isSame = succeeded(checkCallEquivalence(
      one->lookupSymbol<func::FuncOp>("main"),
      other->lookupSymbol<func::FuncOp>("main"), AnalysisOptions()));
  EXPECT_EQ(isSame, said.empty());
  return said;
}
