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

void expectRefused(StringRef program, const std::vector<Changes> &faults) {
  EXPECT_EQ(compareMains(program, program), "");
  for (const Changes &fault : faults) {
    std::string text = program.str();
    for (auto [from, to] : fault) {
      size_t at = text.find(from.str());
      ASSERT_NE(at, std::string::npos) << from.str();
      text.replace(at, from.size(), to.str());
    }
    const std::string said = compareMains(program, text);
    EXPECT_NE(said, "") << text;
    EXPECT_EQ(said.find("does not parse"), std::string::npos) << said;
  }
}
