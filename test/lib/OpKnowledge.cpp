//===- OpKnowledge.cpp - what is known of each registered op --------------===//
//
// Loads every dialect that libMLIR has and says of each of its operations by
// whose word the analyses know what it does to memory. Those whose word is our
// own, or nobody's, are named; the others are counted.
//
//===----------------------------------------------------------------------===//

#include "pebble/Analysis/OpKnowledge.h"
#include "pebble/InitAll.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

using namespace mlir;
using namespace pebble;

int main() {
  DialectRegistry registry;
  pebble::registerAllDialects(registry);
  registerUpstream(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();

  std::map<std::string, std::map<OpKnowledge, std::set<std::string>>> dialects;
  for (RegisteredOperationName name : context.getRegisteredOperations())
    dialects[name.getDialectNamespace().str()][getKnowledge(name)].insert(
        name.stripDialect().str());

  for (const auto &[dialect, kinds] : dialects) {
    for (const auto &[kind, names] : kinds) {
      bool isOwnWord =
          kind == OpKnowledge::View || kind == OpKnowledge::Measure ||
          kind == OpKnowledge::Global || kind == OpKnowledge::Quiet ||
          kind == OpKnowledge::Anything;
      if (!isOwnWord) {
        llvm::outs() << dialect << ": " << names.size() << " " << toString(kind)
                     << "\n";
        continue;
      }
      for (const std::string &name : names)
        llvm::outs() << dialect << "." << name << ": " << toString(kind)
                     << "\n";
    }
  }
  return 0;
}
