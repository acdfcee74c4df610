//===- Sweep.cpp - cost over budget, in pebble-report ---------------------===//

#include "Sweep.h"

#include "SweepText.h"

#include "pebble/Planning/PlanLimits.h"
#include "pebble/Target/TargetHierarchy.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/JSON.h"

#include <chrono>

using namespace mlir;

namespace pebble {

static FailureOr<graph::Sweep> sweepFunction(FunctionOpInterface function,
                                             SweepRequest request,
                                             ProgramContext &context) {
  if (!function.getFunctionBody().hasOneBlock())
    return emitError(function->getLoc())
           << "a function of several blocks is not swept";
  FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
  if (failed(hierarchy))
    return failure();
  request.hierarchy = *hierarchy;
  if (const auto &profile = context.getOptions().costs; profile && *hierarchy)
    request.hierarchy = profile->applyTo(*hierarchy);
  StorageAnalysis storage(function.getFunctionBody().front(), context);
  if (failed(storage.verify()))
    return failure();
  DependenceGraph dependences(storage);
  return sweepBlock(dependences, request);
}

FailureOr<std::vector<FunctionSweep>>
sweepModule(ModuleOp module, SweepRequest request,
            llvm::function_ref<std::string(FunctionOpInterface)> getName) {
  PassManager passes(module->getName());
  passes.addPass(createDecomposePass());
  passes.addPass(createMaterializeStoragePass());
  if (failed(passes.run(module)))
    return failure();
  SmallVector<std::pair<std::string, FunctionOpInterface>> functions;
  module.walk([&](FunctionOpInterface function) {
    std::string name = function.isExternal() ? "" : getName(function);
    if (!name.empty())
      functions.push_back({std::move(name), function});
  });
  AnalysisOptions analysis = AnalysisOptions::getDefault();
  if (failed(analysis.readCosts(module.getLoc())))
    return failure();
  ProgramContext context(std::move(analysis));
  PlanScope scope;
  std::vector<FunctionSweep> sweeps;
  bool isGood = true;
  const graph::Limits all = request.limits;
  for (auto [index, entry] : llvm::enumerate(functions)) {
    auto &[name, function] = entry;
    scope.enter("@" + name);
    request.limits = all.part(static_cast<int64_t>(functions.size() - index));
    const auto start = graph::Limits::Clock::now();
    FailureOr<graph::Sweep> sweep = sweepFunction(function, request, context);
    isGood &= succeeded(sweep);
    if (failed(sweep))
      continue;
    const std::chrono::duration<double> seconds =
        graph::Limits::Clock::now() - start;
    sweeps.push_back({name, std::move(*sweep), seconds.count()});
  }
  if (!isGood)
    return failure();
  return sweeps;
}

static tool::SweepText describe(const FunctionSweep &entry) {
  tool::SweepText text;
  text.title = "@" + entry.name;
  text.seconds = entry.seconds;
  return text;
}

void printSweepJson(ArrayRef<FunctionSweep> sweeps) {
  llvm::outs() << "{";
  for (const FunctionSweep &entry : sweeps)
    llvm::outs() << (&entry == sweeps.begin() ? "\n" : ",\n")
                 << llvm::json::Value(llvm::json::fixUTF8(entry.name)) << ": "
                 << tool::writeSweepJson(entry.sweep, describe(entry));
  llvm::outs() << "\n}\n";
}

void printSweepTables(ArrayRef<FunctionSweep> sweeps) {
  for (const FunctionSweep &entry : sweeps)
    llvm::outs() << (&entry == sweeps.begin() ? "" : "\n")
                 << tool::writeSweepTable(entry.sweep, describe(entry));
}

std::string drawSweep(const FunctionSweep &entry) {
  return tool::writeSweepPicture(entry.sweep, describe(entry));
}

} // namespace pebble
