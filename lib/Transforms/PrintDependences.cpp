//===- PrintDependences.cpp - print what must come before what ------------===//

#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Transforms/Passes.h"

#include "pebble/Analysis/DependenceGraph.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_PRINTDEPENDENCESPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

static void print(raw_ostream &os, const DependenceGraph &graph) {
  const StorageAnalysis &storage = graph.getStorage();
  os << ":";
  for (DependenceKind kind : {DependenceKind::Flow, DependenceKind::Anti,
                              DependenceKind::Output, DependenceKind::Effect})
    os << (kind == DependenceKind::Flow ? " " : ", ") << graph.count(kind)
       << " " << toString(kind);
  os << "\n";
  for (const Dependence &edge : graph.getDependences()) {
    os << "  " << toString(edge.kind) << ": step " << edge.before << " "
       << storage.getStepName(edge.before) << " before step " << edge.after
       << " " << storage.getStepName(edge.after);
    if (edge.storage)
      os << ", on " << storage.getStorageName(*edge.storage);
    os << "\n";
  }
  for (auto [index, step] : llvm::enumerate(storage.getSteps()))
    if (!step.barrier.empty())
      os << "  barrier: step " << index << " " << storage.getStepName(index)
         << ": " << step.barrier << "\n";
}

namespace {
struct PrintDependencesPass
    : pebble::impl::PrintDependencesPassBase<PrintDependencesPass> {
  void runOnOperation() override {
    ProgramContext context;
    getOperation().walk([&](FunctionOpInterface function) {
      for (auto [index, block] : llvm::enumerate(function.getFunctionBody())) {
        StorageAnalysis storage(block, context);
        if (failed(storage.verify())) {
          signalPassFailure();
          continue;
        }
        llvm::outs() << "dependences of @" << getProgramName(function);
        if (index)
          llvm::outs() << " block " << index;
        print(llvm::outs(), DependenceGraph(storage));
      }
    });
    markAllAnalysesPreserved();
  }
};
} // namespace
