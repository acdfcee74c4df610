//===- RealGraphs.cpp - peaks of real programs under three orders ---------===//
//
// bench-real-graphs [--pure=NAME]... [--dim-bound=N] [--time-limit-ms=N]
//                   [--seed=N] FILE...
//
// For the largest function of each file: the peak of its intermediates (without
// arguments and constants) in the file's own order, in naive greedy order (the
// ready step that leaves the fewest bytes live; ties by file order), and in
// Pebble's, with the bound that it proved. All three under one accounting, on
// the program whose storage is written down. Judges Pebble against the better
// of the other two: exit status 1 if it was worse on any file.
//
//===----------------------------------------------------------------------===//

#include "LargestFunction.h"

#include "pebble/InitAll.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/PlanOrder.h"
#include "pebble/Solver/Order/ListSchedule.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;
using namespace pebble;
namespace cl = llvm::cl;

static cl::list<std::string> files(cl::Positional, cl::OneOrMore);
static cl::list<std::string> pure("pure", cl::desc("Dialects free of effects"));
static cl::opt<int64_t> dimBound("dim-bound", cl::init(128),
                                 cl::desc("Size of dynamic dimensions"));
static cl::opt<int64_t> timeLimitMs("time-limit-ms", cl::init(3000));
static cl::opt<uint64_t> seed("seed", cl::init(0));

static int64_t getPeak(const graph::FootprintGame &game,
                       const std::vector<game::Id> &order) {
  int64_t peak = 0;
  for (int64_t live : game.profile(order))
    peak = std::max(peak, live);
  return peak;
}

/// Prints a row; false if Pebble was worse than another order, or failed.
static bool measure(const std::string &path, MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &context);
  if (!module)
    return false;
  AnalysisOptions options;
  options.pure.insert_range(pure);
  options.dynamicDimBound = dimBound;
  FunctionOpInterface function;
  if (failed(materializeStorage(module->getOperation(), options)) ||
      !(function = getLargest(*module)))
    return false;

  auto start = std::chrono::steady_clock::now();
  ProgramContext program(options);
  StorageAnalysis storage(function.getFunctionBody().front(), program);
  if (failed(storage.verify()))
    return false;
  DependenceGraph dependences(storage);
  BuildOptions build;
  build.countArguments = false;
  build.names = false;
  BlockProblem block = buildProblem(dependences, build);
  graph::FootprintGame game(graph::StepGraph(block.problem),
                            graph::LiveStorages(block.problem));
  int64_t own = getPeak(game, game::givenOrder(block.problem));
  int64_t greedy = getPeak(game, graph::leastLiveOrder(game));
  OrderRequest request;
  request.countArguments = false;
  request.limits = graph::Limits(timeLimitMs);
  request.seed = seed;
  FailureOr<OrderPlan> plan = planOrder(dependences, request);
  if (failed(plan))
    return false;
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  own -= block.peakOffset;
  greedy -= block.peakOffset;

  unsigned barriers = 0;
  std::string first;
  for (const Step &step : storage.getSteps()) {
    if (step.barrier.empty())
      continue;
    if (!barriers++)
      first = step.barrier;
  }
  bool worse = plan->peak > std::min(own, greedy);
  llvm::outs() << llvm::format(
                      "%-44s %6zu %10.3f %10.3f %10.3f %10.3f %6.2f%%"
                      " %6.1f  %u",
                      llvm::sys::path::filename(path).str().c_str(),
                      storage.getSteps().size(), own / 1e6, greedy / 1e6,
                      plan->peak / 1e6, plan->bound / 1e6,
                      plan->bound
                          ? 100.0 * (plan->peak - plan->bound) / plan->bound
                          : 0.0,
                      seconds, barriers)
               << (first.empty() ? "" : " (" + first + ")")
               << (worse ? "   WORSE" : "") << "\n";
  llvm::outs().flush();
  return !worse;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Peaks of real programs\n");
  DialectRegistry registry;
  registerUpstream(registry);
  pebble::registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.loadAllAvailableDialects();
  llvm::outs() << "Peak of intermediates in MB (1e6 bytes)\n"
               << llvm::format("%-44s %6s %10s %10s %10s %10s %7s %6s  %s\n",
                               "file", "steps", "own", "greedy", "pebble",
                               "bound", "gap", "s", "barriers");
  int wrong = 0;
  for (const std::string &file : files)
    wrong += !measure(file, context);
  llvm::outs() << files.size() - wrong << " passed, " << wrong << " failed\n";
  return wrong ? 1 : 0;
}
