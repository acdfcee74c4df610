//===- WriteProblem.cpp - a real program as a problem for pebble-solve ----===//
//
// bench-write-problem FILE.mlir
//
// The largest function of the file as Pebble's own problem format: units of
// steps that may run again together (Solver/Portfolio/StepUnits.h), the work of
// each as its cost, and one slower tier without a limit or a price. What
// pebble-solve answers for it is what pebble-schedule would write but for
// buffers that are reused and for units that might be run apart.
//
//===----------------------------------------------------------------------===//

#include "LargestFunction.h"

#include "pebble/Analysis/RunAgain.h"
#include "pebble/InitAll.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/StepCosts.h"
#include "pebble/Solver/Game/Formats.h"
#include "pebble/Solver/Portfolio/StepUnits.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::portfolio;
namespace cl = llvm::cl;

static cl::opt<std::string> file(cl::Positional, cl::Required);
static cl::list<std::string> pure("pure", cl::desc("Dialects free of effects"));

static LogicalResult write(MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return failure();
  AnalysisOptions options;
  options.pure.insert_range(pure);
  FunctionOpInterface function;
  if (failed(materializeStorage(module->getOperation(), options)) ||
      !(function = getLargest(*module)))
    return failure();
  ProgramContext program(options);
  StorageAnalysis storage(function.getFunctionBody().front(), program);
  if (failed(storage.verify()))
    return failure();
  DependenceGraph dependences(storage);
  BuildOptions build;
  build.moves = true;
  BlockProblem block = buildProblem(dependences, build);
  FailureOr<std::vector<int64_t>> costs = getStepCosts(
      storage, ScheduleObjective::Recompute, nullptr, CacheModel::Lru);
  if (failed(costs))
    return failure();
  for (auto [step, cost] : llvm::zip(block.problem.steps, *costs))
    step.cost = cost;
  std::vector<std::string> runOnce = getRunOnceReasons(storage);
  for (auto [step, reason] : llvm::zip(block.problem.steps, runOnce))
    step.recomputable = reason.empty();
  UnitProblem units = buildUnitProblem(block.problem, runOnce, Grouping::Full);
  game::Hierarchy &hierarchy = units.problem.hierarchy;
  hierarchy.name = "two-tiers";
  hierarchy.tiers.assign(2, game::Tier());
  hierarchy.tiers[0].name = "fast";
  hierarchy.tiers[1].name = "slow";
  if (game::Verdict v = game::check(units.problem); !v.ok())
    return function.emitError() << v.message;
  llvm::outs() << game::writeProblemJson(units.problem);
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "A program as a problem\n");
  DialectRegistry registry;
  registerUpstream(registry);
  pebble::registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.loadAllAvailableDialects();
  return failed(write(context));
}
